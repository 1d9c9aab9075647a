/*
 * drain.h - reads array files to their end, in every way
 */
#ifndef OOD_TESTS_DRAIN_H
#define OOD_TESTS_DRAIN_H

#include "core/base.h"

/*
 * Opens the bytes as a file and as a pipe and reads every member as matrix,
 * as words and as pixels. Both must end alike, or this aborts.
 */
void drain_all(const uint8_t *data, size_t n);

#endif

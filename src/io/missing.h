/*
 * missing.h - spellings of "no value" in text (--missing)
 */
#ifndef OOD_IO_MISSING_H
#define OOD_IO_MISSING_H

#include "core/base.h"

/* Does the list, by commas, hold this cell? NULL lists nothing; the word usual
 * stands for what pandas, R and databases write. */
bool ood_missing_lists(const char *list, struct ood_span cell);

/* Is the cell one of --missing usual? */
bool ood_missing_is_usual(struct ood_span cell);

#endif

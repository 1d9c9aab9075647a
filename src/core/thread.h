/*
 * thread.h - shares of work for OpenMP's team
 */
#ifndef OOD_CORE_THREAD_H
#define OOD_CORE_THREAD_H

#include "core/base.h"

/* Size of the team that a parallel region would get now (1 inside one). */
int ood_threads(void);
/* For the command's -j: sets the default team. 0 = all cores. */
void ood_threads_set(int n);

/* Cuts n items in `parts` runs of nearly equal length, each a multiple of
 * `grain` but the last; run `part` is [*from, *to). */
void ood_share(size_t n, size_t grain, int part, int parts, size_t *from,
	       size_t *to);

#endif

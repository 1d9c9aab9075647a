/*
 * thread.c - shares of work for OpenMP's team
 */
#include "core/thread.h"

#include <omp.h>

int ood_threads(void)
{
	return omp_in_parallel() ? 1 : omp_get_max_threads();
}

void ood_threads_set(int n)
{
	omp_set_num_threads(n > 0 ? n : omp_get_num_procs());
}

void ood_share(size_t n, size_t grain, int part, int parts, size_t *from,
	       size_t *to)
{
	size_t grains = n / grain + (n % grain != 0);
	size_t each = grains / (size_t)parts, more = grains % (size_t)parts;
	size_t p = (size_t)part;
	size_t first = p * each + OOD_MIN(p, more);

	*from = OOD_MIN(n, first * grain);
	*to = OOD_MIN(n, (first + each + (p < more)) * grain);
}

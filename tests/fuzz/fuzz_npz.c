/*
 * fuzz_npz.c - any bytes as an archive of arrays
 */
#include "drain.h"

int ood_fuzz_npz(const uint8_t *data, size_t n);

int ood_fuzz_npz(const uint8_t *data, size_t n)
{
	/* An archive alone: text of other formats is not meant here. */
	if (n >= 2 && data[0] == 'P' && data[1] == 'K')
		drain_all(data, n);
	return 0;
}

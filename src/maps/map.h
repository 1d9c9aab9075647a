/*
 * map.h - logits -> rows of probabilities, rows in, rows out
 *
 * To add a map: one file, one line in maps.def.
 */
#ifndef OOD_MAPS_MAP_H
#define OOD_MAPS_MAP_H

#include "core/base.h"
#include "core/param.h"

struct ood_map {
	const char *name, *brief, *cite;
	const struct ood_param *params;
	/* z: n x c logits; p: n x c, may be z itself */
	void (*rows)(const struct ood_args *args, const double *z, size_t n,
		     size_t c, double *p);
};

#define OOD_MAP(symbol) extern const struct ood_map ood_map_##symbol;
#include "maps/maps.def"
#undef OOD_MAP

extern const struct ood_map *const ood_maps[]; /* ends with NULL */
/* NULL if there is none of this name. */
const struct ood_map *ood_map_find(const char *name, size_t n);

#endif

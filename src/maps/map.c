/*
 * map.c - the maps that there are
 */
#include "maps/map.h"

const struct ood_map *const ood_maps[] = {
#define OOD_MAP(symbol) &ood_map_##symbol,
#include "maps/maps.def"
#undef OOD_MAP
	NULL,
};

const struct ood_map *ood_map_find(const char *name, size_t n)
{
	for (size_t i = 0; ood_maps[i]; i++)
		if (ood_is(name, n, ood_maps[i]->name))
			return ood_maps[i];
	return NULL;
}

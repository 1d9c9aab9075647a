/*
 * prefix.h - the files that a PREFIX or a folder stands for
 */
#ifndef OOD_IO_PREFIX_H
#define OOD_IO_PREFIX_H

#include "core/base.h"
#include "io/role.h"

struct ood_found {
	struct ood_role_word word;
	char *path; /* as it would be typed: PREFIX_ROLE.EXT */
};

struct ood_founds {
	struct ood_found *at;
	size_t n, room;
};

/*
 * Lists PREFIX_ROLE.EXT, or FOLDER/ROLE.EXT for a folder (with or without a
 * slash at the end), by role: EXT is npy npz csv tsv json jsonl ndjson, each
 * also with .gz. Two files for one role are OOD_INPUT; none is no error.
 * Free with ood_founds_free().
 */
int ood_prefix_find(const char *prefix, struct ood_founds *founds,
		    struct ood_err *err);
void ood_founds_free(struct ood_founds *founds);

/* Files, FIFOs, devices (not folders); and folders. */
bool ood_path_is_file(const char *path);
bool ood_path_is_folder(const char *path);

#endif

/*
 * part_rest.c - files of a SET, closed until it is their turn
 */
#include <sys/stat.h>

#include "core/err.h"
#include "core/mem.h"
#include "io/part.h"

void ood_file_forget(struct ood_file *f)
{
	for (size_t i = 0; i < f->n_members; i++)
		ood_free(f->members[i].name);
	ood_free(f->members);
	f->members = NULL;
	f->n_members = 0;
}

static int copy_members(struct ood_file *f, struct ood_err *err)
{
	const struct ood_head *head = &f->head;

	f->members = ood_calloc(head->n, sizeof(*f->members));
	if (!f->members)
		return ood_fail_memory(err, head->n * sizeof(*f->members));
	for (size_t i = 0; i < head->n; i++) {
		f->members[i] = head->members[i];
		f->members[i].name = ood_strdup(head->members[i].name);
		if (!f->members[i].name) {
			ood_file_forget(f);
			return ood_fail_memory(err, head->n);
		}
		f->n_members++;
	}
	return OOD_OK;
}

/* What a pipe has told is gone. */
static bool can_open_again(const struct ood_file *f)
{
	struct stat st;

	return f->reader && strcmp(f->path, "-") != 0 && !stat(f->path, &st) &&
	       S_ISREG(st.st_mode);
}

int ood_part_rest(struct ood_part *part, struct ood_err *err)
{
	int code = OOD_OK;

	for (size_t i = 0; i < part->n_files && !code; i++) {
		struct ood_file *f = &part->files[i];

		if (!can_open_again(f))
			continue;
		code = copy_members(f, err);
		if (code)
			break;
		f->head_rows = ood_reader_rows(f->reader);
		ood_reader_close(f->reader);
		f->reader = NULL;
		f->head.members = f->members;
		f->head.file = f->path;
		f->chunk = (struct ood_chunk){ 0 };
	}
	return code;
}

static bool is_same(const struct ood_member *a, const struct ood_member *b)
{
	return !strcmp(a->name, b->name) && a->dtype == b->dtype &&
	       a->ndim == b->ndim && a->fortran == b->fortran &&
	       !memcmp(a->shape, b->shape, sizeof(a->shape));
}

static int check_head(const struct ood_file *f, const struct ood_head *before,
		      struct ood_err *err)
{
	const struct ood_head *now = &f->head;
	bool same = now->n == before->n && now->records == before->records &&
		    now->named == before->named;

	for (size_t i = 0; same && i < now->n; i++)
		same = is_same(&now->members[i], &before->members[i]);
	if (same)
		return OOD_OK;
	ood_fail(err, OOD_INPUT, "has changed since its head was read");
	return ood_err_where(err, f->path, NULL);
}

static int wake(struct ood_part *part, struct ood_file *f, struct ood_err *err)
{
	const struct ood_head before = f->head;
	int code = ood_reader_open(&f->reader, f->path, &part->read, err);

	if (code)
		return code;
	ood_file_read_head(f);
	code = check_head(f, &before, err);
	ood_file_forget(f);
	return code;
}

int ood_part_wake(struct ood_part *part, struct ood_err *err)
{
	int code = OOD_OK;

	for (size_t i = 0; i < part->n_files && !code; i++)
		if (!part->files[i].reader)
			code = wake(part, &part->files[i], err);
	return code;
}

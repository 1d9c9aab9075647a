/*
 * modelfile.c - a model as one .npz file: its arrays
 */
#include "model/modelfile.h"

#include <stdio.h>

#include "core/err.h"
#include "core/view.h"
#include "io/columns.h"
#include "io/reader.h"
#include "io/source.h"
#include "io/writer.h"

enum { META_MAX = 1 << 24, ROWS = 4096, ARRAY_NAME = 96 };

static bool is_there(const struct ood_kept *kept, bool partial)
{
	return kept->when == OOD_KEPT_BOTH ||
	       kept->when == (partial ? OOD_KEPT_PARTIAL : OOD_KEPT_FITTED);
}

/* ------------------------------------------------------------- writing --- */

/* The list of arrays as it grows. */
struct listing {
	struct ood_npz_array *at;
	char (*name)[ARRAY_NAME];
	size_t n, room, room_names;
};

static int list_array(struct listing *l, const char *name, struct ood_view view,
		      struct ood_err *err)
{
	if (!ood_grow(&l->at, l->n, &l->room, sizeof(*l->at)) ||
	    !ood_grow(&l->name, l->n, &l->room_names, sizeof(*l->name)))
		return ood_fail_memory(err, l->n * sizeof(*l->at));
	snprintf(l->name[l->n], ARRAY_NAME, "%s", name);
	l->at[l->n++] = (struct ood_npz_array){
		.dtype = view.dtype,
		.ndim = 2,
		.shape = { view.rows, view.cols },
		.data = view.data,
	};
	return OOD_OK;
}

static int list_scoring(struct listing *l, const struct ood_model *model,
			size_t i, struct ood_err *err)
{
	const struct ood_scoring *s = &model->scorings[i];
	const struct ood_kept *k = s->state ? s->scorer->kept : NULL;
	int code = OOD_OK;

	for (; !code && k && k->kind; k++) {
		struct ood_view view = ood_kept_view(k, s->state);
		char name[ARRAY_NAME];

		if (!is_there(k, model->partial) || !view.rows)
			continue;
		snprintf(name, sizeof(name), "%zu/%s", i, k->name);
		code = list_array(l, name, view, err);
	}
	return code;
}

static int list_all(struct listing *l, const struct ood_model *model,
		    struct ood_err *err)
{
	const struct ood_layer *head = &model->head;
	int code = OOD_OK;

	if (head->W.rows)
		code = list_array(l, "head/weights", ood_mat_view(&head->W),
				  err);
	if (!code && head->b.rows)
		code = list_array(l, "head/bias", ood_mat_view(&head->b), err);
	for (size_t i = 0; !code && i < model->n; i++)
		code = list_scoring(l, model, i, err);
	return code;
}

int ood_model_write(const struct ood_model *model, struct ood_sink *sink,
		    struct ood_err *err)
{
	struct listing l = { 0 };
	struct ood_buf meta = { 0 };
	int code = ood_meta_write(model, &meta, err);

	if (!code)
		code = list_array(&l, "meta.json", (struct ood_view){ 0 }, err);
	if (!code) {
		l.at[0] = (struct ood_npz_array){ .dtype = OOD_U1,
						  .ndim = 1,
						  .shape = { meta.n },
						  .data = meta.text };
		code = list_all(&l, model, err);
	}
	for (size_t i = 0; i < l.n; i++)
		l.at[i].name = l.name[i];
	if (!code)
		code = ood_npz_write(sink, l.at, l.n, err);
	ood_free(l.at);
	ood_free(l.name);
	ood_buf_free(&meta);
	return code;
}

/* ------------------------------------------------------------- reading --- */

/* A member of the file, bound to be read. */
struct member {
	struct ood_reader *reader;
	struct ood_pick pick;
	size_t number;
	const struct ood_member *head; /* NULL: not there */
};

static void member_close(struct member *m)
{
	ood_reader_close(m->reader);
}

/* Close in any case. */
static int member_open(struct member *m, const char *path, const char *name,
		       const struct ood_read *read, struct ood_err *err)
{
	struct ood_sought sought = ood_sought_of(name);
	struct ood_head head = { .file = path };
	int code;

	*m = (struct member){ 0 };
	code = ood_reader_open(&m->reader, path, read, err);
	if (code)
		return code;
	if (strcmp(ood_reader_format(m->reader), "npz") != 0) {
		ood_fail(err, OOD_INPUT,
			 "not a model (models are the .npz files that ood fit "
			 "writes)");
		return ood_err_where(err, path, NULL);
	}
	head.members = ood_reader_members(m->reader, &head.n, &head.records);
	code = ood_columns_find(&head, &sought, err);
	if (code || !sought.found)
		return code;
	m->number = sought.member;
	m->head = &head.members[m->number];
	m->pick = (struct ood_pick){ .kind = m->head->ndim == 2 ? OOD_PICK_REAL
								: OOD_PICK_WORD,
				     .n = 1,
				     .member = &m->number };
	return ood_reader_bind(m->reader, &m->pick, 1, err);
}

static int damaged(const char *path, const char *name, const char *what,
		   struct ood_err *err)
{
	ood_fail(err, OOD_INPUT, "%s (the model is damaged)", what);
	return ood_err_where(err, path, name);
}

static int read_meta(const char *path, const struct ood_read *read,
		     struct ood_buf *text, struct ood_err *err)
{
	struct ood_chunk chunk = { .n = 1 };
	struct member m;
	int code = member_open(&m, path, "meta.json", read, err);

	if (!code &&
	    (!m.head || m.head->ndim != 1 || m.head->shape[0] > META_MAX)) {
		ood_fail(err, OOD_INPUT,
			 "not a model of ood fit (it has no meta.json)");
		code = ood_err_where(err, path, NULL);
	}
	while (!code && chunk.n) {
		code = ood_reader_next(m.reader, ROWS, &chunk, err);
		const int64_t *bytes = code ? NULL : chunk.columns[0].vec.ints;
		for (size_t i = 0; bytes && i < chunk.n; i++)
			ood_buf_char(text, (char)bytes[i]);
	}
	member_close(&m);
	return text->failed ? ood_fail_memory(err, text->n) : code;
}

/* Rows of a view in double; NaN is none that we wrote. */
static bool widen(struct ood_view v, double *x)
{
	bool ok = true;

	for (size_t i = 0; i < v.rows; i++) {
		for (size_t j = 0; j < v.cols; j++) {
			double value = ood_view_at(v, i, j);

			*x++ = value;
			ok &= !isnan(value);
		}
	}
	return ok;
}

/* The rows of an array into a matrix or a bank: *to is one of them. */
static int read_rows(struct member *m, const char *path,
		     const struct ood_kept *kept, void *to, struct ood_err *err)
{
	const size_t cols = (size_t)m->head->shape[1];
	double *some = ood_malloc(OOD_MAX(cols, 1) * ROWS, sizeof(*some));
	struct ood_mat *mat = kept->kind == OOD_KEPT_MAT ? to : NULL;
	struct ood_chunk chunk = { .n = 1 };
	int code = some ? OOD_OK : ood_fail_memory(err, cols * ROWS);

	if (!code && mat)
		code = ood_mat_make(mat, (size_t)m->head->shape[0], cols, err);
	for (size_t at = 0; !code && chunk.n; at += chunk.n) {
		code = ood_reader_next(m->reader, ROWS, &chunk, err);
		if (code || !chunk.n)
			break;
		if (!widen(chunk.columns[0].view, some))
			code = damaged(path, kept->name, "holds NaN", err);
		else if (mat)
			memcpy(mat->data + at * cols, some,
			       chunk.n * cols * sizeof(*some));
		else
			code = ood_bank_add(to, some, chunk.n, cols, err);
	}
	ood_free(some);
	return code;
}

/* Sizes must be those of the table before memory is spent on them. */
static int check_shape(const struct member *m, const char *path,
		       const struct ood_kept *kept, struct ood_sizes *sizes,
		       uint64_t max_bytes, struct ood_err *err)
{
	const uint64_t rows = m->head->shape[0], cols = m->head->shape[1];
	size_t bytes;

	if (m->head->ndim != 2)
		return damaged(path, kept->name, "is no matrix", err);
	if (!rows || !cols || rows > SIZE_MAX || cols > SIZE_MAX)
		return damaged(path, kept->name, "has no numbers", err);
	if (!ood_mul((size_t)rows, (size_t)cols, &bytes) ||
	    !ood_mul(bytes, 8, &bytes) || bytes > max_bytes) {
		ood_fail(err, OOD_INPUT,
			 "an array of %llu x %llu needs more than --max-bytes "
			 "allows",
			 (unsigned long long)rows, (unsigned long long)cols);
		return ood_err_where(err, path, kept->name);
	}
	if (ood_kept_check(kept, (size_t)rows, (size_t)cols, sizes, err))
		return ood_err_where(err, path, NULL);
	return OOD_OK;
}

/* Where arrays come from, and what is known of their sizes. */
struct loading {
	const char *path;
	const struct ood_read *read;
	struct ood_sizes sizes;
	uint64_t max_bytes;
};

static int read_array(struct loading *l, const char *prefix,
		      const struct ood_kept *kept, void *state,
		      struct ood_err *err)
{
	void *to = (char *)state + kept->at;
	char name[ARRAY_NAME];
	struct member m;
	int code;

	snprintf(name, sizeof(name), "%s%s", prefix, kept->name);
	code = member_open(&m, l->path, name, l->read, err);
	if (!code && !m.head && !kept->optional) {
		ood_fail(err, OOD_INPUT,
			 "has no array %s (the model is damaged)", name);
		code = ood_err_where(err, l->path, NULL);
	}
	if (!code && m.head)
		code = check_shape(&m, l->path, kept, &l->sizes, l->max_bytes,
				   err);
	if (!code && m.head)
		code = read_rows(&m, l->path, kept, to, err);
	member_close(&m);
	return code;
}

static int read_head(struct loading *l, struct ood_model *model,
		     struct ood_err *err)
{
	struct pair {
		struct ood_mat W, b;
	} pair = { { 0 }, { 0 } };
	static const struct ood_kept kept[] = {
		{ OOD_KEPT_MAT, "weights", offsetof(struct pair, W), "CD",
		  OOD_KEPT_BOTH, true },
		{ OOD_KEPT_MAT, "bias", offsetof(struct pair, b), "1C",
		  OOD_KEPT_BOTH, true },
	};
	int code = OOD_OK;

	for (size_t i = 0; !code && i < OOD_COUNT(kept); i++)
		code = read_array(l, "head/", &kept[i], &pair, err);
	if (!code && pair.W.rows)
		code = ood_layer_make(&model->head, &pair.W, &pair.b, err);
	ood_mat_free(&pair.W);
	ood_mat_free(&pair.b);
	return code;
}

static int read_scoring(struct loading *l, struct ood_model *model, size_t i,
			struct ood_err *err)
{
	struct ood_scoring *s = &model->scorings[i];
	char prefix[32];
	int code = OOD_OK;

	if (!ood_scoring_learns(s))
		return OOD_OK;
	s->state = ood_calloc(1, s->scorer->state);
	if (!s->state)
		return ood_fail_memory(err, s->scorer->state);
	l->sizes = (struct ood_sizes){ 0 };
	l->sizes.of['C' - 'A'] = model->c;
	l->sizes.of['D' - 'A'] = model->d[s->layer];
	snprintf(prefix, sizeof(prefix), "%zu/", i);
	for (const struct ood_kept *k = s->scorer->kept; !code && k && k->kind;
	     k++)
		if (is_there(k, model->partial))
			code = read_array(l, prefix, k, s->state, err);
	if (code || model->partial)
		return code;
	code = ood_scoring_ready(s, model->head.W.rows ? &model->head : NULL,
				 model->c, err);
	if (code == OOD_NUMERIC)
		code = err->code = OOD_INPUT;
	return code ? ood_err_where(err, l->path, NULL) : OOD_OK;
}

static int check_partial(const struct ood_model *model, bool partial,
			 struct ood_err *err)
{
	if (model->partial && !partial)
		return ood_fail(err, OOD_INPUT,
				"a partial fit: join the parts first (ood "
				"merge PART... -o MODEL)");
	if (!model->partial && partial)
		return ood_fail(err, OOD_INPUT,
				"a complete model: only partial fits can be "
				"joined (ood fit --partial)");
	return OOD_OK;
}

int ood_model_read(struct ood_model **model, const char *path,
		   const struct ood_read *read, bool partial,
		   struct ood_err *err)
{
	const struct ood_read plain = { .max_bytes = read->max_bytes };
	const uint64_t memory = ood_physical_memory();
	struct loading l = { .path = path,
			     .read = &plain,
			     .max_bytes = read->max_bytes ? read->max_bytes
					  : memory	  ? memory / 2
							  : UINT64_MAX };
	struct ood_model *made = ood_model_new();
	struct ood_buf meta = { 0 };
	int code = made ? read_meta(path, &plain, &meta, err)
			: ood_fail_memory(err, sizeof(*made));

	*model = NULL;
	if (!code && ood_meta_read(made, meta.text, meta.n, err) != OOD_OK)
		code = ood_err_where(err, path, NULL);
	if (!code && check_partial(made, partial, err) != OOD_OK)
		code = ood_err_where(err, path, NULL);
	if (!code)
		code = read_head(&l, made, err);
	for (size_t i = 0; !code && i < made->n; i++)
		code = read_scoring(&l, made, i, err);
	if (!code)
		code = ood_model_name(made, err);
	ood_buf_free(&meta);
	if (code)
		ood_model_free(made);
	else
		*model = made;
	return code;
}

bool ood_model_sniff(const char *path, const struct ood_read *read)
{
	struct ood_buf meta = { 0 };
	struct ood_err err;
	bool is = read_meta(path, read, &meta, &err) == OOD_OK && meta.n &&
		  strstr(meta.text, "\"ood.model/");

	ood_buf_free(&meta);
	return is;
}

int ood_model_crc(const char *path, uint32_t *crc, struct ood_err *err)
{
	struct ood_source *source;
	int code = ood_source_open(&source, path, err);

	if (code)
		return code;
	ood_source_want_crc(source);
	code = ood_source_crc(source, crc, err);
	ood_source_close(source);
	return code;
}

int ood_model_crc_text(const char *path, char text[OOD_CRC_TEXT],
		       struct ood_err *err)
{
	uint32_t crc = 0;
	int code = ood_model_crc(path, &crc, err);

	snprintf(text, OOD_CRC_TEXT, "%08lx", (unsigned long)crc);
	return code;
}

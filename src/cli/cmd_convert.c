/*
 * cmd_convert.c - ood convert: any readable file to NPY, NPZ, CSV, JSON Lines
 */
#include <stdio.h>

#include "cli/common.h"
#include "cli/unused.h"
#include "core/err.h"
#include "io/widen.h"
#include "io/writer.h"

struct options {
	struct ood_input_options in;
	struct ood_output_options out;
};

#define FIELD(name) offsetof(struct options, name)

static const struct ood_opt_part parts[] = {
	{ ood_input_opts, FIELD(in), NULL },
	{ ood_rows_out_opts, FIELD(out), NULL },
	{ 0 },
};

/* Where the cells of a field come from. */
enum origin {
	FROM_IDS,
	FROM_LABELS,
	FROM_PRED,
	FROM_CORRECT,
	FROM_GROUPS,
	FROM_WEIGHTS,
	FROM_MATRIX
};

/* A matrix of the set, in double. */
struct matrix {
	enum ood_role role;
	size_t layer; /* of features */
	double *data;
	size_t cols, room;
};

enum { MATRICES = OOD_LAYERS_MAX + 2, VECTORS = FROM_MATRIX };

struct job {
	const struct options *options;
	const char *format;
	struct ood_set *set;
	struct matrix matrix[MATRICES];
	size_t n_matrices;
	struct ood_field *fields;
	struct ood_cells *cells;
	struct {
		enum origin origin;
		size_t matrix, column;
	} * from;
	size_t n, room;
	struct ood_buf *names; /* of fields, owned */
	bool left[VECTORS];    /* not written: the format has no place */
	bool classes_left;
};

/* One value a row, by origin. */
static void vectors_of(const struct ood_block *block,
		       struct ood_vec vectors[VECTORS])
{
	vectors[FROM_IDS] = block->ids;
	vectors[FROM_LABELS] = block->labels;
	vectors[FROM_PRED] = block->preds;
	vectors[FROM_CORRECT] = (struct ood_vec){ .reals = block->correct };
	vectors[FROM_GROUPS] = block->groups;
	vectors[FROM_WEIGHTS] = (struct ood_vec){ .reals = block->weights };
}

/* The views of a block in the order of job->matrix, and what they are. */
static size_t views_of(const struct ood_block *block, const struct ood_set *set,
		       struct ood_view views[MATRICES],
		       struct matrix what[MATRICES])
{
	size_t n = 0;

	if (block->scores_of_classes.cols) {
		what[n].role = block->is_probs			? OOD_PROBS
			       : ood_set_has(set, OOD_LOGPROBS) ? OOD_LOGPROBS
								: OOD_LOGITS;
		views[n++] = block->scores_of_classes;
	}
	for (size_t i = 0; i < OOD_LAYERS_MAX; i++)
		if (block->features[i].cols) {
			what[n].role = OOD_FEATURES;
			what[n].layer = i;
			views[n++] = block->features[i];
		}
	if (block->scores.cols) {
		what[n].role = OOD_SCORES;
		views[n++] = block->scores;
	}
	return n;
}

static bool is_there(const struct ood_vec *vec)
{
	return vec->ints || vec->reals || vec->words;
}

static bool is_text(const char *format)
{
	return strcmp(format, "npy") != 0 && strcmp(format, "npz") != 0 &&
	       strncmp(format, "json", 4) != 0;
}

static void add_field(struct job *job, const char *name, enum origin origin,
		      enum ood_field_kind kind)
{
	size_t i = job->n++;

	ood_buf_str(&job->names[i], name);
	job->fields[i] =
		(struct ood_field){ .name = job->names[i].text, .kind = kind };
	job->from[i].origin = origin;
}

static void add_vector(struct job *job, enum origin origin,
		       const struct ood_vec *vec)
{
	static const char *const names[VECTORS] = {
		[FROM_IDS] = "id",	 [FROM_LABELS] = "label",
		[FROM_PRED] = "pred",	 [FROM_CORRECT] = "correct",
		[FROM_GROUPS] = "group", [FROM_WEIGHTS] = "weights",
	};

	if (!is_there(vec))
		return;
	add_field(job, names[origin], origin,
		  vec->ints    ? OOD_FIELD_INT
		  : vec->reals ? OOD_FIELD_REAL
			       : OOD_FIELD_WORD);
	job->fields[job->n - 1].bare =
		origin == FROM_LABELS || origin == FROM_PRED;
}

static bool is_npy(const struct job *job)
{
	return !strcmp(job->format, "npy");
}

/* A confidence is told by its name, scores by theirs. */
static bool is_confidence(const char *name)
{
	return !strcmp(name, "confidence") || !strcmp(name, "conf");
}

/* Fields are named as they would be read back. */
static void name_column(const struct job *job, const struct matrix *x, size_t k,
			struct ood_buf *name)
{
	static const char *const stems[OOD_ROLES] = {
		[OOD_LOGITS] = "logit_",
		[OOD_LOGPROBS] = "logprob_",
		[OOD_PROBS] = "prob_",
		[OOD_FEATURES] = "feature_",
	};
	const char *class = x->role == OOD_FEATURES
				    ? NULL
				    : ood_set_class_name(job->set, k);

	ood_buf_clear(name);
	if (x->role == OOD_SCORES)
		ood_buf_str(name, ood_set_score_name(job->set, k));
	else if (class)
		ood_buf_printf(name, "%s%s", stems[x->role], class);
	else
		ood_buf_printf(name, "%s%zu", stems[x->role], k);
}

static void name_matrix(const struct matrix *x, struct ood_buf *name)
{
	ood_buf_clear(name);
	ood_buf_str(name, ood_role_name(x->role));
	if (x->layer)
		ood_buf_printf(name, ".%zu", x->layer + 1);
}

/* Text has a column for each number, arrays and JSON one field for a matrix;
 * scores have names and stand one by one, but in NPY. */
static void add_matrix(struct job *job, size_t m)
{
	const struct matrix *x = &job->matrix[m];
	const bool apart =
		is_text(job->format) || (x->role == OOD_SCORES && !is_npy(job));
	struct ood_buf name = { 0 };

	for (size_t k = 0; k < (apart ? x->cols : 1); k++) {
		struct ood_field *f = &job->fields[job->n];

		if (apart)
			name_column(job, x, k, &name);
		else
			name_matrix(x, &name);
		add_field(job, name.text ? name.text : "", FROM_MATRIX,
			  OOD_FIELD_REAL);
		job->names[job->n - 1].failed |= name.failed;
		job->from[job->n - 1].matrix = m;
		job->from[job->n - 1].column = k;
		f->width = apart ? 0 : x->cols;
		f->score = is_npy(job) ||
			   (x->role == OOD_SCORES && !is_confidence(f->name) &&
			    strcmp(f->name, "score") != 0);
	}
	ood_buf_free(&name);
}

/* Columns of a text name no layer. */
static int check_layers(const struct job *job, struct ood_err *err)
{
	for (size_t m = 0; m < job->n_matrices; m++)
		if (job->matrix[m].layer && is_text(job->format))
			return ood_fail(err, OOD_USAGE,
					"%s: %s holds one layer of features "
					"(-f npz holds them all)",
					ood_set_name(job->set), job->format);
	return OOD_OK;
}

/* What the format has no place for, to be told in the end. */
static void note_left(struct job *job, const struct ood_vec vectors[VECTORS])
{
	const bool classes = job->n_matrices && ood_set_classes(job->set);

	for (int k = 0; k < VECTORS; k++)
		job->left[k] = is_npy(job) && is_there(&vectors[k]);
	job->classes_left = classes && !is_text(job->format) &&
			    ood_set_class_name(job->set, 0);
}

static int check_names(const struct job *job, struct ood_err *err)
{
	for (size_t i = 0; i < job->n; i++)
		if (job->names[i].failed)
			return ood_fail_memory(err, job->names[i].n);
	return OOD_OK;
}

static int choose_fields(struct job *job, const struct ood_block *first,
			 struct ood_err *err)
{
	struct ood_view views[MATRICES];
	struct ood_vec vectors[VECTORS];
	size_t total = VECTORS;
	int code;

	job->n_matrices = views_of(first, job->set, views, job->matrix);
	for (size_t m = 0; m < job->n_matrices; m++) {
		job->matrix[m].cols = views[m].cols;
		total += views[m].cols;
	}
	job->room = total;
	job->fields = ood_calloc(total, sizeof(*job->fields));
	job->cells = ood_calloc(total, sizeof(*job->cells));
	job->from = ood_calloc(total, sizeof(*job->from));
	job->names = ood_calloc(total, sizeof(*job->names));
	if (!job->fields || !job->cells || !job->from || !job->names)
		return ood_fail_memory(err, total * sizeof(*job->fields));
	code = check_layers(job, err);
	if (code)
		return code;
	vectors_of(first, vectors);
	note_left(job, vectors);
	for (int k = 0; k < VECTORS && !is_npy(job); k++)
		add_vector(job, (enum origin)k, &vectors[k]);
	for (size_t m = 0; m < job->n_matrices; m++)
		add_matrix(job, m);
	if (!job->n)
		return ood_fail(err, OOD_INPUT,
				"%s: nothing to convert to %s (a matrix is "
				"needed)",
				ood_set_name(job->set), job->format);
	if (job->n_matrices > 1 && is_npy(job))
		return ood_fail(err, OOD_USAGE,
				"one NPY holds one array, found %zu (-f npz "
				"holds them all)",
				job->n_matrices);
	return check_names(job, err);
}

static bool widen(struct matrix *m, struct ood_view v)
{
	size_t need = v.rows * v.cols;

	if (need > m->room) {
		ood_free(m->data);
		m->data = ood_malloc(need, sizeof(double));
		m->room = m->data ? need : 0;
	}
	for (size_t k = 0; m->data && k < v.cols; k++)
		ood_view_column(v, k, m->data + k, v.cols);
	return m->data != NULL || need == 0;
}

static int put(struct job *job, const struct ood_block *block,
	       struct ood_writer *writer, struct ood_err *err)
{
	struct ood_view views[MATRICES];
	struct matrix what[MATRICES];
	struct ood_vec vectors[VECTORS];
	size_t n = views_of(block, job->set, views, what);

	vectors_of(block, vectors);
	for (size_t m = 0; m < n; m++)
		if (!widen(&job->matrix[m], views[m]))
			return ood_fail_memory(err, views[m].rows * 8);
	for (size_t f = 0; f < job->n; f++) {
		enum origin origin = job->from[f].origin;
		struct ood_cells *c = &job->cells[f];
		*c = (struct ood_cells){ .stride = 1 };
		if (origin == FROM_MATRIX) {
			const struct matrix *m =
				&job->matrix[job->from[f].matrix];
			c->reals = m->data + job->from[f].column;
			c->stride = m->cols;
		} else {
			c->ints = vectors[origin].ints;
			c->reals = vectors[origin].reals;
			c->words = vectors[origin].words;
		}
	}
	return ood_writer_put(writer, block->n, job->cells, err);
}

static int run_blocks(struct job *job, struct ood_sink *sink,
		      struct ood_block *block, struct ood_err *err)
{
	struct ood_writer *writer = NULL;
	struct ood_writer_options w = {
		.format = ood_format_find(job->format),
		.rows = ood_set_rows(job->set),
		.digits = (int)job->options->out.digits,
		.max_bytes = job->options->in.max_bytes,
	};
	int code = ood_writer_open(&writer, sink, &w, job->fields, job->n, err);

	while (!code && block->n) {
		code = put(job, block, writer, err);
		if (!code)
			code = ood_set_next(job->set, block, err);
	}
	if (!code)
		return ood_writer_finish(writer, err);
	ood_writer_abandon(writer);
	return code;
}

static void warn_left(const struct job *job)
{
	static const char *const names[VECTORS] = {
		[FROM_IDS] = "ids",	  [FROM_LABELS] = "labels",
		[FROM_PRED] = "pred",	  [FROM_CORRECT] = "correct",
		[FROM_GROUPS] = "groups", [FROM_WEIGHTS] = "weights",
	};
	struct ood_buf left = { 0 };

	for (int k = 0; k < VECTORS; k++)
		if (job->left[k])
			ood_buf_printf(&left, "%s%s", left.n ? ", " : "",
				       names[k]);
	if (left.n) {
		ood_buf_str(&left, " left out: NPY holds one array (-f npz "
				   "keeps them)");
		ood_warn("convert", left.text);
	}
	ood_buf_free(&left);
	if (job->classes_left)
		ood_warn("convert",
			 "names of the classes left out: the format has no "
			 "place for them (-f csv keeps them; --classes gives "
			 "them when it is read)");
}

static void warn(const struct job *job)
{
	struct ood_used used = { 0 };

	if (job->options->out.quiet)
		return;
	ood_warn_set("convert", job->set, false);
	ood_used_add(&used, job->set);
	ood_unused_tell(&job->options->in, &used, "convert", NULL);
	warn_left(job);
}

static void release(struct job *job)
{
	for (size_t i = 0; job->names && i < job->room; i++)
		ood_buf_free(&job->names[i]);
	for (size_t m = 0; m < MATRICES; m++)
		ood_free(job->matrix[m].data);
	ood_free(job->names);
	ood_free(job->fields);
	ood_free(job->cells);
	ood_free(job->from);
	ood_set_close(job->set);
}

static int convert(const struct options *o, const char *spec,
		   struct ood_err *err)
{
	struct job job = { .options = o };
	struct ood_read read = ood_read_of(&o->in);
	struct ood_sink *sink = NULL;
	struct ood_block block;
	int code;

	read.as_stored = true;
	job.format = ood_rows_format(&o->out, err);
	code = job.format ? ood_set_open(&job.set, spec, &read, err)
			  : (int)err->code;
	if (!code)
		code = ood_outputs_clash(&o->out, job.set, err);
	if (!code)
		code = ood_set_next(job.set, &block, err);
	if (!code)
		code = choose_fields(&job, &block, err);
	if (!code)
		code = ood_sink_open(&sink, o->out.output, err);
	if (!code)
		code = ood_binary_check(job.format, sink, err);
	if (!code)
		code = run_blocks(&job, sink, &block, err);
	if (!code) {
		code = ood_sink_commit(sink, err);
		sink = NULL;
	}
	if (!code)
		warn(&job);
	ood_sink_abandon(sink);
	release(&job);
	return code;
}

static int run(const struct ood_call *call, struct ood_err *err)
{
	const struct options *o = call->options;

	if (o->in.nan >= OOD_NAN_WORST)
		return ood_fail(err, OOD_USAGE,
				"--nan worst and keep are for scores (convert "
				"writes values as they are, or skips rows)");
	if (call->rest.n != 1)
		return ood_fail(err, OOD_USAGE,
				"expected one SET (ood convert FILE -o OUT)");
	ood_threads_option(&o->out);
	return convert(o, call->rest.at[0], err);
}

static const char *const usage[] = { "convert [OPTION]... SET [-o FILE]",
				     NULL };
static const char *const text[] = {
	"Reads a SET and writes its arrays in another format: ids, labels, "
	"predictions, groups and scores as they are, numbers as float64. Text "
	"gets the column names "
	"that ood reads back (logit_0, feature_0 ...).",
	NULL
};
static const char *const examples[] = {
	"ood convert logits.npy -o logits.csv",
	"ood convert --as features features.csv.gz -o features.npy", NULL
};

const struct ood_command ood_command_convert = {
	.name = "convert",
	.brief = "any readable file to NPY, NPZ, CSV or JSON Lines",
	.usage = usage,
	.text = text,
	.parts = parts,
	.examples = examples,
	.options = sizeof(struct options),
	.run = run,
};

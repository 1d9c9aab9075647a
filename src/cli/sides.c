/*
 * sides.c - the two sides of an evaluation: ID rows against sets of OoD rows
 */
#include "cli/sides.h"

#include "cli/chosen.h"
#include "core/err.h"
#include "math/order.h"

#define FIELD(name) offsetof(struct ood_side_options, name)

const struct ood_opt ood_side_opts[] = {
	{ .kind = OOD_OPT_GROUP, .name = "Sides" },
	{ OOD_OPT_TEXTS, 0, "id", FIELD(id), "SET",
	  "in-distribution rows; repeatable, rows are joined", NULL, 0, 0,
	  NULL },
	{ OOD_OPT_TEXTS, 0, "ood", FIELD(ood), "[NAME=]SET",
	  "out-of-distribution rows; repeatable; GROUP/NAME gives means by "
	  "group",
	  NULL, 0, 0, NULL },
	{ OOD_OPT_TEXTS, 0, "scores", FIELD(scores), "SET",
	  "scores of both sides in one set, instead of --id and --ood", NULL, 0,
	  0, NULL },
	{ OOD_OPT_TEXT, 0, "truth", FIELD(truth), "COL",
	  "with --scores: column with 1 for OoD rows, 0 for ID rows", NULL, 0,
	  0, NULL },
	{ OOD_OPT_TEXT, 0, "ood-label", FIELD(ood_label), "VALUE",
	  "with --scores: the label of OoD rows", "-1", 0, 0, NULL },
	{ .kind = OOD_OPT_END },
};

int ood_sides_check(const struct ood_texts *rest,
		    const struct ood_input_options *in, struct ood_err *err)
{
	if (rest->n)
		return ood_fail(err, OOD_USAGE,
				"unexpected word \"%s\" (sets go with --id, "
				"--ood or --scores)",
				rest->at[0]);
	if (in->nan == OOD_NAN_KEEP)
		return ood_fail(err, OOD_USAGE,
				"--nan keep is for ood score (a NaN has no "
				"rank: skip or worst)");
	return OOD_OK;
}

/* ------------------------------------------------------ names of sets */

/* "d/ood_near_logits.npy.gz" -> "ood_near_logits"; "letters/ood_near" ->
 * "ood_near": what the set is called if no NAME= is typed. */
static char *default_name(const char *spec)
{
	const char *eq = strchr(spec, '=');
	const char *path = eq ? eq + 1 : spec;
	size_t n = strcspn(path, ",");
	const char *at = path + n;

	while (at > path && at[-1] == '/')
		at--;
	n = (size_t)(at - path);
	while (at > path && at[-1] != '/')
		at--;
	n -= (size_t)(at - path);
	const char *dot = memchr(at, '.', n);
	if (dot && dot > at)
		n = (size_t)(dot - at);
	if (!n || (n == 1 && *at == '-'))
		return ood_strdup("ood");
	return ood_strndup(at, n);
}

/* The sets of one name, joined. */
struct bundle {
	char *name;
	struct ood_texts specs;
};

static int add_bundle(struct bundle *bundles, size_t *n, char *name,
		      const char *spec, struct ood_err *err)
{
	struct bundle *b = bundles;

	while (b < bundles + *n && strcmp(b->name, name) != 0)
		b++;
	if (b == bundles + *n) {
		b->name = name;
		++*n;
	} else {
		ood_free(name);
	}
	return ood_texts_add(&b->specs, spec)
		       ? OOD_OK
		       : ood_fail_memory(err, sizeof(spec));
}

/* Sets are joined under a name that was typed, never under one of ours. */
static int add_unnamed(struct bundle *bundles, size_t *n, const char *spec,
		       struct ood_err *err)
{
	char *name = default_name(spec);

	if (!name)
		return ood_fail_memory(err, 64);
	for (size_t i = 0; i < *n; i++)
		if (!strcmp(bundles[i].name, name)) {
			ood_fail(err, OOD_USAGE,
				 "two OoD sets would be called %s (name them: "
				 "--ood NAME=SET)",
				 name);
			ood_free(name);
			return (int)err->code;
		}
	return add_bundle(bundles, n, name, spec, err);
}

static int bundle_up(const struct ood_texts *words, struct bundle *bundles,
		     size_t *n, struct ood_err *err)
{
	int code = OOD_OK;

	*n = 0;
	for (size_t i = 0; !code && i < words->n; i++) {
		char *name;
		const char *spec;
		code = ood_set_name_split(words->at[i], &name, &spec, err);
		if (code)
			return code;
		if (name)
			code = add_bundle(bundles, n, name, spec, err);
		else
			code = add_unnamed(bundles, n, spec, err);
	}
	return code;
}

/* -------------------------------------------------------------- reading */

/* Both sides come from one network. */
static int same_classes(const struct ood_sample *id,
			const struct ood_sample *ood, struct ood_err *err)
{
	if (!id->classes || !ood->classes || id->classes == ood->classes)
		return OOD_OK;
	return ood_fail(err, OOD_INPUT,
			"the ID rows have %zu classes, those of %s have %zu "
			"(outputs of one network, the same layer)",
			id->classes, ood->name, ood->classes);
}

static int read_apart(struct ood_sides *s, const struct ood_side_options *o,
		      struct ood_sampling *how, struct ood_err *err)
{
	struct bundle *bundles = ood_calloc(o->ood.n + 1, sizeof(*bundles));
	size_t n = 0;
	int code = bundles ? bundle_up(&o->ood, bundles, &n, err)
			   : ood_fail_memory(err, o->ood.n);

	s->ood = ood_calloc(n + 1, sizeof(*s->ood));
	s->ood_names = ood_calloc(n + 1, sizeof(*s->ood_names));
	if (!code && (!s->ood || !s->ood_names))
		code = ood_fail_memory(err, n * sizeof(*s->ood));
	s->id.name = "id";
	how->judge = true;
	if (!code && o->id.n)
		code = ood_sample_read(&s->id, &o->id, how, &s->columns, err);
	how->judge = false;
	for (size_t k = 0; !code && k < n; k++) {
		s->ood_names[k] = bundles[k].name;
		bundles[k].name = NULL;
		s->ood[k].name = s->ood_names[k];
		s->n_ood = k + 1;
		code = ood_sample_read(&s->ood[k], &bundles[k].specs, how,
				       &s->columns, err);
		if (!code)
			code = same_classes(&s->id, &s->ood[k], err);
	}
	for (size_t k = 0; k < n; k++) {
		ood_free(bundles[k].name);
		ood_texts_free(&bundles[k].specs);
	}
	ood_free(bundles);
	return code;
}

static int read_mixed(struct ood_sides *s, const struct ood_side_options *o,
		      const struct ood_sampling *how, struct ood_err *err)
{
	struct ood_sample mixed = { .name = "scores" };
	struct ood_read read = *how->read;
	struct ood_sampling own = *how;
	int code;

	read.as = "scores";
	own.read = &read;
	own.judge = true;
	own.truth = (struct ood_truth){ true, o->truth, o->ood_label };
	s->ood = ood_calloc(1, sizeof(*s->ood));
	s->ood_names = ood_calloc(2, sizeof(*s->ood_names));
	if (!s->ood || !s->ood_names)
		return ood_fail_memory(err, sizeof(*s->ood));
	s->ood_names[0] = ood_strdup("ood");
	if (!s->ood_names[0])
		return ood_fail_memory(err, 4);
	s->n_ood = 1;
	code = ood_sample_read(&mixed, &o->scores, &own, &s->columns, err);
	if (!code)
		code = ood_sample_split(&mixed, &s->id, s->ood, err);
	if (!code && mixed.truth_path)
		s->truth_path = ood_strdup(mixed.truth_path);
	ood_sample_free(&mixed);
	return code;
}

static int count_stdin(const struct ood_texts *words, size_t *n,
		       struct ood_err *err)
{
	int code = OOD_OK;

	for (size_t i = 0; !code && i < words->n; i++) {
		char *name;
		const char *spec;
		code = ood_set_name_split(words->at[i], &name, &spec, err);
		if (!code)
			*n += ood_set_uses_stdin(spec);
		ood_free(name);
	}
	return code;
}

/* Sets are opened one after another: what the first one reads of a pipe is
 * gone for the second. */
static int check_stdin(const struct ood_side_options *o, struct ood_err *err)
{
	size_t n = 0;
	int code = count_stdin(&o->id, &n, err);

	if (!code)
		code = count_stdin(&o->ood, &n, err);
	if (!code)
		code = count_stdin(&o->scores, &n, err);
	if (!code && n > 1)
		code = ood_fail(err, OOD_USAGE,
				"standard input can only be read once (- is "
				"named by %zu sets)",
				n);
	return code;
}

int ood_sides_read(struct ood_sides *s, const struct ood_side_options *o,
		   struct ood_sampling *how, struct ood_err *err)
{
	int code;

	*s = (struct ood_sides){ 0 };
	how->model = &s->model;
	code = ood_texts_join(&o->model.scorers, &s->scorers, err);
	if (!code)
		code = ood_model_spares(&o->model, how->out, err);
	if (code)
		return code;
	how->scorers = s->scorers;
	how->from = &o->model;
	s->higher_id = how->read->higher_id;
	if (o->truth && o->ood_label)
		return ood_fail(err, OOD_USAGE,
				"--truth names a column with 1 for OoD rows, "
				"--ood-label a label of OoD rows: one of them");
	if (o->scores.n && (o->id.n || o->ood.n))
		return ood_fail(err, OOD_USAGE,
				"--scores holds both sides: --id and --ood do "
				"not go with it");
	if (!o->scores.n && !o->id.n && !o->ood.n)
		return ood_fail(err, OOD_USAGE,
				"nothing to judge (--id SET --ood SET, or "
				"--scores SET --truth COL)");
	if (o->scores.n && (o->model.models.n || o->model.head.weights))
		return ood_fail(err, OOD_USAGE,
				"--scores holds scores: no model makes them "
				"(--id and --ood take what a model needs)");
	if (!o->scores.n && (o->truth || o->ood_label))
		return ood_fail(err, OOD_USAGE,
				"--truth and --ood-label go with --scores");
	code = check_stdin(o, err);
	if (!code && o->model.models.n == 1 && !s->scorers)
		code = ood_model_crc_text(o->model.models.at[0], s->model_crc32,
					  err);
	if (code)
		return code;
	return o->scores.n ? read_mixed(s, o, how, err)
			   : read_apart(s, o, how, err);
}

void ood_sides_free(struct ood_sides *s)
{
	ood_sample_free(&s->id);
	for (size_t k = 0; k < s->n_ood; k++) {
		ood_sample_free(&s->ood[k]);
		ood_free(s->ood_names[k]);
	}
	ood_free(s->ood);
	ood_free(s->ood_names);
	ood_free(s->truth_path);
	ood_free(s->scorers);
	ood_names_free(s->columns);
	ood_model_free(s->model);
	*s = (struct ood_sides){ 0 };
}

const char *ood_sides_spec(const struct ood_sides *s, size_t c)
{
	return s->model ? s->model->scorings[c].spec : s->columns[c];
}

static int sort_sample(struct ood_sample *sample, struct ood_err *err)
{
	for (size_t c = 0; c < sample->columns; c++)
		if (!ood_sort(sample->score[c], sample->n))
			return ood_fail_memory(err, sample->n * 8);
	return OOD_OK;
}

int ood_sides_sort(struct ood_sides *s, struct ood_err *err)
{
	int code = sort_sample(&s->id, err);

	for (size_t k = 0; !code && k < s->n_ood; k++)
		code = sort_sample(&s->ood[k], err);
	return code;
}

struct ood_curve ood_sides_curve(const struct ood_sides *s, size_t k, size_t c)
{
	struct ood_curve curve = { 0 };

	if (s->id.columns) {
		curve.id = s->id.score[c];
		curve.n_id = s->id.n;
	}
	if (k < s->n_ood) {
		curve.ood = s->ood[k].score[c];
		curve.n_ood = s->ood[k].n;
	}
	return curve;
}

int ood_sides_both(const struct ood_sides *s, struct ood_err *err)
{
	const char *missing = s->id.n ? NULL : "in-distribution";

	for (size_t k = 0; k < s->n_ood && !missing; k++)
		if (!s->ood[k].n)
			missing = "out-of-distribution";
	if (!missing)
		return OOD_OK;
	ood_fail(err, OOD_INPUT,
		 "no %s rows: detection figures are undefined for one class "
		 "only (--allow-undefined reports them as null)",
		 missing);
	if (s->truth_path)
		ood_err_where(err, s->truth_path, NULL);
	return (int)err->code;
}

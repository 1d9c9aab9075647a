/*
 * scoring.c - a scorer as typed, made ready to run
 */
#include <stdio.h>

#include "core/err.h"
#include "core/num.h"
#include "scorers/scoring.h"

/* The parts of "T=2:logit-norm=0.04:map=softmax:map.T=3", each joined again
 * by colons. */
struct parts {
	struct ood_buf own;
	struct ood_buf map, score; /* map.KEY=V, score.KEY=V */
	struct ood_span once[5];   /* values of what may be given once */
};
enum once { NORM, MAP, LAYER, SCORE, PRESET, NO_WORD };
static const char *const once_words[] = { "logit-norm", "map", "layer", "score",
					  "preset" };

static void parts_free(struct parts *parts)
{
	ood_buf_free(&parts->own);
	ood_buf_free(&parts->map);
	ood_buf_free(&parts->score);
}

static void join(struct ood_buf *buf, struct ood_span key,
		 struct ood_span value)
{
	if (buf->n)
		ood_buf_char(buf, ':');
	ood_buf_add(buf, key.at, key.n);
	if (value.at) {
		ood_buf_char(buf, '=');
		ood_buf_add(buf, value.at, value.n);
	}
}

static bool has_key(struct ood_span params, struct ood_span wanted)
{
	struct ood_span key, value;

	while (ood_param_next(&params, &key, &value))
		if (key.n == wanted.n && !memcmp(key.at, wanted.at, key.n))
			return true;
	return false;
}

/* What an alias stands for, where nothing else is typed. */
static void add_alias(const char *more, struct ood_span typed,
		      struct parts *parts)
{
	struct ood_span rest = { more, strcspn(more, " ") }, key, value;

	while (ood_param_next(&rest, &key, &value))
		if (!has_key(typed, key))
			join(&parts->own, key, value);
}

/* Takes "map." off a key. */
static bool cut_prefix(struct ood_span *key, const char *prefix)
{
	size_t n = strlen(prefix);

	if (key->n <= n || memcmp(key->at, prefix, n) != 0)
		return false;
	key->at += n;
	key->n -= n;
	return true;
}

static int split(struct ood_span params, const char *who, struct parts *parts,
		 struct ood_err *err)
{
	struct ood_span key, value;

	while (ood_param_next(&params, &key, &value)) {
		enum once word = NORM;

		while (word < NO_WORD &&
		       !ood_is(key.at, key.n, once_words[word]))
			word++;
		if (cut_prefix(&key, "map."))
			join(&parts->map, key, value);
		else if (cut_prefix(&key, "score."))
			join(&parts->score, key, value);
		else if (word == NO_WORD)
			join(&parts->own, key, value);
		else if (parts->once[word].at)
			return ood_fail(err, OOD_USAGE, "%s: %s is given twice",
					who, once_words[word]);
		else if (!value.n)
			return ood_fail(err, OOD_USAGE, "%s: %s needs a value",
					who, once_words[word]);
		else
			parts->once[word] = value;
	}
	return OOD_OK;
}

static int unknown_preset(const struct ood_scorer *scorer, const char *who,
			  struct ood_span name, struct ood_err *err)
{
	struct ood_buf names = { 0 };
	char word[OOD_QUOTE_MAX];

	for (size_t i = 0; ood_word(scorer->presets, i).n; i++) {
		struct ood_span w = ood_word(scorer->presets, i);
		const char *equals = memchr(w.at, '=', w.n);

		ood_buf_str(&names, i ? ", " : "");
		ood_buf_add(&names, w.at, (size_t)(equals - w.at));
	}
	ood_quote(word, sizeof(word), name.at, name.n);
	int rc = ood_fail(err, OOD_USAGE, "%s: no preset \"%s\" (there %s %s)",
			  who, word, names.n ? "are" : "is",
			  names.n ? names.text : "none");
	ood_buf_free(&names);
	return rc;
}

/* A preset's parameters, where nothing else is typed. */
static int add_preset(const struct ood_scorer *scorer, const char *who,
		      struct ood_span typed, struct parts *parts,
		      struct ood_err *err)
{
	struct ood_span name = parts->once[PRESET], w;

	for (size_t i = 0; (w = ood_word(scorer->presets, i)).n; i++) {
		struct ood_span key, value;

		if (w.n <= name.n || w.at[name.n] != '=' ||
		    memcmp(w.at, name.at, name.n) != 0)
			continue;
		w.at += name.n + 1;
		w.n -= name.n + 1;
		while (ood_param_next(&w, &key, &value))
			if (!has_key(typed, key))
				join(&parts->own, key, value);
		return OOD_OK;
	}
	return unknown_preset(scorer, who, name, err);
}

static int unknown_map(const char *who, struct ood_span name,
		       struct ood_err *err)
{
	struct ood_buf names = { 0 };
	char word[OOD_QUOTE_MAX];

	for (size_t i = 0; ood_maps[i]; i++) {
		ood_buf_str(&names, i ? ", " : "");
		ood_buf_str(&names, ood_maps[i]->name);
	}
	ood_quote(word, sizeof(word), name.at, name.n);
	int rc = ood_fail(err, OOD_USAGE, "%s: no map \"%s\" (there are %s)",
			  who, word, names.text ? names.text : "none");
	ood_buf_free(&names);
	return rc;
}

static int read_map(struct ood_scoring *scoring, const struct parts *parts,
		    const char *who, struct ood_err *err)
{
	struct ood_span params = { parts->map.text, parts->map.n };
	char map_who[80], word[OOD_QUOTE_MAX];

	if (!parts->once[MAP].at && !params.n)
		return OOD_OK;
	if (!parts->once[MAP].at)
		return ood_fail(
			err, OOD_USAGE, "%s: map.%s without map=NAME", who,
			ood_quote(word, sizeof(word), params.at, params.n));
	if (!(ood_scoring_last(scoring)->needs & OOD_NEEDS_CLASSES) ||
	    scoring->scorer->fit)
		return ood_fail(err, OOD_USAGE,
				"%s takes no map: it needs the logits "
				"themselves",
				who);
	scoring->map = ood_map_find(parts->once[MAP].at, parts->once[MAP].n);
	if (!scoring->map)
		return unknown_map(who, parts->once[MAP], err);
	snprintf(map_who, sizeof(map_who), "map %s", scoring->map->name);
	return ood_args_parse(scoring->map->params, map_who, params,
			      &scoring->map_args, err);
}

static int read_norm(struct ood_scoring *scoring, const struct parts *parts,
		     const char *who, struct ood_err *err)
{
	const struct ood_scorer *scorer = ood_scoring_last(scoring);
	char word[OOD_QUOTE_MAX];
	double tau;

	if (!parts->once[NORM].at)
		return OOD_OK;
	if (!(scorer->needs & (OOD_NEEDS_CLASSES | OOD_NEEDS_LOGITS)))
		return ood_fail(err, OOD_USAGE, "%s has no logits to norm",
				who);
	if (ood_num_parse(parts->once[NORM].at, parts->once[NORM].n, '.',
			  &tau) != OOD_NUM_OK ||
	    !(tau > 0) || !isfinite(tau))
		return ood_fail(err, OOD_USAGE,
				"%s: logit-norm: expected a number > 0, found "
				"\"%s\"",
				who,
				ood_quote(word, sizeof(word),
					  parts->once[NORM].at,
					  parts->once[NORM].n));
	scoring->logit_norm = tau;
	return OOD_OK;
}

/* layer=N, as in features.N. */
static int read_layer(struct ood_scoring *scoring, const struct parts *parts,
		      const char *who, struct ood_err *err)
{
	struct ood_span value = parts->once[LAYER];

	if (!value.at)
		return OOD_OK;
	if (!(scoring->scorer->needs & OOD_NEEDS_FEATURES))
		return ood_fail(err, OOD_USAGE, "%s looks at no features", who);
	if (value.n != 1 || value.at[0] < '1' ||
	    value.at[0] > '0' + OOD_LAYERS_MAX)
		return ood_fail(err, OOD_USAGE,
				"%s: layer must be from 1 to %d", who,
				OOD_LAYERS_MAX);
	scoring->layer = (unsigned)(value.at[0] - '1');
	return OOD_OK;
}

static bool is_tail(const struct ood_scorer *s)
{
	return s && !s->fit && !s->reshape && s->shape == OOD_SHAPE_ROW &&
	       s->needs & (OOD_NEEDS_CLASSES | OOD_NEEDS_LOGITS) &&
	       !(s->needs & (OOD_NEEDS_FEATURES | OOD_NEEDS_HEAD));
}

/* score=NAME and score.KEY=V: what the new logits are given to. */
static int read_tail(struct ood_scoring *scoring, const struct parts *parts,
		     const char *who, struct ood_err *err)
{
	struct ood_span name = parts->once[SCORE];
	struct ood_span params = { parts->score.text, parts->score.n };
	char word[OOD_QUOTE_MAX], tail_who[80];
	const char *more;

	if (!scoring->scorer->reshape) {
		if (!name.at && !params.n)
			return OOD_OK;
		return ood_fail(err, OOD_USAGE,
				"%s has no parameter score (it belongs to "
				"scorers that change logits, as react does)",
				who);
	}
	if (!name.at)
		name = (struct ood_span){ "energy", 6 };
	scoring->tail = ood_scorer_find(name.at, name.n, &more);
	if (!is_tail(scoring->tail) || more)
		return ood_fail(err, OOD_USAGE,
				"%s: score=%s is no scorer of logits that "
				"works without a fit (msp, energy ...)",
				who,
				ood_quote(word, sizeof(word), name.at, name.n));
	snprintf(tail_who, sizeof(tail_who), "scorer %s", scoring->tail->name);
	return ood_args_parse(scoring->tail->params, tail_who, params,
			      &scoring->tail_args, err);
}

/* T is the one parameter that run.c has to know: digests go by it. */
static double temperature(const struct ood_scoring *scoring)
{
	const struct ood_param *table = ood_scoring_last(scoring)->params;
	const struct ood_args *args =
		scoring->tail ? &scoring->tail_args : &scoring->args;

	for (size_t i = 0; i < ood_param_count(table); i++)
		if (!strcmp(table[i].name, "T"))
			return args->num[i];
	return 1;
}

static int write_names(struct ood_scoring *scoring, const struct ood_spec *spec,
		       struct ood_err *err)
{
	struct ood_span column = spec->column.n ? spec->column : spec->whole;
	struct ood_buf full = { 0 };

	ood_buf_str(&full, scoring->scorer->name);
	ood_args_format(scoring->scorer->params, &scoring->args, "", &full);
	if (scoring->tail) {
		ood_buf_str(&full, ":score=");
		ood_buf_str(&full, scoring->tail->name);
		ood_args_format(scoring->tail->params, &scoring->tail_args,
				"score.", &full);
	}
	if (scoring->layer)
		ood_buf_printf(&full, ":layer=%u", scoring->layer + 1);
	if (scoring->logit_norm > 0) {
		ood_buf_str(&full, ":logit-norm=");
		ood_buf_num(&full, scoring->logit_norm);
	}
	if (scoring->map) {
		ood_buf_str(&full, ":map=");
		ood_buf_str(&full, scoring->map->name);
		ood_args_format(scoring->map->params, &scoring->map_args,
				"map.", &full);
	}
	scoring->column = ood_strndup(column.at, column.n);
	scoring->spec = full.failed ? NULL : ood_strndup(full.text, full.n);
	ood_buf_free(&full);
	if (!scoring->column || !scoring->spec)
		return ood_fail_memory(err, column.n);
	return OOD_OK;
}

/* Without a fit: a state of the head alone (run.c makes it ready). */
static int make_state(struct ood_scoring *scoring, struct ood_err *err)
{
	const struct ood_scorer *scorer = scoring->scorer;

	if (ood_scoring_learns(scoring) || !scorer->state || !scorer->ready)
		return OOD_OK;
	scoring->state = ood_calloc(1, scorer->state);
	return scoring->state ? OOD_OK : ood_fail_memory(err, scorer->state);
}

static int fill(struct ood_scoring *scoring, const struct ood_spec *spec,
		struct parts *parts, struct ood_err *err)
{
	char who[80];
	int rc;

	snprintf(who, sizeof(who), "scorer %s", scoring->scorer->name);
	rc = split(spec->params, who, parts, err);
	if (!rc && parts->once[PRESET].at)
		rc = add_preset(scoring->scorer, who, spec->params, parts, err);
	if (rc)
		return rc;
	if (parts->own.failed || parts->map.failed || parts->score.failed)
		return ood_fail_memory(err, spec->params.n);
	struct ood_span own = { parts->own.text, parts->own.n };
	rc = ood_args_parse(scoring->scorer->params, who, own, &scoring->args,
			    err);
	if (!rc)
		rc = read_tail(scoring, parts, who, err);
	if (!rc)
		rc = read_layer(scoring, parts, who, err);
	if (!rc)
		rc = read_map(scoring, parts, who, err);
	if (!rc)
		rc = read_norm(scoring, parts, who, err);
	if (rc)
		return rc;
	scoring->T = temperature(scoring);
	/* Beyond, 1/T or (z - m)/T leaves the normal doubles. */
	if (scoring->T < 1e-290 || scoring->T > 1e290)
		return ood_fail(err, OOD_USAGE,
				"%s: T must be from 1e-290 to 1e290", who);
	if (scoring->map && scoring->T != 1)
		return ood_fail(err, OOD_USAGE,
				"%s: T has no effect behind a map (map.T is "
				"the map's own)",
				who);
	rc = make_state(scoring, err);
	return rc ? rc : write_names(scoring, spec, err);
}

int ood_scoring_parse(struct ood_scoring *scoring, const struct ood_spec *spec,
		      struct ood_err *err)
{
	struct parts parts = { 0 };
	const char *more;

	memset(scoring, 0, sizeof(*scoring));
	scoring->scorer = ood_scorer_find(spec->name.at, spec->name.n, &more);
	if (!scoring->scorer)
		return ood_scorer_unknown(spec->name, err);
	if (more)
		add_alias(more, spec->params, &parts);
	int rc = fill(scoring, spec, &parts, err);
	parts_free(&parts);
	if (rc)
		ood_scoring_free(scoring);
	return rc;
}

int ood_scoring_is_ready(const struct ood_scoring *scoring, struct ood_err *err)
{
	if (!ood_scoring_learns(scoring) || scoring->state)
		return OOD_OK;
	return ood_fail(err, OOD_USAGE,
			"scorer %s must be fitted first (ood fit -s %s "
			"--train SET%s -o MODEL)",
			scoring->scorer->name, scoring->column,
			scoring->scorer->val ? " --val SET" : "");
}

static void state_free(const struct ood_scorer *scorer, void *state)
{
	if (!state)
		return;
	if (scorer->release)
		scorer->release(state);
	ood_kept_free(scorer->kept, state);
	ood_free(state);
}

void ood_scoring_free(struct ood_scoring *scoring)
{
	if (scoring->scorer)
		state_free(scoring->scorer, scoring->state);
	ood_args_free(&scoring->args);
	ood_args_free(&scoring->tail_args);
	ood_args_free(&scoring->map_args);
	ood_free(scoring->column);
	ood_free(scoring->spec);
	memset(scoring, 0, sizeof(*scoring));
}

int ood_scoring_ready(struct ood_scoring *scoring, const struct ood_layer *head,
		      size_t c, struct ood_err *err)
{
	const struct ood_scorer *scorer = scoring->scorer;
	struct ood_fit fit = { .args = &scoring->args, .head = head, .c = c };

	return scorer->ready ? scorer->ready(scoring->state, &fit, err)
			     : OOD_OK;
}

size_t ood_scoring_width(const struct ood_scoring *scoring)
{
	size_t n = 0;

	while (ood_word(scoring->scorer->columns, n).n)
		n++;
	return 1 + n;
}

void ood_scoring_name(const struct ood_scoring *scoring, size_t i,
		      struct ood_buf *name)
{
	ood_buf_str(name, scoring->column);
	if (!i)
		return;
	struct ood_span word = ood_word(scoring->scorer->columns, i - 1);

	ood_buf_char(name, '.');
	ood_buf_add(name, word.at, word.n);
}

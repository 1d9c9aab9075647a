/*
 * scoring.c - a scorer as typed, made ready to run
 */
#include <stdio.h>

#include "core/err.h"
#include "core/num.h"
#include "scorers/scorer.h"

/* The parts of "T=2:logit-norm=0.04:map=softmax:map.T=3", each joined again
 * by colons. */
struct parts {
	struct ood_buf own;
	struct ood_buf map;
	struct ood_span map_name;
	struct ood_span norm;
};

static void parts_free(struct parts *parts)
{
	ood_buf_free(&parts->own);
	ood_buf_free(&parts->map);
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

static int split(struct ood_span params, const char *who, struct parts *parts,
		 struct ood_err *err)
{
	struct ood_span key, value;

	while (ood_param_next(&params, &key, &value)) {
		bool norm = ood_is(key.at, key.n, "logit-norm");
		bool map = ood_is(key.at, key.n, "map");
		struct ood_span *once = norm ? &parts->norm : &parts->map_name;

		if (key.n > 4 && !memcmp(key.at, "map.", 4)) {
			key.at += 4;
			key.n -= 4;
			join(&parts->map, key, value);
		} else if (!norm && !map) {
			join(&parts->own, key, value);
		} else if (once->at) {
			return ood_fail(err, OOD_USAGE,
					"%s: %.*s is given twice", who,
					(int)key.n, key.at);
		} else if (!value.n) {
			return ood_fail(err, OOD_USAGE,
					"%s: %.*s needs a value", who,
					(int)key.n, key.at);
		} else {
			*once = value;
		}
	}
	return OOD_OK;
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

	if (!parts->map_name.at && !params.n)
		return OOD_OK;
	if (!parts->map_name.at)
		return ood_fail(
			err, OOD_USAGE, "%s: map.%s without map=NAME", who,
			ood_quote(word, sizeof(word), params.at, params.n));
	if (!(scoring->scorer->needs & OOD_NEEDS_CLASSES))
		return ood_fail(err, OOD_USAGE,
				"%s takes no map: it needs the logits "
				"themselves",
				who);
	scoring->map = ood_map_find(parts->map_name.at, parts->map_name.n);
	if (!scoring->map)
		return unknown_map(who, parts->map_name, err);
	snprintf(map_who, sizeof(map_who), "map %s", scoring->map->name);
	return ood_args_parse(scoring->map->params, map_who, params,
			      &scoring->map_args, err);
}

static int read_norm(struct ood_scoring *scoring, const struct parts *parts,
		     const char *who, struct ood_err *err)
{
	const struct ood_scorer *scorer = scoring->scorer;
	char word[OOD_QUOTE_MAX];
	double tau;

	if (!parts->norm.at)
		return OOD_OK;
	if (!(scorer->needs & (OOD_NEEDS_CLASSES | OOD_NEEDS_LOGITS)))
		return ood_fail(err, OOD_USAGE, "%s has no logits to norm",
				who);
	if (ood_num_parse(parts->norm.at, parts->norm.n, '.', &tau) !=
		    OOD_NUM_OK ||
	    !(tau > 0) || !isfinite(tau))
		return ood_fail(err, OOD_USAGE,
				"%s: logit-norm: expected a number > 0, found "
				"\"%s\"",
				who,
				ood_quote(word, sizeof(word), parts->norm.at,
					  parts->norm.n));
	scoring->logit_norm = tau;
	return OOD_OK;
}

/* T is the one parameter that run.c has to know: digests go by it. */
static double temperature(const struct ood_scoring *scoring)
{
	const struct ood_param *table = scoring->scorer->params;

	for (size_t i = 0; i < ood_param_count(table); i++)
		if (!strcmp(table[i].name, "T"))
			return scoring->args.num[i];
	return 1;
}

static int write_names(struct ood_scoring *scoring, const struct ood_spec *spec,
		       struct ood_err *err)
{
	struct ood_span column = spec->column.n ? spec->column : spec->whole;
	struct ood_buf full = { 0 };

	ood_buf_str(&full, scoring->scorer->name);
	ood_args_format(scoring->scorer->params, &scoring->args, "", &full);
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

static int fill(struct ood_scoring *scoring, const struct ood_spec *spec,
		struct parts *parts, struct ood_err *err)
{
	char who[80];
	int rc;

	snprintf(who, sizeof(who), "scorer %s", scoring->scorer->name);
	rc = split(spec->params, who, parts, err);
	if (rc)
		return rc;
	if (parts->own.failed || parts->map.failed)
		return ood_fail_memory(err, spec->params.n);
	struct ood_span own = { parts->own.text, parts->own.n };
	rc = ood_args_parse(scoring->scorer->params, who, own, &scoring->args,
			    err);
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
	return write_names(scoring, spec, err);
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
	if (scoring->scorer->passes)
		return ood_fail(err, OOD_USAGE,
				"scorer %s must be fitted first (ood fit -s "
				"%.*s --train SET -o MODEL)",
				scoring->scorer->name, (int)spec->whole.n,
				spec->whole.at);
	if (more)
		add_alias(more, spec->params, &parts);
	int rc = fill(scoring, spec, &parts, err);
	parts_free(&parts);
	if (rc)
		ood_scoring_free(scoring);
	return rc;
}

void ood_scoring_free(struct ood_scoring *scoring)
{
	if (scoring->state && scoring->scorer->release)
		scoring->scorer->release(scoring->state);
	ood_args_free(&scoring->args);
	ood_args_free(&scoring->map_args);
	ood_free(scoring->column);
	ood_free(scoring->spec);
	memset(scoring, 0, sizeof(*scoring));
}

/* Probabilities alone: what needs logits is refused. */
static int check_probs(const struct ood_scoring *scoring, struct ood_err *err)
{
	const char *what = NULL;

	if (scoring->scorer->needs & OOD_NEEDS_LOGITS)
		what = "";
	else if (scoring->map)
		what = " with a map";
	else if (scoring->logit_norm > 0)
		what = " with logit-norm";
	else if (scoring->T != 1)
		what = " with a temperature";
	if (!what)
		return OOD_OK;
	return ood_fail(err, OOD_USAGE,
			"scorer %s%s needs logits; the set has probabilities "
			"(their logarithms can be given as logprobs)",
			scoring->scorer->name, what);
}

int ood_scoring_check(const struct ood_scoring *scoring, bool has_logits,
		      bool has_probs, size_t c, struct ood_err *err)
{
	const struct ood_scorer *scorer = scoring->scorer;
	unsigned wanted =
		scorer->needs & (OOD_NEEDS_CLASSES | OOD_NEEDS_LOGITS);

	if (wanted && !has_logits && !has_probs)
		return ood_fail(
			err, OOD_USAGE, "scorer %s needs %s", scorer->name,
			scorer->needs & OOD_NEEDS_LOGITS ? "logits"
							 : "logits or probs");
	if (wanted && !has_logits) {
		int rc = check_probs(scoring, err);

		if (rc)
			return rc;
	}
	if (c && scorer->check)
		return scorer->check(&scoring->args, c, err);
	return OOD_OK;
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

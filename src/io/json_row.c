/*
 * json_row.c - one record into its row of the block
 *
 * The record is walked once along the tree of what is wanted; all else is
 * skipped, but checked. The walk recurses along paths, never along input.
 */
#include "core/err.h"
#include "io/json.h"

int ood_json_worker_init(struct ood_json_worker *worker, size_t targets,
			 const char *missing)
{
	*worker = (struct ood_json_worker){ .missing = missing };
	worker->counts = ood_calloc(targets, sizeof(*worker->counts));
	return worker->counts ? OOD_OK : OOD_SYSTEM;
}

void ood_json_worker_free(struct ood_json_worker *worker)
{
	ood_free(worker->counts);
	ood_free(worker->seen);
	ood_buf_free(&worker->key);
}

static int fail_memory(struct ood_json_worker *w, size_t bytes)
{
	w->scan.bad = NULL;
	w->column = SIZE_MAX;
	return ood_fail_memory(&w->err, bytes);
}

/* ------------------------------------------------------------ the walk --- */

static int walk(struct ood_json_worker *w, const struct ood_json_node *node);

static int expect(struct ood_json_worker *w, char open, const char *what)
{
	char c = ood_json_byte(&w->scan);

	if (c == open) {
		w->scan.at++;
		w->scan.depth++;
		return OOD_OK;
	}
	if (!c || c == ',' || c == ']' || c == '}')
		return ood_json_unexpected(&w->scan, what);
	return ood_json_fault(&w->scan, w->scan.at, "expected %s, found %s",
			      what, ood_json_kind(c));
}

/* Notes a key, to find those that occur twice; only where keys do not come
 * as in the first record. */
static bool note(struct ood_json_worker *w, uint64_t hash, const char *at)
{
	if (!ood_grow(&w->seen, w->n_seen, &w->seen_room, sizeof(*w->seen)))
		return false;
	w->seen[w->n_seen++] = (struct ood_json_seen){ hash, at };
	return true;
}

static int by_hash(const void *a, const void *b)
{
	const struct ood_json_seen *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* Equal hashes of 64 bits are taken for equal keys. */
static int check_twice(struct ood_json_worker *w, size_t from)
{
	struct ood_json_seen *seen = w->seen + from;
	size_t n = w->n_seen - from;
	char name[OOD_QUOTE_MAX] = "";

	if (!n)
		return OOD_OK;
	qsort(seen, n, sizeof(*seen), by_hash);
	for (size_t i = 1; i < n; i++) {
		if (seen[i].hash != seen[i - 1].hash)
			continue;
		struct ood_json_scan s = { .at = seen[i].at,
					   .end = w->scan.end,
					   .err = &w->err };
		struct ood_json_word key = { s.at, 0, false };
		if (!ood_json_string(&s, &key))
			ood_quote(name, sizeof(name), key.at, key.n);
		return ood_json_fault(&w->scan, seen[i].at,
				      "key \"%s\" occurs twice", name);
	}
	return OOD_OK;
}

/* An object being walked. */
struct object {
	const struct ood_json_node *node;
	size_t i;      /* keys taken */
	size_t found;  /* wanted ones among them */
	bool as_first; /* all came in the order of the first record */
	bool learn;    /* this is the first: note their order */
	size_t seen;   /* w->n_seen before */
	const char *open;
};

/* The next key is the one at this place in the first record: take it. */
static const struct ood_json_key *expected_key(struct ood_json_scan *s,
					       const struct object *o)
{
	const struct ood_json_node *node = o->node;

	if (!o->as_first || o->i >= node->n_order)
		return NULL;
	const struct ood_json_key *key = &node->keys[node->order[o->i]];
	const char *p = s->at;
	if (!key->plain || (size_t)(s->end - p) < key->n + 3 || p[0] != '"' ||
	    memcmp(p + 1, key->name, key->n) || p[key->n + 1] != '"')
		return NULL;
	for (p += key->n + 2; p < s->end && ood_json_is_blank(*p);)
		p++;
	if (p == s->end || *p != ':')
		return NULL;
	s->at = p + 1;
	ood_json_blank(s);
	return key;
}

/* The keys before this one become noted as well. */
static bool leave_order(struct ood_json_worker *w, struct object *o)
{
	struct ood_json_scan s = w->scan;
	struct ood_json_word word;
	bool more;

	if (!o->as_first)
		return true;
	o->as_first = false;
	s.at = o->open;
	for (size_t i = 0; i < o->i; i++) {
		const struct ood_json_node *node = o->node;
		if (ood_json_next(&s, '}', !i, &more) || !more ||
		    !note(w, node->keys[node->order[i]].hash, s.at) ||
		    ood_json_key(&s, &word) || ood_json_skip(&s))
			return false;
	}
	return true;
}

/* Takes any key; *key NULL: one that nobody knows. */
static int other_key(struct ood_json_worker *w, struct object *o,
		     const struct ood_json_key **key)
{
	struct ood_json_node *node = (struct ood_json_node *)o->node;
	struct ood_json_word word;
	const char *start = w->scan.at;
	int rc;

	if (!leave_order(w, o))
		return fail_memory(w, w->n_seen * sizeof(*w->seen));
	if ((rc = ood_json_key(&w->scan, &word)))
		return rc;
	if (word.escaped) {
		ood_buf_clear(&w->key);
		char *to = ood_buf_reserve(&w->key, word.n);
		if (!to)
			return fail_memory(w, word.n);
		word.n = ood_json_unescape(to, &word);
		word.at = to;
	}
	uint64_t hash = ood_json_hash(word.at, word.n);
	if (o->learn) {
		*key = ood_json_enter(node, word.at, word.n);
		if (!*key || !ood_grow(&node->order, node->n_order,
				       &node->order_room, sizeof(size_t)))
			return fail_memory(w, word.n);
		node->order[node->n_order++] = (size_t)(*key - node->keys);
	} else {
		*key = ood_json_find(node, hash, word.at, word.n);
	}
	return note(w, hash, start) ? OOD_OK : fail_memory(w, sizeof(hash));
}

static int wanted_key_missing(struct ood_json_worker *w, const struct object *o)
{
	const struct ood_json_node *node = o->node;
	char name[OOD_QUOTE_MAX];

	/* Noted keys are sorted or absent: look for each wanted one. */
	for (size_t k = 0; k < node->n_keys; k++) {
		struct ood_json_key *key = &node->keys[k];
		bool there = false;

		for (size_t i = o->seen; i < w->n_seen && !there; i++)
			there = w->seen[i].hash == key->hash;
		for (size_t i = 0; o->as_first && i < o->i; i++)
			there |= node->order[i] == k;
		if (there || !key->child)
			continue;
		ood_quote(name, sizeof(name), key->name, key->n);
		return ood_json_fault(&w->scan, o->open - 1,
				      "no key \"%s\" in this object", name);
	}
	return OOD_OK;
}

static int walk_object(struct ood_json_worker *w,
		       const struct ood_json_node *node)
{
	struct object o = { .node = node, .seen = w->n_seen };
	bool more;
	int rc = expect(w, '{', "an object");

	o.open = w->scan.at;
	o.learn = w->learn && !node->n_order;
	o.as_first = !o.learn;
	for (; !rc; o.i++) {
		const struct ood_json_key *key;

		rc = ood_json_next(&w->scan, '}', !o.i, &more);
		if (rc || !more)
			break;
		key = expected_key(&w->scan, &o);
		if (!key && (rc = other_key(w, &o, &key)))
			break;
		if (key && key->child) {
			o.found++;
			rc = walk(w, key->child);
		} else {
			rc = ood_json_skip(&w->scan);
		}
	}
	if (!rc)
		rc = check_twice(w, o.seen);
	if (!rc && o.found < node->n_wanted)
		rc = wanted_key_missing(w, &o);
	w->n_seen = o.seen;
	return rc;
}

static int walk_items(struct ood_json_worker *w,
		      const struct ood_json_node *node)
{
	const char *open = w->scan.at;
	int rc = expect(w, '[', "a list");
	size_t next = 0;
	uint64_t i = 0;
	bool more;

	for (; !rc; i++) {
		rc = ood_json_next(&w->scan, ']', !i, &more);
		if (rc || !more)
			break;
		if (next < node->n_items && node->index[next] == i)
			rc = walk(w, node->items[next++]);
		else
			rc = ood_json_skip(&w->scan);
	}
	if (!rc && next < node->n_items)
		return ood_json_fault(&w->scan, open,
				      "no item [%llu] in this list of %llu",
				      (unsigned long long)node->index[next],
				      (unsigned long long)i);
	return rc;
}

static int walk_each(struct ood_json_worker *w,
		     const struct ood_json_node *node)
{
	int rc = expect(w, '[', "a list");
	bool more;

	for (bool first = true; !rc; first = false) {
		rc = ood_json_next(&w->scan, ']', first, &more);
		if (rc || !more)
			break;
		rc = walk(w, node);
	}
	return rc;
}

/* At a value: reads it once for each leaf and kind of branch. */
static int walk(struct ood_json_worker *w, const struct ood_json_node *node)
{
	const unsigned depth = w->scan.depth;
	const char *at = w->scan.at;
	int rc = OOD_OK;

	for (size_t i = 0; !rc && i < node->n_targets; i++) {
		w->scan.at = at;
		w->target = &w->plan->targets[node->targets[i]];
		rc = ood_json_leaf(w);
	}
	if (!rc && node->n_wanted) {
		w->scan.at = at;
		rc = walk_object(w, node);
	}
	w->scan.depth = depth;
	if (!rc && node->n_items) {
		w->scan.at = at;
		rc = walk_items(w, node);
	}
	w->scan.depth = depth;
	if (!rc && node->each) {
		w->scan.at = at;
		rc = walk_each(w, node->each);
	}
	w->scan.depth = depth;
	return rc;
}

/* Targets with [] have all their values now. */
static int check_counts(struct ood_json_worker *w)
{
	int rc = OOD_OK;

	for (size_t i = 0; !rc && i < w->plan->n; i++) {
		w->target = &w->plan->targets[i];
		if (w->target->each)
			rc = ood_json_check_width(w, w->counts[i]);
	}
	return rc;
}

int ood_json_row(struct ood_json_worker *w, const char *at, size_t n)
{
	int rc;

	w->scan = (struct ood_json_scan){ .at = at,
					  .end = at + n,
					  .err = &w->err };
	if (w->plan->any_each)
		memset(w->counts, 0, w->plan->n * sizeof(*w->counts));
	ood_json_blank(&w->scan);
	if ((rc = walk(w, w->plan->root)))
		return rc;
	ood_json_blank(&w->scan);
	if (w->scan.at < w->scan.end)
		return ood_json_fault(&w->scan, w->scan.at,
				      "unexpected text after the value");
	return w->plan->any_each ? check_counts(w) : OOD_OK;
}

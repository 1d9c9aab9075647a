/*
 * json_path.c - paths as in jq, and the tree of what is wanted
 *
 * Of jq's language: .key, ["odd key"] or ."odd key", [0], [], one behind
 * another. All paths into a record are merged to one tree, so that it is read
 * once whatever is wanted of it.
 */
#include "core/err.h"
#include "core/utf8.h"
#include "io/json.h"

enum { STEPS = OOD_JSON_DEPTH };

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_';
}

static int bad_path(const char *text, const char *at, struct ood_err *err)
{
	char quoted[OOD_QUOTE_MAX], rest[OOD_QUOTE_MAX];

	ood_quote(quoted, sizeof(quoted), text, strlen(text));
	ood_quote(rest, sizeof(rest), at, strlen(at));
	return ood_fail(err, OOD_USAGE,
			"path '%s': cannot read '%s' (paths are like "
			".a.b[0].c, .[\"odd key\"], .list[].x)",
			quoted, rest);
}

static int copy_key(struct ood_json_step *step, const struct ood_json_word *key)
{
	step->kind = OOD_JSON_KEY;
	step->key = ood_malloc(key->n + 1, 1);
	if (!step->key)
		return OOD_SYSTEM;
	step->n = ood_json_unescape(step->key, key);
	step->key[step->n] = '\0';
	return OOD_OK;
}

/* At '"'. */
static int quoted_key(const char **at, struct ood_json_step *step)
{
	struct ood_err ignored;
	struct ood_json_scan s = { .at = *at,
				   .end = *at + strlen(*at),
				   .err = &ignored };
	struct ood_json_word key;

	if (ood_json_string(&s, &key))
		return OOD_USAGE;
	*at = s.at;
	return copy_key(step, &key);
}

/* At '['. */
static int bracket(const char **at, struct ood_json_step *step)
{
	const char *p = *at + 1;
	int rc = OOD_OK;

	if (*p == '"') {
		if ((rc = quoted_key(&p, step)))
			return rc;
	} else if (*p == ']') {
		step->kind = OOD_JSON_EACH;
	} else {
		step->kind = OOD_JSON_INDEX;
		const char *first = p;
		for (; *p >= '0' && *p <= '9' && p - first < 15; p++)
			step->index = step->index * 10 + (uint64_t)(*p - '0');
		if (p == first)
			return OOD_USAGE;
	}
	if (*p != ']')
		return OOD_USAGE;
	*at = p + 1;
	return OOD_OK;
}

/* At '.', or at '[' behind a step. */
static int next_step(const char **at, struct ood_json_step *step)
{
	const char *p = *at;

	if (*p == '[')
		return bracket(at, step);
	if (*p++ != '.')
		return OOD_USAGE;
	*at = p;
	if (*p == '[')
		return bracket(at, step);
	if (*p == '"')
		return quoted_key(at, step);
	while (is_name(*p))
		p++;
	struct ood_json_word key = { *at, (size_t)(p - *at), false };
	*at = p;
	return key.n ? copy_key(step, &key) : OOD_USAGE;
}

int ood_json_path_parse(struct ood_json_path *path, const char *text,
			struct ood_err *err)
{
	const char *at = text;

	*path = (struct ood_json_path){ 0 };
	path->steps = ood_calloc(STEPS, sizeof(*path->steps));
	if (!path->steps)
		return ood_fail_memory(err, STEPS * sizeof(*path->steps));
	if (!strcmp(text, "."))
		return OOD_OK;
	while (*at) {
		const char *from = at;
		int rc = path->n < STEPS && *text == '.'
				 ? next_step(&at, &path->steps[path->n++])
				 : OOD_USAGE;
		if (!rc)
			continue;
		ood_json_path_free(path);
		return rc == OOD_SYSTEM ? ood_fail_memory(err, strlen(text))
					: bad_path(text, from, err);
	}
	return OOD_OK;
}

int ood_json_path_key(struct ood_json_path *path, const char *key,
		      struct ood_err *err)
{
	size_t n = strlen(key);

	*path = (struct ood_json_path){ ood_calloc(1, sizeof(*path->steps)),
					0 };
	if (!path->steps || !(path->steps->key = ood_strndup(key, n))) {
		ood_json_path_free(path);
		return ood_fail_memory(err, n);
	}
	path->steps->n = n;
	path->n = 1;
	return OOD_OK;
}

void ood_json_path_free(struct ood_json_path *path)
{
	for (size_t i = 0; i < path->n; i++)
		ood_free(path->steps[i].key);
	ood_free(path->steps);
	*path = (struct ood_json_path){ 0 };
}

/* -------------------------------------------------- tables of keys --- */

/* FNV-1a, 64 bits: G. Fowler, L. C. Noll, K.-P. Vo. */
uint64_t ood_json_hash(const char *at, size_t n)
{
	uint64_t h = 0xCBF29CE484222325u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)at[i]) * 0x100000001B3u;
	return h;
}

struct ood_json_key *ood_json_find(const struct ood_json_node *node,
				   uint64_t hash, const char *at, size_t n)
{
	if (!node->n_slots)
		return NULL;
	for (size_t i = hash;; i++) {
		size_t slot = node->slots[i & (node->n_slots - 1)];
		if (!slot)
			return NULL;
		struct ood_json_key *key = &node->keys[slot - 1];
		if (key->hash == hash && key->n == n &&
		    !memcmp(key->name, at, n))
			return key;
	}
}

/* Keeps the table at most half full. */
static bool grow_slots(struct ood_json_node *node)
{
	size_t n = OOD_MAX((size_t)16, 2 * node->n_slots);

	if (2 * (node->n_keys + 1) <= node->n_slots)
		return true;
	size_t *slots = ood_calloc(n, sizeof(*slots));
	if (!slots)
		return false;
	for (size_t k = 0; k < node->n_keys; k++) {
		size_t i = node->keys[k].hash & (n - 1);
		while (slots[i])
			i = (i + 1) & (n - 1);
		slots[i] = k + 1;
	}
	ood_free(node->slots);
	node->slots = slots;
	node->n_slots = n;
	return true;
}

static bool is_plain(const char *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (at[i] == '"' || at[i] == '\\' || (unsigned char)at[i] < 32)
			return false;
	return ood_utf8_valid(at, n) == n;
}

struct ood_json_key *ood_json_enter(struct ood_json_node *node, const char *at,
				    size_t n)
{
	uint64_t hash = ood_json_hash(at, n);
	struct ood_json_key *key = ood_json_find(node, hash, at, n);

	if (key)
		return key;
	char *name = ood_strndup(at, n);
	if (!name || !grow_slots(node) ||
	    !ood_grow(&node->keys, node->n_keys, &node->keys_room,
		      sizeof(*node->keys))) {
		ood_free(name);
		return NULL;
	}
	size_t i = hash & (node->n_slots - 1);
	while (node->slots[i])
		i = (i + 1) & (node->n_slots - 1);
	node->slots[i] = node->n_keys + 1;
	key = &node->keys[node->n_keys++];
	*key = (struct ood_json_key){ hash, name, n, is_plain(at, n), NULL };
	return key;
}

/* ---------------------------------------------------------- the tree --- */

static struct ood_json_node *new_node(void)
{
	return ood_calloc(1, sizeof(struct ood_json_node));
}

static struct ood_json_node *branch_key(struct ood_json_node *node,
					const struct ood_json_step *step)
{
	struct ood_json_key *key = ood_json_enter(node, step->key, step->n);

	if (key && !key->child && (key->child = new_node()))
		node->n_wanted++;
	return key ? key->child : NULL;
}

static struct ood_json_node *branch_index(struct ood_json_node *node,
					  uint64_t index)
{
	size_t i = node->n_items;

	while (i && node->index[i - 1] >= index)
		i--;
	if (i < node->n_items && node->index[i] == index)
		return node->items[i];
	struct ood_json_node *child = new_node();
	if (!child ||
	    !ood_grow(&node->items, node->n_items, &node->items_room,
		      sizeof(struct ood_json_node *)) ||
	    !ood_grow(&node->index, node->n_items, &node->index_room,
		      sizeof(*node->index))) {
		ood_free(child);
		return NULL;
	}
	size_t behind = node->n_items++ - i;
	memmove(node->items + i + 1, node->items + i,
		behind * sizeof(struct ood_json_node *));
	memmove(node->index + i + 1, node->index + i,
		behind * sizeof(*node->index));
	node->items[i] = child;
	node->index[i] = index;
	return child;
}

static struct ood_json_node *branch(struct ood_json_node *node,
				    const struct ood_json_step *step)
{
	if (step->kind == OOD_JSON_KEY)
		return branch_key(node, step);
	if (step->kind == OOD_JSON_INDEX)
		return branch_index(node, step->index);
	if (!node->each)
		node->each = new_node();
	return node->each;
}

int ood_json_plan_add(struct ood_json_plan *plan,
		      const struct ood_json_path *path, size_t from,
		      struct ood_json_target *target, struct ood_err *err)
{
	struct ood_json_node *node = plan->root;

	if (!node)
		node = plan->root = new_node();
	for (size_t i = from; node && i < path->n; i++) {
		target->each |= path->steps[i].kind == OOD_JSON_EACH;
		node = branch(node, &path->steps[i]);
	}
	if (!node ||
	    !ood_grow(&node->targets, node->n_targets, &node->targets_room,
		      sizeof(*node->targets)) ||
	    !ood_grow(&plan->targets, plan->n, &plan->room,
		      sizeof(*plan->targets))) {
		ood_free(target->name);
		return ood_fail_memory(err, sizeof(*node));
	}
	node->targets[node->n_targets++] = plan->n;
	plan->targets[plan->n++] = *target;
	plan->any_each |= target->each;
	return OOD_OK;
}

static void free_node(struct ood_json_node *node)
{
	if (!node)
		return;
	for (size_t i = 0; i < node->n_keys; i++) {
		ood_free(node->keys[i].name);
		free_node(node->keys[i].child);
	}
	for (size_t i = 0; i < node->n_items; i++)
		free_node(node->items[i]);
	free_node(node->each);
	ood_free(node->targets);
	ood_free(node->keys);
	ood_free(node->slots);
	ood_free(node->order);
	ood_free(node->items);
	ood_free(node->index);
	ood_free(node);
}

void ood_json_plan_free(struct ood_json_plan *plan)
{
	free_node(plan->root);
	for (size_t i = 0; i < plan->n; i++)
		ood_free(plan->targets[i].name);
	ood_free(plan->targets);
	*plan = (struct ood_json_plan){ 0 };
}

/*
 * report_tree.c - trees of cJSON whose numbers are ours
 */
#include "core/err.h"
#include "core/num.h"
#include "core/utf8.h"
#include "io/writer.h"
#include "report/report_json.h"

static bool is_good(struct ood_tree *tree, const char *text)
{
	if (ood_utf8_valid(text, strlen(text)) == strlen(text))
		return true;
	tree->bad = tree->bad ? tree->bad : text;
	return false;
}

/* Gives node to its parent; NULL if that fails. */
static cJSON *add(struct ood_tree *tree, cJSON *to, const char *key,
		  cJSON *node)
{
	bool added = false;

	if (node && to && (!key || is_good(tree, key)))
		added = key ? cJSON_AddItemToObject(to, key, node)
			    : cJSON_AddItemToArray(to, node);
	if (added)
		return node;
	tree->failed = true;
	cJSON_Delete(node);
	return NULL;
}

/* cJSON has no NaN: numbers and what stands for them are raw text. */
static void add_raw(struct ood_tree *tree, cJSON *to, const char *key,
		    const char *text)
{
	add(tree, to, key, cJSON_CreateRaw(text));
}

void ood_tree_text(struct ood_tree *tree, cJSON *to, const char *key,
		   const char *text)
{
	if (!text)
		add_raw(tree, to, key, "null");
	else if (is_good(tree, text))
		add(tree, to, key, cJSON_CreateString(text));
}

void ood_tree_uint(struct ood_tree *tree, cJSON *to, const char *key,
		   uint64_t u)
{
	char text[OOD_NUM_MAX];

	/* A size that was not known. */
	if (u == UINT64_MAX) {
		add_raw(tree, to, key, "null");
		return;
	}
	ood_num_format_uint(text, u);
	add_raw(tree, to, key, text);
}

void ood_tree_item(struct ood_tree *tree, cJSON *to, const char *key,
		   const struct ood_item *item)
{
	char text[OOD_NUM_MAX];

	if (ood_item_is_null(item)) {
		add_raw(tree, to, key, "null");
	} else if (item->kind == OOD_ITEM_TEXT) {
		ood_tree_text(tree, to, key, item->text);
	} else if (item->kind == OOD_ITEM_BOOL) {
		add_raw(tree, to, key, item->integer ? "true" : "false");
	} else if (item->kind == OOD_ITEM_INT) {
		ood_num_format_int(text, item->integer);
		add_raw(tree, to, key, text);
	} else {
		ood_num_format(text, item->real);
		if (isinf(item->real))
			ood_tree_text(tree, to, key, text);
		else
			add_raw(tree, to, key, text);
	}
}

cJSON *ood_tree_object(struct ood_tree *tree, cJSON *to, const char *key)
{
	cJSON *node = cJSON_CreateObject();

	if (!to && !key) {
		tree->failed |= !node;
		return node;
	}
	return add(tree, to, key, node);
}

cJSON *ood_tree_array(struct ood_tree *tree, cJSON *to, const char *key)
{
	return add(tree, to, key, cJSON_CreateArray());
}

struct style {
	bool pretty;
	struct ood_buf *out;
};

static void new_line(const struct style *style, int depth)
{
	ood_buf_char(style->out, '\n');
	for (int i = 0; i < depth; i++)
		ood_buf_str(style->out, "  ");
}

/* A list of plain values stays on its line. */
static bool is_broken(const struct style *style, const cJSON *node)
{
	if (!style->pretty || !node->child)
		return false;
	return cJSON_IsObject(node) || node->child->child ||
	       cJSON_IsObject(node->child);
}

/* Trees are built here and at most five deep. */
static void print(const struct style *style, const cJSON *node, int depth)
{
	struct ood_buf *out = style->out;
	bool object = cJSON_IsObject(node), broken = is_broken(style, node);

	if (cJSON_IsRaw(node)) {
		ood_buf_str(out, node->valuestring);
		return;
	}
	if (cJSON_IsString(node)) {
		ood_json_quote(out, node->valuestring,
			       strlen(node->valuestring));
		return;
	}
	ood_buf_char(out, object ? '{' : '[');
	for (const cJSON *child = node->child; child; child = child->next) {
		if (broken)
			new_line(style, depth + 1);
		if (object) {
			ood_json_quote(out, child->string,
				       strlen(child->string));
			ood_buf_str(out, style->pretty ? ": " : ":");
		}
		print(style, child, depth + 1);
		if (child->next)
			ood_buf_str(out, style->pretty && !broken ? ", " : ",");
	}
	if (broken)
		new_line(style, depth);
	ood_buf_char(out, object ? '}' : ']');
}

int ood_tree_print(struct ood_tree *tree, cJSON *root, bool pretty,
		   struct ood_buf *out, struct ood_err *err)
{
	struct style style = { pretty, out };
	char quoted[OOD_QUOTE_MAX];
	int code = OOD_OK;

	if (tree->bad)
		code = ood_fail(err, OOD_INPUT,
				"\"%s\" is not UTF-8, which JSON asks for "
				"(rename it, or write -f table)",
				ood_quote(quoted, sizeof(quoted), tree->bad,
					  strlen(tree->bad)));
	else if (tree->failed)
		code = ood_fail_memory(err, out->n);
	if (!code) {
		print(&style, root, 0);
		ood_buf_char(out, '\n');
	}
	cJSON_Delete(root);
	return code;
}

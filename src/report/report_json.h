/*
 * report_json.h - trees of cJSON whose numbers are ours
 *
 * cJSON prints doubles with 15 digits: here they are raw text of num.c, and
 * the tree is printed by ood_tree_print().
 */
#ifndef OOD_REPORT_REPORT_JSON_H
#define OOD_REPORT_REPORT_JSON_H

#include <cjson/cJSON.h>

#include "core/mem.h"
#include "report/report_own.h"

/* A tree that grows; the first thing that went wrong stays. */
struct ood_tree {
	bool failed;	 /* no memory */
	const char *bad; /* text that is not UTF-8, or NULL */
};

/* Adds a value under `key`, or at the end of an array (key NULL). */
void ood_tree_text(struct ood_tree *tree, cJSON *to, const char *key,
		   const char *text);
void ood_tree_item(struct ood_tree *tree, cJSON *to, const char *key,
		   const struct ood_item *item);
void ood_tree_uint(struct ood_tree *tree, cJSON *to, const char *key,
		   uint64_t u);
/* The new child, or NULL. */
cJSON *ood_tree_object(struct ood_tree *tree, cJSON *to, const char *key);
cJSON *ood_tree_array(struct ood_tree *tree, cJSON *to, const char *key);

/*
 * Prints the tree, indented by two blanks with lists of plain values on one
 * line, or all on one line; then a line end. Takes what went wrong from tree;
 * frees root in any case.
 */
int ood_tree_print(struct ood_tree *tree, cJSON *root, bool pretty,
		   struct ood_buf *out, struct ood_err *err);

#endif

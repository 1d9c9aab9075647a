/*
 * axes.c - which elements of an array make a row
 */
#include "io/axes.h"

#include "core/err.h"

/* Layouts of pixels: n images, y rows, x columns, c classes. */
static const struct {
	const char *name;
	const char *axes;
} layouts[] = {
	{ "chw", "cyx" },
	{ "hwc", "yxc" },
	{ "nchw", "ncyx" },
	{ "nhwc", "nyxc" },
};

static int fail_shape(const struct ood_npy_head *head, const char *wanted,
		      const char *remedy, struct ood_err *err)
{
	char shape[OOD_SHAPE_MAX];

	return ood_fail(
		err, OOD_INPUT, "%u-d array of shape %s where %s wanted (%s)",
		head->ndim,
		ood_shape_text(shape, sizeof(shape), head->ndim, head->shape),
		wanted, remedy);
}

static int fail_vector(const struct ood_npy_head *head, struct ood_err *err)
{
	unsigned long long n = head->shape[0];
	char shape[OOD_SHAPE_MAX];

	return ood_fail(
		err, OOD_INPUT,
		"1-d array of shape %s where a matrix N x C is wanted "
		"(reshape to (1, %llu) if it is one row, to (%llu, 1) "
		"if it is one column)",
		ood_shape_text(shape, sizeof(shape), head->ndim, head->shape),
		n, n);
}

/* Strides of the array's axes, in elements. */
static void find_strides(const struct ood_npy_head *head,
			 uint64_t stride[OOD_NDIM_MAX])
{
	uint64_t step = 1;

	for (unsigned i = 0; i < head->ndim; i++) {
		unsigned k = head->fortran ? i : head->ndim - 1 - i;
		stride[k] = step;
		/* No wrap that matters: an array with a zero has no rows. */
		step *= head->shape[k] ? head->shape[k] : 1;
	}
}

static void add_axis(struct ood_axes *axes, uint64_t dim, uint64_t stride)
{
	unsigned last = axes->n - 1;

	axes->rows *= dim;
	if (dim == 1)
		return;
	if (axes->n && axes->stride[last] == dim * stride) {
		axes->dim[last] *= dim;
		axes->stride[last] = stride;
		return;
	}
	axes->dim[axes->n] = dim;
	axes->stride[axes->n] = stride;
	axes->n++;
}

/* names[i] is what axis i of the array is: n, y or x count rows, c columns. */
static void name_axes(struct ood_axes *axes, const struct ood_npy_head *head,
		      const char *names)
{
	uint64_t stride[OOD_NDIM_MAX] = { 0 };
	static const char order[] = "nyx";

	find_strides(head, stride);
	*axes = (struct ood_axes){ .rows = 1, .cols = 1, .col_stride = 1 };
	const char *c = strchr(names, 'c');
	if (c) {
		axes->cols = head->shape[c - names];
		axes->col_stride = stride[c - names];
	}
	for (const char *o = order; *o; o++) {
		const char *at = strchr(names, *o);
		if (at)
			add_axis(axes, head->shape[at - names],
				 stride[at - names]);
	}
	if (!axes->n) {
		axes->n = 1;
		axes->dim[0] = 1;
		axes->stride[0] = axes->cols;
	}
}

static int plan_plain(struct ood_axes *axes, const struct ood_npy_head *head,
		      bool word, struct ood_err *err)
{
	bool column = head->ndim == 2 && head->shape[1] == 1;

	if (word && head->ndim != 1 && !column)
		return fail_shape(head, "one value a row is", "save a[:, K]",
				  err);
	if (!word && head->ndim == 1)
		return fail_vector(head, err);
	if (!word && head->ndim != 2)
		return fail_shape(head, "a matrix N x C is",
				  head->ndim == 3 || head->ndim == 4
					  ? "--layout chw, hwc, nchw or nhwc "
					    "names the axes of pixels; else "
					    "reshape"
					  : "reshape it",
				  err);
	name_axes(axes, head, head->ndim == 1 ? "n" : "nc");
	return OOD_OK;
}

/* Maps of one value a pixel go without the class axis, of one image also
 * without the image axis. */
static int plan_map(struct ood_axes *axes, const struct ood_npy_head *head,
		    const char *names, struct ood_err *err)
{
	static const char *const maps[] = { NULL, "n", "yx", "nyx" };
	const char *c = strchr(names, 'c');
	bool full = head->ndim == strlen(names) && head->shape[c - names] == 1;

	/* (1, y, x) is one class of chw and one image of nhw alike. */
	if (!full && (head->ndim < 1 || head->ndim > 3 ||
		      (head->ndim == 3 && names[0] != 'n')))
		return fail_shape(head, "one value a pixel is",
				  "H x W, or N x H x W for images", err);
	name_axes(axes, head, full ? names : maps[head->ndim]);
	return OOD_OK;
}

int ood_layout_check(const char *layout, struct ood_err *err)
{
	if (!layout || !strcmp(layout, "nc"))
		return OOD_OK;
	for (size_t i = 0; i < OOD_COUNT(layouts); i++)
		if (!strcmp(layouts[i].name, layout))
			return OOD_OK;
	if (!strcmp(layout, "mnc") || !strcmp(layout, "nmc") ||
	    !strcmp(layout, "ncm"))
		return ood_fail(err, OOD_USAGE,
				"layout %s: members of an ensemble need the "
				"scorers mutual-information and "
				"expected-entropy, which are not available "
				"(average the members first)",
				layout);
	return ood_fail(err, OOD_USAGE,
			"--layout: \"%.20s\" names no axes (nc chw hwc nchw "
			"nhwc)",
			layout);
}

static int plan_pixels(struct ood_axes *axes, const struct ood_npy_head *head,
		       const struct ood_pick *pick, struct ood_err *err)
{
	char remedy[64] = "--layout ";
	const char *names = NULL;

	for (size_t i = 0; i < OOD_COUNT(layouts); i++)
		if (!strcmp(layouts[i].name, pick->layout))
			names = layouts[i].axes;
	if (!names)
		return ood_layout_check(pick->layout, err);
	if (pick->kind == OOD_PICK_WORD)
		return plan_map(axes, head, names, err);
	if (head->ndim != strlen(names))
		return fail_shape(head,
				  strlen(names) == 3 ? "three axes are"
						     : "four axes are",
				  strncat(remedy, pick->layout, 8), err);
	name_axes(axes, head, names);
	return OOD_OK;
}

int ood_axes_plan(struct ood_axes *axes, const struct ood_npy_head *head,
		  const struct ood_pick *pick, struct ood_err *err)
{
	bool plain = !pick->layout || !strcmp(pick->layout, "nc");
	char shape[OOD_SHAPE_MAX];
	int rc =
		plain ? plan_plain(axes, head, pick->kind == OOD_PICK_WORD, err)
		      : plan_pixels(axes, head, pick, err);

	if (rc)
		return rc;
	ood_shape_text(shape, sizeof(shape), head->ndim, head->shape);
	if (!axes->cols)
		return ood_fail(err, OOD_INPUT,
				"array of shape %s has no columns", shape);
	if (axes->cols > OOD_COLUMNS_MAX)
		return ood_fail(err, OOD_INPUT,
				"array of shape %s has too many columns (limit "
				"%llu)",
				shape, (unsigned long long)OOD_COLUMNS_MAX);
	return OOD_OK;
}

uint64_t ood_axes_offset(const struct ood_axes *axes, uint64_t row)
{
	uint64_t offset = 0;

	for (unsigned i = axes->n; i-- > 0;) {
		offset += row % axes->dim[i] * axes->stride[i];
		row /= axes->dim[i];
	}
	return offset;
}

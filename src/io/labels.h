/*
 * labels.h - labels as the file has them, and the classes that they mean
 */
#ifndef OOD_IO_LABELS_H
#define OOD_IO_LABELS_H

#include "core/base.h"
#include "io/reader.h"

/* Names of classes in the order of the columns. */
struct ood_classes {
	char **name; /* in bytes: millions of them are no trouble */
	char *bytes;
	size_t used;	/* of bytes */
	size_t *sorted; /* numbers by name */
	size_t n;
	/* Names that came from plain columns: a label that is none of them is
	 * a mistake rather than an unknown class. */
	bool loose;
	bool digits; /* all names are integers: they bind integers alone */
};

/* a,b,c or @FILE (one name a line). */
int ood_classes_parse(struct ood_classes *classes, const char *text,
		      struct ood_err *err);
/* Copies n names; refuses one that is there twice. */
int ood_classes_set(struct ood_classes *classes, const char *const *names,
		    size_t n, struct ood_err *err);
void ood_classes_free(struct ood_classes *classes);
/* Number of the class of this name, or -1. */
int64_t ood_classes_find(const struct ood_classes *classes,
			 struct ood_span name);

/* What becomes of the labels of a column. */
struct ood_labels {
	const struct ood_classes *classes; /* n = 0: none known */
	const struct ood_read *read;	   /* for --missing */
	bool need;	  /* names must be bound (the set has class scores) */
	uint64_t unknown; /* labels that are no class */
	char **found;	  /* names that nothing binds, in order */
	size_t n_found, room;
};

/* Where numbers go; row is the one refused on OOD_INPUT. */
struct ood_numbers {
	int64_t *out;
	uint8_t *bad;
	size_t row;
};

/*
 * Numbers n labels: integers, integral floats and booleans as they are, names
 * by class; OOD_LABEL_NONE for a name that is no class. bad[row] = 1 for a
 * missing one (NaN, a --missing cell). Names that nothing binds are collected
 * in found and give OOD_LABEL_NONE.
 */
int ood_labels_number(struct ood_labels *labels, const struct ood_vec *vec,
		      size_t n, struct ood_numbers *to, struct ood_err *err);
void ood_labels_free(struct ood_labels *labels);

/* OOD_INPUT: the names found, ready to paste. */
int ood_labels_refuse(const struct ood_labels *labels, size_t classes,
		      struct ood_err *err);

/* A value as 0 or 1: 1, 0, true, false, True ...; -1 if it is neither. */
int ood_flag_of(const struct ood_vec *vec, size_t row);

/* A value as a double; false if it is no number. */
bool ood_real_of(const struct ood_read *read, const struct ood_vec *vec,
		 size_t row, double *x);

#endif

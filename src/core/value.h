/*
 * value.h - a figure with its interval and its standing
 */
#ifndef OOD_CORE_VALUE_H
#define OOD_CORE_VALUE_H

#include "core/base.h"

enum ood_status {
	OOD_STATUS_OK,
	OOD_STATUS_UNDEFINED,	   /* x is NaN, reason says why */
	OOD_STATUS_INFEASIBLE,	   /* no threshold meets the rule */
	OOD_STATUS_NOT_RESOLVABLE, /* too few rows for what was asked */
};

/* "ok", "undefined", "infeasible", "not_resolvable" */
const char *ood_status_name(enum ood_status status);

struct ood_value {
	double x;
	double lo, hi;	    /* interval; NaN = none */
	const char *method; /* of the interval: "delong-logit" ...; static */
	enum ood_status status;
	const char *reason; /* static; NULL when ok */
};

/* x without an interval; NaN with a reason (static). */
struct ood_value ood_value_ok(double x);
struct ood_value ood_value_undefined(const char *reason);

#endif

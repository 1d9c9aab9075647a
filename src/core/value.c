/*
 * value.c - a figure with its interval and its standing
 */
#include "core/value.h"

const char *ood_status_name(enum ood_status status)
{
	switch (status) {
	case OOD_STATUS_OK:
		return "ok";
	case OOD_STATUS_UNDEFINED:
		return "undefined";
	case OOD_STATUS_INFEASIBLE:
		return "infeasible";
	case OOD_STATUS_NOT_RESOLVABLE:
		return "not_resolvable";
	}
	return "unknown";
}

struct ood_value ood_value_ok(double x)
{
	return (struct ood_value){ .x = x, .lo = NAN, .hi = NAN };
}

struct ood_value ood_value_undefined(const char *reason)
{
	return (struct ood_value){ .x = NAN,
				   .lo = NAN,
				   .hi = NAN,
				   .status = OOD_STATUS_UNDEFINED,
				   .reason = reason };
}

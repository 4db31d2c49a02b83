/* SPDX-License-Identifier: MIT */
/*
 * Which workloads the parameter `base` names; the others are under suspicion.
 */
#ifndef ITP_COMPARE_BASE_H
#define ITP_COMPARE_BASE_H

#include <glib.h>
#include <stdbool.h>

#include "common/compare/workload-set.h"

/* Divides `workloads` (const struct itp_set_workload *) by `names` (char *, NULL = no base).
 * *ret_base, empty without a base, and *ret_suspects hold weak pointers; free them with
 * g_ptr_array_unref(). An error lists the inputs. */
bool itp_sides_divide(const GPtrArray *workloads, const GPtrArray *names, GPtrArray **ret_base,
		      GPtrArray **ret_suspects, GError **error);

#endif

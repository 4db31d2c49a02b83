/* SPDX-License-Identifier: MIT */
/*
 * Work counted by units (common/unit): by a loop or a type found on both sides.
 */
#ifndef ITP_COMPARE_UNIT_WORK_H
#define ITP_COMPARE_UNIT_WORK_H

#include <glib.h>
#include <stdbool.h>

#include "common/infer/profile.h"

struct itp_unit_work {
	/* Name of a type: its loop's function, or a name that tells it; "": a loop is chosen.
	 * Weak. */
	const char *type;
	/* Chosen loop: the one with most time in units among loops of all workloads, by process and
	 * function, or without any by process and system call. Weak. */
	const char *process;
	const char *loop;
	const char *wait;
};

/* `workloads` are const struct itp_set_workload *. Fails if any has no such units. */
bool itp_unit_work_init(struct itp_unit_work *work, const char *type, const GPtrArray *workloads,
			GError **error);

/* Number of the profile's units of the chosen kind. */
uint64_t itp_unit_work_count(const struct itp_unit_work *work, const struct itp_profile *profile);

#endif

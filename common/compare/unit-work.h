/* SPDX-License-Identifier: MIT */
/*
 * Work counted by units (common/unit): which loop's, or of which types, on both sides.
 */
#ifndef ITP_COMPARE_UNIT_WORK_H
#define ITP_COMPARE_UNIT_WORK_H

#include <glib.h>
#include <stdbool.h>

#include "common/infer/profile.h"

struct itp_unit_work {
	/* What a type's loop, or what tells it, is called; "": a loop is chosen. Weak. */
	const char *type;
	/* The chosen loop: that with most time in units of those that all workloads have, by
	 * process and function, or if they have none together, by process and system call. Weak. */
	const char *process;
	const char *loop;
	const char *wait;
};

/* `workloads` are const struct itp_set_workload *. Fails where one of them has none. */
bool itp_unit_work_init(struct itp_unit_work *work, const char *type, const GPtrArray *workloads,
			GError **error);

/* How many units a profile has of what was chosen. */
uint64_t itp_unit_work_count(const struct itp_unit_work *work, const struct itp_profile *profile);

#endif

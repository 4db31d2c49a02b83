/* SPDX-License-Identifier: MIT */
/*
 * Options of record and top for a recording, and the recipe that follows from them. Options of the
 * target alone are left to target.h, choices below a limit to overhead.h.
 */
#ifndef ITP_PERF_RECORD_RECORD_OPTIONS_H
#define ITP_PERF_RECORD_RECORD_OPTIONS_H

#include "plugins/perf/record/record-values.h"

void itp_record_options_release(struct itp_record_options *options);

/* Adds the options to the main group of a command line; words left over are the target's command.
 */
void itp_record_options_add_entries(GOptionGroup *group, struct itp_record_options *options);

/* Adds the option of record alone: --wait-for. */
void itp_record_options_add_own_entries(GOptionGroup *group, struct itp_record_options *options);

/* True when programs in the kernel are to be tried first, or alone. Options have been checked. */
bool itp_record_options_want_bpf(const struct itp_record_options *options);

/* Sets target and wishes, after parsing, and checks all options. False with an error for a bad
 * option. */
bool itp_record_options_check(struct itp_record_options *options, GError **error);

/* Chooses all of the recipe but its output, valid until the options are released. Reports the
 * reasons on standard error. With --overhead a program may be started, see itp_overhead_run().
 * False with an error when nothing can be chosen. */
bool itp_record_options_choose(struct itp_record_options *options, struct itp_held *held,
			       struct itp_recipe *ret_recipe, GError **error);

#endif

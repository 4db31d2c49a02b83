/* SPDX-License-Identifier: MIT */
/*
 * Options of record and top for a recording, and the recipe that follows from them. Options of the
 * target alone are left to target.h, choices below a limit to overhead.h.
 */
#ifndef ITP_PERF_RECORD_RECORD_OPTIONS_H
#define ITP_PERF_RECORD_RECORD_OPTIONS_H

#include <glib.h>
#include <stdbool.h>

#include "plugins/perf/record/overhead.h"
#include "plugins/perf/record/probes.h"

/* Options of a command line. Zeroed before use. */
struct itp_record_options {
	struct itp_target target;
	/* Texts as given: target and wishes follow from them. Owned by this. */
	char *tids;
	char *frequency;
	char *call_graph;
	/* Events to be recorded as well. Owned by this. */
	char **events;
	gboolean follows_stacks;
	gboolean is_quiet;
	gboolean is_verbose;
	gboolean is_light;
	gboolean is_full;
	/* Recorder asked for: programs in the kernel, or perf. Neither leaves the choice to record.
	 */
	gboolean is_bpf;
	gboolean is_perf;
	/* Path of a recording with choices to be made again. Owned by this. */
	char *like;
	/* Limit as given, "5%". Owned by this. NULL: the usual limit, which programs in the kernel
	 * hold and perf does not know; or no limit, with is_unbounded. */
	char *overhead;
	/* Given as --overhead none. */
	bool is_unbounded;
	/* Complete when the recipe is chosen. */
	struct itp_overhead_wishes wishes;
	/* Functions to count the calls of, NULL for none; and probes for them, while needed. Owned
	 * by this. */
	char **counted;
	struct itp_probes *probes;
};

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

/* SPDX-License-Identifier: MIT */
/*
 * What record and top are told about a recording, and the recipe that follows from it.
 */
#ifndef ITP_PERF_COMMAND_RECORD_OPTIONS_H
#define ITP_PERF_COMMAND_RECORD_OPTIONS_H

#include <glib.h>
#include <stdbool.h>

#include "plugins/perf/command/overhead.h"
#include "plugins/perf/command/probes.h"

/* Zeroed before. */
struct itp_record_options {
	struct itp_target target;
	/* As given; the target and the wishes follow from these. Owned by this. */
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
	/* Programs in the kernel are asked for, or perf; neither leaves the choice to record. */
	gboolean is_bpf;
	gboolean is_perf;
	/* A recording whose choices are to be made again. Owned by this. */
	char *like;
	/* Limit as given, "5%". Owned by this; NULL for what is usual, which programs in the kernel
	 * hold and perf does not know, and for --overhead none, which is said apart. */
	char *overhead;
	bool is_unbounded;
	/* Complete when the recipe is chosen. */
	struct itp_overhead_wishes wishes;
	/* Functions whose calls are to be counted, NULL for none; and the probes for that, while
	 * they are needed. Owned by this. */
	char **counted;
	struct itp_probes *probes;
};

void itp_record_options_release(struct itp_record_options *options);

/* Adds them to the main group of a command line, with what is left of it as the target's command.
 */
void itp_record_options_add_entries(GOptionGroup *group, struct itp_record_options *options);

/* Adds --bpf and --no-bpf, between which top has no choice. */
void itp_record_options_add_recorders(GOptionGroup *group, struct itp_record_options *options);

/* Whether programs in the kernel are to be tried first, or alone. Options have been checked. */
bool itp_record_options_want_bpf(const struct itp_record_options *options);

/* Sets the target, after parsing, and checks all. */
bool itp_record_options_check(struct itp_record_options *options, GError **error);

/* All of the recipe but its output, which is good until the options are released. Says on standard
 * error what it follows from. With --overhead, a program may be started, see itp_overhead_run(). */
bool itp_record_options_choose(struct itp_record_options *options, struct itp_held *held,
			       struct itp_recipe *ret_recipe, GError **error);

#endif

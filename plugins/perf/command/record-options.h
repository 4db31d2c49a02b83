/* SPDX-License-Identifier: MIT */
/*
 * Options of record and top about a recording, and the recipe that follows.
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
	/* Values as given; the target and the wishes follow from them. Owned by this. */
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
	gboolean is_bpf;
	/* Recording whose choices are to be made again. Owned by this. */
	char *like;
	/* Limit; NULL when it does not matter. Owned by this. */
	char *overhead;
	/* Complete when the recipe is chosen. */
	struct itp_overhead_wishes wishes;
	/* Functions whose calls are to be counted, NULL for none; and their probes, while needed.
	 * Owned by this. */
	char **counted;
	struct itp_probes *probes;
};

void itp_record_options_release(struct itp_record_options *options);

/* Adds them to the main group of a command line, with its rest as the target's command. */
void itp_record_options_add_entries(GOptionGroup *group, struct itp_record_options *options);

/* Sets the target, after parsing, and checks all. */
bool itp_record_options_check(struct itp_record_options *options, GError **error);

/* Recipe but for its output, valid until the options are released. Reports its reasons on standard
 * error. With --overhead, a program may be started, see itp_overhead_run(). */
bool itp_record_options_choose(struct itp_record_options *options, struct itp_held *held,
			       struct itp_recipe *ret_recipe, GError **error);

#endif

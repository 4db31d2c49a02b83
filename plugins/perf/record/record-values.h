/* SPDX-License-Identifier: MIT */
/*
 * Values of the options of record and top (record-options.h).
 */
#ifndef ITP_PERF_RECORD_RECORD_VALUES_H
#define ITP_PERF_RECORD_RECORD_VALUES_H

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

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Traces in CTF, as those of other tracers, and profiles saved by graphs: graphs of Babeltrace read
 * them. Hosts hand the graphs in, so that all else does without Babeltrace.
 */
#ifndef ITP_ENGINE_HOST_GRAPHS_H
#define ITP_ENGINE_HOST_GRAPHS_H

#include <glib.h>
#include <stdbool.h>

#include "common/engine/inputs.h"
#include "common/engine/interrupt.h"
#include "common/engine/ranking-job.h"

struct itp_graphs {
	/* True when the reader of `traces`, as in struct itp_inputs, can be trusted with them. */
	bool (*try_traces)(const GPtrArray *traces, GError **error);
	/* Graphs that bring `traces` to `job`, which is weak and must
	 * outlive them. `values` are the parameters by stage (stages.h). Free them with
	 * g_ptr_array_unref(); NULL after an error. */
	GPtrArray *(*open_traces)(const GPtrArray *traces, GHashTable *const *values,
				  struct itp_rank_job *job, GError **error);
	/* Reads one after the other, each freed by it. `interrupt` may be NULL. False after an
	 * error, and after an interrupt, which is taken, without an error then. What was read until
	 * then is in the job. */
	bool (*read_traces)(GPtrArray *graphs, struct itp_interrupt *interrupt, GError **error);
};

#endif

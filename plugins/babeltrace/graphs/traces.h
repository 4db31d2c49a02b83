/* SPDX-License-Identifier: MIT */
/*
 * Inputs that are traces in CTF, saved profiles or those of other tracers. Each input has a chain
 * of its own (chain.h), so that inputs with different clocks go together. Saved profiles pass
 * through its filters as they are.
 */
#ifndef ITP_GRAPHS_TRACES_H
#define ITP_GRAPHS_TRACES_H

#include "common/engine/interrupt.h"
#include "common/engine/stages.h"
#include "plugins/babeltrace/graphs/graph.h"
#include "sinks/profiles/component.h"

/* Reads the traces in `directories` (char *) into `muxer`, when a trial has shown that
 * they can be read. */
bool itp_traces_add_all(struct itp_graph *graph, const GPtrArray *directories,
			const bt_component_filter *muxer, GError **error);

/* Graphs that bring `traces`, a GPtrArray of such directories for each input, to `job`, one for
 * each input. `job` is weak and must outlive them. Free them with g_ptr_array_unref(); NULL after
 * an error. */
GPtrArray *itp_traces_new(const GPtrArray *traces, GHashTable *const *values,
			  struct itp_rank_job *job, GError **error);

/* A graph that brings the interests of the traces in `directories`, which are saved or made with
 * the parameters `wait` of filter.introperf.wait, to `sink`; alone in a list. As above otherwise.
 */
GPtrArray *itp_traces_new_interests(const GPtrArray *directories, GHashTable *const *values,
				    GHashTable *wait, struct itp_rank_sink *sink, GError **error);

/* Reads one after the other, each freed by it. `interrupt` may be NULL. False after an error, and
 * after an interrupt, which is taken, without an error then. Earlier messages have arrived. */
bool itp_traces_read(GPtrArray *graphs, struct itp_interrupt *interrupt,
		     GError **error) G_GNUC_WARN_UNUSED_RESULT;

#endif

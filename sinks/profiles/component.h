/* SPDX-License-Identifier: MIT */
/*
 * A sink of profiles as a component of Babeltrace: what arrives in messages, and when the result is
 * due.
 *
 * At the end of the input the result is made. After an error in the graph, it is made of all
 * arrivals so far, in finalize. After an interrupt, the filters end their traces, and consuming
 * goes on until the ends have come.
 *
 * A host with profiles in memory, too, makes the result itself: for it the component only takes
 * arrivals.
 */
#ifndef ITP_SINKS_PROFILES_COMPONENT_H
#define ITP_SINKS_PROFILES_COMPONENT_H

#include <babeltrace2/babeltrace.h>
#include <glib.h>
#include <stdbool.h>

#include "common/engine/ranking-job.h"
#include "messages/upstream.h"
#include "sinks/profiles/arrivals.h"

/* Data of a component: a job with its input. Sinks of more than profiles have a structure of their
 * own, which begins with this. */
struct itp_rank_sink {
	/* Job for the profiles, NULL for a sink of something else; and the path of the result, NULL
	 * = standard output. Weak; `free` may free the job with the sink. */
	struct itp_rank_job *job;
	const char *output;
	void (*free)(struct itp_rank_sink *sink);
	/* For sinks of more than profiles; NULL: itp_rank_sink_add() and itp_rank_job_finish(). The
	 * first takes useful parts of a message, the second makes the result. */
	bool (*add)(struct itp_rank_sink *sink, const bt_message *message, GError **error);
	bool (*finish)(struct itp_rank_sink *sink, enum itp_rank_ending ending, GError **error);

	/* Members of the component. Owned by it. */
	struct itp_upstream upstream;
	struct itp_arrivals *arrivals;
	/* A host makes the result; and what the component was to do is done: the result was
	 * written, or the reason why not was reported. */
	bool is_hosted;
	bool is_done;
};

/* Sink for `job`, which it frees; NULL for NULL. */
struct itp_rank_sink *itp_rank_sink_of_job(struct itp_rank_job *job);

/* For the initialise method of a class: the component takes `sink`, which is NULL after `error`,
 * and takes the error, too. */
bt_component_class_initialize_method_status itp_rank_sink_init(bt_self_component_sink *self,
							       struct itp_rank_sink *sink,
							       GError *error);

/* Initialise method for a host's job: `data` is its struct itp_rank_job, of which the host makes
 * the result, and must outlive the component. */
bt_component_class_initialize_method_status itp_rank_sink_init_of_job(
	bt_self_component_sink *self, bt_self_component_sink_configuration *configuration,
	const bt_value *params, void *data);

/* Initialise method for a host's input: `data` is the host's struct itp_rank_sink, and must outlive
 * the component. Several components may read into it, one after the other. */
bt_component_class_initialize_method_status itp_rank_sink_init_hosted(
	bt_self_component_sink *self, bt_self_component_sink_configuration *configuration,
	const bt_value *params, void *data);

/* Takes messages of a profile, and shows each period. */
bool itp_rank_sink_add(struct itp_rank_sink *sink, const bt_message *message, GError **error);

/* Further methods of the classes. */
void itp_rank_sink_finalize(bt_self_component_sink *self);
bt_component_class_sink_graph_is_configured_method_status itp_rank_sink_graph_is_configured(
	bt_self_component_sink *self);
bt_component_class_sink_consume_method_status itp_rank_sink_consume(bt_self_component_sink *self);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Component class sink.introperf.rank: profiles in, a ranking out.
 *
 *   rank.c   the component: its own parameters, and the ranking
 *   limit.c  limits of `fail-above`
 *
 * Arrivals of profiles, the other parameters and methods, and the writing are sinks/profiles',
 * shared by sinks; the choice of workloads is common/compare's, the ranking common/rank's, its
 * looks are common/render's.
 */
#ifndef ITP_SINKS_RANK_RANK_H
#define ITP_SINKS_RANK_RANK_H

#include <babeltrace2/babeltrace.h>

#include "common/render/render.h"
#include "sinks/profiles/sink.h"
#include "terminal/screen.h"

/* For hosts that name all parameters; the values are this component's own. */
extern const struct itp_param_table itp_rank_param_table;

/* Host of the sink. */
struct itp_rank_host {
	/* How its users ask for the calls of path 1; NULL = by the parameter, "" = they cannot.
	 * Copied. */
	const char *next;
	/* Users type options, not parameters. */
	bool has_options;
	/* Screen for a terminal's view of a live trace, until the result of the whole comes, or
	 * NULL. Weak; must outlive the sink. */
	struct itp_screen *screen;
	/* Shows the result, which is then not written; `looks` are the looks of its text.
	 * Everything ranked is shown unless `top` is given. NULL: it is written. */
	bool (*show)(const struct itp_ranking *ranking, const struct itp_render_options *looks,
		     void *data, GError **error);
	/* Data for `show`. Weak; must outlive the sink. */
	void *show_data;
	/* Further results, in the format of the result: as in struct itp_render_options, to be
	 * freed; NULL without any. May be NULL. */
	char *(*tell_more)(const struct itp_ranking *ranking,
			   const struct itp_render_options *looks, void *data);
	/* Data for `tell_more`. Weak; must outlive the sink. */
	void *tell_data;
	/* Set when something is above a limit of `fail-above`, which is an error like others. May
	 * be NULL. Weak; must outlive the sink. */
	bool *ret_is_above;
	/* Doings of threads by time are kept, if asked for. */
	bool can_remember;
};

/* True when these parameters (common/engine/values.h) need a host that keeps the doings of threads
 * by time. */
bool itp_rank_is_by_wait(GHashTable *values);

/* True when they ask for work to be counted by units. */
bool itp_rank_is_per_unit(GHashTable *values);

/* Part in which they ask for calls; NULL: all. Weak. */
const char *itp_rank_in(GHashTable *values);

/* For hosts that have profiles in memory; `host` may be NULL. NULL after an error. */
struct itp_rank_sink *itp_rank_new(GHashTable *values, const struct itp_rank_host *host,
				   GError **error);

bt_component_class_initialize_method_status itp_rank_init(
	bt_self_component_sink *self, bt_self_component_sink_configuration *configuration,
	const bt_value *params, void *data);

#endif

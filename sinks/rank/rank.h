/* SPDX-License-Identifier: MIT */
/*
 * Component class sink.introperf.rank: profiles in, a ranking out.
 *
 *   rank.c       its own parameters, and what becomes of the input
 *   limit.c      what `fail-above` allows
 *
 * The profiles that arrive, the other parameters and methods, and the writing are sinks/profiles',
 * which sinks share; which workloads are compared is common/compare's, the ranking common/rank's,
 * its looks are common/render's.
 */
#ifndef ITP_SINKS_RANK_RANK_H
#define ITP_SINKS_RANK_RANK_H

#include <babeltrace2/babeltrace.h>

#include "common/render/render.h"
#include "sinks/profiles/sink.h"
#include "terminal/screen.h"

/* For hosts that name all parameters; the values are this component's own. */
extern const struct itp_param_table itp_rank_param_table;

/* What a host may tell of itself. */
struct itp_rank_host {
	/* How its users ask for the calls of path 1; NULL = by the parameter, "" = they cannot.
	 * Copied. */
	const char *next;
	/* They type options, not parameters. */
	bool has_options;
	/* Where it wants to have what a terminal shows of a trace that is live, until the result of
	 * the whole comes, or NULL. Weak; must outlive the sink. */
	struct itp_screen *screen;
	/* Shows the result, which is then not written; `looks` is what text of it would look like.
	 * All that was ranked is shown unless `top` is given. NULL: it is written. */
	bool (*show)(const struct itp_ranking *ranking, const struct itp_render_options *looks,
		     void *data, GError **error);
	/* For that. Weak; must outlive the sink. */
	void *show_data;
	/* What it knows besides, in the format of the result: as in struct itp_render_options, to
	 * be freed; NULL where there is nothing. May be NULL. */
	char *(*tell_more)(const struct itp_ranking *ranking,
			   const struct itp_render_options *looks, void *data);
	/* For that. Weak; must outlive the sink. */
	void *tell_data;
	/* Set when something is above what `fail-above` allows, which is an error as others are.
	 * May be NULL. Weak; must outlive the sink. */
	bool *ret_is_above;
	/* It keeps what threads did when, if it is asked to. */
	bool can_remember;
};

/* Whether these parameters ask for what takes a host that keeps what threads did when. */
bool itp_rank_is_by_wait(const bt_value *params);

/* Whether `params` ask for work to be counted by units. */
bool itp_rank_is_per_unit(const bt_value *params);

/* What they ask for calls in; NULL: for all. Weak. */
const char *itp_rank_in(const bt_value *params);

/* For hosts that have profiles in memory; `host` may be NULL. NULL after an error. */
struct itp_rank_sink *itp_rank_new(const bt_value *params, const struct itp_rank_host *host,
				   GError **error);

bt_component_class_initialize_method_status itp_rank_init(
	bt_self_component_sink *self, bt_self_component_sink_configuration *configuration,
	const bt_value *params, void *data);

#endif

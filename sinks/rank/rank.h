/* SPDX-License-Identifier: MIT */
/*
 * Component class sink.introperf.rank: profiles in, a ranking out.
 *
 *   rank.c       its own parameters, and what becomes of the input
 *   sink.c       what it shares with sink.introperf.report: the other parameters and methods
 *   workloads.c  the profiles that arrive, one for each trace, over one tree
 *   base.c       which of them `base` names
 *   sides.c      what is compared: a view of them, divided
 *   view.c       parameters that say how their contexts are looked at
 *   write.c      where the result goes
 *
 * The view and the ranking are common/rank's, its looks are common/render's.
 */
#ifndef ITP_SINKS_RANK_RANK_H
#define ITP_SINKS_RANK_RANK_H

#include <babeltrace2/babeltrace.h>

#include "messages/params.h"
#include "terminal/screen.h"

/* For hosts that name all parameters; the values are this component's own. */
extern const struct itp_param_table itp_rank_param_table;

/* What a host may tell of itself. */
struct itp_rank_host {
	/* How its users ask for the calls of path 1; NULL = by the parameter, "" = they cannot.
	 * Copied. */
	const char *next;
	/* Where it wants to have what a terminal shows of a trace that is live, until the result of
	 * the whole comes, or NULL. Weak; must outlive the component. */
	struct itp_screen *screen;
};

/* `data`: a struct itp_rank_host, or NULL. */
bt_component_class_initialize_method_status itp_rank_init(
	bt_self_component_sink *self, bt_self_component_sink_configuration *configuration,
	const bt_value *params, void *data);

#endif

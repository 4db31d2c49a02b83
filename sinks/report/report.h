/* SPDX-License-Identifier: MIT */
/*
 * Component class sink.introperf.report: profiles in, a page or a picture out.
 *
 * Arrivals and ranking are sinks/profiles', see sink.h there; its looks are common/render/report's.
 */
#ifndef ITP_SINKS_REPORT_REPORT_H
#define ITP_SINKS_REPORT_REPORT_H

#include <babeltrace2/babeltrace.h>

#include "sinks/profiles/sink.h"

/* For hosts that name all parameters; the values are this component's own. */
extern const struct itp_param_table itp_report_param_table;

/* Callbacks of hosts with profiles in memory, and with options. */
struct itp_report_host {
	/* Source of culprits for the page, as JSON, which the caller frees; *ret_source is NULL for
	 * none. False when it lacks something told by the page, after an error, or after an
	 * interrupt, without an error then. */
	bool (*find_source)(const struct itp_ranking *ranking, void *data, char **ret_source,
			    GError **error);
	/* Requests for the page, as JSON, which the caller frees. */
	char *(*find_requests)(const struct itp_ranking *ranking, void *data);
	/* For both. Weak. */
	void *data;
};

/* `host` is a weak struct itp_report_host. NULL after an error. */
struct itp_rank_sink *itp_report_new(GHashTable *values, const void *host, GError **error);

/* Further methods of the class: sinks/profiles/component.h. */
bt_component_class_initialize_method_status itp_report_init(
	bt_self_component_sink *self, bt_self_component_sink_configuration *configuration,
	const bt_value *params, void *data);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Component class sink.introperf.report: profiles in, a page or a picture out.
 *
 * The page is a job of common/engine (page-job.h), its input sinks/profiles'.
 */
#ifndef ITP_SINKS_REPORT_REPORT_H
#define ITP_SINKS_REPORT_REPORT_H

#include <babeltrace2/babeltrace.h>

/* Further methods of the class: sinks/profiles/component.h. */
bt_component_class_initialize_method_status itp_report_init(
	bt_self_component_sink *self, bt_self_component_sink_configuration *configuration,
	const bt_value *params, void *data);

#endif

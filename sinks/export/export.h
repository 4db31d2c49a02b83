/* SPDX-License-Identifier: MIT */
/*
 * Component class sink.introperf.export: profiles, or function instances, to files of other
 * programs.
 *
 *   export.c  the component
 *   calls.c   function instances, for formats with a timeline
 *
 * Profiles and the methods of the component are sinks/profiles' (component.h), parameters and the
 * file are common/export-job's.
 */
#ifndef ITP_SINKS_EXPORT_EXPORT_H
#define ITP_SINKS_EXPORT_EXPORT_H

#include <babeltrace2/babeltrace.h>

/* `data` is a struct itp_export_host (common/export-job), weak, whose words must outlive the
 * component; NULL for Babeltrace's words. */
bt_component_class_initialize_method_status itp_export_init(
	bt_self_component_sink *self, bt_self_component_sink_configuration *configuration,
	const bt_value *params, void *data);

#endif

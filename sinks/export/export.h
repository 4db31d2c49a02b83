/* SPDX-License-Identifier: MIT */
/*
 * Component class sink.introperf.export: profiles, or function instances, to files of other
 * programs.
 *
 *   export.c  parameters, and what is written when the input ends
 *   calls.c   function instances, for the formats that show a timeline
 *   window.c  the parameters that say which part of it
 *
 * Profiles and the methods of the component are sinks/profiles' (component.h), formats are
 * common/render/export's.
 */
#ifndef ITP_SINKS_EXPORT_EXPORT_H
#define ITP_SINKS_EXPORT_EXPORT_H

#include <babeltrace2/babeltrace.h>

#include "messages/params.h"

/* For hosts that name all parameters; the values are this component's own. */
extern const struct itp_param_table itp_export_param_table;

bt_component_class_initialize_method_status itp_export_init(
	bt_self_component_sink *self, bt_self_component_sink_configuration *configuration,
	const bt_value *params, void *data);

#endif

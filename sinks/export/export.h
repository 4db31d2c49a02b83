/* SPDX-License-Identifier: MIT */
/*
 * Component class sink.introperf.export: profiles, or function instances, to files of other
 * programs.
 *
 *   export.c  the component: its parameters, and the file
 *   calls.c   function instances, for formats with a timeline
 *
 * Profiles and the methods of the component are sinks/profiles' (component.h), formats are
 * common/render/export's.
 */
#ifndef ITP_SINKS_EXPORT_EXPORT_H
#define ITP_SINKS_EXPORT_EXPORT_H

#include <babeltrace2/babeltrace.h>

#include "common/engine/params.h"

/* For hosts that name all parameters; the values are this component's own. */
extern const struct itp_param_table itp_export_param_table;

/* Errors in the words of a host. */
struct itp_export_words {
	/* Subject of errors about a format: takes its name; a verb follows. */
	const char *format_is;
	/* Name of the parameter. */
	const char *begin;
	/* Why a parameter means nothing: single calls came, or a profile. */
	const char *calls_came;
	const char *profile_came;
	/* Behind "shows single calls". */
	const char *no_calls_came;
	/* Remedy: the way to show a part of the time. */
	const char *shows_time;
};

/* `data` is a struct itp_export_words, which is weak and must outlive the component; NULL for
 * Babeltrace's words. */
bt_component_class_initialize_method_status itp_export_init(
	bt_self_component_sink *self, bt_self_component_sink_configuration *configuration,
	const bt_value *params, void *data);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Component class filter.introperf.infer: stack events in, function instances out.
 *
 *   infer.c       the component: an inference for each trace
 *   params.c      its parameters
 *   output.c      its messages
 *   calls.c       entries and exits beside the instances, if wanted
 *   call-trace.c  the trace of these
 *
 * All inference is common/infer's; the ports and iterators are messages/filter.c's.
 */
#ifndef ITP_FILTERS_INFER_INFER_H
#define ITP_FILTERS_INFER_INFER_H

#include <babeltrace2/babeltrace.h>

/* Message where no input has stacks; `source` is the place of perf's. */
#define ITP_INFER_MISSING_TEXT(source)                                                            \
	"no stack events in the input: it must " source " a trace with stacks (LTTng's contexts " \
	"callstack-kernel and callstack-user, perf_callchain) or with lttng_ust_cyg_profile "     \
	"events"

/* `data` is a host's text in its place, or NULL. */
bt_component_class_initialize_method_status itp_infer_filter_init(
	bt_self_component_filter *self, bt_self_component_filter_configuration *configuration,
	const bt_value *params, void *data);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Component class filter.introperf.normalize: function instances in, a profile out.
 *
 * The sums are common/infer's (normalize.h, profile.h); the ports and iterators are
 * messages/filter.c's. Hosts that feed the core themselves take their parameters from
 * here, too.
 */
#ifndef ITP_FILTERS_NORMALIZE_NORMALIZE_H
#define ITP_FILTERS_NORMALIZE_NORMALIZE_H

#include <babeltrace2/babeltrace.h>

#include "common/infer/normalize.h"
#include "messages/params.h"

struct itp_normalize_options {
	enum itp_estimate estimate;
};

/* Parameters and their defaults. */
extern const struct itp_param_table itp_normalize_param_table;
extern const struct itp_normalize_options itp_normalize_defaults;

/* Adds what the options are to `text`, which a workload tells of itself. The caller frees it. */
char *itp_normalize_options_text(const struct itp_normalize_options *options, const char *text);

bt_component_class_initialize_method_status itp_normalize_filter_init(
	bt_self_component_filter *self, bt_self_component_filter_configuration *configuration,
	const bt_value *params, void *data);

#endif

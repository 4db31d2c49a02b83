/* SPDX-License-Identifier: MIT */
/*
 * Parameters of a host without a graph of its own: those of the components, with a map of values
 * (common/engine/values.h) for each.
 */
#ifndef ITP_PERF_HOST_PARAMS_H
#define ITP_PERF_HOST_PARAMS_H

#include "common/engine/recordings.h"

/* Component of a parameter, in the order of a graph. */
enum itp_stage {
	ITP_STAGE_SOURCE,
	ITP_STAGE_INFER,
	ITP_STAGE_NORMALIZE,
	ITP_STAGE_RANK,
};

#define ITP_STAGE_COUNT 4

/* Names of a stage's parameters. */
const struct itp_param_table *itp_stage_param_table(enum itp_stage stage);

/* Reads `values`, maps by stage, of all but the last, which checks its values itself; and opens
 * their files. Also after an error, release it. */
bool itp_host_params_init(struct itp_reading_params *params, GHashTable *const *values,
			  GError **error);
void itp_host_params_release(struct itp_reading_params *params);

/* False when the output of the last stage, with its parameters `values`, would harm any of `inputs`
 * (char *, files and directories). */
bool itp_host_check_output(GHashTable *values, const GPtrArray *inputs, GError **error);

#endif

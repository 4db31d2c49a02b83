/* SPDX-License-Identifier: MIT */
/*
 * Parameters of a request by the stage that they are for, with a map of values (values.h) for each.
 */
#ifndef ITP_ENGINE_STAGES_H
#define ITP_ENGINE_STAGES_H

#include "common/engine/recordings.h"

/* Stage of a parameter, on the way from a recording to a result. */
enum itp_stage {
	ITP_STAGE_SOURCE,
	ITP_STAGE_INFER,
	ITP_STAGE_NORMALIZE,
	ITP_STAGE_RANK,
};

#define ITP_STAGE_COUNT 4

/* Rows for the table of a structure that has a struct itp_infer_options as `member`. */
#define ITP_INFER_PARAMS(structure, member)                                         \
	{ "continuity", ITP_PARAM_CHOICE, offsetof(structure, member.continuity),   \
	  itp_continuity_names },                                                   \
	{                                                                           \
		"group-by", ITP_PARAM_CHOICE, offsetof(structure, member.group_by), \
			itp_group_by_names                                          \
	}

/* Rows for the table of a structure that has a struct itp_normalize_options as `member`. */
#define ITP_NORMALIZE_PARAMS(structure, member)                                          \
	{ "estimate", ITP_PARAM_CHOICE, offsetof(structure, member.estimate),            \
	  itp_estimate_names },                                                          \
	{                                                                                \
		"latencies", ITP_PARAM_BOOL, offsetof(structure, member.latencies), NULL \
	}

/* Names of a stage's parameters. */
const struct itp_param_table *itp_stage_param_table(enum itp_stage stage);

/* Reads `values`, maps by stage, of all but the last, whose job (written-ranking.h) checks them;
 * and opens their files. Also after an error, release it. */
bool itp_reading_params_init(struct itp_reading_params *params, GHashTable *const *values,
			     GError **error);
void itp_reading_params_release(struct itp_reading_params *params);

/* False when the output of the last stage, with its parameters `values`, would harm any of `inputs`
 * (char *, files and directories). */
bool itp_stage_check_output(GHashTable *values, const GPtrArray *inputs, GError **error);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * See options.h.
 */
#include "common/infer/options.h"

const char *const itp_continuity_names[] = {
	[ITP_CONTINUITY_FUNCTION] = "function",
	[ITP_CONTINUITY_CALL_SITE] = "call-site",
	[ITP_CONTINUITY_CONTROL_FLOW] = "control-flow",
	NULL,
};

const char *const itp_group_by_names[] = {
	[ITP_GROUP_BY_PROCESS] = "process",
	[ITP_GROUP_BY_PID] = "pid",
	[ITP_GROUP_BY_TID] = "tid",
	[ITP_GROUP_BY_ALL] = "all",
	NULL,
};

const char *const itp_estimate_names[] = {
	[ITP_ESTIMATE_CONSERVATIVE] = "conservative",
	[ITP_ESTIMATE_AGGRESSIVE] = "aggressive",
	[ITP_ESTIMATE_BEST] = "best",
	NULL,
};

char *itp_infer_options_text(const struct itp_infer_options *options)
{
	return g_strdup_printf("continuity=%s group-by=%s",
			       itp_continuity_names[options->continuity],
			       itp_group_by_names[options->group_by]);
}

char *itp_normalize_options_text(const struct itp_normalize_options *options, const char *text)
{
	return g_strdup_printf("%s%sestimate=%s", text, text[0] == '\0' ? "" : " ",
			       itp_estimate_names[options->estimate]);
}

/* SPDX-License-Identifier: MIT */
/*
 * See options.h.
 */
#include "common/infer/options.h"

#include <string.h>

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
	[ITP_GROUP_BY_CONTAINER] = "container",
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
	return itp_options_text_with(text, "estimate", itp_estimate_names[options->estimate]);
}

char *itp_options_text_with(const char *text, const char *name, const char *value)
{
	g_autofree char *word = g_strdelimit(g_strdup(value), " ", '_');

	return g_strdup_printf("%s%s%s=%s", text, text[0] == '\0' ? "" : " ", name, word);
}

char *itp_options_text_get(const char *text, const char *name)
{
	g_auto(GStrv) options = g_strsplit(text, " ", -1);
	const size_t length = strlen(name);

	for (char **option = options; *option != NULL; option++) {
		if (strncmp(*option, name, length) == 0 && (*option)[length] == '=') {
			return g_strdup(*option + length + 1);
		}
	}
	return NULL;
}

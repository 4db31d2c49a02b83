/* SPDX-License-Identifier: MIT */
/*
 * See functions.h.
 */
#include "common/mine/functions.h"

#include <string.h>

bool itp_mined_is_itself(const struct itp_function *function)
{
	return strcmp(function->name, ITP_MINED_ITSELF) == 0;
}

char *itp_mined_key(const struct itp_function *function)
{
	g_autofree char *key = g_strdup_printf("%s!%s", function->module, function->name);

	return g_utf8_make_valid(key, -1);
}

bool itp_mined_is_own(const struct itp_function *function)
{
	return function->layer == ITP_LAYER_USER && function->module[0] != '\0' &&
	       !function->is_system && !itp_mined_is_itself(function);
}

bool itp_mined_tells(const struct itp_function *function)
{
	return (itp_mined_is_own(function) && !function->is_unnamed) ||
	       itp_function_syscall(function);
}

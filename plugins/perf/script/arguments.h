/* SPDX-License-Identifier: MIT */
/*
 * The arguments of the script, as one may write them: NAME=VALUE, --NAME=VALUE or --NAME VALUE.
 */
#ifndef ITP_PERF_SCRIPT_ARGUMENTS_H
#define ITP_PERF_SCRIPT_ARGUMENTS_H

/* All of them as NAME=VALUE, for itp_dlargs_init(). Owned by the caller (g_strfreev). */
char **itp_arguments_read(char *const *texts, int count);

#endif

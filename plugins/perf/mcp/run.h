/* SPDX-License-Identifier: MIT */
/*
 * A command of perf-introperf as a child.
 */
#ifndef ITP_PERF_MCP_RUN_H
#define ITP_PERF_MCP_RUN_H

#include <glib.h>
#include <stdbool.h>

/* Bytes of an answer; what is longer ends with a sentence that says so. */
#define ITP_MCP_ANSWER_BYTES 32768

/* Runs this program with `arguments`, for which it reads nothing, until it ends. Both of its
 * outputs together become *ret_text, owned by the caller. False when it failed, and *ret_text then
 * says why. */
bool itp_mcp_run_command(char *const *arguments, char **ret_text);

#endif

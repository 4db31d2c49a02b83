/* SPDX-License-Identifier: MIT */
/*
 * A command of perf-introperf as a child. The choice of commands is left to tools.c.
 */
#ifndef ITP_PERF_MCP_RUN_H
#define ITP_PERF_MCP_RUN_H

#include <glib.h>
#include <stdbool.h>

/* Most bytes of an answer; a longer one ends with a sentence about the cut. */
#define ITP_MCP_ANSWER_BYTES 32768

/* Runs this program with `arguments` and an empty input until its end. Both outputs together become
 * *ret_text, owned by the caller. False when it failed; *ret_text then has the reason. */
bool itp_mcp_run_command(char *const *arguments, char **ret_text);

#endif

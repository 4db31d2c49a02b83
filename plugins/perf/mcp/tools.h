/* SPDX-License-Identifier: MIT */
/*
 * Tools of mcp: what a client can ask for.
 */
#ifndef ITP_PERF_MCP_TOOLS_H
#define ITP_PERF_MCP_TOOLS_H

#include <glib.h>
#include <jansson.h>

/* Names, descriptions and JSON schemas of the tools' arguments. A new reference. */
json_t *itp_mcp_tools_list(void);

/* The words that the call of a tool becomes: "report", "--", "slow.data". NULL with an error where
 * there is no such tool, or its arguments are not what it takes. Free with g_strfreev(). */
char **itp_mcp_tool_command(const char *name, const json_t *arguments, GError **error);

#endif

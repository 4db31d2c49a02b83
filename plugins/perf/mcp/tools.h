/* SPDX-License-Identifier: MIT */
/*
 * Tools of mcp: the questions of a client, and their commands.
 */
#ifndef ITP_PERF_MCP_TOOLS_H
#define ITP_PERF_MCP_TOOLS_H

#include <glib.h>
#include <jansson.h>

/* Names, descriptions and JSON schemas of the tools' arguments. A new reference. */
json_t *itp_mcp_tools_list(void);

/* Words of the command for the call of a tool: "report", "--", "slow.data". NULL with an error for
 * an unknown tool or wrong arguments. Free with g_strfreev(). */
char **itp_mcp_tool_command(const char *name, const json_t *arguments, GError **error);

#endif

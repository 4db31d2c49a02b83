/* SPDX-License-Identifier: MIT */
/*
 * mcp: introperf for programs that talk, by the Model Context Protocol over standard input and
 * output: a JSON-RPC message a line.
 *
 *   mcp.c    messages: which method, and what is answered
 *   tools.c  what can be asked for, and the command of perf-introperf that each becomes
 *   run.c    such a command as a child, and the beginning of what it says
 */
#ifndef ITP_PERF_MCP_MCP_H
#define ITP_PERF_MCP_MCP_H

/* Answers until the input ends. Returns the exit status of the program. */
int itp_mcp_run(char **arguments);

#endif

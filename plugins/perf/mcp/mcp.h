/* SPDX-License-Identifier: MIT */
/*
 * mcp: introperf for programs that talk, by the Model Context Protocol over standard input and
 * output: one JSON-RPC message a line.
 *
 *   mcp.c     messages: methods and their answers
 *   tools.c   tools, and the command of perf-introperf for each call
 *   run.c     a command as a child, and the beginning of its output
 */
#ifndef ITP_PERF_MCP_MCP_H
#define ITP_PERF_MCP_MCP_H

/* Answers until the input ends. Returns the exit status of the program. */
int itp_mcp_run(char **arguments);

#endif

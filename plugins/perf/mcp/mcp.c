/* SPDX-License-Identifier: MIT */
/*
 * See mcp.h. JSON-RPC 2.0 without batches, given up by the protocol; only the methods for tools.
 * Errors of a tool are its result, for the caller to read; errors of the protocol are errors.
 */
#include "plugins/perf/mcp/mcp.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>
#include <jansson.h>

#include "plugins/perf/mcp/run.h"
#include "plugins/perf/mcp/tools.h"
#include "terminal/terminal.h"

/* Version for clients that ask for an unknown one. */
#define NEWEST_VERSION "2025-06-18"
/* Longest message, in bytes: a call of a tool has some hundred. */
#define MESSAGE_BYTES (1 << 20)

static const char *const versions[] = { "2024-11-05", "2025-03-26", NEWEST_VERSION, NULL };

enum {
	PARSE_ERROR = -32700,
	INVALID_REQUEST = -32600,
	METHOD_NOT_FOUND = -32601,
	INVALID_PARAMS = -32602,
};

/* ---- Answers ---- */

/* Takes the reference of `message`. False when nobody reads any more. */
static bool send(json_t *message)
{
	char *text = json_dumps(message, JSON_COMPACT);
	const bool is_sent = printf("%s\n", text) >= 0 && fflush(stdout) == 0;

	free(text);
	json_decref(message);
	return is_sent;
}

static bool send_error(const json_t *id, int code, const char *text)
{
	return send(json_pack("{s:s, s:O?, s:{s:i, s:s}}", "jsonrpc", "2.0", "id", id, "error",
			      "code", code, "message", text));
}

/* Takes the reference of `result`. */
static bool send_result(const json_t *id, json_t *result)
{
	return send(json_pack("{s:s, s:O?, s:o}", "jsonrpc", "2.0", "id", id, "result", result));
}

/* ---- Methods ---- */

static json_t *initialize(const json_t *params)
{
	const char *asked = json_string_value(json_object_get(params, "protocolVersion"));
	const char *version = asked && g_strv_contains(versions, asked) ? asked : NEWEST_VERSION;

	return json_pack(
		"{s:s, s:{s:{}}, s:{s:s, s:s}, s:s}", "protocolVersion", version, "capabilities",
		"tools", "serverInfo", "name", "introperf", "version", PACKAGE_VERSION,
		"instructions",
		"Record a good and a slow run with `record`, compare them with `diff`, look at "
		"an entry with `path`. One recording alone: `report`, `functions`, `waits`.");
}

static json_t *tool_result(const char *text, bool is_error)
{
	g_autofree char *valid = g_utf8_make_valid(text, -1);

	return json_pack("{s:[{s:s, s:s}], s:b}", "content", "type", "text", "text", valid,
			 "isError", is_error);
}

static bool call_tool(const json_t *id, const json_t *params)
{
	const char *name = json_string_value(json_object_get(params, "name"));
	json_t *arguments = json_object_get(params, "arguments");
	json_auto_t *none = json_object();
	g_autoptr(GError) error = NULL;
	g_autofree char *text = NULL;
	g_auto(GStrv) command = NULL;

	if (!name || (arguments && !json_is_object(arguments))) {
		return send_error(id, INVALID_PARAMS,
				  "tools/call needs a name, and arguments as an object");
	}
	command = itp_mcp_tool_command(name, arguments ? arguments : none, &error);
	if (!command) {
		g_autofree char *why = g_strdup_printf("%s: %s", name, error->message);

		return send_error(id, INVALID_PARAMS, why);
	}
	const bool is_fine = itp_mcp_run_command(command, &text);

	return send_result(id, tool_result(text, !is_fine));
}

static bool answer(const json_t *id, const char *method, const json_t *params)
{
	if (strcmp(method, "initialize") == 0) {
		return send_result(id, initialize(params));
	}
	if (strcmp(method, "ping") == 0) {
		return send_result(id, json_object());
	}
	if (strcmp(method, "tools/list") == 0) {
		return send_result(id, json_pack("{s:o}", "tools", itp_mcp_tools_list()));
	}
	if (strcmp(method, "tools/call") == 0) {
		return call_tool(id, params);
	}
	return send_error(id, METHOD_NOT_FOUND,
			  "there are initialize, ping, tools/list and tools/call");
}

/* ---- Messages ---- */

/* Passes over notifications, which have no id, and over answers to nothing asked. */
static bool take_message(const json_t *message)
{
	const json_t *id = json_object_get(message, "id");
	const char *method = json_string_value(json_object_get(message, "method"));

	if (!json_is_object(message)) {
		return send_error(NULL, INVALID_REQUEST, "a message is one JSON object");
	}
	if (!method) {
		return json_object_get(message, "result") || json_object_get(message, "error") ||
		       send_error(id, INVALID_REQUEST, "a request has a method");
	}
	return !id || answer(id, method, json_object_get(message, "params"));
}

static bool take_line(const char *line, size_t size)
{
	json_error_t error;
	json_auto_t *message = NULL;

	if (size > MESSAGE_BYTES) {
		return send_error(NULL, INVALID_REQUEST, "a message has at most 1 MiB");
	}
	if (line[strspn(line, " \t\r\n")] == '\0' && strlen(line) == size) {
		return true;
	}
	message = json_loadb(line, size, JSON_REJECT_DUPLICATES, &error);
	return message ? take_message(message) : send_error(NULL, PARSE_ERROR, error.text);
}

/* Reads the next line, and drops its part beyond MESSAGE_BYTES. False at the end. */
static bool read_line(GString *line)
{
	size_t size = 0;
	int byte;

	g_string_truncate(line, 0);
	while ((byte = getc_unlocked(stdin)) != EOF && byte != '\n') {
		size++;
		if (line->len <= MESSAGE_BYTES) {
			g_string_append_c(line, (char)byte);
		}
	}
	return byte != EOF || size > 0;
}

int itp_mcp_run(char **arguments)
{
	g_autoptr(GString) line = g_string_new(NULL);
	bool is_read = true;

	if (arguments[1]) {
		itp_terminal_say("introperf: mcp: it takes no arguments: messages come on standard "
				 "input");
		return EXIT_FAILURE;
	}
	while (is_read && read_line(line)) {
		is_read = take_line(line->str, line->len);
	}
	return EXIT_SUCCESS;
}

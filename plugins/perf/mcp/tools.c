/* SPDX-License-Identifier: MIT */
/*
 * See tools.h: one table. An argument becomes an option of the command, or one of its words.
 */
#include "plugins/perf/mcp/tools.h"

#include <stdbool.h>
#include <string.h>

#define PARAMETERS 6

enum kind {
	TEXT,
	NUMBER,
	/* Several texts. */
	WORDS,
};

static const char *const kind_names[] = { "string", "integer", "array" };

/* Place of an argument in the command. */
enum place {
	/* Option of the parameter, "--top=5". */
	OPTION,
	/* Word behind the options, in the order of the table. */
	WORD,
	/* Last words: a command, or the time to record. */
	COMMAND,
	SECONDS,
};

struct parameter {
	const char *name;
	enum kind kind;
	enum place place;
	bool is_required;
	const char *option;
	const char *about;
};

#define RECORDING_ABOUT "a recording of `record`, of perf record, or a saved profile"
#define TOP                                                               \
	{                                                                 \
		"top", NUMBER, OPTION, false, "--top", "how many entries" \
	}

static const struct tool {
	const char *name;
	/* Name of the command, with its constant options. */
	const char *const command[4];
	const char *about;
	const struct parameter parameters[PARAMETERS];
} tools[] = {
	{ "record",
	  { "record", NULL },
	  "Record system calls, switches, wakeups and a timer with their stacks, of a command or of a "
	  "process that runs, into a file for the other tools.",
	  { { "output", TEXT, OPTION, true, "--output", "the file to write, as slow.data" },
	    { "command", WORDS, COMMAND, false, NULL, "the program and its arguments" },
	    { "pid", NUMBER, OPTION, false, "--pid", "a process that runs, with its children" },
	    { "seconds", NUMBER, SECONDS, false, NULL, "how long, of a process (10)" },
	    { "overhead", TEXT, OPTION, false, "--overhead",
	      "share of CPU time that it may take (5%), or none to see each system call" } } },
	{ "report",
	  { "report", "--verbose", NULL },
	  "Where the time of one recording went: a sentence, and the calling contexts that took most.",
	  { { "recording", TEXT, WORD, true, NULL, RECORDING_ABOUT },
	    { "path", NUMBER, OPTION, false, "--path", "an entry from nearby, from 1 on" },
	    TOP } },
	{ "diff",
	  { "diff", NULL },
	  "What makes a slow recording slower than a good one: a sentence, and the calling contexts "
	  "that explain the difference, with how sure each is.",
	  { { "good", TEXT, WORD, true, NULL, RECORDING_ABOUT ", that behaves" },
	    { "slow", TEXT, WORD, true, NULL, RECORDING_ABOUT ", under suspicion" },
	    { "per", TEXT, OPTION, false, "--per",
	      "what work is counted by where the two did not do as much: run, second, unit, call:F" },
	    TOP } },
	{ "path",
	  { "diff", NULL },
	  "One entry of `diff` from nearby: each function on the path, its calls, and what it waited "
	  "for.",
	  { { "good", TEXT, WORD, true, NULL, RECORDING_ABOUT ", that behaves" },
	    { "slow", TEXT, WORD, true, NULL, RECORDING_ABOUT ", under suspicion" },
	    { "rank", NUMBER, OPTION, true, "--path", "number of the entry, from 1 on" } } },
	{ "functions",
	  { "report", "--by=function", NULL },
	  "Functions of one recording by their own time, over all contexts.",
	  { { "recording", TEXT, WORD, true, NULL, RECORDING_ABOUT }, TOP } },
	{ "waits",
	  { "report", "--by=wait", NULL },
	  "What holds up the other threads of one recording.",
	  { { "recording", TEXT, WORD, true, NULL, RECORDING_ABOUT }, TOP } },
	{ "units",
	  { "units", NULL },
	  "Units of work, as a server's requests: how many, how long, of which types. The recording "
	  "needs each system call (overhead none).",
	  { { "recording", TEXT, WORD, true, NULL, RECORDING_ABOUT } } },
	{ "source",
	  { "annotate", NULL },
	  "Source lines of a function, or of the first culprit, with what each costs.",
	  { { "recording", TEXT, WORD, true, NULL, RECORDING_ABOUT },
	    { "function", TEXT, OPTION, false, "--symbol", "the function's name" } } },
};

/* ---- The list ---- */

static json_t *parameter_schema(const struct parameter *parameter)
{
	json_t *schema = json_pack("{s:s, s:s}", "type", kind_names[parameter->kind], "description",
				   parameter->about);

	if (parameter->kind == WORDS) {
		json_object_set_new(schema, "items", json_pack("{s:s}", "type", "string"));
	}
	return schema;
}

static json_t *tool_schema(const struct tool *tool)
{
	json_t *properties = json_object();
	json_t *required = json_array();

	for (int i = 0; i < PARAMETERS && tool->parameters[i].name; i++) {
		const struct parameter *parameter = &tool->parameters[i];

		json_object_set_new(properties, parameter->name, parameter_schema(parameter));
		if (parameter->is_required) {
			json_array_append_new(required, json_string(parameter->name));
		}
	}
	return json_pack("{s:s, s:o, s:o, s:b}", "type", "object", "properties", properties,
			 "required", required, "additionalProperties", 0);
}

json_t *itp_mcp_tools_list(void)
{
	json_t *list = json_array();

	for (size_t i = 0; i < G_N_ELEMENTS(tools); i++) {
		json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "name", tools[i].name,
						      "description", tools[i].about, "inputSchema",
						      tool_schema(&tools[i])));
	}
	return list;
}

/* ---- A call ---- */

static bool refuse_argument(GError **error, const char *format, const char *what)
{
	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, format, what);
	return false;
}

static const struct parameter *find_parameter(const struct tool *tool, const char *name)
{
	for (int i = 0; i < PARAMETERS && tool->parameters[i].name; i++) {
		if (strcmp(tool->parameters[i].name, name) == 0) {
			return &tool->parameters[i];
		}
	}
	return NULL;
}

static bool are_texts(const json_t *array)
{
	for (size_t i = 0; i < json_array_size(array); i++) {
		if (!json_is_string(json_array_get(array, i))) {
			return false;
		}
	}
	return json_array_size(array) > 0;
}

static bool is_of_kind(const json_t *value, enum kind kind)
{
	switch (kind) {
	case TEXT:
		return json_is_string(value);
	case NUMBER:
		return json_is_integer(value) && json_integer_value(value) >= 0;
	default:
		return json_is_array(value) && are_texts(value);
	}
}

static bool check_arguments(const struct tool *tool, const json_t *arguments, GError **error)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)arguments, key, value)
	{
		const struct parameter *parameter = find_parameter(tool, key);

		if (!parameter) {
			return refuse_argument(error, "it takes no argument \"%s\"", key);
		}
		if (!is_of_kind(value, parameter->kind)) {
			return refuse_argument(
				error,
				parameter->kind == TEXT   ? "\"%s\" is a text" :
				parameter->kind == NUMBER ? "\"%s\" is a number, 0 or more" :
							    "\"%s\" is a list of texts",
				key);
		}
	}
	for (int i = 0; i < PARAMETERS && tool->parameters[i].name; i++) {
		if (tool->parameters[i].is_required &&
		    !json_object_get(arguments, tool->parameters[i].name)) {
			return refuse_argument(error, "it needs the argument \"%s\"",
					       tool->parameters[i].name);
		}
	}
	return true;
}

static char *text_of_argument(const json_t *value)
{
	return json_is_string(value) ?
		       g_strdup(json_string_value(value)) :
		       g_strdup_printf("%" JSON_INTEGER_FORMAT, json_integer_value(value));
}

/* Adds the arguments of a place: options as "--top=5", others as words. */
static void add_words(GPtrArray *words, const struct tool *tool, const json_t *arguments,
		      enum place place)
{
	for (int i = 0; i < PARAMETERS && tool->parameters[i].name; i++) {
		const struct parameter *parameter = &tool->parameters[i];
		const json_t *value = json_object_get(arguments, parameter->name);
		g_autofree char *text = NULL;

		if (!value || parameter->place != place) {
			continue;
		}
		for (size_t word = 0; word < json_array_size(value); word++) {
			g_ptr_array_add(words, text_of_argument(json_array_get(value, word)));
		}
		if (!json_is_array(value)) {
			text = text_of_argument(value);
			g_ptr_array_add(words,
					place == OPTION ?
						g_strdup_printf("%s=%s", parameter->option, text) :
						g_strdup(text));
		}
	}
}

/* Adds `sleep`: a process is recorded while it runs. */
static void add_sleep(GPtrArray *words, const json_t *arguments)
{
	const json_t *seconds = json_object_get(arguments, "seconds");

	if (json_object_get(arguments, "pid")) {
		g_ptr_array_add(words, g_strdup("sleep"));
		g_ptr_array_add(words, seconds ? text_of_argument(seconds) : g_strdup("10"));
	}
}

static bool check_target(const struct tool *tool, const json_t *arguments, GError **error)
{
	const bool has_command = json_object_get(arguments, "command") != NULL;
	const bool has_process = json_object_get(arguments, "pid") != NULL;

	if (strcmp(tool->name, "record") != 0 || has_command != has_process) {
		return true;
	}
	return refuse_argument(error, "it needs %s",
			       has_command ? "a command or a pid, not both" : "a command or a pid");
}

char **itp_mcp_tool_command(const char *name, const json_t *arguments, GError **error)
{
	const struct tool *tool = NULL;
	GPtrArray *words;

	for (size_t i = 0; i < G_N_ELEMENTS(tools); i++) {
		if (strcmp(tools[i].name, name) == 0) {
			tool = &tools[i];
		}
	}
	if (!tool) {
		refuse_argument(error, "there is no tool \"%s\"", name);
		return NULL;
	}
	if (!check_arguments(tool, arguments, error) || !check_target(tool, arguments, error)) {
		return NULL;
	}
	words = g_ptr_array_new();
	for (int i = 0; tool->command[i]; i++) {
		g_ptr_array_add(words, g_strdup(tool->command[i]));
	}
	add_words(words, tool, arguments, OPTION);
	g_ptr_array_add(words, g_strdup("--"));
	add_words(words, tool, arguments, WORD);
	add_words(words, tool, arguments, COMMAND);
	add_sleep(words, arguments);
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(words, FALSE);
}

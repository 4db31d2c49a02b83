/* SPDX-License-Identifier: MIT */
/*
 * Reads a recording to its end and writes down what came.
 */
#include "tests/perf/events-text.h"

static const char *const kind_names[ITP_EVENT_KIND_COUNT] = {
	"ENTER", "EXIT", "OUT", "IN",   "WAKEUP", "SAMPLE",    "ENTRY",  "RETURN", "LOSS",
	"START", "EXEC", "END", "CALL", "LATE",   "MISPLACED", "WINDOW", "IN",     "SPEED",
};

void events_text_append(GString *text, const struct itp_stack_event *event,
			const struct itp_function_table *functions)
{
	g_string_append_printf(text, "%s %d/%d %s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT,
			       kind_names[event->kind], event->pid, event->tid, event->comm,
			       event->time_ns, event->argument);
	if (event->callee != ITP_FUNCTION_UNKNOWN) {
		g_string_append_printf(text, " %s",
				       itp_function_table_get(functions, event->callee)->name);
	}
	if (event->since_wake_ns > 0) {
		g_string_append_printf(text, " since wake %" G_GINT64_FORMAT, event->since_wake_ns);
	}
	if (event->kind == ITP_EVENT_SPEED) {
		g_string_append_printf(text, " %" G_GUINT64_FORMAT, event->words.words[0]);
	}
	if (event->frame_count > 0 || !event->complete) {
		g_string_append(text, event->complete ? " " : " ?");
	}
	for (size_t i = 0; i < event->frame_count; i++) {
		g_string_append_printf(
			text, i > 0 ? ">%s" : "%s",
			itp_function_table_get(functions, event->frames[i].function)->name);
	}
	g_string_append_c(text, '\n');
}

char *events_text(const char *path, const struct itp_perf_options *options)
{
	const struct itp_perf_options none = { .symfs = NULL };
	struct itp_function_table *functions = itp_function_table_new();
	enum itp_error error = ITP_OK;
	struct itp_perf_reader *reader =
		itp_perf_reader_new(path, options ? options : &none, functions, &error);
	GString *text = g_string_new(NULL);
	struct itp_stack_event event;
	int got = error;

	while (reader && (got = itp_perf_reader_next(reader, &event)) == 1) {
		events_text_append(text, &event, functions);
	}
	g_string_append_printf(text, "end %d\n", got);
	itp_perf_reader_free(reader);
	itp_function_table_free(functions);
	return g_string_free(text, FALSE);
}

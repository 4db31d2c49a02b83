/* SPDX-License-Identifier: MIT */
/*
 * JSON trace events, which Perfetto and chrome://tracing open: begin and end of each call, thread
 * by thread, in the order of time, so that events of the same instant nest as the calls do. Calls
 * without length are instants.
 *
 * Readers group calls by name, so a name is the function's and nothing else: its arguments are
 * among the call's data. The data come with the end, since speedscope takes data of the begin for a
 * part of the name.
 *
 * Times are microseconds with three decimals, from the first begin on: doubles, which readers make
 * of them, hold the nanoseconds of 104 days. `otherData` tells where on the recording's clock the
 * first begin is.
 */
#include "common/render/export/writers.h"

#include <inttypes.h>

#include "common/base/error.h"
#include "common/render/export/json-names.h"

#define NS_PER_US 1000

struct chrome {
	const struct itp_export_input *input;
	struct itp_json_names *names;
	FILE *stream;
	int64_t origin_ns;
	bool has_event;
	/* bool, of each open call: it is an instant. Owned by this. */
	GArray *open;
};

static const char *const categories[ITP_LAYER_COUNT] = {
	[ITP_LAYER_USER] = "user",
	[ITP_LAYER_KERNEL] = "kernel",
	[ITP_LAYER_SYSCALL] = "syscall",
	[ITP_LAYER_PROCESS] = "process",
};

static void begin_event(struct chrome *chrome)
{
	fputs(chrome->has_event ? ",\n" : "\n", chrome->stream);
	chrome->has_event = true;
}

static void write_name(struct chrome *chrome, const char *what, int32_t pid, int32_t tid,
		       const char *name)
{
	begin_event(chrome);
	fprintf(chrome->stream,
		"{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%" PRId32 ",\"tid\":%" PRId32
		",\"ts\":0,\"args\":{\"name\":%s}}",
		what, pid, tid, name);
}

/* Rows stand in the order of threads, units above calls. */
static void write_row_name(struct chrome *chrome, const struct itp_timeline_thread *thread,
			   guint place, const char *name)
{
	begin_event(chrome);
	fprintf(chrome->stream,
		"{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":%" PRId32 ",\"tid\":%" PRId32
		",\"ts\":0,\"args\":{\"sort_index\":%u}}",
		thread->pid, itp_timeline_row(thread), place);
	write_name(chrome, "thread_name", thread->pid, itp_timeline_row(thread),
		   thread->has_units ? "\"units of work\"" : name);
}

static void write_names(struct chrome *chrome)
{
	for (guint i = 0; i < itp_timeline_thread_count(chrome->input->timeline); i++) {
		const struct itp_timeline_thread *thread =
			itp_timeline_thread(chrome->input->timeline, i);
		const char *name = itp_json_names_function(chrome->names, thread->process);
		g_autofree char *thread_name = thread->name ? itp_json_quote(thread->name) : NULL;

		if (i == 0 ||
		    itp_timeline_thread(chrome->input->timeline, i - 1)->pid != thread->pid) {
			write_name(chrome, "process_name", thread->pid, itp_timeline_row(thread),
				   name);
		}
		write_row_name(chrome, thread, i, thread_name ? thread_name : name);
	}
}

static void write_args(const struct chrome *chrome, const struct itp_timeline_call *call)
{
	fputs(",\"args\":{\"function\":", chrome->stream);
	fputs(itp_json_names_function(chrome->names, call->function), chrome->stream);
	fputs(",", chrome->stream);
	itp_json_names_write_call(chrome->names, call, chrome->stream);
	fprintf(chrome->stream, "%s%s%s}",
		call->flags & ITP_INSTANCE_BEGIN_UNKNOWN ? ",\"begin_unknown\":true" : "",
		call->flags & ITP_INSTANCE_END_UNKNOWN ? ",\"end_unknown\":true" : "",
		call->flags & ITP_INSTANCE_LOST ? ",\"lost\":true" : "");
}

static void write_event(struct chrome *chrome, const struct itp_timeline_thread *thread,
			const struct itp_timeline_event *event, const char *phase, bool is_end)
{
	const struct itp_timeline_call *call = &event->call;
	enum itp_layer layer =
		itp_function_table_get(chrome->input->functions, call->function)->layer;
	int64_t at_ns = event->time_ns - chrome->origin_ns;

	begin_event(chrome);
	fprintf(chrome->stream,
		"{\"ph\":%s,\"name\":%s,\"cat\":\"%s\",\"pid\":%" PRId32 ",\"tid\":%" PRId32
		",\"ts\":%" PRId64 ".%03d",
		phase, itp_json_names_plain(chrome->names, call->function), categories[layer],
		thread->pid, itp_timeline_row(thread), at_ns / NS_PER_US, (int)(at_ns % NS_PER_US));
	if (is_end) {
		write_args(chrome, call);
	}
	fputs("}", chrome->stream);
}

static void write_begin(struct chrome *chrome, const struct itp_timeline_thread *thread,
			const struct itp_timeline_event *event)
{
	bool is_instant = event->call.begin_ns == event->call.end_ns;

	write_event(chrome, thread, event, is_instant ? "\"i\",\"s\":\"t\"" : "\"B\"", is_instant);
	g_array_append_val(chrome->open, is_instant);
}

static void write_end(struct chrome *chrome, const struct itp_timeline_thread *thread,
		      const struct itp_timeline_event *event)
{
	if (!g_array_index(chrome->open, bool, chrome->open->len - 1)) {
		write_event(chrome, thread, event, "\"E\"", true);
	}
	g_array_set_size(chrome->open, chrome->open->len - 1);
}

static int write_thread(struct chrome *chrome, guint index)
{
	struct itp_timeline *timeline = chrome->input->timeline;
	const struct itp_timeline_thread *thread = itp_timeline_thread(timeline, index);
	struct itp_timeline_event event;
	int code = itp_timeline_open(timeline, index);

	while (code == ITP_OK && (code = itp_timeline_next(timeline, &event)) > 0) {
		if (event.is_begin) {
			write_begin(chrome, thread, &event);
		} else {
			write_end(chrome, thread, &event);
		}
		code = ITP_OK;
	}
	return code;
}

int itp_export_chrome(const struct itp_export_input *input, FILE *stream)
{
	struct chrome chrome = {
		.input = input,
		.names = itp_json_names_new(input->functions),
		.stream = stream,
		.origin_ns = itp_timeline_begin_ns(input->timeline),
		.open = g_array_new(FALSE, FALSE, sizeof(bool)),
	};
	g_autofree char *name = itp_json_quote(input->name);
	int code = ITP_OK;

	fputs("{\"traceEvents\":[", stream);
	write_names(&chrome);
	for (guint i = 0; i < itp_timeline_thread_count(input->timeline) && code == ITP_OK; i++) {
		code = write_thread(&chrome, i);
	}
	fprintf(stream,
		"],\n\"displayTimeUnit\":\"ns\",\"otherData\":{\"exporter\":\"introperf\",\"input\":%s,"
		"\"begin_ns\":\"%" PRId64 "\"}}\n",
		name, chrome.origin_ns);
	g_array_unref(chrome.open);
	itp_json_names_free(chrome.names);
	return code;
}

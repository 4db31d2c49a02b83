/* SPDX-License-Identifier: MIT */
/*
 * A processed profile of the Firefox Profiler, version 58 of its format: each thread's calls as
 * markers, nested, in the order of their begins, and as samples (firefox-samples.c).
 *
 * The format is a table for each thread, column by column; a thread's calls are read once for each
 * column. Strings are the names of all functions, by their numbers, and of modules. Times are
 * milliseconds from the first begin on, with six decimals.
 */
#include "common/render/export/firefox-samples.h"

#include <inttypes.h>

#include "common/base/error.h"
#include "common/base/hash.h"
#include "common/render/export/writers.h"

#define FORMAT_VERSION "58"
/* Version of Firefox' own recorder, for readers that want a number. */
#define GECKO_VERSION "31"
/* enum of the format: a marker with a begin and an end. */
#define PHASE_INTERVAL "1"

/* Categories by enum itp_layer; "Other" is expected, and is the threads'. */
static const char categories[] =
	"[{\"name\":\"User\",\"color\":\"yellow\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"Kernel\",\"color\":\"orange\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"System call\",\"color\":\"blue\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]}]";

static const char marker_schema[] =
	"[{\"name\":\"Call\",\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],"
	"\"tooltipLabel\":\"{marker.name}\",\"chartLabel\":\"{marker.name}\","
	"\"tableLabel\":\"{marker.data.module}\",\"isStackBased\":true,"
	"\"description\":\"A call that introperf inferred\",\"fields\":["
	"{\"key\":\"module\",\"label\":\"Module\",\"format\":\"string\"},"
	"{\"key\":\"lower_ns\",\"label\":\"Latency at least\",\"format\":\"nanoseconds\"},"
	"{\"key\":\"upper_ns\",\"label\":\"Latency at most\",\"format\":\"nanoseconds\"},"
	"{\"key\":\"cpu_ns\",\"label\":\"CPU\",\"format\":\"nanoseconds\"},"
	"{\"key\":\"blocked_ns\",\"label\":\"Blocked\",\"format\":\"nanoseconds\"},"
	"{\"key\":\"runnable_ns\",\"label\":\"Waiting for a CPU\",\"format\":\"nanoseconds\"},"
	"{\"key\":\"max_calls\",\"label\":\"Calls at most\",\"format\":\"integer\"}]}]";

static void write_time(const struct itp_firefox *firefox, int64_t time_ns)
{
	itp_firefox_write_ms(firefox, time_ns - firefox->origin_ns);
}

static void write_data(const struct itp_firefox *firefox, const struct itp_timeline_call *call)
{
	fputs("{\"type\":\"Call\",", firefox->stream);
	itp_json_names_write_call(firefox->names, call, firefox->stream);
	fputs("}", firefox->stream);
}

static void write_name(const struct itp_firefox *firefox, const struct itp_timeline_call *call)
{
	fprintf(firefox->stream, "%" PRIu32, call->function);
}

static void write_begin(const struct itp_firefox *firefox, const struct itp_timeline_call *call)
{
	write_time(firefox, call->begin_ns);
}

static void write_end(const struct itp_firefox *firefox, const struct itp_timeline_call *call)
{
	write_time(firefox, call->end_ns);
}

static void write_phase(const struct itp_firefox *firefox, const struct itp_timeline_call *call)
{
	(void)call;
	fputs(PHASE_INTERVAL, firefox->stream);
}

static void write_category(const struct itp_firefox *firefox, const struct itp_timeline_call *call)
{
	fprintf(firefox->stream, "%d",
		(int)itp_function_table_get(firefox->input->functions, call->function)->layer);
}

static const struct {
	const char *name;
	void (*write)(const struct itp_firefox *firefox, const struct itp_timeline_call *call);
} columns[] = {
	{ "data", write_data },   { "name", write_name },   { "startTime", write_begin },
	{ "endTime", write_end }, { "phase", write_phase }, { "category", write_category },
};

static int write_column(const struct itp_firefox *firefox, guint thread, size_t column)
{
	struct itp_timeline *timeline = firefox->input->timeline;
	struct itp_timeline_event event;
	const char *separator = "\n";
	int code = itp_timeline_open(timeline, thread);

	fprintf(firefox->stream, "\"%s\":[", columns[column].name);
	while (code == ITP_OK && (code = itp_timeline_next(timeline, &event)) > 0) {
		code = ITP_OK;
		if (event.is_begin) {
			fputs(separator, firefox->stream);
			columns[column].write(firefox, &event.call);
			separator = ",\n";
		}
	}
	fputs("],\n", firefox->stream);
	return code;
}

static void write_thread_head(const struct itp_firefox *firefox,
			      const struct itp_timeline_thread *thread)
{
	const char *process = itp_json_names_function(firefox->names, thread->process);
	g_autofree char *name = thread->name ? itp_json_quote(thread->name) : g_strdup(process);

	fprintf(firefox->stream,
		"{\"processType\":\"default\",\"processStartupTime\":0,\"processShutdownTime\":null,"
		"\"registerTime\":0,\"unregisterTime\":null,\"pausedRanges\":[],"
		"\"showMarkersInTimeline\":true,\"name\":%s,\"processName\":%s,"
		"\"isMainThread\":%s,\"pid\":\"%" PRId32 "\",\"tid\":%" PRId32 ",\n",
		thread->has_units ? "\"units of work\"" : name, process,
		thread->pid == itp_timeline_row(thread) ? "true" : "false", thread->pid,
		itp_timeline_row(thread));
}

static int write_thread(const struct itp_firefox *firefox, guint index)
{
	const struct itp_timeline_thread *thread =
		itp_timeline_thread(firefox->input->timeline, index);
	int code = ITP_OK;

	write_thread_head(firefox, thread);
	fputs("\"markers\":{", firefox->stream);
	for (size_t i = 0; i < G_N_ELEMENTS(columns) && code == ITP_OK; i++) {
		code = write_column(firefox, index, i);
	}
	fprintf(firefox->stream, "\"length\":%" PRIu64 "},\n", thread->call_count);
	if (code == ITP_OK) {
		code = itp_firefox_write_samples(firefox, index);
	}
	fputs("}", firefox->stream);
	return code;
}

static void write_meta(const struct itp_firefox *firefox)
{
	g_autofree char *name = itp_json_quote(firefox->input->name);

	fprintf(firefox->stream,
		"\"meta\":{\"interval\":1,\"startTime\":0,\"processType\":0,\"product\":%s,"
		"\"importedFrom\":\"introperf\",\"stackwalk\":1,\"version\":" GECKO_VERSION
		",\"preprocessedProfileVersion\":" FORMAT_VERSION
		",\"symbolicated\":true,\"symbolicationNotSupported\":true,"
		"\"sourceCodeIsNotOnSearchfox\":true,\"usesOnlyOneStackType\":true,"
		"\"profilingStartTime\":0,\"profilingEndTime\":",
		name);
	write_time(firefox, itp_timeline_end_ns(firefox->input->timeline));
	fprintf(firefox->stream, ",\n\"categories\":%s,\n\"markerSchema\":%s},\n", categories,
		marker_schema);
}

static void write_strings(const struct itp_firefox *firefox)
{
	fputs("\"shared\":{\"stringArray\":[", firefox->stream);
	for (uint32_t i = 0; i < itp_function_table_size(firefox->input->functions); i++) {
		fprintf(firefox->stream, "%s%s", i == 0 ? "\n" : ",\n",
			itp_json_names_function(firefox->names, i));
	}
	for (guint i = 0; i < firefox->modules->len; i++) {
		fprintf(firefox->stream, ",\n%s",
			itp_json_names_module(firefox->names,
					      g_array_index(firefox->modules, uint32_t, i)));
	}
	fputs("],\"sources\":{\"length\":0,\"uuid\":[],\"filename\":[]}}", firefox->stream);
}

static void number_modules(struct itp_firefox *firefox)
{
	const struct itp_function_table *functions = firefox->input->functions;
	g_autoptr(GHashTable) numbers = g_hash_table_new(itp_hash_text, g_str_equal);

	for (uint32_t i = 0; i < itp_function_table_size(functions); i++) {
		const char *module = itp_function_table_get(functions, i)->module;
		guint number = GPOINTER_TO_UINT(g_hash_table_lookup(numbers, module));

		if (number == 0 && module[0] != '\0') {
			g_array_append_val(firefox->modules, i);
			number = firefox->modules->len;
			g_hash_table_insert(numbers, (gpointer)module, GUINT_TO_POINTER(number));
		}
		firefox->module_of[i] = number;
	}
}

static int write_threads(const struct itp_firefox *firefox)
{
	int code = ITP_OK;

	fputs("\"libs\":[],\n\"threads\":[", firefox->stream);
	for (guint i = 0; i < itp_timeline_thread_count(firefox->input->timeline) && code == ITP_OK;
	     i++) {
		fputs(i == 0 ? "\n" : ",\n", firefox->stream);
		code = write_thread(firefox, i);
	}
	fputs("],\n", firefox->stream);
	return code;
}

int itp_export_firefox(const struct itp_export_input *input, FILE *stream)
{
	struct itp_firefox firefox = {
		.input = input,
		.names = itp_json_names_new(input->functions),
		.stream = stream,
		.modules = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
		.module_of = g_new0(uint32_t, itp_function_table_size(input->functions)),
		.origin_ns = itp_timeline_begin_ns(input->timeline),
	};
	int code;

	number_modules(&firefox);
	fputs("{", stream);
	write_meta(&firefox);
	code = write_threads(&firefox);
	write_strings(&firefox);
	fputs("}\n", stream);
	g_free(firefox.module_of);
	g_array_unref(firefox.modules);
	itp_json_names_free(firefox.names);
	return code;
}

/* SPDX-License-Identifier: MIT */
/*
 * `perf script --dlfilter introperf.so`: perf reads the recording and hands over its samples one by
 * one; none of them is printed, and the ranking is at the end.
 *
 *   dlfilter.c        what perf calls; one sample
 *   dlfilter-abi.h    what perf and a dlfilter know of each other
 *   dlargs.c          --dlarg
 *   code-pages.c      what is mapped where, by asking perf
 *   samples.c         from samples to events for the core
 *
 * The rest, from events to the ranking, is plugins/perf/host's.
 *
 * perf hands over samples only. What else a recording holds (mappings, forks, program starts,
 * ends of threads, who got a CPU when, losses) is inferred from them as far as possible; man 7
 * introperf says what is missing then.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/symbol/build-id.h"
#include "plugins/babeltrace/failure.h"
#include "plugins/perf/dlfilter/code-pages.h"
#include "plugins/perf/dlfilter/dlargs.h"
#include "plugins/perf/dlfilter/dlfilter-abi.h"
#include "plugins/perf/dlfilter/samples.h"
#include "plugins/perf/host/conclude.h"
#include "plugins/perf/host/words.h"

/* What filter_event() answers. */
#define DROP 1
#define FAILED (-1)

/* As a shell has it for SIGINT. */
#define EXIT_INTERRUPTED 130

struct dlfilter {
	struct itp_dlargs dlargs;
	/* All owned by this. */
	struct itp_result *result;
	/* Those of `base`. */
	struct itp_recordings *recordings;
	struct itp_samples samples;
	struct itp_code_pages *pages;
	/* struct perf_event_attr * of perf, in the order of the analysis. */
	GPtrArray *attrs;
	/* perf was asked for the kernel. */
	bool knows_kernel;
	/* Of the last sample, and how many were older than the one before them. */
	uint64_t last_time;
	uint64_t late_samples;
	bool has_chains;
	bool warned_of_dwarf;
	/* When it is watching. */
	struct itp_interrupt interrupt;
	bool is_watching;
	bool is_interrupted;
	/* The reason was told. */
	bool has_failed;
};

/* perf writes to it. */
__attribute__((visibility("default"))) struct perf_dlfilter_fns perf_dlfilter_fns;

static void say(const char *text)
{
	fprintf(stderr, "introperf.so: %s\n", text);
}

static void say_error(GError *error)
{
	g_autofree char *text = itp_words(error->message, ITP_WORDS_PARAMETER);

	say(text);
	g_error_free(error);
}

static void free_filter(struct dlfilter *filter)
{
	itp_code_pages_free(filter->pages);
	itp_result_free(filter->result);
	itp_recordings_free(filter->recordings);
	itp_samples_release(&filter->samples);
	itp_dlargs_release(&filter->dlargs);
	if (filter->is_watching) {
		itp_interrupt_release(&filter->interrupt);
	}
	g_ptr_array_unref(filter->attrs);
	g_free(filter);
}

/* All that can be wrong is found here. */
static bool open_filter(struct dlfilter *filter, char *const *texts, int count, GError **error)
{
	struct itp_dlargs *dlargs = &filter->dlargs;
	char next[] = "--dlarg path=1";
	const bool is_read = itp_dlargs_init(dlargs, texts, count, error);
	const struct itp_result_options options = { .values = dlargs->values,
						    .traces = dlargs->inputs.traces,
						    .save = dlargs->save,
						    .next = next };

	if (!is_read) {
		return false;
	}
	filter->result = itp_result_new(&options, error);
	filter->recordings = filter->result ? itp_recordings_new(dlargs->inputs.recordings,
								 &dlargs->params, error) :
					      NULL;
	return filter->recordings;
}

int start(void **data, void *context)
{
	struct dlfilter *filter = g_new0(struct dlfilter, 1);
	GError *error = NULL;
	int count = 0;
	char **texts = perf_dlfilter_fns.args(context, &count);

	filter->attrs = g_ptr_array_new();
	*data = filter;
	if (!open_filter(filter, texts, count, &error)) {
		say_error(error);
		filter->has_failed = true;
		return FAILED;
	}
	itp_samples_init(&filter->samples, &filter->dlargs);
	filter->pages =
		itp_code_pages_new(&perf_dlfilter_fns, filter->samples.translator.symbolizer);
	return 0;
}

/* perf only passes on a number, which tells nothing. */
static int fail(struct dlfilter *filter, const char *text)
{
	if (!filter->has_failed) {
		say(text);
	}
	filter->has_failed = true;
	return FAILED;
}

static void warn_of_dwarf(struct dlfilter *filter, const struct perf_event_attr *attr)
{
	if ((attr->sample_type & PERF_SAMPLE_STACK_USER) && !filter->warned_of_dwarf) {
		filter->warned_of_dwarf = true;
		say("warning: the recording was made with --call-graph dwarf, and perf gives a "
		    "dlfilter no user frames of such recordings, so all functions of programs are "
		    "missing; read it with `perf introperf report perf.data`");
	}
}

/* Index of the sample's event. Negative itp_error on failure. */
static int event_of(struct dlfilter *filter, const struct perf_dlfilter_sample *sample,
		    void *context)
{
	struct perf_event_attr *attr = perf_dlfilter_fns.attr(context);
	struct itp_bytes bytes = { .data = (const uint8_t *)attr };
	int error;

	if (!attr) {
		return ITP_ERROR_CORRUPT;
	}
	for (guint i = 0; i < filter->attrs->len; i++) {
		if (g_ptr_array_index(filter->attrs, i) == attr) {
			return (int)i;
		}
	}
	bytes.size = attr->size != 0 ? attr->size : PERF_ATTR_SIZE_VER0;
	error = itp_translator_add_attr(&filter->samples.translator, &bytes,
					sample->event ? sample->event : "");
	if (error != 0) {
		return error;
	}
	warn_of_dwarf(filter, attr);
	if (itp_samples_are_syscalls(&filter->samples, filter->attrs->len)) {
		itp_code_pages_trust(filter->pages);
	}
	filter->has_chains |= (attr->sample_type & PERF_SAMPLE_CALLCHAIN) != 0;
	g_ptr_array_add(filter->attrs, attr);
	return (int)filter->attrs->len - 1;
}

/* What perf knows of the function at `address` tells which kernel it is, and where it lies. */
static bool ask_for_kernel(struct itp_kernel *kernel, uint64_t address, void *context)
{
	struct perf_dlfilter_al place = { .size = sizeof(place) };
	g_autofree char *build_id = NULL;

	if (perf_dlfilter_fns.resolve_address(context, address, &place) != 0 || !place.dso ||
	    (place.dso[0] == '[' && !g_str_has_prefix(place.dso, ITP_KERNEL_MAP))) {
		return false;
	}
	build_id = itp_build_id_text(place.buildid, place.buildid_size);
	if (build_id[0] != '\0') {
		itp_kernel_set_build_id(kernel, build_id);
	}
	if (place.sym) {
		itp_kernel_set_function(kernel, place.sym, address - place.symoff);
	}
	return true;
}

/* Before the first function of the kernel is looked up. */
static int learn_kernel(struct dlfilter *filter, const struct perf_dlfilter_sample *sample,
			void *context)
{
	struct itp_kernel *kernel = itp_symbolizer_kernel(filter->samples.translator.symbolizer);
	bool is_kernel = sample->cpumode == PERF_RECORD_MISC_KERNEL;

	for (uint64_t i = 0; i < sample->raw_callchain_nr && !filter->knows_kernel; i++) {
		uint64_t entry = sample->raw_callchain[i];

		if (entry >= ITP_CHAIN_FIRST_MARKER) {
			is_kernel = entry == (uint64_t)PERF_CONTEXT_KERNEL;
		} else if (is_kernel) {
			filter->knows_kernel = ask_for_kernel(kernel, entry, context);
		}
	}
	return filter->knows_kernel && filter->dlargs.params.symbols.kernel ?
		       itp_kernel_set_image(kernel, filter->dlargs.params.symbols.kernel) :
		       0;
}

/* The sample's thread under the name that perf knows. NULL for the idle ones. */
static struct itp_task *task_of(struct dlfilter *filter, const struct perf_dlfilter_sample *sample,
				void *context)
{
	struct itp_translator *translator = &filter->samples.translator;
	const struct perf_dlfilter_al *place;
	struct itp_task *task;

	if (sample->tid <= 0) {
		return NULL;
	}
	task = itp_tasks_get(translator->tasks, sample->pid, sample->tid);
	if (task->is_ended) {
		itp_tasks_forget_ended(translator->tasks);
		task = itp_tasks_get(translator->tasks, sample->pid, sample->tid);
	}
	place = perf_dlfilter_fns.resolve_ip(context);
	if (place && place->size >= sizeof(*place) && place->comm &&
	    strcmp(place->comm, task->comm) != 0) {
		itp_tasks_rename(translator->tasks, task, place->comm);
		/* It may run another program, even where no system call tells. */
		itp_code_pages_end(filter->pages, sample->tid);
	}
	return task;
}

/* Asks perf for the user's part of the sample's chain. */
static void visit_pages(struct dlfilter *filter, const struct itp_task *task,
			const struct perf_dlfilter_sample *sample, void *context)
{
	const uint64_t *chain = sample->raw_callchain;
	uint64_t count = sample->raw_callchain_nr;
	uint64_t first = 0;

	while (first < count && chain[first] != (uint64_t)PERF_CONTEXT_USER) {
		first++;
	}
	if (first < count) {
		itp_code_pages_visit(filter->pages, task, chain + first + 1, count - first - 1,
				     context);
	}
}

/* From the first sample on: perf sets its own handler after start(). */
static void watch_for_interrupt(struct dlfilter *filter)
{
	if (!filter->is_watching) {
		itp_interrupt_init(&filter->interrupt);
		filter->is_watching = true;
	}
}

/* perf sorts samples as far as it can. One that comes late counts as of its predecessor's time. */
static uint64_t time_of(struct dlfilter *filter, const struct perf_dlfilter_sample *sample)
{
	filter->late_samples += sample->time < filter->last_time;
	filter->last_time = MAX(filter->last_time, sample->time);
	return filter->last_time;
}

static void warn_of_late_samples(const struct dlfilter *filter)
{
	g_autofree char *text = NULL;

	if (filter->late_samples > 0) {
		text = g_strdup_printf("warning: perf handed over %" G_GUINT64_FORMAT
				       " of its samples too late; each counts as of the time of "
				       "the one before",
				       filter->late_samples);
		say(text);
	}
}

static int handle(struct dlfilter *filter, const struct perf_dlfilter_sample *given, int event,
		  void *context)
{
	struct itp_task *task = task_of(filter, given, context);
	const struct itp_perf_sample sample = {
		.stamp = { .attr = (uint32_t)event,
			   .time = time_of(filter, given),
			   .pid = given->pid,
			   .tid = given->tid,
			   .cpu = given->cpu },
		.chain = { .data = (const uint8_t *)given->raw_callchain,
			   .size = given->raw_callchain_nr * sizeof(uint64_t) },
		.has_chain = given->raw_callchain != NULL,
		.raw = { .data = given->raw_data, .size = given->raw_size },
	};
	int error = filter->knows_kernel ? 0 : learn_kernel(filter, given, context);

	if (error == 0 && task && itp_samples_is_program_start(&filter->samples, &sample)) {
		error = itp_samples_change(&filter->samples, ITP_EVENT_EXEC, task,
					   sample.stamp.time);
	}
	if (task) {
		visit_pages(filter, task, given, context);
	}
	if (error == 0) {
		error = itp_samples_push(&filter->samples, given->misc, &sample, sample.stamp.time);
	}
	if (error == 0 && task && itp_samples_is_end(&filter->samples, &sample)) {
		error = itp_samples_change(&filter->samples, ITP_EVENT_END, task,
					   sample.stamp.time);
		itp_code_pages_end(filter->pages, given->tid);
	}
	return error;
}

int filter_event(void *data, const struct perf_dlfilter_sample *sample, void *context)
{
	struct dlfilter *filter = data;
	int result;

	watch_for_interrupt(filter);
	if (sample->size < sizeof(*sample)) {
		return fail(filter, "this perf is older than perf 5.14 and cannot be used");
	}
	result = event_of(filter, sample, context);
	if (result >= 0) {
		result = handle(filter, sample, result, context);
	}
	return result < 0 ? fail(filter, itp_error_text(result)) : DROP;
}

static bool describe(const void *data, struct itp_output *output, GError **error)
{
	const char *name = ((const struct dlfilter *)data)->dlargs.name;

	return itp_output_set_environment(output, "introperf_input", name, error) &&
	       itp_output_set_name(output, name, error);
}

/* Ends the input. */
static bool make_profile(struct dlfilter *filter, struct itp_memory_profile *profile,
			 GError **error)
{
	int code;

	if (filter->attrs->len == 0) {
		itp_failure_set(error,
				"perf handed over no samples: the recording has none, or none "
				"that was chosen");
		return false;
	}
	if (!filter->has_chains) {
		itp_failure_set(error, "%s", itp_error_text(ITP_ERROR_NO_CALLCHAINS));
		return false;
	}
	warn_of_late_samples(filter);
	if (filter->is_interrupted) {
		itp_analysis_end_early(filter->samples.analysis);
	}
	*profile = (struct itp_memory_profile){ .describe = describe, .data = filter };
	code = itp_analysis_finish(filter->samples.analysis, &profile->source);
	if (code != 0) {
		itp_failure_set(error, "%s", itp_error_text(code));
	}
	return code == 0;
}

static void tell(const char *message, void *data)
{
	g_autofree char *text = itp_words(message, ITP_WORDS_PARAMETER);

	(void)data;
	say(text);
}

static enum itp_outcome conclude(struct dlfilter *filter, GError **error)
{
	g_autoptr(GArray) profiles = g_array_new(FALSE, FALSE, sizeof(struct itp_memory_profile));
	struct itp_conclusion conclusion = { .result = filter->result,
					     .recordings = filter->recordings,
					     .interrupt = &filter->interrupt,
					     .watch = { .tell = tell },
					     .profiles = profiles };
	struct itp_memory_profile profile;

	watch_for_interrupt(filter);
	filter->is_interrupted = itp_interrupt_take(&filter->interrupt);
	conclusion.is_interrupted = filter->is_interrupted;
	if (!make_profile(filter, &profile, error)) {
		return ITP_OUTCOME_FAILED;
	}
	g_array_append_val(profiles, profile);
	return itp_conclude(&conclusion, error);
}

int stop(void *data, void *context)
{
	static const int codes[] = { [ITP_OUTCOME_DONE] = EXIT_SUCCESS,
				     [ITP_OUTCOME_FAILED] = EXIT_FAILURE,
				     [ITP_OUTCOME_INTERRUPTED] = EXIT_INTERRUPTED };
	struct dlfilter *filter = data;
	enum itp_outcome outcome = ITP_OUTCOME_FAILED;
	GError *error = NULL;

	(void)context;
	if (!filter->has_failed) {
		outcome = conclude(filter, &error);
	}
	if (error) {
		say_error(error);
	}
	free_filter(filter);
	if (outcome != ITP_OUTCOME_DONE) {
		/* perf takes no notice of what this function returns. */
		exit(codes[outcome]);
	}
	return 0;
}

const char *filter_description(const char **long_description)
{
	*long_description =
		"Takes --dlarg NAME=VALUE with the parameters of introperf's Babeltrace components, "
		"such as format=jsonl, top=5, base=good.profile; see man 7 introperf.";
	return "Rank the calling contexts that explain where the time went (introperf)";
}

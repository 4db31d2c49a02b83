/* SPDX-License-Identifier: MIT */
/*
 * `perf script --dlfilter introperf.so`: perf reads the recording and hands over its samples one by
 * one; none of them is printed, and the ranking is at the end.
 *
 * The rest, from events to the ranking, is common/engine's.
 *
 * perf hands over samples only. Other parts of a recording (mappings, forks, program starts, ends
 * of threads, switches to a CPU, losses) are inferred from them as far as possible; man 7 introperf
 * names the missing parts.
 */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/failure.h"
#include "common/elf/section.h"
#include "plugins/perf/dlfilter/delivery.h"
#include "plugins/perf/dlfilter/dlfilter-abi.h"
#include "terminal/terminal.h"

/* Answers of filter_event(). */
#define DROP 1
#define FAILED (-1)

/* Status of a shell for SIGINT. */
#define EXIT_INTERRUPTED 130

struct dlfilter {
	struct itp_delivery delivery;
	/* struct perf_event_attr * of perf, in the order of the analysis. */
	GPtrArray *attrs;
	/* perf was asked for the kernel. */
	bool knows_kernel;
	bool warned_of_dwarf;
	/* The reason was told. */
	bool has_failed;
};

/* perf writes to it. */
__attribute__((visibility("default"))) struct perf_dlfilter_fns perf_dlfilter_fns;

static void say_as_filter(const char *text)
{
	itp_terminal_say("introperf.so: %s", text);
}

static void say_error(GError *error)
{
	g_autofree char *text = itp_failure_line(error->message);

	say_as_filter(text);
	g_error_free(error);
}

static void free_filter(struct dlfilter *filter)
{
	itp_delivery_release(&filter->delivery);
	g_ptr_array_unref(filter->attrs);
	g_free(filter);
}

static bool ask_for_code(void *context, size_t i, uint64_t address,
			 struct itp_code_place *ret_place)
{
	struct perf_dlfilter_al place = { .size = sizeof(place) };
	const bool is_known = perf_dlfilter_fns.resolve_address(context, address, &place) == 0 &&
			      place.dso && !place.is_kernel_ip;

	(void)i;
	*ret_place = (struct itp_code_place){ .path = place.dso,
					      .offset = place.addr,
					      .build_id = place.buildid,
					      .build_id_size = place.buildid_size,
					      /* In 32 bits, system calls have other numbers. */
					      .is_lasting = address > UINT32_MAX ||
							    (is_known && place.is_64_bit) };
	return is_known;
}

static const struct itp_delivery_host host = { .ask = ask_for_code,
					       .say = say_as_filter,
					       .next = "--dlarg path=1" };

int start(void **data, void *context)
{
	struct dlfilter *filter = g_new0(struct dlfilter, 1);
	GError *error = NULL;
	int count = 0;
	char **texts = perf_dlfilter_fns.args(context, &count);

	filter->attrs = g_ptr_array_new();
	*data = filter;
	if (!itp_delivery_init(&filter->delivery, &host, texts, count, &error)) {
		say_error(error);
		filter->has_failed = true;
		return FAILED;
	}
	return 0;
}

/* perf only passes on a number, which tells nothing. */
static int fail_filter(struct dlfilter *filter, const char *text)
{
	if (!filter->has_failed) {
		say_as_filter(text);
	}
	filter->has_failed = true;
	return FAILED;
}

static void warn_of_dwarf(struct dlfilter *filter, const struct perf_event_attr *attr)
{
	if ((attr->sample_type & PERF_SAMPLE_STACK_USER) && !filter->warned_of_dwarf) {
		filter->warned_of_dwarf = true;
		say_as_filter(
			"warning: the recording was made with --call-graph dwarf, and perf gives a "
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
	int event;

	if (!attr) {
		return ITP_ERROR_CORRUPT;
	}
	for (guint i = 0; i < filter->attrs->len; i++) {
		if (g_ptr_array_index(filter->attrs, i) == attr) {
			return (int)i;
		}
	}
	bytes.size = attr->size != 0 ? attr->size : PERF_ATTR_SIZE_VER0;
	event = itp_delivery_add_event(&filter->delivery, &bytes,
				       sample->event ? sample->event : "");
	if (event >= 0) {
		warn_of_dwarf(filter, attr);
		g_ptr_array_add(filter->attrs, attr);
	}
	return event;
}

/* perf's knowledge of the function at `address` tells the kernel and its place. */
static int ask_for_kernel(struct dlfilter *filter, uint64_t address, void *context)
{
	struct perf_dlfilter_al place = { .size = sizeof(place) };
	g_autofree char *build_id = NULL;

	if (perf_dlfilter_fns.resolve_address(context, address, &place) != 0 || !place.dso ||
	    (place.dso[0] == '[' && !g_str_has_prefix(place.dso, ITP_KERNEL_MAP))) {
		return 0;
	}
	filter->knows_kernel = true;
	build_id = itp_build_id_text(place.buildid, place.buildid_size);
	return itp_delivery_set_kernel(&filter->delivery, build_id, place.sym,
				       address - place.symoff);
}

/* Before the first function of the kernel is looked up. */
static int learn_kernel(struct dlfilter *filter, const struct perf_dlfilter_sample *sample,
			void *context)
{
	bool is_kernel = sample->cpumode == PERF_RECORD_MISC_KERNEL;
	int error = 0;

	for (uint64_t i = 0; i < sample->raw_callchain_nr && !filter->knows_kernel; i++) {
		uint64_t entry = sample->raw_callchain[i];

		if (entry >= ITP_CHAIN_FIRST_MARKER) {
			is_kernel = entry == (uint64_t)PERF_CONTEXT_KERNEL;
		} else if (is_kernel) {
			error = ask_for_kernel(filter, entry, context);
		}
	}
	return error;
}

/* Thread of the sample under perf's name. NULL for the idle ones. */
static struct itp_task *task_of(struct dlfilter *filter, const struct perf_dlfilter_sample *sample,
				void *context)
{
	const struct perf_dlfilter_al *place =
		sample->tid > 0 ? perf_dlfilter_fns.resolve_ip(context) : NULL;
	bool has_comm = place && place->size >= sizeof(*place);

	return itp_delivery_task(&filter->delivery, sample->pid, sample->tid,
				 has_comm ? place->comm : NULL);
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
		itp_code_pages_visit(filter->delivery.pages, task, chain + first + 1,
				     count - first - 1, context);
	}
}

static int handle(struct dlfilter *filter, const struct perf_dlfilter_sample *given, int event,
		  void *context)
{
	struct itp_task *task = task_of(filter, given, context);
	const struct itp_perf_sample sample = {
		.stamp = { .attr = (uint32_t)event,
			   .time = itp_delivery_time(&filter->delivery, given->time),
			   .pid = given->pid,
			   .tid = given->tid,
			   .cpu = given->cpu },
		.period = given->period,
		.chain = { .data = (const uint8_t *)given->raw_callchain,
			   .size = given->raw_callchain_nr * sizeof(uint64_t) },
		.has_chain = given->raw_callchain != NULL,
		.raw = { .data = given->raw_data, .size = given->raw_size },
	};
	int error = filter->knows_kernel ? 0 : learn_kernel(filter, given, context);

	if (error == 0) {
		error = itp_delivery_begin(&filter->delivery, &sample, task);
	}
	if (task) {
		visit_pages(filter, task, given, context);
	}
	return error != 0 ? error :
			    itp_delivery_push(&filter->delivery, given->misc, &sample, task);
}

int filter_event(void *data, const struct perf_dlfilter_sample *sample, void *context)
{
	struct dlfilter *filter = data;
	int result;

	itp_delivery_watch(&filter->delivery);
	if (sample->size < sizeof(*sample)) {
		return fail_filter(filter, "this perf is older than perf 5.14 and cannot be used");
	}
	result = event_of(filter, sample, context);
	if (result >= 0) {
		result = handle(filter, sample, result, context);
	}
	return result < 0 ? fail_filter(filter, itp_error_text(result)) : DROP;
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
	if (!filter) {
		/* perf gave up before the start, and has said why. */
		return 0;
	}
	if (!filter->has_failed) {
		outcome = itp_delivery_conclude(&filter->delivery, false, &error);
	}
	if (error) {
		say_error(error);
	}
	free_filter(filter);
	if (outcome != ITP_OUTCOME_DONE) {
		/* perf ignores the result of this function. */
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

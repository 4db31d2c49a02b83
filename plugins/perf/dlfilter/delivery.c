/* SPDX-License-Identifier: MIT */
/*
 * See delivery.h.
 */
#include "plugins/perf/dlfilter/delivery.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>

#include "common/base/failure.h"
#include "common/base/hash.h"
#include "common/base/watched.h"
#include "common/engine/symbol-warnings.h"
#include "common/known/syscalls.h"
#include "plugins/babeltrace/graphs/graphs.h"

#define DESCRIPTORS "/proc/self/fd"
/* States of a thread in sched_switch that will not come back: dead, or a zombie. */
#define ENDED_STATES 0x30

/* Effect of a system call on the memory of its process. */
enum memory_change {
	MEMORY_SAME,
	/* Code may have been mapped, or replaced. */
	MEMORY_MAPPED,
	/* The process runs another program. */
	MEMORY_NEW,
};

/* perf does not tell its input, but has it open. Adds it to `paths`. */
static void add_open_files(GPtrArray *paths)
{
	g_autoptr(GDir) descriptors = g_dir_open(DESCRIPTORS, 0, NULL);
	const char *name;

	while (descriptors && (name = g_dir_read_name(descriptors))) {
		g_autofree char *link = g_build_filename(DESCRIPTORS, name, NULL);
		const int flags = fcntl((int)g_ascii_strtoll(name, NULL, 10), F_GETFL);
		char *path = g_file_read_link(link, NULL);

		if (path && flags >= 0 && (flags & O_ACCMODE) == O_RDONLY &&
		    g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
			g_ptr_array_add(paths, g_steal_pointer(&path));
		}
		g_free(path);
	}
}

static bool open_inputs(struct itp_delivery *delivery, char *const *texts, int count,
			GError **error)
{
	struct itp_dlargs *dlargs = &delivery->dlargs;
	const bool is_read = itp_dlargs_init(dlargs, texts, count, error);
	const struct itp_result_options options = { .graphs = &itp_babeltrace_graphs,
						    .values = dlargs->values,
						    .inputs = &dlargs->inputs,
						    .save = dlargs->save,
						    .host.next = delivery->host->next };

	if (!is_read) {
		return false;
	}
	add_open_files(dlargs->inputs.paths);
	delivery->result = itp_result_new(&options, error);
	delivery->recordings = delivery->result ? itp_recordings_new(dlargs->inputs.recordings,
								     &dlargs->params, error) :
						  NULL;
	return delivery->recordings;
}

static bool check_containers(const struct itp_dlargs *dlargs, GError **error)
{
	const bool is_fine = dlargs->params.symbols.processes != ITP_PROCESSES_BY_CONTAINER;

	if (!is_fine) {
		itp_failure_set(error, "group-by=container: perf does not tell its filters the "
				       "names of containers; use `perf introperf report`");
	}
	return is_fine;
}

static void init_translator(struct itp_delivery *delivery)
{
	const struct itp_dlargs *dlargs = &delivery->dlargs;
	const struct itp_perf_options perf_options =
		itp_symbol_params_options(&dlargs->params.symbols);
	struct itp_analysis_options options = dlargs->params.analysis;

	/* perf tells nothing of them. */
	options.losses_untold = true;
	delivery->functions = itp_function_table_new();
	delivery->analysis = itp_analysis_new(dlargs->name, &options, delivery->functions);
	itp_early_events_init(&delivery->early);
	delivery->file.attrs = g_array_new(FALSE, FALSE, sizeof(struct itp_perf_attr));
	delivery->file.attr_by_id = g_hash_table_new(itp_hash_number, NULL);
	itp_translator_init_for_samples(&delivery->translator, &delivery->file, &perf_options,
					delivery->functions);
}

bool itp_delivery_init(struct itp_delivery *delivery, const struct itp_delivery_host *host,
		       char *const *texts, int count, GError **error)
{
	delivery->host = host;
	if (!open_inputs(delivery, texts, count, error) ||
	    !check_containers(&delivery->dlargs, error)) {
		return false;
	}
	init_translator(delivery);
	delivery->pages = itp_code_pages_new(host->ask, delivery->translator.symbolizer);
	return true;
}

void itp_delivery_release(struct itp_delivery *delivery)
{
	itp_code_pages_free(delivery->pages);
	itp_early_events_release(&delivery->early);
	itp_result_free(delivery->result);
	itp_recordings_free(delivery->recordings);
	if (delivery->functions) {
		itp_translator_release(&delivery->translator);
		g_array_unref(delivery->file.attrs);
		g_hash_table_unref(delivery->file.attr_by_id);
		itp_analysis_free(delivery->analysis);
		itp_function_table_free(delivery->functions);
	}
	itp_dlargs_release(&delivery->dlargs);
	if (delivery->is_watching) {
		itp_interrupt_release(&delivery->interrupt);
	}
}

void itp_delivery_watch(struct itp_delivery *delivery)
{
	if (!delivery->is_watching) {
		itp_interrupt_init(&delivery->interrupt);
		delivery->is_watching = true;
	}
}

static bool is_syscall(const struct itp_tracepoint *tracepoint)
{
	return tracepoint->kind == ITP_TRACEPOINT_SYS_ENTER ||
	       tracepoint->kind == ITP_TRACEPOINT_SYS_EXIT;
}

int itp_delivery_add_event(struct itp_delivery *delivery, const struct itp_bytes *attr,
			   const char *name)
{
	struct itp_translator *translator = &delivery->translator;
	int error = itp_translator_add_attr(translator, attr, name);
	uint32_t last = delivery->file.attrs->len - 1;

	if (error != 0) {
		return error;
	}
	if (is_syscall(&translator->tracepoints[last])) {
		itp_code_pages_trust(delivery->pages);
	}
	delivery->has_chains |= (itp_perf_file_attr(&delivery->file, last)->sample_type &
				 PERF_SAMPLE_CALLCHAIN) != 0;
	return (int)last;
}

int itp_delivery_set_kernel(struct itp_delivery *delivery, const char *build_id, const char *symbol,
			    uint64_t start)
{
	struct itp_kernel *kernel = itp_symbolizer_kernel(delivery->translator.symbolizer);
	const char *image = delivery->dlargs.params.symbols.kernel;

	if (build_id[0] != '\0') {
		itp_kernel_set_build_id(kernel, build_id);
	}
	if (symbol) {
		itp_kernel_set_function(kernel, symbol, start);
	}
	return image ? itp_kernel_set_image(kernel, image) : 0;
}

struct itp_task *itp_delivery_task(struct itp_delivery *delivery, int32_t pid, int32_t tid,
				   const char *comm)
{
	struct itp_tasks *tasks = delivery->translator.tasks;
	struct itp_task *task;

	if (tid <= 0) {
		return NULL;
	}
	task = itp_tasks_get(tasks, pid, tid);
	if (task->is_ended) {
		itp_tasks_forget_ended(tasks);
		task = itp_tasks_get(tasks, pid, tid);
	}
	if (comm && strcmp(comm, task->comm) != 0) {
		itp_tasks_rename(tasks, task, comm);
		/* A thread with another name may run another program, even where no system call
		 * tells. */
		itp_code_pages_end(delivery->pages, tid);
	}
	return task;
}

uint64_t itp_delivery_time(struct itp_delivery *delivery, uint64_t time_ns)
{
	delivery->late_samples += time_ns < delivery->last_time;
	delivery->last_time = MAX(delivery->last_time, time_ns);
	return delivery->last_time;
}

static int push_event(void *analysis, const struct itp_stack_event *event)
{
	return itp_analysis_push(analysis, event);
}

/* Holds the event until a switch has shown that the recording has them, or enough have not. */
static int push_early(struct itp_delivery *delivery, const struct itp_stack_event *event)
{
	const uint32_t watched = itp_translator_watched(&delivery->translator);
	const bool has_switches = watched & ITP_WATCHED_SWITCHES;

	if (itp_early_events_hold(&delivery->early, event) && !has_switches) {
		return 0;
	}
	if (has_switches) {
		itp_analysis_watch(delivery->analysis, ITP_WATCHED_SWITCHES);
	}
	return itp_early_events_end(&delivery->early, push_event, delivery->analysis);
}

/* Hands the translator's queue to the core. */
static int push_queue(struct itp_delivery *delivery)
{
	const struct itp_event_queue *queue = &delivery->translator.queue;
	int error = 0;

	for (size_t i = 0; error == 0 && i < queue->length; i++) {
		error = itp_early_events_are_held(&delivery->early) ?
				push_early(delivery, &queue->events[i]) :
				itp_analysis_push(delivery->analysis, &queue->events[i]);
	}
	return error;
}

/* The thread of a sample runs another program, or is over: `kind` is ITP_EVENT_EXEC or
 * ITP_EVENT_END. */
static int change_task(struct itp_delivery *delivery, enum itp_event_kind kind,
		       struct itp_task *task, uint64_t time_ns)
{
	struct itp_translator *translator = &delivery->translator;

	itp_event_queue_clear(&translator->queue);
	translator->time_ns = (int64_t)time_ns;
	if (kind == ITP_EVENT_EXEC) {
		itp_task_exec(task);
	}
	itp_translator_add(translator, kind, task, -1);
	if (kind == ITP_EVENT_END) {
		itp_tasks_end(translator->tasks, task);
	}
	return push_queue(delivery);
}

static enum memory_change change_by(const char *syscall)
{
	if (itp_syscall_starts_program(syscall)) {
		return MEMORY_NEW;
	}
	return itp_syscall_maps_code(syscall) ? MEMORY_MAPPED : MEMORY_SAME;
}

const char *itp_delivery_syscall(const struct itp_delivery *delivery,
				 const struct itp_perf_sample *sample)
{
	const struct itp_translator *translator = &delivery->translator;
	const struct itp_tracepoint *tracepoint = &translator->tracepoints[sample->stamp.attr];
	int64_t number;

	if (!is_syscall(tracepoint) ||
	    !itp_tracepoint_number(&tracepoint->fields[ITP_FIELD_SYSCALL], &sample->raw, &number)) {
		return NULL;
	}
	return itp_function_syscall(itp_function_table_get(
		delivery->functions, itp_syscall_names_function(translator->syscalls, number)));
}

/* Effect of the system call from which the thread returns; MEMORY_SAME elsewhere. */
static enum memory_change memory_change(const struct itp_delivery *delivery,
					const struct itp_perf_sample *sample)
{
	const struct itp_tracepoint *tracepoint =
		&delivery->translator.tracepoints[sample->stamp.attr];
	const char *name = tracepoint->kind == ITP_TRACEPOINT_SYS_EXIT ?
				   itp_delivery_syscall(delivery, sample) :
				   NULL;
	const enum memory_change change = name ? change_by(name) : MEMORY_SAME;
	int64_t result;

	if (change == MEMORY_NEW &&
	    (!itp_tracepoint_number(&tracepoint->fields[ITP_FIELD_RESULT], &sample->raw, &result) ||
	     result != 0)) {
		return MEMORY_SAME;
	}
	return change;
}

int itp_delivery_begin(struct itp_delivery *delivery, const struct itp_perf_sample *sample,
		       struct itp_task *task)
{
	enum memory_change change = task ? memory_change(delivery, sample) : MEMORY_SAME;

	if (change == MEMORY_MAPPED) {
		itp_code_pages_change(delivery->pages, task->process->pid);
	}
	return change == MEMORY_NEW ?
		       change_task(delivery, ITP_EVENT_EXEC, task, sample->stamp.time) :
		       0;
}

/* The thread leaves the CPU for the last time. */
static bool is_end(const struct itp_delivery *delivery, const struct itp_perf_sample *sample)
{
	const struct itp_tracepoint *tracepoint =
		&delivery->translator.tracepoints[sample->stamp.attr];
	int64_t state;

	return tracepoint->kind == ITP_TRACEPOINT_SWITCH &&
	       itp_tracepoint_number(&tracepoint->fields[ITP_FIELD_PREV_STATE], &sample->raw,
				     &state) &&
	       (state & ENDED_STATES);
}

int itp_delivery_push(struct itp_delivery *delivery, uint16_t misc,
		      const struct itp_perf_sample *sample, struct itp_task *task)
{
	int error =
		itp_translator_push_sample(&delivery->translator, misc, sample, sample->stamp.time);

	if (error == 0) {
		error = push_queue(delivery);
	}
	if (error == 0 && task && is_end(delivery, sample)) {
		error = change_task(delivery, ITP_EVENT_END, task, sample->stamp.time);
		itp_code_pages_end(delivery->pages, sample->stamp.tid);
	}
	return error;
}

int itp_delivery_switch(struct itp_delivery *delivery, const struct itp_perf_stamp *stamp,
			bool is_out, bool is_preempted)
{
	itp_translator_push_switch(&delivery->translator, stamp, is_out, is_preempted);
	return push_queue(delivery);
}

static void warn_of_late_samples(const struct itp_delivery *delivery)
{
	g_autofree char *text = NULL;

	if (delivery->late_samples > 0) {
		text = g_strdup_printf("warning: perf handed over %" G_GUINT64_FORMAT
				       " of its samples too late; each counts as of the time of "
				       "the one before",
				       delivery->late_samples);
		delivery->host->say(text);
	}
}

static void say_of_symbols(const struct itp_symbol_warning *warning, void *data)
{
	const struct itp_delivery *delivery = data;
	g_autofree char *what = itp_symbol_warning_text(warning);
	g_autofree char *text = g_strconcat("warning: ", what, NULL);

	delivery->host->say(text);
}

static bool tell_facts(const void *data, itp_fact_func *tell, void *tell_data)
{
	return tell(ITP_INPUT_ENTRY, ((const struct itp_delivery *)data)->dlargs.name, tell_data);
}

static void forget_analysis(void *data)
{
	itp_analysis_forget(((struct itp_delivery *)data)->analysis);
}

/* Ends the input. */
static bool make_profile(struct itp_delivery *delivery, bool is_interrupted,
			 struct itp_memory_profile *profile, GError **error)
{
	int code;

	if (delivery->translator.file->attrs->len == 0) {
		itp_failure_set(error,
				"perf handed over no samples: the recording has none, or none "
				"that was chosen");
		return false;
	}
	if (!delivery->has_chains) {
		itp_failure_set(error, "%s", itp_error_text(ITP_ERROR_NO_CALLCHAINS));
		return false;
	}
	code = itp_early_events_end(&delivery->early, push_event, delivery->analysis);
	if (code < 0) {
		itp_failure_set(error, "%s", itp_error_text(code));
		return false;
	}
	warn_of_late_samples(delivery);
	itp_symbolizer_warnings(delivery->translator.symbolizer, say_of_symbols, delivery);
	if (is_interrupted) {
		itp_analysis_end_early(delivery->analysis);
	}
	*profile = (struct itp_memory_profile){ .input_path = delivery->dlargs.name,
						.name = delivery->dlargs.name,
						.tell_facts = tell_facts,
						.forget = forget_analysis,
						.data = delivery };
	return itp_analysis_finish(delivery->analysis, &profile->source, error);
}

static void tell_message(const char *message, void *data)
{
	const struct itp_delivery *delivery = data;
	g_autofree char *text = itp_failure_line(message);

	delivery->host->say(text);
}

enum itp_outcome itp_delivery_conclude(struct itp_delivery *delivery, bool is_cut, GError **error)
{
	g_autoptr(GArray) profiles = g_array_new(FALSE, FALSE, sizeof(struct itp_memory_profile));
	struct itp_conclusion conclusion = { .result = delivery->result,
					     .recordings = delivery->recordings,
					     .interrupt = &delivery->interrupt,
					     .watch = { .tell = tell_message, .data = delivery },
					     .profiles = profiles };
	struct itp_memory_profile profile;

	itp_delivery_watch(delivery);
	conclusion.is_interrupted = itp_interrupt_take(&delivery->interrupt) || is_cut;
	if (!make_profile(delivery, conclusion.is_interrupted, &profile, error)) {
		return ITP_OUTCOME_FAILED;
	}
	g_array_append_val(profiles, profile);
	return itp_conclude(&conclusion, error);
}

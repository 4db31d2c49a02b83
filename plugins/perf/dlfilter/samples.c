/* SPDX-License-Identifier: MIT */
/*
 * See samples.h.
 */
#include "plugins/perf/dlfilter/samples.h"

#include <string.h>

#include "common/base/hash.h"

/* As sched_switch reports a thread that will not come back: dead, or a zombie. */
#define ENDED_STATES 0x30

void itp_samples_init(struct itp_samples *samples, const struct itp_dlargs *dlargs)
{
	const struct itp_perf_options perf_options =
		itp_symbol_params_options(&dlargs->params.symbols);
	struct itp_analysis_options options = dlargs->params.analysis;

	/* perf tells nothing of them. */
	options.losses_untold = true;
	samples->functions = itp_function_table_new();
	samples->memory_changes = g_byte_array_new();
	samples->analysis = itp_analysis_new(dlargs->name, &options, samples->functions);
	samples->file.attrs = g_array_new(FALSE, FALSE, sizeof(struct itp_perf_attr));
	samples->file.attr_by_id = g_hash_table_new(itp_hash_number, NULL);
	itp_translator_init_for_samples(&samples->translator, &samples->file, &perf_options,
					samples->functions);
}

void itp_samples_release(struct itp_samples *samples)
{
	if (!samples->functions) {
		return;
	}
	itp_translator_release(&samples->translator);
	g_array_unref(samples->file.attrs);
	g_hash_table_unref(samples->file.attr_by_id);
	g_byte_array_unref(samples->memory_changes);
	itp_analysis_free(samples->analysis);
	itp_function_table_free(samples->functions);
}

/* Hands the translator's queue to the core. */
static int push_queue(struct itp_samples *samples)
{
	const struct itp_event_queue *queue = &samples->translator.queue;
	int error = 0;

	for (size_t i = 0; error == 0 && i < queue->length; i++) {
		error = itp_analysis_push(samples->analysis, &queue->events[i]);
	}
	return error;
}

int itp_samples_push(struct itp_samples *samples, uint16_t misc,
		     const struct itp_perf_sample *sample, uint64_t time_ns)
{
	int error = itp_translator_push_sample(&samples->translator, misc, sample, time_ns);

	return error != 0 ? error : push_queue(samples);
}

int itp_samples_switch(struct itp_samples *samples, const struct itp_perf_stamp *stamp, bool is_out,
		       bool is_preempted)
{
	itp_translator_push_switch(&samples->translator, stamp, is_out, is_preempted);
	return push_queue(samples);
}

int itp_samples_change(struct itp_samples *samples, enum itp_event_kind kind, struct itp_task *task,
		       uint64_t time_ns)
{
	struct itp_translator *translator = &samples->translator;

	itp_event_queue_clear(&translator->queue);
	translator->time_ns = (int64_t)time_ns;
	if (kind == ITP_EVENT_EXEC) {
		itp_task_exec(task);
	}
	itp_translator_add(translator, kind, task, -1);
	if (kind == ITP_EVENT_END) {
		itp_tasks_end(translator->tasks, task);
	}
	return push_queue(samples);
}

bool itp_samples_are_syscalls(const struct itp_samples *samples, uint32_t event)
{
	const struct itp_tracepoint *tracepoint = &samples->translator.tracepoints[event];

	return tracepoint->kind == ITP_TRACEPOINT_SYS_ENTER ||
	       tracepoint->kind == ITP_TRACEPOINT_SYS_EXIT;
}

static enum itp_memory_change change_by(const char *syscall)
{
	static const char *const program_starts[] = { ITP_SYSCALL_PREFIX "execve",
						      ITP_SYSCALL_PREFIX "execveat", NULL };
	/* brk() is not among them: no code lies where it makes room. */
	static const char *const mappings[] = { ITP_SYSCALL_PREFIX "mmap",
						ITP_SYSCALL_PREFIX "mmap2",
						ITP_SYSCALL_PREFIX "munmap",
						ITP_SYSCALL_PREFIX "mremap",
						ITP_SYSCALL_PREFIX "mprotect",
						ITP_SYSCALL_PREFIX "pkey_mprotect",
						ITP_SYSCALL_PREFIX "remap_file_pages",
						ITP_SYSCALL_PREFIX "shmat",
						ITP_SYSCALL_PREFIX "shmdt",
						ITP_SYSCALL_PREFIX "arch_prctl",
						NULL };

	if (g_strv_contains(program_starts, syscall)) {
		return ITP_MEMORY_NEW;
	}
	return g_strv_contains(mappings, syscall) ? ITP_MEMORY_MAPPED : ITP_MEMORY_SAME;
}

/* What becomes of the memory, by the id of the function that stands for the system call. */
static enum itp_memory_change change_by_id(struct itp_samples *samples, uint32_t syscall)
{
	GByteArray *changes = samples->memory_changes;
	const guint known = changes->len;

	if (syscall >= known) {
		g_byte_array_set_size(changes, syscall + 1);
		memset(changes->data + known, ITP_MEMORY_UNKNOWN, changes->len - known);
	}
	if (changes->data[syscall] == ITP_MEMORY_UNKNOWN) {
		changes->data[syscall] = (guint8)change_by(
			itp_function_table_get(samples->functions, syscall)->name);
	}
	return changes->data[syscall];
}

enum itp_memory_change itp_samples_memory_change(struct itp_samples *samples,
						 const struct itp_perf_sample *sample)
{
	struct itp_translator *translator = &samples->translator;
	const struct itp_tracepoint *tracepoint = &translator->tracepoints[sample->stamp.attr];
	enum itp_memory_change change;
	int64_t number;
	int64_t result;

	if (tracepoint->kind != ITP_TRACEPOINT_SYS_EXIT ||
	    !itp_tracepoint_number(&tracepoint->fields[ITP_FIELD_SYSCALL], &sample->raw, &number)) {
		return ITP_MEMORY_SAME;
	}
	change = change_by_id(samples, itp_syscall_names_function(translator->syscalls, number));
	if (change == ITP_MEMORY_NEW &&
	    (!itp_tracepoint_number(&tracepoint->fields[ITP_FIELD_RESULT], &sample->raw, &result) ||
	     result != 0)) {
		return ITP_MEMORY_SAME;
	}
	return change;
}

bool itp_samples_is_end(const struct itp_samples *samples, const struct itp_perf_sample *sample)
{
	const struct itp_translator *translator = &samples->translator;
	const struct itp_tracepoint *tracepoint = &translator->tracepoints[sample->stamp.attr];
	int64_t state;

	return tracepoint->kind == ITP_TRACEPOINT_SWITCH &&
	       itp_tracepoint_number(&tracepoint->fields[ITP_FIELD_PREV_STATE], &sample->raw,
				     &state) &&
	       (state & ENDED_STATES);
}

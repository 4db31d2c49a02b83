/* SPDX-License-Identifier: MIT */
/*
 * Records about threads, mappings, switches and losses.
 *
 * perf makes up records about the time before it began, with time 0: they tell threads and
 * mappings, but are no events.
 */
#include "common/perf-data/translator.h"

#include "common/perf-data/mapping.h"
#include "common/perf-data/record-types.h"

/* Newer than some headers. */
#define MISC_SWITCH_OUT (1u << 13)
#define MISC_SWITCH_OUT_PREEMPT (1u << 14)
#define MISC_LOST_SAMPLES_BPF (1u << 15)

/* The argument of a SWITCH_OUT with nothing else known. */
#define BLOCKED 1

static void map_kernel(struct itp_translator *translator, const struct itp_map_request *request)
{
	struct itp_kernel *kernel = itp_symbolizer_kernel(translator->symbolizer);

	/* "[kernel.kallsyms]_text": the offset is the symbol's address. */
	if (g_str_has_prefix(request->path, ITP_KERNEL_MAP)) {
		itp_kernel_set_text(kernel, request->offset ? request->offset : request->start,
				    request->length);
		if (request->build_id) {
			itp_kernel_set_build_id(kernel, request->build_id);
		}
		itp_translator_use_running_kernel(translator);
	}
}

static int handle_mmap(struct itp_translator *translator, const struct itp_perf_record *record)
{
	struct itp_perf_mapping mapping;
	struct itp_map_request request;

	if (!itp_perf_record_mapping(record, &mapping)) {
		return ITP_ERROR_CORRUPT;
	}
	request = itp_perf_mapping_request(&mapping);
	if ((record->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL) {
		map_kernel(translator, &request);
	} else if ((mapping.is_executable || mapping.is_byte_code) && mapping.pid > 0) {
		itp_tasks_map(translator->tasks, mapping.pid, translator->symbolizer, &request);
	}
	return 0;
}

static int handle_comm(struct itp_translator *translator, const struct itp_perf_record *record,
		       bool is_made_up)
{
	struct itp_bytes body = record->body;
	uint32_t pid;
	uint32_t tid;
	const char *comm;
	struct itp_task *task;

	if (!itp_bytes_u32(&body, &pid) || !itp_bytes_u32(&body, &tid)) {
		return ITP_ERROR_CORRUPT;
	}
	comm = itp_bytes_string(&body);
	if (!comm) {
		return ITP_ERROR_CORRUPT;
	}
	if ((int32_t)pid < 0 || (int32_t)tid <= 0) {
		return 0;
	}
	task = itp_tasks_get(translator->tasks, (int32_t)pid, (int32_t)tid);
	itp_tasks_rename(translator->tasks, task, comm);
	if ((record->misc & PERF_RECORD_MISC_COMM_EXEC) && !is_made_up) {
		itp_task_exec(task);
		itp_translator_add(translator, ITP_EVENT_EXEC, task, -1);
	}
	return 0;
}

static int handle_fork_or_exit(struct itp_translator *translator,
			       const struct itp_perf_record *record, bool is_made_up)
{
	struct itp_bytes body = record->body;
	uint32_t pid;
	uint32_t parent_pid;
	uint32_t tid;
	uint32_t parent_tid;
	struct itp_task *task;

	if (!itp_bytes_u32(&body, &pid) || !itp_bytes_u32(&body, &parent_pid) ||
	    !itp_bytes_u32(&body, &tid) || !itp_bytes_u32(&body, &parent_tid)) {
		return ITP_ERROR_CORRUPT;
	}
	if ((int32_t)tid <= 0 || (int32_t)pid <= 0) {
		return 0;
	}
	if (record->type == PERF_RECORD_FORK) {
		task = itp_tasks_fork(translator->tasks, (int32_t)pid, (int32_t)tid,
				      (int32_t)parent_pid, (int32_t)parent_tid);
		if (!is_made_up) {
			task->is_announced = true;
			itp_event_queue_start(&translator->queue, translator->time_ns, task,
					      (int32_t)parent_tid);
		}
		return 0;
	}
	task = itp_tasks_find(translator->tasks, (int32_t)tid);
	if (task && !task->is_ended) {
		task->is_leaving = task->is_announced;
		if (!translator->has_last_switches &&
		    !(translator->is_system_wide && translator->has_switch_tracepoint)) {
			itp_translator_end(translator, task);
		}
		itp_tasks_end(translator->tasks, task);
	}
	return 0;
}

/* Events counted as lost by the kernel, or by perf at the end. */
static int handle_lost(struct itp_translator *translator, const struct itp_perf_record *record,
		       bool is_made_up)
{
	struct itp_bytes body = record->body;
	uint64_t count;

	/* PERF_RECORD_LOST tells the event's id first. */
	if ((record->type == PERF_RECORD_LOST && !itp_bytes_take(&body, sizeof(uint64_t))) ||
	    !itp_bytes_u64(&body, &count)) {
		return ITP_ERROR_CORRUPT;
	}
	count = MIN(count, INT64_MAX);
	/* Dropped on demand by a filter. */
	if (record->type == PERF_RECORD_LOST_SAMPLES && (record->misc & MISC_LOST_SAMPLES_BPF)) {
		return 0;
	}
	if (is_made_up) {
		translator->counted_lost_events += count;
		return 0;
	}
	translator->lost_events += count;
	itp_tasks_forget_ended(translator->tasks);
	itp_translator_add_loss(translator, (int64_t)count);
	return 0;
}

/* Code that comes into the kernel. Code that has gone keeps its name until something else takes its
 * place. */
static int handle_kernel_symbol(struct itp_translator *translator,
				const struct itp_perf_record *record)
{
	struct itp_bytes body = record->body;
	uint64_t start;
	uint32_t length;
	/* The latter are the upper half. */
	uint32_t type_and_flags;
	const char *name;

	if (!itp_bytes_u64(&body, &start) || !itp_bytes_u32(&body, &length) ||
	    !itp_bytes_u32(&body, &type_and_flags) || !(name = itp_bytes_string(&body))) {
		return ITP_ERROR_CORRUPT;
	}
	if (!(type_and_flags >> 16 & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER)) {
		bool is_bpf = (type_and_flags & UINT16_MAX) == PERF_RECORD_KSYMBOL_TYPE_BPF;

		itp_kernel_programs_add(itp_symbolizer_programs(translator->symbolizer), start,
					length, is_bpf ? "[bpf]" : "[kernel]", name);
	}
	return 0;
}

static int handle_cgroup(struct itp_translator *translator, const struct itp_perf_record *record)
{
	struct itp_bytes body = record->body;
	const char *path;
	uint64_t number;

	if (!itp_bytes_u64(&body, &number) || !(path = itp_bytes_string(&body))) {
		return ITP_ERROR_CORRUPT;
	}
	itp_tasks_tell_group(translator->tasks, number, path);
	return 0;
}

/* A throttled timer only ticks less often; a throttled tracepoint loses events. */
static void handle_unthrottle(struct itp_translator *translator,
			      const struct itp_perf_record *record)
{
	struct itp_bytes body = record->body;
	uint64_t id;
	uint32_t attr;

	if (itp_bytes_take(&body, sizeof(uint64_t)) && itp_bytes_u64(&body, &id) &&
	    itp_perf_file_find_attr(translator->file, id, &attr) &&
	    itp_perf_file_attr(translator->file, attr)->type == PERF_TYPE_TRACEPOINT) {
		itp_translator_add_loss(translator, ITP_LOSS_UNKNOWN);
	}
}

static void handle_switch(struct itp_translator *translator, const struct itp_perf_stamp *stamp,
			  bool is_out, bool is_preempted)
{
	struct itp_stack_event *event;

	if (stamp->tid <= 0 || (is_out && translator->has_switch_tracepoint)) {
		return;
	}
	event = itp_translator_add(translator, is_out ? ITP_EVENT_SWITCH_OUT : ITP_EVENT_SWITCH_IN,
				   itp_tasks_get(translator->tasks, stamp->pid, stamp->tid),
				   stamp->cpu);
	if (event && !is_out && translator->tells_before) {
		event->argument = 1;
		event->callee = stamp->tid == translator->before_tid ? translator->before :
								       ITP_FUNCTION_UNKNOWN;
		translator->before_tid = 0;
	}
	if (event && is_out) {
		event->argument = is_preempted ? 0 : BLOCKED;
		event->complete = false;
		event->end = ITP_STACK_END_UNKNOWN;
	}
}

/* All of them were read before the first sample. */
static int handle_deferred(const struct itp_perf_record *record)
{
	struct itp_bytes chain;
	uint64_t cookie;

	return itp_perf_record_deferred(record, &cookie, &chain) ? 0 : ITP_ERROR_CORRUPT;
}

static int handle_other(struct itp_translator *translator, struct itp_perf_record *record)
{
	struct itp_perf_stamp stamp;
	bool is_made_up;
	int error = itp_perf_record_trailer(translator->file, record, &stamp);

	if (error != 0) {
		return error;
	}
	is_made_up = stamp.time == 0;
	switch (record->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return handle_mmap(translator, record);
	case PERF_RECORD_COMM:
		return handle_comm(translator, record, is_made_up);
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return handle_fork_or_exit(translator, record, is_made_up);
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return handle_lost(translator, record, is_made_up);
	case PERF_RECORD_KSYMBOL:
		return handle_kernel_symbol(translator, record);
	case PERF_RECORD_UNTHROTTLE:
		handle_unthrottle(translator, record);
		return 0;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		translator->is_system_wide |= record->type == PERF_RECORD_SWITCH_CPU_WIDE;
		handle_switch(translator, &stamp, record->misc & MISC_SWITCH_OUT,
			      record->misc & MISC_SWITCH_OUT_PREEMPT);
		return 0;
	case ITP_RECORD_CALLCHAIN_DEFERRED:
		return handle_deferred(record);
	case PERF_RECORD_CGROUP:
		return handle_cgroup(translator, record);
	case PERF_RECORD_READ:
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_NAMESPACES:
	case PERF_RECORD_BPF_EVENT:
	case PERF_RECORD_TEXT_POKE:
		return 0;
	default:
		translator->counts.skipped_records++;
		return 0;
	}
}

/* True when the type of a tool's record is known. Such records tell nothing after the opening,
 * unless data of the hardware follow them, or they are newer than the list. */
static bool is_known_tool_record(uint32_t type)
{
	return type != ITP_RECORD_AUXTRACE && type != ITP_RECORD_AUXTRACE_ERROR &&
	       type < ITP_RECORD_UNKNOWN_FIRST;
}

int itp_translator_push(struct itp_translator *translator, struct itp_perf_record *record,
			uint64_t time)
{
	itp_event_queue_clear(&translator->queue);
	translator->time_ns = (int64_t)time;
	if (record->type == PERF_RECORD_SAMPLE) {
		struct itp_perf_sample sample;
		int error = itp_perf_record_sample(translator->file, record, &sample);

		return error != 0 ?
			       error :
			       itp_translator_push_sample(translator, record->misc, &sample, time);
	}
	if (record->type >= ITP_RECORD_TOOL_FIRST) {
		translator->counts.skipped_records += !is_known_tool_record(record->type);
		return 0;
	}
	return handle_other(translator, record);
}

void itp_translator_push_switch(struct itp_translator *translator,
				const struct itp_perf_stamp *stamp, bool is_out, bool is_preempted)
{
	itp_event_queue_clear(&translator->queue);
	translator->time_ns = (int64_t)stamp->time;
	translator->has_switch_records = true;
	handle_switch(translator, stamp, is_out, is_preempted);
}

static void add_late(struct itp_translator *translator, enum itp_event_kind kind, uint64_t count,
		     uint64_t *told)
{
	if (count > *told) {
		itp_event_queue_add_count(&translator->queue, kind, translator->time_ns,
					  (int64_t)(count - *told));
		*told = count;
	}
}

void itp_translator_add_late(struct itp_translator *translator)
{
	add_late(translator, ITP_EVENT_LATE, translator->counts.late_records,
		 &translator->told_late_records);
	add_late(translator, ITP_EVENT_MISPLACED, translator->counts.misplaced_records,
		 &translator->told_misplaced_records);
}

void itp_translator_finish(struct itp_translator *translator)
{
	itp_event_queue_clear(&translator->queue);
	if (translator->counted_lost_events > translator->lost_events) {
		itp_translator_add_loss(translator, (int64_t)(translator->counted_lost_events -
							      translator->lost_events));
		translator->counted_lost_events = 0;
	}
	itp_translator_add_late(translator);
}

/* SPDX-License-Identifier: MIT */
/*
 * Records as stack events.
 *
 * Give it the records in time order; it keeps threads and address spaces up to date and fills a
 * small queue: a record may mean several events (a switch takes a thread off the CPU and puts
 * another on).
 *
 *   translator.c  making a translator
 *   translate.c   records about threads, mappings, switches and losses
 *   events.c      samples
 *   chains.c      chains of samples
 */
#ifndef ITP_PERF_DATA_TRANSLATOR_H
#define ITP_PERF_DATA_TRANSLATOR_H

#include "common/perf-data/deferred.h"
#include "common/perf-data/reader-values.h"
#include "common/perf-data/sample.h"
#include "common/perf-data/tracepoint.h"
#include "common/stacks/callchain.h"
#include "common/symbol/kernel.h"

struct itp_translator {
	/* Weak. */
	struct itp_perf_file *file;
	struct itp_function_table *functions;
	/* A tracepoint for each attribute. Owned by this. */
	struct itp_tracepoint *tracepoints;
	/* Owned by this. */
	struct itp_symbolizer *symbolizer;
	struct itp_syscall_names *syscalls;
	struct itp_tasks *tasks;
	struct itp_user_stacks *stacks;
	/* NULL unless functions missing in stacks are asked for. Owned by this. */
	struct itp_completion *completion;
	/* Process of threads unknown to the core: it has no user code. Owned by this (a
	 * reference). */
	struct itp_process *nobody;
	/* See itp_perf_options. */
	bool in_memory;
	/* NULL when no user parts come later. Owned by this. */
	struct itp_deferred *deferred;
	struct itp_perf_counts counts;
	/* Facts missing in the recording may come from the running kernel. */
	bool may_use_running_kernel;
	/* The recording has sched_switch, or PERF_RECORD_SWITCH. */
	bool has_switch_tracepoint;
	bool has_switch_records;
	/* The recording tells which process had a CPU until a recorded thread gets it: `before`,
	 * of the thread `before_tid`, whose switch comes next. */
	bool tells_before;
	int32_t before_tid;
	uint32_t before;
	/* All threads of the machine are recorded, not only of some processes. */
	bool is_system_wide;
	/* The recorder sees threads up to their last switch, also behind PERF_RECORD_EXIT: the
	 * kernel unmaps their memory in between. */
	bool has_last_switches;
	/* Time and chain of the current record. */
	int64_t time_ns;
	struct itp_callchain chain;
	/* uint64_t, little-endian: a chain made up from other facts of the recording. Owned by
	 * this. */
	GArray *joined;
	struct itp_event_queue queue;
	/* Events lost as told by the kernel at the time, and by the counts that perf asked for at
	 * the end, which hold the former again. */
	uint64_t lost_events;
	uint64_t counted_lost_events;
	/* Late and misplaced records already told by events. */
	uint64_t told_late_records;
	uint64_t told_misplaced_records;
};

/* The chain of a sample, recorded or made of other facts in the sample (chains.c); and whether it
 * may reach the thread's first function. Weak: until the next call. */
struct itp_bytes itp_translator_chain(struct itp_translator *translator,
				      const struct itp_perf_sample *sample, bool *ret_may_be_whole);

/* `functions` and `file` are weak. Returns 0, or ITP_ERROR_CORRUPT when the formats of tracepoints
 * are damaged, which is no obstacle. */
int itp_translator_init(struct itp_translator *translator, struct itp_perf_file *file,
			const struct itp_perf_options *options,
			struct itp_function_table *functions);
/* For a recording read by somebody else, who hands over its samples and nothing else: of `file`
 * only `attrs` and `attr_by_id` are used, empty at first. The recording is taken for a recording of
 * this machine's kernel unless something contradicts. */
void itp_translator_init_for_samples(struct itp_translator *translator, struct itp_perf_file *file,
				     const struct itp_perf_options *options,
				     struct itp_function_table *functions);
void itp_translator_release(struct itp_translator *translator);

/* The recorded kinds of events: enum itp_watched. */
uint32_t itp_translator_watched(const struct itp_translator *translator);
/* True when the recording tells control groups. */
bool itp_translator_tells_containers(const struct itp_translator *translator);

/* Announces switches as PERF_RECORD_SWITCH, by hosts that know before the first. */
void itp_translator_expect_switches(struct itp_translator *translator);

/* Adds the attribute, a struct perf_event_attr, of the event `event_name` in perf's spelling,
 * behind the others. Errors as of itp_perf_file_add_attr(). */
int itp_translator_add_attr(struct itp_translator *translator, const struct itp_bytes *attr,
			    const char *event_name);

/* Empties the queue and fills it with the events of `record`. Returns 0 or ITP_ERROR_CORRUPT. */
int itp_translator_push(struct itp_translator *translator, struct itp_perf_record *record,
			uint64_t time);
/* Like itp_translator_push(), for the fields of a sample; `misc` is its record's. */
int itp_translator_push_sample(struct itp_translator *translator, uint16_t misc,
			       const struct itp_perf_sample *sample, uint64_t time);
/* Like itp_translator_push(), for a thread that leaves a CPU, or is on a CPU again, as told by
 * PERF_RECORD_SWITCH. */
void itp_translator_push_switch(struct itp_translator *translator,
				const struct itp_perf_stamp *stamp, bool is_out, bool is_preempted);
/* Appends the number of late records since the last call. */
void itp_translator_add_late(struct itp_translator *translator);
/* Empties the queue and fills it with the events of the recording's end. */
void itp_translator_finish(struct itp_translator *translator);

/* The following are shared by translate.c, translator.c and events.c. */

/* Name of the kernel in perf's mappings. */
#define ITP_KERNEL_MAP "[kernel.kallsyms]"

/* Allows the running kernel's facts, if equal. To be called once the recording has told the place
 * of its kernel, before all samples. */
void itp_translator_use_running_kernel(struct itp_translator *translator);

/* Appends an event of `kind` for the thread, after introducing the thread to the core if need be.
 * NULL for a thread of whose end the core was told. Valid until the next call. */
struct itp_stack_event *itp_translator_add(struct itp_translator *translator,
					   enum itp_event_kind kind, struct itp_task *task,
					   int32_t cpu);
/* Appends the end of a thread that is leaving, of which the core was not told yet. */
void itp_translator_end(struct itp_translator *translator, struct itp_task *task);
/* Appends the loss of `count` events. */
void itp_translator_add_loss(struct itp_translator *translator, int64_t count);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The samples of one recording, which perf reads, on their way to a profile: what
 * source.introperf.perf makes of records, made of what a host inside perf is given.
 */
#ifndef ITP_PERF_DLFILTER_SAMPLES_H
#define ITP_PERF_DLFILTER_SAMPLES_H

#include "common/perf-data/translate.h"
#include "plugins/perf/dlfilter/dlargs.h"

struct itp_samples {
	/* For whoever knows more about threads and their memory. */
	struct itp_translator translator;
	/* Only its attributes. */
	struct itp_perf_file file;
	/* Owned by this. */
	struct itp_function_table *functions;
	struct itp_analysis *analysis;
	/* What each system call that came back can do: enum itp_memory_change by the function that
	 * stands for it. Owned by this. */
	GByteArray *memory_changes;
};

/* What a system call has done to the memory of its process. */
enum itp_memory_change {
	/* Where that was not found out yet. */
	ITP_MEMORY_UNKNOWN,
	ITP_MEMORY_SAME,
	/* Code may have been mapped, or replaced. */
	ITP_MEMORY_MAPPED,
	/* The process runs another program. */
	ITP_MEMORY_NEW,
};

/* `dlargs` must outlive this. */
void itp_samples_init(struct itp_samples *samples, const struct itp_dlargs *dlargs);
/* Also of one that is zeroed. */
void itp_samples_release(struct itp_samples *samples);

/* Handles one sample. Returns 0 or a negative itp_error. */
int itp_samples_push(struct itp_samples *samples, uint16_t misc,
		     const struct itp_perf_sample *sample, uint64_t time_ns);

/* A thread leaves a CPU, or is on one again. */
int itp_samples_switch(struct itp_samples *samples, const struct itp_perf_stamp *stamp, bool is_out,
		       bool is_preempted);

/* The thread of a sample to come runs another program, or is over, as of `time_ns`: `kind` is
 * ITP_EVENT_EXEC or ITP_EVENT_END. */
int itp_samples_change(struct itp_samples *samples, enum itp_event_kind kind, struct itp_task *task,
		       uint64_t time_ns);

/* What samples tell of what is not handed over. Whether those of `event` are of system calls: */
bool itp_samples_are_syscalls(const struct itp_samples *samples, uint32_t event);
/* What the system call has done that the thread comes back from; ITP_MEMORY_SAME elsewhere. */
enum itp_memory_change itp_samples_memory_change(struct itp_samples *samples,
						 const struct itp_perf_sample *sample);
/* The thread leaves the CPU for the last time. */
bool itp_samples_is_end(const struct itp_samples *samples, const struct itp_perf_sample *sample);

#endif

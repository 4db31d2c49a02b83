/* SPDX-License-Identifier: MIT */
/*
 * Notes of the programs in the kernel → samples of a perf.data file. Layouts are in formats.h,
 * writing in output.h.
 */
#ifndef ITP_PERF_RECORD_SAMPLES_H
#define ITP_PERF_RECORD_SAMPLES_H

#include "plugins/perf/record/formats.h"
#include "plugins/perf/record/groups.h"
#include "plugins/perf/record/kernel-text.h"
#include "plugins/perf/record/output.h"
#include "plugins/perf/record/stacks.h"

/* All pointers are weak. */
struct itp_recorder_samples_options {
	struct itp_recorder_output *output;
	const struct itp_recorder_stacks *stacks;
	const struct itp_recorder_kernel_text *text;
	/* Ids in the recording, by enum itp_recorder_event. */
	const uint64_t *ids;
	/* System calls are watched in windows alone. An event in a call begun outside is preceded
	 * by the call's number, as is any wait from before the recording. */
	bool has_windows;
	/* System calls are watched. */
	bool has_calls;
};

struct itp_recorder_samples;

struct itp_recorder_samples *itp_recorder_samples_new(
	const struct itp_recorder_samples_options *options);
void itp_recorder_samples_free(struct itp_recorder_samples *samples);

/* Takes a record. Stacks and interpreted code are left to stacks.h and interpreted.h. */
void itp_recorder_samples_push(struct itp_recorder_samples *samples,
			       const struct itp_record_head *record);

/* Writes the begin of a window, drawn from `one_in` slots; or, with 0, its end. `taken` is the part
 * of the programs' CPU time in windows taken by watching until now: 0.4. */
void itp_recorder_samples_push_window(struct itp_recorder_samples *samples, uint64_t time_ns,
				      uint32_t one_in, double taken);

/* Writes the control group of a process. */
void itp_recorder_samples_push_group(struct itp_recorder_samples *samples,
				     const struct itp_recorder_group *group);

/* Writes a loss of `count` events, known at `time_ns`. */
void itp_recorder_samples_lose(struct itp_recorder_samples *samples, uint64_t time_ns,
			       uint64_t count);

#endif

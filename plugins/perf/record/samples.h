/* SPDX-License-Identifier: MIT */
/*
 * From records of the programs in the kernel to those of a perf.data file.
 */
#ifndef ITP_PERF_RECORD_SAMPLES_H
#define ITP_PERF_RECORD_SAMPLES_H

#include "plugins/perf/record/formats.h"
#include "plugins/perf/record/kernel-text.h"
#include "plugins/perf/record/output.h"
#include "plugins/perf/record/stacks.h"

/* All weak. */
struct itp_recorder_samples_options {
	struct itp_recorder_output *output;
	const struct itp_recorder_stacks *stacks;
	const struct itp_recorder_kernel_text *text;
	/* Of each event, its number in the recording. */
	const uint64_t *ids;
	/* System calls are watched in windows alone: others are told where they show. */
	bool has_windows;
};

struct itp_recorder_samples;

struct itp_recorder_samples *itp_recorder_samples_new(
	const struct itp_recorder_samples_options *options);
void itp_recorder_samples_free(struct itp_recorder_samples *samples);

/* Takes any record but a stack's. */
void itp_recorder_samples_push(struct itp_recorder_samples *samples,
			       const struct itp_record_head *record);

/* Begins a state: system calls are watched in one of so many slots, in this one; 0: in none.
 * `taken` is the part of the programs' CPU time taken by it until now, in windows. */
void itp_recorder_samples_push_window(struct itp_recorder_samples *samples, uint64_t time_ns,
				      uint32_t one_in, double taken);

/* Tells the number of events lost until now. */
void itp_recorder_samples_lose(struct itp_recorder_samples *samples, uint64_t time_ns,
			       uint64_t count);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * record --bpf: recording without perf, as command and options ask. Begin and end of the programs
 * in the kernel are left to recording.h.
 */
#ifndef ITP_PERF_RECORD_BPF_RUN_H
#define ITP_PERF_RECORD_BPF_RUN_H

#include "plugins/perf/record/held.h"
#include "plugins/perf/record/record-options.h"

struct itp_record_bpf_end {
	/* Recording has begun. Valid after an error, too: without a begin the target has done
	 * nothing yet, and perf can still be tried. */
	bool has_begun;
	/* Ended by a signal, as Ctrl-C. */
	bool is_interrupted;
};

/* Recording to be made, in a line: "(bpf: … of …)". Owned by the caller. */
char *itp_record_bpf_text(const struct itp_record_options *options);

/* Records into the file `output`, or to the parent process (ITP_RECORDER_STREAM), until an event
 * that ends a recording by perf, too. A command is started as `held`, with pid 0 before, and is to
 * be ended by the caller in any case. `typed` is the whole command, kept in the recording with
 * --bpf in it. *ret_recipe is the recipe closest to the recording. False with an error when nothing
 * was recorded, or written. */
bool itp_record_bpf_run(const struct itp_record_options *options, const char *output,
			char *const *typed, struct itp_held *held, struct itp_recipe *ret_recipe,
			struct itp_record_bpf_end *ret_end, GError **error);

#endif

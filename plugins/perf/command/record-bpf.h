/* SPDX-License-Identifier: MIT */
/*
 * record --bpf: the recorder that does without perf.
 */
#ifndef ITP_PERF_COMMAND_RECORD_BPF_H
#define ITP_PERF_COMMAND_RECORD_BPF_H

#include "plugins/perf/command/held.h"
#include "plugins/perf/command/record-options.h"

struct itp_record_bpf_end {
	/* The kernel let it begin. Valid after an error, too: without a begin the target has done
	 * nothing yet, and perf can still be tried. */
	bool has_begun;
	/* The end came by a signal, as Ctrl-C. */
	bool is_interrupted;
};

/* Records into `output`, until what ends a recording by perf. A command is started, and is to be
 * ended by the caller, in any case: `held`, whose pid is 0 before. `typed` is the whole command,
 * which the recording keeps with --bpf in it. *ret_recipe is what comes closest to what was
 * recorded. */
bool itp_record_bpf_run(const struct itp_record_options *options, const char *output,
			char *const *typed, struct itp_held *held, struct itp_recipe *ret_recipe,
			struct itp_record_bpf_end *ret_end, GError **error);

#endif

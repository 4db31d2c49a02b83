/* SPDX-License-Identifier: MIT */
/*
 * record --bpf: the recorder without perf.
 */
#ifndef ITP_PERF_COMMAND_RECORD_BPF_H
#define ITP_PERF_COMMAND_RECORD_BPF_H

#include "plugins/perf/command/held.h"
#include "plugins/perf/command/record-options.h"

/* End of a recording. */
struct itp_record_bpf_end {
	/* Ended by a signal, as users end a recording. */
	bool is_interrupted;
};

/* Records into `output`, until an event that ends perf's recordings too. A command is started, and
 * is to be ended by the caller, in any case: `held`, whose pid is 0 before. `typed` is the whole
 * command. *ret_recipe is the closest recipe. */
bool itp_record_bpf_run(const struct itp_record_options *options, const char *output,
			char *const *typed, struct itp_held *held, struct itp_recipe *ret_recipe,
			struct itp_record_bpf_end *ret_end, GError **error);

#endif

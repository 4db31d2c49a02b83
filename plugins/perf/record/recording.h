/* SPDX-License-Identifier: MIT */
/*
 * A recording without perf: programs in the kernel note the target's events, and follow its stacks;
 * their records become a perf.data file like perf's.
 */
#ifndef ITP_PERF_RECORD_RECORDING_H
#define ITP_PERF_RECORD_RECORDING_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "plugins/perf/record/record-bpf.h"
#include "plugins/perf/record/windows.h"

struct itp_recorder_options {
	/* The file to write. Weak. */
	const char *output;
	/* int32_t: running processes, to be recorded with their later children. Weak. */
	const GArray *pids;
	/* All processes but this one, besides. */
	bool is_machine;
	/* Process of `pids` that is recorded from its next exec on; 0 for none. */
	int32_t waiting_pid;
	/* System calls and wakeups are left out. */
	bool is_light;
	/* Highest cost of the recording as a part of the recorded programs' CPU time, for which
	 * system calls are watched in windows; 0: any cost. */
	double budget;
	/* Ticks of the timer in a second. */
	guint hertz;
	/* Command line, as told in the recording. Weak. */
	char *const *command;
	/* Called once, when all is recorded. With its data; weak. */
	void (*begin)(void *data);
	void *data;
	/* Child of this process with whose end the recording ends; 0 for none: it then ends with
	 * the last of `pids`. */
	pid_t until;
};

struct itp_recorder_end {
	/* Ended by a signal, as users end a recording. */
	bool is_interrupted;
	/* With a budget: the cost, and the part of the time in which system calls were watched, in
	 * how many windows. */
	struct itp_recorder_spent spent;
	double watched;
	guint windows;
	/* Counts of the programs in the kernel. */
	struct itp_record_totals totals;
};

/* False with an error when nothing could be recorded, or it could not be written. */
bool itp_recorder_run(const struct itp_recorder_options *options, struct itp_recorder_end *ret_end,
		      GError **error);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A recording without perf, from begin to end: its options, its run, and numbers at its end. The
 * work is left to the files listed in record.h.
 */
#ifndef ITP_PERF_RECORD_RECORDING_H
#define ITP_PERF_RECORD_RECORDING_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "plugins/perf/record/record-bpf.h"
#include "plugins/perf/record/windows.h"

struct itp_recorder_options {
	/* Path of the file to write, or ITP_RECORDER_STREAM: a stream has no names of interpreted
	 * functions, whose place is beside a file. Weak. */
	const char *output;
	/* int32_t: pids of running processes, recorded with their children. Weak. */
	const GArray *pids;
	/* All other processes of the machine are recorded, too; never the recorder, nor `reader`,
	 * who reads what is written meanwhile; 0 for nobody. */
	bool is_machine;
	int32_t reader;
	/* Process of `pids` recorded from its next exec on; 0 for none. */
	int32_t waiting_pid;
	/* System calls and wakeups are left out. */
	bool is_light;
	/* New threads and page faults are recorded as well. */
	bool is_full;
	/* Highest cost of the recording, as in windows.h: 0.05. System calls are watched in windows
	 * to keep below. 0: no limit, system calls are watched all the time. */
	double budget;
	/* Frequency of the timer, in hertz: 997. */
	guint hertz;
	/* Words of the command, NULL-terminated, kept by the recording. Weak. */
	char *const *command;
	/* Called once with `data`, as soon as all is recorded. `data` is weak. */
	void (*begin)(void *data);
	void *data;
	/* Child of this process whose end also ends the recording. 0 for none: the recording then
	 * ends with the last of `pids`, or, of the whole machine, by a signal alone. */
	pid_t until;
};

struct itp_recorder_end {
	/* Ended by a signal: SIGINT, SIGTERM or SIGHUP. */
	bool is_interrupted;
	/* With a budget, else 0: CPU time spent, in a recording of `length_ns`; part of the time in
	 * which system calls were watched, from 0 to 1; and number of windows. */
	struct itp_recorder_spent spent;
	int64_t length_ns;
	double watched;
	guint windows;
	/* Sums of the programs in the kernel, over all CPUs. */
	struct itp_record_totals totals;
};

/* Records until the end of the target, or a signal. False with an error when nothing could be
 * recorded, or the file could not be written. */
bool itp_recorder_run(const struct itp_recorder_options *options, struct itp_recorder_end *ret_end,
		      GError **error);

#endif

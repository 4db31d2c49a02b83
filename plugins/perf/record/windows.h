/* SPDX-License-Identifier: MIT */
/*
 * Windows in which system calls are watched, so that a recording costs no more than its budget: all
 * the time if the budget allows. Attaching is left to kernel.h, CPU time spent to spending.h.
 *
 * Time is cut into slots of 10 ms, or up to 160 ms where the begin and the end of a window cost
 * more than what is watched in it. Of each N slots in a row a single slot is watched, drawn by lot:
 * any instant has a chance of 1 in N, whatever the program's period is. N follows from the cost of
 * watching until then. With N = 1, windows follow each other without a begin and an end, and become
 * longer, as reading the cost takes CPU time, too.
 *
 * The budget holds twice: for what recorded programs are held up by, as a part of their CPU time;
 * and for all that is spent, with the recorder's own process, as a part of their CPU time or of one
 * CPU. Of a server that mostly waits, a fixed part of one CPU may be taken: nobody would feel less.
 */
#ifndef ITP_PERF_RECORD_WINDOWS_H
#define ITP_PERF_RECORD_WINDOWS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Shortest slot, in nanoseconds. Short, for many windows even in a second; but to begin and to end
 * a window takes the recorder 0.4 ms of CPU time, and up to 7 ms in some virtual machines. */
#define ITP_RECORDER_SLOT_NS INT64_C(10000000)
/* Longest window and slot, in nanoseconds: of windows in a row each is twice as long as the
 * previous. For as long, a program that begins to make many system calls is slowed before anybody
 * looks. */
#define ITP_RECORDER_LONGEST_NS INT64_C(160000000)
/* Highest N: a minute of recording still has 94 windows, with thousands of system calls of a
 * program that makes hundreds in each slot. */
#define ITP_RECORDER_MOST_SLOTS 64
/* Least CPU time to which the budget applies, as a part of one CPU. With 5 %, programs may always
 * be held up for 10 ms a second: the CPU time of nginx varies by more from run to run, by 1 to 3 %
 * (doc/overhead.md). */
#define ITP_RECORDER_LEAST_USE 0.2

/* CPU time since the beginning, in nanoseconds. */
struct itp_recorder_spent {
	/* CPU time of the recorded programs, with the part added by recording. */
	double target_ns;
	/* Parts of target_ns: for watched system calls; and for all other events, always watched.
	 */
	double calls_ns;
	double others_ns;
	/* CPU time of other programs of the machine, whose events are passed over: system calls
	 * while they are watched, and all others. */
	double stranger_calls_ns;
	double stranger_others_ns;
	/* CPU time of the recorder's process: while system calls were watched; to begin and to end
	 * windows; for new code, once; and for the rest. */
	double own_calls_ns;
	double own_edges_ns;
	double own_learning_ns;
	double own_others_ns;
};

/* State from now until `due_ns`, on CLOCK_MONOTONIC. */
struct itp_recorder_window {
	bool is_open;
	/* N of the present slots; 1: all are watched. */
	uint32_t one_in;
	int64_t due_ns;
};

struct itp_recorder_windows;

/* `budget` is a part of the recorded programs' CPU time without the recorder: 0.05 for 5 %. The
 * first slot is watched. `random` is owned by
 * the result. */
struct itp_recorder_windows *itp_recorder_windows_new(double budget, GRand *random, int64_t now_ns);
void itp_recorder_windows_free(struct itp_recorder_windows *windows);

/* Window from `now_ns` on, after spending `spent`. To be called again at its `due_ns`. */
struct itp_recorder_window itp_recorder_windows_step(struct itp_recorder_windows *windows,
						     int64_t now_ns,
						     const struct itp_recorder_spent *spent);

/* Moves the begin of the window just opened to `now_ns`, as opening took time. Returns its due
 * time. */
int64_t itp_recorder_windows_delay(struct itp_recorder_windows *windows, int64_t now_ns);

/* Part of the programs' CPU time in windows taken by watching: 0.4 if a program gets as far in 10
 * ms of a window as in 6 ms outside. 0 while unknown. */
double itp_recorder_windows_taken(const struct itp_recorder_windows *windows,
				  const struct itp_recorder_spent *spent);

/* Part of the CPU time that was spent on a recording. */
struct itp_recorder_spent_part {
	double part;
	/* The part is of one CPU, as the programs have used less than that; otherwise of the
	 * programs' own CPU time. */
	bool is_of_cpu;
};

/* Spending in a recording of `length_ns`. */
struct itp_recorder_spent_part itp_recorder_spent_part(const struct itp_recorder_spent *spent,
						       int64_t length_ns);

#endif

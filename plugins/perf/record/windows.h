/* SPDX-License-Identifier: MIT */
/*
 * Times at which system calls are watched, so that a recording costs no more than its budget: all
 * the time where it fits, else in windows.
 *
 * Time is cut into slots of 10 ms. Of each N consecutive slots one is watched, drawn by lot: any
 * instant is watched with the same chance of 1 in N, whatever the program's period is. N follows
 * from the cost of watching until then.
 */
#ifndef ITP_PERF_RECORD_WINDOWS_H
#define ITP_PERF_RECORD_WINDOWS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Length of a slot. Short, so that there are many windows even in a second; but to begin and to end
 * watching takes the recorder 0.4 ms of CPU time, which is to be a small part of it. */
#define ITP_RECORDER_SLOT_NS INT64_C(10000000)
/* N is not larger: of a program that makes hundreds of system calls in each slot a minute of
 * recording still shows thousands, from 94 windows. */
#define ITP_RECORDER_MOST_SLOTS 64

/* CPU time since the beginning, in nanoseconds. */
struct itp_recorder_spent {
	/* CPU time of the recorded programs, with the recording's addition. */
	double target_ns;
	/* Parts of it: for watched system calls; and for everything else, which is always
	 * watched. */
	double calls_ns;
	double others_ns;
	/* In the recorder's own process, while system calls were watched; and else. */
	double own_calls_ns;
	double own_others_ns;
};

/* From now until `due_ns`. */
struct itp_recorder_window {
	bool is_open;
	/* N. */
	uint32_t one_in;
	int64_t due_ns;
};

struct itp_recorder_windows;

/* `budget` is a part of the recorded programs' CPU time without the recorder: 0.05 for 5 %. The
 * first slot is watched. `random` is owned by the result. */
struct itp_recorder_windows *itp_recorder_windows_new(double budget, GRand *random, int64_t now_ns);
void itp_recorder_windows_free(struct itp_recorder_windows *windows);

/* State from `now_ns` on, after that cost. To be asked again at `due_ns`. */
struct itp_recorder_window itp_recorder_windows_step(struct itp_recorder_windows *windows,
						     int64_t now_ns,
						     const struct itp_recorder_spent *spent);

/* The window just opened begins at `now_ns`, as it took some time to. Returns its due time. */
int64_t itp_recorder_windows_delay(struct itp_recorder_windows *windows, int64_t now_ns);

/* Part of the programs' CPU time taken by watching system calls, in windows: 0.4 where a program
 * got only so far in 10 ms of a window as in 6 ms otherwise. 0 while unknown. */
double itp_recorder_windows_taken(const struct itp_recorder_windows *windows,
				  const struct itp_recorder_spent *spent);

/* Cost as a part of the programs' own CPU time; 0 where unknown. */
double itp_recorder_spent_part(const struct itp_recorder_spent *spent);

#endif

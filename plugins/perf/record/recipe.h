/* SPDX-License-Identifier: MIT */
/*
 * Arguments of perf for introperf's recordings.
 */
#ifndef ITP_PERF_RECORD_RECIPE_H
#define ITP_PERF_RECORD_RECIPE_H

#include "plugins/perf/record/target.h"

/* Most bytes of a stack's copy in perf. */
#define ITP_MAX_STACK_BYTES 65528

enum itp_preset {
	/* Timer alone. Only --overhead chooses it. */
	ITP_PRESET_TIMER,
	/* Switches and the timer. A server may wake its clients as often as it makes system calls.
	 */
	ITP_PRESET_LIGHT,
	/* Switches and the timer, system calls and wakeups. */
	ITP_PRESET_USUAL,
	/* All of them, page faults, new threads, and a timer four times as fast. */
	ITP_PRESET_FULL,
};

struct itp_recipe {
	enum itp_preset preset;
	/* Frequency of the timer; 0 for the preset's. */
	unsigned int frequency_hz;
	/* Copied of each stack, to be unwound later; 0 = stacks are followed by frame pointers. */
	unsigned int stack_bytes;
	/* Recorded by programs in the kernel instead of perf, which unwind stacks there. */
	bool is_bpf;
	/* Events of probes, as perf takes them; NULL for none. Weak. */
	const char *probes;
	/* Additional events of the user, in perf's form; NULL for none. Weak. */
	char *const *events;
	/* The file to write. Weak. */
	const char *output;
	/* perf goes before all others, so that it writes out copies as they come. */
	bool is_first;
	/* perf reports only errors, or more than usual. */
	bool is_quiet;
	bool is_verbose;
	/* Thread that reads perf's output, and speaks to perf meanwhile (live-recorder.h): of the
	 * whole machine, its system calls are not recorded, like perf's. 0 for none. */
	int reader;
};

/* Of each stack, where copies are needed and nothing else is asked for: 8 KB hold 18 % of sqlite3's
 * stacks to their root and 82 % of bzip2's, 16 KB 99 % and all. */
#define ITP_STACK_BYTES 16384

/* The command, to be freed with g_strfreev(). */
char **itp_recipe_command(const struct itp_recipe *recipe, const struct itp_target *target);

/* Command as one would type it. Owned by the caller. */
char *itp_recipe_text(char *const *command);

#endif

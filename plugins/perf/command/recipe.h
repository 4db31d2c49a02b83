/* SPDX-License-Identifier: MIT */
/*
 * How perf is asked to record what introperf wants to see.
 */
#ifndef ITP_PERF_COMMAND_RECIPE_H
#define ITP_PERF_COMMAND_RECIPE_H

#include "plugins/perf/command/target.h"

/* What perf takes at most for the copy of a stack. */
#define ITP_MAX_STACK_BYTES 65528

enum itp_preset {
	/* The timer alone. Only --overhead chooses it. */
	ITP_PRESET_TIMER,
	/* Switches and the timer. A server may wake its clients as often as it makes system calls.
	 */
	ITP_PRESET_LIGHT,
	/* Switches and the timer, system calls and wakeups. */
	ITP_PRESET_USUAL,
	/* All of that, page faults, new threads, and a timer four times as fast. */
	ITP_PRESET_FULL,
};

struct itp_recipe {
	enum itp_preset preset;
	/* Of the timer; 0 for that of the preset. */
	unsigned int frequency_hz;
	/* Copied of each stack, to be unwound later; 0 = stacks are followed by frame pointers. */
	unsigned int stack_bytes;
	/* Recorded by programs in the kernel instead of perf, which unwind stacks there. */
	bool is_bpf;
	/* Events of probes, as perf takes them; NULL for none. Weak. */
	const char *probes;
	/* What the user wants to be recorded as well, as perf takes it; NULL for nothing. Weak. */
	char *const *events;
	/* The file to write. Weak. */
	const char *output;
	/* perf goes before all others, so that it writes out copies as they come. */
	bool is_first;
	/* perf says only what is wrong, or more than usual. */
	bool is_quiet;
	bool is_verbose;
	/* A thread that reads what is written, and speaks to perf meanwhile (live-perf.h): of the
	 * whole machine, its system calls are not recorded, like those of perf. 0 for none. */
	int reader;
};

/* Of each stack, where copies are needed and nothing else is asked for: 8 KB hold 18 % of sqlite3's
 * stacks to their root and 82 % of bzip2's, 16 KB 99 % and all. */
#define ITP_STACK_BYTES 16384

/* The command, to be freed with g_strfreev(). */
char **itp_recipe_command(const struct itp_recipe *recipe, const struct itp_target *target);

/* As one would type it. Owned by the caller. */
char *itp_recipe_text(char *const *command);

#endif

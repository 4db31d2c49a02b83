/* SPDX-License-Identifier: MIT */
/*
 * libintroperf: how long functions stayed on the stacks of a program, in which calling contexts,
 * and which contexts explain its time, best against runs of the same program that behave.
 *
 * Programs that can take stacks (a tracer, a debugger, a virtual machine, a profiler of a language)
 * feed them here:
 *
 *     introperf = introperf_new();
 *     run = introperf_run_new(introperf, "slow", INTROPERF_SUSPECT);
 *     main = introperf_function(introperf, "main", "program", INTROPERF_USER);
 *     introperf_run_feed(run, &event);          once for each event, in the order of time
 *                                               or introperf_run_feed_folded(), of stacks as text
 *     introperf_run_finish(run);
 *     introperf_rank(introperf, 10, &ranking);
 *     introperf_ranking_entry(ranking, 0, &entry);
 *     introperf_ranking_free(ranking);
 *     introperf_free(introperf);
 *
 * Units: Times are nanoseconds on a clock of the caller's, the same for all events of a run.
 * Latencies are best estimates: a call that begins and ends between two stacks is not seen.
 *
 * Ownership: a pointer to a structure that is not const, returned by a function, is the caller's,
 * to be freed by the function named there; runs belong to their introperf. Strings passed in are
 * copied; strings passed out live as long as the introperf.
 *
 * Errors: functions that can fail return 0 or a negative number of enum introperf_error, with a
 * sentence by introperf_error_text(); outputs are not set then, and an event that fails is ignored.
 * Nothing is printed. Where memory runs out, the program ends, as with every library that uses
 * GLib.
 *
 * Threads: an introperf, with all its runs and rankings, is used by one thread at a time; several
 * are independent of each other.
 *
 * Versions: What is declared here stays as it is, the members of the structures too, as long as the
 * library is called libintroperf.so.0. New functions get a symbol version of their own.
 */
#ifndef INTROPERF_H
#define INTROPERF_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum introperf_error {
	INTROPERF_OK = 0,
	/* A stack is deeper than INTROPERF_MAX_DEPTH. */
	INTROPERF_ERROR_LIMIT = -15,
	/* Event older than the one before it. */
	INTROPERF_ERROR_TIME_ORDER = -16,
	/* Number that introperf_function() has not returned. */
	INTROPERF_ERROR_UNKNOWN_FUNCTION = -17,
	/* The `callee` of a system call is a function of another layer than INTROPERF_SYSCALL. */
	INTROPERF_ERROR_NO_SYSTEM_CALL = -28,
	/* The event's kind is none of enum introperf_kind. */
	INTROPERF_ERROR_UNKNOWN_KIND = -100,
	/* Run is finished, and takes no event; or is not, and cannot be ranked. */
	INTROPERF_ERROR_FINISHED = -101,
	INTROPERF_ERROR_UNFINISHED = -102,
	/* No run is under suspicion, or nothing is known of those that are. */
	INTROPERF_ERROR_NO_SUSPECT = -103,
	/* No such entry or frame. */
	INTROPERF_ERROR_NO_SUCH = -104,
};

/* Sentence without a full stop, in static storage; never NULL. */
const char *introperf_error_text(int error);

struct introperf;

struct introperf *introperf_new(void);
/* Frees its runs too. Rankings are to be freed before. NULL is fine. */
void introperf_free(struct introperf *introperf);

/* ---- Functions ---- */

enum introperf_layer {
	INTROPERF_USER = 0,
	INTROPERF_KERNEL = 1,
	/* System call, by its name: "read". It has no module. */
	INTROPERF_SYSCALL = 2,
};

#define INTROPERF_UNKNOWN 0

/* Number of a function, the same for equal arguments; never INTROPERF_UNKNOWN. `module` is the name
 * of the program's or library's file, NULL = none; culprits are sought in modules that are not the
 * kernel's, a C library's or a language's. */
uint32_t introperf_function(struct introperf *introperf, const char *name, const char *module,
			    enum introperf_layer layer);

/* ---- Runs ---- */

enum introperf_role {
	/* Behaves. */
	INTROPERF_BASE = 0,
	INTROPERF_SUSPECT = 1,
};

struct introperf_run;

/* Recording of one or several programs. Belongs to `introperf`. */
struct introperf_run *introperf_run_new(struct introperf *introperf, const char *name,
					enum introperf_role role);

enum introperf_kind {
	/* Thread enters the kernel for the system call `callee`, and leaves it. */
	INTROPERF_SYSCALL_ENTER = 0,
	INTROPERF_SYSCALL_EXIT = 1,
	/* Thread leaves the CPU; `argument` is 0 if it could go on, else it waits. */
	INTROPERF_SWITCH_OUT = 2,
	/* Thread is on a CPU again. No stack. Without switches nobody knows whether a thread runs
	 * or waits: latencies are known, but not their use. */
	INTROPERF_SWITCH_IN = 3,
	/* Thread waited and may run again; `argument` is the tid of its waker, whose stack this
	 * is. */
	INTROPERF_WAKEUP = 4,
	/* Stack of the thread at this time. `argument` is the CPU time that it stands for in
	 * nanoseconds, if a timer of CPU time took it; else 0. A run with stacks of timers alone
	 * tells CPU time and nothing of latencies, as a thread may do anything between two ticks;
	 * stacks of your own choice say that it does nothing else between them. */
	INTROPERF_SAMPLE = 5,
	/* Exact trace: frames[0] is the function entered or left. */
	INTROPERF_ENTRY = 6,
	INTROPERF_EXIT = 7,
	/* Events are missing before this time: `argument` of them, −1 if unknown. No stack. */
	INTROPERF_LOSS = 8,
	/* Thread begins, made by the thread `argument` (−1: unknown); it runs another program,
	 * named `name`; it ends. No stack. A thread also begins with its first event. */
	INTROPERF_START = 9,
	INTROPERF_EXEC = 10,
	INTROPERF_END = 11,
};

#define INTROPERF_MAX_DEPTH 1024

struct introperf_frame {
	/* Place where it goes on: the return address, or the innermost frame's position. It tells
	 * calls from two places of a function apart. 0 where unknown. */
	uint64_t address;
	uint32_t function;
};

/* Event; members without a value are zero. */
struct introperf_event {
	enum introperf_kind kind;
	int64_t time_ns;
	int32_t pid;
	int32_t tid;
	/* Of the thread; of its first event it is the name of the process. NULL = "". */
	const char *name;
	int64_t argument;
	/* Function of a system call: of layer INTROPERF_SYSCALL, or INTROPERF_UNKNOWN for an
	 * unknown call, which then has no frame. INTROPERF_UNKNOWN for all other kinds. */
	uint32_t callee;
	/* Frames are missing at the stack's begin. */
	int is_cut;
	/* The thread's first function first, the innermost last. The call only reads them. */
	const struct introperf_frame *frames;
	size_t frame_count;
};

/* Fails by TIME_ORDER, UNKNOWN_FUNCTION, NO_SYSTEM_CALL, UNKNOWN_KIND, LIMIT, FINISHED. */
int introperf_run_feed(struct introperf_run *run, const struct introperf_event *event);

/* The same of a stack as text, like the folded ones of flame graphs: "main;serve;read_prices", the
 * thread's first function first, all of them of `module` in user space. `event` has no frames. ""
 * is a stack without any, and empty names are left out. */
int introperf_run_feed_folded(struct introperf_run *run, const struct introperf_event *event,
			      const char *module, const char *stack);

/* Ends open calls, at the time of the last event. Fails by FINISHED, LIMIT. */
int introperf_run_finish(struct introperf_run *run);

/* ---- Rankings ---- */

struct introperf_ranking;

/* Ranks the runs under suspicion by the reasons for their time; with runs that behave, by the
 * reasons for the difference. Runs of a role are runs of equal work. At most `top` entries, 0 =
 * all. Fails by UNFINISHED, NO_SUSPECT. Free with introperf_ranking_free(). */
int introperf_rank(struct introperf *introperf, size_t top, struct introperf_ranking **ret_ranking);
void introperf_ranking_free(struct introperf_ranking *ranking);

/* Culprit: the function that a person should open first, with all its callees up to the next
 * culprit, in all its contexts. */
struct introperf_entry {
	/* cost = suspect − base; base is 0 without runs that behave. */
	int64_t cost_ns;
	int64_t suspect_ns;
	int64_t base_ns;
	/* Calls of the culprit that were told apart. */
	uint64_t calls;
	uint64_t base_calls;
	/* Parts of `cost_ns`: waiting, and running. The rest waited for a CPU, or is unknown. */
	int64_t blocked_ns;
	int64_t cpu_ns;
	/* The program. */
	const char *process;
	/* Number of frames in the entry's context, and the culprit among them; −1 without one. */
	size_t frame_count;
	int32_t culprit;
	/* Difference that may well be chance. 0 without runs that behave, where nothing is
	 * compared. */
	int is_noise;
};

/* Function of the context, the program's first function at 0. */
struct introperf_place {
	const char *function;
	const char *module;
	/* Latency of all its calls in this context, with and without its callees. */
	int64_t total_ns;
	int64_t base_total_ns;
	int64_t own_ns;
	int64_t base_own_ns;
	uint64_t calls;
	uint64_t base_calls;
};

/* Number of entries. The dearest come first, but possible chance last. */
size_t introperf_ranking_size(const struct introperf_ranking *ranking);
int introperf_ranking_entry(const struct introperf_ranking *ranking, size_t entry,
			    struct introperf_entry *ret_entry);
int introperf_ranking_place(const struct introperf_ranking *ranking, size_t entry, size_t frame,
			    struct introperf_place *ret_place);

#ifdef __cplusplus
}
#endif

#endif

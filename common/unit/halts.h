/* SPDX-License-Identifier: MIT */
/*
 * Work of a thread from one wait to the next, made of the inference's calls. The decision about
 * loops and units is left to finder.c.
 */
#ifndef ITP_UNIT_HALTS_H
#define ITP_UNIT_HALTS_H

#include <glib.h>
#include <stdbool.h>

#include "common/base/function-table.h"
#include "common/infer/instance.h"
#include "common/infer/stretch.h"
#include "common/unit/births.h"
#include "common/unit/requests.h"
#include "common/unit/sizes.h"
#include "common/unit/waits.h"

/* Result of a wait or a look. */
enum itp_halt_outcome {
	ITP_HALT_UNKNOWN = 0,
	ITP_HALT_SOMETHING,
	/* The time was up, or nothing comes any more. */
	ITP_HALT_NOTHING,
	/* A signal's handler was called. The program waits again for its event. */
	ITP_HALT_INTERRUPTED,
};

/* Origin of a wait's end. */
enum itp_halt_cause {
	/* The thread did not block, or no wakeup was recorded. */
	ITP_CAUSE_UNKNOWN = 0,
	/* Acts of the thread itself since its last wait in the context. */
	ITP_CAUSE_OWN,
	ITP_CAUSE_OTHERS,
};

/* Wait of a thread, or a look whether to wait; or the end of a thread, or a loss of its events:
 * then `node` is ITP_CONTEXT_ROOT, as for a read in no context. */
struct itp_halt {
	int32_t pid;
	int32_t tid;
	/* End of the recording alone; or end of the thread, without a loss. */
	bool is_recording_end;
	bool is_thread_end;
	/* Node of the process, at an end. */
	uint32_t process;
	/* Read of a client, in no context. */
	bool is_unplaced;
	/* Time at which another request was read, for a thread that has answered and goes on with
	 * it; 0: none. */
	int64_t next_ns;
	/* Turn to another request: to the open request `request.client` of the thread, or to a
	 * request read by another thread, −1. */
	bool is_turn;
	/* System call, and the class of its wait. */
	uint32_t node;
	enum itp_wait_class class;
	/* Context never seen to wait until now: it may only take what lies there. */
	bool only_looks;
	/* The thread wrote to a descriptor before the wait and writes there next: it asked for
	 * room, and found some at once. Set by the finder, which sees the calls behind. */
	bool is_for_room;
	/* The thread had written to a client before the wait, and wrote more to the client behind
	 * the wait, without a read of the client in between: one answer. Set by the finder, too. */
	bool is_amid_answer;
	/* The look found nothing. */
	bool would_block;
	/* Read of a note of the thread to its own process: work put off by the thread. */
	bool reads_own_note;
	/* The wait found nothing but a note of the thread itself; and the thread told others
	 * nothing from the wait to the next wait in the context. Set by the finder, as before. */
	bool finds_own_note;
	bool has_no_effect;
	/* Exactly one descriptor was ready. */
	bool finds_one;
	/* The result is the descriptor of a client. */
	bool accepts;
	enum itp_halt_outcome outcome;
	enum itp_halt_cause cause;
	/* Side and number of the descriptor of a wait for data; −1. */
	enum itp_conversation side;
	int32_t descriptor;
	/* Last answer on the descriptor of a wait for data. */
	struct itp_last_answer answer;
	/* Requests of the thread at the begin. */
	struct itp_request_state request;
	int64_t begin_ns;
	int64_t end_ns;
	/* Latest end of a wait for any event: a timer of the thread is due. INT64_MAX: none, or
	 * unknown. */
	int64_t due_ns;
	/* Time at which the thread first ran for the event that ended the wait: a CPU is given
	 * before the system call returns. `end_ns` without a wait. */
	int64_t run_ns;
	/* Use of time from `run_ns` until the return of the system call. */
	struct itp_time_use run_use;
	/* Time off the CPU, blocked, in the call. */
	int64_t blocked_ns;
	/* Thread that ended the wait, and the time; 0: the kernel, or unknown. */
	int32_t signaller;
	int64_t signal_ns;
	/* Depth in the tree of the outermost call that ended since the wait before: functions above
	 * have stayed. 0 for the first wait of a thread. */
	uint32_t left_depth;
	/* A stack since the wait before lacks its callers: functions above `left_depth` may have
	 * stayed. */
	bool is_unsure;
	/* Use of time since the wait before, and in the wait before, whose last stretch is told at
	 * its end. */
	struct itp_time_use use;
	struct itp_time_use before_use;
	/* Use of time from the wait before until the answer to a client, and until a question to
	 * others; 0 for an older answer or question. */
	struct itp_time_use answered_use;
	struct itp_time_use asked_use;
	/* Bytes read of clients and written to them until the begin, since the thread was first
	 * seen. */
	struct itp_talk talk;
	/* uint32_t: nodes of the system calls since the wait before. Weak. */
	GArray *paths;
	/* uint32_t: nodes of the timer's ticks since the wait before, without kernel functions.
	 * Weak. */
	GArray *ticks;
};

typedef void (*itp_halt_func)(const struct itp_halt *halt, void *data);

struct itp_halts;

/* All arguments are weak. */
struct itp_halts *itp_halts_new(const struct itp_context_tree *tree,
				const struct itp_function_table *functions, itp_halt_func on_halt,
				void *data);
void itp_halts_free(struct itp_halts *halts);

/* Takes the next ended call; calls of a thread innermost first. */
void itp_halts_add(struct itp_halts *halts, const struct itp_instance *instance);

/* Takes a system call in no context, in the order of the inference. */
void itp_halts_add_unplaced(struct itp_halts *halts, const struct itp_instance *call,
			    uint32_t function);

/* Takes the next stretch of a thread's life. */
void itp_halts_add_stretch(struct itp_halts *halts, const struct itp_stretch *stretch);

/* Births of threads told until now. Weak. */
struct itp_births *itp_halts_births(const struct itp_halts *halts);

/* True when a wakeup ended any wait, or any system call told its arguments. */
bool itp_halts_have_proof(const struct itp_halts *halts);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What a thread does from one wait to the next, made of the calls that the inference hands out.
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

/* What a wait or a look has come back with, as far as its result tells. */
enum itp_halt_outcome {
	ITP_HALT_UNKNOWN = 0,
	ITP_HALT_SOMETHING,
	/* The time was up, or nothing comes any more. */
	ITP_HALT_NOTHING,
	/* A signal's handler was called. The program waits again for the same. */
	ITP_HALT_INTERRUPTED,
};

/* Who ended a wait. */
enum itp_halt_cause {
	/* The thread did not block, or no wakeup was recorded. */
	ITP_CAUSE_UNKNOWN = 0,
	/* What the thread itself has done since it waited there before. */
	ITP_CAUSE_OWN,
	ITP_CAUSE_OTHERS,
};

/* A thread waits, or looks whether it must; or it has ended, or events of it were lost. Then `node`
 * is ITP_CONTEXT_ROOT, as it is of a read that is in no context. */
struct itp_halt {
	int32_t pid;
	int32_t tid;
	/* Of the last: nothing ended it but the end of the recording; or it has ended, and nothing
	 * was lost. */
	bool is_recording_end;
	bool is_thread_end;
	/* Likewise the node of its process. */
	uint32_t process;
	/* It reads of a client, in no context. */
	bool is_unplaced;
	/* Likewise it has answered, and goes on with another request, which was read then; 0: it
	 * does not. */
	int64_t next_ns;
	/* Likewise it goes on for another request that it has open, `request.client`, or that
	 * another thread has read, −1. */
	bool is_turn;
	/* Of the system call, and what that waits for. */
	uint32_t node;
	enum itp_wait_class class;
	/* In this context it was not seen to wait until now: it may take what is there. */
	bool only_looks;
	/* The thread has written to a descriptor before it, and does so next behind it: it has
	 * asked for room, and found some at once. Set by who sees what comes behind. */
	bool is_for_room;
	/* What it looked for was not there. */
	bool would_block;
	/* Its result is the descriptor of a client. */
	bool accepts;
	enum itp_halt_outcome outcome;
	enum itp_halt_cause cause;
	/* Of the descriptor that is read, where the class is that of data; and its number, or −1.
	 */
	enum itp_conversation side;
	int32_t descriptor;
	/* What the thread had done when it began. */
	struct itp_request_state request;
	int64_t begin_ns;
	int64_t end_ns;
	/* When the thread first ran for what has ended the wait: it comes to a CPU before the
	 * system call returns. `end_ns` where it has not waited. */
	int64_t run_ns;
	/* How its time was spent since then, until the system call returned. */
	struct itp_time_use run_use;
	/* For how long the thread left the CPU in it. */
	int64_t blocked_ns;
	/* The thread that ended the wait, and when; 0: the kernel did, or who is not known. */
	int32_t signaller;
	int64_t signal_ns;
	/* How deep in the tree the outermost call was that has ended since the wait before: the
	 * functions above it have stayed. 0 for the first of a thread. */
	uint32_t left_depth;
	/* A stack since has not shown its callers: the functions above may have stayed as well. */
	bool is_unsure;
	/* How the time since was spent, and that of the wait before, whose last stretch is told
	 * when it has ended. */
	struct itp_time_use use;
	struct itp_time_use before_use;
	/* As `use`, until a client was answered, and until something was asked, where that was
	 * since the wait before. */
	struct itp_time_use answered_use;
	struct itp_time_use asked_use;
	/* What the thread has read of clients and written to them until it began, all in all. */
	struct itp_talk talk;
	/* uint32_t: nodes of the system calls that were made since. Weak. */
	GArray *paths;
	/* uint32_t: nodes in which ticks of the timer found the thread since, without functions of
	 * the kernel. Weak. */
	GArray *ticks;
};

typedef void (*itp_halt_func)(const struct itp_halt *halt, void *data);

struct itp_halts;

/* All is weak. */
struct itp_halts *itp_halts_new(const struct itp_context_tree *tree,
				const struct itp_function_table *functions, itp_halt_func on_halt,
				void *data);
void itp_halts_free(struct itp_halts *halts);

/* Takes the next call that has ended, those of a thread innermost first. */
void itp_halts_add(struct itp_halts *halts, const struct itp_instance *instance);

/* Takes a system call that is in no context, as the inference tells it. */
void itp_halts_add_unplaced(struct itp_halts *halts, const struct itp_instance *call,
			    uint32_t function);

/* Takes the next stretch of a thread's life. */
void itp_halts_add_stretch(struct itp_halts *halts, const struct itp_stretch *stretch);

/* Who has made which thread, as far as that was told until now. Weak. */
struct itp_births *itp_halts_births(const struct itp_halts *halts);

/* Whether it was recorded who ended any wait, or on which descriptor any system call worked. */
bool itp_halts_have_proof(const struct itp_halts *halts);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * State of the unit that a thread is in, and tests of waits and reads: part of the unit, or its
 * end. The decision over begins and ends is left to turns.c.
 */
#ifndef ITP_UNIT_OPEN_UNIT_H
#define ITP_UNIT_OPEN_UNIT_H

#include "common/unit/halts.h"
#include "common/unit/unit.h"

/* Turn of a thread from one unit to another: the time, and the bytes exchanged with clients. */
struct itp_turn {
	int64_t at_ns;
	struct itp_talk talk;
};

/* A unit that has begun. */
struct itp_open_unit {
	bool is_open;
	/* No unit is open, and the thread has not left the loop of the unit before. */
	bool is_between;
	struct itp_unit unit;
	/* Bytes read of clients and written to them by the thread before the unit. */
	struct itp_talk talk;
	/* Unit before, of the same thread. */
	struct itp_unit before;
	/* Nodes of the loop and of its wait in the inference's tree. */
	uint32_t loop;
	uint32_t wait;
	/* Members of struct itp_halt, since the unit's begin. */
	uint32_t left_depth;
	bool is_unsure;
	/* The latest wait was a part of the unit. */
	bool has_waited;
	/* The unit has begun with the signal of another thread; and the time at which the other
	 * thread was told of the work, its own unit's begin or later. */
	bool is_handed_over;
	int64_t handed_ns;
	/* Time of the thread's last answer, and use of the unit's time until then. */
	int64_t answered_ns;
	struct itp_time_use answered_use;
	/* Numbers of paths and ticks when the thread came to the wait behind the answer: later
	 * work, as closing the connection or writing a log, says nothing of the request. */
	guint answered_paths;
	guint answered_ticks;
	/* Call with which the unit has begun; depth of the outermost call that has ended since, and
	 * whether other calls were made since. */
	uint32_t first;
	uint32_t first_left_depth;
	bool has_worked;
	/* uint32_t: contexts of the unit's system calls and ticks. Owned by this. */
	GArray *paths;
	GArray *ticks;
	/* The wait before the unit has found something; and a timer of the thread was due within a
	 * few frames of a screen then: later frames need not be the unit's own. */
	bool begins_with_news;
	bool is_amid_frames;
	/* Time since which the next frame of a screen is put off; 0: none is. */
	int64_t frame_ns;
	/* The loop's latest wait inside of the unit has found something, read later. */
	bool has_news;
	/* The thread was made in the unit of another one, and serves its maker's request. */
	bool is_inherited;
	/* The thread has waited for any event while the unit's request is open, and has blocked in
	 * such a wait. Begin of the first such wait, where the unit would have ended otherwise,
	 * with the use of time, paths and ticks until then. Owned by this. */
	bool is_suspended;
	bool has_blocked;
	int64_t suspended_ns;
	struct itp_time_use suspended_use;
	GArray *suspended_paths;
	GArray *suspended_ticks;
	/* Latest wait while suspended, at which another unit would have begun; use of the unit's
	 * time until its return; and whether no halt came since. */
	struct itp_halt resumed;
	struct itp_time_use resumed_use;
	bool is_resuming;
	/* Descriptor of the client with the request; −1: unknown, or none. */
	int32_t client;
	/* Descriptor read by a coroutine at the unit's begin; −1. */
	int32_t read_of;
	/* A client has asked for the coroutine's unit by the descriptor; and the thread has worked
	 * for other units since the unit's begin. */
	bool is_asked_for;
	bool is_interleaved;
	/* Bytes exchanged with the client until the thread's last turn away. */
	struct itp_talk said;
	bool has_several_clients;
	/* Pieces as in struct itp_unit, without the present one from `piece_ns` on. Owned by
	 * this. */
	GArray *pieces;
	int64_t piece_ns;
	/* Value of `waited` at the thread's last turn away from the unit. */
	struct itp_time_use waited_before;
	/* Other open units of the thread, struct itp_open_unit in the order in which the thread has
	 * turned away from them, owned by this; whether the thread has turned away from one since
	 * its last wait for any event; and the depth of the innermost loop of them. */
	GPtrArray *others;
	bool has_turned_away;
	uint32_t others_depth;
	/* The thread waits for any event at all; it has just come back from such a wait; and its
	 * use of time in all these waits. */
	bool waits_for_events;
	bool has_just_waited;
	struct itp_time_use waited;
	/* Source of the thread's latest unit with one; −1. */
	int32_t usual_source;
	/* Times at which the thread last ran for an event it had waited for, and before. */
	int64_t told_ns;
	int64_t told_before_ns;
	/* Previous place of the thread, perhaps found later to be the place of a turn. */
	struct itp_turn latest;
	/* Time at which the thread learned of an event for a coroutine, and use of time since; 0:
	 * the event was found, or others had work. */
	int64_t woken_ns;
	struct itp_time_use woken_use;
};

/* Work of a thread between two waits: contexts of its system calls, and of ticks. Weak. */
struct itp_unit_work {
	const uint32_t *paths;
	guint path_count;
	const uint32_t *ticks;
	guint tick_count;
};

struct itp_open_unit *itp_open_unit_new(void);
void itp_open_unit_free(gpointer data);

/* Exchanges both units; facts about the thread stay with `open`. */
void itp_open_unit_exchange(struct itp_open_unit *open, struct itp_open_unit *other);

/* True when the thread has read bytes sent by others in the unit. */
bool itp_open_unit_has_data(const struct itp_open_unit *open, const struct itp_halt *halt);

/* True when the sender of the unit's data has got an answer, or has gone. */
bool itp_open_unit_is_answered(const struct itp_open_unit *open, const struct itp_halt *halt);

/* True when a client has hung up: nobody waits for later work. */
bool itp_open_unit_is_hangup(const struct itp_open_unit *open, const struct itp_halt *halt);

/* True for another wait of the unit's loop for work before the answer: a worker takes a connection
 * from a queue and reads the request. Work for one request is one unit. */
bool itp_open_unit_is_part(const struct itp_open_unit *open, const struct itp_halt *halt);

/* True when an event loop accepts another client, or finds none, while a request is open: neither a
 * part of the request nor its end. */
bool itp_open_unit_accepts_another(const struct itp_open_unit *open, const struct itp_halt *halt);

/* True when an event loop has looked for room for more of the answer, and found some: a part read
 * of a file goes out behind the head. */
bool itp_open_unit_answers_on(const struct itp_open_unit *open, const struct itp_halt *halt);

/* True when an event loop has looked for events, found none and gone on without waiting: more of
 * its work is to be done, as drawing the changes of a key. */
bool itp_open_unit_goes_on(const struct itp_open_unit *open, const struct itp_halt *halt);

/* Notes facts about the wait `halt` that begins the unit. */
void itp_open_unit_note_begin(struct itp_open_unit *open, const struct itp_halt *halt);

/* True when a program with a window waits for its own timer, due within a few frames of a
 * screen, and has drawn nothing behind such a wait: toolkits draw the changes of a key in the
 * next frame, and put work off by notes to themselves. Events in between change nothing, if others
 * are told nothing of them: servers confirm changes. */
bool itp_open_unit_awaits_frame(const struct itp_open_unit *open, const struct itp_halt *halt);

/* True when an event loop waits while its request is open: for needs of the request, as the answer
 * of a database, or for the next request. */
bool itp_open_unit_suspends(const struct itp_open_unit *open, const struct itp_halt *halt);

/* True when another request is read before the answer to the open one. */
bool itp_open_unit_is_overtaken(const struct itp_open_unit *open, const struct itp_halt *halt);

/* `halt` as this unit sees the requests of a thread with several open ones. */
struct itp_halt itp_open_unit_view(const struct itp_open_unit *open, const struct itp_halt *halt);

/* Begins the unit again when the first byte of its request has come: a client connected before has
 * not sent it until then, and waits for nothing. */
void itp_open_unit_begin_again(struct itp_open_unit *open, const struct itp_halt *halt);

/* Notes the time since the thread was woken, or since a look at all events has found one: until a
 * coroutine finds the event, the thread's work is a part of the coroutine's unit. */
void itp_open_unit_note_woken(struct itp_open_unit *open, const struct itp_halt *halt);

/* True when the thread's last answer went to the client of whom the unit's coroutine has read,
 * rather than to the client of another coroutine. */
bool itp_open_unit_is_own_answer(const struct itp_open_unit *open, const struct itp_halt *halt);

/* True when the thread's last write is the answer, and the unit ends with it. Later reads of a
 * coroutine's thread are another coroutine's. */
bool itp_open_unit_ends_with_answer(const struct itp_open_unit *open, const struct itp_halt *halt);

/* Notes the source of work of a thread without clients: a side that speaks without a question asked
 * in the unit. */
void itp_open_unit_note_source(struct itp_open_unit *open, const struct itp_halt *halt);

/* Counts all bytes exchanged until `until` as the unit's, since its begin or its return to hand. */
void itp_open_unit_say(struct itp_open_unit *open, const struct itp_talk *until);

/* Ends a piece of the unit. */
void itp_open_unit_end_piece(struct itp_open_unit *open, int64_t end_ns);

/* Use of time in the wait before the work until `halt`, for a wait for any event; otherwise 0. */
struct itp_time_use itp_open_unit_waited(const struct itp_open_unit *open,
					 const struct itp_halt *halt);

/* Adds the thread's work until its wait `halt` to the unit. */
void itp_open_unit_go_on(struct itp_open_unit *open, const struct itp_halt *halt,
			 const struct itp_unit_work *work);

#endif

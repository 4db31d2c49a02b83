/* SPDX-License-Identifier: MIT */
/*
 * What is known of the unit that a thread is in, for the finder: which waits and reads are parts of
 * it, and which end it.
 */
#ifndef ITP_UNIT_OPEN_UNIT_H
#define ITP_UNIT_OPEN_UNIT_H

#include "common/unit/halts.h"
#include "common/unit/unit.h"

/* Where a thread turns from one unit to another: when, and what it had said to clients. */
struct itp_turn {
	int64_t at_ns;
	struct itp_talk talk;
};

/* A unit that has begun. */
struct itp_open_unit {
	bool is_open;
	/* None is open, and the thread has not left the loop of the one before. */
	bool is_between;
	struct itp_unit unit;
	/* What its thread had read of clients and written to them before. */
	struct itp_talk talk;
	/* The one before, of the same thread. */
	struct itp_unit before;
	/* Nodes of the loop and of its wait in the inference's tree. */
	uint32_t loop;
	uint32_t wait;
	/* As in struct itp_halt, since it began. */
	uint32_t left_depth;
	bool is_unsure;
	/* The latest wait was a part of it. */
	bool has_waited;
	/* It has begun with the signal of another thread. */
	bool is_handed_over;
	/* When the thread has answered last, and how the unit's time was spent until then. */
	int64_t answered_ns;
	struct itp_time_use answered_use;
	/* How many paths and ticks it had when the thread came to the wait behind that answer: what
	 * follows, as closing the connection or writing a log, says nothing of the request. */
	guint answered_paths;
	guint answered_ticks;
	/* The call with which it has begun; and since that was made, the outermost call that has
	 * ended, and whether others were made. */
	uint32_t first;
	uint32_t first_left_depth;
	bool has_worked;
	/* uint32_t: contexts of its system calls, and of the ticks in it. Owned by this. */
	GArray *paths;
	GArray *ticks;
	/* Since when it has put off the next frame of a screen; 0: it has not. */
	int64_t frame_ns;
	/* Its thread was made in the unit of another one, whose request it serves. */
	bool is_inherited;
	/* It has waited for any event while its request is open. It would have ended before that
	 * wait for the first time, with the time used, the paths and the ticks until then. Owned by
	 * this. */
	bool is_suspended;
	bool has_blocked;
	int64_t suspended_ns;
	struct itp_time_use suspended_use;
	GArray *suspended_paths;
	GArray *suspended_ticks;
	/* The latest such wait, with which another unit would have begun, and the time used since
	 * the unit's begin until it came back; whether nothing was told since. */
	struct itp_halt resumed;
	struct itp_time_use resumed_use;
	bool is_resuming;
	/* The descriptor of the client whose request it is; −1: it is not known, or has none. Its
	 * thread has worked for others since it began. */
	int32_t client;
	/* Of a coroutine: the descriptor that it has read when the unit began; −1. */
	int32_t read_of;
	/* Likewise that is a client's, who has asked for it. */
	bool is_asked_for;
	bool is_interleaved;
	/* What was said to its client, and by that, until the thread has turned away from it. */
	struct itp_talk said;
	bool has_several_clients;
	/* As struct itp_unit has them, without the one that has begun at `piece_ns`. Owned by this.
	 */
	GArray *pieces;
	int64_t piece_ns;
	/* What `waited` was when the thread has turned away from it. */
	struct itp_time_use waited_before;
	/* Of the thread: what else it has open, struct itp_open_unit in the order in which it has
	 * turned away from them, owned by this; whether it has turned away from one since it waited
	 * for any event, and how deep the innermost of their loops is. */
	GPtrArray *others;
	bool has_turned_away;
	uint32_t others_depth;
	/* Likewise whether it waits for any event at all, and has come back from such a wait just
	 * now; and for how long it has waited so, all in all. */
	bool waits_for_events;
	bool has_just_waited;
	struct itp_time_use waited;
	/* Likewise where it was before: it may turn out that it has turned there. */
	struct itp_turn latest;
	/* When the thread has learned of what a coroutine may find, with the time used since; 0: it
	 * has found something, or others had work. */
	int64_t woken_ns;
	struct itp_time_use woken_use;
};

/* What a thread did between two waits: contexts of its system calls, and of ticks. Weak. */
struct itp_unit_work {
	const uint32_t *paths;
	guint path_count;
	const uint32_t *ticks;
	guint tick_count;
};

struct itp_open_unit *itp_open_unit_new(void);
void itp_open_unit_free(gpointer data);

/* Exchanges both, but for what is of the thread, which stays with `open`. */
void itp_open_unit_exchange(struct itp_open_unit *open, struct itp_open_unit *other);

/* Something was read of what others have sent. */
bool itp_open_unit_has_data(const struct itp_open_unit *open, const struct itp_halt *halt);

/* Who has sent it has got an answer, or has gone. */
bool itp_open_unit_is_answered(const struct itp_open_unit *open, const struct itp_halt *halt);

/* A client has hung up: nobody waits for what follows. */
bool itp_open_unit_is_hangup(const struct itp_open_unit *open, const struct itp_halt *halt);

/* Another wait for work of the loop in which the unit has begun, before anything was answered: a
 * worker takes a connection from a queue and reads the request. What belongs to one request is one
 * unit. */
bool itp_open_unit_is_part(const struct itp_open_unit *open, const struct itp_halt *halt);

/* An event loop accepts another client while it has a request open, or finds that there is none:
 * that is no part of the request, nor its end. */
bool itp_open_unit_accepts_another(const struct itp_open_unit *open, const struct itp_halt *halt);

/* An event loop has looked whether there is room for more of the answer, and there was: what it has
 * read of a file comes behind the head. */
bool itp_open_unit_answers_on(const struct itp_open_unit *open, const struct itp_halt *halt);

/* An event loop has looked for events, found none and gone on without having waited: it has more to
 * do of the same, as a program that draws what a key has changed. */
bool itp_open_unit_goes_on(const struct itp_open_unit *open, const struct itp_halt *halt);

/* A program with a window waits until its own timer is due, within a few frames of a screen, and
 * has drawn nothing behind such a wait: toolkits draw what a key has changed in the next frame. */
bool itp_open_unit_awaits_frame(const struct itp_open_unit *open, const struct itp_halt *halt);

/* An event loop waits while it has a request open: for what this needs, as the answer of a
 * database, or for the next one. */
bool itp_open_unit_suspends(const struct itp_open_unit *open, const struct itp_halt *halt);

/* Another request is read before the one that is open was answered. */
bool itp_open_unit_is_overtaken(const struct itp_open_unit *open, const struct itp_halt *halt);

/* What the thread has done with requests, `halt`, as far as it concerns this unit, where it has
 * several open. */
struct itp_halt itp_open_unit_view(const struct itp_open_unit *open, const struct itp_halt *halt);

/* The request begins when its first byte has come: until then the client has not sent it, however
 * long it has been connected, and waits for nothing. */
void itp_open_unit_begin_again(struct itp_open_unit *open, const struct itp_halt *halt);

/* What a thread does from when it was woken, or a look at all events has found one, until a
 * coroutine finds what that is for is a part of the coroutine's unit. */
void itp_open_unit_note_woken(struct itp_open_unit *open, const struct itp_halt *halt);

/* Whether the thread has answered the client last whom the unit's coroutine has read of; another
 * coroutine may have answered another one. */
bool itp_open_unit_is_own_answer(const struct itp_open_unit *open, const struct itp_halt *halt);

/* Whether what the thread has written last is the answer, and the unit ends with it. What a
 * coroutine's thread has read since is another coroutine's. */
bool itp_open_unit_ends_with_answer(const struct itp_open_unit *open, const struct itp_halt *halt);

/* A thread that has no clients has its work from who speaks without having been asked in the unit.
 */
void itp_open_unit_note_source(struct itp_open_unit *open, const struct itp_halt *halt);

/* What was said until then was said in it, since it has begun or is at hand again. */
void itp_open_unit_say(struct itp_open_unit *open, const struct itp_talk *until);

/* A piece of it ends. */
void itp_open_unit_end_piece(struct itp_open_unit *open, int64_t end_ns);

/* How long the thread has waited before what it has done until `halt`, if that was for any event.
 */
struct itp_time_use itp_open_unit_waited(const struct itp_open_unit *open,
					 const struct itp_halt *halt);

/* What the thread has done until it waits. */
void itp_open_unit_go_on(struct itp_open_unit *open, const struct itp_halt *halt,
			 const struct itp_unit_work *work);

#endif

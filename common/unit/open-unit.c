/* SPDX-License-Identifier: MIT */
/*
 * See open-unit.h.
 */
#include "common/unit/open-unit.h"

#include "common/unit/path-sets.h"

/* Three frames of a screen, at sixty a second. An animation changes nothing in its first frame, the
 * second may show the change of a key, and the third is for late programs. */
#define FRAMES_NS (3 * INT64_C(1000000000) / 60)

struct itp_open_unit *itp_open_unit_new(void)
{
	struct itp_open_unit *open = g_new0(struct itp_open_unit, 1);

	open->paths = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	open->suspended_paths = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	open->suspended_ticks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	open->ticks = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	open->pieces = g_array_new(FALSE, FALSE, sizeof(struct itp_unit_piece));
	open->others = g_ptr_array_new_with_free_func(itp_open_unit_free);
	open->client = -1;
	open->unit.source = -1;
	open->usual_source = -1;
	return open;
}

void itp_open_unit_free(gpointer data)
{
	struct itp_open_unit *open = data;

	g_array_unref(open->paths);
	g_array_unref(open->suspended_paths);
	g_array_unref(open->suspended_ticks);
	g_array_unref(open->ticks);
	g_array_unref(open->pieces);
	g_ptr_array_unref(open->others);
	g_free(open);
}

void itp_open_unit_exchange(struct itp_open_unit *open, struct itp_open_unit *other)
{
	const struct itp_open_unit was = *open;
	GPtrArray *none = other->others;

	*open = *other;
	open->before = was.before;
	open->others = was.others;
	open->has_turned_away = was.has_turned_away;
	open->others_depth = was.others_depth;
	open->waits_for_events = was.waits_for_events;
	open->has_just_waited = was.has_just_waited;
	open->waited = was.waited;
	open->usual_source = was.usual_source;
	open->told_ns = was.told_ns;
	open->told_before_ns = was.told_before_ns;
	open->latest = was.latest;
	open->woken_ns = was.woken_ns;
	open->woken_use = was.woken_use;
	*other = was;
	other->others = none;
}

bool itp_open_unit_has_data(const struct itp_open_unit *open, const struct itp_halt *halt)
{
	return halt->request.data_ns >= open->unit.begin_ns;
}

bool itp_open_unit_is_answered(const struct itp_open_unit *open, const struct itp_halt *halt)
{
	return halt->request.answered_ns >= open->unit.begin_ns ||
	       (itp_open_unit_has_data(open, halt) && halt->request.place == ITP_REQUEST_ANSWERED);
}

bool itp_open_unit_is_hangup(const struct itp_open_unit *open, const struct itp_halt *halt)
{
	return halt->request.hangup_ns >= open->unit.begin_ns &&
	       !itp_open_unit_has_data(open, halt) && !itp_open_unit_is_answered(open, halt);
}

/* True when the thread has accepted a connection with a request already there. */
static bool has_just_accepted(const struct itp_open_unit *open, const struct itp_halt *halt)
{
	return halt->request.accepted_ns >= open->unit.begin_ns &&
	       !itp_open_unit_has_data(open, halt) && halt->request.reads_clients &&
	       !halt->accepts && halt->blocked_ns == 0;
}

bool itp_open_unit_is_part(const struct itp_open_unit *open, const struct itp_halt *halt)
{
	if (itp_open_unit_is_answered(open, halt) || itp_open_unit_is_hangup(open, halt)) {
		return false;
	}
	if (halt->node == open->wait) {
		return has_just_accepted(open, halt);
	}
	/* The connection that woke the thread is a part; no other wait of a thread that hands
	 * connections over is. */
	return halt->accepts ?
		       halt->blocked_ns == 0 && halt->request.accepted_ns < open->unit.begin_ns :
	       halt->class == ITP_WAIT_CLASS_EVENT ? halt->request.reads_clients :
						     true;
}

bool itp_open_unit_accepts_another(const struct itp_open_unit *open, const struct itp_halt *halt)
{
	return open->client >= 0 && open->waits_for_events && halt->accepts &&
	       halt->blocked_ns == 0 && halt->request.place == ITP_REQUEST_OPEN &&
	       !itp_open_unit_is_answered(open, halt);
}

bool itp_open_unit_answers_on(const struct itp_open_unit *open, const struct itp_halt *halt)
{
	return halt->is_for_room && itp_open_unit_is_answered(open, halt);
}

bool itp_open_unit_goes_on(const struct itp_open_unit *open, const struct itp_halt *halt)
{
	return halt->class == ITP_WAIT_CLASS_EVENT && halt->blocked_ns == 0 &&
	       halt->outcome == ITP_HALT_NOTHING && !itp_open_unit_is_answered(open, halt);
}

void itp_open_unit_note_begin(struct itp_open_unit *open, const struct itp_halt *halt)
{
	open->begins_with_news = halt->class == ITP_WAIT_CLASS_EVENT &&
				 halt->outcome == ITP_HALT_SOMETHING;
	open->is_amid_frames = halt->class == ITP_WAIT_CLASS_EVENT &&
			       halt->due_ns <= halt->begin_ns + FRAMES_NS;
}

bool itp_open_unit_awaits_frame(const struct itp_open_unit *open, const struct itp_halt *halt)
{
	const bool has_drawn = open->frame_ns > 0 && open->answered_ns > open->frame_ns;
	const int64_t since_ns = open->frame_ns > 0 ? open->frame_ns : halt->begin_ns;
	const bool is_in_between = halt->has_no_effect && halt->due_ns <= since_ns + FRAMES_NS;
	const bool has_own_frame = !open->is_amid_frames || open->answered_ns > open->unit.begin_ns;

	return open->unit.source >= 0 && halt->class == ITP_WAIT_CLASS_EVENT && has_own_frame &&
	       !has_drawn && halt->end_ns <= since_ns + FRAMES_NS &&
	       (halt->outcome == ITP_HALT_NOTHING || halt->finds_own_note || is_in_between);
}

bool itp_open_unit_suspends(const struct itp_open_unit *open, const struct itp_halt *halt)
{
	return halt->class == ITP_WAIT_CLASS_EVENT && !halt->accepts &&
	       itp_open_unit_has_data(open, halt) && halt->request.place == ITP_REQUEST_OPEN &&
	       !itp_open_unit_is_answered(open, halt);
}

bool itp_open_unit_is_overtaken(const struct itp_open_unit *open, const struct itp_halt *halt)
{
	const bool is_another = open->client >= 0 && halt->descriptor != open->client;

	return open->is_open && halt->class == ITP_WAIT_CLASS_DATA &&
	       halt->side == ITP_CONVERSATION_SERVES && halt->outcome == ITP_HALT_SOMETHING &&
	       halt->request.place == ITP_REQUEST_OPEN &&
	       (open->is_suspended ?
			(open->has_blocked || halt->descriptor != halt->request.descriptor) :
			open->waits_for_events && is_another);
}

struct itp_halt itp_open_unit_view(const struct itp_open_unit *open, const struct itp_halt *halt)
{
	struct itp_halt view = *halt;

	if (open->client < 0 || (!open->is_interleaved && open->others->len == 0)) {
		return view;
	}
	if (halt->request.answered != open->client) {
		view.request.answered_ns =
			open->answered_ns > open->unit.begin_ns ? open->answered_ns : INT64_MIN;
	}
	view.request.descriptor = open->client;
	view.request.place = view.request.answered_ns >= open->unit.begin_ns ?
				     ITP_REQUEST_ANSWERED :
				     ITP_REQUEST_OPEN;
	return view;
}

void itp_open_unit_say(struct itp_open_unit *open, const struct itp_talk *until)
{
	struct itp_talk said;

	open->has_several_clients |= !itp_talk_since(&open->talk, until, &said);
	open->said.asked_bytes += said.asked_bytes;
	open->said.answered_bytes += said.answered_bytes;
	open->talk = *until;
}

void itp_open_unit_end_piece(struct itp_open_unit *open, int64_t end_ns)
{
	const struct itp_unit_piece piece = { .begin_ns = open->piece_ns, .end_ns = end_ns };

	if (piece.begin_ns < piece.end_ns) {
		g_array_append_val(open->pieces, piece);
	}
}

struct itp_time_use itp_open_unit_waited(const struct itp_open_unit *open,
					 const struct itp_halt *halt)
{
	struct itp_time_use waited = { 0, 0, 0 };

	if (open->has_just_waited) {
		waited = halt->before_use;
		waited.cpu_ns = 0;
	}
	return waited;
}

void itp_open_unit_begin_again(struct itp_open_unit *open, const struct itp_halt *halt)
{
	open->unit.begin_ns = halt->run_ns;
	open->unit.use = halt->run_use;
	open->has_waited = false;
	open->is_handed_over = false;
}

void itp_open_unit_note_woken(struct itp_open_unit *open, const struct itp_halt *halt)
{
	const bool finds = halt->class == ITP_WAIT_CLASS_EVENT &&
			   halt->outcome == ITP_HALT_SOMETHING;

	if (halt->only_looks) {
		open->woken_ns = 0;
	} else if (halt->blocked_ns > 0 || finds) {
		open->woken_ns = halt->run_ns;
		open->woken_use = halt->run_use;
	} else if (open->woken_ns > 0) {
		itp_time_use_add(&open->woken_use, &halt->use, 1);
	}
}

bool itp_open_unit_is_own_answer(const struct itp_open_unit *open, const struct itp_halt *halt)
{
	return open->unit.is_of_coroutine && open->read_of >= 0 &&
	       halt->request.answered == open->read_of;
}

bool itp_open_unit_ends_with_answer(const struct itp_open_unit *open, const struct itp_halt *halt)
{
	return open->answered_ns > open->unit.begin_ns &&
	       (halt->request.place == ITP_REQUEST_ANSWERED || open->unit.source >= 0 ||
		itp_open_unit_is_own_answer(open, halt));
}

void itp_open_unit_note_source(struct itp_open_unit *open, const struct itp_halt *halt)
{
	if (open->unit.source < 0 && halt->class == ITP_WAIT_CLASS_DATA &&
	    halt->outcome == ITP_HALT_SOMETHING && halt->side == ITP_CONVERSATION_ASKS &&
	    halt->request.place == ITP_REQUEST_UNKNOWN &&
	    (halt->request.asked_ns < open->unit.begin_ns ||
	     halt->request.asked != halt->descriptor)) {
		open->unit.source = halt->descriptor;
		open->usual_source = halt->descriptor;
	}
}

/* Takes the thread's usual source for a unit that has told something there: the key was read along
 * with a reply, in the unit before. */
static void take_usual_source(struct itp_open_unit *open, const struct itp_halt *halt)
{
	if (open->unit.source < 0 && open->begins_with_news && open->usual_source >= 0 &&
	    halt->request.place == ITP_REQUEST_UNKNOWN &&
	    halt->request.asked == open->usual_source &&
	    halt->request.asked_ns > open->unit.begin_ns) {
		open->unit.source = open->usual_source;
	}
}

/* Notes an answer; `use` is the use of time from the wait before until the answer. */
static void note_answer(struct itp_open_unit *open, int64_t answered_ns,
			const struct itp_time_use *use)
{
	if (answered_ns > open->answered_ns) {
		open->answered_ns = answered_ns;
		open->answered_paths = open->paths->len;
		open->answered_ticks = open->ticks->len;
		open->answered_use = open->unit.use;
		itp_time_use_add(&open->answered_use, use, 1);
	}
}

void itp_open_unit_go_on(struct itp_open_unit *open, const struct itp_halt *halt,
			 const struct itp_unit_work *work)
{
	if (halt->is_unsure) {
		open->is_unsure = true;
	} else {
		open->left_depth = MIN(open->left_depth, halt->left_depth);
		open->first_left_depth = MIN(open->first_left_depth, halt->left_depth);
	}
	open->has_worked |= work->path_count > 0;
	if (open->has_waited) {
		itp_time_use_add(&open->unit.use, &halt->before_use, 1);
	}
	if (open->is_resuming) {
		open->resumed_use = open->unit.use;
		open->is_resuming = false;
	}
	itp_path_set_add(open->paths, work->paths, work->path_count);
	itp_path_set_add(open->ticks, work->ticks, work->tick_count);
	if (!open->unit.is_of_coroutine || open->read_of < 0 ||
	    itp_open_unit_is_own_answer(open, halt)) {
		note_answer(open, halt->request.answered_ns, &halt->answered_use);
	}
	take_usual_source(open, halt);
	if (open->unit.source >= 0 && halt->request.asked == open->unit.source) {
		note_answer(open, halt->request.asked_ns, &halt->asked_use);
	}
	itp_time_use_add(&open->unit.use, &halt->use, 1);
	itp_open_unit_note_source(open, halt);
}

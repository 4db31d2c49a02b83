/* SPDX-License-Identifier: MIT */
/*
 * See critical-path.h.
 */
#include "common/wait/critical-path.h"

#include "common/base/context-tree.h"
#include "common/wait/division.h"

struct walk {
	const struct itp_history *history;
	/* struct itp_link. */
	GArray *links;
	/* Threads that wait for each other at the instant at hand, by depth, the symptom's first.
	 * No thread can wait for itself: clocks that disagree may say so. */
	int32_t waiting[ITP_MAX_WAIT_DEPTH];
};

static void follow(struct walk *walk, const struct itp_symptom *span, uint32_t depth);

static void append(struct walk *walk, const struct itp_stretch *stretch, uint32_t depth)
{
	const struct itp_link link = { .stretch = *stretch,
				       .depth = depth,
				       .cost_ns = stretch->end_ns - stretch->begin_ns };

	if (stretch->begin_ns < stretch->end_ns) {
		g_array_append_val(walk->links, link);
	}
}

static void append_gap(struct walk *walk, const struct itp_symptom *span, uint32_t depth)
{
	append(walk,
	       &(struct itp_stretch){ .kind = ITP_STRETCH_UNKNOWN,
				      .tid = span->tid,
				      .node = ITP_CONTEXT_ROOT,
				      .begin_ns = span->begin_ns,
				      .end_ns = span->end_ns },
	       depth);
}

static bool is_waiting(const struct walk *walk, int32_t tid, uint32_t depth)
{
	for (uint32_t i = 0; i <= depth; i++) {
		if (walk->waiting[i] == tid) {
			return true;
		}
	}
	return false;
}

/* True if anything is known of the thread during the wait. */
static bool is_seen(const struct itp_history *history, int32_t tid, const struct itp_stretch *wait)
{
	const struct itp_life *life = itp_history_life(history, tid);
	size_t i = life ? itp_life_find(life, wait->begin_ns) : 0;

	return life && i < itp_life_length(life) && itp_life_get(life, i).begin_ns < wait->end_ns;
}

static bool can_follow(const struct walk *walk, const struct itp_stretch *stretch, uint32_t depth)
{
	return stretch->kind == ITP_STRETCH_WAIT && stretch->end == ITP_WAIT_WOKEN &&
	       stretch->waker_tid > 0 && depth + 1 < ITP_MAX_WAIT_DEPTH &&
	       !is_waiting(walk, stretch->waker_tid, depth) &&
	       is_seen(walk->history, stretch->waker_tid, stretch);
}

static void add_stretch(struct walk *walk, const struct itp_stretch *stretch, bool is_kept,
			uint32_t depth)
{
	struct itp_link *link;

	append(walk, stretch, depth);
	link = &g_array_index(walk->links, struct itp_link, walk->links->len - 1);
	link->is_kept = is_kept;
	link->is_followed = can_follow(walk, stretch, depth);
	if (link->is_followed) {
		follow(walk,
		       &(struct itp_symptom){ .tid = stretch->waker_tid,
					      .begin_ns = stretch->begin_ns,
					      .end_ns = stretch->end_ns },
		       depth + 1);
	}
}

/* True if the stretch began when another thread took the CPU from the running thread. */
static bool is_kept(const struct itp_life *life, size_t i)
{
	const struct itp_stretch stretch = itp_life_get(life, i);
	struct itp_stretch before;

	if (stretch.kind != ITP_STRETCH_READY || i == 0) {
		return false;
	}
	before = itp_life_get(life, i - 1);
	return before.kind == ITP_STRETCH_RUN && before.end_ns == stretch.begin_ns;
}

/* Adds all links that held up the thread of `span`. */
static void follow(struct walk *walk, const struct itp_symptom *span, uint32_t depth)
{
	const struct itp_life *life = itp_history_life(walk->history, span->tid);
	struct itp_symptom rest = *span;
	guint first = walk->links->len;

	walk->waiting[depth] = span->tid;
	for (size_t i = life ? itp_life_find(life, span->begin_ns) : 0;
	     life && i < itp_life_length(life) && rest.begin_ns < rest.end_ns; i++) {
		struct itp_stretch stretch = itp_life_get(life, i);
		struct itp_symptom gap = rest;

		stretch.begin_ns = CLAMP(stretch.begin_ns, rest.begin_ns, rest.end_ns);
		stretch.end_ns = MIN(stretch.end_ns, rest.end_ns);
		gap.end_ns = stretch.begin_ns;
		append_gap(walk, &gap, depth);
		rest.begin_ns = MAX(stretch.begin_ns, stretch.end_ns);
		if (stretch.begin_ns < stretch.end_ns) {
			add_stretch(walk, &stretch, is_kept(life, i), depth);
		}
	}
	append_gap(walk, &rest, depth);
	itp_divide_runs(walk->links, first, depth, walk->history);
}

GArray *itp_critical_path(const struct itp_history *history, const struct itp_symptom *symptom)
{
	struct walk walk = {
		.history = history,
		.links = g_array_new(FALSE, TRUE, sizeof(struct itp_link)),
	};

	follow(&walk, symptom, 0);
	return walk.links;
}

/* SPDX-License-Identifier: MIT */
/*
 * See ways.h. A function that has jumped is on the stack no more.
 */
#include "common/completion/ways.h"

/* Ways that are told apart. */
#define MAX_WAYS 32
/* Functions on one, with those that have jumped; and steps on all of them. */
#define MAX_STEPS 16
#define MAX_ALL_STEPS 4096

struct walk {
	/* Weak. */
	const struct itp_callers *callers;
	GArray *ways;
	struct itp_way way;
	/* The functions that the walk has come through, shown or not. */
	struct itp_code_function steps[MAX_STEPS];
	guint step_count;
	guint all_step_count;
	bool has_too_many;
};

static bool is_same_way(const struct itp_way *a, const struct itp_way *b)
{
	for (guint i = 0; i < MIN(a->count, b->count); i++) {
		if (!itp_is_same_function(a->functions[i], b->functions[i])) {
			return false;
		}
	}
	return a->count == b->count;
}

static void end_way(struct walk *walk)
{
	for (guint i = 0; i < walk->ways->len; i++) {
		if (is_same_way(&g_array_index(walk->ways, struct itp_way, i), &walk->way)) {
			return;
		}
	}
	walk->has_too_many |= walk->ways->len >= MAX_WAYS;
	if (!walk->has_too_many) {
		g_array_append_val(walk->ways, walk->way);
	}
}

static bool has_been_at(const struct walk *walk, struct itp_code_function function)
{
	for (guint i = 0; i < walk->step_count; i++) {
		if (itp_is_same_function(walk->steps[i], function)) {
			return true;
		}
	}
	return false;
}

static void go_on(struct walk *walk, struct itp_code_function function, bool is_framed);

/* `link` leads away from a function without a frame pointer. */
static void follow(struct walk *walk, const struct itp_code_link *link)
{
	bool is_shown = link->is_call && !link->is_framed;

	if (is_shown && walk->way.count == ITP_MAX_WAY) {
		end_way(walk);
		return;
	}
	if (is_shown) {
		walk->way.functions[walk->way.count++] = link->caller;
	}
	if (itp_is_same_function(link->callee, walk->callers->function)) {
		end_way(walk);
	} else {
		go_on(walk, link->callee, false);
	}
	walk->way.count -= is_shown;
}

/* All ways on from `function`. */
static void go_on(struct walk *walk, struct itp_code_function function, bool is_framed)
{
	const GArray *links = walk->callers->links;

	if (has_been_at(walk, function) || walk->step_count == MAX_STEPS) {
		end_way(walk);
		return;
	}
	walk->steps[walk->step_count++] = function;
	walk->has_too_many |= ++walk->all_step_count > MAX_ALL_STEPS;
	for (guint i = 0; i < links->len && !walk->has_too_many; i++) {
		const struct itp_code_link *link = &g_array_index(links, struct itp_code_link, i);

		if (link->is_framed == is_framed && itp_is_same_function(link->caller, function)) {
			follow(walk, link);
		}
	}
	walk->step_count--;
}

GArray *itp_ways_find(const struct itp_callers *callers, struct itp_code_function framed)
{
	struct walk walk = { .callers = callers,
			     .ways = g_array_new(FALSE, FALSE, sizeof(struct itp_way)) };

	go_on(&walk, framed, true);
	if (walk.has_too_many) {
		g_array_set_size(walk.ways, 0);
	}
	return walk.ways;
}

GArray *itp_ways_at(const GArray *ways, guint at)
{
	GArray *functions = g_array_new(FALSE, FALSE, sizeof(struct itp_code_function));

	for (guint i = 0; i < ways->len; i++) {
		const struct itp_way *way = &g_array_index(ways, struct itp_way, i);

		if (at >= way->count) {
			g_array_unref(functions);
			return NULL;
		}
		itp_code_functions_add(functions, way->functions[at]);
	}
	return functions;
}

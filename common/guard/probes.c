/* SPDX-License-Identifier: MIT */
/*
 * See probes.h. System calls are chosen greedily: each time the call that separates most pairs of
 * types not yet separated, per unit that makes it.
 */
#include "common/guard/probes.h"

#include <string.h>

/* Divisor of a type's units: a context of a 2nd of them, or more, is usual. */
#define USUAL_PART 2

static gint compare_call_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool has_call_name(const GPtrArray *names, const char *name)
{
	return g_ptr_array_find_with_equal_func((GPtrArray *)names, name, g_str_equal, NULL);
}

static void add_name(GPtrArray *names, const char *name)
{
	if (!has_call_name(names, name)) {
		g_ptr_array_add(names, g_strdup(name));
	}
}

static bool is_watched(const struct itp_guard_probes *probes, const char *call)
{
	return has_call_name(probes->ending, call) || has_call_name(probes->telling, call);
}

uint64_t itp_guard_probes_seen(const struct itp_guard_probes *probes,
			       const struct itp_guard_loop *loop)
{
	uint64_t seen = 0;

	for (guint i = 0; i < loop->contexts->len; i++) {
		if (is_watched(probes, itp_guard_path_call(itp_guard_context_at(loop, i)->path))) {
			seen |= UINT64_C(1) << i;
		}
	}
	return seen;
}

struct itp_guard_shape itp_guard_shape_of(const struct itp_guard_type *type, uint64_t seen)
{
	struct itp_guard_shape shape = { .limit_ns = type->limit_ns,
					 .recorded_ns = type->recorded_limit_ns };

	for (guint i = 0; i < ITP_GUARD_MOST; i++) {
		const uint64_t bit = seen & UINT64_C(1) << i;

		shape.possible |= type->in_context[i] > 0 ? bit : 0;
		shape.usual |= type->in_context[i] > 0 &&
					       type->in_context[i] >=
						       type->units - type->units / USUAL_PART ?
				       bit :
				       0;
	}
	return shape;
}

static bool has_looks(const struct itp_guard_loop *loop)
{
	for (guint i = 0; i < loop->contexts->len; i++) {
		if (itp_guard_context_at(loop, i)->is_look) {
			return true;
		}
	}
	return false;
}

/* Contexts that look for events: no sign of a unit's begin, to be seen otherwise. */
static uint64_t looks_of(const struct itp_guard_loop *loop)
{
	uint64_t looks = 0;

	for (guint i = 0; i < loop->contexts->len; i++) {
		looks |= (uint64_t)itp_guard_context_at(loop, i)->is_look << i;
	}
	return looks;
}

/* Types of few units have no limit of their own, and need not be told apart. */
static bool is_rare(const struct itp_guard_loop *loop, guint type)
{
	return itp_guard_type_at(loop, type)->units < ITP_GUARD_UNITS_LEAST;
}

static uint64_t usual_of(const struct itp_guard_loop *loop, guint type, uint64_t seen)
{
	return itp_guard_shape_of(itp_guard_type_at(loop, type), seen).usual;
}

/* Number of types before `type` with equal usual contexts in `seen`; plus one if units end by looks
 * and no other context of the type is seen. */
static uint64_t unresolved_type(const struct itp_guard_loop *loop, guint type, uint64_t seen)
{
	const uint64_t usual = usual_of(loop, type, seen);
	uint64_t count = has_looks(loop) && (usual & ~looks_of(loop)) == 0;

	for (guint i = 0; i < type; i++) {
		count += !is_rare(loop, i) && usual_of(loop, i, seen) == usual;
	}
	return count;
}

static uint64_t unresolved_of(const struct itp_guard_loop *loop, uint64_t seen)
{
	uint64_t count = 0;

	for (guint i = 0; i < loop->types->len; i++) {
		count += is_rare(loop, i) ? 0 : unresolved_type(loop, i, seen);
	}
	return count;
}

/* Contexts of a loop that make `call`, as bits. */
static uint64_t contexts_with(const struct itp_guard_loop *loop, const char *call)
{
	uint64_t contexts = 0;

	for (guint i = 0; i < loop->contexts->len; i++) {
		if (g_str_equal(itp_guard_path_call(itp_guard_context_at(loop, i)->path), call)) {
			contexts |= UINT64_C(1) << i;
		}
	}
	return contexts;
}

/* Number of units in each of the contexts, summed: a lower bound of visits. */
static uint64_t visits_of(const struct itp_guard_loop *loop, uint64_t contexts)
{
	uint64_t visits = 0;

	for (guint i = 0; i < loop->types->len; i++) {
		for (guint k = 0; k < loop->contexts->len; k++) {
			visits += contexts >> k & 1 ? itp_guard_type_at(loop, i)->in_context[k] : 0;
		}
	}
	return visits;
}

/* How many pairs the system call would tell apart for each visit; 0 for none. */
static double worth_of(const struct itp_guard_probes *probes, const struct itp_guard_file *file,
		       const char *call)
{
	uint64_t gain = 0;
	uint64_t visits = 1;

	for (guint i = 0; i < file->loops->len; i++) {
		const struct itp_guard_loop *loop = itp_guard_loop_at(file, i);
		const uint64_t seen = itp_guard_probes_seen(probes, loop);
		const uint64_t more = contexts_with(loop, call);

		gain += unresolved_of(loop, seen) - unresolved_of(loop, seen | more);
		visits += visits_of(loop, more);
	}
	return (double)gain / (double)visits;
}

/* The system call of any context worth most; NULL when none tells more. Weak. */
static const char *best_call(const struct itp_guard_probes *probes,
			     const struct itp_guard_file *file)
{
	const char *best = NULL;
	double most = 0;

	for (guint i = 0; i < file->loops->len; i++) {
		const struct itp_guard_loop *loop = itp_guard_loop_at(file, i);

		for (guint k = 0; k < loop->contexts->len; k++) {
			const char *call = itp_guard_path_call(itp_guard_context_at(loop, k)->path);
			const double worth =
				is_watched(probes, call) ? 0 : worth_of(probes, file, call);

			if (worth > most) {
				most = worth;
				best = call;
			}
		}
	}
	return best;
}

static void add_ending(struct itp_guard_probes *probes, const struct itp_guard_loop *loop)
{
	for (guint i = 0; i < loop->waits->len; i++) {
		add_name(probes->ending, itp_guard_path_call(g_ptr_array_index(loop->waits, i)));
	}
	for (guint i = 0; i < loop->contexts->len; i++) {
		if (itp_guard_context_at(loop, i)->is_look) {
			add_name(probes->ending,
				 itp_guard_path_call(itp_guard_context_at(loop, i)->path));
		}
	}
}

void itp_guard_probes_init(struct itp_guard_probes *probes, const struct itp_guard_file *file)
{
	const char *call;

	probes->ending = g_ptr_array_new_with_free_func(g_free);
	probes->telling = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < file->loops->len; i++) {
		add_ending(probes, itp_guard_loop_at(file, i));
	}
	while ((call = best_call(probes, file))) {
		add_name(probes->telling, call);
	}
	g_ptr_array_sort(probes->ending, compare_call_names);
	g_ptr_array_sort(probes->telling, compare_call_names);
}

void itp_guard_probes_release(struct itp_guard_probes *probes)
{
	g_ptr_array_unref(probes->ending);
	g_ptr_array_unref(probes->telling);
}

/* SPDX-License-Identifier: MIT */
/*
 * See usual.h.
 */
#include "common/guard/usual.h"

#include "common/base/hash.h"
#include "common/guard/guard.h"

/* In `places`: outside of the loop. */
#define OUTSIDE UINT32_MAX

/* A context below the loop, whoever has called the loop. */
struct place {
	guint parent;
	uint32_t function;
	uint32_t depth;
	int64_t total_ns;
	/* Number among the kept contexts, from 1 on; 0 for none. */
	guint kept;
};

static void clear(gpointer data)
{
	g_free(((struct itp_guard_usual *)data)->function);
}

GArray *itp_guard_usual_new(void)
{
	GArray *usual = g_array_new(FALSE, FALSE, sizeof(struct itp_guard_usual));

	g_array_set_clear_func(usual, clear);
	return usual;
}

static const struct itp_guard_usual *usual_at(const GArray *usual, guint i)
{
	return &g_array_index(usual, struct itp_guard_usual, i);
}

/* ---- Training ---- */

static struct place *place_at(const GArray *places, guint i)
{
	return &g_array_index(places, struct place, i);
}

/* The place of `function` below `parent`. */
static guint place_below(GArray *places, GHashTable *known, guint parent, uint32_t function)
{
	const gpointer key = itp_pair(parent, function);
	guint i = GPOINTER_TO_UINT(g_hash_table_lookup(known, key));

	if (i == 0) {
		const struct place place = { .parent = parent,
					     .function = function,
					     .depth = place_at(places, parent)->depth + 1 };

		i = places->len;
		g_array_append_val(places, place);
		g_hash_table_insert(known, key, GUINT_TO_POINTER(i));
	}
	return i;
}

static bool is_loop(const struct itp_guard_usual_source *source,
		    const struct itp_function *function)
{
	g_autofree char *key = itp_guard_function_key(function);

	return g_str_equal(key, source->loop);
}

/* The place of `node`, with `parent` as its caller's place: functions of the kernel have the place
 * of their system call. */
static guint place_of_node(const struct itp_guard_usual_source *source, uint32_t node, guint parent,
			   GArray *places, GHashTable *known)
{
	const uint32_t id = itp_context_tree_get(source->tree, node)->function;
	const struct itp_function *function = itp_function_table_get(source->functions, id);

	if (parent == OUTSIDE) {
		return is_loop(source, function) ? 0 : OUTSIDE;
	}
	return function->layer == ITP_LAYER_KERNEL ? parent :
						     place_below(places, known, parent, id);
}

/* struct place, callers first: the loop's function and everything below. */
static GArray *find_usual_places(const struct itp_guard_usual_source *source)
{
	const uint32_t size = itp_context_tree_size(source->tree);
	g_autofree guint *by_node = g_new(guint, size);
	g_autoptr(GHashTable) known = g_hash_table_new(itp_hash_number, NULL);
	GArray *places = g_array_new(FALSE, TRUE, sizeof(struct place));

	g_array_set_size(places, 1);
	by_node[ITP_CONTEXT_ROOT] = OUTSIDE;
	for (uint32_t node = ITP_CONTEXT_ROOT + 1; node < size; node++) {
		const struct itp_node_stats *stats = itp_profile_peek(source->profile, node);
		const guint parent = by_node[itp_context_tree_get(source->tree, node)->parent];
		guint i = OUTSIDE;

		if (stats->total_ns > 0) {
			i = place_of_node(source, node, parent, places, known);
		}
		by_node[node] = i;
		if (i != OUTSIDE && i != parent) {
			place_at(places, i)->total_ns += stats->total_ns;
		}
	}
	return places;
}

/* Callers of as much time come first. */
static gint compare_place_times(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct place *left = place_at(data, *(const guint *)a);
	const struct place *right = place_at(data, *(const guint *)b);

	if (left->total_ns != right->total_ns) {
		return left->total_ns < right->total_ns ? 1 : -1;
	}
	return left->depth != right->depth ?
		       (left->depth > right->depth) - (left->depth < right->depth) :
		       (*(const guint *)a > *(const guint *)b) -
			       (*(const guint *)a < *(const guint *)b);
}

/* Numbers of all but the loop's. */
static GArray *sort_places(GArray *places)
{
	GArray *order = g_array_new(FALSE, FALSE, sizeof(guint));

	for (guint i = 1; i < places->len; i++) {
		g_array_append_val(order, i);
	}
	g_array_sort_with_data(order, compare_place_times, places);
	return order;
}

void itp_guard_usual_train(GArray *usual, const struct itp_guard_usual_source *source)
{
	g_autoptr(GArray) places = find_usual_places(source);
	g_autoptr(GArray) order = sort_places(places);
	const double all_ns = (double)place_at(places, 0)->total_ns;

	for (guint i = 0; i < order->len && usual->len < ITP_GUARD_USUAL_MOST; i++) {
		struct place *place = place_at(places, g_array_index(order, guint, i));
		const struct place *parent = place_at(places, place->parent);
		struct itp_guard_usual one = { .parent = parent->kept,
					       .part = MIN((double)place->total_ns / all_ns, 1) };

		if (!(one.part >= ITP_GUARD_USUAL_LEAST)) {
			return;
		}
		/* Times are estimates: a caller may have less time, and be left out. */
		if (place->parent == 0 || parent->kept > 0) {
			one.function = itp_guard_function_key(
				itp_function_table_get(source->functions, place->function));
			g_array_append_val(usual, one);
			place->kept = usual->len;
		}
	}
}

/* ---- Asking ---- */

static guint child_of(const GArray *usual, guint parent, const char *function)
{
	for (guint i = parent; i < usual->len; i++) {
		if (usual_at(usual, i)->parent == parent &&
		    g_str_equal(usual_at(usual, i)->function, function)) {
			return i + 1;
		}
	}
	return 0;
}

/* The number of the context, without the function at `left_out` of the path; 0 for none. */
static guint find_usual_context(const GArray *usual, char *const *path, guint length,
				guint left_out)
{
	guint at = 0;

	for (guint i = 0; i < length; i++) {
		if (i != left_out) {
			at = child_of(usual, at, path[i]);
			if (at == 0) {
				return 0;
			}
		}
	}
	return at;
}

double itp_guard_usual_part(const GArray *usual, char *const *path, guint length)
{
	guint found = usual ? find_usual_context(usual, path, length, length) : 0;

	/* The last function is the place asked about, and has to be known. */
	for (guint i = 0; usual && found == 0 && i + 1 < length; i++) {
		found = find_usual_context(usual, path, length, i);
	}
	return length == 0 ? 1 : found > 0 ? usual_at(usual, found - 1)->part : 0;
}

/* ---- The file ---- */

json_t *itp_guard_usual_json(const GArray *usual)
{
	json_t *array = json_array();

	for (guint i = 0; i < usual->len; i++) {
		const struct itp_guard_usual *one = usual_at(usual, i);

		json_array_append_new(array, json_pack("[Isf]", (json_int_t)one->parent,
						       one->function, one->part));
	}
	return array;
}

const char *itp_guard_usual_read(const json_t *array, GArray *usual)
{
	if (json_array_size(array) > ITP_GUARD_USUAL_MOST) {
		return "has a profile of more than " G_STRINGIFY(ITP_GUARD_USUAL_MOST) " contexts";
	}
	for (size_t i = 0; i < json_array_size(array); i++) {
		const json_t *list = json_array_get(array, i);
		const json_t *parent = json_array_get(list, 0);
		const char *function = json_string_value(json_array_get(list, 1));
		const json_t *part = json_array_get(list, 2);
		struct itp_guard_usual one;

		if (!json_is_integer(parent) || json_integer_value(parent) < 0 ||
		    json_integer_value(parent) > (json_int_t)i || !function ||
		    !json_is_number(part) ||
		    !(json_number_value(part) >= 0 && json_number_value(part) <= 1)) {
			return "has a profile with a context that is none";
		}
		one = (struct itp_guard_usual){ (guint)json_integer_value(parent),
						g_strdup(function), json_number_value(part) };
		g_array_append_val(usual, one);
	}
	return NULL;
}

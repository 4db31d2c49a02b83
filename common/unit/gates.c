/* SPDX-License-Identifier: MIT */
/*
 * See gates.h. Gates stand in front of the system calls, and more gates in front of these: each
 * turn of the search finds the next ones.
 */
#include "common/unit/gates.h"

#include "common/known/modules.h"

/* Facts about functions on the paths, by id. */
struct search {
	/* Id of the only system call behind the function, or SEVERAL. */
	GHashTable *calls;
	/* Functions that call others than gates. */
	GHashTable *others;
	GHashTable *gates;
};

#define SEVERAL GUINT_TO_POINTER(UINT32_MAX)

static gpointer function_on_path(const GArray *path, guint i)
{
	return GUINT_TO_POINTER(g_array_index(path, uint32_t, i));
}

/* Number of gates in front of the system call. */
static guint count_gates(const struct search *search, const GArray *path)
{
	guint count = 0;

	while (count + 1 < path->len &&
	       g_hash_table_contains(search->gates,
				     function_on_path(path, path->len - 2 - count))) {
		count++;
	}
	return count;
}

static void look_at_path(struct search *search, const GArray *path)
{
	const guint behind = count_gates(search, path) + 1;
	gpointer function;
	gpointer call;
	gpointer known;

	if (path->len <= behind) {
		return;
	}
	function = function_on_path(path, path->len - 1 - behind);
	call = function_on_path(path, path->len - 1);
	if (!g_hash_table_lookup_extended(search->calls, function, NULL, &known)) {
		g_hash_table_insert(search->calls, function, call);
	} else if (known != call) {
		g_hash_table_insert(search->calls, function, SEVERAL);
	}
	for (guint i = 0; i + 1 + behind < path->len; i++) {
		g_hash_table_add(search->others, function_on_path(path, i));
	}
}

/* False when there are no more. */
static bool find_more(struct search *search, const struct itp_function_table *functions,
		      const GPtrArray *paths)
{
	const guint before = g_hash_table_size(search->gates);
	GHashTableIter iterator;
	gpointer function;
	gpointer call;

	g_hash_table_remove_all(search->calls);
	g_hash_table_remove_all(search->others);
	for (guint i = 0; i < paths->len; i++) {
		look_at_path(search, g_ptr_array_index(paths, i));
	}
	g_hash_table_iter_init(&iterator, search->calls);
	while (g_hash_table_iter_next(&iterator, &function, &call)) {
		if (call == SEVERAL && !g_hash_table_contains(search->others, function) &&
		    itp_module_is_go_between(
			    itp_function_table_get(functions, GPOINTER_TO_UINT(function)))) {
			g_hash_table_add(search->gates, function);
		}
	}
	return g_hash_table_size(search->gates) > before;
}

void itp_gates_remove(const struct itp_function_table *functions, const GPtrArray *paths)
{
	struct search search = { .calls = g_hash_table_new(NULL, NULL),
				 .others = g_hash_table_new(NULL, NULL),
				 .gates = g_hash_table_new(NULL, NULL) };

	while (find_more(&search, functions, paths)) {
	}
	for (guint i = 0; i < paths->len; i++) {
		GArray *path = g_ptr_array_index(paths, i);
		const guint count = count_gates(&search, path);

		if (count > 0) {
			g_array_remove_range(path, path->len - 1 - count, count);
		}
	}
	g_hash_table_unref(search.gates);
	g_hash_table_unref(search.others);
	g_hash_table_unref(search.calls);
}

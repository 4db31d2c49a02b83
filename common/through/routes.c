/* SPDX-License-Identifier: MIT */
/*
 * See routes.h.
 */
#include "common/through/routes.h"

#include <string.h>

#include "common/base/hash.h"

#define ARROW " → "

/* Route with its sums. */
struct sum {
	struct itp_route route;
	/* GArray of guint by step: its hops. Owned by this. */
	GPtrArray *hops;
	/* Text of the parent's step and the label → step + 1. Owned by this. */
	GHashTable *steps;
};

struct routing {
	/* Weak. */
	const struct itp_hops *hops;
	const struct itp_traffic *traffic;
	const struct itp_recall *recall;
	/* struct sum by key. Owned by this. */
	GHashTable *sums;
};

static const struct itp_hop *hop_at(const struct routing *routing, guint i)
{
	return &g_array_index(routing->hops->list, struct itp_hop, i);
}

static void free_sum(gpointer data)
{
	struct sum *sum = data;

	g_ptr_array_unref(sum->hops);
	g_hash_table_unref(sum->steps);
	g_free(sum);
}

static gint compare_texts(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Labels of hops that asked nobody else, each once: " → A", " → (A, B)". */
static char *join_labels(GPtrArray *labels)
{
	GString *text = g_string_new(NULL);
	const char *last = NULL;
	guint count = 0;

	g_ptr_array_sort(labels, compare_texts);
	for (guint i = 0; i < labels->len; i++) {
		const char *label = g_ptr_array_index(labels, i);

		if (!last || strcmp(last, label) != 0) {
			g_string_append_printf(text, "%s%s", count > 0 ? ", " : "", label);
			count++;
		}
		last = label;
	}
	if (count > 1) {
		g_string_prepend_c(text, '(');
		g_string_append_c(text, ')');
	}
	if (count > 0) {
		g_string_prepend(text, ARROW);
	}
	return g_string_free(text, FALSE);
}

/* True when a hop did all that the other did, and asked further hops: it is the same step, and the
 * number of asks does not count. */
static bool is_part_of(const char *label, const char *whole)
{
	return g_str_has_prefix(whole, label) && g_str_has_prefix(whole + strlen(label), ARROW);
}

static void join_steps(GPtrArray *labels, const GArray *places)
{
	for (guint i = 0; i < places->len; i++) {
		char **label = (char **)&labels->pdata[g_array_index(places, guint, i)];

		for (guint j = 0; j < places->len; j++) {
			const char *whole = labels->pdata[g_array_index(places, guint, j)];

			if (is_part_of(*label, whole)) {
				g_free(*label);
				*label = g_strdup(whole);
			}
		}
	}
}

/* char * by place in the request of the hops from `first` to `end`: a hop's name with all below it.
 * Free with g_ptr_array_unref(). */
static GPtrArray *labels_of(const struct routing *routing, guint first, guint end)
{
	GPtrArray *labels = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_set_size(labels, (gint)(end - first));
	/* Children lie behind their parents. */
	for (guint i = end; i-- > first;) {
		g_autoptr(GPtrArray) below = g_ptr_array_new();
		g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(guint));
		g_autofree char *text = NULL;

		for (guint j = i + 1; j < end; j++) {
			if (hop_at(routing, j)->parent == i) {
				guint place = j - first;

				g_array_append_val(places, place);
			}
		}
		join_steps(labels, places);
		for (guint j = 0; j < places->len; j++) {
			g_ptr_array_add(below, labels->pdata[g_array_index(places, guint, j)]);
		}
		text = join_labels(below);
		labels->pdata[i - first] = g_strconcat(
			itp_traffic_process(routing->traffic, hop_at(routing, i)->pid), text, NULL);
	}
	return labels;
}

static struct sum *sum_of(const struct routing *routing, const char *key)
{
	struct sum *sum = g_hash_table_lookup(routing->sums, key);

	if (!sum) {
		sum = g_new0(struct sum, 1);
		sum->route.key = g_strdup(key);
		sum->route.steps = g_array_new(FALSE, FALSE, sizeof(struct itp_route_step));
		sum->route.taken_ns = g_array_new(FALSE, FALSE, sizeof(int64_t));
		sum->hops = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
		sum->steps = g_hash_table_new_full(itp_hash_text, g_str_equal, g_free, NULL);
		g_hash_table_insert(routing->sums, sum->route.key, sum);
	}
	return sum;
}

static guint step_of(struct sum *sum, uint32_t parent, const char *label, const char *process)
{
	char *key = g_strdup_printf("%u %s", parent, label);
	guint known = GPOINTER_TO_UINT(g_hash_table_lookup(sum->steps, key));

	if (known == 0) {
		const struct itp_route_step step = { .process = process, .parent = parent };

		g_array_append_val(sum->route.steps, step);
		g_ptr_array_add(sum->hops, g_array_new(FALSE, FALSE, sizeof(guint)));
		known = sum->route.steps->len;
		g_hash_table_insert(sum->steps, key, GUINT_TO_POINTER(known));
	} else {
		g_free(key);
	}
	return known - 1;
}

static void add_hop(struct itp_route_step *step, const struct itp_hop *hop)
{
	step->count++;
	step->total_ns += hop->end_ns - hop->begin_ns;
	step->waits_ns += hop->waits_ns;
	step->own_ns += hop->end_ns - hop->begin_ns - hop->waits_ns;
	step->queued_ns += hop->begin_ns - hop->sent_ns;
}

static void add_request(const struct routing *routing, guint first, guint end)
{
	g_autoptr(GPtrArray) labels = labels_of(routing, first, end);
	struct sum *sum = sum_of(routing, g_ptr_array_index(labels, 0));
	/* guint by place of the hop. */
	g_autofree guint *steps = g_new(guint, end - first);
	int64_t taken_ns = itp_hops_end_ns(routing->hops, first) - hop_at(routing, first)->begin_ns;

	for (guint i = first; i < end; i++) {
		const struct itp_hop *hop = hop_at(routing, i);
		guint step = step_of(sum,
				     hop->parent == ITP_HOP_NONE ? ITP_HOP_NONE :
								   steps[hop->parent - first],
				     g_ptr_array_index(labels, i - first),
				     itp_traffic_process(routing->traffic, hop->pid));

		steps[i - first] = step;
		add_hop(&g_array_index(sum->route.steps, struct itp_route_step, step), hop);
		g_array_append_val((GArray *)sum->hops->pdata[step], i);
	}
	g_array_append_val(sum->route.taken_ns, taken_ns);
	sum->route.total_ns += taken_ns;
}

static gint compare_times(gconstpointer a, gconstpointer b)
{
	int64_t left = *(const int64_t *)a;
	int64_t right = *(const int64_t *)b;

	return (left > right) - (left < right);
}

static void conclude_route(const struct routing *routing, struct sum *sum)
{
	struct itp_route *route = &sum->route;
	struct itp_naming naming;

	itp_naming_init(&naming, routing->recall);
	for (guint i = 0; i < route->steps->len; i++) {
		struct itp_route_step *step =
			&g_array_index(route->steps, struct itp_route_step, i);
		const GArray *hops = g_ptr_array_index(sum->hops, i);

		itp_naming_clear(&naming);
		for (guint j = 0; j < hops->len; j++) {
			itp_naming_add(&naming, routing->hops, g_array_index(hops, guint, j),
				       &step->use);
		}
		step->node = itp_naming_node(&naming, &step->node_ns);
		if (step->own_ns >
		    g_array_index(route->steps, struct itp_route_step, route->slowest).own_ns) {
			route->slowest = i;
		}
	}
	itp_naming_release(&naming);
	g_array_sort(route->taken_ns, compare_times);
}

static gint compare_routes(gconstpointer a, gconstpointer b)
{
	const struct itp_route *left = a;
	const struct itp_route *right = b;

	if (left->taken_ns->len != right->taken_ns->len) {
		return left->taken_ns->len > right->taken_ns->len ? -1 : 1;
	}
	return strcmp(left->key, right->key);
}

static void clear_route(gpointer data)
{
	struct itp_route *route = data;

	g_free(route->key);
	g_array_unref(route->steps);
	g_array_unref(route->taken_ns);
}

GArray *itp_routes_find(const struct itp_hops *hops, const struct itp_traffic *traffic,
			const struct itp_recall *recall)
{
	GArray *routes = g_array_new(FALSE, FALSE, sizeof(struct itp_route));
	struct routing routing = {
		.hops = hops,
		.traffic = traffic,
		.recall = recall,
		.sums = g_hash_table_new_full(itp_hash_text, g_str_equal, NULL, free_sum),
	};
	GHashTableIter iter;
	gpointer data;

	g_array_set_clear_func(routes, clear_route);
	for (guint i = 0; i < hops->roots->len; i++) {
		guint first = g_array_index(hops->roots, guint, i);

		if (itp_hops_doubt(hops, first) == ITP_HOP_CERTAIN) {
			add_request(&routing, first, itp_hops_behind(hops, first));
		}
	}
	g_hash_table_iter_init(&iter, routing.sums);
	while (g_hash_table_iter_next(&iter, NULL, &data)) {
		struct sum *sum = data;

		conclude_route(&routing, sum);
		g_array_append_val(routes, sum->route);
	}
	g_hash_table_unref(routing.sums);
	g_array_sort(routes, compare_routes);
	return routes;
}

int64_t itp_route_quantile_ns(const struct itp_route *route, double part)
{
	guint count = route->taken_ns->len;
	guint place = (guint)(part * count);

	return g_array_index(route->taken_ns, int64_t, MIN(place, count - 1));
}

/* SPDX-License-Identifier: MIT */
/*
 * See through.h: where the time of requests went, in a sentence for each route.
 */
#include "common/base/labels.h"
#include "common/render/through/through.h"
#include "common/render/units.h"

/* Routes told, with most time together, and parts told of each one's time. */
#define ROUTES_MOST 3
#define PARTS_MOST 4

/* Part of a process in a route's time, over all its steps; NULL: until requests were taken. */
struct part {
	/* Weak. */
	const char *process;
	int64_t ns;
	/* Step with most of it. */
	const struct itp_route_step *most;
};

static struct part *part_of_process(GArray *parts, const char *process)
{
	const struct part part = { .process = process };

	for (guint i = 0; i < parts->len; i++) {
		if (g_array_index(parts, struct part, i).process == process) {
			return &g_array_index(parts, struct part, i);
		}
	}
	g_array_append_val(parts, part);
	return &g_array_index(parts, struct part, parts->len - 1);
}

static gint compare_process_parts(gconstpointer a, gconstpointer b)
{
	const struct part *left = a;
	const struct part *right = b;

	return left->ns != right->ns ? (left->ns < right->ns) - (left->ns > right->ns) :
				       g_strcmp0(left->process, right->process);
}

/* struct part, the greatest first. Names of processes are kept once, so that equal names have equal
 * addresses. Free with g_array_unref(). */
static GArray *parts_of(const struct itp_route *route)
{
	GArray *parts = g_array_new(FALSE, FALSE, sizeof(struct part));

	for (guint i = 0; i < route->steps->len; i++) {
		const struct itp_route_step *step =
			&g_array_index(route->steps, struct itp_route_step, i);
		struct part *part = part_of_process(parts, step->process);

		part->ns += step->own_ns;
		if (!part->most || step->own_ns > part->most->own_ns) {
			part->most = step;
		}
		part_of_process(parts, NULL)->ns += step->queued_ns;
	}
	g_array_sort(parts, compare_process_parts);
	return parts;
}

static char *part_text(const struct itp_through *through, const struct part *part, int64_t total_ns)
{
	g_autofree char *share = itp_units_share((double)part->ns, (double)total_ns);
	const struct itp_function *function =
		part->most ? itp_through_function(through, part->most->node) : NULL;
	g_autofree char *process = part->process ? itp_label_clean(part->process) : NULL;
	g_autofree char *name = function ? itp_label_function(function) : NULL;

	return !process ? g_strdup_printf("%s until they were taken", share) :
	       name     ? g_strdup_printf("%s in %s (%s)", share, process, name) :
			  g_strdup_printf("%s in %s", share, process);
}

static void append_route(const struct itp_through *through, const struct itp_route *route,
			 const char *head, unsigned int width, GString *output)
{
	g_autoptr(GArray) parts = parts_of(route);
	g_autofree char *key = itp_label_clean_text(route->key);
	g_autofree char *count = itp_units_counted(route->taken_ns->len, "request");
	g_autofree char *median = itp_units_time(itp_route_quantile_ns(route, 0.5));
	g_autoptr(GString) line = g_string_new(head ? head : "");

	g_string_append_printf(line, "%s%s through %s, half of them in %s or less",
			       head ? ": " : "", count, key, median);
	for (guint i = 0; i < MIN(parts->len, PARTS_MOST); i++) {
		const struct part *part = &g_array_index(parts, struct part, i);
		g_autofree char *text = part_text(through, part, route->total_ns);

		if (part->ns > 0) {
			g_string_append_printf(line, "%s%s", i == 0 ? ": " : ", ", text);
		}
	}
	itp_label_wrap(output, line->str, 0, 2, width);
}

static gint compare_totals(gconstpointer a, gconstpointer b)
{
	const struct itp_route *left = *(const struct itp_route *const *)a;
	const struct itp_route *right = *(const struct itp_route *const *)b;

	return left->total_ns != right->total_ns ?
		       (left->total_ns < right->total_ns) - (left->total_ns > right->total_ns) :
		       g_strcmp0(left->key, right->key);
}

void itp_render_through_routes_text(const struct itp_through *through, const char *head,
				    unsigned int width, GString *output)
{
	const GArray *routes = itp_through_routes(through);
	g_autoptr(GPtrArray) order = g_ptr_array_new();

	for (guint i = 0; i < routes->len; i++) {
		g_ptr_array_add(order, &g_array_index(routes, struct itp_route, i));
	}
	g_ptr_array_sort(order, compare_totals);
	for (guint i = 0; i < MIN(order->len, ROUTES_MOST); i++) {
		append_route(through, order->pdata[i], head, width, output);
	}
}

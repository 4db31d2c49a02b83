/* SPDX-License-Identifier: MIT */
/*
 * See through.h: text.
 */
#include "common/base/labels.h"
#include "common/render/table.h"
#include "common/render/through/through.h"
#include "common/render/units.h"

#define INDENT 2

static const struct itp_hop *hop_at(const struct itp_through_page *page, guint i)
{
	return &g_array_index(itp_through_hops(page->through)->list, struct itp_hop, i);
}

static char *process_name(const struct itp_through_page *page, int32_t pid)
{
	return itp_label_clean(itp_traffic_process(itp_through_traffic(page->through), pid));
}

/* Name; "" where nothing tells. */
static char *function_name(const struct itp_through_page *page, uint32_t node)
{
	const struct itp_function *function = itp_through_function(page->through, node);
	g_autofree char *clean = function ? itp_label_function(function) : NULL;

	return clean ? itp_label_shorten_function(clean, page->width / 2) : g_strdup("");
}

/* With its callers: "heap_getnextslot › heapgetpage › HeapTupleSatisfiesVisibility". */
static char *function_path(const struct itp_through_page *page, uint32_t node)
{
	g_autoptr(GPtrArray) callers = itp_through_callers(page->through, node);
	g_autofree char *own = function_name(page, node);
	GString *path = g_string_new(NULL);

	for (guint i = callers->len; i-- > 0 && *own != '\0';) {
		const struct itp_function *caller = g_ptr_array_index(callers, i);
		g_autofree char *clean = itp_label_function(caller);
		g_autofree char *label = itp_label_shorten_function(clean, page->width / 4);

		g_string_append_printf(path, "%s › ", label);
	}
	g_string_append(path, own);
	return g_string_free(path, FALSE);
}

static void append_route_line(const struct itp_through_page *page, const char *line,
			      unsigned int column, GString *output)
{
	itp_label_pad(output, column);
	itp_label_wrap(output, line, column, column + INDENT, page->width);
}

/* The deepest step's place on the page. */
static unsigned int depth_of_step(const struct itp_route *route, guint i)
{
	unsigned int depth = 0;
	uint32_t parent = g_array_index(route->steps, struct itp_route_step, i).parent;

	for (; parent != ITP_HOP_NONE; depth++) {
		parent = g_array_index(route->steps, struct itp_route_step, parent).parent;
	}
	return depth;
}

static void take_step(const struct itp_through_page *page, const struct itp_route *route, guint i,
		      struct itp_table *table)
{
	const struct itp_route_step *step = &g_array_index(route->steps, struct itp_route_step, i);
	const double requests = route->taken_ns->len;
	g_autofree char *name = itp_label_clean(step->process);
	g_autofree char *function = function_name(page, step->node);

	itp_table_take(table,
		       g_strdup_printf("%*s%s", (int)(INDENT + depth_of_step(route, i)), "", name));
	itp_table_take(table, g_strdup_printf("×%.3g", (double)step->count / requests));
	itp_table_take(table, itp_units_time((int64_t)((double)step->own_ns / requests)));
	itp_table_take(table, itp_units_share((double)step->own_ns, (double)route->total_ns));
	itp_table_take(table, itp_units_share((double)step->use.cpu_ns, (double)step->own_ns));
	itp_table_take(table, itp_units_time((int64_t)((double)step->queued_ns / requests)));
	itp_table_take(table,
		       g_strdup_printf("%s%s", function, i == route->slowest ? "  ◀ slowest" : ""));
}

static void append_route(const struct itp_through_page *page, const struct itp_route *route,
			 GString *output)
{
	struct itp_table *table = itp_table_new(page->width);
	g_autofree char *key = itp_label_clean_text(route->key);
	g_autofree char *count = itp_units_counted(route->taken_ns->len, "request");
	g_autofree char *median = itp_units_time(itp_route_quantile_ns(route, 0.5));
	g_autofree char *most = itp_units_time(itp_route_quantile_ns(route, 0.99));
	g_autofree char *line = g_strdup_printf(
		"%s: %s, of which half took %s or less, and 99 %% %s", key, count, median, most);

	g_string_append_c(output, '\n');
	append_route_line(page, line, 0, output);
	itp_table_column(table, "  hop", false);
	itp_table_column(table, "asked", true);
	itp_table_column(table, "own time", true);
	itp_table_column(table, "share", true);
	itp_table_column(table, "CPU", true);
	itp_table_column(table, "queued", true);
	itp_table_column(table, "mostly in", false);
	for (guint i = 0; i < route->steps->len; i++) {
		take_step(page, route, i, table);
	}
	itp_table_append_heads(table, output);
	for (guint i = 0; i < route->steps->len; i++) {
		itp_table_append_row(table, i, output);
	}
	itp_table_free(table);
}

static void append_waits(const struct itp_through_page *page, guint i, GString *line)
{
	const struct itp_hop *hop = hop_at(page, i);
	const guint end = itp_hops_behind(itp_through_hops(page->through), hop->root);
	guint longest = i;

	for (guint j = i + 1; j < end; j++) {
		const struct itp_hop *asked = hop_at(page, j);

		if (asked->parent == i && (!asked->is_one_way || asked->pid == hop->pid) &&
		    (longest == i ||
		     asked->end_ns - asked->begin_ns >
			     hop_at(page, longest)->end_ns - hop_at(page, longest)->begin_ns)) {
			longest = j;
		}
	}
	if (longest != i) {
		g_autofree char *waits = itp_units_time(hop->waits_ns);
		g_autofree char *name = process_name(page, hop_at(page, longest)->pid);

		g_string_append_printf(line, ", of it %s waiting for %s", waits, name);
	}
}

/* "nginx 3.4 ms → uwsgi 3.1 ms, of it 2.8 ms waiting for postgres 2.8 ms: SeqNext" */
static void append_request(const struct itp_through_page *page, guint first, GString *output)
{
	const struct itp_hops *hops = itp_through_hops(page->through);
	const guint end = itp_hops_behind(hops, first);
	GString *line = g_string_new(NULL);
	guint slowest = first;
	g_autofree char *function = NULL;

	for (guint i = first; i < end; i++) {
		const struct itp_hop *hop = hop_at(page, i);
		const struct itp_hop *most = hop_at(page, slowest);
		g_autofree char *name = process_name(page, hop->pid);
		g_autofree char *taken = itp_units_time(hop->end_ns - hop->begin_ns);

		g_string_append_printf(line, "%s%s %s", i > first ? " → " : "", name, taken);
		append_waits(page, i, line);
		slowest = hop->end_ns - hop->begin_ns - hop->waits_ns >
					  most->end_ns - most->begin_ns - most->waits_ns ?
				  i :
				  slowest;
	}
	function = function_path(page, hop_at(page, slowest)->node);
	if (*function != '\0') {
		g_autofree char *name = process_name(page, hop_at(page, slowest)->pid);

		g_string_append_printf(line, "; most of it in %s: %s", name, function);
	}
	append_route_line(page, line->str, INDENT, output);
	g_string_free(line, TRUE);
}

static void append_slowest(const struct itp_through_page *page, GString *output)
{
	g_autoptr(GArray) order = itp_through_slowest(page->through);

	if (order->len > 0) {
		g_string_append(output, "\nThe slowest:\n");
	}
	for (guint i = 0; i < order->len && (page->top == 0 || i < page->top); i++) {
		append_request(page, g_array_index(order, guint, i), output);
	}
}

static void append_doubts(const struct itp_through_page *page,
			  const struct itp_through_counts *counts, GString *output)
{
	g_autofree char *all = itp_units_counted(counts->requests, "request");

	for (enum itp_hop_doubt i = ITP_HOP_CERTAIN + 1; i < ITP_HOP_DOUBT_COUNT; i++) {
		g_autofree char *some = itp_units_count(counts->by_doubt[i]);
		g_autofree char *line = g_strdup_printf(
			"%s of %s %s not followed to the end: %s", some, all,
			counts->by_doubt[i] == 1 ? "is" : "are", itp_through_doubt_text(i));

		if (counts->by_doubt[i] > 0 && i != ITP_HOP_REST) {
			append_route_line(page, line, 0, output);
		}
	}
}

void itp_render_through_text(const struct itp_through_page *page, GString *output)
{
	const GArray *routes = itp_through_routes(page->through);
	struct itp_through_counts counts;
	g_autofree char *path = itp_label_clean(page->path);
	g_autofree char *requests = NULL;
	g_autofree char *followed = NULL;
	g_autofree char *line = NULL;

	itp_through_count(page->through, &counts);
	requests = itp_units_counted(counts.requests, "request");
	followed = itp_units_count(counts.by_doubt[ITP_HOP_CERTAIN]);
	line = g_strdup_printf("%s: %s, %s followed from beginning to end%s", path, requests,
			       followed, page->is_complete ? "" : "; events are missing");
	append_route_line(page, line, 0, output);
	append_doubts(page, &counts, output);
	for (guint i = 0; i < routes->len && (page->top == 0 || i < page->top); i++) {
		append_route(page, &g_array_index(routes, struct itp_route, i), output);
	}
	append_slowest(page, output);
}

/* SPDX-License-Identifier: MIT */
/*
 * See through.h: JSON lines.
 */
#include "common/render/json.h"
#include "common/render/through/through.h"
#include "common/render/units.h"

/* Changes when a reader would have to. */
#define SCHEMA 1

static void set_function(const struct itp_through_page *page, json_t *object, uint32_t node,
			 int64_t ns)
{
	const struct itp_function *function = itp_through_function(page->through, node);
	g_autoptr(GPtrArray) callers = NULL;
	json_t *names;

	if (!function) {
		itp_json_set_null(object, "function");
		return;
	}
	names = json_array();
	itp_json_set_text(object, "function", function->name);
	itp_json_set_text(object, "module", function->module);
	itp_json_set_signed(object, "function_ns", ns);
	callers = itp_through_callers(page->through, node);
	for (guint i = 0; i < callers->len; i++) {
		json_array_append_new(
			names,
			itp_json_text(((const struct itp_function *)callers->pdata[i])->name));
	}
	json_object_set_new_nocheck(object, "callers", names);
}

static void set_parent(json_t *object, uint32_t parent, guint first)
{
	if (parent == ITP_HOP_NONE) {
		itp_json_set_null(object, "parent");
	} else {
		itp_json_set_unsigned(object, "parent", parent - first);
	}
}

/* Time on the recording's own clock. */
static void set_clock(const struct itp_through_page *page, json_t *object, int64_t time_ns)
{
	itp_json_set_signed(object, "clock_ns", itp_time_recorded_ns(&page->clock, time_ns));
}

static json_t *hop_object(const struct itp_through_page *page, const struct itp_hop *hop,
			  guint first)
{
	json_t *object = json_object();
	int64_t taken_ns = hop->end_ns - hop->begin_ns;

	itp_json_set_text(object, "process",
			  itp_traffic_process(itp_through_traffic(page->through), hop->pid));
	itp_json_set_signed(object, "pid", hop->pid);
	itp_json_set_signed(object, "tid", hop->tid);
	itp_json_set_signed(object, "begin_ns", hop->begin_ns);
	set_clock(page, object, hop->begin_ns);
	itp_json_set_signed(object, "end_ns", hop->end_ns);
	itp_json_set_signed(object, "taken_ns", taken_ns);
	itp_json_set_signed(object, "queued_ns", hop->begin_ns - hop->sent_ns);
	itp_json_set_signed(object, "waits_ns", hop->waits_ns);
	itp_json_set_signed(object, "own_ns", taken_ns - hop->waits_ns);
	itp_json_set_use(object, "own_", &hop->use);
	set_function(page, object, hop->node, hop->node_ns);
	set_parent(object, hop->parent, first);
	if (hop->doubt != ITP_HOP_CERTAIN) {
		itp_json_set_text(object, "doubt", itp_through_doubt_word(hop->doubt));
	}
	return object;
}

static void append_request(const struct itp_through_page *page, guint first, GString *output)
{
	const struct itp_hops *hops = itp_through_hops(page->through);
	const struct itp_hop *root = &g_array_index(hops->list, struct itp_hop, first);
	int64_t end_ns = itp_hops_end_ns(hops, first);
	enum itp_hop_doubt doubt = itp_hops_doubt(hops, first);
	json_t *object = json_object();
	json_t *array = json_array();

	itp_json_set_text(object, "type", "through");
	itp_json_set_signed(object, "begin_ns", root->begin_ns);
	set_clock(page, object, root->begin_ns);
	itp_json_set_signed(object, "end_ns", end_ns);
	itp_json_set_signed(object, "taken_ns", end_ns - root->begin_ns);
	itp_json_set_bool(object, "complete", doubt == ITP_HOP_CERTAIN);
	if (doubt != ITP_HOP_CERTAIN) {
		itp_json_set_text(object, "doubt", itp_through_doubt_word(doubt));
	}
	for (guint i = first; i < itp_hops_behind(hops, first); i++) {
		json_array_append_new(
			array,
			hop_object(page, &g_array_index(hops->list, struct itp_hop, i), first));
	}
	json_object_set_new_nocheck(object, "hops", array);
	itp_json_append_line(output, object, 0);
}

static json_t *step_object(const struct itp_through_page *page, const struct itp_route *route,
			   const struct itp_route_step *step)
{
	json_t *object = json_object();

	itp_json_set_text(object, "process", step->process);
	set_parent(object, step->parent, 0);
	itp_json_set_unsigned(object, "count", step->count);
	itp_json_set_signed(object, "total_ns", step->total_ns);
	itp_json_set_signed(object, "queued_ns", step->queued_ns);
	itp_json_set_signed(object, "waits_ns", step->waits_ns);
	itp_json_set_signed(object, "own_ns", step->own_ns);
	itp_json_set_use(object, "own_", &step->use);
	itp_json_set_real(object, "share",
			  route->total_ns > 0 ? (double)step->own_ns / (double)route->total_ns : 0);
	set_function(page, object, step->node, step->node_ns);
	return object;
}

/* `workload` is NULL with a single one. */
static void append_route(const struct itp_through_page *page, const struct itp_route *route,
			 const char *workload, GString *output)
{
	json_t *object = json_object();
	json_t *array = json_array();

	itp_json_set_text(object, "type", "through_route");
	if (workload) {
		itp_json_set_text(object, "workload", workload);
	}
	itp_json_set_text(object, "route", route->key);
	itp_json_set_unsigned(object, "count", route->taken_ns->len);
	itp_json_set_signed(object, "total_ns", route->total_ns);
	itp_json_set_signed(object, "median_ns", itp_route_quantile_ns(route, 0.5));
	itp_json_set_signed(object, "p99_ns", itp_route_quantile_ns(route, 0.99));
	itp_json_set_signed(object, "max_ns", itp_route_quantile_ns(route, 1));
	itp_json_set_unsigned(object, "slowest", route->slowest);
	for (guint i = 0; i < route->steps->len; i++) {
		json_array_append_new(
			array, step_object(page, route,
					   &g_array_index(route->steps, struct itp_route_step, i)));
	}
	json_object_set_new_nocheck(object, "hops", array);
	itp_json_append_line(output, object, 0);
}

static void append_header(const struct itp_through_page *page, GString *output)
{
	json_t *object = json_object();

	itp_json_set_text(object, "type", "header");
	itp_json_set_unsigned(object, "schema", SCHEMA);
	itp_json_set_text(object, "recording", page->path);
	itp_json_set_unsigned(object, "routes", itp_through_routes(page->through)->len);
	itp_json_set_bool(object, "complete", page->is_complete);
	itp_json_append_line(output, object, 0);
}

static void append_summary(const struct itp_through_page *page, GString *output)
{
	const struct itp_traffic *traffic = itp_through_traffic(page->through);
	json_t *object = json_object();
	json_t *why = json_object();
	struct itp_through_counts counts;

	itp_through_count(page->through, &counts);
	itp_json_set_text(object, "type", "summary");
	itp_json_set_unsigned(object, "requests", counts.requests);
	itp_json_set_unsigned(object, "followed", counts.by_doubt[ITP_HOP_CERTAIN]);
	for (enum itp_hop_doubt i = ITP_HOP_CERTAIN + 1; i < ITP_HOP_DOUBT_COUNT; i++) {
		if (counts.by_doubt[i] > 0 && i != ITP_HOP_REST) {
			itp_json_set_unsigned(why, itp_through_doubt_word(i), counts.by_doubt[i]);
		}
	}
	json_object_set_new_nocheck(object, "not_followed", why);
	itp_json_set_unsigned(object, "rests", counts.by_doubt[ITP_HOP_REST]);
	itp_json_set_unsigned(object, "connections", itp_through_connections(page->through)->count);
	itp_json_set_unsigned(object, "wakeups", traffic->wakeups);
	itp_json_set_unsigned(object, "losses", traffic->losses->len);
	itp_json_set_unsigned(object, "lost_events", page->lost_events);
	itp_json_set_bool(object, "complete", page->is_complete && traffic->dropped == 0);
	itp_json_append_line(output, object, 0);
}

void itp_render_through_jsonl(const struct itp_through_page *page, GString *output)
{
	const GArray *routes = itp_through_routes(page->through);
	const GArray *roots = itp_through_hops(page->through)->roots;

	append_header(page, output);
	for (guint i = 0; i < routes->len; i++) {
		append_route(page, &g_array_index(routes, struct itp_route, i), NULL, output);
	}
	for (guint i = 0; i < roots->len; i++) {
		append_request(page, g_array_index(roots, guint, i), output);
	}
	append_summary(page, output);
}

void itp_render_through_routes_jsonl(const struct itp_through *through, const char *workload,
				     GString *output)
{
	const struct itp_through_page page = { .through = through };
	const GArray *routes = itp_through_routes(through);

	for (guint i = 0; i < routes->len; i++) {
		append_route(&page, &g_array_index(routes, struct itp_route, i), workload, output);
	}
}

/* SPDX-License-Identifier: MIT */
/*
 * See through.h: the slowest requests for the timeline of a page.
 *
 *   [{ "begin": …, "taken": …, "hops": [[process, tid, sent, begin, end, own, parent, function], …]
 * }]
 *
 * Times are nanoseconds; a parent is a place in the same list, -1 for the first; a function is ""
 * where nothing tells.
 */
#include "common/base/labels.h"
#include "common/render/json.h"
#include "common/render/through/through.h"
#include "common/render/units.h"

/* Requests on the page, and hops of each, the first ones. */
#define REQUESTS_MOST 8
#define HOPS_MOST 24

static json_t *clean_text(const char *text)
{
	g_autofree char *clean = itp_label_clean(text);

	return itp_json_text(clean);
}

static json_t *hop_array(const struct itp_through *through, const struct itp_hop *hop, guint first,
			 int64_t begin_ns)
{
	const struct itp_function *function = itp_through_function(through, hop->node);
	json_t *array = json_array();

	json_array_append_new(
		array, clean_text(itp_traffic_process(itp_through_traffic(through), hop->pid)));
	json_array_append_new(array, json_integer(hop->tid));
	json_array_append_new(array, json_integer(itp_time_since_ns(hop->sent_ns, begin_ns)));
	json_array_append_new(array, json_integer(itp_time_since_ns(hop->begin_ns, begin_ns)));
	json_array_append_new(array, json_integer(itp_time_since_ns(hop->end_ns, begin_ns)));
	json_array_append_new(array, json_integer(hop->end_ns - hop->begin_ns - hop->waits_ns));
	json_array_append_new(
		array,
		json_integer(hop->parent == ITP_HOP_NONE ? -1 : (json_int_t)hop->parent - first));
	json_array_append_new(array, clean_text(function ? function->name : ""));
	return array;
}

static json_t *request_object(const struct itp_through *through, guint first, int64_t begin_ns)
{
	const struct itp_hops *hops = itp_through_hops(through);
	const struct itp_hop *root = &g_array_index(hops->list, struct itp_hop, first);
	const guint end = MIN(itp_hops_behind(hops, first), first + HOPS_MOST);
	json_t *object = json_object();
	json_t *array = json_array();

	itp_json_set_signed(object, "begin", itp_time_since_ns(root->begin_ns, begin_ns));
	itp_json_set_signed(object, "taken", itp_hops_end_ns(hops, first) - root->begin_ns);
	for (guint i = first; i < end; i++) {
		json_array_append_new(
			array, hop_array(through, &g_array_index(hops->list, struct itp_hop, i),
					 first, begin_ns));
	}
	json_object_set_new_nocheck(object, "hops", array);
	return object;
}

void itp_render_through_timeline(const struct itp_through *through, int64_t begin_ns,
				 GString *output)
{
	g_autoptr(GArray) order = itp_through_slowest(through);
	g_autofree char *text = NULL;
	json_t *array = json_array();

	for (guint i = 0; i < MIN(order->len, REQUESTS_MOST); i++) {
		json_array_append_new(
			array, request_object(through, g_array_index(order, guint, i), begin_ns));
	}
	text = itp_json_dump(array, JSON_COMPACT);
	g_string_append(output, text);
	json_decref(array);
}

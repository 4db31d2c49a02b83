/* SPDX-License-Identifier: MIT */
/*
 * See json-held.h.
 */
#include "common/render/records/json-held.h"

#include "common/render/entries.h"
#include "common/render/json.h"

static const char *const hows[] = {
	[ITP_HELD_RAN] = "ran_ns",         [ITP_HELD_READY] = "ready_ns",
	[ITP_HELD_WAITED] = "waited_ns",   [ITP_HELD_KERNEL] = "kernel_ns",
	[ITP_HELD_SLEPT] = "slept_ns",     [ITP_HELD_UNSEEN] = "unseen_ns",
	[ITP_HELD_UNKNOWN] = "unknown_ns",
};

static const char *const kinds[] = {
	[ITP_VERTEX_THREADS] = "threads",
	[ITP_VERTEX_KERNEL] = "kernel",
	[ITP_VERTEX_TIME] = "time",
	[ITP_VERTEX_STRANGERS] = "strangers",
};

static json_t *shares_array(const GArray *shares, const char *key, bool has_threads)
{
	json_t *array = json_array();

	for (guint i = 0; i < shares->len; i++) {
		const struct itp_held_share *share =
			&g_array_index(shares, struct itp_held_share, i);
		json_t *object = json_object();

		itp_json_set_text(object, key, share->name);
		if (has_threads) {
			itp_json_set_unsigned(object, "threads", share->threads);
		}
		itp_json_set_signed(object, "held_ns", share->held_ns);
		json_array_append_new(array, object);
	}
	return array;
}

json_t *itp_json_held_row(const struct itp_ranking *ranking, const struct itp_held_row *row)
{
	const struct itp_function *function = itp_function_at(ranking, row->function);
	json_t *object = json_object();

	itp_json_set_text(object, "type", itp_rank_by_names[ITP_RANK_BY_WAIT]);
	itp_json_set_unsigned(object, "rank", row->rank);
	itp_json_set_text(object, "function", function->name);
	itp_json_set_text(object, "module", function->module);
	itp_json_set_text(object, "kind", itp_kind_of(ranking, row->function));
	itp_json_set_signed(object, "held_ns", row->held_ns);
	itp_json_set_signed(object, "base_held_ns", row->base_held_ns);
	itp_json_set_signed(object, "passed_ns", row->passed_ns);
	itp_json_set_signed(object, "base_passed_ns", row->base_passed_ns);
	itp_json_set_unsigned(object, "held_threads", row->held_threads);
	itp_json_set_unsigned(object, "base_held_threads", row->base_held_threads);
	itp_json_set_signed(object, "wait_ns", row->wait_ns);
	itp_json_set_signed(object, "base_wait_ns", row->base_wait_ns);
	itp_json_set_signed(object, "ranked_ns", itp_held_row_ranked_ns(row));
	for (size_t i = 0; i < ITP_HELD_HOW_COUNT; i++) {
		itp_json_set_signed(object, hows[i], row->how_ns[i]);
	}
	json_object_set_new_nocheck(object, "reasons", shares_array(row->reasons, "reason", false));
	json_object_set_new_nocheck(object, "held_by", shares_array(row->holders, "name", true));
	json_object_set_new_nocheck(object, "held_in",
				    shares_array(row->held_in, "function", false));
	return object;
}

static const struct itp_held_vertex *vertex_at(const struct itp_ranking *ranking, guint i)
{
	return &g_array_index(ranking->held_up->vertices, struct itp_held_vertex, i);
}

static json_t *vertex_object(const struct itp_ranking *ranking,
			     const struct itp_held_vertex *vertex)
{
	json_t *object = json_object();

	itp_json_set_text(object, "kind", kinds[vertex->kind]);
	itp_json_set_text(object, "process", vertex->process);
	itp_json_set_text(object, "name", vertex->name);
	itp_json_set_unsigned(object, "threads", vertex->threads);
	itp_json_set_signed(object, "held_ns", vertex->held_ns);
	if (vertex->face == ITP_FUNCTION_UNKNOWN) {
		itp_json_set_null(object, "function");
	} else {
		itp_json_set_text(object, "function", itp_function_at(ranking, vertex->face)->name);
	}
	return object;
}

json_t *itp_json_held_knot(const struct itp_ranking *ranking, guint knot)
{
	const struct itp_held_up *held_up = ranking->held_up;
	json_t *vertices = json_array();
	json_t *object = json_object();

	for (guint i = 0; i < held_up->vertices->len; i++) {
		if (vertex_at(ranking, i)->knot == knot + 1) {
			json_array_append_new(vertices,
					      vertex_object(ranking, vertex_at(ranking, i)));
		}
	}
	itp_json_set_text(object, "type", "knot");
	itp_json_set_unsigned(object, "rank", knot + 1);
	itp_json_set_signed(object, "held_ns",
			    g_array_index(held_up->knots, struct itp_wait_knot, knot).held_ns);
	json_object_set_new_nocheck(object, "vertices", vertices);
	return object;
}

json_t *itp_json_held_edge(const struct itp_ranking *ranking, const struct itp_wait_for *edge)
{
	const struct itp_held_vertex *from = vertex_at(ranking, edge->from);
	const struct itp_held_vertex *to = vertex_at(ranking, edge->to);
	json_t *object = json_object();

	itp_json_set_text(object, "type", "edge");
	itp_json_set_text(object, "from_process", from->process);
	itp_json_set_text(object, "from", from->name);
	itp_json_set_text(object, "to_process", to->process);
	itp_json_set_text(object, "to", to->name);
	itp_json_set_signed(object, "wait_ns", edge->wait_ns);
	return object;
}

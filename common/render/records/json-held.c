/* SPDX-License-Identifier: MIT */
/*
 * See fields.h: fields of a function by the time for which it holds up others; and see
 * json-held.h.
 */
#include "common/render/records/json-held.h"

#include "common/render/entries.h"
#include "common/render/records/fields.h"

static const char *const kinds[] = {
	[ITP_VERTEX_THREADS] = "threads",
	[ITP_VERTEX_KERNEL] = "kernel",
	[ITP_VERTEX_TIME] = "time",
	[ITP_VERTEX_STRANGERS] = "strangers",
};

/* clang-format off */

#define SHARE_FIELDS(X, CSV) \
	X(key, NULL, share->name) \
	X("threads", NULL, has_threads ? json_integer(share->threads) : NULL) \
	X("held_ns", NULL, share->held_ns)

#define HELD_FIELDS(X, CSV) \
	X("type", "type", itp_rank_by_names[ITP_RANK_BY_WAIT]) \
	X("rank", "rank", row->rank) \
	X("function", "function", function->name) \
	X("module", "module", function->module) \
	X("kind", "kind", itp_kind_of(ranking, row->function)) \
	CSV("suspect_value", "held_ns less passed_ns", itp_held_row_own_ns(row)) \
	CSV("base_value", "base_held_ns less base_passed_ns", itp_held_row_base_own_ns(row)) \
	X("held_ns", NULL, row->held_ns) \
	X("base_held_ns", NULL, row->base_held_ns) \
	X("passed_ns", NULL, row->passed_ns) \
	X("base_passed_ns", NULL, row->base_passed_ns) \
	X("held_threads", NULL, row->held_threads) \
	X("base_held_threads", NULL, row->base_held_threads) \
	X("wait_ns", "own_blocked_ns", row->wait_ns) \
	X("base_wait_ns", "base_own_blocked_ns", ITP_OF_BASE(row->base_wait_ns)) \
	X("ranked_ns", "ranked_value", itp_held_row_ranked_ns(row)) \
	CSV("cost", "ranked_ns", itp_held_row_ranked_ns(row)) \
	X("ran_ns", NULL, row->how_ns[ITP_HELD_RAN]) \
	X("ready_ns", NULL, row->how_ns[ITP_HELD_READY]) \
	X("waited_ns", NULL, row->how_ns[ITP_HELD_WAITED]) \
	X("kernel_ns", NULL, row->how_ns[ITP_HELD_KERNEL]) \
	X("slept_ns", NULL, row->how_ns[ITP_HELD_SLEPT]) \
	X("unseen_ns", NULL, row->how_ns[ITP_HELD_UNSEEN]) \
	X("unknown_ns", NULL, row->how_ns[ITP_HELD_UNKNOWN]) \
	X("reasons", NULL, shares_array(ranking, row->reasons, "reason", false)) \
	X("held_by", NULL, shares_array(ranking, row->holders, "name", true)) \
	X("held_in", NULL, shares_array(ranking, row->held_in, "function", false))

/* clang-format on */

ITP_FIELD_TABLE(held, HELD_FIELDS);

static json_t *shares_array(const struct itp_ranking *ranking, const GArray *shares,
			    const char *key, bool has_threads){
	ITP_RECORD_LIST(ranking, shares, struct itp_held_share, share, SHARE_FIELDS)
}

json_t *itp_held_record(const struct itp_ranking *ranking, const struct itp_held_row *row,
			enum itp_layout layout)
{
	const struct itp_function *function = itp_function_at(ranking, row->function);

	return ITP_RECORD(ranking, layout, HELD_FIELDS);
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

/* SPDX-License-Identifier: MIT */
/*
 * Functions, modules or processes in all their contexts, instead of paths: sums over the tree.
 */
#include "common/rank/steps.h"

#include <string.h>

#include "common/base/hash.h"
#include "common/base/order.h"
#include "common/known/kernel-waits.h"
#include "common/rank/verdict.h"

/* Rows in the making. Totals leave out calls below another call of the same function or module. */
struct flat {
	const struct itp_rank_state *state;
	GArray *rows;
	/* Row of each function, or of each process's, UINT32_MAX before it has any. Owned by this.
	 */
	uint32_t *row_of;
	/* Row by name of the module. Owned by this. */
	GHashTable *by_module;
	/* Functions of the scheduler, in which all waits are, by function. Owned by this. */
	bool *is_scheduler;
	/* struct itp_member: all nodes at or below a call of the row's. Owned by this. */
	GArray *members;
	/* Last member by row. Owned by this. */
	uint32_t *last_member;
	/* Own latency of both workloads (int64_t *), by row and program. Owned by this. */
	GHashTable *in_programs;
};

static uint32_t add_row(struct flat *flat, uint32_t function)
{
	const struct itp_ranked_row row = { .function = function };

	g_array_append_val(flat->rows, row);
	return flat->rows->len - 1;
}

static uint32_t find_row(struct flat *flat, uint32_t function)
{
	const char *module = itp_function_table_get(flat->state->functions, function)->module;
	gpointer known;

	if (flat->row_of[function] != UINT32_MAX) {
		return flat->row_of[function];
	}
	if (flat->state->options->by != ITP_RANK_BY_MODULE) {
		flat->row_of[function] = add_row(flat, function);
	} else if (g_hash_table_lookup_extended(flat->by_module, module, NULL, &known)) {
		flat->row_of[function] = GPOINTER_TO_UINT(known);
	} else {
		flat->row_of[function] = add_row(flat, function);
		g_hash_table_insert(flat->by_module, (gpointer)module,
				    GUINT_TO_POINTER(flat->row_of[function]));
	}
	return flat->row_of[function];
}

static void find_scheduler(struct flat *flat, uint32_t functions)
{
	for (uint32_t id = 0; id < functions; id++) {
		const struct itp_function *function =
			itp_function_table_get(flat->state->functions, id);

		flat->is_scheduler[id] = function->layer == ITP_LAYER_KERNEL &&
					 (itp_kernel_wait_is_schedulers(function->name) ||
					  itp_kernel_takes_cpu(function->name));
	}
}

/* Row of a node. Time in the scheduler belongs to the function of the kernel that waits, or to the
 * system call; the paper knows no such difference. */
static uint32_t row_at(struct flat *flat, uint32_t node)
{
	const struct itp_rank_state *state = flat->state;
	uint32_t waiter = node;

	if (state->options->by == ITP_RANK_BY_PROCESS) {
		return find_row(flat, itp_rank_program(state, node));
	}
	while (!itp_rank_is_paper(state) && itp_rank_is_frame(state, waiter) &&
	       flat->is_scheduler[itp_rank_function_id(state, waiter)]) {
		waiter = itp_rank_parent(state, waiter);
	}
	return find_row(flat, itp_rank_function_id(
				      state, itp_rank_is_frame(state, waiter) ? waiter : node));
}

static bool is_outermost(struct flat *flat, uint32_t node, uint32_t row)
{
	for (node = itp_rank_parent(flat->state, node); itp_rank_is_frame(flat->state, node);
	     node = itp_rank_parent(flat->state, node)) {
		if (row_at(flat, node) == row) {
			return false;
		}
	}
	return true;
}

static void add_calls(uint64_t *count, uint64_t *unseen, struct itp_call_bounds calls)
{
	calls = itp_call_bounds_sum(itp_calls_bounds(*count, *unseen), calls);
	*count = calls.seen;
	*unseen = itp_calls_unseen(calls);
}

static void choose_programs(struct flat *flat)
{
	g_autofree int64_t *most_ns = g_new0(int64_t, flat->rows->len + 1);
	GHashTableIter iter;
	gpointer key;
	gpointer value;

	g_hash_table_iter_init(&iter, flat->in_programs);
	while (g_hash_table_iter_next(&iter, &key, &value)) {
		uint32_t number = itp_pair_high(key);
		uint32_t program = itp_pair_low(key);
		struct itp_ranked_row *row =
			&g_array_index(flat->rows, struct itp_ranked_row, number);
		int64_t own_ns = *(const int64_t *)value;

		/* Names decide between equal times. */
		if (row->process_count++ == 0 || own_ns > most_ns[number] ||
		    (own_ns == most_ns[number] &&
		     itp_function_compare(flat->state->functions, program, row->process) < 0)) {
			row->process = program;
			most_ns[number] = own_ns;
		}
	}
}

static void add_node(struct flat *flat, uint32_t node)
{
	const struct itp_rank_state *state = flat->state;
	uint32_t number = row_at(flat, node);
	struct itp_ranked_row *row = &g_array_index(flat->rows, struct itp_ranked_row, number);
	const struct itp_node_stats *suspect = itp_side_stats(&state->suspect, node);
	const struct itp_node_stats *base = itp_side_stats(&state->base, node);
	int64_t *in_program_ns = itp_value_at(flat->in_programs,
					      itp_pair(number, itp_rank_program(state, node)),
					      sizeof(*in_program_ns));

	*in_program_ns += suspect->own_ns + base->own_ns;
	row->own_ns += suspect->own_ns;
	row->base_own_ns += base->own_ns;
	itp_time_use_add(&row->use, &suspect->own_use, 1);
	itp_time_use_add(&row->base_use, &base->own_use, 1);
	itp_ticks_add(&row->ticks, suspect);
	itp_ticks_add(&row->base_ticks, base);
	if (is_outermost(flat, node, number)) {
		row->total_ns += suspect->total_ns;
		row->base_total_ns += base->total_ns;
		add_calls(&row->count, &row->unseen, itp_side_calls(state, &state->suspect, node));
		add_calls(&row->base_count, &row->base_unseen,
			  itp_side_calls(state, &state->base, node));
	}
}

/* Adds `node` once to each row with a call at or above it. */
static void add_members(struct flat *flat, uint32_t node)
{
	for (uint32_t above = node; itp_rank_is_frame(flat->state, above);
	     above = itp_rank_parent(flat->state, above)) {
		const struct itp_member member = { .node = node, .group = row_at(flat, above) };

		if (flat->last_member[member.group] != node) {
			flat->last_member[member.group] = node;
			g_array_append_val(flat->members, member);
		}
	}
}

static int64_t ranked_value_of(const struct itp_ranked_row *row, enum itp_metric metric)
{
	switch (metric) {
	case ITP_METRIC_TOTAL:
		return row->total_ns - row->base_total_ns;
	case ITP_METRIC_COUNT:
		return (int64_t)row->count - (int64_t)row->base_count;
	case ITP_METRIC_EACH:
		return (row->count > 0 ? itp_divide(row->own_ns, row->count) : 0) -
		       (row->base_count > 0 ? itp_divide(row->base_own_ns, row->base_count) : 0);
	case ITP_METRIC_OWN:
		break;
	}
	return row->own_ns - row->base_own_ns;
}

static gint compare_rows(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct itp_rank_state *state = data;
	const struct itp_ranked_row *left = a;
	const struct itp_ranked_row *right = b;
	const struct itp_function *of_left =
		itp_function_table_get(state->functions, left->function);
	const struct itp_function *of_right =
		itp_function_table_get(state->functions, right->function);
	gint order = ITP_ORDER(right->ranked_value, left->ranked_value);

	order = order ?: strcmp(of_left->module, of_right->module);
	return order ?: strcmp(of_left->name, of_right->name);
}

static void order_rows(const struct itp_rank_state *state, GArray *rows)
{
	for (guint i = 0; i < rows->len; i++) {
		struct itp_ranked_row *row = &g_array_index(rows, struct itp_ranked_row, i);

		row->ranked_value = ranked_value_of(row, state->options->metric);
	}
	g_array_sort_with_data(rows, compare_rows, (gpointer)state);
	for (guint i = 0; i < rows->len; i++) {
		g_array_index(rows, struct itp_ranked_row, i).rank = i + 1;
	}
}

GArray *itp_flat_rows(const struct itp_rank_state *state)
{
	uint32_t functions = itp_function_table_size(state->functions);
	struct flat flat = {
		.state = state,
		.rows = g_array_new(FALSE, FALSE, sizeof(struct itp_ranked_row)),
		.row_of = g_new(uint32_t, functions),
		.by_module = g_hash_table_new(itp_hash_text, g_str_equal),
		.members = g_array_new(FALSE, FALSE, sizeof(struct itp_member)),
		.is_scheduler = g_new0(bool, functions),
		/* Rows are at most as many as functions. */
		.last_member = g_new0(uint32_t, functions),
		.in_programs = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free),
	};

	memset(flat.row_of, 0xff, functions * sizeof(flat.row_of[0]));
	find_scheduler(&flat, functions);
	for (uint32_t node = 1; node < state->node_count; node++) {
		if (itp_rank_is_ranked(state, node) &&
		    (state->suspect.is_present[node] || state->base.is_present[node])) {
			add_node(&flat, node);
			add_members(&flat, node);
		}
	}
	if (state->base.runs && !itp_rank_is_paper(state)) {
		itp_verdict_judge_rows(state, flat.rows, flat.members);
	}
	choose_programs(&flat);
	order_rows(state, flat.rows);
	g_hash_table_destroy(flat.in_programs);
	g_array_unref(flat.members);
	g_hash_table_destroy(flat.by_module);
	g_free(flat.row_of);
	g_free(flat.is_scheduler);
	g_free(flat.last_member);
	return flat.rows;
}

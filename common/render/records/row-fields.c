/* SPDX-License-Identifier: MIT */
/*
 * See fields.h: fields of a ranked function, module or process, and of a wait for work.
 */
#include "common/render/records/fields.h"

#include "common/render/cells.h"
#include "common/render/entries.h"

/* clang-format off */

#define ROW_FIELDS(X, CSV) \
	X("type", "type", itp_rank_by_names[by]) \
	X("rank", "rank", row->rank) \
	X("function", "function", is_function ? itp_json_text(function->name) : NULL) \
	X("inlined", NULL, is_function && function->is_inlined ? json_true() : NULL) \
	X("module", "module", has_module ? itp_json_text(function->module) : NULL) \
	X("kind", "kind", has_module ? itp_json_text(itp_kind_of(ranking, row->function)) : NULL) \
	X("process", "process", itp_function_at(ranking, row->process)->name) \
	X("processes", NULL, row->process_count) \
	X("own_ns", "own_ns", row->own_ns) \
	X("base_own_ns", "base_own_ns", ITP_OF_BASE(row->base_own_ns)) \
	X("total_ns", "total_ns", row->total_ns) \
	X("base_total_ns", "base_total_ns", ITP_OF_BASE(row->base_total_ns)) \
	X("count", "count", row->count) \
	X("base_count", "base_count", ITP_OF_BASE(row->base_count)) \
	X("possible_count", "possible_count", itp_record_possible(row->count, row->unseen)) \
	X("base_possible_count", "base_possible_count", \
	  ITP_OF_BASE(itp_record_possible(row->base_count, row->base_unseen))) \
	X("own_cpu_ns", "own_cpu_ns", row->use.cpu_ns) \
	X("own_blocked_ns", "own_blocked_ns", row->use.blocked_ns) \
	X("own_runnable_ns", "own_runnable_ns", row->use.runnable_ns) \
	X("base_own_cpu_ns", "base_own_cpu_ns", ITP_OF_BASE(row->base_use.cpu_ns)) \
	X("base_own_blocked_ns", "base_own_blocked_ns", ITP_OF_BASE(row->base_use.blocked_ns)) \
	X("base_own_runnable_ns", "base_own_runnable_ns", ITP_OF_BASE(row->base_use.runnable_ns)) \
	X("samples", "own_samples", row->ticks.samples) \
	X("own_deviation_ns", "own_deviation_ns", \
	  itp_record_deviation_ns(&ranking->suspect->workload, &row->ticks)) \
	X("base_samples", "base_own_samples", ITP_OF_BASE(row->base_ticks.samples)) \
	X("base_own_deviation_ns", "base_own_deviation_ns", \
	  itp_record_deviation_ns(base, &row->base_ticks)) \
	X("ranked_", "ranked_value", row->ranked_value) \
	X("share", "share", itp_ranking_share(ranking, row->own_ns - row->base_own_ns))

#define IDLE_FIELDS(X, CSV) \
	X("type", "type", "idle") \
	X("process", "process", itp_function_at(ranking, wait->process)->name) \
	X("function", "function", itp_function_at(ranking, wait->function)->name) \
	CSV("module", "the function tells it", itp_function_at(ranking, wait->function)->module) \
	CSV("kind", "the function tells it", itp_kind_of(ranking, wait->function)) \
	X("syscall", "blocked_in", itp_function_at(ranking, wait->syscall)->name) \
	X("suspect_ns", "total_ns", wait->suspect_ns) \
	X("base_ns", "base_total_ns", ITP_OF_BASE(wait->base_ns))

/* clang-format on */

ITP_FIELD_TABLE(row, ROW_FIELDS);
ITP_FIELD_TABLE(idle, IDLE_FIELDS);

json_t *itp_row_record(const struct itp_ranking *ranking, const struct itp_ranked_row *row,
		       enum itp_layout layout)
{
	const struct itp_function *function = itp_function_at(ranking, row->function);
	const enum itp_rank_by by = ranking->options.by;
	const bool is_function = by == ITP_RANK_BY_FUNCTION;
	const bool has_module = by != ITP_RANK_BY_PROCESS;
	const struct itp_workload *base = ranking->base ? &ranking->base->workload : NULL;

	return ITP_RECORD(ranking, layout, ROW_FIELDS);
}

json_t *itp_idle_record(const struct itp_ranking *ranking, const struct itp_idle_wait *wait,
			enum itp_layout layout)
{
	return ITP_RECORD(ranking, layout, IDLE_FIELDS);
}

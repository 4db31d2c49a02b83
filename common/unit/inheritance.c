/* SPDX-License-Identifier: MIT */
/*
 * See inheritance.h.
 */
#include "common/unit/inheritance.h"

#include "common/unit/begin-end.h"

/* Depths in the tree: of a process, and of a thread's outermost function. */
#define PROCESS_DEPTH 1
#define OUTERMOST_DEPTH 2

static uint32_t depth_of_node(const struct itp_turns *turns, uint32_t node)
{
	return itp_context_tree_get(turns->tree, node)->depth;
}

static uint32_t ancestor_at(const struct itp_turns *turns, uint32_t node, uint32_t depth)
{
	while (depth_of_node(turns, node) > depth) {
		node = itp_context_tree_get(turns->tree, node)->parent;
	}
	return node;
}

/* Function with the units served by the thread of `halt`, made in `unit`: the loop of `unit`, as a
 * forked process is still in it unless it runs another program, or the thread's outermost function.
 * ITP_CONTEXT_ROOT when unknown, as for a thread that ends without a context. */
static uint32_t loop_of_child(const struct itp_turns *turns, const struct itp_unit *unit,
			      const struct itp_halt *halt)
{
	const bool is_end = halt->node == ITP_CONTEXT_ROOT;
	const uint32_t process = is_end ? halt->process :
					  ancestor_at(turns, halt->node, PROCESS_DEPTH);
	const bool is_forked = halt->tid == halt->pid &&
			       process == ancestor_at(turns, unit->at, PROCESS_DEPTH);

	return is_forked ? unit->at :
	       is_end    ? ITP_CONTEXT_ROOT :
			   ancestor_at(turns, halt->node, OUTERMOST_DEPTH);
}

/* Begins a unit of `loop` at `begin_ns`, for the request that the unit `maker` has handed over. */
static void take_over(struct itp_turns *turns, struct itp_open_unit *open,
		      const struct itp_halt *halt, uint32_t loop, const struct itp_unit *maker,
		      int64_t begin_ns)
{
	itp_turns_begin(turns, open, halt, loop);
	if (open->loop == maker->at) {
		open->unit.wait = maker->wait;
	}
	open->wait = open->loop;
	open->unit.begin_ns = begin_ns;
	open->unit.signaller_loop = maker->loop;
	open->unit.signaller_tid = maker->tid;
	open->unit.signaller_begin_ns = maker->begin_ns;
	open->handed_ns = maker->begin_ns;
	open->answered_ns = begin_ns;
	open->is_handed_over = true;
	open->is_inherited = true;
}

/* Takes the work before the thread's first halt in the loop, which no call has left yet. */
static void take_first_work(struct itp_open_unit *open, const struct itp_halt *halt,
			    const struct itp_unit_work *work)
{
	struct itp_halt first = *halt;

	first.left_depth = UINT32_MAX;
	itp_open_unit_go_on(open, &first, work);
}

void itp_turns_inherit(struct itp_turns *turns, struct itp_open_unit *open,
		       const struct itp_halt *halt, const struct itp_unit_work *work)
{
	struct itp_birth birth;
	const struct itp_unit *unit;
	uint32_t loop;

	if (!itp_births_take(itp_halts_births(turns->halts), halt->tid, &birth)) {
		return;
	}
	unit = birth.is_settled ? &birth.unit :
				  itp_turns_unit_at(turns, birth.maker, birth.time_ns);
	if (!unit || unit->begin_ns == 0 || unit->is_of_coroutine) {
		return;
	}
	loop = loop_of_child(turns, unit, halt);
	if (loop == ITP_CONTEXT_ROOT || (turns->keeps_turns && loop != unit->at)) {
		return;
	}
	take_over(turns, open, halt, loop, unit, birth.time_ns);
	take_first_work(open, halt, work);
}

bool itp_turns_runs_another_program(const struct itp_turns *turns, const struct itp_open_unit *open,
				    const struct itp_halt *halt)
{
	return open->is_open && open->is_inherited && !turns->keeps_turns &&
	       depth_of_node(turns, halt->node) >= OUTERMOST_DEPTH &&
	       ancestor_at(turns, halt->node, OUTERMOST_DEPTH) !=
		       ancestor_at(turns, open->loop, OUTERMOST_DEPTH);
}

void itp_turns_exec(struct itp_turns *turns, struct itp_open_unit *open,
		    const struct itp_halt *halt, const struct itp_unit_work *work)
{
	const struct itp_unit before = open->unit;
	const struct itp_unit maker = { .loop = before.signaller_loop,
					.tid = before.signaller_tid,
					.begin_ns = before.signaller_begin_ns };

	take_over(turns, open, halt, ancestor_at(turns, halt->node, OUTERMOST_DEPTH), &maker,
		  before.begin_ns);
	itp_time_use_add(&open->unit.use, &before.use, 1);
	take_first_work(open, halt, work);
}

void itp_turns_end_inherited(struct itp_turns *turns, struct itp_open_unit *open,
			     const struct itp_halt *halt)
{
	if (itp_open_unit_ends_with_answer(open, halt)) {
		itp_turns_end(turns, open, halt);
	}
	open->is_open = false;
}

bool itp_turns_is_still_child(const struct itp_turns *turns, struct itp_open_unit *open,
			      const struct itp_halt *halt)
{
	if (!turns->keeps_turns || !open->is_open || !open->is_inherited) {
		return false;
	}
	open->is_open = halt->next_ns > 0 || halt->is_unplaced || halt->only_looks ||
			itp_loops_of(turns->loops, halt->node) == ITP_CONTEXT_ROOT;
	if (open->is_open && halt->next_ns == 0) {
		itp_turns_wait_inside(turns, open, halt);
	}
	return open->is_open;
}

/* SPDX-License-Identifier: MIT */
/*
 * See suspensions.h.
 */
#include "common/unit/suspensions.h"

#include "common/unit/begin-end.h"

void itp_turns_suspend(const struct itp_turns *turns, struct itp_open_unit *open,
		       const struct itp_halt *halt)
{
	if (!open->is_suspended) {
		open->is_suspended = true;
		open->suspended_ns = halt->begin_ns;
		open->suspended_use = open->unit.use;
	}
	open->has_blocked |= halt->blocked_ns > 0;
	itp_path_set_add_all(open->suspended_paths, open->paths);
	itp_path_set_add_all(open->suspended_ticks, open->ticks);
	g_array_set_size(open->paths, 0);
	g_array_set_size(open->ticks, 0);
	open->resumed = *halt;
	open->is_resuming = true;
	itp_turns_wait_inside(turns, open, halt);
}

void itp_turns_overtake(struct itp_turns *turns, struct itp_open_unit *open)
{
	g_autoptr(GArray) paths = g_array_copy(open->paths);
	g_autoptr(GArray) ticks = g_array_copy(open->ticks);
	const struct itp_halt resumed = open->resumed;
	struct itp_halt suspended = open->resumed;
	struct itp_time_use use = open->unit.use;
	const uint32_t loop = open->loop;
	const uint32_t left_depth = open->left_depth;

	itp_time_use_add(&use, &open->resumed_use, -1);
	suspended.begin_ns = open->suspended_ns;
	open->unit.use = open->suspended_use;
	g_array_set_size(open->paths, 0);
	g_array_set_size(open->ticks, 0);
	itp_turns_end(turns, open, &suspended);
	itp_turns_begin(turns, open, &resumed, loop);
	open->left_depth = left_depth;
	open->unit.use = use;
	itp_path_set_add_all(open->paths, paths);
	itp_path_set_add_all(open->ticks, ticks);
}

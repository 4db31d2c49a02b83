/* SPDX-License-Identifier: MIT */
/*
 * See shifts.h.
 */
#include "plugins/perf/guard/shifts.h"

struct itp_guard_shifts {
	const struct itp_guard_file *file;
	struct itp_guard_kernel *kernel;
	itp_guard_turn_func on_turn;
	void *data;
	/* ITP_GUARD_MOST for each loop. Owned by this. */
	struct itp_guard_shift *all;
};

struct itp_guard_shifts *itp_guard_shifts_new(const struct itp_guard_file *file,
					      struct itp_guard_kernel *kernel,
					      itp_guard_turn_func on_turn, void *data)
{
	struct itp_guard_shifts *shifts = g_new0(struct itp_guard_shifts, 1);

	shifts->file = file;
	shifts->kernel = kernel;
	shifts->on_turn = on_turn;
	shifts->data = data;
	shifts->all = g_new0(struct itp_guard_shift, file->loops->len * ITP_GUARD_MOST + 1);
	return shifts;
}

void itp_guard_shifts_free(struct itp_guard_shifts *shifts)
{
	if (shifts) {
		g_free(shifts->all);
		g_free(shifts);
	}
}

static uint64_t count_slower(const struct itp_guard_counted *counts, int64_t slow_ns)
{
	uint64_t slower = 0;

	for (uint32_t i = 0; i < ITP_GUARD_BUCKETS; i++) {
		slower += (int64_t)itp_guard_bucket_ns(i) >= slow_ns ? counts->buckets[i] : 0;
	}
	return slower;
}

static void look_at_type(struct itp_guard_shifts *shifts, guint loop, guint number)
{
	const struct itp_guard_type *type =
		itp_guard_type_at(itp_guard_loop_at(shifts->file, loop), number);
	struct itp_guard_shift *shift = &shifts->all[loop * ITP_GUARD_MOST + number];
	const int64_t slow_ns = itp_guard_slow_ns(type);
	struct itp_guard_counted counts;

	itp_guard_kernel_counts(shifts->kernel, loop, number, &counts);
	switch (itp_guard_shift_look(shift, counts.units, count_slower(&counts, slow_ns))) {
	case ITP_GUARD_TURN_NONE:
		return;
	case ITP_GUARD_TURN_SLOW:
		itp_guard_kernel_limit(shifts->kernel, loop, number, slow_ns);
		break;
	case ITP_GUARD_TURN_USUAL:
		itp_guard_kernel_limit(shifts->kernel, loop, number, type->limit_ns);
		break;
	}
	shifts->on_turn(loop, number, shift, shifts->data);
}

void itp_guard_shifts_look(struct itp_guard_shifts *shifts)
{
	for (guint i = 0; i < shifts->file->loops->len; i++) {
		const GArray *types = itp_guard_loop_at(shifts->file, i)->types;

		for (guint k = 0; k < types->len; k++) {
			/* Types that have not learned have no usual time. */
			if (g_array_index(types, struct itp_guard_type, k).usual_ns > 0) {
				look_at_type(shifts, i, k);
			}
		}
	}
}

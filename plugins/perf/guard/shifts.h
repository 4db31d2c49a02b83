/* SPDX-License-Identifier: MIT */
/*
 * Looks now and then for types slow as a whole. Units of a slow type are late as soon as they are
 * slow, so that their stacks are seen.
 */
#ifndef ITP_PERF_GUARD_SHIFTS_H
#define ITP_PERF_GUARD_SHIFTS_H

#include "common/guard/shift.h"
#include "plugins/perf/guard/kernel.h"

typedef void (*itp_guard_turn_func)(guint loop, guint type, const struct itp_guard_shift *shift,
				    void *data);

struct itp_guard_shifts;

/* All is weak. */
struct itp_guard_shifts *itp_guard_shifts_new(const struct itp_guard_file *file,
					      struct itp_guard_kernel *kernel,
					      itp_guard_turn_func on_turn, void *data);
void itp_guard_shifts_free(struct itp_guard_shifts *shifts);

void itp_guard_shifts_look(struct itp_guard_shifts *shifts);

#endif

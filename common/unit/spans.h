/* SPDX-License-Identifier: MIT */
/*
 * How a thread's time was spent, as far as it is still needed: spans of one kind, one behind the
 * other.
 */
#ifndef ITP_UNIT_SPANS_H
#define ITP_UNIT_SPANS_H

#include <glib.h>

#include "common/infer/instance.h"
#include "common/infer/stretch.h"

struct itp_span {
	enum itp_stretch_kind kind;
	int64_t begin_ns;
	int64_t end_ns;
};

/* `spans` is a GArray of struct itp_span, those of one thread in the order of time. Adds the next
 * stretch of its life, to the last span if that goes on. */
void itp_spans_add(GArray *spans, const struct itp_stretch *stretch);

/* Adds what of them lies between the two. */
void itp_spans_sum(const GArray *spans, int64_t begin_ns, int64_t end_ns, struct itp_time_use *use);

/* When the thread that was in a system call from `begin_ns` to `end_ns` first ran behind its latest
 * wait there: that it then lost the CPU for a while is a part of what it does. `end_ns` where it
 * had not to wait. */
int64_t itp_spans_run_since(const GArray *spans, int64_t begin_ns, int64_t end_ns);

/* Forgets those that had ended at `time_ns`. */
void itp_spans_forget(GArray *spans, int64_t time_ns);

#endif

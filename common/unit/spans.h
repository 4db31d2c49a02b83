/* SPDX-License-Identifier: MIT */
/*
 * Use of a thread's time, as far back as still needed: spans of one kind each, in the order of
 * time.
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

/* Adds the next stretch of a thread's life to `spans`, a GArray of struct itp_span of the thread:
 * to its last span, if the stretch continues it. */
void itp_spans_add(GArray *spans, const struct itp_stretch *stretch);

/* Adds the parts of the spans between the two times to `use`. */
void itp_spans_sum(const GArray *spans, int64_t begin_ns, int64_t end_ns, struct itp_time_use *use);

/* Time at which a thread in a system call from `begin_ns` to `end_ns` first ran behind its latest
 * wait in the call: a later loss of the CPU is a part of its work. `end_ns` without a wait. */
int64_t itp_spans_run_since(const GArray *spans, int64_t begin_ns, int64_t end_ns);

/* Time at which the thread has run for `run_ns` since `begin_ns`, or `end_ns` if that is earlier.
 */
int64_t itp_spans_after_running(const GArray *spans, int64_t begin_ns, int64_t end_ns,
				int64_t run_ns);

/* Forgets spans with an end until `time_ns`. */
void itp_spans_forget(GArray *spans, int64_t time_ns);

#endif

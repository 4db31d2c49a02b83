/* SPDX-License-Identifier: MIT */
/*
 * See past.h.
 */
#include "common/unit/past.h"

#include "common/base/context-tree.h"

/* Most spans and ticks kept until the thread waits. */
#define SPANS_KEPT 4096
#define TICKS_KEPT 4096

void itp_past_init(struct itp_past *past)
{
	*past = (struct itp_past){
		.spans = g_array_new(FALSE, FALSE, sizeof(struct itp_span)),
		.ticks = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
	};
}

void itp_past_release(struct itp_past *past)
{
	g_array_unref(past->spans);
	g_array_unref(past->ticks);
}

void itp_past_sum(const struct itp_past *past, int64_t end_ns, struct itp_time_use *ret_before_use,
		  struct itp_time_use *ret_use)
{
	*ret_before_use = past->before_use;
	*ret_use = past->use;
	itp_spans_sum(past->spans, past->before_ns, past->since_ns, ret_before_use);
	itp_spans_sum(past->spans, past->since_ns, end_ns, ret_use);
}

/* A tick in the latest wait is told behind the wait, and is of no use. */
void itp_past_add(struct itp_past *past, const struct itp_stretch *stretch, uint32_t node)
{
	if (node != ITP_CONTEXT_ROOT && stretch->end_ns > past->since_ns &&
	    past->ticks->len < TICKS_KEPT) {
		g_array_append_val(past->ticks, node);
	}
	if (past->spans->len == SPANS_KEPT) {
		struct itp_time_use before_use;
		struct itp_time_use use;

		itp_past_sum(past, INT64_MAX, &before_use, &use);
		past->before_use = before_use;
		past->use = use;
		g_array_set_size(past->spans, 0);
	}
	itp_spans_add(past->spans, stretch);
}

void itp_past_remove_ticks(struct itp_past *past, uint32_t wait)
{
	GArray *ticks = past->ticks;

	while (ticks->len > 0 && g_array_index(ticks, uint32_t, ticks->len - 1) == wait) {
		g_array_set_size(ticks, ticks->len - 1);
	}
}

void itp_past_forget(struct itp_past *past, int64_t begin_ns, int64_t end_ns)
{
	itp_spans_forget(past->spans, begin_ns);
	past->before_use = (struct itp_time_use){ 0, 0, 0 };
	past->use = (struct itp_time_use){ 0, 0, 0 };
	past->before_ns = begin_ns;
	past->since_ns = end_ns;
	g_array_set_size(past->ticks, 0);
}

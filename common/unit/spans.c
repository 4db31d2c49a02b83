/* SPDX-License-Identifier: MIT */
/*
 * See spans.h.
 */
#include "common/unit/spans.h"

static struct itp_span *span_at(const GArray *spans, guint i)
{
	return &g_array_index(spans, struct itp_span, i);
}

void itp_spans_add(GArray *spans, const struct itp_stretch *stretch)
{
	const struct itp_span span = { stretch->kind, stretch->begin_ns, stretch->end_ns };
	struct itp_span *last = spans->len > 0 ? span_at(spans, spans->len - 1) : NULL;

	if (last && last->kind == span.kind && last->end_ns == span.begin_ns) {
		last->end_ns = span.end_ns;
	} else {
		g_array_append_val(spans, span);
	}
}

/* Index of the first span with an end behind `time_ns`. */
static guint first_behind(const GArray *spans, int64_t time_ns)
{
	guint first = 0;
	guint end = spans->len;

	while (first < end) {
		const guint middle = first + (end - first) / 2;

		if (span_at(spans, middle)->end_ns <= time_ns) {
			first = middle + 1;
		} else {
			end = middle;
		}
	}
	return first;
}

static void add_kind_time(struct itp_time_use *use, enum itp_stretch_kind kind, int64_t length_ns)
{
	switch (kind) {
	case ITP_STRETCH_RUN:
		use->cpu_ns += length_ns;
		break;
	case ITP_STRETCH_READY:
		use->runnable_ns += length_ns;
		break;
	case ITP_STRETCH_WAIT:
		use->blocked_ns += length_ns;
		break;
	case ITP_STRETCH_UNKNOWN:
		break;
	}
}

void itp_spans_sum(const GArray *spans, int64_t begin_ns, int64_t end_ns, struct itp_time_use *use)
{
	for (guint i = first_behind(spans, begin_ns);
	     i < spans->len && span_at(spans, i)->begin_ns < end_ns; i++) {
		const struct itp_span *span = span_at(spans, i);
		const int64_t length_ns = MIN(span->end_ns, end_ns) - MAX(span->begin_ns, begin_ns);

		add_kind_time(use, span->kind, MAX(length_ns, 0));
	}
}

/* End of the span, or of a wait for a CPU right behind. */
static int64_t run_behind(const GArray *spans, guint i)
{
	const struct itp_span *span = span_at(spans, i);
	const struct itp_span *next = i + 1 < spans->len ? span_at(spans, i + 1) : NULL;

	return next && next->kind == ITP_STRETCH_READY && next->begin_ns == span->end_ns ?
		       next->end_ns :
		       span->end_ns;
}

int64_t itp_spans_run_since(const GArray *spans, int64_t begin_ns, int64_t end_ns)
{
	for (guint i = spans->len; i > 0 && span_at(spans, i - 1)->end_ns > begin_ns; i--) {
		const struct itp_span *span = span_at(spans, i - 1);

		if (span->begin_ns < end_ns && span->kind == ITP_STRETCH_WAIT) {
			return MIN(run_behind(spans, i - 1), end_ns);
		}
	}
	return end_ns;
}

int64_t itp_spans_after_running(const GArray *spans, int64_t begin_ns, int64_t end_ns,
				int64_t run_ns)
{
	int64_t at_ns = begin_ns;

	for (guint i = first_behind(spans, begin_ns); i < spans->len; i++) {
		const struct itp_span *span = span_at(spans, i);
		const int64_t ran_ns = MAX(span->begin_ns, begin_ns) - at_ns;

		if (span->kind != ITP_STRETCH_READY && span->kind != ITP_STRETCH_WAIT) {
			continue;
		}
		if (ran_ns >= run_ns) {
			break;
		}
		run_ns -= ran_ns;
		at_ns = span->end_ns;
	}
	return MIN(at_ns + MAX(run_ns, 0), end_ns);
}

void itp_spans_forget(GArray *spans, int64_t time_ns)
{
	g_array_remove_range(spans, 0, first_behind(spans, time_ns));
}

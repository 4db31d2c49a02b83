/* SPDX-License-Identifier: MIT */
/*
 * See attention.h.
 */
#include "common/guard/attention.h"

#include <glib.h>
#include <math.h>

/* Part of a span: a shorter rest is not worth leaving the program alone and coming back. */
#define LEAST_REST 0.25
/* Part of the budget for looks at all threads. */
#define LOOKS_PART 0.2

double itp_guard_span_cost_ns(const struct itp_guard_span *span,
			      const struct itp_guard_prices *prices)
{
	return prices->call_ns * (double)span->calls + prices->hit_ns * (double)span->hits +
	       span->own_ns;
}

int64_t itp_guard_rest_ns(const struct itp_guard_span *span, const struct itp_guard_prices *prices,
			  double budget, double cpus)
{
	const double length_ns = (double)span->length_ns;
	const double paid_ns = itp_guard_span_cost_ns(span, prices) / (budget * MAX(cpus, 1));
	const double rest_ns = paid_ns - length_ns;

	return rest_ns < length_ns * LEAST_REST ? 0 : (int64_t)rest_ns;
}

double itp_guard_unseen_s(double every_s, double part)
{
	return part > 0 ? every_s / part : INFINITY;
}

int64_t itp_guard_pause_ns(double look_ns, double budget)
{
	return (int64_t)(look_ns / (budget * LOOKS_PART));
}

/* SPDX-License-Identifier: MIT */
/*
 * The parameter `fail-above`: by how much the suspect may be slower before the run counts as
 * failed, for scripts that guard a program. What is not sure (common/rank/verdict.h) is not above
 * any limit, nor does time count in which threads waited for a CPU.
 */
#ifndef ITP_ENGINE_LIMIT_H
#define ITP_ENGINE_LIMIT_H

#include <glib.h>
#include <stdbool.h>

#include "common/rank/ranking.h"

/* Domain of the only error that something is above its limit. */
GQuark itp_limit_quark(void);
#define ITP_LIMIT_EXCEEDED 1
/* How its text begins. */
#define ITP_LIMIT_EXCEEDED_TEXT "slower than parameter \"fail-above\" allows"

/* Subject of a limit. */
enum itp_limit_scope {
	/* Own latency of all threads together. */
	ITP_LIMIT_WHOLE,
	/* Cost of each sure entry. */
	ITP_LIMIT_PATH,
	/* Total latency of a function. */
	ITP_LIMIT_FUNCTION,
};

struct itp_limit {
	enum itp_limit_scope scope;
	/* ITP_LIMIT_FUNCTION: its name. Owned by this. */
	char *function;
	/* Either part of the base, or ns per unit of work; the other is 0. */
	double part;
	double ns;
	/* Limit as given; weak. */
	const char *text;
};

/* struct itp_limit for each of `texts` (char *, may be NULL): "5%", "20ms", "path=5%",
 * "FUNCTION=1.5s". NULL on an error. Free with g_array_unref(); `texts` must outlive it. */
GArray *itp_limits_parse(const GPtrArray *texts, GError **error);

/* False, with all that is above its limit as the error (ITP_LIMIT_EXCEEDED), when something is.
 * `paths` and `functions` are rankings of the same workloads by path and by function, the latter of
 * all functions. */
bool itp_limits_check(const GArray *limits, const struct itp_ranking *paths,
		      const struct itp_ranking *functions, GError **error);

#endif

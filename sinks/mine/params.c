/* SPDX-License-Identifier: MIT */
/*
 * See params.h.
 */
#include "sinks/mine/params.h"

#include <math.h>
#include <string.h>

#include "common/base/duration.h"
#include "common/base/failure.h"

/* Limits of the search: some minutes, and some gigabytes; and some seconds without a finding, as a
 * step takes some ten nanoseconds. */
#define MAX_STEPS UINT64_C(60000000000)
#define MAX_IDLE_STEPS UINT64_C(500000000)
#define MAX_CANDIDATES 100000

const char *const itp_mine_format_names[] = {
	[ITP_MINE_TEXT] = "text",
	[ITP_MINE_JSONL] = "jsonl",
	[ITP_MINE_HTML] = "html",
	NULL,
};

const char *const itp_mine_pattern_names[] = {
	[ITP_PATTERNS_OWN] = "own",
	[ITP_PATTERNS_MAXIMAL] = "maximal",
	NULL,
};

const char *const itp_mine_similarity_names[] = {
	[ITP_SIMILARITY_INNERMOST] = "innermost",
	[ITP_SIMILARITY_PAPER] = "paper",
	NULL,
};

const char *const itp_mine_linkage_names[] = {
	[ITP_LINKAGE_AVERAGE] = "average",
	[ITP_LINKAGE_SINGLE] = "single",
	[ITP_LINKAGE_COMPLETE] = "complete",
	NULL,
};

const char *const itp_mine_order_names[] = {
	[ITP_CLUSTERS_BY_TOTAL] = "total",
	[ITP_CLUSTERS_BY_TRACES] = "traces",
	[ITP_CLUSTERS_BY_EVENTS] = "events",
	[ITP_CLUSTERS_BY_AVERAGE] = "average",
	NULL,
};

/* "1%" or "30s". */
static bool parse_min_cost(struct itp_mine_params *params, GError **error)
{
	const char *text = params->min_cost;
	char *end = NULL;
	double number = text ? g_ascii_strtod(text, &end) : 0;
	double ns;

	if (!text) {
		return true;
	}
	if (end != text && strcmp(end, "%") == 0 && number > 0 && number <= 100) {
		params->mining.least_part = number / 100;
		return true;
	}
	if (!itp_duration_parse(text, &ns) || ns < 1 || ns > 1e18) {
		itp_failure_set(error,
				"parameter \"min-cost\": \"%s\" is not a time or a share, such as "
				"30s or 1%%",
				text);
		return false;
	}
	params->mining.least_ns = llround(ns);
	return true;
}

static bool check_cut(const struct itp_mine_params *params, GError **error)
{
	if (!(params->cut >= 0 && params->cut <= 1)) {
		itp_failure_set(error, "parameter \"cut\": \"%g\" is not between 0 and 1",
				params->cut);
		return false;
	}
	return true;
}

static bool read_signatures(struct itp_mine_params *params, GError **error)
{
	if (!params->signatures) {
		return true;
	}
	params->known = itp_signatures_load(params->signatures, error);
	if (!params->known) {
		g_prefix_error(error, "parameter \"signatures\": ");
	}
	return params->known;
}

bool itp_mine_params_interpret(struct itp_mine_params *params, GError **error)
{
	params->mining.choice = params->patterns;
	params->mining.max_steps = MAX_STEPS;
	params->mining.max_idle_steps = MAX_IDLE_STEPS;
	params->mining.max_candidates = MAX_CANDIDATES;
	params->mining.clusters = (struct itp_cluster_options){ .similarity = params->similarity,
								.linkage = params->linkage,
								.cut = params->cut,
								.order = params->order };
	return parse_min_cost(params, error) && check_cut(params, error) &&
	       read_signatures(params, error);
}

void itp_mine_params_release(struct itp_mine_params *params)
{
	g_clear_pointer(&params->known, g_array_unref);
}

/* SPDX-License-Identifier: MIT */
/*
 * See ranking-params.h.
 */
#include "common/engine/ranking-params.h"

#include <string.h>

#include "common/base/failure.h"
#include "common/compare/compare.h"
#include "common/engine/limit.h"

/* Tab as typed by a user. */
#define TAB "\\t"

const char *const itp_format_names[] = {
	[ITP_FORMAT_TEXT] = "text",
	[ITP_FORMAT_CSV] = "csv",
	[ITP_FORMAT_JSONL] = "jsonl",
	[ITP_FORMAT_TREE] = "tree",
	[ITP_FORMAT_JSON] = "json",
	[ITP_FORMAT_MARKDOWN] = "markdown",
	NULL,
};

void itp_rank_refuse_waits(GError **error)
{
	itp_failure_set(error,
			"parameter \"by\": \"wait\" needs what each thread did when, which is "
			"kept only where perf introperf report or diff reads recordings of perf "
			"itself: use these, on the recordings instead of saved profiles");
}

char itp_rank_params_separator(const struct itp_rank_params *params)
{
	const char *text = params->separator;

	return !text ? '\0' : g_str_equal(text, TAB) ? '\t' : text[0];
}

bool itp_rank_params_are_text(const struct itp_rank_params *params)
{
	return params->format == ITP_FORMAT_TEXT || params->format == ITP_FORMAT_TREE;
}

/* Waits have a measure of their own. */
static bool check_waits(const struct itp_rank_params *params, bool can_remember, GError **error)
{
	if (params->by != ITP_RANK_BY_WAIT) {
		return true;
	}
	if (params->metric != ITP_METRIC_OWN || params->method != ITP_METHOD_TOTALS) {
		itp_failure_set(error,
				"parameter \"%s\": what waits are ranked by is what they hold up; "
				"leave it out",
				params->metric != ITP_METRIC_OWN ? "metric" : "method");
		return false;
	}
	if (!can_remember) {
		itp_rank_refuse_waits(error);
	}
	return can_remember;
}

static bool check_percent_limit(const struct itp_rank_params *params, GError **error)
{
	const bool is_time = params->metric == ITP_METRIC_OWN || params->metric == ITP_METRIC_TOTAL;

	if (params->percent_limit < 0 || params->percent_limit > 100) {
		itp_failure_set(error, "parameter \"percent-limit\": a share of the time, from 0 "
				       "to 100");
	} else if (params->percent_limit > 0 && (!is_time || params->by == ITP_RANK_BY_WAIT)) {
		itp_failure_set(error,
				"parameter \"percent-limit\": a share of own or total time; leave "
				"out parameter \"%s\"",
				is_time ? "by" : "metric");
	} else {
		return true;
	}
	return false;
}

static bool check_separator(const struct itp_rank_params *params, GError **error)
{
	const char *text = params->separator;

	if (text && params->format != ITP_FORMAT_CSV) {
		itp_failure_set(error, "parameter \"separator\": only CSV has one; leave it out");
		return false;
	}
	if (text && !g_str_equal(text, TAB) &&
	    (strlen(text) != 1 || (!g_ascii_ispunct(text[0]) && !strchr(" \t", text[0])) ||
	     strchr("\"'.-+", text[0]))) {
		itp_failure_set(error,
				"parameter \"separator\": \"%s\" is no character that can separate "
				"columns, as \",\", \";\" or \"" TAB "\"",
				text);
		return false;
	}
	return true;
}

bool itp_rank_params_interpret(struct itp_rank_params *params, bool can_remember, GError **error)
{
	if (params->path > 0 && params->by != ITP_RANK_BY_PATH) {
		itp_failure_set(error,
				"parameter \"path\": only paths have calls to show; leave out "
				"parameter \"by\"");
		return false;
	}
	if (params->by == ITP_RANK_BY_PROCESS && params->metric != ITP_METRIC_OWN) {
		itp_failure_set(error, "parameter \"metric\": processes are ranked by their time; "
				       "leave it out");
		return false;
	}
	if (params->explain && !itp_rank_params_are_text(params)) {
		itp_failure_set(error,
				"parameter \"explain\": only text has words to explain; leave out "
				"parameter \"format\"");
		return false;
	}
	params->limits = itp_limits_parse(params->fail_above, error);
	return params->limits && check_separator(params, error) &&
	       check_waits(params, can_remember, error) && check_percent_limit(params, error);
}

void itp_rank_params_release(struct itp_rank_params *params)
{
	g_clear_pointer(&params->limits, g_array_unref);
}

bool itp_rank_is_by_wait(GHashTable *values)
{
	return g_strcmp0(itp_values_text(values, "by"), itp_rank_by_names[ITP_RANK_BY_WAIT]) == 0;
}

bool itp_rank_is_per_unit(GHashTable *values)
{
	const char *per = itp_values_text(values, "per");
	struct itp_per_unit parsed;

	return per && itp_per_parse(per, &parsed, NULL) && parsed.per == ITP_PER_UNIT;
}

const char *itp_rank_in(GHashTable *values)
{
	return itp_values_text(values, "in");
}

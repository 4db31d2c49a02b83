/* SPDX-License-Identifier: MIT */
/*
 * Parameters of a ranking that is written, beside those of its job (ranking-job.h): as given, and
 * as they are meant.
 */
#ifndef ITP_ENGINE_RANKING_PARAMS_H
#define ITP_ENGINE_RANKING_PARAMS_H

#include <glib.h>
#include <stdbool.h>

#include "common/engine/params.h"
#include "common/rank/ranking.h"
#include "common/render/render.h"
#include "terminal/terminal.h"

struct itp_rank_params {
	/* Values as given. Strings are owned by this. */
	enum itp_format format;
	enum itp_color color;
	uint64_t path;
	enum itp_metric metric;
	enum itp_method method;
	enum itp_rank_by by;
	bool fold;
	double percent_limit;
	bool explain;
	bool verbose;
	bool quiet;
	char *separator;
	GPtrArray *fail_above;
	/* struct itp_limit, of fail_above. Owned by this. */
	GArray *limits;
};

#define ITP_RANK_PARAMS_DEFAULTS \
	{                        \
		.fold = true     \
	}

extern const char *const itp_format_names[];

/* Rows for the table of a structure that has them as `member`. */
#define ITP_RANK_PARAMS(structure, member)                                                         \
	{ "format", ITP_PARAM_CHOICE, offsetof(structure, member.format), itp_format_names },      \
		{ "color", ITP_PARAM_CHOICE, offsetof(structure, member.color), itp_color_names }, \
		{ "path", ITP_PARAM_COUNT, offsetof(structure, member.path), NULL },               \
		{ "metric", ITP_PARAM_CHOICE, offsetof(structure, member.metric),                  \
		  itp_metric_names },                                                              \
		{ "method", ITP_PARAM_CHOICE, offsetof(structure, member.method),                  \
		  itp_method_names },                                                              \
		{ "by", ITP_PARAM_CHOICE, offsetof(structure, member.by), itp_rank_by_names },     \
		{ "fold", ITP_PARAM_BOOL, offsetof(structure, member.fold), NULL },                \
		{ "percent-limit", ITP_PARAM_REAL, offsetof(structure, member.percent_limit),      \
		  NULL },                                                                          \
		{ "explain", ITP_PARAM_BOOL, offsetof(structure, member.explain), NULL },          \
		{ "verbose", ITP_PARAM_BOOL, offsetof(structure, member.verbose), NULL },          \
		{ "quiet", ITP_PARAM_BOOL, offsetof(structure, member.quiet), NULL },              \
		{ "separator", ITP_PARAM_STRING, offsetof(structure, member.separator), NULL },    \
	{                                                                                          \
		"fail-above", ITP_PARAM_STRINGS, offsetof(structure, member.fail_above), NULL      \
	}

/* Takes the values apart. `can_remember`: doings of threads by time are kept. An error names the
 * parameter. */
bool itp_rank_params_interpret(struct itp_rank_params *params, bool can_remember, GError **error);
/* Frees parsed values. Values as given are released with the table. */
void itp_rank_params_release(struct itp_rank_params *params);

/* True when the ranking is text for people. */
bool itp_rank_params_are_text(const struct itp_rank_params *params);
/* Character between columns of CSV; 0: CSV's own. */
char itp_rank_params_separator(const struct itp_rank_params *params);

/* Sets the error for waits that are not known. */
void itp_rank_refuse_waits(GError **error);

/* True when these parameters (values.h) need a host that keeps the doings of threads by time. */
bool itp_rank_is_by_wait(GHashTable *values);

/* True when they ask for work to be counted by units. */
bool itp_rank_is_per_unit(GHashTable *values);

/* Part in which they ask for calls; NULL: all. Weak. */
const char *itp_rank_in(GHashTable *values);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * See limit.h.
 */
#include "sinks/rank/limit.h"

#include <math.h>
#include <string.h>

#include "common/base/duration.h"
#include "common/render/units.h"
#include "messages/failure.h"

#define PATH_SCOPE "path"

G_DEFINE_QUARK(itp - limit, itp_limit)

/* What is compared with a limit. */
struct amount {
	const char *what;
	double base_ns;
	double suspect_ns;
	/* The difference may be chance. */
	bool is_noise;
};

static bool parse_amount(const char *text, struct itp_limit *limit)
{
	char *unit = NULL;
	double number = g_ascii_strtod(text, &unit);

	if (unit == text || !isfinite(number) || number < 0) {
		return false;
	}
	if (strcmp(unit, "%") == 0) {
		limit->part = number / 100;
		return true;
	}
	return itp_duration_parse(text, &limit->ns);
}

static bool parse(const char *text, struct itp_limit *limit)
{
	/* Names of functions may hold the sign too. */
	const char *equals = strrchr(text, '=');

	*limit = (struct itp_limit){ .scope = ITP_LIMIT_WHOLE, .text = text };
	if (!equals) {
		return parse_amount(text, limit);
	}
	if (equals == text) {
		return false;
	}
	limit->function = g_strndup(text, (gsize)(equals - text));
	limit->scope = strcmp(limit->function, PATH_SCOPE) == 0 ? ITP_LIMIT_PATH :
								  ITP_LIMIT_FUNCTION;
	return parse_amount(equals + 1, limit);
}

static void clear_limit(gpointer data)
{
	g_free(((struct itp_limit *)data)->function);
}

GArray *itp_limits_parse(const GPtrArray *texts, GError **error)
{
	GArray *limits = g_array_new(FALSE, FALSE, sizeof(struct itp_limit));

	g_array_set_clear_func(limits, clear_limit);
	for (guint i = 0; texts && i < texts->len; i++) {
		const char *text = g_ptr_array_index(texts, i);
		struct itp_limit limit;
		bool is_good = parse(text, &limit);

		g_array_append_val(limits, limit);
		if (!is_good) {
			itp_failure_set(error,
					"parameter \"fail-above\": \"%s\" is no limit; such are "
					"\"5%%\", \"20ms\", \"path=5%%\", \"FUNCTION=1.5s\"",
					text);
			g_array_unref(limits);
			return NULL;
		}
	}
	return limits;
}

/* The entry that got slower most. Percentages are of the whole. */
static void find_path(const struct itp_ranking *ranking, struct amount *ret_amount)
{
	const struct itp_ranked_path *path;

	*ret_amount =
		(struct amount){ .what = PATH_SCOPE, .base_ns = (double)ranking->base_own_ns };
	ret_amount->suspect_ns = ret_amount->base_ns;
	if (ranking->paths->len == 0) {
		return;
	}
	path = &g_array_index(ranking->paths, struct itp_ranked_path, 0);
	if (!path->significance.is_noise && !path->is_rare) {
		uint32_t face = path->culprit >= 0 ? (uint32_t)path->culprit :
						     path->frame_count - 1;

		ret_amount->what =
			itp_function_table_get(ranking->functions, path->frames[face].function)
				->name;
		ret_amount->suspect_ns += (double)path->cost;
	}
}

static bool find_function(const struct itp_ranking *functions, const char *name,
			  struct amount *ret_amount)
{
	bool found = false;

	*ret_amount = (struct amount){ .what = name, .is_noise = true };
	for (guint i = 0; i < functions->rows->len; i++) {
		const struct itp_ranked_row *row =
			&g_array_index(functions->rows, struct itp_ranked_row, i);

		if (strcmp(itp_function_table_get(functions->functions, row->function)->name,
			   name) == 0) {
			ret_amount->base_ns += (double)row->base_total_ns;
			ret_amount->suspect_ns += (double)row->total_ns;
			ret_amount->is_noise &= row->significance.is_noise;
			found = true;
		}
	}
	return found;
}

static bool find_amount(const struct itp_limit *limit, const struct itp_ranking *ranking,
			const struct itp_ranking *functions, struct amount *ret_amount)
{
	switch (limit->scope) {
	case ITP_LIMIT_PATH:
		find_path(ranking, ret_amount);
		return true;
	case ITP_LIMIT_FUNCTION:
		return find_function(functions, limit->function, ret_amount);
	case ITP_LIMIT_WHOLE:
		break;
	}
	*ret_amount = (struct amount){ .what = "the whole",
				       .base_ns = (double)ranking->base_own_ns,
				       .suspect_ns = (double)ranking->suspect_own_ns,
				       .is_noise = ranking->whole.is_noise };
	return true;
}

static bool is_above(const struct itp_limit *limit, const struct amount *amount, double work)
{
	double delta_ns = amount->suspect_ns - amount->base_ns;

	return limit->part > 0 || limit->ns == 0 ? delta_ns > limit->part * amount->base_ns :
						   delta_ns / work > limit->ns;
}

/* Adds a part of the sentence for what is above its limit. */
static bool check(const struct itp_limit *limit, const struct itp_ranking *paths,
		  const struct itp_ranking *functions, GString *excess, GError **error)
{
	struct amount amount;
	g_autofree char *delta = NULL;

	if (!find_amount(limit, paths, functions, &amount)) {
		itp_failure_set(error,
				"parameter \"fail-above\": \"%s\": no function of the inputs has "
				"that name",
				limit->text);
		return false;
	}
	if (!amount.is_noise && is_above(limit, &amount, paths->suspect_units)) {
		delta = itp_units_time_change(
			llround((amount.suspect_ns - amount.base_ns) / paths->suspect_units));
		g_string_append_printf(excess, "%s%s: %s (limit %s)", excess->len > 0 ? "; " : "",
				       amount.what, delta, limit->text);
	}
	return true;
}

bool itp_limits_check(const GArray *limits, const struct itp_ranking *paths,
		      const struct itp_ranking *functions, GError **error)
{
	g_autoptr(GString) excess = g_string_new(NULL);

	for (guint i = 0; i < limits->len; i++) {
		if (!check(&g_array_index(limits, struct itp_limit, i), paths, functions, excess,
			   error)) {
			return false;
		}
	}
	if (excess->len > 0) {
		g_set_error(error, itp_limit_quark(), ITP_LIMIT_EXCEEDED,
			    ITP_LIMIT_EXCEEDED_TEXT ": %s", excess->str);
	}
	return excess->len == 0;
}

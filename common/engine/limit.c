/* SPDX-License-Identifier: MIT */
/*
 * See limit.h.
 */
#include "common/engine/limit.h"

#include <math.h>
#include <string.h>

#include "common/base/duration.h"
#include "common/base/failure.h"
#include "common/render/units.h"

#define PATH_SCOPE "path"

G_DEFINE_QUARK(itp - limit, itp_limit)

/* Amount compared with a limit: times without waiting for a CPU, which is the machine's. */
struct amount {
	const char *what;
	double base_ns;
	double suspect_ns;
	bool is_sure;
};

/* Check against the limits, and its findings. */
struct check {
	const struct itp_ranking *paths;
	const struct itp_ranking *functions;
	/* Everything above its limit, as text. Weak. */
	GString *excess;
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

static bool is_sure(const struct itp_significance *significance)
{
	return significance->verdict == ITP_VERDICT_SURE;
}

static void check_amount(const struct itp_limit *limit, const struct amount *amount,
			 struct check *check)
{
	double work = check->paths->suspect_units;
	double delta_ns = amount->suspect_ns - amount->base_ns;
	bool is_above = limit->part > 0 || limit->ns == 0 ?
				delta_ns > limit->part * amount->base_ns :
				delta_ns / work > limit->ns;
	g_autofree char *delta = NULL;

	if (amount->is_sure && is_above) {
		delta = itp_units_time_change(llround(delta_ns / work));
		g_string_append_printf(check->excess, "%s%s: %s (limit %s)",
				       check->excess->len > 0 ? "; " : "", amount->what, delta,
				       limit->text);
	}
}

static void check_whole(const struct itp_limit *limit, struct check *check)
{
	const struct itp_ranking *ranking = check->paths;
	const struct amount amount = {
		.what = "the whole",
		.base_ns = (double)(ranking->base_own_ns - ranking->base_runnable_ns),
		.suspect_ns = (double)(ranking->suspect_own_ns - ranking->suspect_runnable_ns),
		.is_sure = is_sure(&ranking->whole),
	};

	check_amount(limit, &amount, check);
}

/* Each entry. Percentages are of the whole. */
static void check_paths(const struct itp_limit *limit, struct check *check)
{
	const struct itp_ranking *ranking = check->paths;

	for (guint i = 0; i < ranking->paths->len; i++) {
		const struct itp_ranked_path *path =
			&g_array_index(ranking->paths, struct itp_ranked_path, i);
		uint32_t face = path->culprit >= 0 ? (uint32_t)path->culprit :
						     path->frame_count - 1;
		struct amount amount = {
			.what = itp_function_table_get(ranking->functions,
						       path->frames[face].function)
					->name,
			.base_ns = (double)(ranking->base_own_ns - ranking->base_runnable_ns),
			.is_sure = is_sure(&path->significance) && !path->is_rare,
		};

		amount.suspect_ns =
			amount.base_ns + (double)(path->cost - path->delta.use.runnable_ns);
		check_amount(limit, &amount, check);
	}
}

static bool check_function(const struct itp_limit *limit, struct check *check, GError **error)
{
	const struct itp_ranking *functions = check->functions;
	struct amount amount = { .what = limit->function };
	bool found = false;

	for (guint i = 0; i < functions->rows->len; i++) {
		const struct itp_ranked_row *row =
			&g_array_index(functions->rows, struct itp_ranked_row, i);

		if (strcmp(itp_function_table_get(functions->functions, row->function)->name,
			   limit->function) == 0) {
			amount.base_ns += (double)row->base_judged_ns;
			amount.suspect_ns += (double)row->judged_ns;
			amount.is_sure |= is_sure(&row->significance);
			found = true;
		}
	}
	if (!found) {
		itp_failure_set(error,
				"parameter \"fail-above\": \"%s\": no function of the inputs has "
				"that name",
				limit->text);
		return false;
	}
	check_amount(limit, &amount, check);
	return true;
}

static bool check_limit(const struct itp_limit *limit, struct check *check, GError **error)
{
	switch (limit->scope) {
	case ITP_LIMIT_PATH:
		check_paths(limit, check);
		break;
	case ITP_LIMIT_FUNCTION:
		return check_function(limit, check, error);
	case ITP_LIMIT_WHOLE:
		check_whole(limit, check);
	}
	return true;
}

bool itp_limits_check(const GArray *limits, const struct itp_ranking *paths,
		      const struct itp_ranking *functions, GError **error)
{
	g_autoptr(GString) excess = g_string_new(NULL);
	struct check check = { .paths = paths, .functions = functions, .excess = excess };

	for (guint i = 0; i < limits->len; i++) {
		if (!check_limit(&g_array_index(limits, struct itp_limit, i), &check, error)) {
			return false;
		}
	}
	if (excess->len > 0) {
		g_set_error(error, itp_limit_quark(), ITP_LIMIT_EXCEEDED,
			    ITP_LIMIT_EXCEEDED_TEXT ": %s", excess->str);
	}
	return excess->len == 0;
}

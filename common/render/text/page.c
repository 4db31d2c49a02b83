/* SPDX-License-Identifier: MIT */
/*
 * Common state of the parts of the text: words for options and functions, and the choice of paths.
 */
#include "common/render/text/page.h"

#include "common/base/labels.h"

/* Columns of process and function names in sentences. */
#define NAME_COLUMNS 30
/* Paths shown that may be chance. */
#define UNSURE_SHOWN 3

/* Only words are quoted. */
char *itp_page_ask(const struct itp_page *page, const char *name, const char *value)
{
	const char *quote = g_ascii_islower(value[0]) ? "\"" : "";

	return itp_label_unbroken(page->has_options ?
					  g_strdup_printf("--%s %s", name, value) :
					  g_strdup_printf("%s=%s%s%s", name, quote, value, quote));
}

char *itp_page_name(const struct itp_page *page, uint32_t function)
{
	g_autofree char *name = itp_label_function(itp_function_at(page->ranking, function));

	return itp_label_unbroken(itp_label_shorten_function(name, NAME_COLUMNS));
}

/* An effect is told with its cause. A path without any cost is a row only where there is nothing
 * else: main() of a process whose threads all wait. */
static bool is_row(const struct itp_page *page, const struct itp_ranked_path *path, bool has_sure)
{
	bool tells = path->cost != 0 || path->rank == 1;

	return path->waits_for == 0 &&
	       (page->shows_chance || (tells && (!has_sure || !itp_path_is_unsure(path))));
}

static bool has_sure_paths(const struct itp_ranking *ranking)
{
	for (guint i = 0; i < ranking->paths->len; i++) {
		const struct itp_ranked_path *path = itp_path_at(ranking, i);

		if (path->waits_for == 0 && !itp_path_is_unsure(path)) {
			return true;
		}
	}
	return false;
}

GArray *itp_page_shown_paths(const struct itp_page *page)
{
	const struct itp_ranking *ranking = page->ranking;
	bool has_sure = has_sure_paths(ranking);
	GArray *shown = g_array_new(FALSE, FALSE, sizeof(guint));
	guint unsure = 0;

	for (guint i = 0; i < ranking->paths->len && shown->len < page->rows_most; i++) {
		const struct itp_ranked_path *path = itp_path_at(ranking, i);

		unsure += path->waits_for == 0 && itp_path_is_unsure(path);
		if (is_row(page, path, has_sure) &&
		    (!itp_path_is_unsure(path) || unsure <= UNSURE_SHOWN)) {
			g_array_append_val(shown, i);
		}
	}
	return shown;
}

/* SPDX-License-Identifier: MIT */
/*
 * What there is to doubt about the difference of a path: by how much it may be off, and why; and
 * what all these verdicts assume.
 */
#include "common/render/page.h"

#include <math.h>
#include <stdlib.h>

#include "common/base/labels.h"
#include "common/render/units.h"

#define INDENT 2

static char *reason_of(const struct itp_significance *significance)
{
	g_autofree char *spread = NULL;
	g_autofree char *samples = NULL;
	g_autofree char *base_samples = NULL;

	switch (significance->doubt) {
	case ITP_DOUBT_ABOUT_RUNS:
		spread = itp_label_unbroken(itp_units_share(significance->spread, 1));
		return g_strdup_printf(": runs differ by %s", spread);
	case ITP_DOUBT_ABOUT_WAITS:
		return g_strdup(": its waits vary");
	case ITP_DOUBT_ABOUT_WORK:
		return g_strdup_printf("; called %s often: other work?",
				       significance->score > 0 ? "more" : "less");
	case ITP_DOUBT_ABOUT_SAMPLES:
		if (significance->samples + significance->base_samples == 0) {
			return g_strdup(": ticks are few");
		}
		samples = itp_label_unbroken(itp_units_count(significance->samples));
		base_samples = itp_label_unbroken(itp_units_count(significance->base_samples));
		return g_strdup_printf(": %s ticks, %s in the base", samples, base_samples);
	case ITP_DOUBT_ABOUT_LOSSES:
		return g_strdup(": events were lost");
	case ITP_DOUBT_ABOUT_SIZE:
	case ITP_DOUBT_ABOUT_NOTHING:
		break;
	}
	return g_strdup("");
}

char *itp_page_doubt_text(const struct itp_page *page, const struct itp_ranked_path *path)
{
	const struct itp_significance *significance = &path->significance;
	double error_ns = hypot(significance->measurement_ns, significance->runs_ns);
	g_autofree char *reason = reason_of(significance);
	g_autofree char *error = NULL;

	if (significance->doubt == ITP_DOUBT_ABOUT_NOTHING) {
		return NULL;
	}
	if (significance->doubt == ITP_DOUBT_ABOUT_SIZE) {
		return g_strdup("too small to tell");
	}
	error = itp_label_unbroken(itp_cell_time(page->ranking, llround(error_ns)));
	return g_strdup_printf("\u0394 may be off by %s%s", error, reason);
}

void itp_page_append_assumption(const struct itp_page *page)
{
	const struct itp_ranking *ranking = page->ranking;
	g_autofree char *spread = itp_label_unbroken(itp_units_share(ranking->spread, 1));
	g_autoptr(GString) line = g_string_new(NULL);

	/* A tree shows no verdicts. */
	if (!itp_ranking_is_judged(ranking) || page->tree_contexts > 0) {
		return;
	}
	g_string_append_printf(line, "Noise: assuming that runs differ by %s (spread)", spread);
	if (ranking->suspect_runs + ranking->base_runs > 2) {
		g_string_append_printf(line, ", and by what %zu and %zu of them show.",
				       ranking->base_runs, ranking->suspect_runs);
	} else {
		g_string_append(line, ". Record several to know.");
	}
	itp_label_wrap(page->output, line->str, 0, INDENT, page->width);
}

/* SPDX-License-Identifier: MIT */
/*
 * See page-requests.h.
 */
#include "plugins/perf/command/page-requests.h"

#include "common/render/through/through.h"
#include "plugins/perf/command/page-source.h"

static void append_side(const struct itp_ranking *ranking, const struct itp_page_source *source,
			bool of_base, GString *text)
{
	guint first = itp_page_source_first(source, of_base);
	const struct itp_through *through =
		first == G_MAXUINT ? NULL : itp_recordings_through(source->recordings, first);
	struct itp_recording recording;

	if (through) {
		itp_ranking_recording(ranking, of_base, 0, &recording);
		g_string_append_printf(text, "%s\"%s\":", text->len > 1 ? "," : "",
				       of_base ? "base" : "suspect");
		itp_render_through_timeline(through, recording.begin_ns, text);
	}
}

char *itp_page_requests_find(const struct itp_ranking *ranking, void *data)
{
	GString *text = g_string_new("{");

	append_side(ranking, data, false, text);
	if (ranking->base) {
		append_side(ranking, data, true, text);
	}
	g_string_append_c(text, '}');
	return g_string_free(text, FALSE);
}

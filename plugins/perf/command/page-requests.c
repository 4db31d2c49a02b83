/* SPDX-License-Identifier: MIT */
/*
 * See page-requests.h.
 */
#include "plugins/perf/command/page-requests.h"

#include "common/render/through/through.h"
#include "plugins/perf/command/page-source.h"

/* NULL without any. */
static const struct itp_through *through_of(const struct itp_page_source *source, bool of_base)
{
	guint first = itp_page_source_first(source, of_base);

	return first == G_MAXUINT ? NULL : itp_recordings_through(source->recordings, first);
}

static void append_side(const struct itp_ranking *ranking, const struct itp_page_source *source,
			bool of_base, GString *text)
{
	const struct itp_through *through = through_of(source, of_base);
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

static void tell_side(const struct itp_ranking *ranking, const struct itp_render_options *looks,
		      const struct itp_page_source *source, bool of_base, GString *text)
{
	const struct itp_through *through = through_of(source, of_base);
	const char *side = of_base ? "base" : "suspect";

	if (through && itp_format_has_lines(looks->format)) {
		itp_render_through_routes_jsonl(through, side, text);
	} else if (through && looks->format != ITP_FORMAT_CSV) {
		itp_render_through_routes_text(through, ranking->base ? side : NULL, looks->width,
					       text);
	}
}

char *itp_page_requests_tell(const struct itp_ranking *ranking,
			     const struct itp_render_options *looks, void *data)
{
	GString *text = g_string_new(NULL);

	if (ranking->base) {
		tell_side(ranking, looks, data, true, text);
	}
	tell_side(ranking, looks, data, false, text);
	return g_string_free(text, FALSE);
}

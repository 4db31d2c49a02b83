/* SPDX-License-Identifier: MIT */
/*
 * Dispatch to the renderer of a format. See formats.h for them, labels.h and units.h for what
 * they share.
 */
#include "common/render/render.h"

#include "common/render/formats.h"

void itp_render_ranking(const struct itp_ranking *ranking, const struct itp_render_options *options,
			GString *output)
{
	switch (options->format) {
	case ITP_FORMAT_TEXT:
	case ITP_FORMAT_TREE:
		itp_render_text(ranking, options, output);
		break;
	case ITP_FORMAT_CSV:
		itp_render_csv(ranking, options, output);
		break;
	case ITP_FORMAT_JSONL:
		itp_render_jsonl(ranking, options, output);
		break;
	case ITP_FORMAT_JSON:
		itp_render_json(ranking, options, output);
		break;
	case ITP_FORMAT_MARKDOWN:
		itp_render_markdown(ranking, options, output);
		break;
	}
}

/* SPDX-License-Identifier: MIT */
/*
 * The choice of a renderer by the format asked for. Whatever they share is left to common/render.
 */
#include "common/render/formats/formats.h"

#include "common/render/formats/composed.h"
#include "common/render/records/records.h"
#include "common/render/text/text.h"

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

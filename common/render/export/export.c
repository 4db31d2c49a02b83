/* SPDX-License-Identifier: MIT */
/* See export.h: purposes of the formats, in a table. */
#include "common/render/export/export.h"

#include "common/render/export/writers.h"

struct format {
	int (*write)(const struct itp_export_input *input, FILE *stream);
	bool shows_tree;
	bool shows_timeline;
	bool shows_base;
	bool needs_base;
	bool is_binary;
};

const char *const itp_export_format_names[] = {
	[ITP_EXPORT_FOLDED] = "folded",
	[ITP_EXPORT_FOLDED2] = "folded2",
	[ITP_EXPORT_SPEEDSCOPE] = "speedscope",
	[ITP_EXPORT_PPROF] = "pprof",
	[ITP_EXPORT_FIREFOX] = "firefox",
	[ITP_EXPORT_CHROME] = "chrome",
	[ITP_EXPORT_CALLGRIND] = "callgrind",
	[ITP_EXPORT_SVG] = "svg",
	NULL,
};

static const struct format formats[] = {
	[ITP_EXPORT_FOLDED] = { itp_export_folded, .shows_tree = true },
	[ITP_EXPORT_FOLDED2] = { itp_export_folded2, .shows_tree = true, .shows_base = true,
				 .needs_base = true },
	[ITP_EXPORT_SPEEDSCOPE] = { itp_export_speedscope, .shows_tree = true,
				    .shows_timeline = true, .shows_base = true },
	[ITP_EXPORT_PPROF] = { itp_export_pprof, .shows_tree = true, .shows_base = true,
			       .is_binary = true },
	[ITP_EXPORT_FIREFOX] = { itp_export_firefox, .shows_timeline = true },
	[ITP_EXPORT_CHROME] = { itp_export_chrome, .shows_timeline = true },
	[ITP_EXPORT_CALLGRIND] = { itp_export_callgrind, .shows_tree = true, .shows_base = true },
	[ITP_EXPORT_SVG] = { itp_export_flame, .shows_tree = true, .shows_base = true },
};

bool itp_export_shows_tree(enum itp_export_format format)
{
	return formats[format].shows_tree;
}

bool itp_export_shows_timeline(enum itp_export_format format)
{
	return formats[format].shows_timeline;
}

bool itp_export_shows_base(enum itp_export_format format)
{
	return formats[format].shows_base;
}

bool itp_export_needs_base(enum itp_export_format format)
{
	return formats[format].needs_base;
}

bool itp_export_is_binary(enum itp_export_format format)
{
	return formats[format].is_binary;
}

int itp_export(enum itp_export_format format, const struct itp_export_input *input, FILE *stream)
{
	return formats[format].write(input, stream);
}

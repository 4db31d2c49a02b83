/* SPDX-License-Identifier: MIT */
/*
 * Common parts of the renderers of a function's lines: lines between those with costs, and their
 * heads.
 */
#ifndef ITP_RENDER_SOURCE_LISTING_H
#define ITP_RENDER_SOURCE_LISTING_H

#include "common/render/source/source.h"

enum itp_source_entry_kind {
	/* Lines are left out. */
	ITP_SOURCE_GAP,
	/* Line without costs, near a line with some. */
	ITP_SOURCE_FREE,
	/* Own costs, or a call. */
	ITP_SOURCE_COSTS,
};

struct itp_source_entry {
	enum itp_source_entry_kind kind;
	/* Weak. */
	const struct itp_source_section *section;
	/* Of costs. Weak. */
	const struct itp_source_row *row;
	/* Of the file, or an address. */
	uint64_t line;
	/* First entry of its line, with the text. */
	bool has_text;
};

/* struct itp_source_entry, the sections one behind the other. Free with g_array_unref(). */
GArray *itp_source_listing(const struct itp_source_page *page);

/* The line as columns see it, or the instruction, or "". Owned by the caller, as all below. */
char *itp_source_entry_text(const struct itp_source_entry *entry);

/* Name shortened to a number of columns. */
char *itp_source_name(const struct itp_source_looks *looks, uint32_t function,
		      unsigned int columns);

/* "handle in shop (/usr/bin/shop): own CPU time 1.20 s (1 204 ticks) and 20 ms off the CPU; …" */
char *itp_source_head(const struct itp_source_page *page, const struct itp_source_looks *looks);

/* Reason for missing lines, and its remedy; NULL where there are lines. */
char *itp_source_lack(const struct itp_source_page *page, const struct itp_source_looks *looks);

/* "shop.c (not found), inlined: take" */
char *itp_source_section_name(const struct itp_source_section *section);

#endif

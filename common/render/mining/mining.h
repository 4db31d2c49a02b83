/* SPDX-License-Identifier: MIT */
/*
 * Findings in many traces, for people and for programs. Like all renderers, these decide nothing;
 * making the results is left to common/mine.
 *
 *   text.c, jsonl.c  text and JSON lines
 *   html.c           a page that draws the lines
 */
#ifndef ITP_RENDER_MINING_MINING_H
#define ITP_RENDER_MINING_MINING_H

#include "common/mine/signatures.h"
#include "common/wait/chain.h"

struct itp_mining_page {
	/* All weak. */
	const struct itp_mining *mining;
	/* By enum itp_mine_kind. */
	const struct itp_mined *mined;
	/* struct itp_signature that were looked for, and struct itp_signature_match of each: their
	 * stacks are not mined. NULL without any. */
	const GArray *signatures;
	const GArray *matches;
	/* Symptom asked for, as given, or NULL. Saved interests are of the symptom asked for when
	 * they were made. */
	const char *asked;
	/* Lines of itp_render_mining_symptom(), which JSON lines show, or NULL. */
	const GString *each;
	/* How many files could not be read, or only in part. */
	guint broken;
	/* How many clusters of each kind are shown; 0: all. */
	guint top;
	/* Of text. */
	unsigned int width;
};

/* Appends a line about a symptom of the trace `path`, with its `steps`, as from itp_chain(), or
 * NULL where unknown. */
void itp_render_mining_symptom(const char *path, const struct itp_symptom *symptom,
			       const GArray *steps, GString *each);

void itp_render_mining_text(const struct itp_mining_page *page, GString *output);

/* A header; a symptom, a signature and a cluster a line, each cluster with its patterns; and a
 * summary. */
void itp_render_mining_jsonl(const struct itp_mining_page *page, GString *output);

/* Page that draws these lines. */
void itp_render_mining_html(const struct itp_mining_page *page, GString *output);

#endif

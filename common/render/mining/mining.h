/* SPDX-License-Identifier: MIT */
/*
 * What was found in many traces, for people and for programs. Like all renderers, these decide
 * nothing; how the results are made is left to common/mine.
 */
#ifndef ITP_RENDER_MINING_MINING_H
#define ITP_RENDER_MINING_MINING_H

#include "common/mine/mining.h"

struct itp_mining_page {
	/* All weak. */
	const struct itp_mining *mining;
	/* By enum itp_mine_kind. */
	const struct itp_mined *mined;
	/* What was looked for, as given; NULL: the slowest calls of the first path's culprit. */
	const char *symptom;
	/* How many files could not be read, or only in part. */
	guint broken;
	/* How many clusters of each kind are shown; 0: all. */
	guint top;
	/* Of text. */
	unsigned int width;
};

void itp_render_mining_text(const struct itp_mining_page *page, GString *output);

/* A header, a cluster a line, each with its patterns, and a summary. */
void itp_render_mining_jsonl(const struct itp_mining_page *page, GString *output);

#endif

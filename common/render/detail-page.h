/* SPDX-License-Identifier: MIT */
/*
 * The parts of the text about one path from nearby, and what they share.
 */
#ifndef ITP_RENDER_DETAIL_PAGE_H
#define ITP_RENDER_DETAIL_PAGE_H

#include "common/rank/detail.h"
#include "common/render/page.h"

struct itp_detail_page {
	/* Weak. */
	const struct itp_page *page;
	const struct itp_ranked_path *path;
	/* Its face is not NULL. */
	struct itp_path_detail detail;
};

/* path-calls.c: when the slowest calls were. */
void itp_page_append_slowest(const struct itp_detail_page *it);
/* path-calls.c: what held up the slowest calls, as lines (char *), the first one a title and each
 * behind it about what the one before waited for. NULL where that is not known, or it did not wait.
 * Free with g_ptr_array_unref(). */
GPtrArray *itp_page_chain_lines(const struct itp_ranking *ranking,
				const struct itp_path_detail *detail);
/* path-calls.c: the same on the page; nothing where that is not known, or it did not wait. */
void itp_page_append_chain(const struct itp_detail_page *it);

#endif

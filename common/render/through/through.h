/* SPDX-License-Identifier: MIT */
/*
 * Requests of a recording followed through threads and processes (common/through), for people and
 * for programs. Like all renderers, these decide nothing.
 *
 *   through.c        questions of all renderings
 *   text.c, jsonl.c  text and JSON lines
 *   timeline.c       the slowest requests, for a page's timeline
 *   line.c           time of requests, a sentence for each route
 */
#ifndef ITP_RENDER_THROUGH_THROUGH_H
#define ITP_RENDER_THROUGH_THROUGH_H

#include "common/infer/profile.h"
#include "common/through/through.h"

struct itp_through_page {
	/* Both weak. The recording, as given. */
	const char *path;
	const struct itp_through *through;
	/* Of the times. */
	struct itp_clock clock;
	/* Nothing of the recording is missing. */
	bool is_complete;
	uint64_t lost_events;
	/* How many routes, and how many of the slowest requests, are shown as text; 0: all. */
	guint top;
	unsigned int width;
};

/* How many requests there are, and of all by enum itp_hop_doubt; the rests of requests are none. */
struct itp_through_counts {
	uint64_t requests;
	uint64_t by_doubt[ITP_HOP_DOUBT_COUNT];
};

void itp_through_count(const struct itp_through *through, struct itp_through_counts *ret_counts);

/* "whom it asked cannot be told: …"; as a word for programs "unclear". Static. */
const char *itp_through_doubt_text(enum itp_hop_doubt doubt);
const char *itp_through_doubt_word(enum itp_hop_doubt doubt);

/* Function of a hop's node; NULL where nothing tells. */
const struct itp_function *itp_through_function(const struct itp_through *through, uint32_t node);

/* Callers told of the function. */
#define ITP_THROUGH_CALLERS_MOST 3

/* Callers in the same file with names, the nearest first: const struct itp_function *. Free with
 * g_ptr_array_unref(). */
GPtrArray *itp_through_callers(const struct itp_through *through, uint32_t node);

/* First hops of the requests followed to their end, the longest first: guint. Free with
 * g_array_unref(). */
GArray *itp_through_slowest(const struct itp_through *through);

void itp_render_through_text(const struct itp_through_page *page, GString *output);

/* A header, a route a line, a request a line, and a summary. */
void itp_render_through_jsonl(const struct itp_through_page *page, GString *output);

/* Slowest requests, as a JSON array that requests.js reads; times are since `begin_ns`. */
void itp_render_through_timeline(const struct itp_through *through, int64_t begin_ns,
				 GString *output);

/* Time of requests, for a ranking: for each of the routes with most time a sentence, which begins
 * with `head`, unless it is NULL; or a JSON line with the workload. */
void itp_render_through_routes_text(const struct itp_through *through, const char *head,
				    unsigned int width, GString *output);
void itp_render_through_routes_jsonl(const struct itp_through *through, const char *workload,
				     GString *output);

#endif

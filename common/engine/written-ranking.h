/* SPDX-License-Identifier: MIT */
/*
 * Job (ranking-job.h) whose result is a ranking as text, CSV, JSON or Markdown, in a file, on
 * standard output or on the screen; after it, limits are judged.
 */
#ifndef ITP_ENGINE_WRITTEN_RANKING_H
#define ITP_ENGINE_WRITTEN_RANKING_H

#include "common/engine/ranking-job.h"
#include "common/render/render.h"
#include "terminal/screen.h"

/* All parameters, for hosts that name them; the values are the job's own. */
extern const struct itp_param_table itp_rank_param_table;

/* Host of the job. */
struct itp_rank_host {
	/* How its users ask for the calls of path 1; NULL = by the parameter, "" = they cannot.
	 * Copied. */
	const char *next;
	/* Users type options, not parameters. */
	bool has_options;
	/* Screen for a terminal's view of a live trace, until the result of the whole comes, or
	 * NULL. Weak; must outlive the job. */
	struct itp_screen *screen;
	/* Shows the result, which is then not written; `looks` are the looks of its text.
	 * Everything ranked is shown unless `top` is given. NULL: it is written. */
	bool (*show)(const struct itp_ranking *ranking, const struct itp_render_options *looks,
		     void *data, GError **error);
	/* Data for `show`. Weak; must outlive the job. */
	void *show_data;
	/* Further results, in the format of the result: as in struct itp_render_options, to be
	 * freed; NULL without any. May be NULL. */
	char *(*tell_more)(const struct itp_ranking *ranking,
			   const struct itp_render_options *looks, void *data);
	/* Data for `tell_more`. Weak; must outlive the job. */
	void *tell_data;
	/* Set when something is above a limit of `fail-above`, which is an error like others. May
	 * be NULL. Weak; must outlive the job. */
	bool *ret_is_above;
	/* Doings of threads by time are kept, if asked for. */
	bool can_remember;
};

/* Job with the parameters `values` (values.h); `host` may be NULL. NULL after an error. Freed by
 * its `free`. */
struct itp_rank_job *itp_rank_new(GHashTable *values, const struct itp_rank_host *host,
				  GError **error);

#endif

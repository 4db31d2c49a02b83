/* SPDX-License-Identifier: MIT */
/*
 * Job of exporting: profiles, or single calls, in, a file of another program out, by the options of
 * a request.
 *
 *   export-job.c  the job: its options, and the file
 *
 * Profiles come to it as to any job that ranks (common/engine/ranking-job.h). Formats are
 * common/render/export's; messages are left to sinks/export.
 */
#ifndef ITP_EXPORT_JOB_EXPORT_JOB_H
#define ITP_EXPORT_JOB_EXPORT_JOB_H

#include "common/engine/inputs.h"
#include "common/engine/ranking-job.h"
#include "common/render/export/export.h"

/* Errors in the words of a host. */
struct itp_export_words {
	/* Subject of errors about a format: takes its name; a verb follows. */
	const char *format_is;
	/* Name of the parameter. */
	const char *begin;
	/* Why a parameter means nothing: single calls came, or a profile. */
	const char *calls_came;
	const char *profile_came;
	/* Behind "shows single calls". */
	const char *no_calls_came;
	/* Remedy: the way to show a part of the time. */
	const char *shows_time;
};

/* Host of a graph with an export. All weak. */
struct itp_export_host {
	const struct itp_export_words *words;
	/* Inputs, of which the export reads the saved profiles, beside what comes by the graph. */
	const struct itp_inputs *inputs;
};

struct itp_export_job {
	/* First, with the options that other jobs have, too. Its `free` frees all. */
	struct itp_rank_job job;
	/* Options. Strings are owned by this. */
	enum itp_export_format format;
	char *begin;
	char *end;
	/* Begin, end and directory of a timeline. */
	struct itp_timeline_options window;
	/* An option that was given and does not apply to single calls, NULL without. Weak. */
	const char *tree_param;
	/* Weak. */
	const struct itp_export_words *words;
};

/* Single calls of an input that have come, and functions of theirs. All weak. */
struct itp_export_timeline {
	const char *name;
	const struct itp_function_table *functions;
	/* Finished. */
	struct itp_timeline *timeline;
	/* Nothing is missing. */
	bool is_complete;
	/* The input tells the length of calls (common/base/watched.h). */
	bool is_watched;
};

/* Names of the options. */
extern const struct itp_param_table itp_export_param_table;

/* Job with the options `values` (common/engine/values.h). `words` are weak and must outlive it.
 * NULL after an error. Freed by its job's `free`. */
struct itp_export_job *itp_export_job_new(GHashTable *values, const struct itp_export_words *words,
					  GError **error);

/* Writes `timeline`, or, where it is NULL as no single calls have come, the profiles so far; after
 * a failure nothing. To be called once. */
bool itp_export_job_finish(struct itp_export_job *job, const struct itp_export_timeline *timeline,
			   enum itp_rank_ending ending, GError **error);

#endif

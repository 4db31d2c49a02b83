/* SPDX-License-Identifier: MIT */
/*
 * Job of mining: traces in, patterns that explain their time out, in clusters (StackMine, sections
 * V and VI), by the options of a request.
 *
 *   mining-job.c        the job: its options, and its result
 *     stack-files.c       files of a database of stacks
 *   mined-recordings.c  recordings of perf as its traces
 *
 * Whoever has a job adds traces to `mining` (common/mine/intake.h), and has the result made.
 * Finding is common/mine's, looks are common/render/mining's; messages are left to sinks/mine.
 */
#ifndef ITP_MINING_JOB_MINING_JOB_H
#define ITP_MINING_JOB_MINING_JOB_H

#include "common/engine/params.h"
#include "common/mine/signatures.h"
#include "common/wait/interest.h"
#include "common/wait/symptom.h"

enum itp_mining_format {
	ITP_MINING_TEXT,
	ITP_MINING_JSONL,
	ITP_MINING_HTML,
};

struct itp_mining_job {
	/* Options by name. Strings and lists (char *) are owned by this. */
	GPtrArray *base;
	char *output;
	uint64_t top;
	enum itp_mining_format format;
	char *min_cost;
	char *signatures;
	char *save_signatures;
	GPtrArray *stacks;
	GPtrArray *focus;
	GPtrArray *ignore;
	/* Filled from `min_cost` as well. */
	struct itp_mining_options options;
	/* struct itp_signature of `signatures`, or NULL. Owned by this. */
	GArray *known;

	/* Symptom looked for, as given and parsed, or NULL for the slowest calls of the first path
	 * of each recording. Both weak. */
	const char *symptom;
	const struct itp_symptom_wish *wish;
	enum itp_interest_scope scope;
	/* Lines about each symptom (itp_render_mining_symptom()), or NULL. Owned by this. */
	GString *each;
	/* How many files could not be read, or only in part. */
	guint broken;

	/* Traces. Owned by this. */
	struct itp_mining mining;
};

/* Names of the options. */
extern const struct itp_param_table itp_mining_param_table;

/* Reads the options from `values` (common/engine/values.h), and the files that they name. Fails
 * where outputs cannot be written, or would harm any of `inputs` (char *, may be NULL). Also after
 * an error, release it. */
bool itp_mining_job_init(struct itp_mining_job *job, GHashTable *values, const GPtrArray *inputs,
			 GError **error);
void itp_mining_job_release(struct itp_mining_job *job);

/* Mines all traces that have come, and writes the result; an error without symptoms. To be called
 * once. */
bool itp_mining_job_finish(struct itp_mining_job *job, GError **error);

#endif

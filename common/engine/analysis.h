/* SPDX-License-Identifier: MIT */
/*
 * The core for hosts without a graph of their own: what filter.introperf.infer and
 * filter.introperf.normalize do, without messages.
 */
#ifndef ITP_ENGINE_ANALYSIS_H
#define ITP_ENGINE_ANALYSIS_H

#include "common/base/stack-event.h"
#include "common/infer/options.h"
#include "common/infer/profile-source.h"
#include "common/through/through.h"
#include "common/unit/log.h"
#include "common/wait/symptom.h"

struct itp_analysis_options {
	struct itp_infer_options infer;
	struct itp_normalize_options normalize;
	/* Reader of the functions' code, closed behind the last event; NULL: nobody reads it. */
	struct itp_flow (*open_flow)(struct itp_function_table *functions);
	/* Tree shared with other analyses, whose contexts then are the same; NULL: its own. Weak,
	 * must outlive the result. */
	struct itp_context_tree *tree;
	/* The host does not hear of lost events. */
	bool losses_untold;
	/* Doings of the threads by time are kept, for chains behind slow calls. */
	bool remembers;
	/* Symptoms to look for; NULL: none. Weak. */
	const struct itp_symptom_wish *wish;
	/* Units of work are found; and the contexts of their time. */
	bool finds_units;
	bool keeps_unit_profiles;
	/* Stacks are of machine code: functions interpreted by CPython are left out, as guards, in
	 * the kernel, see none. */
	bool is_of_machine_code;
	/* Requests are followed through threads and processes; it remembers then. */
	bool follows;
	/* Part of the profile: inside of units, as in common/unit/within.h, which are found then;
	 * NULL: all. Weak. */
	const char *in;
};

/* Of a workload by name. */
#define ITP_ANALYSIS_NO_UNITS                                                                      \
	"%s: system calls were watched in windows alone, between which nobody sees units of work " \
	"begin and end: record with --overhead none"

struct itp_analysis;

/* Analysis of a workload called `name`. `functions` is weak, must outlive the result, and has the
 * events' functions. */
struct itp_analysis *itp_analysis_new(const char *name, const struct itp_analysis_options *options,
				      struct itp_function_table *functions);
void itp_analysis_free(struct itp_analysis *analysis);

/* The recording watches `watched` (enum itp_watched), whatever comes. Before the first event, but
 * ITP_WATCHED_BY_HOST at any time. */
void itp_analysis_watch(struct itp_analysis *analysis, uint32_t watched);

/* Takes the next event, in the order of time. Returns 0 or a negative itp_error. */
int itp_analysis_push(struct itp_analysis *analysis, const struct itp_stack_event *event);

/* Ends a period, from `begin_ns` to `end_ns`, of an input that is looked at period by period.
 * *ret_source is its profile, in which open calls count until then, and which
 * itp_analysis_begin_period() frees. Returns 0 or a negative itp_error. */
int itp_analysis_end_period(struct itp_analysis *analysis, int64_t begin_ns, int64_t end_ns,
			    struct itp_profile_source *ret_source);
void itp_analysis_begin_period(struct itp_analysis *analysis);

/* The rest of the input is not read: the profile is not complete. */
void itp_analysis_end_early(struct itp_analysis *analysis);

/* Ends the input; to be called once, and no push may follow. *ret_source is the profile of all of
 * it, or of the events behind the last period, owned by the analysis; also after an error, except
 * when the units that it is to be of do not exist. */
bool itp_analysis_finish(struct itp_analysis *analysis, struct itp_profile_source *ret_source,
			 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* After itp_analysis_finish(): the profile, from now on the caller's; the source has it no more. */
struct itp_profile *itp_analysis_take_profile(struct itp_analysis *analysis);

/* Symptoms found, by the wish; NULL without one. Weak. */
struct itp_symptoms *itp_analysis_symptoms(const struct itp_analysis *analysis);

/* Units of work found; NULL when not looked for. Weak. */
const struct itp_unit_log *itp_analysis_units(const struct itp_analysis *analysis);

/* After itp_analysis_finish(): part of the time in which system calls were not watched, from 0
 * to 1. Units of work, which begin and end with system calls, are not looked for beyond
 * ITP_UNIT_MOST_REST. */
double itp_analysis_rests_part(const struct itp_analysis *analysis);

/* Requests followed; NULL when not looked for. Weak. */
const struct itp_through *itp_analysis_through(const struct itp_analysis *analysis);

/* Frees the data behind the source, large for large recordings, but for those needed by the
 * workload's `recall`. */
void itp_analysis_forget(struct itp_analysis *analysis);

#endif

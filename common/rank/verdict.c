/* SPDX-License-Identifier: MIT */
/*
 * See verdict.h.
 */
#include "common/rank/verdict.h"

#include <math.h>
#include <stdlib.h>

#include "common/rank/chance.h"
#include "common/rank/error-model.h"
#include "common/rank/evidence.h"
#include "common/rank/felt.h"
#include "common/rank/never-taken.h"

/* Least difference, as a part of the larger workload's own latency. */
#define DELTA_LEAST 0.01
/* Part of a difference by more calls from which the amount of work is doubted first. */
#define WORK_PART 0.5
/* Part of a difference on paths of only one workload from which all of it is sure. */
#define NEVER_TAKEN_PART 0.5

/* ---- Work ---- */

/* True if a workload called the entry's culprit more often for certain. */
static bool is_called_otherwise(const struct itp_rank_entry *entry)
{
	uint64_t suspect;
	uint64_t base;

	return itp_calls_compare(entry->suspect_calls, entry->base_calls, &suspect, &base) &&
	       suspect != base;
}

/* Doubts whether more work was done, even for a sure or likely difference. For code of a single
 * workload its being new or gone tells as much. */
static void doubt_work(const struct itp_rank_entry *entry, struct itp_significance *significance)
{
	double delta_ns = (double)(entry->suspect_value - entry->base_value);

	significance->is_called_otherwise = is_called_otherwise(entry);
	if (!itp_significance_is_chance(significance) && significance->is_called_otherwise &&
	    entry->suspect_calls.seen > 0 && entry->base_calls.seen > 0 &&
	    fabs((double)entry->delta.more_calls_ns) > WORK_PART * fabs(delta_ns)) {
		significance->doubt = ITP_DOUBT_ABOUT_WORK;
	}
}

/* ---- Many differences ---- */

static double without_waiting(const struct itp_node_stats *stats)
{
	return (double)(stats->own_ns - stats->own_use.runnable_ns);
}

/* Work and waits of the larger workload, waits for a CPU excepted: a busy machine makes nothing
 * small. */
static double whole_of(const struct itp_rank_state *state)
{
	double suspect_ns = 0;
	double base_ns = 0;

	for (uint32_t node = 1; node < state->node_count; node++) {
		if (itp_rank_is_ranked(state, node)) {
			suspect_ns += without_waiting(itp_side_stats(&state->suspect, node));
			base_ns += without_waiting(itp_side_stats(&state->base, node));
		}
	}
	return MAX(suspect_ns, base_ns);
}

static void add_member(GArray *members, uint32_t node, uint32_t group)
{
	const struct itp_member member = { .node = node, .group = group };

	g_array_append_val(members, member);
}

/* Members of groups. `owner` is the group of each node, `count` or more for none. */
static GArray *members_of(const struct itp_rank_state *state, const uint32_t *owner, guint count)
{
	GArray *members = g_array_new(FALSE, FALSE, sizeof(struct itp_member));

	for (uint32_t node = 1; node < state->node_count; node++) {
		if (owner[node] < count && !itp_rank_is_apart(state, node)) {
			add_member(members, node, owner[node]);
		}
	}
	return members;
}

/* Evidence on groups, at the speed that the machine had for the suspect. `assumed` are the spreads
 * before any is learned from it. Free with g_free(). */
static struct itp_evidence *evidence_of(const struct itp_rank_state *state, const GArray *members,
					guint count, const struct itp_spreads *assumed)
{
	struct itp_evidence *evidence = itp_evidence_new(state, members, count);

	itp_felt_level(evidence, count, &state->speed, assumed);
	return evidence;
}

/* True if a difference could be large enough by the size of its values, whether they differ or
 * not. */
static bool is_large(const struct itp_evidence *evidence, double least_ns)
{
	return MAX(evidence->suspect.value_ns, evidence->base.value_ns) >= least_ns;
}

/* ---- Paths taken by only one workload ---- */

/* Difference in nodes with `is_such` (ns), by group. Free with g_free(). */
static double *sum_nodes(const struct itp_rank_state *state, const GArray *members,
			 size_t group_count, const bool *is_such)
{
	double *sums = g_new0(double, group_count + 1);

	for (guint i = 0; i < members->len; i++) {
		const struct itp_member *member = &g_array_index(members, struct itp_member, i);

		if (is_such[member->node]) {
			sums[member->group] += (double)itp_rank_own_delta(state, member->node);
		}
	}
	return sums;
}

static double *sum_never_taken(const struct itp_rank_state *state, const GArray *members,
			       size_t group_count)
{
	g_autofree bool *is_never_taken = itp_never_taken_find(state);

	return sum_nodes(state, members, group_count, is_never_taken);
}

/* True for a part of the same direction. */
static bool is_mostly(double part_ns, double delta_ns, double least_ns)
{
	return part_ns * delta_ns > 0 && fabs(part_ns) >= NEVER_TAKEN_PART * fabs(delta_ns) &&
	       fabs(part_ns) >= least_ns;
}

/* ---- All entries ---- */

/* Largest probabilities of chance for a sure difference, and for a likely one. */
struct limits {
	double sure;
	double likely;
};

/* Evidence and limits for all entries. */
struct judging {
	/* Evidence by entry. Weak. */
	const struct itp_evidence *evidence;
	/* Before and after learning from the evidence. */
	struct itp_spreads assumed;
	struct itp_spreads spreads;
	struct limits limits;
};

/* Limits by which differences stand out of all that may be large. */
static struct limits find_limits(const struct itp_evidence *evidence,
				 const struct itp_rank_entries *entries, double least_ns)
{
	g_autofree double *p = g_new(double, entries->entries->len + 1);
	struct limits limits;
	size_t count = 0;

	for (guint i = 0; i < entries->entries->len; i++) {
		if (is_large(&evidence[i], least_ns)) {
			p[count++] =
				itp_rank_entry_at(entries->entries, i)->significance.probability;
		}
	}
	limits.sure = itp_chance_discovery_limit(p, count, ITP_CHANCE_OF_SURE);
	limits.likely = itp_chance_discovery_limit(p, count, ITP_CHANCE_OF_LIKELY);
	return limits;
}

static void call_never_taken(struct itp_significance *significance)
{
	significance->is_never_taken = true;
	significance->verdict = ITP_VERDICT_SURE;
}

static void call_entry(struct itp_rank_entry *entry, const struct limits *limits,
		       double never_taken_ns, double least_ns)
{
	struct itp_significance *significance = &entry->significance;
	double weight_ns = (double)entry->weight;

	significance->verdict =
		itp_verdict_of(significance->probability, limits->sure, limits->likely);
	if (fabs(weight_ns) < least_ns) {
		significance->verdict = ITP_VERDICT_CHANCE;
		significance->doubt = ITP_DOUBT_ABOUT_SIZE;
	} else if (is_mostly(never_taken_ns, weight_ns, least_ns)) {
		call_never_taken(significance);
	}
}

/* ---- Entries with chance below them ---- */

/* Owners of nodes with chance counted in, by node. Free with g_free(). Entries are made at the
 * largest differences: often a context below another became an entry of its own by the chance of
 * its ticks, and the rest of the upper entry then differs by as much, to the other side. An entry
 * must therefore also differ together with all entries below it that are chance. */
static uint32_t *owners_with_chance(const struct itp_rank_state *state,
				    const struct itp_rank_entries *entries)
{
	uint32_t *owners = g_new(uint32_t, state->node_count);

	owners[ITP_CONTEXT_ROOT] = ITP_NO_ENTRY;
	for (uint32_t node = 1; node < state->node_count; node++) {
		uint32_t owner = entries->owner[node];
		bool is_chance = owner >= entries->entries->len ||
				 itp_significance_is_chance(
					 &itp_rank_entry_at(entries->entries, owner)->significance);

		owners[node] = is_chance ? owners[itp_rank_parent(state, node)] : owner;
	}
	return owners;
}

/* Time on the CPU of `wide`, and all else of `narrow`: the place of waits is seen exactly. */
static struct itp_evidence with_cpu_time_of(const struct itp_evidence *narrow,
					    const struct itp_evidence *wide)
{
	struct itp_evidence both = *narrow;

	for (size_t kind = 0; kind < ITP_TIME_BLOCKED; kind++) {
		both.suspect.parts[kind] = wide->suspect.parts[kind];
		both.base.parts[kind] = wide->base.parts[kind];
		both.suspect.value_ns +=
			wide->suspect.parts[kind].value_ns - narrow->suspect.parts[kind].value_ns;
		both.base.value_ns +=
			wide->base.parts[kind].value_ns - narrow->base.parts[kind].value_ns;
	}
	both.suspect.runs = wide->suspect.runs;
	both.base.runs = wide->base.runs;
	return both;
}

/* Sets the weaker of both verdicts; true if it changed. */
static bool weaken(struct itp_rank_entry *entry, const struct itp_evidence *evidence,
		   const struct itp_spreads *spreads, const struct limits *limits)
{
	struct itp_significance *narrow = &entry->significance;
	const struct itp_significance wide = itp_error_model_apply(evidence, spreads);
	enum itp_verdict verdict = itp_verdict_of(wide.probability, limits->sure, limits->likely);

	if (wide.score * narrow->score < 0) {
		verdict = ITP_VERDICT_CHANCE;
	}
	if (narrow->is_never_taken || verdict >= narrow->verdict) {
		return false;
	}
	narrow->verdict = verdict;
	return true;
}

/* True if any verdict has become weaker: then more entries are chance. */
static bool weaken_all(const struct itp_rank_state *state, struct itp_rank_entries *entries,
		       const struct judging *judging)
{
	const guint count = entries->entries->len;
	g_autofree uint32_t *owners = owners_with_chance(state, entries);
	g_autoptr(GArray) members = members_of(state, owners, count);
	g_autofree struct itp_evidence *wide =
		evidence_of(state, members, count, &judging->assumed);
	bool is_weaker = false;

	for (guint i = 0; i < count; i++) {
		struct itp_rank_entry *entry = itp_rank_entry_at(entries->entries, i);

		if (!itp_significance_is_chance(&entry->significance)) {
			const struct itp_evidence both =
				with_cpu_time_of(&judging->evidence[i], &wide[i]);

			is_weaker |= weaken(entry, &both, &judging->spreads, &judging->limits);
		}
	}
	return is_weaker;
}

void itp_verdict_judge(const struct itp_rank_state *state, struct itp_rank_entries *entries)
{
	const guint count = entries->entries->len;
	g_autoptr(GArray) members = members_of(state, entries->owner, count);
	const struct itp_spreads assumed = itp_spreads_assume(state->spread);
	g_autofree struct itp_evidence *evidence = evidence_of(state, members, count, &assumed);
	g_autofree double *never_taken_ns = sum_never_taken(state, members, count);
	double least_ns = DELTA_LEAST * whole_of(state);
	struct judging judging = {
		.evidence = evidence,
		.assumed = assumed,
		.spreads = itp_spreads_learn(evidence, count, least_ns, &assumed),
	};

	for (guint i = 0; i < count; i++) {
		itp_rank_entry_at(entries->entries, i)->significance =
			itp_error_model_apply(&evidence[i], &judging.spreads);
	}
	judging.limits = find_limits(evidence, entries, least_ns);
	for (guint i = 0; i < count; i++) {
		call_entry(itp_rank_entry_at(entries->entries, i), &judging.limits,
			   never_taken_ns[i], least_ns);
	}
	while (weaken_all(state, entries, &judging)) {
	}
	for (guint i = 0; i < count; i++) {
		doubt_work(itp_rank_entry_at(entries->entries, i),
			   &itp_rank_entry_at(entries->entries, i)->significance);
	}
}

/* ---- Other differences ---- */

/* Judges a difference that is not one of many. */
static struct itp_significance judge_alone(const struct itp_evidence *evidence,
					   const struct itp_spreads *spreads, double never_taken_ns,
					   double least_ns)
{
	struct itp_significance significance = itp_error_model_apply(evidence, spreads);

	significance.verdict =
		itp_verdict_of(significance.probability, ITP_CHANCE_OF_SURE, ITP_CHANCE_OF_LIKELY);
	if (is_mostly(never_taken_ns, evidence->suspect.value_ns - evidence->base.value_ns,
		      least_ns)) {
		call_never_taken(&significance);
	}
	return significance;
}

/* Group of all nodes that are not idle. */
static GArray *members_of_whole(const struct itp_rank_state *state)
{
	GArray *members = g_array_new(FALSE, FALSE, sizeof(struct itp_member));

	for (uint32_t node = 1; node < state->node_count; node++) {
		if (itp_rank_is_ranked(state, node)) {
			add_member(members, node, 0);
		}
	}
	return members;
}

void itp_verdict_judge_whole(const struct itp_rank_state *state, struct itp_ranking *ret_ranking)
{
	g_autoptr(GArray) members = members_of_whole(state);
	const struct itp_spreads assumed = itp_spreads_assume(state->spread);
	g_autofree struct itp_evidence *evidence = evidence_of(state, members, 1, &assumed);
	g_autofree double *never_taken_ns = sum_never_taken(state, members, 1);
	struct itp_spreads spreads;

	/* Ticks say which context has the time, not how much there is. */
	for (size_t kind = 0; kind < ITP_TIME_BLOCKED; kind++) {
		evidence->suspect.parts[kind].variance = 0;
		evidence->base.parts[kind].variance = 0;
	}
	spreads = itp_spreads_learn(evidence, 1, 0, &assumed);
	ret_ranking->whole =
		judge_alone(evidence, &spreads, *never_taken_ns, DELTA_LEAST * whole_of(state));
	ret_ranking->visible = itp_error_model_visible(evidence, &spreads, 0);
	ret_ranking->visible_with_more = itp_error_model_visible(evidence, &spreads, ITP_MORE_RUNS);
}

void itp_verdict_judge_rows(const struct itp_rank_state *state, GArray *rows, const GArray *members)
{
	const struct itp_spreads assumed = itp_spreads_assume(state->spread);
	g_autofree struct itp_evidence *evidence = evidence_of(state, members, rows->len, &assumed);
	g_autofree double *never_taken_ns = sum_never_taken(state, members, rows->len);
	double least_ns = DELTA_LEAST * whole_of(state);
	const struct itp_spreads spreads =
		itp_spreads_learn(evidence, rows->len, least_ns, &assumed);

	for (guint i = 0; i < rows->len; i++) {
		struct itp_ranked_row *row = &g_array_index(rows, struct itp_ranked_row, i);

		row->judged_ns = llround(evidence[i].suspect.value_ns);
		row->base_judged_ns = llround(evidence[i].base.value_ns);
		row->significance =
			judge_alone(&evidence[i], &spreads, never_taken_ns[i], least_ns);
	}
}

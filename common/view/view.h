/* SPDX-License-Identifier: MIT */
/*
 * View: new profiles from old profiles of one tree, all in the same way; and names that make the
 * same functions, modules and programs of two recordings equal.
 *
 *   view.c            contexts and frames left out, merged and kept
 *   view-processes.c  processes of a view, chosen by name
 *   view-names.c      names of its functions
 *     names.c           canonical names, without traces of a build (main.cold)
 *     short-names.c     short names, without parts that every reader knows
 *   patterns.c        regular expressions that choose functions
 *   pairs.c           programs and modules with different names in two workloads
 *     pair-parts.c      the parts of each workload that pairs are made of
 *     renamed.c         functions with different names in two builds
 *                       (functions put into their callers by a compiler are not looked for)
 *
 * In this order: functions get their canonical names, and pairs of programs and modules (pairs.h) a
 * common name, so that siblings that become equal merge; `process`, `ignore`, `focus` and `root`
 * leave contexts out; `hide`, recursion folding and `max_depth` take frames out of the contexts
 * that are left. Patterns see canonical names and every frame, but not the roots of processes,
 * which always stay above the rest of them.
 *
 * Every node of the old tree goes to a node of the new tree, or is left out:
 *
 *   - to its caller's node (hide, folding, max_depth, a part of a function): it is no call then.
 *     Its own latency and use go to the caller, whose totals had them already; its count, extremes,
 *     squares, histogram and losses are gone. Nothing is added or lost in the sum of own latencies.
 *     Below a hidden frame at the begin of a process, the caller is the process;
 *   - otherwise to a call of its own, and all its numbers add up with others at this node.
 *
 * Contexts are left out with everything below them:
 *
 *   - process: contexts of other processes (view-processes.h);
 *   - ignore: contexts with a selected function. Their totals and use go out of their callers',
 *     with bounds as differences of intervals, so that a lower bound can be below 0;
 *   - root: all but the outermost selected functions and contexts below them, which then hang under
 *     their process;
 *   - focus: contexts without a selected function. Callers of a selected function stay without own
 *     latency.
 *
 * A frame or a process that only leads to contexts kept by focus or root has the sums of these as
 * total, bounds and use. Count, lost_count, extremes, squares and histogram of any caller stay
 * those of its calls as they were, and so does the workload's description, but for its options.
 *
 * All steps are linear, so the view of merged profiles is the merge of the views.
 */
#ifndef ITP_VIEW_VIEW_H
#define ITP_VIEW_VIEW_H

#include "common/view/view-input.h"

/* Fails when a pattern matches nothing, for an impossible pair, and when nothing is left. */
struct itp_view *itp_view_new(const struct itp_view_options *options,
			      const struct itp_view_input *input, GError **error);
void itp_view_free(struct itp_view *view);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Shared by the files of libintroperf: the definitions of its opaque types.
 *
 *   introperf.h  the interface for users
 *   begin.c      errors, begin and end
 *   functions.c  functions
 *   run.c        events → the profile of a run
 *   ranking.c    profiles → a ranking, entry by entry
 *
 * All runs annotate a common context tree over a common table of functions, so nothing has to be
 * matched when they are compared. No analysis is done here.
 */
#ifndef ITP_LIBRARY_LIBRARY_H
#define ITP_LIBRARY_LIBRARY_H

#include <glib.h>

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/engine/analysis.h"
#include "library/introperf.h"

struct introperf {
	/* Owned by this. */
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
	/* struct introperf_run *, owned by this. */
	GPtrArray *runs;
};

struct introperf_run {
	/* Owner. Weak. */
	struct introperf *introperf;
	enum introperf_role role;
	/* Analysis until the run is finished, then NULL, and the profile, NULL until then. Owned by
	 * this. */
	struct itp_analysis *analysis;
	struct itp_profile *profile;
	/* struct itp_frame: frames of the event at hand. Owned by this. */
	GArray *frames;
};

/* Frees a struct introperf_run and its members. */
void itp_library_run_free(gpointer run);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The calls of a recording → its units.
 *
 * A loop is a function's, whoever has called it: the contexts of units begin with it, below its
 * process, in a tree of their own.
 *
 * Which loops there are shows only after some time, so what threads do is kept for a while, and its
 * units are told when that is decided: after each batch of waits by all that is known then.
 */
#ifndef ITP_UNIT_FINDER_H
#define ITP_UNIT_FINDER_H

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/infer/stretch.h"
#include "common/unit/path-sets.h"
#include "common/unit/unit.h"

typedef void (*itp_unit_func)(const struct itp_unit *unit, void *data);

struct itp_unit_finder;

/* `tree` and `functions` are weak, and so is `data`. Units are told during itp_unit_finder_add()
 * and itp_unit_finder_finish(), those of one thread in the order of their ends, but for those that
 * another thread has answered, which may be told later. They may overlap: a request that waits for
 * a worker has begun before this has ended the one before, but not before it by `own_begin_ns`; and
 * a thread that serves several clients in an event loop works for one and the other. */
struct itp_unit_finder *itp_unit_finder_new(const struct itp_context_tree *tree,
					    const struct itp_function_table *functions,
					    itp_unit_func on_unit, void *data);
void itp_unit_finder_free(struct itp_unit_finder *finder);

/* Before the first call: units last from when the thread's own wait returns until it waits for work
 * again, also behind the answer, as a guard sees them, who does not know what is an answer. */
void itp_unit_finder_keep_turns(struct itp_unit_finder *finder);

/* Takes the next call that has ended, in the order in which the inference tells them. */
void itp_unit_finder_add(struct itp_unit_finder *finder, const struct itp_instance *instance);

/* Takes a system call that is in no context: it tells of requests all the same. */
void itp_unit_finder_add_unplaced(struct itp_unit_finder *finder, const struct itp_instance *call,
				  uint32_t function);

/* Takes the next stretch of a thread's life, likewise. */
void itp_unit_finder_add_stretch(struct itp_unit_finder *finder, const struct itp_stretch *stretch);

/* There are no more. A unit that has not ended is none. */
void itp_unit_finder_finish(struct itp_unit_finder *finder);

/* What may be missing, or is decided without proof. */
struct itp_unit_gaps {
	/* Units that had begun and had not ended when the recording did; and for how long the
	 * oldest of them had lasted. */
	uint64_t open_units;
	int64_t longest_open_ns;
	/* No wakeup tells who ended a wait, and no word on which descriptor a system call worked:
	 * what waits are for is told by their kinds alone. */
	bool has_no_proof;
};

struct itp_unit_gaps itp_unit_finder_gaps(const struct itp_unit_finder *finder);

/* uint32_t: the waits with which units of `loop` have begun, both of the finder's tree; NULL for
 * none. Weak. */
const GArray *itp_unit_finder_waits(const struct itp_unit_finder *finder, uint32_t loop);

/* uint32_t: the reads that have found another request of the client behind an answer, so that a
 * unit of `loop` has begun without a wait, and the waits for what comes of it that have ended one
 * and begin none, as until the client has closed the connection; likewise. */
const GArray *itp_unit_finder_reads(const struct itp_unit_finder *finder, uint32_t loop);

/* The contexts of units, and the call paths that they have taken. Weak. */
const struct itp_context_tree *itp_unit_finder_tree(const struct itp_unit_finder *finder);
const struct itp_path_sets *itp_unit_finder_paths(const struct itp_unit_finder *finder);

#endif

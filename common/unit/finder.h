/* SPDX-License-Identifier: MIT */
/*
 * Calls of a recording → its units.
 *
 * A loop belongs to a function, whoever calls it: the contexts of units begin with the function,
 * below its process, in a tree of their own.
 *
 * Loops show only after some time. The acts of threads are kept for a while, and their units are
 * told after each batch of waits, by all that is known then.
 */
#ifndef ITP_UNIT_FINDER_H
#define ITP_UNIT_FINDER_H

#include <stdbool.h>

#include "common/base/context-tree.h"
#include "common/base/function-table.h"
#include "common/infer/stretch.h"
#include "common/unit/path-sets.h"
#include "common/unit/unit.h"

/* Most of a recording in which system calls need not be watched: with more, long units would be
 * missed much oftener than short ones. Of a tenth, in rests of 10 ms, units of 10 ms are missed
 * twice as often as the shortest. */
#define ITP_UNIT_MOST_REST 0.1

/* True when units are told although system calls were not watched for this part of the time. */
static inline bool itp_unit_outlives_rests(double part)
{
	return part <= ITP_UNIT_MOST_REST;
}

struct itp_unit_finder;

/* `tree`, `functions` and `data` are weak. Units are told during itp_unit_finder_add() and
 * itp_unit_finder_finish(), units of one thread in the order of their ends; units answered by
 * another thread may be told later. Units may overlap: a request waiting for a worker has begun
 * before the end of the worker's previous one, but not before it by `own_begin_ns`; and a thread
 * with several clients in an event loop works for them by turns. */
struct itp_unit_finder *itp_unit_finder_new(const struct itp_context_tree *tree,
					    const struct itp_function_table *functions,
					    itp_unit_func on_unit, void *data);
void itp_unit_finder_free(struct itp_unit_finder *finder);

/* To be called before the first call, for a guard, who cannot tell answers: units last from the
 * return of the thread's own wait until its next wait for work, also behind the answer. */
void itp_unit_finder_keep_turns(struct itp_unit_finder *finder);

/* Takes the next ended call, in the order of the inference. */
void itp_unit_finder_add(struct itp_unit_finder *finder, const struct itp_instance *instance);

/* Takes a system call in no context: it tells of requests all the same. */
void itp_unit_finder_add_unplaced(struct itp_unit_finder *finder, const struct itp_instance *call,
				  uint32_t function);

/* Takes the next stretch of a thread's life, in the order of the inference. */
void itp_unit_finder_add_stretch(struct itp_unit_finder *finder, const struct itp_stretch *stretch);

/* System calls are watched from `time_ns` on, or no longer: until told, they are. Units with a part
 * in the time between are not told. */
void itp_unit_finder_watch(struct itp_unit_finder *finder, bool is_watched, int64_t time_ns);

/* Ends the input. A unit still open is not told. */
void itp_unit_finder_finish(struct itp_unit_finder *finder);

struct itp_unit_gaps itp_unit_finder_gaps(const struct itp_unit_finder *finder);

/* Waits with which units of `loop` have begun, uint32_t, both of the finder's tree; NULL for none.
 * Weak. */
const GArray *itp_unit_finder_waits(const struct itp_unit_finder *finder, uint32_t loop);

/* Reads with which units of `loop` have begun without a wait, as another request of the client lay
 * behind an answer; and waits behind an answer that have ended a unit and begun none, as until the
 * client has closed the connection. uint32_t of the finder's tree; NULL for none. Weak. */
const GArray *itp_unit_finder_reads(const struct itp_unit_finder *finder, uint32_t loop);

/* Contexts of units, and call paths of units. Weak. */
const struct itp_context_tree *itp_unit_finder_tree(const struct itp_unit_finder *finder);
const struct itp_path_sets *itp_unit_finder_paths(const struct itp_unit_finder *finder);

#endif

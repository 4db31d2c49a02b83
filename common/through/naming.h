/* SPDX-License-Identifier: MIT */
/*
 * Function of the program in which a hop, or several of a kind, spent its own time, by its thread's
 * stacks.
 */
#ifndef ITP_THROUGH_NAMING_H
#define ITP_THROUGH_NAMING_H

#include "common/through/hops.h"
#include "common/wait/chain.h"

/* Divisor of a time: a context with more than a 2nd of it has most of it. */
#define ITP_NAMING_PART 2

/* Times by node: each counts for its callers, too. */
struct itp_naming {
	/* Weak. */
	const struct itp_recall *recall;
	/* int64_t by node. Owned by this. */
	GHashTable *times;
	int64_t total_ns;
};

void itp_naming_init(struct itp_naming *naming, const struct itp_recall *recall);
void itp_naming_release(struct itp_naming *naming);
void itp_naming_clear(struct itp_naming *naming);

/* Adds the own time of hop `i`: without its waits for others. Its use is added to `use`. */
void itp_naming_add(struct itp_naming *naming, const struct itp_hops *hops, guint i,
		    struct itp_time_use *use);

/* Function with most of the added time; ITP_CONTEXT_ROOT: nothing was added. */
uint32_t itp_naming_node(const struct itp_naming *naming, int64_t *ret_ns);

#endif

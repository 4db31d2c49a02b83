/* SPDX-License-Identifier: MIT */
/*
 * Limits from units that nobody disturbed: a recorder takes time itself, in each system call, so
 * that recorded units tell which types there are, but not how long they take. A guard counts units
 * where they are, and what it has counted while all was well is what is usual.
 */
#ifndef ITP_GUARD_LEARNING_H
#define ITP_GUARD_LEARNING_H

#include "common/guard/guard.h"

/* Guards may tell of one unit in so many while all is well. Of those that were learned no more are
 * beyond the limit; which is what one in five times as many takes, as machines are busier at times
 * than while guards learned, and fewer units were often learned: by their tail (learning.c). */
#define ITP_GUARD_ALLOWED_ONE_IN 2000
#define ITP_GUARD_ONE_IN (5 * ITP_GUARD_ALLOWED_ONE_IN)
/* Of types that have not learned, a unit is late if it takes longer than this times the longest. */
#define ITP_GUARD_LATE 1.5

/* What a guard has counted of a type. */
struct itp_guard_counted {
	uint64_t units;
	uint64_t total_ns;
	uint64_t max_ns;
	uint64_t buckets[ITP_GUARD_BUCKETS];
};

/* Sets what the type says of its units by what was counted; a type of fewer than
 * ITP_GUARD_UNITS_LEAST units stays as it is. The limit is what all but one in
 * ITP_GUARD_ALLOWED_ONE_IN units took at least, which is as long as the longest of fewer units, and
 * twice that at most. Returns whether it was set. */
bool itp_guard_type_learn(struct itp_guard_type *type, const struct itp_guard_counted *counted);

/* Types that have not learned, of a loop of which others have, get the largest limit of these, as
 * recording takes time; but of one whose longest recorded unit took nearly as long, what was
 * recorded is all that is known: half as long again as that.
 * Example: a timer that is only due while nobody asks. What is usual for such a type is what is for
 * any of the others, and what half of its recorded units took at least. `learned` has a number for
 * each type. */
void itp_guard_loop_learn(struct itp_guard_loop *loop, const bool *learned);

#endif

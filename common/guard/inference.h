/* SPDX-License-Identifier: MIT */
/*
 * The type of a unit, by its contexts (PerfGuard, section 4.3).
 *
 * Contexts of a loop are bits. The type of a unit is the type with most usual contexts in the unit;
 * among equals, with fewest missing; among equals again, with the smallest limit. The paper chooses
 * so, as an alarm too many is better than an alarm too few. Limits compared are of recorded units,
 * so that learned limits do not change the type from whose units they come.
 *
 * An unfinished unit may be of any type that has all of its contexts; it is late for certain once
 * beyond all their limits. A unit with contexts that no type has together, such as two requests of
 * two types, has no type: it is late if beyond the limits of all types, and no type learns from it.
 *
 * All is in this header, compiled for the kernel, too: no function of a library, and no loop over
 * types, written differently for the kernel.
 */
#ifndef ITP_GUARD_INFERENCE_H
#define ITP_GUARD_INFERENCE_H

#include <stdbool.h>
#include <stdint.h>

/* Most contexts of a loop, as bits of a number, and most types. */
#define ITP_GUARD_MOST 64

/* Limit of units that are never late, such as while a guard learns. */
#define ITP_GUARD_NO_LIMIT INT64_MAX

struct itp_guard_shape {
	/* Contexts of most of its units; contexts of any of them. */
	uint64_t usual;
	uint64_t possible;
	int64_t limit_ns;
	/* Limit by recorded units; 0 when unknown. */
	int64_t recorded_ns;
};

static inline __attribute__((always_inline)) uint32_t itp_guard_count_bits(uint64_t bits)
{
	bits = bits - ((bits >> 1) & UINT64_C(0x5555555555555555));
	bits = (bits & UINT64_C(0x3333333333333333)) + ((bits >> 2) & UINT64_C(0x3333333333333333));
	bits = (bits + (bits >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (uint32_t)((bits * UINT64_C(0x0101010101010101)) >> 56);
}

/* The greater, the likelier; the recorded limit decides between equals, and then the number. */
static inline __attribute__((always_inline)) uint32_t itp_guard_likelihood(
	const struct itp_guard_shape *shape, uint64_t seen)
{
	return itp_guard_count_bits(shape->usual & seen) * (ITP_GUARD_MOST + 1) + ITP_GUARD_MOST -
	       itp_guard_count_bits(shape->usual & ~seen);
}

/* State after some types were considered. */
struct itp_guard_choice {
	uint64_t seen;
	/* The likeliest type. */
	uint32_t type;
	uint32_t likelihood;
	int64_t recorded_ns;
	/* Limits of types that the unit may still be of; 0 for none of them. */
	int64_t smallest_ns;
	int64_t largest_ns;
	/* Limits of all types. */
	int64_t all_smallest_ns;
	int64_t all_largest_ns;
};

static inline __attribute__((always_inline)) void itp_guard_choice_init(
	struct itp_guard_choice *choice, uint64_t seen)
{
	*choice = (struct itp_guard_choice){ .seen = seen,
					     .smallest_ns = INT64_MAX,
					     .all_smallest_ns = INT64_MAX };
}

/* Looks at type `number`. */
static inline __attribute__((always_inline)) void itp_guard_consider(
	struct itp_guard_choice *choice, const struct itp_guard_shape *shape, uint32_t number)
{
	const uint32_t likelihood = itp_guard_likelihood(shape, choice->seen);
	const int64_t limit_ns = shape->limit_ns;

	if (number == 0 || likelihood > choice->likelihood ||
	    (likelihood == choice->likelihood && shape->recorded_ns < choice->recorded_ns)) {
		choice->type = number;
		choice->likelihood = likelihood;
		choice->recorded_ns = shape->recorded_ns;
	}
	if (limit_ns < choice->all_smallest_ns) {
		choice->all_smallest_ns = limit_ns;
	}
	if (limit_ns > choice->all_largest_ns) {
		choice->all_largest_ns = limit_ns;
	}
	if ((choice->seen & ~shape->possible) != 0) {
		return;
	}
	if (limit_ns < choice->smallest_ns) {
		choice->smallest_ns = limit_ns;
	}
	if (limit_ns > choice->largest_ns) {
		choice->largest_ns = limit_ns;
	}
}

/* Some type has all contexts of the unit together. */
static inline __attribute__((always_inline)) bool itp_guard_is_of_a_type(
	const struct itp_guard_choice *choice)
{
	return choice->largest_ns > 0;
}

/* Limits of an unfinished unit: late by any type it may be of, and by all of them. All types count
 * if none has the unit's contexts together. */
static inline __attribute__((always_inline)) int64_t itp_guard_smallest_limit_ns(
	const struct itp_guard_choice *choice)
{
	return itp_guard_is_of_a_type(choice) ? choice->smallest_ns : choice->all_smallest_ns;
}

static inline __attribute__((always_inline)) int64_t itp_guard_largest_limit_ns(
	const struct itp_guard_choice *choice)
{
	return itp_guard_is_of_a_type(choice) ? choice->largest_ns : choice->all_largest_ns;
}

/* Buckets of latencies, by the first bit and the two behind: to within a quarter. */
#define ITP_GUARD_BUCKETS 256

static inline __attribute__((always_inline)) uint32_t itp_guard_bucket(uint64_t latency_ns)
{
	uint32_t bit = 0;

	if (latency_ns < 4) {
		return (uint32_t)latency_ns;
	}
	for (uint32_t step = 32; step > 0; step /= 2) {
		if (latency_ns >> bit >= UINT64_C(1) << step) {
			bit += step;
		}
	}
	return (bit * 4 + (uint32_t)(latency_ns >> (bit - 2) & 3)) & (ITP_GUARD_BUCKETS - 1);
}

/* The smallest latency in a bucket. */
static inline uint64_t itp_guard_bucket_ns(uint32_t bucket)
{
	return bucket < 8 ? bucket & 3 : (UINT64_C(4) | (bucket & 3)) << (bucket / 4 - 2);
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Units of a workload's work in a profile (common/unit): for each type sums, the distribution of
 * its units, and the slowest. Types are equal when their texts are; sums of two workloads are sums
 * of all their units, in any order. Finding units is left to others.
 */
#ifndef ITP_INFER_UNIT_SUMS_H
#define ITP_INFER_UNIT_SUMS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/infer/instance.h"
#include "common/infer/latencies.h"
#include "common/infer/slowest.h"

/* Separator between names that tell a type. */
#define ITP_UNIT_BETWEEN_NAMES "; "

/* All units of a type. Strings are weak, but for kept ones. */
struct itp_unit_sum {
	const char *process;
	/* Function with the type's loop, and the waiting system call, without "syscall:". */
	const char *loop;
	const char *wait;
	/* Functions that only units of the type call, as "a; b"; "" for a loop's only type. */
	const char *telling;
	uint64_t count;
	int64_t total_ns;
	int64_t min_ns;
	int64_t max_ns;
	struct itp_time_use use;
};

/* True when a user who types `name` means the type: by its loop's function, or by a function that
 * tells it from the others. */
bool itp_unit_sum_is_meant(const struct itp_unit_sum *sum, const char *name);

struct itp_unit_sums;

struct itp_unit_sums *itp_unit_sums_new(void);
void itp_unit_sums_free(struct itp_unit_sums *sums);

/* Adds to the sums of the type; returns its number. */
guint itp_unit_sums_add(struct itp_unit_sums *sums, const struct itp_unit_sum *sum);
void itp_unit_sums_merge(struct itp_unit_sums *sums, const struct itp_unit_sums *other);
/* Adds all of `other`, whose slowest units are recording `run`'s. */
void itp_unit_sums_merge_run(struct itp_unit_sums *sums, const struct itp_unit_sums *other,
			     uint32_t run);

/* Sum by number, in the order of arrival; NULL behind the last one. Weak. */
const struct itp_unit_sum *itp_unit_sums_get(const struct itp_unit_sums *sums, guint number);

/* Sets the error that a workload has no units of `name`, or none at all; `param` is the parameter
 * that asks for them. */
void itp_unit_sums_refuse(const struct itp_unit_sums *sums, const char *param, const char *workload,
			  const char *name, GError **error);
/* "serve (answer; hand_over), work". Owned by the caller. */
char *itp_unit_sums_list(const struct itp_unit_sums *sums);

/* Latencies of units, and the slowest units; nodes are numbers of types. Weak. */
struct itp_latencies *itp_unit_sums_latencies(const struct itp_unit_sums *sums);
struct itp_slowest *itp_unit_sums_slowest(const struct itp_unit_sums *sums);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What a profile holds of its workload's units of work (common/unit): of each type the sums, how
 * its units are distributed, and the slowest. Types are the same when their texts are; sums of two
 * workloads are those of all their units, in any order. How units are found is left to others.
 */
#ifndef ITP_INFER_UNIT_SUMS_H
#define ITP_INFER_UNIT_SUMS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/infer/instance.h"
#include "common/infer/latencies.h"
#include "common/infer/slowest.h"

/* Between names of what tells a type. */
#define ITP_UNIT_BETWEEN_NAMES "; "

/* All units of one type. Strings are weak, but for those that are kept. */
struct itp_unit_sum {
	const char *process;
	/* The function whose loop it is, and the system call that waits, without "syscall:". */
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

/* Whether the type is one that a user means who types `name`: that of its loop's function, or of
 * one that tells it from the others. */
bool itp_unit_sum_is_meant(const struct itp_unit_sum *sum, const char *name);

struct itp_unit_sums;

struct itp_unit_sums *itp_unit_sums_new(void);
void itp_unit_sums_free(struct itp_unit_sums *sums);

/* Adds to what is known of the type; returns its number. */
guint itp_unit_sums_add(struct itp_unit_sums *sums, const struct itp_unit_sum *sum);
void itp_unit_sums_merge(struct itp_unit_sums *sums, const struct itp_unit_sums *other);
/* Adds all of `other`, whose slowest units are those of recording `run`. */
void itp_unit_sums_merge_run(struct itp_unit_sums *sums, const struct itp_unit_sums *other,
			     uint32_t run);

/* By number, those that came first first; NULL behind the last one. Weak. */
const struct itp_unit_sum *itp_unit_sums_get(const struct itp_unit_sums *sums, guint number);

/* Sets the error that a workload has no units of `name`, or none at all; `param` asks for these. */
void itp_unit_sums_refuse(const struct itp_unit_sums *sums, const char *param, const char *workload,
			  const char *name, GError **error);
/* "serve (answer; hand_over), work". Owned by the caller. */
char *itp_unit_sums_list(const struct itp_unit_sums *sums);

/* How long units took, and which took longest; nodes are numbers of types. Weak. */
struct itp_latencies *itp_unit_sums_latencies(const struct itp_unit_sums *sums);
struct itp_slowest *itp_unit_sums_slowest(const struct itp_unit_sums *sums);

#endif

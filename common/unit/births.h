/* SPDX-License-Identifier: MIT */
/*
 * Makers of threads and processes, and the maker's unit at the birth: a server that forks or makes
 * a thread for each connection hands the request over by the birth.
 */
#ifndef ITP_UNIT_BIRTHS_H
#define ITP_UNIT_BIRTHS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/unit/unit.h"

struct itp_birth {
	/* Thread that made the child, and the time. */
	int32_t maker;
	int64_t time_ns;
	/* True when the maker's unit at the birth is known; `unit` is zero for none. */
	bool is_settled;
	struct itp_unit unit;
};

struct itp_births;

struct itp_births *itp_births_new(void);
void itp_births_free(struct itp_births *births);

/* The thread `maker` has made the thread `child`, or a process with `child` as first thread. */
void itp_births_note(struct itp_births *births, int32_t child, int32_t maker, int64_t time_ns);

/* The thread `maker` is in `unit` (NULL: in none) until `until_ns`, and was for all its births
 * since the last call. */
void itp_births_settle(struct itp_births *births, int32_t maker, int64_t until_ns,
		       const struct itp_unit *unit);

/* True when the maker of the thread is known and not forgotten. */
bool itp_births_has(const struct itp_births *births, int32_t child);

/* Takes and forgets a birth, as another thread may get the number later; false when it was not
 * seen. */
bool itp_births_take(struct itp_births *births, int32_t child, struct itp_birth *ret_birth);

#endif

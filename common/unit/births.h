/* SPDX-License-Identifier: MIT */
/*
 * Who has made which thread or process, and in which unit: a server that forks for each connection,
 * or makes a thread for it, hands the request over by that.
 */
#ifndef ITP_UNIT_BIRTHS_H
#define ITP_UNIT_BIRTHS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/unit/unit.h"

struct itp_birth {
	/* The thread that has made it, and when. */
	int32_t maker;
	int64_t time_ns;
	/* It is known in which unit of the maker that was; `unit` is zero where it was in none. */
	bool is_settled;
	struct itp_unit unit;
};

struct itp_births;

struct itp_births *itp_births_new(void);
void itp_births_free(struct itp_births *births);

/* The thread has made another one, or a process whose first thread that is. */
void itp_births_note(struct itp_births *births, int32_t child, int32_t maker, int64_t time_ns);

/* The thread is still in this unit at `until_ns`, or in none (NULL): so it was when it has made
 * others since it was asked for last. */
void itp_births_settle(struct itp_births *births, int32_t maker, int64_t until_ns,
		       const struct itp_unit *unit);

/* Whether it is known who has made the thread, and was not forgotten. */
bool itp_births_has(const struct itp_births *births, int32_t child);

/* Forgets it, as the number may be another thread's later; false when it was not seen. */
bool itp_births_take(struct itp_births *births, int32_t child, struct itp_birth *ret_birth);

#endif

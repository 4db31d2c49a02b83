/* SPDX-License-Identifier: MIT */
/*
 * A profile's units of work as the records that stand for them in messages: each type, behind it
 * how its units are distributed and the slowest of them.
 */
#ifndef ITP_MESSAGES_UNIT_RECORDS_H
#define ITP_MESSAGES_UNIT_RECORDS_H

#include "common/infer/unit-sums.h"
#include "messages/id-map.h"
#include "messages/profile-records.h"

/* Sends all of `sums`, the slowest units only if `has_slowest`. */
bool itp_unit_records_send(const struct itp_unit_sums *sums, bool has_slowest,
			   itp_profile_record_func send, void *data, GError **error);

/* Adds what a record tells to `sums`; those that are none of units tell nothing. `ids` are the
 * types of the trace as numbers of `sums`. */
bool itp_unit_records_take(struct itp_unit_sums *sums, struct itp_id_map *ids,
			   const struct itp_record *record, GError **error);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A profile's units of work as records for messages: each type, and behind it the distribution of
 * its units, and the slowest.
 */
#ifndef ITP_SCHEMA_UNIT_RECORDS_H
#define ITP_SCHEMA_UNIT_RECORDS_H

#include "common/infer/unit-sums.h"
#include "common/schema/id-map.h"
#include "common/schema/schema.h"

/* Takes a record, of the C type of `type`. */
typedef bool (*itp_profile_record_func)(void *data, enum itp_record_type type, const void *record,
					GError **error);

/* Sends all of `sums`, the slowest units only if `has_slowest`. */
bool itp_unit_records_send(const struct itp_unit_sums *sums, bool has_slowest,
			   itp_profile_record_func send, void *data, GError **error);

/* Adds a record to `sums`; records of other types add nothing. `ids` are the types of the trace as
 * numbers of `sums`. */
bool itp_unit_records_take(struct itp_unit_sums *sums, struct itp_id_map *ids,
			   const struct itp_record *record, GError **error);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The value of a field in a record: `member` points to the field's member, or to an element of its
 * array. The width in a message or file is its writer's business.
 */
#ifndef ITP_SCHEMA_FIELD_H
#define ITP_SCHEMA_FIELD_H

#include "common/schema/schema.h"

uint64_t itp_field_unsigned(const struct itp_field *field, const char *member);
int64_t itp_field_signed(const struct itp_field *field, const char *member);

/* False for a value that is above the field's limit, or too large for the member. */
bool itp_field_set_unsigned(const struct itp_field *field, uint64_t value, char *member);
bool itp_field_set_signed(const struct itp_field *field, int64_t value, char *member);
/* Value of a field that an older input lacks. */
void itp_field_set_nothing(const struct itp_field *field, char *member);

/* How many buckets of the histogram are told: those behind are empty. */
size_t itp_told_buckets(const struct itp_node_stats *stats);

#endif

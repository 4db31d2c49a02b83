/* SPDX-License-Identifier: MIT */
/*
 * See field.h.
 */
#include "common/schema/field.h"

#include <string.h>

uint64_t itp_field_unsigned(const struct itp_field *field, const char *member)
{
	switch (field->bytes) {
	case sizeof(uint8_t):
		return *(const uint8_t *)member;
	case sizeof(uint32_t):
		return *(const uint32_t *)member;
	default:
		return *(const uint64_t *)member;
	}
}

int64_t itp_field_signed(const struct itp_field *field, const char *member)
{
	return field->bytes == sizeof(int32_t) ? *(const int32_t *)member :
						 *(const int64_t *)member;
}

bool itp_field_set_unsigned(const struct itp_field *field, uint64_t value, char *member)
{
	if (field->limit > 0 && value >= field->limit) {
		return false;
	}
	switch (field->bytes) {
	case sizeof(uint8_t):
		*(uint8_t *)member = (uint8_t)value;
		return value <= UINT8_MAX;
	case sizeof(uint32_t):
		*(uint32_t *)member = (uint32_t)value;
		return value <= UINT32_MAX;
	default:
		*(uint64_t *)member = value;
		return true;
	}
}

bool itp_field_set_signed(const struct itp_field *field, int64_t value, char *member)
{
	if (field->bytes == sizeof(int32_t)) {
		*(int32_t *)member = (int32_t)value;
		return value >= INT32_MIN && value <= INT32_MAX;
	}
	*(int64_t *)member = value;
	return true;
}

void itp_field_set_nothing(const struct itp_field *field, char *member)
{
	if (field->type == ITP_FIELD_STRING) {
		*(const char **)member = "";
	} else {
		memset(member, 0, field->bytes);
	}
}

size_t itp_told_buckets(const struct itp_node_stats *stats)
{
	size_t count = ITP_HISTOGRAM_BUCKETS;

	while (count > 0 && stats->histogram[count - 1] == 0) {
		count--;
	}
	return count;
}

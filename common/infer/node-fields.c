/* SPDX-License-Identifier: MIT */
/*
 * See node-fields.h.
 */
#include "common/infer/node-fields.h"

enum type {
	UNSIGNED,
	SIGNED,
};

enum merging {
	SUM,
	MIXED,
};

static const struct {
	const char *name;
	size_t offset;
	enum type type;
	enum merging merging;
} fields[ITP_NODE_FIELD_COUNT] = {
#define FIELD(name, member, type, merging) \
	[ITP_NODE_##name] = { #name, offsetof(struct itp_node_stats, member), type, merging },
	ITP_NODE_FIELDS(FIELD) ITP_NODE_LATER_FIELDS(FIELD)
#undef FIELD
};

#define CHECK(name, member, type, merging) \
	G_STATIC_ASSERT(sizeof(((struct itp_node_stats *)NULL)->member) == sizeof(uint64_t));
ITP_NODE_FIELDS(CHECK)
ITP_NODE_LATER_FIELDS(CHECK)
#undef CHECK

/* A number added to the statistics is added to the list too. */
G_STATIC_ASSERT(ITP_NODE_FIELD_COUNT * sizeof(uint64_t) +
			sizeof(((struct itp_node_stats *)NULL)->histogram) ==
		sizeof(struct itp_node_stats));

/* Signed and unsigned numbers may be looked at as each other, and add up alike. */
static uint64_t *number_of_field(struct itp_node_stats *stats, enum itp_node_field field)
{
	return (uint64_t *)(void *)((char *)stats + fields[field].offset);
}

static uint64_t value_of_field(const struct itp_node_stats *stats, enum itp_node_field field)
{
	return *number_of_field((struct itp_node_stats *)stats, field);
}

const char *itp_node_field_name(enum itp_node_field field)
{
	return fields[field].name;
}

bool itp_node_field_is_signed(enum itp_node_field field)
{
	return fields[field].type == SIGNED;
}

uint64_t itp_node_field_value(const struct itp_node_stats *stats, enum itp_node_field field)
{
	return field == ITP_NODE_min_ns && stats->count == 0 ? 0 : value_of_field(stats, field);
}

void itp_node_fields_add(struct itp_node_stats *stats, const struct itp_node_stats *other)
{
	for (enum itp_node_field field = 0; field < ITP_NODE_FIELD_COUNT; field++) {
		if (fields[field].merging == SUM) {
			*number_of_field(stats, field) += value_of_field(other, field);
		}
	}
}

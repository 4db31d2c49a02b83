/* SPDX-License-Identifier: MIT */
/*
 * Addresses within a range: a bit for each possible address, where there are any near it.
 */
#ifndef ITP_CONTROL_FLOW_ADDRESS_SET_H
#define ITP_CONTROL_FLOW_ADDRESS_SET_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct itp_flow_range {
	uint64_t start;
	uint64_t end;
};

struct itp_address_set;

/* Empty set of addresses in `range`. */
struct itp_address_set *itp_address_set_new(struct itp_flow_range range);
void itp_address_set_free(struct itp_address_set *set);

/* Nothing happens for an address outside of the range. */
void itp_address_set_add(struct itp_address_set *set, uint64_t address);

bool itp_address_set_has(const struct itp_address_set *set, uint64_t address);
/* True when any address of `range` is in the set. */
bool itp_address_set_has_any(const struct itp_address_set *set, struct itp_flow_range range);

/* Bytes on the heap. */
size_t itp_address_set_bytes(const struct itp_address_set *set);

#endif

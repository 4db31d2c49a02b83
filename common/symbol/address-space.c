/* SPDX-License-Identifier: MIT */
/*
 * A sorted array for each process image, copied on the first write after a fork.
 */
#include "common/symbol/address-space.h"

#include "common/base/order.h"

#include <glib.h>

struct itp_address_space {
	unsigned int references;
	uint32_t layout;
	/* Index of the mapping found last. */
	guint last_hit;
	/* Of the dump, when the layout got its number. */
	uint32_t jit_generation;
	bool has_byte_code;
	/* struct itp_mapping. Owned by this. */
	GArray *mappings;
	/* Weak, may be NULL. */
	struct itp_jit_dump *jit;
};

static struct itp_mapping *mapping_at(const struct itp_address_space *space, guint i)
{
	return &g_array_index(space->mappings, struct itp_mapping, i);
}

struct itp_address_space *itp_address_space_new(void)
{
	struct itp_address_space *space = g_new0(struct itp_address_space, 1);

	space->references = 1;
	space->mappings = g_array_new(FALSE, FALSE, sizeof(struct itp_mapping));
	return space;
}

struct itp_address_space *itp_address_space_ref(struct itp_address_space *space)
{
	space->references++;
	return space;
}

void itp_address_space_unref(struct itp_address_space *space)
{
	if (space && --space->references == 0) {
		g_array_free(space->mappings, TRUE);
		g_free(space);
	}
}

static void make_private(struct itp_address_space **space)
{
	struct itp_address_space *copy;

	if ((*space)->references == 1) {
		return;
	}
	copy = itp_address_space_new();
	g_array_append_vals(copy->mappings, (*space)->mappings->data, (*space)->mappings->len);
	copy->has_byte_code = (*space)->has_byte_code;
	copy->layout = (*space)->layout;
	copy->jit_generation = (*space)->jit_generation;
	copy->jit = (*space)->jit;
	itp_address_space_unref(*space);
	*space = copy;
}

void itp_address_space_map(struct itp_address_space **space, const struct itp_mapping *mapping,
			   uint32_t layout)
{
	/* Rest of the first overlapped mapping, the new mapping, rest of the last. */
	struct itp_mapping pieces[3];
	guint count = 0;
	guint first;
	guint last;

	if (mapping->end <= mapping->start || (*space)->mappings->len + 2 > ITP_MAX_MAPPINGS) {
		return;
	}
	make_private(space);
	/* First mapping with an end behind the beginning. */
	first = itp_count_up_to((*space)->mappings, offsetof(struct itp_mapping, end),
				mapping->start);
	last = first;
	while (last < (*space)->mappings->len && mapping_at(*space, last)->start < mapping->end) {
		last++;
	}
	if (first < last && mapping_at(*space, first)->start < mapping->start) {
		pieces[count] = *mapping_at(*space, first);
		pieces[count++].end = mapping->start;
	}
	pieces[count++] = *mapping;
	if (first < last && mapping_at(*space, last - 1)->end > mapping->end) {
		pieces[count] = *mapping_at(*space, last - 1);
		pieces[count].offset += mapping->end - pieces[count].start;
		pieces[count++].start = mapping->end;
	}
	if (first < last) {
		g_array_remove_range((*space)->mappings, first, last - first);
	}
	g_array_insert_vals((*space)->mappings, first, pieces, count);
	(*space)->has_byte_code |= mapping->is_byte_code;
	(*space)->layout = layout;
	(*space)->last_hit = first;
}

void itp_address_space_unmap(struct itp_address_space **space, uint64_t image, uint32_t layout)
{
	make_private(space);
	for (guint i = (*space)->mappings->len; i-- > 0;) {
		if (mapping_at(*space, i)->image == image) {
			g_array_remove_index((*space)->mappings, i);
		}
	}
	(*space)->layout = layout;
}

const struct itp_mapping *itp_address_space_find(struct itp_address_space *space, uint64_t address)
{
	const struct itp_mapping *mapping;
	guint i = space->last_hit;

	if (i < space->mappings->len) {
		mapping = mapping_at(space, i);
		if (address >= mapping->start && address < mapping->end) {
			return mapping;
		}
	}
	i = itp_count_up_to(space->mappings, offsetof(struct itp_mapping, end), address);
	if (i == space->mappings->len || mapping_at(space, i)->start > address) {
		return NULL;
	}
	space->last_hit = i;
	return mapping_at(space, i);
}

const struct itp_mapping *itp_address_space_get(const struct itp_address_space *space,
						uint32_t number)
{
	return number < space->mappings->len ? mapping_at(space, number) : NULL;
}

uint64_t itp_address_space_room(const struct itp_address_space *space, uint64_t address)
{
	guint i = itp_count_up_to(space->mappings, offsetof(struct itp_mapping, end), address);

	if (i < space->mappings->len && mapping_at(space, i)->start <= address) {
		i++;
	}
	return (i < space->mappings->len ? mapping_at(space, i)->start : UINT64_MAX) - address;
}

bool itp_address_space_has_byte_code(const struct itp_address_space *space)
{
	return space->has_byte_code;
}

bool itp_address_space_is_empty(const struct itp_address_space *space)
{
	return space->mappings->len == 0;
}

uint32_t itp_address_space_layout(const struct itp_address_space *space)
{
	return space->layout;
}

void itp_address_space_set_jit(struct itp_address_space **space, struct itp_jit_dump *dump)
{
	make_private(space);
	(*space)->jit = dump;
}

struct itp_jit_dump *itp_address_space_jit(const struct itp_address_space *space)
{
	return space->jit;
}

bool itp_address_space_renew(struct itp_address_space *space, uint32_t generation, uint32_t layout)
{
	if (space->jit_generation == generation) {
		return false;
	}
	space->jit_generation = generation;
	space->layout = layout;
	return true;
}

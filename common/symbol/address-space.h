/* SPDX-License-Identifier: MIT */
/*
 * Mappings of a process image: sorted, without overlaps.
 *
 * A fork shares the parent's address space until either process changes it, and a child costs
 * nothing until then. Each state of an address space has a layout number, given by its changer
 * (symbolizer.c): equal layouts mean equal mappings, and processes can share results of look-ups.
 */
#ifndef ITP_SYMBOL_ADDRESS_SPACE_H
#define ITP_SYMBOL_ADDRESS_SPACE_H

#include <stdbool.h>
#include <stdint.h>

/* Most mappings, about as many as Linux allows a process (vm.max_map_count); further mappings are
 * dropped. */
#define ITP_MAX_MAPPINGS 65536

struct itp_jit_dump;
struct itp_module;

struct itp_mapping {
	uint64_t start;
	/* Behind the last byte. */
	uint64_t end;
	/* Offset of `start` in the module's file. */
	uint64_t offset;
	/* Address of the whole file's begin in memory, 0 when unknown. */
	uint64_t image;
	/* Weak. */
	struct itp_module *module;
	/* Code that no CPU executes, as that of an interpreter: frames of it are between others. */
	bool is_byte_code;
};

struct itp_address_space;

struct itp_address_space *itp_address_space_new(void);
struct itp_address_space *itp_address_space_ref(struct itp_address_space *space);
void itp_address_space_unref(struct itp_address_space *space);

/* Adds `mapping` in place of mappings that it overlaps; a shared *space is replaced by a changed
 * copy. An empty range changes nothing. */
void itp_address_space_map(struct itp_address_space **space, const struct itp_mapping *mapping,
			   uint32_t layout);

/* Removes all parts of the file that begins at `image`; a shared *space is replaced by a changed
 * copy. */
void itp_address_space_unmap(struct itp_address_space **space, uint64_t image, uint32_t layout);

/* Mapping at an address; NULL when nothing is mapped. Valid until the next change. */
const struct itp_mapping *itp_address_space_find(struct itp_address_space *space, uint64_t address);

/* Mapping of a number, in the order of addresses; NULL beyond the last. Valid until the next
 * change. */
const struct itp_mapping *itp_address_space_get(const struct itp_address_space *space,
						uint32_t number);

/* Bytes from `address` on, up to the next mapping: the most to which the mapping there, if any, can
 * grow. */
uint64_t itp_address_space_room(const struct itp_address_space *space, uint64_t address);

/* Whether byte code was ever mapped. */
bool itp_address_space_has_byte_code(const struct itp_address_space *space);

bool itp_address_space_is_empty(const struct itp_address_space *space);
/* Layout number, 0 for an address space never changed. */
uint32_t itp_address_space_layout(const struct itp_address_space *space);

/* Dump of the code made by the process. A forked process has its parent's until it maps its own; a
 * shared *space is replaced by a changed copy. `dump` is weak. */
void itp_address_space_set_jit(struct itp_address_space **space, struct itp_jit_dump *dump);
/* NULL when the process makes none. */
struct itp_jit_dump *itp_address_space_jit(const struct itp_address_space *space);
/* Gives the space the layout number `layout` unless it is known as the dump's `generation`
 * already; false then. */
bool itp_address_space_renew(struct itp_address_space *space, uint32_t generation, uint32_t layout);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What a process image has mapped where: sorted, without overlaps.
 *
 * A fork shares the parent's address space until one of the two changes it, so a child costs
 * nothing until then. Each state of an address space has a layout number, given by whoever
 * changes it (symbolizer.c): equal layouts mean equal mappings, which makes results of look-ups
 * shareable among processes.
 */
#ifndef ITP_SYMBOL_ADDRESS_SPACE_H
#define ITP_SYMBOL_ADDRESS_SPACE_H

#include <stdbool.h>
#include <stdint.h>

/* Linux allows a process about as many (vm.max_map_count); further ones are dropped. */
#define ITP_MAX_MAPPINGS 65536

struct itp_jit_dump;
struct itp_module;

struct itp_mapping {
	uint64_t start;
	/* Behind the last byte. */
	uint64_t end;
	/* Where in the module's file `start` lies. */
	uint64_t offset;
	/* Where the whole file begins in memory, 0 when that is not known. */
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

/* Adds `mapping`, which replaces what it overlaps; a shared *space is replaced by a changed
 * copy. An empty range changes nothing. */
void itp_address_space_map(struct itp_address_space **space, const struct itp_mapping *mapping,
			   uint32_t layout);

/* Removes all parts of the file that begins at `image`; a shared *space is replaced by a changed
 * copy. */
void itp_address_space_unmap(struct itp_address_space **space, uint64_t image, uint32_t layout);

/* NULL when nothing is mapped there. Valid until the next change. */
const struct itp_mapping *itp_address_space_find(struct itp_address_space *space, uint64_t address);

/* The mapping with this number, in the order of addresses; NULL when there are not so many. Valid
 * until the next change. */
const struct itp_mapping *itp_address_space_get(const struct itp_address_space *space,
						uint32_t number);

/* How many bytes from `address` on the mapping that is there, if any, can grow to without reaching
 * the next one. */
uint64_t itp_address_space_room(const struct itp_address_space *space, uint64_t address);

/* Whether byte code was ever mapped. */
bool itp_address_space_has_byte_code(const struct itp_address_space *space);

bool itp_address_space_is_empty(const struct itp_address_space *space);
/* 0 for one that was never changed. */
uint32_t itp_address_space_layout(const struct itp_address_space *space);

/* What knows the code that the process makes. A forked process has its parent's until it maps its
 * own; a shared *space is replaced by a changed copy. `dump` is weak. */
void itp_address_space_set_jit(struct itp_address_space **space, struct itp_jit_dump *dump);
/* NULL when the process makes none. */
struct itp_jit_dump *itp_address_space_jit(const struct itp_address_space *space);
/* Gives the space the layout number `layout` unless it is known as the dump's `generation`
 * already; false then. */
bool itp_address_space_renew(struct itp_address_space *space, uint32_t generation, uint32_t layout);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Code as seen by a file's relocations and data: names of functions in other files, by their slots
 * in memory, and places in the code whose address is stored somewhere.
 */
#ifndef ITP_CONTROL_FLOW_IMPORTS_H
#define ITP_CONTROL_FLOW_IMPORTS_H

#include "common/control-flow/address-set.h"
#include "common/elf/image.h"

struct itp_flow_imports;

/* Imports of `image`, which is weak and must outlive the result; `code` is its range of code. NULL
 * for a file without section headers, whose relocations are not found, unless it is a kernel's
 * memory, which has none. */
struct itp_flow_imports *itp_flow_imports_new(const struct itp_elf_image *image,
					      struct itp_flow_range code);
void itp_flow_imports_free(struct itp_flow_imports *imports);

/* NULL when the slot has none. Part of the file. */
const char *itp_flow_imports_name(const struct itp_flow_imports *imports, uint64_t slot);

/* From the first to the last slot. */
struct itp_flow_range itp_flow_imports_range(const struct itp_flow_imports *imports);

/* Slot of a number among the slots of `name`; false beyond the last. */
bool itp_flow_imports_slot(struct itp_flow_imports *imports, const char *name, guint number,
			   uint64_t *ret_vaddr);

/* True when an address behind the first byte of `range` and inside of it is stored in the file. */
bool itp_flow_imports_point_into(struct itp_flow_imports *imports, struct itp_flow_range range);

/* True when the file stores the address `vaddr` as an address of a function to be called, rather
 * than in a table of its own. */
bool itp_flow_imports_store(struct itp_flow_imports *imports, uint64_t vaddr);

/* Bytes on the heap. */
size_t itp_flow_imports_bytes(const struct itp_flow_imports *imports);

#endif

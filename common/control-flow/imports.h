/* SPDX-License-Identifier: MIT */
/*
 * What the relocations and the data of a file say about its code: the names of functions in other
 * files, by the slot in memory through which they are reached, and which places in the code have
 * their address stored somewhere.
 */
#ifndef ITP_CONTROL_FLOW_IMPORTS_H
#define ITP_CONTROL_FLOW_IMPORTS_H

#include "common/control-flow/address-set.h"
#include "common/elf/image.h"

struct itp_flow_imports;

/* `image` is weak and must outlive the result. `code` is where the file has code. NULL for a file
 * without section headers, whose relocations are not found, unless it is a kernel's memory, which
 * has none. */
struct itp_flow_imports *itp_flow_imports_new(const struct itp_elf_image *image,
					      struct itp_flow_range code);
void itp_flow_imports_free(struct itp_flow_imports *imports);

/* NULL when the slot has none. Part of the file. */
const char *itp_flow_imports_name(const struct itp_flow_imports *imports, uint64_t slot);

/* From the first to the last slot. */
struct itp_flow_range itp_flow_imports_range(const struct itp_flow_imports *imports);

/* The slot with this number among those of `name`; false when there are not so many. */
bool itp_flow_imports_slot(struct itp_flow_imports *imports, const char *name, guint number,
			   uint64_t *ret_vaddr);

/* Whether the address of anything behind the first byte of `range` is stored in the file. */
bool itp_flow_imports_point_into(struct itp_flow_imports *imports, struct itp_flow_range range);

/* Whether the file stores the address `vaddr` as it would that of a function to be called, rather
 * than in a table of its own. */
bool itp_flow_imports_store(struct itp_flow_imports *imports, uint64_t vaddr);

/* What of it is on the heap. */
size_t itp_flow_imports_bytes(const struct itp_flow_imports *imports);

#endif

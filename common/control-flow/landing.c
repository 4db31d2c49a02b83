/* SPDX-License-Identifier: MIT */
/*
 * Layout as in the Itanium C++ ABI's "Exception Handling Tables"; all places are relative to the
 * beginning of the part.
 */
#include "common/control-flow/landing.h"

#include "common/unwind/cfi-entry.h"

#include <dwarf.h>

/* Most landings of a part; each entry of the table describes at least one instruction. */
#define MAX_LANDINGS 65536

struct table {
	struct itp_cfi_section section;
	struct itp_bytes rest;
	/* Encoding of its numbers. */
	uint8_t encoding;
};

static bool take_byte(struct itp_bytes *bytes, uint8_t *ret_value)
{
	const uint8_t *byte = itp_bytes_take(bytes, 1);

	*ret_value = byte ? *byte : 0;
	return byte != NULL;
}

static bool take_number(struct table *table, uint64_t *ret_value)
{
	if (table->encoding == DW_EH_PE_uleb128) {
		return itp_cfi_take_unsigned(&table->rest, ret_value);
	}
	return (table->encoding & 0xf0) == DW_EH_PE_absptr &&
	       itp_cfi_take_address(&table->section, &table->rest, table->encoding, ret_value);
}

/* Takes the header up to the first entry, and cuts off bytes behind the last. */
static bool take_header(struct table *table, uint64_t *base)
{
	uint8_t encoding;
	uint64_t number;

	if (!take_byte(&table->rest, &encoding) ||
	    (encoding != DW_EH_PE_omit &&
	     !itp_cfi_take_address(&table->section, &table->rest, encoding, base))) {
		return false;
	}
	if (!take_byte(&table->rest, &encoding) ||
	    (encoding != DW_EH_PE_omit && !itp_cfi_take_unsigned(&table->rest, &number))) {
		return false;
	}
	if (!take_byte(&table->rest, &table->encoding) ||
	    !itp_cfi_take_unsigned(&table->rest, &number) || number > table->rest.size) {
		return false;
	}
	table->rest.size = (size_t)number;
	return true;
}

static void add_faults(const struct itp_flow_code *code, struct itp_flow_range part,
		       GArray *landings)
{
	size_t count;
	const struct itp_flow_fault *faults = itp_flow_patches_faults(code->patches, part, &count);

	for (size_t i = 0; i < count; i++) {
		const struct itp_flow_landing landing = {
			.range = { .start = faults[i].vaddr, .end = faults[i].vaddr + 1 },
			.pad = faults[i].pad,
		};

		g_array_append_val(landings, landing);
	}
}

bool itp_flow_landings(const struct itp_flow_code *code, struct itp_flow_range part,
		       GArray *landings)
{
	struct table table = { .section = { .address_bytes = 8 } };
	uint64_t base = part.start;

	if (code->patches) {
		add_faults(code, part, landings);
		return true;
	}
	if (code->symbols->cfi) {
		table.section.vaddr = itp_cfi_exception_table(code->symbols->cfi, part.start);
	}
	if (table.section.vaddr == 0) {
		return true;
	}
	table.section.bytes = itp_elf_image_at(&code->symbols->image, table.section.vaddr);
	table.rest = table.section.bytes;
	if (!take_header(&table, &base)) {
		return false;
	}
	while (table.rest.size > 0) {
		uint64_t start;
		uint64_t length;
		uint64_t pad;
		uint64_t action;

		if (!take_number(&table, &start) || !take_number(&table, &length) ||
		    !take_number(&table, &pad) || !itp_cfi_take_unsigned(&table.rest, &action) ||
		    landings->len >= MAX_LANDINGS) {
			return false;
		}
		if (pad != 0) {
			const struct itp_flow_landing landing = {
				.range = { .start = part.start + start,
					   .end = part.start + start + length },
				.pad = base + pad,
			};

			g_array_append_val(landings, landing);
		}
	}
	return true;
}

/* SPDX-License-Identifier: MIT */
/*
 * See go-symbols.h. The section .gopclntab is described in Go's sources, debug/gosym and
 * runtime/symtab.go: a header, offsets of tables, and functions in the order of their addresses,
 * which count from the first one's.
 */
#include "common/symbol/go-symbols.h"

#include <string.h>

#include "common/elf/bytes.h"
#include "common/elf/section.h"

#define SECTION ".gopclntab"
/* Magic numbers of Go 1.18 and 1.20; older versions have other layouts. */
#define MAGIC_1_18 0xfffffff0u
#define MAGIC_1_20 0xfffffff1u
/* Of the header: the magic number, two zeros, what instructions are aligned to, bytes of a pointer;
 * then numbers as long as a pointer. */
#define HEADER_BYTES 8
#define POINTER_BYTES_AT 7
/* Entry: a function's place and the place of its facts. Facts begin with the function's place as
 * well, and its name. */
#define ENTRY_BYTES 8
#define FUNCTION_BYTES 8

enum number {
	FUNCTIONS,
	FILES,
	/* The address of the first function. */
	TEXT,
	/* Begins of tables in the section. */
	NAMES,
	UNITS,
	FILE_NAMES,
	POSITIONS,
	ENTRIES,
	NUMBER_COUNT,
};

struct go_table {
	struct itp_bytes section;
	uint64_t numbers[NUMBER_COUNT];
};

/* `size` bytes at `offset`, NULL when there are fewer. */
static const uint8_t *bytes_at(struct itp_bytes section, uint64_t offset, uint64_t size)
{
	return itp_bytes_take(&section, offset) ? itp_bytes_take(&section, size) : NULL;
}

static bool read_header(struct go_table *table)
{
	const uint8_t *header = bytes_at(table->section, 0, HEADER_BYTES);
	const uint8_t *numbers;
	uint8_t bytes;

	if (!header || (itp_load_u32(header) != MAGIC_1_18 && itp_load_u32(header) != MAGIC_1_20)) {
		return false;
	}
	bytes = header[POINTER_BYTES_AT];
	numbers = bytes_at(table->section, HEADER_BYTES, (uint64_t)NUMBER_COUNT * bytes);
	if (!numbers || (bytes != sizeof(uint32_t) && bytes != sizeof(uint64_t))) {
		return false;
	}
	for (int i = 0; i < NUMBER_COUNT; i++) {
		table->numbers[i] = bytes == sizeof(uint32_t) ?
					    itp_load_u32(numbers + (size_t)i * bytes) :
					    itp_load_u64(numbers + (size_t)i * bytes);
	}
	/* Absolute places: the linker leaves zeros where places depend on the load address. */
	return table->numbers[TEXT] != 0 && table->numbers[FUNCTIONS] < ITP_MAX_SYMBOLS;
}

/* Name at an offset; NULL for one that is too long, or has no end. */
static const char *name_at_offset(const struct go_table *table, uint32_t offset,
				  uint32_t *ret_length)
{
	struct itp_bytes names = table->section;
	const char *end;

	if (!itp_bytes_take(&names, table->numbers[NAMES]) || !itp_bytes_take(&names, offset) ||
	    names.size == 0) {
		return NULL;
	}
	end = memchr(names.data, 0, MIN(names.size, UINT16_MAX));
	*ret_length = end ? (uint32_t)(end - (const char *)names.data) : 0;
	return *ret_length > 0 ? (const char *)names.data : NULL;
}

/* Adds the function of `entry`, which is followed by the next entry, or by the end of the last
 * function. */
static void add_go_function(const struct go_table *table, const uint8_t *entry,
			    struct itp_symbol_table *symbols)
{
	const uint8_t *function = bytes_at(
		table->section, table->numbers[ENTRIES] + itp_load_u32(entry + sizeof(uint32_t)),
		FUNCTION_BYTES);
	struct itp_symbol symbol = { .start = table->numbers[TEXT] + itp_load_u32(entry),
				     .end = table->numbers[TEXT] +
					    itp_load_u32(entry + ENTRY_BYTES),
				     .binding = ITP_BINDING_LOCAL,
				     .is_sized = true };

	if (function && symbol.end > symbol.start) {
		symbol.name = name_at_offset(table, itp_load_u32(function + sizeof(uint32_t)),
					     &symbol.name_length);
		if (symbol.name) {
			itp_symbol_table_add(symbols, &symbol);
		}
	}
}

void itp_go_symbols_add(const struct itp_elf_image *image, struct itp_symbol_table *symbols)
{
	struct go_table table = { .section = itp_elf_section(image, SECTION) };

	if (!read_header(&table)) {
		return;
	}
	for (uint64_t i = 0; i < table.numbers[FUNCTIONS]; i++) {
		const uint8_t *entry = bytes_at(table.section,
						table.numbers[ENTRIES] + i * ENTRY_BYTES,
						ENTRY_BYTES + sizeof(uint32_t));

		if (!entry) {
			return;
		}
		add_go_function(&table, entry, symbols);
	}
}

bool itp_go_symbols_code(const struct itp_elf_image *image, uint64_t *ret_begin, uint64_t *ret_end)
{
	struct go_table table = { .section = itp_elf_section(image, SECTION) };
	const uint8_t *end;

	if (!read_header(&table)) {
		return false;
	}
	/* Place behind the last function, an entry without facts. */
	end = bytes_at(table.section,
		       table.numbers[ENTRIES] + table.numbers[FUNCTIONS] * ENTRY_BYTES,
		       sizeof(uint32_t));
	*ret_begin = table.numbers[TEXT];
	*ret_end = end ? table.numbers[TEXT] + itp_load_u32(end) : 0;
	return end != NULL;
}

/* SPDX-License-Identifier: MIT */
/*
 * Named address ranges, sorted, from ELF files and kallsyms.
 *
 * Add symbols, finish, look up; after more additions, finish again. Of several names for an address
 * the same wins each time, whatever the order in the file: a name usable by other modules over a
 * local one (so that stripping a file changes no name), then fewer leading underscores, then global
 * over weak, then the shorter name, then the byte order.
 */
#ifndef ITP_SYMBOL_SYMBOL_TABLE_H
#define ITP_SYMBOL_SYMBOL_TABLE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Most symbols of a file; the rest is cut off. */
#define ITP_MAX_SYMBOLS (16u * 1024 * 1024)

enum itp_binding {
	ITP_BINDING_GLOBAL = 0,
	ITP_BINDING_WEAK = 1,
	ITP_BINDING_LOCAL = 2,
};

struct itp_symbol {
	uint64_t start;
	/* End of the symbol, behind its last byte, once finished; for a symbol without a size the
	 * next one's begin. */
	uint64_t end;
	/* Not terminated at its length. Weak. */
	const char *name;
	uint32_t name_length;
	/* enum itp_binding, in a byte: a kernel has over a hundred thousand symbols. */
	uint8_t binding;
	/* The file tells the size. */
	bool is_sized;
};

struct itp_symbol_table {
	/* struct itp_symbol. Owned by this. */
	GArray *symbols;
};

void itp_symbol_table_init(struct itp_symbol_table *table);
void itp_symbol_table_release(struct itp_symbol_table *table);

/* `symbol->end` is `start` when the size is not known. The name must outlive the table. Symbols
 * above the limit are dropped. */
void itp_symbol_table_add(struct itp_symbol_table *table, const struct itp_symbol *symbol);

/* Sorts, keeps one name for each address and fills in missing ends. */
void itp_symbol_table_finish(struct itp_symbol_table *table);

/* Symbol over `address`, the innermost if they nest, one with a size before one without; NULL when
 * none is. */
const struct itp_symbol *itp_symbol_table_find(const struct itp_symbol_table *table,
					       uint64_t address);

/* Only symbol of the name `name`, in the file or in the source; NULL for none, or several. Looks at
 * all symbols. */
const struct itp_symbol *itp_symbol_table_find_name(const struct itp_symbol_table *table,
						    const char *name);

/* Longer names stay as they are, as does what would become longer than the second limit. */
#define ITP_MAX_MANGLED_BYTES 1024
#define ITP_MAX_DEMANGLED_BYTES (16 * 1024)

/* The name of a C++ or Rust function as it stands in the source, with parameter types. Owned by the
 * caller; NULL for a name that is not mangled. */
char *itp_demangle(const char *name);

/* True when a user's word `name` means the symbol, see itp_name_is_meant(). */
bool itp_symbol_is_meant(const struct itp_symbol *symbol, const char *name);

/* Compilers put rarely run code of a function elsewhere, as NAME.cold, or NAME.cold.N in older
 * versions. Control goes there and back within a call: makes it NAME. */
void itp_symbol_strip_part(char *name);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Symbol tables of an ELF file, through libelf.
 *
 * Names stay where they are in the mapped file, which is kept open for them. They also tell where
 * the stacks of a Go program begin; unwind rules do not.
 */
#include "common/symbol/elf-symbols.h"

#include "common/base/memory.h"
#include "common/elf/section.h"
#include "common/known/starts.h"
#include "common/symbol/go-symbols.h"
#include "common/unwind/unwind.h"

#include <string.h>

/* Section of all files of the Go linker since Go 1.13, stripped or not. */
#define GO_SECTION ".go.buildinfo"
/* Suffix of the calling convention; assembler functions have it since Go 1.17. */
#define CONVENTION ".abi0"

/* Owner of the names, between the table's section and its symbols. */
struct strings {
	const char *data;
	size_t size;
};

/* ---- Stacks of Go ----
 *
 * A goroutine has a stack of its own, and each thread another, on which the runtime schedules,
 * collects garbage and calls C. A few functions of the runtime go from one to the other: a function
 * called by them stands on a stack without callers, over mere leftovers. */

static bool is_beginning(const struct itp_symbol *symbol)
{
	g_autofree char *name = g_strndup(symbol->name, symbol->name_length);

	if (g_str_has_suffix(name, CONVENTION)) {
		name[strlen(name) - strlen(CONVENTION)] = '\0';
	}
	return itp_start_is_of_go_stack(name);
}

/* Tells `cfi`, the rules of a file of Go's linker, which functions of `table` begin a stack. */
static void mark_go_stacks(struct itp_cfi *cfi, const struct itp_symbol_table *table)
{
	for (guint i = 0; i < table->symbols->len; i++) {
		const struct itp_symbol *symbol =
			&g_array_index(table->symbols, struct itp_symbol, i);

		if (is_beginning(symbol)) {
			itp_cfi_begin_stack(cfi, symbol->start, symbol->end);
		}
	}
}

/* ---- Symbols ---- */

/* Symbols without a type may belong to code written in assembler, such as the dynamic linker's
 * _start; symbols that begin with '.' or '$' are the assembler's own. */
static bool is_label(Elf *elf, const GElf_Sym *symbol, const struct strings *strings)
{
	Elf_Scn *section;
	GElf_Shdr header;

	if (GELF_ST_TYPE(symbol->st_info) != STT_NOTYPE || symbol->st_shndx >= SHN_LORESERVE ||
	    symbol->st_name >= strings->size || strchr(".$", strings->data[symbol->st_name])) {
		return false;
	}
	section = elf_getscn(elf, symbol->st_shndx);
	return section && gelf_getshdr(section, &header) && (header.sh_flags & SHF_EXECINSTR);
}

static bool is_function(Elf *elf, const GElf_Sym *symbol, const struct strings *strings)
{
	unsigned int type = GELF_ST_TYPE(symbol->st_info);

	return symbol->st_shndx != SHN_UNDEF && symbol->st_value != 0 &&
	       (type == STT_FUNC || type == STT_GNU_IFUNC || is_label(elf, symbol, strings));
}

static enum itp_binding binding_of(const GElf_Sym *symbol)
{
	switch (GELF_ST_BIND(symbol->st_info)) {
	case STB_LOCAL:
		return ITP_BINDING_LOCAL;
	case STB_WEAK:
		return ITP_BINDING_WEAK;
	default:
		return ITP_BINDING_GLOBAL;
	}
}

static void add_symbol(struct itp_symbol_table *table, const GElf_Sym *symbol,
		       const struct strings *strings)
{
	const char *name = strings->data + symbol->st_name;
	const char *end;
	const char *version;
	struct itp_symbol result = { .start = symbol->st_value,
				     .binding = binding_of(symbol),
				     .is_sized = symbol->st_size > 0 };

	if (symbol->st_name >= strings->size || symbol->st_size > UINT64_MAX - symbol->st_value) {
		return;
	}
	end = memchr(name, 0, strings->size - symbol->st_name);
	if (!end || end == name || end - name > UINT16_MAX) {
		return;
	}
	/* "name@@VERSION"; a leading '@' belongs to the name. */
	version = memchr(name + 1, '@', (size_t)(end - name - 1));
	result.name = name;
	result.name_length = (uint32_t)((version ? version : end) - name);
	result.end = symbol->st_value + symbol->st_size;
	itp_symbol_table_add(table, &result);
}

static void note_tables(struct itp_elf_symbols *symbols, const GElf_Sym *symbol,
			const struct strings *strings)
{
	if (symbol->st_name < strings->size &&
	    memchr(strings->data + symbol->st_name, 0, strings->size - symbol->st_name)) {
		itp_kernel_tables_note(&symbols->tables, strings->data + symbol->st_name,
				       symbol->st_value);
	}
}

static void add_section(struct itp_elf_symbols *symbols, Elf *elf, Elf_Scn *section,
			const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	Elf_Scn *name_section = elf_getscn(elf, header->sh_link);
	Elf_Data *names = name_section ? elf_getdata(name_section, NULL) : NULL;
	struct strings strings;
	size_t count;

	if (!data || !names || !names->d_buf || header->sh_entsize == 0) {
		return;
	}
	strings = (struct strings){ .data = names->d_buf, .size = names->d_size };
	count = MIN(data->d_size / header->sh_entsize, ITP_MAX_SYMBOLS);
	for (size_t i = 0; i < count; i++) {
		GElf_Sym symbol;

		if (!gelf_getsym(data, (int)i, &symbol)) {
			continue;
		}
		if (is_function(elf, &symbol, &strings)) {
			add_symbol(&symbols->table, &symbol, &strings);
		} else {
			note_tables(symbols, &symbol, &strings);
		}
	}
}

static void read_symbols(struct itp_elf_symbols *symbols, Elf *elf)
{
	Elf_Scn *section = NULL;

	itp_memory_begin();
	while ((section = elf_nextscn(elf, section)) != NULL) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) &&
		    (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM)) {
			add_section(symbols, elf, section, &header);
		}
	}
	itp_memory_end();
	if (elf == symbols->image.elf && !itp_elf_has_symbol_table(&symbols->image)) {
		itp_go_symbols_add(&symbols->image, &symbols->table);
	}
	itp_symbol_table_finish(&symbols->table);
	if (symbols->has_named_beginnings) {
		mark_go_stacks(symbols->cfi, &symbols->table);
	}
}

/* Completes `symbols`, whose image was opened with this result, but for names. */
static struct itp_elf_symbols *read_rules(struct itp_elf_symbols *symbols, int error)
{
	if (error != 0) {
		g_free(symbols);
		return NULL;
	}
	symbols->has_named_beginnings = itp_elf_section(&symbols->image, GO_SECTION).size > 0;
	if (symbols->has_named_beginnings) {
		/* A program in Go alone has no unwind tables when it is stripped. */
		symbols->cfi = itp_cfi_new_of_any(&symbols->image);
	} else if (!itp_kernel_image_is(&symbols->image)) {
		/* The kernel is unwound by debuggers alone, and not all of it. */
		symbols->cfi = itp_cfi_new(&symbols->image);
	}
	symbols->has_named_beginnings &= symbols->cfi != NULL;
	(void)itp_go_symbols_code(&symbols->image, &symbols->go_begin, &symbols->go_end);
	itp_symbol_table_init(&symbols->table);
	return symbols;
}

void itp_elf_symbols_read(struct itp_elf_symbols *symbols)
{
	read_symbols(symbols, symbols->image.elf);
}

/* Adds a kernel's separate symbols, moved to the addresses of its code in the file. */
static void add_kernel_symbols(struct itp_elf_symbols *symbols, const char *path)
{
	g_autofree char *kallsyms = itp_kernel_image_kallsyms(path);
	enum itp_error error;
	uint64_t distance = 0;

	symbols->kallsyms = itp_kallsyms_new(kallsyms, false, &error);
	if (!symbols->kallsyms) {
		return;
	}
	if (!itp_kernel_image_is_memory(&symbols->image)) {
		distance = symbols->kallsyms->text_start - itp_kernel_image_text(&symbols->image);
	}
	for (guint i = 0; i < symbols->kallsyms->table.symbols->len; i++) {
		struct itp_symbol symbol =
			g_array_index(symbols->kallsyms->table.symbols, struct itp_symbol, i);

		symbol.start -= distance;
		symbol.end = symbol.start;
		itp_symbol_table_add(&symbols->table, &symbol);
	}
	itp_symbol_table_finish(&symbols->table);
	symbols->tables = symbols->kallsyms->tables;
	symbols->tables.labels_start -= distance;
	symbols->tables.labels_end -= distance;
	symbols->tables.faults_start -= distance;
	symbols->tables.faults_end -= distance;
}

struct itp_elf_symbols *itp_elf_symbols_open(const char *path, enum itp_error *ret_error)
{
	struct itp_elf_symbols *symbols = g_new0(struct itp_elf_symbols, 1);
	int error = itp_elf_image_init(&symbols->image, path);

	*ret_error = (enum itp_error)error;
	return read_rules(symbols, error);
}

struct itp_elf_symbols *itp_elf_symbols_new(const char *path, enum itp_error *ret_error)
{
	struct itp_elf_symbols *symbols = itp_elf_symbols_open(path, ret_error);

	if (!symbols) {
		return NULL;
	}
	itp_elf_symbols_read(symbols);
	if (itp_kernel_image_is(&symbols->image) && !itp_elf_has_symbol_table(&symbols->image)) {
		add_kernel_symbols(symbols, path);
	}
	return symbols;
}

struct itp_elf_symbols *itp_elf_symbols_new_vdso(uint64_t mapped_bytes, const char *build_id)
{
	struct itp_elf_symbols *symbols = g_new0(struct itp_elf_symbols, 1);
	int error = itp_unwind_open_vdso(&symbols->image, mapped_bytes, build_id);

	symbols = read_rules(symbols, error);
	if (symbols) {
		itp_elf_symbols_read(symbols);
	}
	return symbols;
}

void itp_elf_symbols_take_names(struct itp_elf_symbols *symbols, struct itp_elf_image *names)
{
	itp_elf_image_release(&symbols->names);
	symbols->names = *names;
	*names = (struct itp_elf_image){ .elf = NULL };
	read_symbols(symbols, symbols->names.elf);
}

void itp_elf_symbols_forget(const struct itp_elf_symbols *symbols)
{
	itp_elf_image_forget(&symbols->image);
	itp_elf_image_forget(&symbols->names);
}

bool itp_elf_symbols_have_changed(const struct itp_elf_symbols *symbols)
{
	return itp_file_map_has_changed(&symbols->image.map) ||
	       itp_file_map_has_changed(&symbols->names.map);
}

void itp_elf_symbols_free(struct itp_elf_symbols *symbols)
{
	if (!symbols) {
		return;
	}
	itp_symbol_table_release(&symbols->table);
	itp_kallsyms_free(symbols->kallsyms);
	itp_cfi_free(symbols->cfi);
	itp_elf_image_release(&symbols->names);
	itp_elf_image_release(&symbols->image);
	g_free(symbols);
}

struct itp_elf_function itp_elf_symbols_find(const struct itp_elf_symbols *symbols, uint64_t vaddr)
{
	const struct itp_symbol *symbol = itp_symbol_table_find(&symbols->table, vaddr);
	const bool is_go = vaddr >= symbols->go_begin && vaddr < symbols->go_end;
	uint64_t start;
	uint64_t end;

	/* A symbol without a size reaches over nameless functions behind it; unwind tables tell
	 * them apart. */
	if ((!symbol || !symbol->is_sized) && symbols->cfi &&
	    itp_cfi_bounds(symbols->cfi, vaddr, &start, &end)) {
		const struct itp_symbol *first = itp_symbol_table_find(&symbols->table, start);

		if (first && first->start == start) {
			symbol = first;
		} else if (symbol && symbol->start < start) {
			symbol = NULL;
		}
	} else {
		start = vaddr;
	}
	if (!symbol) {
		return (struct itp_elf_function){ .start = start, .is_go = is_go };
	}
	return (struct itp_elf_function){ .name = symbol->name,
					  .name_length = symbol->name_length,
					  .start = symbol->start,
					  .is_go = is_go };
}

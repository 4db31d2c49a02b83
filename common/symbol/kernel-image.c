/* SPDX-License-Identifier: MIT */
/*
 * A kernel differs from a program, and from the vdso, by code that is given up after booting.
 *
 * Of its symbols, lines "ADDRESS TYPE NAME" or "ADDRESS TYPE NAME\t[MODULE]" are read and the code
 * is kept. A kernel has over a hundred thousand of them, of which a recording meets some hundred:
 * only names of functions stay in memory.
 */
#include "common/symbol/kernel-image.h"

#include "common/base/input-file.h"
#include "common/elf/section.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

/* Some 10 MB are usual. */
#define MAX_BYTES (256u * 1024 * 1024)

/* Longest line: a name has at most 511 bytes, a module's name 55. */
#define MAX_LINE_BYTES 1024

/* Size of the blocks of names, in bytes. */
#define NAMES_BYTES (64u * 1024)

/* No function is longer: an address further behind a symbol is not part of it. */
#define MAX_FUNCTION_BYTES (1024u * 1024)

/* Mark between the end of a name and a module's name. */
#define MODULE_BEGIN '['

/* ---- Images ---- */

void itp_kernel_tables_note(struct itp_kernel_tables *tables, const char *name, uint64_t vaddr)
{
	if (name[0] != '_' || name[1] != '_' || name[2] != 's') {
		return;
	}
	if (g_str_equal(name, "__start___jump_table")) {
		tables->labels_start = vaddr;
	} else if (g_str_equal(name, "__stop___jump_table")) {
		tables->labels_end = vaddr;
	} else if (g_str_equal(name, "__start___ex_table")) {
		tables->faults_start = vaddr;
	} else if (g_str_equal(name, "__stop___ex_table")) {
		tables->faults_end = vaddr;
	}
}

static uint16_t type_of(const struct itp_elf_image *image)
{
	GElf_Ehdr header;

	return gelf_getehdr(image->elf, &header) ? header.e_type : ET_NONE;
}

bool itp_kernel_image_is_memory(const struct itp_elf_image *image)
{
	return type_of(image) == ET_CORE;
}

bool itp_kernel_image_is(const struct itp_elf_image *image)
{
	uint16_t type = type_of(image);

	return type == ET_CORE ||
	       ((type == ET_EXEC || type == ET_DYN) && itp_elf_section(image, ".init.text").data);
}

uint64_t itp_kernel_image_text(const struct itp_elf_image *image)
{
	for (guint i = 0; i < image->segments->len; i++) {
		const GElf_Phdr *segment = &g_array_index(image->segments, GElf_Phdr, i);

		if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X)) {
			return segment->p_vaddr;
		}
	}
	return 0;
}

char *itp_kernel_image_kallsyms(const char *path)
{
	g_autofree char *directory = g_path_get_dirname(path);

	return g_build_filename(directory, "kallsyms", NULL);
}

/* ---- Symbols ---- */

/* Code symbols: every function has another symbol for the padding before it, where nothing runs. */
static bool is_code(char type, const char *name)
{
	return strchr("tTwW", type) != NULL && !g_str_has_prefix(name, "__pfx_");
}

static void note_landmark(struct itp_kallsyms *kallsyms, const char *name, uint64_t address)
{
	if (g_str_equal(name, "_text")) {
		kallsyms->text_start = address;
	} else if (g_str_equal(name, "_stext") && kallsyms->text_start == 0) {
		kallsyms->text_start = address;
	} else if (g_str_equal(name, "_etext")) {
		kallsyms->text_end = address;
	}
}

/* Keeps `name` with the module name behind its end; two string ends follow, so that a look behind a
 * name stays inside. */
static const char *keep_name(struct itp_kallsyms *kallsyms, const char *name, size_t length)
{
	return g_string_chunk_insert_len(kallsyms->names, name, (gssize)length + 1);
}

/* Address in hexadecimal, as strtoull() takes a third of the time for reading the file. `*ret_end`
 * is behind the last digit; of too many digits, the last count. */
static uint64_t read_address(char *line, char **ret_end)
{
	uint64_t address = 0;
	int digit;

	while ((digit = g_ascii_xdigit_value(*line)) >= 0) {
		address = address << 4 | (uint64_t)digit;
		line++;
	}
	*ret_end = line;
	return address;
}

/* `line` is terminated and may be written to. Returns false for a line of another layout. */
static bool add_line(struct itp_kallsyms *kallsyms, char *line, size_t length)
{
	char *end;
	uint64_t address = read_address(line, &end);
	char *name = end + 3;
	char *tab;
	struct itp_symbol symbol;

	if (end == line || end - line + 4 > (ptrdiff_t)length || end[0] != ' ' || end[2] != ' ') {
		return false;
	}
	if (address == 0 || !is_code(end[1], name)) {
		itp_kernel_tables_note(&kallsyms->tables, name, address);
		return true;
	}
	tab = strchr(name, '\t');
	if (tab) {
		*tab = '\0';
	} else {
		note_landmark(kallsyms, name, address);
	}
	symbol = (struct itp_symbol){
		.start = address,
		.end = address,
		.name = keep_name(kallsyms, name, (size_t)(line + length - name)),
		.name_length = (uint32_t)strlen(name),
		.binding = end[1] == 'T' ? ITP_BINDING_GLOBAL :
			   end[1] == 't' ? ITP_BINDING_LOCAL :
					   ITP_BINDING_WEAK,
	};
	itp_symbol_table_add(&kallsyms->table, &symbol);
	return true;
}

/* *ret_understood: number of lines in the known layout. */
static int add_lines(struct itp_kallsyms *kallsyms, FILE *file, size_t *ret_understood)
{
	char line[MAX_LINE_BYTES];
	size_t understood = 0;
	size_t size = 0;

	while (fgets(line, sizeof(line), file)) {
		size_t length = strlen(line);

		size += length;
		if (length > 0 && line[length - 1] == '\n') {
			line[--length] = '\0';
		} else if (!feof(file)) {
			return ITP_ERROR_LIMIT;
		}
		if (size > MAX_BYTES) {
			return ITP_ERROR_LIMIT;
		}
		understood += add_line(kallsyms, line, length);
	}
	*ret_understood = understood;
	return ferror(file) ? ITP_ERROR_IO : 0;
}

static FILE *open_kallsyms(const char *path, bool is_named)
{
	int fd = is_named ? -1 : itp_input_file_open(path);

	return is_named ? g_fopen(path, "re") : fd >= 0 ? fdopen(fd, "r") : NULL;
}

static int read_file(struct itp_kallsyms *kallsyms, const char *path, bool is_named)
{
	FILE *file = open_kallsyms(path, is_named);
	size_t understood;
	int error;

	if (!file) {
		return ITP_ERROR_IO;
	}
	error = add_lines(kallsyms, file, &understood);
	fclose(file);
	if (error == 0) {
		kallsyms->hidden = understood > 0 && kallsyms->table.symbols->len == 0;
		itp_symbol_table_finish(&kallsyms->table);
	}
	return error;
}

struct itp_kallsyms *itp_kallsyms_new(const char *path, bool is_named, enum itp_error *ret_error)
{
	struct itp_kallsyms *kallsyms = g_new0(struct itp_kallsyms, 1);
	int error;

	kallsyms->names = g_string_chunk_new(NAMES_BYTES);
	itp_symbol_table_init(&kallsyms->table);
	error = read_file(kallsyms, path, is_named);
	if (error != 0) {
		*ret_error = (enum itp_error)error;
		itp_kallsyms_free(kallsyms);
		return NULL;
	}
	return kallsyms;
}

void itp_kallsyms_free(struct itp_kallsyms *kallsyms)
{
	if (!kallsyms) {
		return;
	}
	itp_symbol_table_release(&kallsyms->table);
	g_string_chunk_free(kallsyms->names);
	g_free(kallsyms);
}

const struct itp_symbol *itp_kallsyms_find(const struct itp_kallsyms *kallsyms, uint64_t address,
					   const char **ret_module)
{
	const struct itp_symbol *symbol = itp_symbol_table_find(&kallsyms->table, address);
	const char *behind;

	if (!symbol || address - symbol->start > MAX_FUNCTION_BYTES) {
		return NULL;
	}
	behind = symbol->name + symbol->name_length + 1;
	*ret_module = *behind == MODULE_BEGIN ? behind : "[kernel]";
	return symbol;
}

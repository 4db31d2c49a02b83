/* SPDX-License-Identifier: MIT */
/*
 * Reads lines "ADDRESS TYPE NAME" or "ADDRESS TYPE NAME\t[MODULE]" and keeps the code.
 *
 * The text is kept: tabs and line ends become string ends, so that a name and the module name
 * behind it need no copies.
 */
#include "common/symbol/kallsyms.h"

#include <glib/gstdio.h>
#include <string.h>

/* Some 10 MB are usual. */
#define MAX_BYTES (256u * 1024 * 1024)

/* No function is longer: an address further behind a symbol is not part of it. */
#define MAX_FUNCTION_BYTES (1024u * 1024)

/* Marks a name that a module name follows, behind one string end. */
#define MODULE_BEGIN '['

static bool is_code(char type)
{
	return strchr("tTwW", type) != NULL;
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

/* `line` is terminated and may be written to. Returns false for a line of another layout. */
static bool add_line(struct itp_kallsyms *kallsyms, char *line, size_t length)
{
	char *end;
	uint64_t address = g_ascii_strtoull(line, &end, 16);
	char *name = end + 3;
	char *tab;
	struct itp_symbol symbol;

	if (end == line || end - line + 4 > (ptrdiff_t)length || end[0] != ' ' || end[2] != ' ') {
		return false;
	}
	if (address == 0 || !is_code(end[1])) {
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
		.name = name,
		.name_length = (uint32_t)strlen(name),
		.binding = end[1] == 'T' ? ITP_BINDING_GLOBAL :
			   end[1] == 't' ? ITP_BINDING_LOCAL :
					   ITP_BINDING_WEAK,
	};
	itp_symbol_table_add(&kallsyms->table, &symbol);
	return true;
}

/* Returns the number of lines understood. */
static size_t add_lines(struct itp_kallsyms *kallsyms, size_t size)
{
	char *line = kallsyms->text;
	char *text_end = kallsyms->text + size;
	size_t understood = 0;

	while (line < text_end) {
		char *end = memchr(line, '\n', (size_t)(text_end - line));

		if (!end) {
			end = text_end;
		}
		*end = '\0';
		understood += add_line(kallsyms, line, (size_t)(end - line));
		line = end + 1;
	}
	return understood;
}

/* Two string ends follow the text, so that looking behind a name stays inside. */
static int read_text(const char *path, char **ret_text, size_t *ret_size)
{
	FILE *file = g_fopen(path, "re");
	g_autofree char *text = NULL;
	size_t capacity = 0;
	size_t size = 0;

	if (!file) {
		return ITP_ERROR_IO;
	}
	do {
		char *larger;

		capacity = MAX(capacity * 2, (size_t)4 * 1024 * 1024);
		larger = g_try_realloc(text, capacity);
		if (!larger || capacity > MAX_BYTES) {
			text = larger ? larger : text;
			fclose(file);
			return larger ? ITP_ERROR_LIMIT : ITP_ERROR_MEMORY;
		}
		text = larger;
		size += fread(text + size, 1, capacity - size - 2, file);
	} while (size == capacity - 2);
	if (ferror(file)) {
		fclose(file);
		return ITP_ERROR_IO;
	}
	fclose(file);
	memset(text + size, 0, 2);
	*ret_text = g_steal_pointer(&text);
	*ret_size = size;
	return 0;
}

struct itp_kallsyms *itp_kallsyms_new(const char *path, enum itp_error *ret_error)
{
	struct itp_kallsyms *kallsyms = g_new0(struct itp_kallsyms, 1);
	size_t size;
	int error = read_text(path, &kallsyms->text, &size);

	if (error != 0) {
		*ret_error = (enum itp_error)error;
		g_free(kallsyms);
		return NULL;
	}
	itp_symbol_table_init(&kallsyms->table);
	kallsyms->hidden = add_lines(kallsyms, size) > 0 && kallsyms->table.symbols->len == 0;
	itp_symbol_table_finish(&kallsyms->table);
	return kallsyms;
}

void itp_kallsyms_free(struct itp_kallsyms *kallsyms)
{
	if (!kallsyms) {
		return;
	}
	itp_symbol_table_release(&kallsyms->table);
	g_free(kallsyms->text);
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

/* SPDX-License-Identifier: MIT */
/*
 * See lines.h. By elfutils' libdw.
 */
#include "common/source/lines.h"

#include "common/symbol/debug-data.h"

#include <dwarf.h>
#include <stdlib.h>

struct itp_lines {
	/* Owned by this. */
	struct itp_debug_data *data;
};

struct itp_lines *itp_lines_new(const struct itp_symbol_files *files, const char *module)
{
	struct itp_debug_data *data = itp_debug_data_find(files, module);
	struct itp_lines *lines = data ? g_new(struct itp_lines, 1) : NULL;

	if (lines) {
		lines->data = data;
	}
	return lines;
}

void itp_lines_free(struct itp_lines *lines)
{
	if (lines) {
		itp_debug_data_free(lines->data);
		g_free(lines);
	}
}

const char *itp_lines_missing(const struct itp_lines *lines)
{
	return itp_debug_data_missing(lines->data);
}

/* Finds the unit of an address, also without a table of addresses: some compilers write none. */
static bool unit_at(Dwarf *dwarf, uint64_t address, Dwarf_Die *ret_unit)
{
	Dwarf_CU *unit = NULL;

	if (dwarf_addrdie(dwarf, address, ret_unit)) {
		return true;
	}
	while (dwarf_get_units(dwarf, unit, &unit, NULL, NULL, ret_unit, NULL) == 0) {
		if (dwarf_haspc(ret_unit, address) > 0) {
			return true;
		}
	}
	return false;
}

static bool is_function(Dwarf_Die *scope)
{
	return dwarf_tag(scope) == DW_TAG_subprogram ||
	       dwarf_tag(scope) == DW_TAG_inlined_subroutine;
}

static void note_begin(Dwarf_Die *scope, struct itp_line *line)
{
	int number;

	if (g_strcmp0(itp_debug_data_file(scope), line->file) == 0 &&
	    dwarf_decl_line(scope, &number) == 0 && number > 0) {
		line->begin = (guint)number;
	}
}

/* Takes the innermost function of `scopes`, sorted from the inside to the outside. */
static void note_function(Dwarf_Die *scopes, int count, struct itp_line *line)
{
	for (int i = 0; i < count; i++) {
		if (is_function(&scopes[i])) {
			line->function = dwarf_diename(&scopes[i]);
			line->is_inlined = dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine;
			note_begin(&scopes[i], line);
			return;
		}
	}
}

bool itp_lines_find(struct itp_lines *lines, uint64_t address, struct itp_line *ret_line)
{
	struct itp_line line = { .file = NULL };
	Dwarf_Die *scopes = NULL;
	Dwarf_Line *row;
	Dwarf_Die unit;
	int number;
	int count;

	if (!unit_at(itp_debug_data_dwarf(lines->data), address, &unit)) {
		return false;
	}
	row = dwarf_getsrc_die(&unit, address);
	line.file = dwarf_linesrc(row, NULL, NULL);
	if (!line.file || dwarf_lineno(row, &number) != 0 || number <= 0) {
		return false;
	}
	line.number = (guint)number;
	unit = itp_debug_data_whole_unit(&unit);
	count = dwarf_getscopes(&unit, address, &scopes);
	note_function(scopes, count, &line);
	free(scopes);
	*ret_line = line;
	return true;
}

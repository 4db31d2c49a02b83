/* SPDX-License-Identifier: MIT */
/*
 * See lines.h. By elfutils' libdw, in the file as common/elf maps it.
 */
#include "common/source/lines.h"

#include "common/elf/section.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <stdlib.h>
#include <string.h>

struct file {
	struct itp_elf_image image;
	/* Debug data of the image; NULL without an image or debug data. Owned by this. */
	Dwarf *dwarf;
};

struct itp_lines {
	struct file file;
	/* Debug data shared with other files, if any. */
	struct file shared;
	/* Name of the file with the shared data, when it is not at hand; else NULL. Owned by
	 * this. */
	char *missing;
};

/* ---- The file ---- */

static bool has_units(Dwarf *dwarf)
{
	Dwarf_CU *unit = NULL;

	return dwarf && dwarf_get_units(dwarf, NULL, &unit, NULL, NULL, NULL, NULL) == 0;
}

static void close_file(struct file *file)
{
	if (file->dwarf) {
		dwarf_end(file->dwarf);
		itp_elf_image_release(&file->image);
	}
}

static bool open_dwarf(struct file *file, const char *path)
{
	if (itp_elf_image_init(&file->image, path) != 0) {
		return false;
	}
	file->dwarf = dwarf_begin_elf(file->image.elf, DWARF_C_READ, NULL);
	if (!file->dwarf) {
		itp_elf_image_release(&file->image);
	}
	return file->dwarf != NULL;
}

/* Opens the file with shared debug data: names of several files, moved to one by dwz. */
static void open_shared(struct itp_lines *lines, const struct itp_symbol_files *files,
			const char *path)
{
	const char *name;
	const void *id;
	const ssize_t id_bytes = dwelf_dwarf_gnu_debugaltlink(lines->file.dwarf, &name, &id);
	g_autofree char *build_id =
		itp_build_id_text(id_bytes > 0 ? id : NULL, id_bytes > 0 ? (size_t)id_bytes : 0);
	g_autofree char *shared =
		id_bytes > 0 ? itp_symbol_files_shared(files, path, name, build_id) : NULL;

	if (shared && open_dwarf(&lines->shared, shared)) {
		dwarf_setalt(lines->file.dwarf, lines->shared.dwarf);
	} else if (id_bytes > 0) {
		lines->missing = g_strdup(name);
	}
}

static struct itp_lines *open_file(const struct itp_symbol_files *files, const char *path)
{
	struct itp_lines *lines = g_new0(struct itp_lines, 1);

	if (!open_dwarf(&lines->file, path) || !has_units(lines->file.dwarf)) {
		itp_lines_free(lines);
		return NULL;
	}
	open_shared(lines, files, path);
	return lines;
}

static struct itp_lines *open_debug_file(const struct itp_symbol_files *files, const char *module)
{
	g_autofree char *path = NULL;
	struct itp_elf_image image;

	if (itp_elf_image_init(&image, module) != 0) {
		return NULL;
	}
	path = itp_symbol_files_debug(files, &image);
	if (!path) {
		path = itp_symbol_files_fetch_debug(files, &image);
	}
	itp_elf_image_release(&image);
	return path ? open_file(files, path) : NULL;
}

struct itp_lines *itp_lines_new(const struct itp_symbol_files *files, const char *module)
{
	struct itp_lines *lines = open_file(files, module);

	return lines ? lines : open_debug_file(files, module);
}

void itp_lines_free(struct itp_lines *lines)
{
	if (lines) {
		close_file(&lines->file);
		close_file(&lines->shared);
		g_free(lines->missing);
		g_free(lines);
	}
}

const char *itp_lines_missing(const struct itp_lines *lines)
{
	return lines->missing;
}

/* ---- Lines of an address ---- */

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

/* Unit with the data of functions: with split debug data, in a file of its own. */
static Dwarf_Die whole_unit(const Dwarf_Die *unit)
{
	Dwarf_Die split;
	uint8_t type;

	return dwarf_cu_info(unit->cu, NULL, &type, NULL, &split, NULL, NULL, NULL) == 0 &&
			       type == DW_UT_skeleton && split.addr ?
		       split :
		       *unit;
}

static bool is_function(Dwarf_Die *scope)
{
	return dwarf_tag(scope) == DW_TAG_subprogram ||
	       dwarf_tag(scope) == DW_TAG_inlined_subroutine;
}

/* File of a declaration; NULL when unknown. Weak. dwarf_decl_file() would end the program for a
 * unit without files. */
static const char *file_of(Dwarf_Die *scope)
{
	Dwarf_Attribute attribute;
	Dwarf_Files *files;
	Dwarf_Word index;
	Dwarf_Die unit;
	size_t count;

	return dwarf_attr_integrate(scope, DW_AT_decl_file, &attribute) &&
			       dwarf_formudata(&attribute, &index) == 0 &&
			       dwarf_cu_info(attribute.cu, NULL, NULL, &unit, NULL, NULL, NULL,
					     NULL) == 0 &&
			       dwarf_getsrcfiles(&unit, &files, &count) == 0 && index < count ?
		       dwarf_filesrc(files, index, NULL, NULL) :
		       NULL;
}

static void note_begin(Dwarf_Die *scope, struct itp_line *line)
{
	int number;

	if (g_strcmp0(file_of(scope), line->file) == 0 && dwarf_decl_line(scope, &number) == 0 &&
	    number > 0) {
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

	if (!unit_at(lines->file.dwarf, address, &unit)) {
		return false;
	}
	row = dwarf_getsrc_die(&unit, address);
	line.file = dwarf_linesrc(row, NULL, NULL);
	if (!line.file || dwarf_lineno(row, &number) != 0 || number <= 0) {
		return false;
	}
	line.number = (guint)number;
	unit = whole_unit(&unit);
	count = dwarf_getscopes(&unit, address, &scopes);
	note_function(scopes, count, &line);
	free(scopes);
	*ret_line = line;
	return true;
}

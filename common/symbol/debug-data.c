/* SPDX-License-Identifier: MIT */
/*
 * See debug-data.h. Files are mapped by common/elf.
 */
#include "common/symbol/debug-data.h"

#include "common/elf/section.h"

#include <dwarf.h>
#include <elfutils/libdwelf.h>

struct file {
	struct itp_elf_image image;
	/* Debug data of the image; NULL without an image or debug data. Owned by this. */
	Dwarf *dwarf;
};

struct itp_debug_data {
	struct file file;
	/* Debug data shared with other files, if any. */
	struct file shared;
	/* Name of the file with the shared data, when it is not at hand; else NULL. Owned by
	 * this. */
	char *missing;
};

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
static void open_shared(struct itp_debug_data *data, const struct itp_symbol_files *files,
			const char *path)
{
	const char *name;
	const void *id;
	const ssize_t id_bytes = dwelf_dwarf_gnu_debugaltlink(data->file.dwarf, &name, &id);
	g_autofree char *build_id =
		itp_build_id_text(id_bytes > 0 ? id : NULL, id_bytes > 0 ? (size_t)id_bytes : 0);
	g_autofree char *shared =
		id_bytes > 0 ? itp_symbol_files_shared(files, path, name, build_id) : NULL;

	if (shared && open_dwarf(&data->shared, shared)) {
		dwarf_setalt(data->file.dwarf, data->shared.dwarf);
	} else if (id_bytes > 0) {
		data->missing = g_strdup(name);
	}
}

struct itp_debug_data *itp_debug_data_new(const struct itp_symbol_files *files, const char *path)
{
	struct itp_debug_data *data = g_new0(struct itp_debug_data, 1);

	if (!open_dwarf(&data->file, path) || !has_units(data->file.dwarf)) {
		itp_debug_data_free(data);
		return NULL;
	}
	open_shared(data, files, path);
	return data;
}

static struct itp_debug_data *open_debug_file(const struct itp_symbol_files *files,
					      const char *module)
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
	return path ? itp_debug_data_new(files, path) : NULL;
}

struct itp_debug_data *itp_debug_data_find(const struct itp_symbol_files *files, const char *path)
{
	struct itp_debug_data *data = itp_debug_data_new(files, path);

	return data ? data : open_debug_file(files, path);
}

void itp_debug_data_free(struct itp_debug_data *data)
{
	if (data) {
		close_file(&data->file);
		close_file(&data->shared);
		g_free(data->missing);
		g_free(data);
	}
}

const char *itp_debug_data_missing(const struct itp_debug_data *data)
{
	return data->missing;
}

Dwarf *itp_debug_data_dwarf(const struct itp_debug_data *data)
{
	return data->file.dwarf;
}

void itp_debug_data_forget(const struct itp_debug_data *data)
{
	itp_elf_image_forget(&data->file.image);
	if (data->shared.dwarf) {
		itp_elf_image_forget(&data->shared.image);
	}
}

Dwarf_Die itp_debug_data_whole_unit(const Dwarf_Die *unit)
{
	Dwarf_Die split;
	uint8_t type;

	return dwarf_cu_info(unit->cu, NULL, &type, NULL, &split, NULL, NULL, NULL) == 0 &&
			       type == DW_UT_skeleton && split.addr ?
		       split :
		       *unit;
}

/* dwarf_decl_file() would end the program for a unit without files. */
const char *itp_debug_data_file(Dwarf_Die *scope)
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

bool itp_debug_data_is_library(const char *file)
{
	static const char *const folders[] = { "/usr/include/", "/usr/lib/", "/usr/lib64/",
					       "/rustc/" };

	for (size_t i = 0; i < G_N_ELEMENTS(folders); i++) {
		if (g_str_has_prefix(file, folders[i])) {
			return true;
		}
	}
	return false;
}

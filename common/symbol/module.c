/* SPDX-License-Identifier: MIT */
/*
 * Modules: names for offsets in one file.
 *
 * A function without a symbol is named after the place where it begins, or, in a file that
 * cannot be used, each address after itself: "MODULE+0xOFFSET".
 */
#include "common/symbol/module.h"

#include "common/symbol/build-id.h"
#include "common/symbol/elf-symbols.h"

#include <string.h>

struct itp_module {
	/* Where to look for the file; NULL when it is none. Owned by this. */
	char *path;
	/* Shown name. Owned by this. */
	char *name;
	/* The recorded one until the file is read. Owned by this. */
	char *build_id;
	/* Weak. */
	struct itp_function_table *table;
	/* Size of the recorded vdso; 0 for all other modules. */
	uint64_t vdso_bytes;
	/* NULL until loaded, and after that if the file cannot be used. Owned by this. */
	struct itp_elf_symbols *symbols;
	bool is_loaded;
};

/* What the kernel calls memory that is no file: "[vdso]", "//anon", "anon_inode:…". */
static bool is_file(const char *path)
{
	return path[0] == '/' && path[1] != '/';
}

static char *shown_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (g_str_has_prefix(path, "//")) {
		return g_strdup_printf("[%s]", path + 2);
	}
	return g_strdup(slash && slash[1] != '\0' ? slash + 1 : path);
}

struct itp_module *itp_module_new(const char *path, const char *build_id, const char *symfs,
				  uint64_t mapped_bytes, struct itp_function_table *functions)
{
	struct itp_module *module = g_new0(struct itp_module, 1);
	g_autofree char *name = shown_name(path);

	/* Messages and JSON want UTF-8; file names need not be. */
	module->name = g_utf8_make_valid(name, -1);
	module->path = is_file(path) ? g_strconcat(symfs ? symfs : "", path, NULL) : NULL;
	module->build_id = g_strdup(build_id);
	module->vdso_bytes = g_str_equal(path, "[vdso]") ? mapped_bytes : 0;
	module->table = functions;
	return module;
}

void itp_module_free(struct itp_module *module)
{
	if (!module) {
		return;
	}
	itp_elf_symbols_free(module->symbols);
	g_free(module->path);
	g_free(module->name);
	g_free(module->build_id);
	g_free(module);
}

static void load(struct itp_module *module)
{
	enum itp_error error;

	module->is_loaded = true;
	if (module->vdso_bytes > 0) {
		module->symbols = itp_elf_symbols_new_vdso(module->vdso_bytes, module->build_id);
	} else if (module->path) {
		module->symbols = itp_elf_symbols_new(module->path, &error);
	}
	if (!module->symbols) {
		return;
	}
	if (!itp_build_id_may_equal(module->build_id, module->symbols->image.build_id)) {
		g_clear_pointer(&module->symbols, itp_elf_symbols_free);
	} else if (module->symbols->image.build_id[0] != '\0') {
		g_free(module->build_id);
		module->build_id = g_strdup(module->symbols->image.build_id);
	}
}

static uint32_t intern(struct itp_module *module, const char *name)
{
	g_autofree char *valid = g_utf8_make_valid(name, -1);
	const struct itp_function function = {
		.name = valid,
		.module = module->name,
		.build_id = module->build_id,
		.layer = ITP_LAYER_USER,
	};

	return itp_function_table_intern(module->table, &function);
}

static uint32_t intern_unnamed(struct itp_module *module, uint64_t place)
{
	g_autofree char *name =
		g_strdup_printf("%s+0x%" G_GINT64_MODIFIER "x", module->name, place);

	return intern(module, name) | ITP_FUNCTION_UNNAMED;
}

uint32_t itp_module_function(struct itp_module *module, uint64_t offset)
{
	struct itp_elf_function found;
	uint64_t vaddr;

	if (!module->is_loaded) {
		load(module);
	}
	if (!module->symbols || !itp_elf_image_vaddr(&module->symbols->image, offset, &vaddr)) {
		return intern_unnamed(module, offset);
	}
	found = itp_elf_symbols_find(module->symbols, vaddr);
	if (found.name) {
		g_autofree char *name = g_strndup(found.name, found.name_length);

		return intern(module, name);
	}
	return intern_unnamed(module, found.start);
}

struct itp_cfi *itp_module_cfi(struct itp_module *module, uint64_t offset, uint64_t *ret_vaddr)
{
	if (!module->is_loaded) {
		load(module);
	}
	if (!module->symbols || !itp_elf_image_vaddr(&module->symbols->image, offset, ret_vaddr)) {
		return NULL;
	}
	return module->symbols->cfi;
}

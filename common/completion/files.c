/* SPDX-License-Identifier: MIT */
/*
 * See files.h.
 */
#include "common/completion/files.h"

struct itp_code_files {
	/* struct itp_module * to struct itp_code_file *, NULL where nothing is known. Owned by
	 * this. */
	GHashTable *by_module;
};

static void free_file(gpointer data)
{
	struct itp_code_file *file = data;

	if (file) {
		itp_references_free(file->references);
		itp_flow_code_release(&file->code);
		g_free(file);
	}
}

struct itp_code_files *itp_code_files_new(void)
{
	struct itp_code_files *files = g_new0(struct itp_code_files, 1);

	files->by_module = g_hash_table_new_full(NULL, NULL, NULL, free_file);
	return files;
}

void itp_code_files_free(struct itp_code_files *files)
{
	if (files) {
		g_hash_table_destroy(files->by_module);
		g_free(files);
	}
}

static struct itp_code_file *open_file(struct itp_module *module)
{
	const struct itp_elf_symbols *symbols = itp_module_peek(module);
	struct itp_code_file *file;

	if (!symbols || !symbols->cfi) {
		return NULL;
	}
	file = g_new0(struct itp_code_file, 1);
	file->module = module;
	file->symbols = symbols;
	if (!itp_flow_code_init(&file->code, symbols)) {
		g_free(file);
		return NULL;
	}
	return file;
}

struct itp_code_file *itp_code_files_get(struct itp_code_files *files, struct itp_module *module)
{
	gpointer file;

	if (!g_hash_table_lookup_extended(files->by_module, module, NULL, &file)) {
		file = open_file(module);
		g_hash_table_insert(files->by_module, module, file);
	}
	return file;
}

struct itp_code_file *itp_code_files_at(struct itp_code_files *files,
					struct itp_address_space *space, uint64_t address)
{
	const struct itp_mapping *mapping = itp_address_space_find(space, address);

	return mapping ? itp_code_files_get(files, mapping->module) : NULL;
}

bool itp_code_files_number(struct itp_code_files *files, const struct itp_address_space *space,
			   uint32_t number, struct itp_code_file **ret_file)
{
	const struct itp_mapping *mapping = itp_address_space_get(space, number);

	*ret_file = mapping ? itp_code_files_get(files, mapping->module) : NULL;
	return mapping != NULL;
}

const struct itp_references *itp_code_file_references(struct itp_code_file *file)
{
	if (!file->has_references) {
		file->has_references = true;
		file->references = itp_references_new(&file->code);
	}
	return file->references;
}

bool itp_code_files_find(struct itp_code_files *files, const struct itp_address_space *space,
			 const char *name, struct itp_code_file **ret_file, uint64_t *ret_vaddr)
{
	struct itp_code_file *found = NULL;
	struct itp_code_file *file;

	for (uint32_t i = 0; itp_code_files_number(files, space, i, &file); i++) {
		uint64_t vaddr;

		if (!file || file == found ||
		    !itp_elf_image_find_export(&file->symbols->image, name, &vaddr)) {
			continue;
		}
		if (found) {
			return false;
		}
		found = file;
		*ret_vaddr = vaddr;
	}
	*ret_file = found;
	return found != NULL;
}

/* SPDX-License-Identifier: MIT */
/*
 * A kernel is told from a program, and from the vdso, by the code that it gives up when it has
 * booted.
 */
#include "common/symbol/kernel-image.h"

#include "common/elf/section.h"

#include <glib.h>

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

/* SPDX-License-Identifier: MIT */
/*
 * See points.h.
 */
#include "tests/flow/points.h"

#include "common/elf/image.h"

#include <string.h>

#define POINT_PREFIX ".p."

void test_points_add(GHashTable *points, const char *path, uint64_t start)
{
	struct itp_elf_image image;
	Elf_Scn *section = NULL;

	if (itp_elf_image_init(&image, path) != 0) {
		return;
	}
	while ((section = elf_nextscn(image.elf, section)) != NULL) {
		Elf_Data *data;
		GElf_Shdr header;
		GElf_Sym symbol;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB) {
			continue;
		}
		data = elf_getdata(section, NULL);
		for (int i = 0; gelf_getsym(data, i, &symbol); i++) {
			const char *name = elf_strptr(image.elf, header.sh_link, symbol.st_name);
			uint64_t address = start + symbol.st_value;

			if (g_str_has_prefix(name, POINT_PREFIX)) {
				g_hash_table_insert(points, g_strdup(name + strlen(POINT_PREFIX)),
						    g_memdup2(&address, sizeof(address)));
			}
		}
	}
	itp_elf_image_release(&image);
}

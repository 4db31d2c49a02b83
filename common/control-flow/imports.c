/* SPDX-License-Identifier: MIT */
/*
 * Relocations with a symbol are slots; those without one, and every aligned word of the data that
 * looks like an address of code, are stored addresses. A word that only happens to look like one
 * makes answers less decided, never wrong.
 */
#include "common/control-flow/imports.h"

#include "common/memory.h"
#include "common/symbol/kernel-image.h"

/* The largest programs have some hundred thousand. */
#define MAX_ENTRIES (4u * 1024 * 1024)

struct slot {
	uint64_t vaddr;
	/* Weak: part of the file. */
	const char *name;
};

struct itp_flow_imports {
	/* Weak. */
	const struct itp_elf_image *image;
	struct itp_flow_range code;
	/* struct slot, sorted. Owned by this. */
	GArray *slots;
	/* uint64_t, sorted; NULL until needed. Owned by this. */
	GArray *pointers;
	/* There were more than the limit. */
	bool is_cut;
};

/* `data` is struct itp_flow_imports. */
typedef void (*relocation_function)(struct itp_flow_imports *imports, const GElf_Rela *relocation,
				    const char *name);

static const char *symbol_name(Elf *elf, const GElf_Shdr *symbols, Elf_Data *data, uint64_t index)
{
	GElf_Sym symbol;

	if (index == 0 || !data || !gelf_getsym(data, (int)index, &symbol)) {
		return NULL;
	}
	return elf_strptr(elf, symbols->sh_link, symbol.st_name);
}

static void each_of_section(struct itp_flow_imports *imports, Elf_Scn *section,
			    const GElf_Shdr *header, relocation_function function)
{
	Elf *elf = imports->image->elf;
	Elf_Data *data = elf_getdata(section, NULL);
	Elf_Scn *symbol_section = elf_getscn(elf, header->sh_link);
	Elf_Data *symbol_data = symbol_section ? elf_getdata(symbol_section, NULL) : NULL;
	GElf_Shdr symbols = { .sh_link = 0 };
	size_t count;

	if (!data || header->sh_entsize == 0 ||
	    (symbol_section && !gelf_getshdr(symbol_section, &symbols))) {
		return;
	}
	count = MIN(data->d_size / header->sh_entsize, MAX_ENTRIES);
	for (size_t i = 0; i < count; i++) {
		GElf_Rela relocation;

		if (gelf_getrela(data, (int)i, &relocation)) {
			function(imports, &relocation,
				 symbol_name(elf, &symbols, symbol_data,
					     GELF_R_SYM(relocation.r_info)));
		}
	}
}

static void each_relocation(struct itp_flow_imports *imports, relocation_function function)
{
	Elf_Scn *section = NULL;

	itp_memory_begin();
	while ((section = elf_nextscn(imports->image->elf, section)) != NULL) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA &&
		    (header.sh_flags & SHF_ALLOC)) {
			each_of_section(imports, section, &header, function);
		}
	}
	itp_memory_end();
}

static void add_slot(struct itp_flow_imports *imports, const GElf_Rela *relocation,
		     const char *name)
{
	const struct slot slot = { .vaddr = relocation->r_offset, .name = name };

	if (name && imports->slots->len < MAX_ENTRIES) {
		g_array_append_val(imports->slots, slot);
	}
}

static void add_pointer(struct itp_flow_imports *imports, uint64_t value)
{
	if (value < imports->code.start || value >= imports->code.end) {
		return;
	}
	if (imports->pointers->len < MAX_ENTRIES) {
		g_array_append_val(imports->pointers, value);
	} else {
		imports->is_cut = true;
	}
}

static void add_addend(struct itp_flow_imports *imports, const GElf_Rela *relocation,
		       const char *name)
{
	if (!name) {
		add_pointer(imports, (uint64_t)relocation->r_addend);
	}
}

static gint compare_numbers(gconstpointer a, gconstpointer b)
{
	const uint64_t *left = a;
	const uint64_t *right = b;

	return *left < *right ? -1 : *left > *right;
}

static void find_pointers(struct itp_flow_imports *imports)
{
	const struct itp_elf_image *image = imports->image;

	imports->pointers = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	each_relocation(imports, add_addend);
	for (guint i = 0; i < image->segments->len; i++) {
		const GElf_Phdr *segment = &g_array_index(image->segments, GElf_Phdr, i);
		struct itp_bytes bytes = itp_elf_image_contents(image, segment);
		uint64_t value;

		if (segment->p_type != PT_LOAD || (segment->p_flags & PF_X) ||
		    !itp_bytes_take(&bytes, -segment->p_vaddr % sizeof(value))) {
			continue;
		}
		while (itp_bytes_u64(&bytes, &value)) {
			add_pointer(imports, value);
		}
	}
	g_array_sort(imports->pointers, compare_numbers);
}

struct itp_flow_imports *itp_flow_imports_new(const struct itp_elf_image *image,
					      struct itp_flow_range code)
{
	struct itp_flow_imports *imports;
	size_t section_count;

	if (!itp_kernel_image_is_memory(image) &&
	    (elf_getshdrnum(image->elf, &section_count) != 0 || section_count == 0)) {
		return NULL;
	}
	imports = g_new0(struct itp_flow_imports, 1);
	imports->image = image;
	imports->code = code;
	imports->slots = g_array_new(FALSE, FALSE, sizeof(struct slot));
	each_relocation(imports, add_slot);
	/* By their first member. */
	g_array_sort(imports->slots, compare_numbers);
	return imports;
}

void itp_flow_imports_free(struct itp_flow_imports *imports)
{
	if (!imports) {
		return;
	}
	g_clear_pointer(&imports->pointers, g_array_unref);
	g_array_unref(imports->slots);
	g_free(imports);
}

const char *itp_flow_imports_name(const struct itp_flow_imports *imports, uint64_t slot)
{
	guint i;

	if (!g_array_binary_search(imports->slots, &slot, compare_numbers, &i)) {
		return NULL;
	}
	return g_array_index(imports->slots, struct slot, i).name;
}

bool itp_flow_imports_point_into(struct itp_flow_imports *imports, struct itp_flow_range range)
{
	guint low = 0;
	guint high;

	if (!imports->pointers) {
		find_pointers(imports);
	}
	high = imports->pointers->len;
	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (g_array_index(imports->pointers, uint64_t, middle) <= range.start) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return imports->is_cut || (low < imports->pointers->len &&
				   g_array_index(imports->pointers, uint64_t, low) < range.end);
}

size_t itp_flow_imports_bytes(const struct itp_flow_imports *imports)
{
	return imports->slots->len * sizeof(struct slot) +
	       (imports->pointers ? imports->pointers->len * sizeof(uint64_t) : 0);
}

/* SPDX-License-Identifier: MIT */
/*
 * Relocations with a symbol are slots; relocations without, and every aligned word of the data that
 * looks like an address of code, are stored addresses. A word that looks like one by accident makes
 * answers less decided, never wrong.
 */
#include "common/control-flow/imports.h"

#include "common/base/memory.h"
#include "common/symbol/kernel-image.h"

#include <string.h>

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
	/* The slots sorted by name; NULL until needed. Owned by this. */
	GArray *by_name;
	/* Slots that point into the code; NULL until needed. Owned by this. */
	struct itp_address_set *pointers;
	/* Pointers among them that the program may use. Owned by this. */
	struct itp_address_set *stored;
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

static void add_addend(struct itp_flow_imports *imports, const GElf_Rela *relocation,
		       const char *name)
{
	if (!name) {
		itp_address_set_add(imports->pointers, (uint64_t)relocation->r_addend);
		itp_address_set_add(imports->stored, (uint64_t)relocation->r_addend);
	}
}

static gint compare_addresses(gconstpointer a, gconstpointer b)
{
	const uint64_t *left = a;
	const uint64_t *right = b;

	return *left < *right ? -1 : *left > *right;
}

/* Range of the dynamic symbol table in memory: addresses in it are symbols', not stored to be
 * called. */
static struct itp_flow_range symbols_range(const struct itp_elf_image *image)
{
	struct itp_flow_range range = { .start = 0 };
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	itp_memory_begin();
	while ((section = elf_nextscn(image->elf, section)) != NULL) {
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNSYM) {
			range = (struct itp_flow_range){ .start = header.sh_addr,
							 .end = header.sh_addr + header.sh_size };
		}
	}
	itp_memory_end();
	return range;
}

/* Read-only data hold distances, no addresses, in code that can lie anywhere. */
static bool may_store(const struct itp_elf_image *image, const GElf_Phdr *segment)
{
	GElf_Ehdr header;

	return (segment->p_flags & PF_W) || !gelf_getehdr(image->elf, &header) ||
	       header.e_type != ET_DYN;
}

static void find_in_segment(struct itp_flow_imports *imports, const GElf_Phdr *segment,
			    struct itp_flow_range symbols)
{
	struct itp_bytes bytes = itp_elf_image_contents(imports->image, segment);
	bool stores = may_store(imports->image, segment);
	uint64_t place = segment->p_vaddr + -segment->p_vaddr % sizeof(place);
	uint64_t value;

	if (!itp_bytes_take(&bytes, -segment->p_vaddr % sizeof(value))) {
		return;
	}
	for (; itp_bytes_u64(&bytes, &value); place += sizeof(value)) {
		itp_address_set_add(imports->pointers, value);
		if (stores && (place < symbols.start || place >= symbols.end)) {
			itp_address_set_add(imports->stored, value);
		}
	}
}

static void find_pointers(struct itp_flow_imports *imports)
{
	const struct itp_elf_image *image = imports->image;
	struct itp_flow_range symbols = symbols_range(image);

	imports->pointers = itp_address_set_new(imports->code);
	imports->stored = itp_address_set_new(imports->code);
	each_relocation(imports, add_addend);
	for (guint i = 0; i < image->segments->len; i++) {
		const GElf_Phdr *segment = &g_array_index(image->segments, GElf_Phdr, i);

		if (segment->p_type == PT_LOAD && !(segment->p_flags & PF_X)) {
			find_in_segment(imports, segment, symbols);
		}
	}
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
	g_array_sort(imports->slots, compare_addresses);
	return imports;
}

void itp_flow_imports_free(struct itp_flow_imports *imports)
{
	if (!imports) {
		return;
	}
	itp_address_set_free(imports->pointers);
	itp_address_set_free(imports->stored);
	g_clear_pointer(&imports->by_name, g_array_unref);
	g_array_unref(imports->slots);
	g_free(imports);
}

const char *itp_flow_imports_name(const struct itp_flow_imports *imports, uint64_t slot)
{
	guint i;

	if (!g_array_binary_search(imports->slots, &slot, compare_addresses, &i)) {
		return NULL;
	}
	return g_array_index(imports->slots, struct slot, i).name;
}

struct itp_flow_range itp_flow_imports_range(const struct itp_flow_imports *imports)
{
	guint count = imports->slots->len;

	if (count == 0) {
		return (struct itp_flow_range){ .start = 0 };
	}
	return (struct itp_flow_range){
		.start = g_array_index(imports->slots, struct slot, 0).vaddr,
		.end = g_array_index(imports->slots, struct slot, count - 1).vaddr + 1,
	};
}

static gint compare_slots(gconstpointer a, gconstpointer b)
{
	const struct slot *left = a;
	const struct slot *right = b;
	int order = strcmp(left->name, right->name);

	return order != 0 ? order : compare_addresses(&left->vaddr, &right->vaddr);
}

/* Number of the first slot with a name equal to `name`, or behind it. */
static guint first_by_name(const GArray *slots, const char *name)
{
	guint low = 0;
	guint high = slots->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (strcmp(g_array_index(slots, struct slot, middle).name, name) < 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

bool itp_flow_imports_slot(struct itp_flow_imports *imports, const char *name, guint number,
			   uint64_t *ret_vaddr)
{
	const struct slot *slot;
	guint i;

	if (!imports->by_name) {
		imports->by_name = g_array_copy(imports->slots);
		g_array_sort(imports->by_name, compare_slots);
	}
	i = first_by_name(imports->by_name, name) + number;
	if (i >= imports->by_name->len) {
		return false;
	}
	slot = &g_array_index(imports->by_name, struct slot, i);
	*ret_vaddr = slot->vaddr;
	return strcmp(slot->name, name) == 0;
}

bool itp_flow_imports_point_into(struct itp_flow_imports *imports, struct itp_flow_range range)
{
	if (!imports->pointers) {
		find_pointers(imports);
	}
	range.start++;
	return itp_address_set_has_any(imports->pointers, range);
}

bool itp_flow_imports_store(struct itp_flow_imports *imports, uint64_t vaddr)
{
	if (!imports->pointers) {
		find_pointers(imports);
	}
	return itp_address_set_has(imports->stored, vaddr);
}

size_t itp_flow_imports_bytes(const struct itp_flow_imports *imports)
{
	return (imports->slots->len + (imports->by_name ? imports->by_name->len : 0)) *
		       sizeof(struct slot) +
	       (imports->pointers ? itp_address_set_bytes(imports->pointers) +
					    itp_address_set_bytes(imports->stored) :
				    0);
}

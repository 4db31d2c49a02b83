/* SPDX-License-Identifier: MIT */
/*
 * See stub-symbols.h. A stub is recognized by its jump through a slot (System V ABI for
 * AMD64, 5.2), whatever the linker put around it; the slot's relocation names the function.
 */
#include "common/symbol/stub-symbols.h"

#include <string.h>

#include "common/base/hash.h"
#include "common/elf/section.h"

/* Sections with stubs: called lazily, called with -z ibt, and called through slots that are data.
 */
static const char *const sections[] = { ".plt", ".plt.sec", ".plt.got" };

/* Size of a stub unless the section tells it, in bytes. */
#define STUB_BYTES 16
/* Jump through a slot relative to the next instruction. */
#define JUMP_OPCODE 0x25ff
#define JUMP_BYTES 6
/* Instructions in front of it: the target of an indirect call (endbr64), and a prefix (bnd). */
#define ENDBR 0xfa1e0ff3u
#define BND 0xf2

/* Name of the function by address of its slot. Free with g_hash_table_unref(); names are weak. */
static void add_slots(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, GHashTable *slots)
{
	Elf_Data *data = elf_getdata(section, NULL);
	Elf_Scn *symbols = elf_getscn(elf, header->sh_link);
	Elf_Data *symbol_data = symbols ? elf_getdata(symbols, NULL) : NULL;
	GElf_Shdr symbol_header;
	GElf_Rela slot;

	if (!data || !symbol_data || !gelf_getshdr(symbols, &symbol_header)) {
		return;
	}
	for (int i = 0; gelf_getrela(data, i, &slot); i++) {
		const uint64_t type = GELF_R_TYPE(slot.r_info);
		const char *name;
		GElf_Sym symbol;

		if ((type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) ||
		    !gelf_getsym(symbol_data, (int)GELF_R_SYM(slot.r_info), &symbol)) {
			continue;
		}
		name = elf_strptr(elf, symbol_header.sh_link, symbol.st_name);
		if (name && name[0] != '\0') {
			g_hash_table_insert(slots, GSIZE_TO_POINTER((gsize)slot.r_offset),
					    (gpointer)name);
		}
	}
}

static GHashTable *find_slots(Elf *elf)
{
	GHashTable *slots = g_hash_table_new(itp_hash_number, NULL);
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section))) {
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA) {
			add_slots(elf, section, &header, slots);
		}
	}
	return slots;
}

/* Slot through which the code jumps, if that is all it does; 0 for other code. */
static uint64_t slot_of(struct itp_bytes code, uint64_t vaddr)
{
	const uint8_t *begin = code.data;

	if (code.size >= sizeof(uint32_t) && itp_load_u32(code.data) == ENDBR) {
		itp_bytes_take(&code, sizeof(uint32_t));
	}
	if (code.size > 0 && code.data[0] == BND) {
		itp_bytes_take(&code, 1);
	}
	if (code.size < JUMP_BYTES || itp_load_u16(code.data) != JUMP_OPCODE) {
		return 0;
	}
	vaddr += (uint64_t)(code.data - begin) + JUMP_BYTES;
	return vaddr + (uint64_t)(int64_t)(int32_t)itp_load_u32(code.data + sizeof(uint16_t));
}

static void add_stubs(const struct itp_elf_image *image, const char *section, GHashTable *slots,
		      GStringChunk *names, struct itp_symbol_table *table)
{
	uint64_t vaddr;
	struct itp_bytes code = itp_elf_section_at(image, section, &vaddr);
	/* Stubs of eight bytes are told apart by what lies at each multiple. */
	const size_t step = strcmp(section, ".plt.got") == 0 ? STUB_BYTES / 2 : STUB_BYTES;

	for (; code.size >= step; vaddr += step, itp_bytes_take(&code, step)) {
		const uint64_t slot = slot_of(code, vaddr);
		const char *function = g_hash_table_lookup(slots, GSIZE_TO_POINTER((gsize)slot));
		g_autofree char *name = NULL;

		if (slot != 0 && function) {
			name = g_strconcat(function, ITP_STUB_SUFFIX, NULL);
			itp_symbol_table_add(
				table,
				&(struct itp_symbol){ .start = vaddr,
						      .end = vaddr + step,
						      .name = g_string_chunk_insert(names, name),
						      .name_length = (uint32_t)strlen(name),
						      .binding = ITP_BINDING_LOCAL,
						      .is_sized = true });
		}
	}
}

void itp_stub_symbols_add(const struct itp_elf_image *image, GStringChunk *names,
			  struct itp_symbol_table *table)
{
	g_autoptr(GHashTable) slots = NULL;
	GElf_Ehdr header;

	if (!gelf_getehdr(image->elf, &header) || header.e_machine != EM_X86_64) {
		return;
	}
	slots = find_slots(image->elf);
	for (size_t i = 0; i < G_N_ELEMENTS(sections); i++) {
		add_stubs(image, sections[i], slots, names, table);
	}
}

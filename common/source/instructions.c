/* SPDX-License-Identifier: MIT */
/*
 * See instructions.h.
 */
#include "common/source/instructions.h"

#include <capstone/capstone.h>
#include <stdbool.h>

#include "common/elf/image.h"

struct itp_instructions {
	struct itp_elf_image image;
	/* Handle of Capstone; 0 for none. Owned by this. */
	csh decoder;
};

static bool open_decoder(struct itp_instructions *instructions)
{
	GElf_Ehdr header;

	if (!gelf_getehdr(instructions->image.elf, &header)) {
		return false;
	}
	switch (header.e_machine) {
	case EM_X86_64:
		return cs_open(CS_ARCH_X86, CS_MODE_64, &instructions->decoder) == CS_ERR_OK;
	case EM_AARCH64:
		return cs_open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, &instructions->decoder) ==
		       CS_ERR_OK;
	default:
		return false;
	}
}

struct itp_instructions *itp_instructions_new(const char *path)
{
	struct itp_instructions *instructions = g_new0(struct itp_instructions, 1);

	if (itp_elf_image_init(&instructions->image, path) != 0 || !open_decoder(instructions)) {
		g_clear_pointer(&instructions, itp_instructions_free);
	}
	return instructions;
}

void itp_instructions_free(struct itp_instructions *instructions)
{
	if (!instructions) {
		return;
	}
	if (instructions->decoder != 0) {
		cs_close(&instructions->decoder);
	}
	itp_elf_image_release(&instructions->image);
	g_free(instructions);
}

char *itp_instructions_text(struct itp_instructions *instructions, uint64_t address)
{
	const struct itp_bytes bytes = itp_elf_image_at(&instructions->image, address);
	cs_insn *instruction = NULL;
	char *text = NULL;

	if (cs_disasm(instructions->decoder, bytes.data, bytes.size, address, 1, &instruction) >
	    0) {
		text = g_strconcat(instruction->mnemonic, instruction->op_str[0] ? " " : "",
				   instruction->op_str, NULL);
		cs_free(instruction, 1);
	}
	return text;
}

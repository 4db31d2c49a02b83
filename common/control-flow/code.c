/* SPDX-License-Identifier: MIT */
/*
 * Parts and tail calls. In doubt a jump stays in the function: too many paths make an answer less
 * decided, a missing path makes it wrong.
 */
#include "common/control-flow/code.h"

#include "common/base/hash.h"
#include "common/elf/section.h"
#include "common/symbol/kernel-image.h"

/* Offsets of code are kept in 32 bits. */
#define MAX_CODE_BYTES UINT32_MAX
/* An entry of the procedure linkage table. */
#define MAX_STUB_INSTRUCTIONS 4
/* Most bytes of a part whose jumps are looked at from outside. */
#define MAX_SCANNED_BYTES 65536
/* DWARF's number of the stack pointer, and how far above it the frame begins when called. */
#define X86_STACK_POINTER 7
#define X86_CALLED_OFFSET 8
#define ARM64_STACK_POINTER 31
/* Instructions of arm64, and masks of their fixed bits. */
#define ARM64_ADRP UINT32_C(0x90000000)
#define ARM64_ADRP_MASK UINT32_C(0x9f000000)
#define ARM64_LDR_X17 UINT32_C(0xf9400211)
#define ARM64_LDR_X17_MASK UINT32_C(0xffc003ff)

static bool is_known_file(const struct itp_elf_image *image, GElf_Ehdr *ret_header)
{
	/* Instructions of the vdso are replaced as the kernel's are; functions of Go programs are
	 * left and entered by their run-time system. */
	static const char *const strangers[] = { ".altinstructions", ".gopclntab",
						 ".data.rel.ro.gopclntab" };

	if (!gelf_getehdr(image->elf, ret_header) || ret_header->e_ident[EI_CLASS] != ELFCLASS64 ||
	    (ret_header->e_type != ET_EXEC && ret_header->e_type != ET_DYN &&
	     ret_header->e_type != ET_CORE) ||
	    (ret_header->e_machine != EM_X86_64 && ret_header->e_machine != EM_AARCH64)) {
		return false;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(strangers); i++) {
		if (!itp_kernel_image_is(image) && itp_elf_section(image, strangers[i]).data) {
			return false;
		}
	}
	return true;
}

/* Range of functions in a copy of a kernel's memory, which may have much more than code in it. */
static struct itp_flow_range symbols_range(const struct itp_symbol_table *table)
{
	guint count = table->symbols->len;

	if (count == 0) {
		return (struct itp_flow_range){ .start = 0 };
	}
	/* The last function has no end. */
	return (struct itp_flow_range){
		.start = g_array_index(table->symbols, struct itp_symbol, 0).start,
		.end = g_array_index(table->symbols, struct itp_symbol, count - 1).start,
	};
}

static struct itp_flow_range code_range(const struct itp_elf_image *image)
{
	struct itp_flow_range range = { .start = UINT64_MAX };

	for (guint i = 0; i < image->segments->len; i++) {
		const GElf_Phdr *segment = &g_array_index(image->segments, GElf_Phdr, i);

		if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X) &&
		    segment->p_filesz <= UINT64_MAX - segment->p_vaddr) {
			range.start = MIN(range.start, segment->p_vaddr);
			range.end = MAX(range.end, segment->p_vaddr + segment->p_filesz);
		}
	}
	return range;
}

/* False for a kernel whose changes to its code are unknown. */
static bool init_kernel(struct itp_flow_code *code)
{
	if (!itp_kernel_image_is(&code->symbols->image)) {
		return true;
	}
	if (code->architecture == ITP_X86_64) {
		code->patches = itp_flow_patches_new(code->symbols, code->decoder, code->range);
	}
	return code->patches != NULL;
}

bool itp_flow_code_init(struct itp_flow_code *code, const struct itp_elf_symbols *symbols)
{
	GElf_Ehdr header;

	*code = (struct itp_flow_code){ .symbols = symbols };
	if (!is_known_file(&symbols->image, &header)) {
		return false;
	}
	code->range = header.e_type == ET_CORE ? symbols_range(&symbols->table) :
						 code_range(&symbols->image);
	code->is_fixed = header.e_type != ET_DYN;
	code->architecture = header.e_machine == EM_AARCH64 ? ITP_ARM64 : ITP_X86_64;
	if (code->range.start >= code->range.end ||
	    code->range.end - code->range.start > MAX_CODE_BYTES) {
		return false;
	}
	code->imports = itp_flow_imports_new(&symbols->image, code->range);
	code->decoder = itp_flow_decoder_new(code->architecture);
	code->callees = g_hash_table_new(itp_hash_number, NULL);
	if (!code->imports || !code->decoder || !init_kernel(code)) {
		itp_flow_code_release(code);
		return false;
	}
	return true;
}

void itp_flow_code_release(struct itp_flow_code *code)
{
	itp_flow_patches_free(code->patches);
	itp_flow_imports_free(code->imports);
	itp_flow_decoder_free(code->decoder);
	g_clear_pointer(&code->callees, g_hash_table_destroy);
}

struct itp_bytes itp_flow_code_at(const struct itp_flow_code *code, uint64_t vaddr)
{
	if (!itp_flow_range_holds(code->range, vaddr)) {
		return (struct itp_bytes){ .data = NULL };
	}
	return itp_elf_image_at(&code->symbols->image, vaddr);
}

struct itp_flow_instruction itp_flow_code_decode(const struct itp_flow_code *code, uint64_t vaddr)
{
	return itp_flow_decode(code->decoder, itp_flow_code_at(code, vaddr), vaddr);
}

/* Symbol of known size, or a kernel's: symbols name all functions of a kernel, and go on to the
 * next one. */
static const struct itp_symbol *sized_symbol(const struct itp_flow_code *code, uint64_t vaddr)
{
	const struct itp_symbol *symbol = itp_symbol_table_find(&code->symbols->table, vaddr);

	return symbol && (symbol->is_sized || code->patches) ? symbol : NULL;
}

const struct itp_symbol *itp_flow_code_symbol(const struct itp_flow_code *code, uint64_t vaddr)
{
	const struct itp_symbol *symbol = itp_symbol_table_find(&code->symbols->table, vaddr);

	return symbol && symbol->start == vaddr ? symbol : NULL;
}

bool itp_flow_code_part(const struct itp_flow_code *code, uint64_t vaddr,
			struct itp_flow_range *ret_part)
{
	const struct itp_symbol *symbol;

	if (!itp_flow_range_holds(code->range, vaddr)) {
		return false;
	}
	if (code->symbols->cfi &&
	    itp_cfi_bounds(code->symbols->cfi, vaddr, &ret_part->start, &ret_part->end)) {
		return true;
	}
	symbol = sized_symbol(code, vaddr);
	if (symbol) {
		*ret_part = (struct itp_flow_range){ .start = symbol->start, .end = symbol->end };
	}
	return symbol != NULL;
}

/* True when nothing lies in `range` but compilers' filling between functions. */
static bool is_padding(const struct itp_flow_code *code, struct itp_flow_range range)
{
	uint64_t vaddr = range.start;

	while (vaddr < range.end) {
		struct itp_flow_instruction instruction = itp_flow_code_decode(code, vaddr);

		if (!instruction.is_padding &&
		    (instruction.kind != ITP_FLOW_TRAP || instruction.size != 1)) {
			return false;
		}
		vaddr += instruction.size;
	}
	return true;
}

bool itp_flow_code_comes_back(const struct itp_flow_code *code, struct itp_flow_range part,
			      uint64_t vaddr, uint64_t next)
{
	const struct itp_symbol *symbol;

	if (itp_flow_range_holds(part, next)) {
		return !code->patches ||
		       !is_padding(code, (struct itp_flow_range){ next, part.end });
	}
	symbol = sized_symbol(code, vaddr);
	return symbol && next < symbol->end;
}

enum itp_flow_stack itp_flow_code_stack(const struct itp_flow_code *code, uint64_t vaddr)
{
	bool is_arm = code->architecture == ITP_ARM64;
	const struct itp_cfi_row *row;
	bool is_lasting;

	row = code->symbols->cfi ? itp_cfi_find(code->symbols->cfi, vaddr, &is_lasting) : NULL;
	if (!row || row->caller == ITP_CFI_CALLER_NONE ||
	    row->caller == ITP_CFI_CALLER_ON_OTHER_STACK_UNRULED || row->is_signal_frame) {
		return ITP_FLOW_STACK_UNKNOWN;
	}
	if (row->cfa.kind == ITP_CFI_REGISTER &&
	    row->cfa.source == (is_arm ? ARM64_STACK_POINTER : X86_STACK_POINTER) &&
	    row->cfa.value == (is_arm ? 0 : X86_CALLED_OFFSET)) {
		return ITP_FLOW_STACK_AS_CALLED;
	}
	return ITP_FLOW_STACK_DEEPER;
}

/* adrp x16, PAGE; ldr x17, [x16, #OFFSET], perhaps behind a landing instruction. */
static const char *arm64_linkage_name(const struct itp_flow_code *code, uint64_t vaddr)
{
	for (unsigned int i = 0; i < 2; i++, vaddr += 4) {
		struct itp_bytes bytes = itp_flow_code_at(code, vaddr);
		uint32_t adrp;
		uint32_t ldr;
		uint64_t page;

		if (!itp_bytes_u32(&bytes, &adrp) || !itp_bytes_u32(&bytes, &ldr)) {
			return NULL;
		}
		if ((adrp & ARM64_ADRP_MASK) != ARM64_ADRP ||
		    (ldr & ARM64_LDR_X17_MASK) != ARM64_LDR_X17) {
			continue;
		}
		page = ((adrp >> 29 & 3) | (adrp >> 5 & 0x7ffff) << 2) << 12;
		/* A signed number of 33 bits. */
		page = (uint64_t)((int64_t)(page << 31) >> 31) + (vaddr & ~UINT64_C(0xfff));
		return itp_flow_imports_name(code->imports, page + (ldr >> 10 & 0xfff) * 8);
	}
	return NULL;
}

const char *itp_flow_code_linkage_name(const struct itp_flow_code *code, uint64_t vaddr)
{
	if (code->architecture == ITP_ARM64) {
		return arm64_linkage_name(code, vaddr);
	}
	for (unsigned int i = 0; i < MAX_STUB_INSTRUCTIONS; i++) {
		struct itp_flow_instruction instruction = itp_flow_code_decode(code, vaddr);

		if (instruction.kind == ITP_FLOW_JUMP_INDIRECT) {
			return itp_flow_imports_name(code->imports, instruction.target);
		}
		if (instruction.kind != ITP_FLOW_PLAIN) {
			return NULL;
		}
		vaddr += instruction.size;
	}
	return NULL;
}

static bool is_cold(const struct itp_symbol *symbol)
{
	static const char suffix[] = ".cold";

	return g_strstr_len(symbol->name, symbol->name_length, suffix) != NULL;
}

/* First jump out of `part`, from *vaddr on; *vaddr becomes the place of the next search. */
static bool next_jump_out(const struct itp_flow_code *code, struct itp_flow_range part,
			  uint64_t *vaddr, uint64_t *ret_target)
{
	while (*vaddr < part.end && *vaddr - part.start < MAX_SCANNED_BYTES) {
		struct itp_flow_instruction instruction = itp_flow_code_decode(code, *vaddr);

		*vaddr += instruction.size;
		if ((instruction.kind == ITP_FLOW_JUMP ||
		     instruction.kind == ITP_FLOW_CONDITIONAL) &&
		    !itp_flow_range_holds(part, instruction.target)) {
			*ret_target = instruction.target;
			return true;
		}
	}
	return false;
}

/* A place behind the first instruction of a part. */
static bool is_inside_part(const struct itp_flow_code *code, uint64_t vaddr,
			   struct itp_flow_range *ret_part)
{
	return itp_flow_code_part(code, vaddr, ret_part) && ret_part->start != vaddr &&
	       !itp_flow_code_linkage_name(code, vaddr);
}

static bool begins_cold(const struct itp_flow_code *code, uint64_t start)
{
	const struct itp_symbol *symbol = itp_flow_code_symbol(code, start);

	return (symbol && is_cold(symbol)) ||
	       itp_flow_code_stack(code, start) == ITP_FLOW_STACK_DEEPER;
}

uint64_t itp_flow_code_home(const struct itp_flow_code *code, struct itp_flow_range part)
{
	uint64_t vaddr = part.start;
	struct itp_flow_range home;
	uint64_t target;

	if (!begins_cold(code, part.start)) {
		return part.start;
	}
	while (next_jump_out(code, part, &vaddr, &target)) {
		if (is_inside_part(code, target, &home) && !begins_cold(code, home.start)) {
			return home.start;
		}
	}
	return part.start;
}

/* True when code of the part at `target` jumps to code that is no function's beginning, or back to
 * `home`: it belongs to another part then. */
static bool jumps_elsewhere(const struct itp_flow_code *code, uint64_t target,
			    struct itp_flow_range home)
{
	struct itp_flow_range part;
	struct itp_flow_range other;
	uint64_t vaddr = target;
	uint64_t out;

	if (!itp_flow_code_part(code, target, &part) || part.end - part.start > MAX_SCANNED_BYTES) {
		return true;
	}
	while (next_jump_out(code, part, &vaddr, &out)) {
		if (itp_flow_range_holds(home, out) || is_inside_part(code, out, &other)) {
			return true;
		}
	}
	return false;
}

/* True when a jump comes back: in a kernel written by hand a name may stand in the middle of a
 * function, which goes on behind it and back. */
static bool jumps_back(const struct itp_flow_code *code, uint64_t target,
		       struct itp_flow_range home)
{
	struct itp_flow_range part;
	struct itp_flow_range other;
	uint64_t vaddr = target;
	uint64_t out;

	if (!itp_flow_code_part(code, target, &part)) {
		return false;
	}
	while (next_jump_out(code, part, &vaddr, &out)) {
		if ((itp_flow_range_holds(home, out) && out != home.start) ||
		    (is_inside_part(code, out, &other) && !begins_cold(code, other.start))) {
			return true;
		}
	}
	return false;
}

enum itp_flow_jump itp_flow_code_jump(const struct itp_flow_code *code, struct itp_flow_range part,
				      uint64_t vaddr, uint64_t target)
{
	const struct itp_symbol *symbol;
	struct itp_flow_range other;

	if (itp_flow_range_holds(part, target)) {
		return ITP_FLOW_JUMP_STAYS;
	}
	if (itp_flow_code_linkage_name(code, target)) {
		return ITP_FLOW_JUMP_LEAVES;
	}
	if (!itp_flow_code_part(code, target, &other)) {
		return ITP_FLOW_JUMP_UNCLEAR;
	}
	if (code->patches && jumps_back(code, target, part)) {
		return ITP_FLOW_JUMP_STAYS;
	}
	symbol = itp_flow_code_symbol(code, target);
	if ((!symbol && other.start != target) ||
	    itp_flow_code_stack(code, vaddr) == ITP_FLOW_STACK_DEEPER) {
		return ITP_FLOW_JUMP_STAYS;
	}
	if (symbol) {
		return is_cold(symbol) ? ITP_FLOW_JUMP_STAYS : ITP_FLOW_JUMP_LEAVES;
	}
	if (itp_flow_code_stack(code, target) == ITP_FLOW_STACK_DEEPER ||
	    jumps_elsewhere(code, target, part)) {
		return ITP_FLOW_JUMP_STAYS;
	}
	return ITP_FLOW_JUMP_LEAVES;
}

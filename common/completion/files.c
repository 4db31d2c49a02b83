/* SPDX-License-Identifier: MIT */
/*
 * See files.h.
 *
 * On x86-64 all references are told by a distance in the instruction. Whatever could be one is
 * noted once; whether it is, is found out when somebody asks, by decoding the function from its
 * beginning. Short distances, of a byte, are looked for around the target.
 */
#include "common/completion/files.h"

/* Of code, and of slots; 16 bytes are noted for about every 50 of them. */
#define MAX_CODE_BYTES (64u * 1024 * 1024)
#define MAX_REFERENCES (4u * 1024 * 1024)
/* Most references to a place. */
#define MAX_VISITS 512

#define DISTANCE_BYTES 4
/* Before the distance in a call or a jump. */
#define MAX_OPCODE_BYTES 3
#define SHORT_BYTES 128
/* Addresses of targets in a bucket. */
#define BUCKET_BYTES 64

struct reference {
	uint64_t target;
	/* Place of the distance in the code. */
	uint64_t place;
};

struct itp_references {
	/* Weak. */
	const struct itp_flow_code *code;
	struct itp_flow_range slots;
	/* struct reference, by bucket of the target and by place. Owned by this. */
	GArray *list;
	/* Begins of the buckets in the list, and the end: targets are few in each, so nothing is
	 * sorted. Owned by this. */
	guint *first;
	guint bucket_count;
};
struct itp_code_files {
	/* struct itp_module * to struct itp_code_file *, NULL for an unknown file. Owned by
	 * this. */
	GHashTable *by_module;
};

/* ---- References ---- */

static guint buckets_of(struct itp_flow_range range)
{
	return (guint)((range.end - range.start) / BUCKET_BYTES + 1);
}

/* Bucket of a target, bucket_count for neither code nor a slot. */
static guint bucket_of(const struct itp_references *references, uint64_t target)
{
	struct itp_flow_range code = references->code->range;

	if (itp_flow_range_holds(code, target)) {
		return (guint)((target - code.start) / BUCKET_BYTES);
	}
	if (itp_flow_range_holds(references->slots, target)) {
		return buckets_of(code) +
		       (guint)((target - references->slots.start) / BUCKET_BYTES);
	}
	return references->bucket_count;
}

/* True when a distance can stand behind the bytes in front of `bytes` + `place`: the opcode of a
 * call or a jump, or the byte of an instruction with memory at a distance. */
static bool may_be_distance(const uint8_t *bytes, size_t place)
{
	uint8_t last = bytes[place - 1];

	return (last & 0xfe) == 0xe8 || (last & 0xc7) == 0x05 ||
	       ((last & 0xf0) == 0x80 && place > 1 && bytes[place - 2] == 0x0f);
}

static void note_segment(struct itp_references *references, const GElf_Phdr *segment)
{
	struct itp_bytes bytes = itp_elf_image_contents(&references->code->symbols->image, segment);

	for (size_t i = 1; i + DISTANCE_BYTES <= bytes.size; i++) {
		uint64_t place = segment->p_vaddr + i;
		struct reference reference = { .place = place };

		if (!may_be_distance(bytes.data, i)) {
			continue;
		}
		reference.target =
			place + DISTANCE_BYTES + (uint64_t)(int32_t)itp_load_u32(bytes.data + i);
		if (bucket_of(references, reference.target) < references->bucket_count &&
		    references->list->len < MAX_REFERENCES) {
			g_array_append_val(references->list, reference);
		}
	}
}

/* The list is in the order of the places. */
static void fill_buckets(struct itp_references *references)
{
	GArray *noted = references->list;
	guint *first = g_new0(guint, references->bucket_count + 1);
	g_autofree guint *next = NULL;

	for (guint i = 0; i < noted->len; i++) {
		first[bucket_of(references, g_array_index(noted, struct reference, i).target) +
		      1]++;
	}
	for (guint bucket = 0; bucket < references->bucket_count; bucket++) {
		first[bucket + 1] += first[bucket];
	}
	next = g_memdup2(first, sizeof(guint) * references->bucket_count);
	references->list = g_array_sized_new(FALSE, FALSE, sizeof(struct reference), noted->len);
	g_array_set_size(references->list, noted->len);
	for (guint i = 0; i < noted->len; i++) {
		struct reference reference = g_array_index(noted, struct reference, i);
		guint bucket = bucket_of(references, reference.target);

		g_array_index(references->list, struct reference, next[bucket]++) = reference;
	}
	references->first = first;
	g_array_unref(noted);
}

/* NULL for other architectures, and for more code than is looked at. */
static struct itp_references *references_new(const struct itp_flow_code *code)
{
	struct itp_flow_range slots = itp_flow_imports_range(code->imports);
	struct itp_references *references;

	if (code->architecture != ITP_X86_64 ||
	    code->range.end - code->range.start > MAX_CODE_BYTES ||
	    slots.end - slots.start > MAX_CODE_BYTES) {
		return NULL;
	}
	references = g_new0(struct itp_references, 1);
	references->code = code;
	references->slots = slots;
	references->bucket_count = buckets_of(code->range) + buckets_of(references->slots);
	references->list = g_array_new(FALSE, FALSE, sizeof(struct reference));
	for (guint i = 0; i < code->symbols->image.segments->len; i++) {
		const GElf_Phdr *segment =
			&g_array_index(code->symbols->image.segments, GElf_Phdr, i);

		if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X)) {
			note_segment(references, segment);
		}
	}
	fill_buckets(references);
	itp_elf_symbols_forget(code->symbols);
	return references;
}

static void references_free(struct itp_references *references)
{
	if (references) {
		g_array_unref(references->list);
		g_free(references->first);
		g_free(references);
	}
}

/* Call or jump that ends behind the distance at `place`. False for another instruction, or a mere
 * number. */
static bool find_branch(const struct itp_flow_code *code, const struct reference *reference,
			struct itp_flow_instruction *ret_branch)
{
	for (uint64_t size = 1; size <= MAX_OPCODE_BYTES; size++) {
		*ret_branch = itp_flow_code_decode(code, reference->place - size);
		if (ret_branch->size == size + DISTANCE_BYTES &&
		    ret_branch->target == reference->target) {
			return true;
		}
	}
	return false;
}

/* Instruction of a function over `vaddr`; false without a function. */
static bool find_instruction(const struct itp_flow_code *code, uint64_t vaddr,
			     struct itp_flow_instruction *ret_instruction)
{
	struct itp_flow_range part;

	if (!itp_flow_code_part(code, vaddr, &part)) {
		return false;
	}
	for (uint64_t at = part.start; at <= vaddr; at += MAX(ret_instruction->size, 1)) {
		*ret_instruction = itp_flow_code_decode(code, at);
	}
	return true;
}

/* Reads or writes memory at `target`. */
static bool uses_memory(const struct itp_flow_code *code,
			const struct itp_flow_instruction *instruction, uint64_t target)
{
	const cs_insn *detail = itp_flow_decode_detail(
		code->decoder, itp_flow_code_at(code, instruction->vaddr), instruction->vaddr);
	const cs_x86 *x86 = detail ? &detail->detail->x86 : NULL;

	for (uint8_t i = 0; x86 && i < x86->op_count; i++) {
		const x86_op_mem *memory = &x86->operands[i].mem;

		if (x86->operands[i].type == X86_OP_MEM && memory->base == X86_REG_RIP &&
		    instruction->vaddr + instruction->size + (uint64_t)memory->disp == target) {
			return true;
		}
	}
	return false;
}

static bool refers(const struct itp_flow_code *code, const struct itp_flow_instruction *instruction,
		   uint64_t target)
{
	return instruction->kind == ITP_FLOW_PLAIN &&
	       (instruction->mentioned == target || uses_memory(code, instruction, target));
}

static void visit_place(const struct itp_references *references, const struct reference *reference,
			itp_reference_func *visit, void *data)
{
	const struct itp_flow_code *code = references->code;
	struct itp_flow_instruction instruction;

	if (find_branch(code, reference, &instruction) ||
	    (find_instruction(code, reference->place, &instruction) &&
	     refers(code, &instruction, reference->target))) {
		visit(&instruction, data);
	}
}

static void visit_short(const struct itp_references *references, uint64_t target,
			itp_reference_func *visit, void *data)
{
	for (uint64_t vaddr = target - SHORT_BYTES - 1; vaddr < target + SHORT_BYTES; vaddr++) {
		struct itp_bytes bytes = itp_flow_code_at(references->code, vaddr);
		struct itp_flow_instruction instruction;

		if (bytes.size >= 2 && (bytes.data[0] == 0xeb || (bytes.data[0] & 0xf0) == 0x70) &&
		    vaddr + 2 + (uint64_t)(int8_t)bytes.data[1] == target &&
		    find_instruction(references->code, vaddr, &instruction) &&
		    instruction.target == target) {
			visit(&instruction, data);
		}
	}
}

bool itp_references_each(const struct itp_references *references, uint64_t target,
			 itp_reference_func *visit, void *data)
{
	guint bucket = bucket_of(references, target);
	guint visits = 0;

	if (bucket < references->bucket_count) {
		for (guint i = references->first[bucket]; i < references->first[bucket + 1]; i++) {
			const struct reference *reference =
				&g_array_index(references->list, struct reference, i);

			if (reference->target != target) {
				continue;
			}
			if (visits++ >= MAX_VISITS) {
				return false;
			}
			visit_place(references, reference, visit, data);
		}
	}
	visit_short(references, target, visit, data);
	return references->list->len < MAX_REFERENCES;
}

/* ---- Files ---- */

static void free_file(gpointer data)
{
	struct itp_code_file *file = data;

	if (file) {
		references_free(file->references);
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

static struct itp_code_file *open_code_file(struct itp_module *module)
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

static struct itp_code_file *file_of(struct itp_code_files *files, struct itp_module *module)
{
	gpointer file;

	if (!g_hash_table_lookup_extended(files->by_module, module, NULL, &file)) {
		file = open_code_file(module);
		g_hash_table_insert(files->by_module, module, file);
	}
	return file;
}

struct itp_code_file *itp_code_files_at(struct itp_code_files *files,
					struct itp_address_space *space, uint64_t address)
{
	const struct itp_mapping *mapping = itp_address_space_find(space, address);

	return mapping ? file_of(files, mapping->module) : NULL;
}

bool itp_code_files_number(struct itp_code_files *files, const struct itp_address_space *space,
			   uint32_t number, struct itp_code_file **ret_file)
{
	const struct itp_mapping *mapping = itp_address_space_get(space, number);

	*ret_file = mapping ? file_of(files, mapping->module) : NULL;
	return mapping != NULL;
}

const struct itp_references *itp_code_file_references(struct itp_code_file *file)
{
	if (!file->has_references) {
		file->has_references = true;
		file->references = references_new(&file->code);
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

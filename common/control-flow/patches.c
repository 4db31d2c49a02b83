/* SPDX-License-Identifier: MIT */
/*
 * The tables hold places relative to themselves (arch/x86/include/asm: jump_label.h,
 * alternative.h, extable.h; since Linux 4.20). One that does not fit into the code is of
 * another layout, and makes the whole kernel unknown.
 */
#include "common/control-flow/patches.h"

#include "common/elf/section.h"
#include "common/symbol/kernel-image.h"

/* Most bytes of a table; the largest of Debian's kernel has 96 KiB. */
#define MAX_TABLE_BYTES (1024u * 1024)
#define JUMP_LABEL_BYTES 16
#define FAULT_BYTES 12
/* endbr64, in front of a tracer's call. */
#define ENDBR_BYTES 4

struct patch {
	uint64_t start;
	uint64_t end;
	/* For a branch. */
	uint64_t target;
	enum itp_flow_patch kind;
};

struct itp_flow_patches {
	/* Weak. */
	const struct itp_elf_image *image;
	struct itp_flow_decoder *decoder;
	struct itp_flow_range code;
	/* struct patch, sorted, without overlaps. Owned by this. */
	GArray *patches;
	/* struct itp_flow_fault, sorted. Owned by this. */
	GArray *faults;
	/* The tables were found. */
	bool has_labels;
	bool has_faults;
};

struct table {
	struct itp_bytes bytes;
	uint64_t vaddr;
};

/* Takes the next number, of 32 bits, as a distance from its own place. */
static bool take_place(struct table *table, uint64_t *ret_place)
{
	uint32_t distance;
	uint64_t vaddr = table->vaddr;

	if (!itp_bytes_u32(&table->bytes, &distance)) {
		return false;
	}
	table->vaddr += sizeof(distance);
	*ret_place = vaddr + (uint64_t)(int64_t)(int32_t)distance;
	return true;
}

static bool skip(struct table *table, size_t size)
{
	table->vaddr += size;
	return itp_bytes_take(&table->bytes, size) != NULL;
}

static bool is_code(const struct itp_flow_patches *patches, uint64_t vaddr)
{
	return vaddr >= patches->code.start && vaddr < patches->code.end;
}

static struct itp_flow_instruction decode(const struct itp_flow_patches *patches, uint64_t vaddr)
{
	return itp_flow_decode(patches->decoder, itp_elf_image_at(patches->image, vaddr), vaddr);
}

static bool read_jump_labels(struct itp_flow_patches *patches, struct table table)
{
	while (table.bytes.size >= JUMP_LABEL_BYTES) {
		struct patch patch = { .kind = ITP_FLOW_PATCH_BRANCH };

		if (!take_place(&table, &patch.start) || !take_place(&table, &patch.target) ||
		    !skip(&table, JUMP_LABEL_BYTES - 2 * sizeof(uint32_t)) ||
		    !is_code(patches, patch.start) || !is_code(patches, patch.target)) {
			return false;
		}
		patch.end = patch.start + decode(patches, patch.start).size;
		g_array_append_val(patches->patches, patch);
	}
	return table.bytes.size == 0;
}

/* True when all instructions of a range go on with the next. */
static bool is_straight(const struct itp_flow_patches *patches, uint64_t vaddr, uint64_t size)
{
	uint64_t end = vaddr + size;

	while (vaddr < end) {
		struct itp_flow_instruction instruction = decode(patches, vaddr);

		if (instruction.kind != ITP_FLOW_PLAIN && instruction.kind != ITP_FLOW_CALL &&
		    instruction.kind != ITP_FLOW_CALL_INDIRECT) {
			return false;
		}
		vaddr += instruction.size;
	}
	return vaddr == end;
}

/* Reads alternatives; `prefix` is the place of the sizes in an entry of `size` bytes. */
static bool read_alternatives(struct itp_flow_patches *patches, struct table table, size_t size,
			      size_t prefix)
{
	while (table.bytes.size >= size) {
		struct patch patch = { .kind = ITP_FLOW_PATCH_NONE };
		const uint8_t *sizes;
		uint64_t replacement;

		if (!take_place(&table, &patch.start) || !take_place(&table, &replacement) ||
		    !skip(&table, prefix - 2 * sizeof(uint32_t))) {
			return false;
		}
		sizes = table.bytes.data;
		if (!skip(&table, size - prefix) || !is_code(patches, patch.start) ||
		    sizes[0] == 0 || sizes[1] > sizes[0] ||
		    !itp_elf_image_at(patches->image, replacement).data) {
			return false;
		}
		patch.end = patch.start + sizes[0];
		if (!is_straight(patches, patch.start, sizes[0]) ||
		    !is_straight(patches, replacement, sizes[1])) {
			patch.kind = ITP_FLOW_PATCH_UNCLEAR;
		}
		g_array_append_val(patches->patches, patch);
	}
	return table.bytes.size == 0;
}

/* The layout has changed twice; a wrong one makes nonsense of the table. */
static bool read_any_alternatives(struct itp_flow_patches *patches, struct table table)
{
	static const struct {
		size_t size;
		size_t prefix;
	} layouts[] = { { 12, 10 }, { 14, 12 }, { 13, 10 } };
	guint before = patches->patches->len;

	for (size_t i = 0; i < G_N_ELEMENTS(layouts); i++) {
		if (read_alternatives(patches, table, layouts[i].size, layouts[i].prefix)) {
			return true;
		}
		g_array_set_size(patches->patches, before);
	}
	return false;
}

static bool read_faults(struct itp_flow_patches *patches, struct table table)
{
	while (table.bytes.size >= FAULT_BYTES) {
		struct itp_flow_fault fault;

		if (!take_place(&table, &fault.vaddr) || !take_place(&table, &fault.pad) ||
		    !skip(&table, FAULT_BYTES - 2 * sizeof(uint32_t)) ||
		    !is_code(patches, fault.vaddr) || !is_code(patches, fault.pad)) {
			return false;
		}
		g_array_append_val(patches->faults, fault);
	}
	return table.bytes.size == 0;
}

/* By their first members. */
static gint compare_first_members(gconstpointer a, gconstpointer b)
{
	const uint64_t *left = a;
	const uint64_t *right = b;

	return *left < *right ? -1 : *left > *right;
}

/* Merges several patches of a place into one, of which less is known. */
static void merge_patches(GArray *patches)
{
	struct patch *all = (struct patch *)(void *)patches->data;
	guint kept = 0;

	for (guint i = 0; i < patches->len; i++) {
		struct patch *last = kept > 0 ? &all[kept - 1] : NULL;

		if (last && all[i].start < last->end) {
			if (all[i].kind != last->kind || last->kind == ITP_FLOW_PATCH_BRANCH) {
				last->kind = ITP_FLOW_PATCH_UNCLEAR;
			}
			last->end = MAX(last->end, all[i].end);
		} else {
			all[kept++] = all[i];
		}
	}
	g_array_set_size(patches, kept);
}

/* Table from `start` to `end`; nothing unless the file has all of it. */
static struct table table_at(const struct itp_elf_image *image, uint64_t start, uint64_t end)
{
	struct table table = { .bytes = itp_elf_image_at(image, start), .vaddr = start };

	if (start >= end || table.bytes.size < end - start || end - start > MAX_TABLE_BYTES) {
		return (struct table){ .vaddr = 0 };
	}
	table.bytes.size = end - start;
	return table;
}

static bool read_tables(struct itp_flow_patches *patches, const struct itp_kernel_tables *places)
{
	struct table labels = table_at(patches->image, places->labels_start, places->labels_end);
	struct table faults = table_at(patches->image, places->faults_start, places->faults_end);
	struct table alternatives = { .vaddr = 0 };

	if (!faults.bytes.data) {
		faults.bytes = itp_elf_section_at(patches->image, "__ex_table", &faults.vaddr);
	}
	/* In memory they were applied. */
	if (!itp_kernel_image_is_memory(patches->image)) {
		alternatives.bytes =
			itp_elf_section_at(patches->image, ".altinstructions", &alternatives.vaddr);
	}
	patches->has_labels = labels.bytes.data != NULL;
	patches->has_faults = faults.bytes.data != NULL;
	return alternatives.bytes.size <= MAX_TABLE_BYTES && faults.bytes.size <= MAX_TABLE_BYTES &&
	       read_jump_labels(patches, labels) && read_any_alternatives(patches, alternatives) &&
	       read_faults(patches, faults);
}

struct itp_flow_patches *itp_flow_patches_new(const struct itp_elf_symbols *symbols,
					      struct itp_flow_decoder *decoder,
					      struct itp_flow_range code)
{
	struct itp_flow_patches *patches = g_new0(struct itp_flow_patches, 1);

	patches->image = &symbols->image;
	patches->decoder = decoder;
	patches->code = code;
	patches->patches = g_array_new(FALSE, FALSE, sizeof(struct patch));
	patches->faults = g_array_new(FALSE, FALSE, sizeof(struct itp_flow_fault));
	if (!read_tables(patches, &symbols->tables)) {
		itp_flow_patches_free(patches);
		return NULL;
	}
	g_array_sort(patches->patches, compare_first_members);
	g_array_sort(patches->faults, compare_first_members);
	merge_patches(patches->patches);
	return patches;
}

void itp_flow_patches_free(struct itp_flow_patches *patches)
{
	if (!patches) {
		return;
	}
	g_array_unref(patches->patches);
	g_array_unref(patches->faults);
	g_free(patches);
}

/* Number of the elements of `array` that begin before `vaddr`. */
static guint count_before(const GArray *array, uint64_t vaddr)
{
	guint low = 0;
	guint high = array->len;
	guint size = g_array_get_element_size((GArray *)(uintptr_t)array);

	while (low < high) {
		guint middle = low + (high - low) / 2;
		uint64_t start;

		memcpy(&start, array->data + (size_t)middle * size, sizeof(start));
		if (start < vaddr) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

/* Last patch with its begin before `end`, NULL unless it reaches beyond `start`. */
static const struct patch *find_patch(const struct itp_flow_patches *patches, uint64_t start,
				      uint64_t end)
{
	guint count = count_before(patches->patches, end);
	const struct patch *patch =
		count > 0 ? &g_array_index(patches->patches, struct patch, count - 1) : NULL;

	return patch && patch->end > start ? patch : NULL;
}

static bool equals(const struct itp_flow_instruction *instruction, struct itp_bytes bytes,
		   const uint8_t *code, size_t size)
{
	return instruction->size == size && bytes.size >= size &&
	       memcmp(bytes.data, code, size) == 0;
}

/* True for the two instructions of a jump label that does not jump. The tracer's place at the
 * beginning of a function is no label. */
static bool may_be_label(const struct itp_flow_patches *patches, uint64_t start,
			 const struct itp_flow_instruction *instruction)
{
	static const uint8_t long_nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
	static const uint8_t short_nop[] = { 0x66, 0x90 };
	struct itp_bytes bytes = itp_elf_image_at(patches->image, instruction->vaddr);
	uint64_t offset = instruction->vaddr - start;

	return offset != 0 && offset != ENDBR_BYTES &&
	       (equals(instruction, bytes, long_nop, sizeof(long_nop)) ||
		equals(instruction, bytes, short_nop, sizeof(short_nop)));
}

/* stac opens the memory of programs, and the code behind it is going to use it. */
static bool is_stac(const struct itp_flow_patches *patches,
		    const struct itp_flow_instruction *instruction)
{
	static const uint8_t stac[] = { 0x0f, 0x01, 0xcb };

	return equals(instruction, itp_elf_image_at(patches->image, instruction->vaddr), stac,
		      sizeof(stac));
}

enum itp_flow_patch itp_flow_patches_find(const struct itp_flow_patches *patches, uint64_t start,
					  const struct itp_flow_instruction *instruction,
					  uint64_t *ret_target)
{
	const struct patch *patch;

	/* A breakpoint of a tracer stands on the beginning of another instruction. */
	if ((instruction->kind == ITP_FLOW_TRAP && instruction->size == 1) ||
	    (!patches->has_faults && is_stac(patches, instruction)) ||
	    (!patches->has_labels && may_be_label(patches, start, instruction))) {
		return ITP_FLOW_PATCH_UNCLEAR;
	}
	patch = find_patch(patches, instruction->vaddr, instruction->vaddr + instruction->size);
	if (!patch) {
		return !patches->has_labels && instruction->kind == ITP_FLOW_JUMP ?
			       ITP_FLOW_PATCH_MAY_NOT_JUMP :
			       ITP_FLOW_PATCH_NONE;
	}
	if (patch->kind == ITP_FLOW_PATCH_BRANCH) {
		*ret_target = patch->target;
	}
	return patch->kind == ITP_FLOW_PATCH_BRANCH && patch->start != instruction->vaddr ?
		       ITP_FLOW_PATCH_UNCLEAR :
		       patch->kind;
}

bool itp_flow_patches_hold(const struct itp_flow_patches *patches, uint64_t vaddr)
{
	const struct patch *patch = find_patch(patches, vaddr, vaddr + 1);

	return patch && patch->start < vaddr;
}

const struct itp_flow_fault *itp_flow_patches_faults(const struct itp_flow_patches *patches,
						     struct itp_flow_range range, size_t *ret_count)
{
	guint first = count_before(patches->faults, range.start);

	*ret_count = count_before(patches->faults, range.end) - first;
	return &g_array_index(patches->faults, struct itp_flow_fault, first);
}

size_t itp_flow_patches_bytes(const struct itp_flow_patches *patches)
{
	return patches->patches->len * sizeof(struct patch) +
	       patches->faults->len * sizeof(struct itp_flow_fault);
}

/* SPDX-License-Identifier: MIT */
/*
 * Finding the entry of an address, and two stores: rows by content, and row by address.
 *
 * .eh_frame comes with a sorted table of its functions (.eh_frame_hdr); for .debug_frame, and for
 * an .eh_frame without a table of the linker, a table is made when first needed.
 */
#include "common/unwind/cfi.h"

#include "common/base/hash.h"
#include "common/elf/section.h"
#include "common/unwind/cfi-entry.h"
#include "common/unwind/cfi-program.h"
#include "common/unwind/cfi-signal.h"

#include <dwarf.h>

/* Entries of .eh_frame_hdr's table: two sdata4. */
#define TABLE_ENTRY_BYTES 8
#define TABLE_VERSION 1
#define TABLE_ENCODING (DW_EH_PE_datarel | DW_EH_PE_sdata4)

/* The largest programs have some hundred thousand functions. */
#define MAX_FUNCTIONS (2u * 1024 * 1024)
/* Go's runtime has about ten; each address is looked up in all of them. */
#define MAX_BEGINNINGS 64
/* Different rows kept; further rows are worked out anew each time. */
#define MAX_ROWS 65536
/* Bytes from its entry point on of the first code of a file, which has no rules in the dynamic
 * loader and in some C libraries. */
#define MAX_ENTRY_BYTES 256
/* Largest offset in a function of code that returns from a signal handler, which is a function of
 * its own; the rest of other functions is not looked at. */
#define MAX_SIGNAL_RETURN_OFFSET 16
/* Addresses, when exceeded all of them are forgotten: 16 MiB. */
#define MAX_PLACES (512u * 1024)
#define FIRST_PLACE_BITS 8
/* New addresses after which the memory mapped from the file is given back. */
#define FORGET_PLACES 32

struct function_place {
	uint64_t start;
	uint64_t offset;
};

struct unwind_table {
	struct itp_cfi_section section;
	/* Sorted pairs of 32-bit numbers relative to `base`. Weak: part of the file. */
	struct itp_bytes sorted;
	uint64_t base;
	/* struct function_place, sorted; NULL until needed. Owned by this. */
	GArray *functions;
};

struct code_range {
	uint64_t start;
	uint64_t end;
};

/* An address and its row: NULL when empty, `no_row` without rules. */
struct place {
	uint64_t vaddr;
	/* Weak. */
	const struct itp_cfi_row *row;
};

struct itp_cfi {
	enum itp_architecture architecture;
	bool has_rows;
	/* The file's entry point; 0 without. */
	uint64_t entry;
	struct unwind_table eh_frame;
	struct unwind_table debug_frame;
	/* struct code_range: functions that begin a stack. Owned by this. */
	GArray *beginnings;
	/* Weak. */
	const struct itp_elf_image *image;
	/* Set of struct itp_cfi_row. Owned by this. */
	GHashTable *rows;
	/* Open addressing. Owned by this. */
	struct place *places;
	unsigned int place_bits;
	guint place_count;
	/* Row of the last find if not in `rows`. */
	struct itp_cfi_row spare;
};

static const struct itp_cfi_row no_row;
/* Row of the code at a file's entry point, called by nothing. */
static const struct itp_cfi_row entry_row = { .caller = ITP_CFI_CALLER_NONE };
/* Row of code that begins a stack, in a file without rules for it. */
static const struct itp_cfi_row beginning_row = { .caller = ITP_CFI_CALLER_ON_OTHER_STACK_UNRULED };

static size_t row_bytes(const struct itp_cfi_row *row)
{
	return offsetof(struct itp_cfi_row, rules) + row->rule_count * sizeof(row->rules[0]);
}

static guint row_hash(gconstpointer key)
{
	/* Neither part of a row has padding. */
	return itp_hash_bytes(key, row_bytes(key));
}

static gboolean row_equal(gconstpointer a, gconstpointer b)
{
	size_t size = row_bytes(a);

	return size == row_bytes(b) && memcmp(a, b, size) == 0;
}

/* The sorted table, and .eh_frame itself by the pointer in front of the table. */
static void find_eh_frame_by_header(struct unwind_table *table, const struct itp_elf_image *image)
{
	const GElf_Phdr *segment = itp_elf_image_segment(image, PT_GNU_EH_FRAME);
	struct itp_cfi_section header = table->section;
	struct itp_bytes bytes;
	const uint8_t *fixed;
	uint64_t vaddr;
	uint32_t count;

	if (!segment) {
		return;
	}
	header.bytes = itp_elf_image_contents(image, segment);
	header.vaddr = segment->p_vaddr;
	bytes = header.bytes;
	fixed = itp_bytes_take(&bytes, 4);
	if (!fixed || fixed[0] != TABLE_VERSION ||
	    !itp_cfi_take_address(&header, &bytes, fixed[1], &vaddr)) {
		return;
	}
	table->section.bytes = itp_elf_image_at(image, vaddr);
	table->section.vaddr = vaddr;
	if (fixed[2] == DW_EH_PE_udata4 && fixed[3] == TABLE_ENCODING &&
	    itp_bytes_u32(&bytes, &count) && count <= bytes.size / TABLE_ENTRY_BYTES) {
		bytes.size = (size_t)count * TABLE_ENTRY_BYTES;
		table->sorted = bytes;
		table->base = segment->p_vaddr;
	}
}

static void find_section(struct unwind_table *table, struct itp_elf_image *image, const char *name)
{
	table->section.bytes = itp_elf_section_inflated(image, name, &table->section.vaddr);
}

/* Architectures with known registers; for others, only bounds of functions are of use. */
static bool has_known_registers(const GElf_Ehdr *header)
{
	return header->e_ident[EI_CLASS] == ELFCLASS64 &&
	       (header->e_machine == EM_AARCH64 || header->e_machine == EM_X86_64);
}

struct itp_cfi *itp_cfi_new_of_any(struct itp_elf_image *image)
{
	struct itp_cfi *cfi;
	GElf_Ehdr header;

	if (!gelf_getehdr(image->elf, &header)) {
		return NULL;
	}
	cfi = g_new0(struct itp_cfi, 1);
	cfi->has_rows = has_known_registers(&header);
	cfi->architecture = header.e_machine == EM_AARCH64 ? ITP_ARM64 : ITP_X86_64;
	cfi->entry = header.e_entry;
	cfi->eh_frame.section.is_eh_frame = true;
	cfi->eh_frame.section.address_bytes = header.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
	cfi->debug_frame.section.address_bytes = cfi->eh_frame.section.address_bytes;
	find_eh_frame_by_header(&cfi->eh_frame, image);
	if (cfi->eh_frame.section.bytes.size == 0) {
		find_section(&cfi->eh_frame, image, ".eh_frame");
	}
	find_section(&cfi->debug_frame, image, ".debug_frame");
	cfi->image = image;
	cfi->beginnings = g_array_new(FALSE, FALSE, sizeof(struct code_range));
	cfi->rows = g_hash_table_new_full(row_hash, row_equal, g_free, NULL);
	cfi->place_bits = FIRST_PLACE_BITS;
	cfi->places = g_new0(struct place, 1u << cfi->place_bits);
	return cfi;
}

static bool has_tables(const struct itp_cfi *cfi)
{
	return cfi->eh_frame.section.bytes.size > 0 || cfi->debug_frame.section.bytes.size > 0;
}

struct itp_cfi *itp_cfi_new(struct itp_elf_image *image)
{
	struct itp_cfi *cfi = itp_cfi_new_of_any(image);

	if (cfi && !has_tables(cfi)) {
		g_clear_pointer(&cfi, itp_cfi_free);
	}
	return cfi;
}

void itp_cfi_free(struct itp_cfi *cfi)
{
	if (!cfi) {
		return;
	}
	g_clear_pointer(&cfi->eh_frame.functions, g_array_unref);
	g_clear_pointer(&cfi->debug_frame.functions, g_array_unref);
	g_array_unref(cfi->beginnings);
	g_hash_table_destroy(cfi->rows);
	g_free(cfi->places);
	g_free(cfi);
}

enum itp_architecture itp_cfi_architecture(const struct itp_cfi *cfi)
{
	return cfi->architecture;
}

const struct itp_elf_image *itp_cfi_image(const struct itp_cfi *cfi)
{
	return cfi->image;
}

static gint compare_functions(gconstpointer a, gconstpointer b)
{
	const struct function_place *left = a;
	const struct function_place *right = b;

	if (left->start != right->start) {
		return left->start < right->start ? -1 : 1;
	}
	return left->offset < right->offset ? -1 : left->offset > right->offset;
}

static void list_functions(struct unwind_table *table)
{
	uint64_t offset = 0;
	uint64_t next;

	table->functions = g_array_new(FALSE, FALSE, sizeof(struct function_place));
	while (table->functions->len < MAX_FUNCTIONS &&
	       itp_cfi_next_entry(&table->section, offset, &next)) {
		struct itp_cfi_function function;

		if (itp_cfi_read_function(&table->section, offset, &function)) {
			const struct function_place place = { .start = function.start,
							      .offset = offset };

			g_array_append_val(table->functions, place);
		}
		offset = next;
	}
	g_array_sort(table->functions, compare_functions);
}

static struct function_place function_place_at(const struct unwind_table *table, size_t i)
{
	const uint8_t *pair;
	int32_t start;
	int32_t entry;

	if (table->functions) {
		return g_array_index(table->functions, struct function_place, i);
	}
	pair = table->sorted.data + i * TABLE_ENTRY_BYTES;
	start = (int32_t)itp_load_u32(pair);
	entry = (int32_t)itp_load_u32(pair + 4);
	return (struct function_place){
		.start = table->base + (uint64_t)(int64_t)start,
		.offset = table->base + (uint64_t)(int64_t)entry - table->section.vaddr,
	};
}

static size_t function_count(struct unwind_table *table)
{
	if (table->sorted.size == 0 && !table->functions) {
		list_functions(table);
	}
	return table->functions ? table->functions->len : table->sorted.size / TABLE_ENTRY_BYTES;
}

/* The last function with its begin at or before `vaddr`, if it covers `vaddr`. */
static bool find_function(struct unwind_table *table, uint64_t vaddr,
			  struct itp_cfi_function *ret_function)
{
	size_t low = 0;
	size_t high = function_count(table);

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (function_place_at(table, middle).start <= vaddr) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low > 0 &&
	       itp_cfi_read_function(&table->section, function_place_at(table, low - 1).offset,
				     ret_function) &&
	       vaddr >= ret_function->start && vaddr < ret_function->end;
}

void itp_cfi_begin_stack(struct itp_cfi *cfi, uint64_t start, uint64_t end)
{
	const struct code_range range = { .start = start, .end = end };

	guint place = cfi->beginnings->len;

	while (place > 0 &&
	       g_array_index(cfi->beginnings, struct code_range, place - 1).start > start) {
		place--;
	}
	if (cfi->beginnings->len < MAX_BEGINNINGS) {
		g_array_insert_val(cfi->beginnings, place, range);
	}
}

static bool begins_stack(const struct itp_cfi *cfi, uint64_t vaddr)
{
	for (guint i = 0; i < cfi->beginnings->len; i++) {
		const struct code_range *range =
			&g_array_index(cfi->beginnings, struct code_range, i);

		if (vaddr >= range->start && vaddr < range->end) {
			return true;
		}
	}
	return false;
}

/* Row by the tables; false without a rule. *ret_offset is the offset of `vaddr` in its function, 0
 * without a function. */
static bool run_entry(struct itp_cfi *cfi, uint64_t vaddr, struct itp_cfi_row *row,
		      uint64_t *ret_offset)
{
	struct unwind_table *tables[] = { &cfi->eh_frame, &cfi->debug_frame };
	struct itp_cfi_function function;

	*ret_offset = 0;
	for (size_t i = 0; cfi->has_rows && i < G_N_ELEMENTS(tables); i++) {
		if (find_function(tables[i], vaddr, &function)) {
			*ret_offset = vaddr - function.start;
			return itp_cfi_run(&tables[i]->section, &function, cfi->architecture, vaddr,
					   row);
		}
	}
	return false;
}

/* The row at `vaddr`, with cases left out by tables: returns from signals, and begins of stacks. */
static bool work_out(struct itp_cfi *cfi, uint64_t vaddr, struct itp_cfi_row *row)
{
	uint64_t offset;
	bool has_rule = run_entry(cfi, vaddr, row, &offset);

	if (has_rule && row->is_signal_frame) {
		return true;
	}
	/* Behind a system call the entry still holds, if it reaches so far. */
	if (offset <= MAX_SIGNAL_RETURN_OFFSET &&
	    (itp_cfi_signal_return(cfi->image, cfi->architecture, vaddr, row) ||
	     (has_rule && itp_cfi_signal_return(cfi->image, cfi->architecture, vaddr - 1, row)))) {
		return true;
	}
	if (has_rule && begins_stack(cfi, vaddr)) {
		row->caller = ITP_CFI_CALLER_ON_OTHER_STACK;
	}
	return has_rule;
}

static const struct itp_cfi_row *row_without_rule(const struct itp_cfi *cfi, uint64_t vaddr)
{
	bool is_entry = cfi->entry != 0 && vaddr - cfi->entry < MAX_ENTRY_BYTES;

	return is_entry ? &entry_row : begins_stack(cfi, vaddr) ? &beginning_row : &no_row;
}

/* The kept row with equal contents; NULL when there are too many. */
static const struct itp_cfi_row *intern_row(struct itp_cfi *cfi, const struct itp_cfi_row *row)
{
	const struct itp_cfi_row *known = g_hash_table_lookup(cfi->rows, row);
	struct itp_cfi_row *copy;

	if (known || g_hash_table_size(cfi->rows) >= MAX_ROWS) {
		return known;
	}
	copy = g_malloc(row_bytes(row));
	memcpy(copy, row, row_bytes(row));
	g_hash_table_add(cfi->rows, copy);
	return copy;
}

/* The place of `vaddr`, or an empty place for it. */
static struct place *find_row_place(const struct itp_cfi *cfi, uint64_t vaddr)
{
	size_t mask = ((size_t)1 << cfi->place_bits) - 1;
	size_t i = (size_t)(vaddr * UINT64_C(0x9e3779b97f4a7c15) >> (64 - cfi->place_bits));

	while (cfi->places[i].row && cfi->places[i].vaddr != vaddr) {
		i = (i + 1) & mask;
	}
	return &cfi->places[i];
}

/* Twice as many, or none of them. */
static void make_room(struct itp_cfi *cfi)
{
	size_t old_size = (size_t)1 << cfi->place_bits;
	struct place *old = cfi->places;
	bool is_full = cfi->place_count >= MAX_PLACES;

	cfi->place_bits += is_full ? 0 : 1;
	cfi->place_count = is_full ? 0 : cfi->place_count;
	cfi->places = g_new0(struct place, (size_t)1 << cfi->place_bits);
	for (size_t i = 0; i < old_size && !is_full; i++) {
		if (old[i].row) {
			*find_row_place(cfi, old[i].vaddr) = old[i];
		}
	}
	g_free(old);
}

static void keep_row(struct itp_cfi *cfi, uint64_t vaddr, const struct itp_cfi_row *row)
{
	if (cfi->place_count >= (guint)1 << (cfi->place_bits - 1)) {
		make_room(cfi);
	}
	*find_row_place(cfi, vaddr) = (struct place){ .vaddr = vaddr, .row = row };
	cfi->place_count++;
}

const struct itp_cfi_row *itp_cfi_find(struct itp_cfi *cfi, uint64_t vaddr, bool *ret_is_lasting)
{
	const struct itp_cfi_row *row = find_row_place(cfi, vaddr)->row;

	*ret_is_lasting = true;
	if (!row) {
		row = work_out(cfi, vaddr, &cfi->spare) ? intern_row(cfi, &cfi->spare) :
							  row_without_rule(cfi, vaddr);
		if (!row) {
			*ret_is_lasting = false;
			return &cfi->spare;
		}
		keep_row(cfi, vaddr, row);
		if (cfi->place_count % FORGET_PLACES == 0) {
			itp_elf_image_forget(cfi->image);
		}
	}
	return row != &no_row ? row : NULL;
}

/* ---- All rows ---- */

struct telling {
	struct itp_cfi *cfi;
	/* End of the addresses with a row worked out for each. */
	uint64_t looked_at;
	/* Begin of the next function. */
	uint64_t limit;
	/* Least begin of the next row. */
	uint64_t from;
	itp_cfi_row_func *tell;
	void *data;
};

static void tell_range(struct telling *telling, uint64_t end, const struct itp_cfi_row *row)
{
	if (end > telling->from) {
		telling->tell(telling->data, telling->from, end, row);
		telling->from = end;
	}
}

/* Tells a row. Near returns from signals, which are few, each address is worked out by itself. */
static void tell_row(void *data, uint64_t begin, uint64_t end, const struct itp_cfi_row *row)
{
	struct telling *telling = data;
	const uint64_t looked_at = telling->looked_at;
	struct itp_cfi_row changed;

	telling->from = MAX(telling->from, begin);
	end = MIN(end, telling->limit);
	while (telling->from < MIN(end, looked_at)) {
		tell_range(telling, telling->from + 1,
			   work_out(telling->cfi, telling->from, &changed) ? &changed : NULL);
	}
	if (row && begins_stack(telling->cfi, begin)) {
		memcpy(&changed, row, row_bytes(row));
		changed.caller = ITP_CFI_CALLER_ON_OTHER_STACK;
		row = &changed;
	}
	tell_range(telling, end, row);
}

/* Tells the row without rules of a part of a gap up to `end`. */
static void tell_part(struct telling *telling, uint64_t start, uint64_t part_end, uint64_t end,
		      const struct itp_cfi_row *row)
{
	if (telling->from < MIN(end, part_end) && end > start) {
		telling->from = MAX(telling->from, start);
		tell_range(telling, MIN(end, part_end), row);
	}
}

/* Tells the gap up to a function: no rules, except for code that begins a stack, and the first code
 * of the file, which need none. */
static void tell_gap(struct telling *telling, uint64_t end)
{
	const struct itp_cfi *cfi = telling->cfi;
	bool has_told_entry = cfi->entry == 0;

	for (guint i = 0; i < cfi->beginnings->len; i++) {
		const struct code_range *range =
			&g_array_index(cfi->beginnings, struct code_range, i);

		if (!has_told_entry && range->start > cfi->entry) {
			tell_part(telling, cfi->entry, cfi->entry + MAX_ENTRY_BYTES, end,
				  &entry_row);
			has_told_entry = true;
		}
		tell_part(telling, range->start, range->end, end, &beginning_row);
	}
	if (!has_told_entry) {
		tell_part(telling, cfi->entry, cfi->entry + MAX_ENTRY_BYTES, end, &entry_row);
	}
}

static void tell_function(struct telling *telling, const struct itp_cfi_section *section,
			  const struct itp_cfi_function *function)
{
	const struct itp_cfi *cfi = telling->cfi;
	const uint64_t looked_at = function->start + MAX_SIGNAL_RETURN_OFFSET + 1;

	telling->looked_at = itp_cfi_is_near_signal_return(cfi->image, cfi->architecture,
							   function->start, looked_at) ?
				     looked_at :
				     0;
	itp_cfi_run_whole(section, function, cfi->architecture, tell_row, telling);
}

void itp_cfi_tell_rows(struct itp_cfi *cfi, itp_cfi_row_func *tell, void *data)
{
	struct unwind_table *table = cfi->eh_frame.section.bytes.size > 0 ? &cfi->eh_frame :
									    &cfi->debug_frame;
	const size_t count = cfi->has_rows ? function_count(table) : 0;
	struct telling telling = { .cfi = cfi, .tell = tell, .data = data };

	for (size_t i = 0; i < count; i++) {
		struct itp_cfi_function function;

		telling.limit = i + 1 < count ? function_place_at(table, i + 1).start : UINT64_MAX;
		if (itp_cfi_read_function(&table->section, function_place_at(table, i).offset,
					  &function)) {
			tell_gap(&telling, function.start);
			tell_function(&telling, &table->section, &function);
		}
	}
	tell_gap(&telling, UINT64_MAX);
}

bool itp_cfi_is_frameless(struct itp_cfi *cfi, uint64_t vaddr)
{
	const struct itp_register_set *set = itp_register_set(cfi->architecture);
	bool is_lasting;
	const struct itp_cfi_row *row = itp_cfi_find(cfi, vaddr, &is_lasting);

	return row && (row->cfa.kind != ITP_CFI_REGISTER || row->cfa.source != set->frame_pointer);
}

static const struct itp_cfi_rule *rule_of(const struct itp_cfi_row *row, uint8_t target)
{
	for (uint32_t i = 0; i < row->rule_count; i++) {
		if (row->rules[i].target == target) {
			return &row->rules[i];
		}
	}
	return NULL;
}

/* True when the stack is as at the function's call. Compilers tell so behind the end of a frame,
 * without telling that registers are restored. */
static bool is_as_called(const struct itp_cfi *cfi, const struct itp_cfi_row *row)
{
	return row->cfa.kind == ITP_CFI_REGISTER &&
	       row->cfa.source == itp_register_set(cfi->architecture)->stack_pointer &&
	       row->cfa.value == (cfi->architecture == ITP_ARM64 ? 0 : (int32_t)sizeof(uint64_t));
}

enum itp_cfi_frame itp_cfi_frame(struct itp_cfi *cfi, uint64_t vaddr)
{
	const struct itp_register_set *set = itp_register_set(cfi->architecture);
	bool is_lasting;
	const struct itp_cfi_row *row = itp_cfi_find(cfi, vaddr, &is_lasting);
	const struct itp_cfi_rule *rule;

	if (!row || row->is_signal_frame || row->caller != ITP_CFI_CALLER_BY_RULES) {
		return ITP_CFI_FRAME_UNKNOWN;
	}
	if (row->cfa.kind == ITP_CFI_REGISTER && row->cfa.source == set->frame_pointer) {
		return ITP_CFI_FRAME_OWN;
	}
	rule = rule_of(row, set->frame_pointer);
	if (row->kept & ITP_REGISTER_BIT(set->frame_pointer) ||
	    (rule && rule->kind == ITP_CFI_SAVED && is_as_called(cfi, row))) {
		return ITP_CFI_FRAME_OF_CALLER;
	}
	return rule && rule->kind == ITP_CFI_SAVED && row->cfa.kind == ITP_CFI_REGISTER &&
			       row->cfa.source == set->stack_pointer ?
		       ITP_CFI_FRAME_SAVED :
		       ITP_CFI_FRAME_UNKNOWN;
}

bool itp_cfi_bounds(struct itp_cfi *cfi, uint64_t vaddr, uint64_t *ret_start, uint64_t *ret_end)
{
	struct itp_cfi_function function;

	if (!find_function(&cfi->eh_frame, vaddr, &function) &&
	    !find_function(&cfi->debug_frame, vaddr, &function)) {
		return false;
	}
	*ret_start = function.start;
	*ret_end = function.end;
	return true;
}

uint64_t itp_cfi_exception_table(struct itp_cfi *cfi, uint64_t vaddr)
{
	struct itp_cfi_function function;

	if (!find_function(&cfi->eh_frame, vaddr, &function)) {
		return 0;
	}
	return function.exception_table;
}

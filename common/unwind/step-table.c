/* SPDX-License-Identifier: MIT */
/*
 * See step-table.h.
 */
#include "common/unwind/step-table.h"

#include <dwarf.h>

#include "common/base/hash.h"
#include "common/unwind/cfi-entry.h"

#define RBP 6
#define RSP 7
#define RIP 16

#define RETURN_OFFSET (-8)
#define BUCKET_BYTES (UINT64_C(1) << ITP_STEP_BUCKET_BITS)

struct itp_steps {
	/* struct itp_step. Owned by this. */
	GArray *list;
	/* struct itp_step → number. Owned by this. */
	GHashTable *numbers;
};

/* ---- Steps ---- */

static guint step_hash(gconstpointer step)
{
	return itp_hash_bytes(step, sizeof(struct itp_step));
}

static gboolean step_equal(gconstpointer a, gconstpointer b)
{
	return memcmp(a, b, sizeof(struct itp_step)) == 0;
}

struct itp_steps *itp_steps_new(void)
{
	const struct itp_step unknown = { .cfa = ITP_STEP_CFA_UNKNOWN };
	struct itp_steps *steps = g_new0(struct itp_steps, 1);

	steps->list = g_array_new(FALSE, FALSE, sizeof(struct itp_step));
	steps->numbers = g_hash_table_new_full(step_hash, step_equal, g_free, NULL);
	g_array_append_val(steps->list, unknown);
	return steps;
}

void itp_steps_free(struct itp_steps *steps)
{
	if (!steps) {
		return;
	}
	g_array_unref(steps->list);
	g_hash_table_unref(steps->numbers);
	g_free(steps);
}

guint itp_steps_count(const struct itp_steps *steps)
{
	return steps->list->len;
}

const struct itp_step *itp_steps_get(const struct itp_steps *steps, uint32_t number)
{
	return &g_array_index(steps->list, struct itp_step, number);
}

static uint32_t intern_step(struct itp_steps *steps, const struct itp_step *step)
{
	const guint known = GPOINTER_TO_UINT(g_hash_table_lookup(steps->numbers, step));

	if (known > 0 || step->cfa == ITP_STEP_CFA_UNKNOWN || steps->list->len >= ITP_STEPS_MOST) {
		return known;
	}
	g_array_append_val(steps->list, *step);
	g_hash_table_insert(steps->numbers, g_memdup2(step, sizeof(*step)),
			    GUINT_TO_POINTER(steps->list->len - 1));
	return steps->list->len - 1;
}

/* ---- Rules ---- */

/* "register + offset" of DWARF, perhaps in memory; false for other expressions. */
static bool read_based(struct itp_bytes *bytes, uint8_t operation, int32_t *ret_offset)
{
	const uint8_t *found = itp_bytes_take(bytes, 1);
	int64_t offset;

	if (!found || *found != operation || !itp_cfi_take_signed(bytes, &offset) ||
	    offset != (int32_t)offset) {
		return false;
	}
	*ret_offset = (int32_t)offset;
	return true;
}

static struct itp_bytes expression_of(const struct itp_cfi_row *row,
				      const struct itp_cfi_rule *rule)
{
	return (struct itp_bytes){ .data = row->expressions + rule->value, .size = rule->source };
}

/* rsp + 8 + ((rip & 15) >= `*ret_from`) * 8 */
static bool is_linkage(struct itp_bytes bytes, int32_t *ret_from)
{
	static const uint8_t before[] = { DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and };
	static const uint8_t behind[] = { DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus };

	if (bytes.size != sizeof(before) + 1 + sizeof(behind) ||
	    memcmp(bytes.data, before, sizeof(before)) != 0 ||
	    memcmp(bytes.data + sizeof(before) + 1, behind, sizeof(behind)) != 0) {
		return false;
	}
	*ret_from = bytes.data[sizeof(before)] - DW_OP_lit0;
	return *ret_from >= 0 && *ret_from <= 15;
}

static bool is_at_bp(struct itp_bytes bytes, int32_t *ret_offset)
{
	const uint8_t *operation;

	if (!read_based(&bytes, DW_OP_breg6, ret_offset)) {
		return false;
	}
	operation = itp_bytes_take(&bytes, 1);
	return operation && *operation == DW_OP_deref && bytes.size == 0;
}

static void set_cfa(struct itp_step *step, const struct itp_cfi_row *row)
{
	if (row->cfa.kind == ITP_CFI_REGISTER) {
		step->cfa = row->cfa.source == RSP ? ITP_STEP_CFA_SP :
			    row->cfa.source == RBP ? ITP_STEP_CFA_BP :
						     ITP_STEP_CFA_UNKNOWN;
		step->cfa_offset = row->cfa.value;
	} else if (row->cfa.kind == ITP_CFI_EXPRESSION) {
		const struct itp_bytes expression = expression_of(row, &row->cfa);

		step->cfa = is_linkage(expression, &step->cfa_offset) ? ITP_STEP_CFA_PLT :
			    is_at_bp(expression, &step->cfa_offset)   ? ITP_STEP_CFA_AT_BP :
									ITP_STEP_CFA_UNKNOWN;
	}
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

static void set_bp(struct itp_step *step, const struct itp_cfi_row *row)
{
	const struct itp_cfi_rule *rule = rule_of(row, RBP);
	struct itp_bytes expression;

	step->bp = row->kept & ITP_REGISTER_BIT(RBP) ? ITP_STEP_BP_SAME : ITP_STEP_BP_UNKNOWN;
	if (rule && rule->kind == ITP_CFI_SAVED) {
		step->bp = ITP_STEP_BP_AT_CFA;
		step->bp_offset = rule->value;
	} else if (rule && rule->kind == ITP_CFI_SAVED_AT_EXPRESSION) {
		expression = expression_of(row, rule);
		step->bp = read_based(&expression, DW_OP_breg6, &step->bp_offset) &&
					   expression.size == 0 ?
				   ITP_STEP_BP_AT_BP :
				   ITP_STEP_BP_UNKNOWN;
	}
}

/* True when the register's rule is the ucontext's `offset` at the stack pointer: by an offset from
 * the CFA, or by an expression. */
static bool is_in_ucontext(const struct itp_cfi_row *row, uint8_t target, int32_t offset)
{
	const struct itp_cfi_rule *rule = rule_of(row, target);
	struct itp_bytes expression;
	int32_t found;

	if (!rule) {
		return false;
	}
	if (rule->kind == ITP_CFI_SAVED) {
		return row->cfa.kind == ITP_CFI_REGISTER && row->cfa.source == RSP &&
		       row->cfa.value + rule->value == offset;
	}
	expression = expression_of(row, rule);
	return rule->kind == ITP_CFI_SAVED_AT_EXPRESSION &&
	       read_based(&expression, DW_OP_breg7, &found) && expression.size == 0 &&
	       found == offset;
}

/* True when the CFA is the interrupted stack pointer, as in the C library, without a rule for the
 * register. */
static bool is_interrupted_sp(const struct itp_cfi_row *row)
{
	struct itp_bytes expression;
	const uint8_t *operation;
	int32_t offset;

	if (row->cfa.kind != ITP_CFI_EXPRESSION) {
		return is_in_ucontext(row, RSP, ITP_STEP_SIGNAL_SP);
	}
	expression = expression_of(row, &row->cfa);
	if (!read_based(&expression, DW_OP_breg7, &offset) || offset != ITP_STEP_SIGNAL_SP) {
		return false;
	}
	operation = itp_bytes_take(&expression, 1);
	return operation && *operation == DW_OP_deref && expression.size == 0;
}

static struct itp_step signal_step(const struct itp_cfi_row *row)
{
	const bool is_known = is_interrupted_sp(row) &&
			      is_in_ucontext(row, RBP, ITP_STEP_SIGNAL_BP) &&
			      is_in_ucontext(row, RIP, ITP_STEP_SIGNAL_IP);

	return (struct itp_step){ .cfa = is_known ? ITP_STEP_CFA_SIGNAL : ITP_STEP_CFA_UNKNOWN };
}

static struct itp_step step_of(const struct itp_cfi_row *row)
{
	struct itp_step step = { .cfa = ITP_STEP_CFA_UNKNOWN };
	const struct itp_cfi_rule *back;

	if (!row) {
		return step;
	}
	if (row->caller == ITP_CFI_CALLER_ON_OTHER_STACK_UNRULED) {
		return (struct itp_step){ .cfa = ITP_STEP_CFA_UNRULED, .is_root_above = true };
	}
	if (row->caller == ITP_CFI_CALLER_NONE) {
		step.cfa = ITP_STEP_CFA_ROOT;
		return step;
	}
	if (row->is_signal_frame) {
		return signal_step(row);
	}
	back = rule_of(row, RIP);
	if (row->return_register != RIP || !back || back->kind != ITP_CFI_SAVED ||
	    back->value != RETURN_OFFSET || rule_of(row, RSP)) {
		return step;
	}
	set_cfa(&step, row);
	set_bp(&step, row);
	step.is_root_above = row->caller == ITP_CFI_CALLER_ON_OTHER_STACK;
	return step;
}

/* ---- Tables ---- */

struct making {
	struct itp_step_table *table;
	struct itp_steps *steps;
	const struct itp_elf_image *image;
	/* May be NULL. */
	itp_step_gaps_func *tell_gaps;
	void *gaps;
	/* End of the rows, as an address of the file. */
	uint64_t end;
	bool is_empty;
	bool is_too_large;
};

static void add_step_row(struct making *making, uint64_t begin, uint32_t step)
{
	GArray *rows = making->table->rows;
	const struct itp_step_row row = { .begin = (uint32_t)(begin - making->table->base),
					  .step = step };

	making->is_too_large |= begin - making->table->base >= UINT32_MAX;
	if (rows->len == 0 ||
	    g_array_index(rows, struct itp_step_row, rows->len - 1).step != step) {
		g_array_append_val(rows, row);
	}
}

static const struct itp_step unruled = { .cfa = ITP_STEP_CFA_UNRULED };

/* Adds a row from `begin` on, and one of code without rules before. */
static void take_step(void *data, uint64_t begin, uint64_t end, const struct itp_step *step)
{
	struct making *making = data;

	if (begin > making->end) {
		add_step_row(making, making->end, intern_step(making->steps, &unruled));
	}
	add_step_row(making, begin, intern_step(making->steps, step));
	making->end = end;
}

/* Code up to `end` has no rules: its steps are told by others, as far as it can be executed. */
static void take_gap(struct making *making, uint64_t end)
{
	const GArray *segments = making->image->segments;

	for (guint i = 0; making->tell_gaps && i < segments->len; i++) {
		const GElf_Phdr *segment = &g_array_index(segments, GElf_Phdr, i);
		const uint64_t from = MAX(making->end, segment->p_vaddr);
		const uint64_t to = MIN(end, segment->p_vaddr + segment->p_filesz);

		if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X) && from < to) {
			making->tell_gaps(making->gaps, from, to, take_step, making);
		}
	}
}

/* Begin of the first code: of its segment, if code in front of the first rule may be told. */
static uint64_t first_code(const struct making *making, uint64_t begin)
{
	const GElf_Phdr *segment = making->tell_gaps ? itp_elf_image_loaded(making->image, begin) :
						       NULL;

	return segment ? segment->p_vaddr : begin;
}

static void take_row(void *data, uint64_t begin, uint64_t end, const struct itp_cfi_row *row)
{
	struct making *making = data;
	const struct itp_step step = step_of(row);

	if (making->is_empty) {
		making->table->base = first_code(making, begin) & ~(BUCKET_BYTES - 1);
		making->end = making->table->base;
		making->is_empty = false;
	}
	if (begin > making->end) {
		take_gap(making, begin);
	}
	take_step(making, begin, end, &step);
}

static void make_index(struct itp_step_table *table)
{
	uint64_t bucket = 0;

	for (guint i = 0; i < table->rows->len; i++) {
		const struct itp_step_row *row =
			&g_array_index(table->rows, struct itp_step_row, i);

		for (; bucket * BUCKET_BYTES <= row->begin; bucket++) {
			g_array_append_val(table->index, i);
		}
	}
	g_array_append_val(table->index, table->rows->len);
}

struct itp_step_table *itp_step_table_new(struct itp_cfi *cfi, struct itp_steps *steps,
					  itp_step_gaps_func *tell_gaps, void *gaps)
{
	struct making making = { .table = g_new0(struct itp_step_table, 1),
				 .steps = steps,
				 .image = itp_cfi_image(cfi),
				 .tell_gaps = tell_gaps,
				 .gaps = gaps,
				 .is_empty = true };

	making.table->rows = g_array_new(FALSE, FALSE, sizeof(struct itp_step_row));
	making.table->index = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	if (itp_cfi_architecture(cfi) == ITP_X86_64) {
		itp_cfi_tell_rows(cfi, take_row, &making);
	}
	if (!making.is_empty) {
		take_gap(&making, UINT64_MAX);
		add_step_row(&making, making.end, intern_step(steps, &unruled));
	}
	if (making.is_empty || making.is_too_large) {
		itp_step_table_free(making.table);
		return NULL;
	}
	make_index(making.table);
	return making.table;
}

void itp_step_table_free(struct itp_step_table *table)
{
	if (!table) {
		return;
	}
	g_array_unref(table->rows);
	g_array_unref(table->index);
	g_free(table);
}

uint32_t itp_step_table_find(const struct itp_step_table *table, uint64_t vaddr)
{
	const uint64_t place = vaddr - table->base;
	const uint64_t bucket = place / BUCKET_BYTES;
	uint32_t low;
	uint32_t high;

	if (bucket + 1 >= table->index->len) {
		return 0;
	}
	low = g_array_index(table->index, uint32_t, bucket);
	high = g_array_index(table->index, uint32_t, bucket + 1);
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (g_array_index(table->rows, struct itp_step_row, middle).begin <= place) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low > 0 ? g_array_index(table->rows, struct itp_step_row, low - 1).step : 0;
}

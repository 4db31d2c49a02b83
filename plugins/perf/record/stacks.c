/* SPDX-License-Identifier: MIT */
/*
 * See stacks.h. Equal stacks are merged.
 */
#include "plugins/perf/record/stacks.h"

#include <string.h>

#include "common/base/hash.h"
#include "common/stacks/callchain.h"

#define LANES (1u << ITP_RECORD_LANE_BITS)

struct itp_recorder_stacks {
	/* Set of struct itp_recorder_stack. Owned by this. */
	GHashTable *all;
	/* const struct itp_recorder_stack *, by number, of `all`; NULL for lanes without any. Owned
	 * by this. */
	const struct itp_recorder_stack **lanes[LANES];
	/* Latest number of each lane, without the lane's bits. */
	uint64_t newest[LANES];
	/* Unwinder of copied stacks. Owned by this. */
	struct itp_user_stacks *unwinder;
	/* Stack being made. Owned by this. */
	struct itp_recorder_stack *room;
};

static size_t stack_bytes(const struct itp_recorder_stack *stack)
{
	return sizeof(*stack) + stack->count * sizeof(stack->frames[0]);
}

static guint stack_hash(gconstpointer stack)
{
	return itp_hash_bytes(stack, stack_bytes(stack));
}

static gboolean stack_equal(gconstpointer a, gconstpointer b)
{
	const size_t bytes = stack_bytes(a);

	return stack_bytes(b) == bytes && memcmp(a, b, bytes) == 0;
}

struct itp_recorder_stacks *itp_recorder_stacks_new(void)
{
	struct itp_recorder_stacks *stacks = g_new0(struct itp_recorder_stacks, 1);

	stacks->all = g_hash_table_new_full(stack_hash, stack_equal, g_free, NULL);
	stacks->unwinder = itp_user_stacks_new("x86_64");
	stacks->room = g_malloc(sizeof(*stacks->room) +
				ITP_RECORDER_STACK_FRAMES * sizeof(stacks->room->frames[0]));
	return stacks;
}

void itp_recorder_stacks_free(struct itp_recorder_stacks *stacks)
{
	if (!stacks) {
		return;
	}
	for (guint i = 0; i < LANES; i++) {
		g_free(stacks->lanes[i]);
	}
	g_hash_table_unref(stacks->all);
	itp_user_stacks_free(stacks->unwinder);
	g_free(stacks->room);
	g_free(stacks);
}

static const struct itp_recorder_stack *intern(struct itp_recorder_stacks *stacks)
{
	struct itp_recorder_stack *known = g_hash_table_lookup(stacks->all, stacks->room);

	if (!known) {
		known = g_memdup2(stacks->room, stack_bytes(stacks->room));
		g_hash_table_add(stacks->all, known);
	}
	return known;
}

static void remember(struct itp_recorder_stacks *stacks, uint64_t number)
{
	const guint lane = number % LANES;

	if (!stacks->lanes[lane]) {
		stacks->lanes[lane] =
			g_new0(const struct itp_recorder_stack *, ITP_RECORD_REMEMBERED);
	}
	stacks->newest[lane] = number / LANES;
	stacks->lanes[lane][number / LANES % ITP_RECORD_REMEMBERED] = intern(stacks);
}

void itp_recorder_stacks_add(struct itp_recorder_stacks *stacks,
			     const struct itp_record_stack *record)
{
	stacks->room->count = (uint32_t)MIN(record->count, ITP_RECORD_FRAMES);
	stacks->room->is_cut = false;
	memcpy(stacks->room->frames, record->frames,
	       stacks->room->count * sizeof(record->frames[0]));
	remember(stacks, record->head.stack);
}

void itp_recorder_stacks_add_copy(struct itp_recorder_stacks *stacks,
				  const struct itp_record_copy *record,
				  struct itp_address_space *space)
{
	const struct itp_user_state state = {
		.is_present = true,
		.register_mask = ITP_BPF_REGISTER_MASK,
		.registers = { .data = (const uint8_t *)record->registers,
			       .size = sizeof(record->registers) },
		.stack = { .data = record->stack, .size = record->stack_bytes },
		.stack_room = ITP_RECORD_COPY_BYTES,
	};
	const struct itp_user_stack unwound =
		itp_user_stacks_unwind(stacks->unwinder, &state, space);

	stacks->room->count = (uint32_t)unwound.count;
	stacks->room->is_cut = unwound.end != ITP_STACK_END_ROOT;
	for (guint i = 0; i < unwound.count; i++) {
		stacks->room->frames[i] = unwound.frames[i].address;
	}
	remember(stacks, record->head.stack);
}

/* ---- Interpreted functions ---- */

static bool is_in_loop(const struct itp_record_interpreted *record, uint64_t address)
{
	return address > record->loop_begin && address <= record->loop_end;
}

static guint loop_count(const struct itp_record_interpreted *record,
			const struct itp_recorder_stack *machine)
{
	guint count = 0;

	for (guint i = 0; i < machine->count; i++) {
		count += is_in_loop(record, machine->frames[i]);
	}
	return count;
}

static guint run_count(const struct itp_record_interpreted *record)
{
	guint count = 0;

	for (guint i = 0; i < record->count; i++) {
		count += record->frames[i] & ITP_RECORD_IS_ENTRY;
	}
	return count;
}

/* Appends functions from `first` to the next called by machine code. Returns the number passed. */
static uint64_t add_run(struct itp_recorder_stack *stack,
			const struct itp_record_interpreted *record, uint64_t first,
			const struct itp_recorder_interpreted *interpreted)
{
	uint64_t count = 0;
	bool is_entry = false;

	while (first + count < record->count && !is_entry) {
		const uint64_t frame = record->frames[first + count];
		const uint64_t address = itp_recorder_interpreted_address(
			interpreted, record->head.pid, frame & ~(uint64_t)ITP_RECORD_IS_ENTRY);

		if (address != 0) {
			stack->frames[stack->count++] = address;
		}
		is_entry = frame & ITP_RECORD_IS_ENTRY;
		count++;
	}
	return count;
}

/* Joins from the root on: near the leaf, a loop may have begun before its function's frame. */
static void join(struct itp_recorder_stack *stack, const struct itp_recorder_stack *machine,
		 const struct itp_record_interpreted *record,
		 const struct itp_recorder_interpreted *interpreted)
{
	const guint loops = loop_count(record, machine);
	const guint runs = run_count(record);
	const bool fits = runs == loops || runs + 1 == loops;
	guint waiting = fits ? loops - runs : loops;
	uint64_t next = 0;

	stack->count = 0;
	stack->is_cut = machine->is_cut;
	for (guint i = 0; i < machine->count; i++) {
		stack->frames[stack->count++] = machine->frames[i];
		if (!is_in_loop(record, machine->frames[i])) {
			continue;
		}
		if (waiting > 0) {
			waiting--;
		} else {
			next += add_run(stack, record, next, interpreted);
		}
	}
}

void itp_recorder_stacks_add_interpreted(struct itp_recorder_stacks *stacks,
					 const struct itp_record_interpreted *record,
					 const struct itp_recorder_interpreted *interpreted)
{
	const struct itp_recorder_stack *machine =
		itp_recorder_stacks_find(stacks, record->machine_stack);

	if (!machine) {
		return;
	}
	if (interpreted) {
		join(stacks->room, machine, record, interpreted);
	} else {
		memcpy(stacks->room, machine, stack_bytes(machine));
	}
	remember(stacks, record->head.stack);
}

bool itp_recorder_stacks_lack_copy(const struct itp_recorder_stacks *stacks, uint64_t number)
{
	const guint lane = number % LANES;

	return (lane & ITP_RECORD_COPY_LANE) && number / LANES > stacks->newest[lane];
}

const struct itp_recorder_stack *itp_recorder_stacks_find(const struct itp_recorder_stacks *stacks,
							  uint64_t number)
{
	const guint lane = number % LANES;
	const uint64_t place = number / LANES;

	if (number == 0 || !stacks->lanes[lane] || place > stacks->newest[lane] ||
	    place + ITP_RECORD_REMEMBERED <= stacks->newest[lane]) {
		return NULL;
	}
	return stacks->lanes[lane][place % ITP_RECORD_REMEMBERED];
}

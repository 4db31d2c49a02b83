/* SPDX-License-Identifier: MIT */
/*
 * Reads a round, sorts it with what the rounds before left over, hands out what is safe.
 *
 * Each buffer's records are in order already, so a round is a few ascending runs: a natural
 * merge sort needs one pass for two processors, two for four.
 *
 * Of a directory there are as many files as CPUs, so the oldest of what comes next in each is found
 * by looking at all of them.
 */
#include "common/perf-data/order.h"

#include "common/perf-data/reader.h"
#include "common/perf-data/record-types.h"

#define FIRST_CAPACITY 4096

/* Of a buffer on its own: far more than interrupts record at once. With copies of stacks in them
 * this many take 4 MiB. */
#define PART_ROUND_LENGTH 64

/* What is held back for late records, where the file cannot be looked through: 8 MiB of entries
 * with their scratch, and the records. */
#define HELD_RECORDS (256u * 1024)
#define HELD_BYTES (64u * 1024 * 1024)
/* Live, perf may come so much later with one buffer than with another. */
#define HELD_NS UINT64_C(500000000)

/* Keys of heads that wait for all others, and of those that have no more records. */
#define KEY_LAST (UINT64_MAX - 1)
#define KEY_NONE UINT64_MAX

/* ---- One file ---- */

void itp_perf_order_init(struct itp_perf_order *order, struct itp_perf_file *file,
			 struct itp_perf_counts *counts)
{
	*order = (struct itp_perf_order){ .file = file, .state = 1, .counts = counts };
	itp_perf_records_init(&order->records, file);
}

static void init_part(struct itp_perf_order *order, struct itp_perf_file *file,
		      struct itp_perf_counts *counts)
{
	itp_perf_order_init(order, file, counts);
	order->rounds.length = PART_ROUND_LENGTH;
}

void itp_perf_order_release(struct itp_perf_order *order)
{
	g_free(order->entries);
	g_free(order->scratch);
	g_clear_pointer(&order->late, g_array_unref);
	itp_perf_records_release(&order->records);
	*order = (struct itp_perf_order){ .state = 0 };
}

static bool grow(struct itp_perf_order *order)
{
	size_t capacity = MAX(order->capacity * 2, FIRST_CAPACITY);
	struct itp_perf_place *entries =
		g_try_renew(struct itp_perf_place, order->entries, capacity);
	struct itp_perf_place *scratch;

	if (!entries) {
		return false;
	}
	order->entries = entries;
	scratch = g_try_renew(struct itp_perf_place, order->scratch, capacity);
	if (!scratch) {
		return false;
	}
	order->scratch = scratch;
	order->capacity = capacity;
	return true;
}

static bool add(struct itp_perf_order *order, uint64_t time, const struct itp_perf_record *record)
{
	if (order->count == order->capacity && !grow(order)) {
		return false;
	}
	order->entries[order->count++] =
		(struct itp_perf_place){ .time = time, .position = record->position };
	itp_perf_records_hold(&order->records, record);
	return true;
}

/* End of the ascending run that begins at `begin`. */
static size_t run_end(const struct itp_perf_place *entries, size_t begin, size_t count)
{
	size_t end = begin;

	do {
		end++;
	} while (end < count && entries[end - 1].time <= entries[end].time);
	return MIN(end, count);
}

/* Merges entries [begin, middle) and [middle, end) into `target`; equal times keep their order. */
static void merge(struct itp_perf_place *target, const struct itp_perf_place *entries, size_t begin,
		  size_t middle, size_t end)
{
	size_t left = begin;
	size_t right = middle;

	for (size_t i = begin; i < end; i++) {
		bool take_left = right == end ||
				 (left < middle && entries[left].time <= entries[right].time);

		target[i] = entries[take_left ? left++ : right++];
	}
}

static void sort(struct itp_perf_order *order)
{
	while (run_end(order->entries, 0, order->count) < order->count) {
		struct itp_perf_place *sorted = order->scratch;

		for (size_t begin = 0; begin < order->count;) {
			size_t middle = run_end(order->entries, begin, order->count);
			size_t end = middle < order->count ?
					     run_end(order->entries, middle, order->count) :
					     middle;

			merge(sorted, order->entries, begin, middle, end);
			begin = end;
		}
		order->scratch = order->entries;
		order->entries = sorted;
	}
}

/* Where the first queued record lies, which need not be the oldest. */
static uint64_t first_position(const struct itp_perf_order *order)
{
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < order->count; i++) {
		first = MIN(first, order->entries[i].position);
	}
	return first;
}

/* Makes ready what is not newer than `limit`. */
static void flush(struct itp_perf_order *order, uint64_t limit)
{
	size_t low = 0;
	size_t high;

	sort(order);
	high = order->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (order->entries[middle].time <= limit) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	order->next = 0;
	order->ready = low;
	order->flushed_time = MAX(order->flushed_time, limit);
	if (low > 0) {
		itp_perf_records_forget(&order->records, first_position(order));
	}
}

/* Handed-out entries make place for new ones. */
static void drop_ready(struct itp_perf_order *order)
{
	if (order->ready > 0) {
		order->count -= order->ready;
		memmove(order->entries, order->entries + order->ready,
			order->count * sizeof(order->entries[0]));
		order->next = 0;
		order->ready = 0;
	}
}

static void end_reading(struct itp_perf_order *order, int state)
{
	order->state = state;
	flush(order, UINT64_MAX);
}

/* Bytes of the records that are held. */
static uint64_t held_bytes(const struct itp_perf_order *order)
{
	const uint64_t read = order->records.offset;
	const uint64_t released = order->file->released;

	if (order->file->growing) {
		return read > released ? read - released : 0;
	}
	return itp_perf_records_live_bytes(&order->records);
}

/* The rounds themselves are larger than what may be held. */
static bool is_overfull(const struct itp_perf_order *order)
{
	return held_bytes(order) >= 2 * HELD_BYTES;
}

/* Up to which time records are not to be held back for late ones. When there are too many, half of
 * them are. */
static uint64_t hold_limit(struct itp_perf_order *order)
{
	const uint64_t newest = order->rounds.largest_time;

	if (!order->holds_back || is_overfull(order)) {
		return UINT64_MAX;
	}
	if (order->count >= HELD_RECORDS || held_bytes(order) >= HELD_BYTES) {
		sort(order);
		return order->entries[order->count / 2].time;
	}
	return order->file->growing && newest > HELD_NS ? newest - HELD_NS : 0;
}

static void end_round(struct itp_perf_order *order)
{
	uint64_t limit;

	itp_perf_rounds_end(&order->rounds);
	limit = MIN(order->rounds.promised_time, hold_limit(order));
	if (limit > 0) {
		flush(order, limit);
	}
}

/* To be called within a round: memory is never taken by more than two rounds and what may be held.
 */
static void hold_no_more(struct itp_perf_order *order)
{
	if (order->holds_back && order->flushed_time < order->rounds.promised_time &&
	    is_overfull(order)) {
		flush(order, order->rounds.promised_time);
	}
}

/* Counts a record that is late. Returns true when it is, or was, handed out where it belongs. */
static bool is_elsewhere(struct itp_perf_order *order, uint64_t time)
{
	const bool is_found = order->late && order->late_met < order->late->len;

	order->late_met += is_found;
	if (is_found || time >= order->flushed_time) {
		order->counts->late_records++;
	} else {
		order->counts->misplaced_records++;
	}
	return is_found;
}

/* Queues one record. Returns true for one without a time, which is not queued. */
static bool queue(struct itp_perf_order *order, const struct itp_perf_record *record)
{
	uint64_t time;
	int error = itp_perf_rounds_time(order->file, record, &time);

	if (error == ITP_ERROR_UNKNOWN_ID) {
		order->counts->skipped_records++;
		return false;
	}
	if (error != 0) {
		end_reading(order, error);
		return false;
	}
	if (time == 0) {
		return true;
	}
	if (itp_perf_rounds_take(&order->rounds, time) && is_elsewhere(order, time)) {
		return false;
	}
	if (!add(order, time, record)) {
		end_reading(order, ITP_ERROR_MEMORY);
	}
	return false;
}

/* Reads on until records are ready or the file ends. Returns true when it met one that has no
 * time, which is then in *ret_record. */
static bool read_on(struct itp_perf_order *order, struct itp_perf_record *ret_record)
{
	drop_ready(order);
	while (order->state == 1 && order->ready == 0) {
		int got = itp_perf_records_next(&order->records, ret_record);

		order->is_waiting = got == ITP_ERROR_AGAIN;
		if (order->is_waiting) {
			return false;
		}
		if (got != 1) {
			end_reading(order, got);
		} else if (ret_record->type == ITP_RECORD_FINISHED_ROUND) {
			end_round(order);
		} else if (queue(order, ret_record)) {
			return true;
		} else if (++order->rounds.count == order->rounds.length && order->state == 1) {
			end_round(order);
		} else if (order->state == 1) {
			hold_no_more(order);
		}
	}
	return false;
}

static void let_go(struct itp_perf_order *order)
{
	if (order->held != 0) {
		itp_perf_records_let_go(&order->records, order->held);
		order->held = 0;
	}
}

/* Looks through the file for late records, if it can be. */
static void begin_reading(struct itp_perf_order *order)
{
	order->is_begun = true;
	if (!order->file->growing) {
		order->late = itp_perf_late_records(order->file, order->rounds.length);
	}
	order->holds_back = !order->late;
}

/* Takes the next place: of a late record, or of the entries that are ready. */
static struct itp_perf_place take_place(struct itp_perf_order *order)
{
	const struct itp_perf_place *entry = &order->entries[order->next];

	if (order->late && order->late_next < order->late->len) {
		const struct itp_perf_place *late =
			&g_array_index(order->late, struct itp_perf_place, order->late_next);

		if (late->time < entry->time) {
			order->late_next++;
			return *late;
		}
	}
	order->next++;
	order->held = entry->position;
	return *entry;
}

int itp_perf_order_next(struct itp_perf_order *order, struct itp_perf_record *ret_record,
			uint64_t *ret_time)
{
	struct itp_perf_place place;

	let_go(order);
	if (!order->is_begun) {
		begin_reading(order);
	}
	if (order->next == order->ready) {
		if (order->state == 1 && read_on(order, ret_record)) {
			*ret_time = order->last_time;
			order->is_timeless = true;
			return 1;
		}
		if (order->next == order->ready) {
			return order->is_waiting ? ITP_ERROR_AGAIN : order->state;
		}
	}
	place = take_place(order);
	order->is_timeless = false;
	order->last_time = MAX(order->last_time, place.time);
	*ret_time = order->last_time;
	return itp_perf_records_get(&order->records, place.position, ret_record);
}

static bool pass(struct itp_perf_order *order, uint64_t time)
{
	drop_ready(order);
	flush(order, time);
	if (order->ready > 0) {
		return false;
	}
	order->last_time = MAX(order->last_time, time);
	order->rounds.promised_time = MAX(order->rounds.promised_time, time);
	return true;
}

/* ---- All files of a recording ---- */

void itp_perf_merge_init(struct itp_perf_merge *merge, struct itp_perf_file *file,
			 struct itp_perf_counts *counts)
{
	size_t part_count = file->parts ? file->parts->len : 0;

	*merge = (struct itp_perf_merge){ .count = part_count + 1 };
	merge->heads = g_new0(struct itp_perf_merge_head, merge->count);
	merge->keys = g_new0(uint64_t, merge->count);
	itp_perf_order_init(&merge->heads[0].order, file, counts);
	for (size_t i = 0; i < part_count; i++) {
		init_part(&merge->heads[i + 1].order, g_ptr_array_index(file->parts, i), counts);
	}
}

void itp_perf_merge_release(struct itp_perf_merge *merge)
{
	for (size_t i = 0; i < merge->count; i++) {
		itp_perf_order_release(&merge->heads[i].order);
	}
	g_free(merge->heads);
	g_free(merge->keys);
	*merge = (struct itp_perf_merge){ .count = 0 };
}

/* Only perf itself writes records without a time, all of them into one file. */
static uint64_t key_of(const struct itp_perf_merge *merge, size_t i)
{
	const struct itp_perf_merge_head *head = &merge->heads[i];

	return head->order.is_timeless && merge->is_init_over ? KEY_LAST : head->time;
}

/* Gets the next record of a file. Returns 0 or an error. */
static int advance(struct itp_perf_merge *merge, size_t i)
{
	struct itp_perf_merge_head *head = &merge->heads[i];
	int got = itp_perf_order_next(&head->order, &head->record, &head->time);

	if (got < 0) {
		merge->current = i;
		return got;
	}
	merge->keys[i] = got == 1 ? key_of(merge, i) : KEY_NONE;
	return 0;
}

static int begin(struct itp_perf_merge *merge)
{
	int error = 0;

	merge->is_begun = true;
	for (size_t i = 0; error == 0 && i < merge->count; i++) {
		error = advance(merge, i);
	}
	return error;
}

static size_t oldest(const struct itp_perf_merge *merge)
{
	size_t best = 0;

	for (size_t i = 1; i < merge->count; i++) {
		if (merge->keys[i] < merge->keys[best]) {
			best = i;
		}
	}
	return best;
}

/* The next record of several files. */
static int next_of_many(struct itp_perf_merge *merge, struct itp_perf_record *ret_record,
			uint64_t *ret_time)
{
	int error = merge->is_begun ? advance(merge, merge->current) : begin(merge);
	const struct itp_perf_merge_head *head;

	if (error != 0) {
		return error;
	}
	merge->current = oldest(merge);
	if (merge->keys[merge->current] == KEY_NONE) {
		return 0;
	}
	head = &merge->heads[merge->current];
	merge->is_init_over |= head->record.type == ITP_RECORD_FINISHED_INIT;
	if (merge->keys[merge->current] != KEY_LAST) {
		merge->last_time = MAX(merge->last_time, head->time);
	}
	*ret_record = head->record;
	*ret_time = merge->last_time;
	return 1;
}

int itp_perf_merge_next(struct itp_perf_merge *merge, struct itp_perf_record *ret_record,
			uint64_t *ret_time)
{
	return merge->count > 1 ? next_of_many(merge, ret_record, ret_time) :
				  itp_perf_order_next(&merge->heads[0].order, ret_record, ret_time);
}

bool itp_perf_merge_pass(struct itp_perf_merge *merge, uint64_t time)
{
	return pass(&merge->heads[0].order, time);
}

const struct itp_perf_order *itp_perf_merge_current(const struct itp_perf_merge *merge)
{
	return &merge->heads[merge->current].order;
}

bool itp_perf_merge_is_cut(const struct itp_perf_merge *merge)
{
	for (size_t i = 0; i < merge->count; i++) {
		if (merge->heads[i].order.records.is_cut) {
			return true;
		}
	}
	return false;
}

uint64_t itp_perf_merge_done_bytes(const struct itp_perf_merge *merge)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < merge->count; i++) {
		bytes += merge->heads[i].order.records.last_offset;
	}
	return bytes;
}

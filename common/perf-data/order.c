/* SPDX-License-Identifier: MIT */
/*
 * Reads a round, sorts it with the rest of earlier rounds, hands out safe records.
 *
 * Each buffer's records are in order already, so a round is a few ascending runs: a natural merge
 * sort needs one pass for two processors, two for four.
 */
#include "common/perf-data/order.h"

#include "common/perf-data/reader-values.h"
#include "common/perf-data/record-types.h"

#define FIRST_CAPACITY 4096

/* Most records held back for late records, in files that cannot be looked through: 8 MiB of entries
 * with their scratch, and the bytes of the records. */
#define HELD_RECORDS (256u * 1024)
#define HELD_BYTES (64u * 1024 * 1024)
/* Delay of a live perf between one buffer and another. */
#define HELD_NS UINT64_C(500000000)

void itp_perf_order_init(struct itp_perf_order *order, struct itp_perf_file *file,
			 struct itp_perf_counts *counts)
{
	*order = (struct itp_perf_order){ .file = file, .state = 1, .counts = counts };
	itp_perf_records_init(&order->records, file);
}

void itp_perf_order_release(struct itp_perf_order *order)
{
	g_free(order->entries);
	g_free(order->scratch);
	g_clear_pointer(&order->late, g_array_unref);
	itp_perf_records_release(&order->records);
	*order = (struct itp_perf_order){ .state = 0 };
}

static bool grow_entries(struct itp_perf_order *order)
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

static bool add_record_place(struct itp_perf_order *order, uint64_t time,
			     const struct itp_perf_record *record)
{
	if (order->count == order->capacity && !grow_entries(order)) {
		return false;
	}
	order->entries[order->count++] =
		(struct itp_perf_place){ .time = time, .position = record->position };
	itp_perf_records_hold(&order->records, record);
	return true;
}

/* End of the ascending run from `begin` on. */
static size_t run_end(const struct itp_perf_place *entries, size_t begin, size_t count)
{
	size_t end = begin;

	do {
		end++;
	} while (end < count && entries[end - 1].time <= entries[end].time);
	return MIN(end, count);
}

/* Merges entries [begin, middle) and [middle, end) into `target`; equal times keep their order. */
static void merge_runs(struct itp_perf_place *target, const struct itp_perf_place *entries,
		       size_t begin, size_t middle, size_t end)
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

			merge_runs(sorted, order->entries, begin, middle, end);
			begin = end;
		}
		order->scratch = order->entries;
		order->entries = sorted;
	}
}

/* Least position of the queued records; the oldest record may lie elsewhere. */
static uint64_t first_position(const struct itp_perf_order *order)
{
	uint64_t first = UINT64_MAX;

	for (size_t i = 0; i < order->count; i++) {
		first = MIN(first, order->entries[i].position);
	}
	return first;
}

/* Makes ready all records up to `limit`. */
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

/* Drops entries handed out, for room. */
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

/* Bytes of the held records. */
static uint64_t held_bytes(const struct itp_perf_order *order)
{
	const uint64_t read = order->records.offset;
	const uint64_t released = order->file->released;

	if (order->file->growing) {
		return read > released ? read - released : 0;
	}
	return itp_perf_records_live_bytes(&order->records);
}

/* True when the rounds alone are larger than the limit of held records. */
static bool is_overfull(const struct itp_perf_order *order)
{
	return held_bytes(order) >= 2 * HELD_BYTES;
}

/* Time up to which records are not held back for late records. Beyond the limits, it is the median
 * of the queue. */
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

/* Hands out records within a round, so that memory never holds more than two rounds and the
 * limit. */
static void hold_no_more(struct itp_perf_order *order)
{
	if (order->holds_back && order->flushed_time < order->rounds.promised_time &&
	    is_overfull(order)) {
		flush(order, order->rounds.promised_time);
	}
}

/* Counts a late record. Returns true when its place in time was found beforehand. */
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

/* Queues a record. Returns true for a record without a time, not queued. */
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
	if (!add_record_place(order, time, record)) {
		end_reading(order, ITP_ERROR_MEMORY);
	}
	return false;
}

/* Reads on until records are ready or the file ends. Returns true at a record without a time, in
 * *ret_record. */
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

/* Looks through the file for late records, if possible. */
static void begin_reading(struct itp_perf_order *order)
{
	order->is_begun = true;
	if (!order->file->growing) {
		order->late = itp_perf_late_records(order->file, order->rounds.length);
	}
	order->holds_back = !order->late;
}

/* Takes the next place: of a late record, or of the ready entries. */
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

bool itp_perf_order_pass(struct itp_perf_order *order, uint64_t time)
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

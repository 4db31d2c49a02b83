/* SPDX-License-Identifier: MIT */
/*
 * See merge.h.
 *
 * A directory has as many files as CPUs, so the oldest of their next records is found by looking at
 * all of them.
 */
#include "common/perf-data/merge.h"

#include "common/perf-data/record-types.h"

/* Records of a round of a single buffer: far more than interrupts record at once. With copies of
 * stacks in them, 64 records take 4 MiB. */
#define PART_ROUND_LENGTH 64

/* Keys of heads that wait for all others, and of heads without further records. */
#define KEY_LAST (UINT64_MAX - 1)
#define KEY_NONE UINT64_MAX

static void init_part(struct itp_perf_order *order, struct itp_perf_file *file,
		      struct itp_perf_counts *counts)
{
	itp_perf_order_init(order, file, counts);
	order->rounds.length = PART_ROUND_LENGTH;
}

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

/* Key of a head. Only perf itself writes records without a time, all of them into one file. */
static uint64_t key_of_head(const struct itp_perf_merge *merge, size_t i)
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
	merge->keys[i] = got == 1 ? key_of_head(merge, i) : KEY_NONE;
	return 0;
}

static int begin_merge(struct itp_perf_merge *merge)
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
	int error = merge->is_begun ? advance(merge, merge->current) : begin_merge(merge);
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
	return itp_perf_order_pass(&merge->heads[0].order, time);
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

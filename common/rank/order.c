/* SPDX-License-Identifier: MIT */
/*
 * The parts of a list of entries.
 */
#include "common/rank/order.h"

/* Of `top` entries, one in so many may be a saving that would not have been among them. */
#define SAVINGS_SHARE 3

enum part {
	PART_COSTS_MORE,
	PART_SAVES,
	PART_UNSURE,
	/* Nothing to show. */
	PART_EMPTY,
};

static enum part part_of(const struct itp_rank_entry *entry)
{
	if (itp_rank_entry_is_empty(entry)) {
		return PART_EMPTY;
	}
	if (entry->significance.is_noise || entry->is_rare) {
		return PART_UNSURE;
	}
	return entry->significance.score < 0 ? PART_SAVES : PART_COSTS_MORE;
}

/* Within a part by weight, what the base's programs lost before what others took; then as the
 * paths. */
static gint compare_entries(gconstpointer a, gconstpointer b)
{
	const struct itp_rank_entry *left = a;
	const struct itp_rank_entry *right = b;
	enum part part = part_of(left);
	int64_t sign = part == PART_SAVES ? -1 : 1;
	int64_t left_weight = sign * left->weight;
	int64_t right_weight = sign * right->weight;

	if (part != part_of(right)) {
		return part < part_of(right) ? -1 : 1;
	}
	if (left->is_newcomer != right->is_newcomer) {
		return left->is_newcomer ? 1 : -1;
	}
	if (left_weight != right_weight) {
		return left_weight > right_weight ? -1 : 1;
	}
	return (left->leaf > right->leaf) - (left->leaf < right->leaf);
}

void itp_rank_order(GArray *entries)
{
	guint count;

	g_array_sort(entries, compare_entries);
	for (count = entries->len; count > 0; count--) {
		if (part_of(&g_array_index(entries, struct itp_rank_entry, count - 1)) !=
		    PART_EMPTY) {
			break;
		}
	}
	g_array_set_size(entries, count);
}

struct itp_rank_kept itp_rank_choose(const GArray *entries, size_t top)
{
	struct itp_rank_kept kept = { .first_end = entries->len };
	size_t more = 0;
	size_t savings = 0;

	if (top == 0 || top >= entries->len) {
		return kept;
	}
	for (guint i = 0; i < entries->len; i++) {
		enum part part = part_of(&g_array_index(entries, struct itp_rank_entry, i));

		more += part == PART_COSTS_MORE;
		savings += part == PART_SAVES;
	}
	savings = MIN(savings, top / SAVINGS_SHARE);
	kept.first_end = top;
	if (more + savings > top) {
		kept.first_end = top - savings;
		kept.savings_begin = more;
		kept.savings_end = more + savings;
	}
	return kept;
}

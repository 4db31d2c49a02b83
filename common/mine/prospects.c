/* SPDX-License-Identifier: MIT */
/*
 * Check whether stacks of sufficient cost are left for the growths of a pattern: see
 * search-parts.h. The closer look, where inserting.c finds no function to be put in for all stacks;
 * it costs about as much as growing the pattern by all functions.
 *
 * Where the whole continuation of a stack behind the pattern ends another stack, too, the second
 * stack has every growth of the pattern that the first has. If a function can be put into the
 * pattern at a common place of both, and both cost enough together, then the pattern with the
 * function is costly as well, whatever it grows to, and the first stack is not left for the shorter
 * pattern.
 *
 * Example: main a b x y and main c b x y cost 2 each, and patterns must cost 3. The pattern main x
 * has a, b in its gap in the first and c, b in the second; behind it both go on with y. As b can be
 * put in, neither is left for main x, nor for main x y. This is also so where a third stack, which
 * has no b, keeps inserting.c from leaving the pattern.
 */
#include "common/base/hash.h"
#include "common/base/order.h"
#include "common/mine/search-parts.h"

/* Nodes of a projection are bits of a mask. */
#define MOST_NODES 64
/* Functions looked at for each node below the projection. */
#define MOST_STEPS 64

/* Function in a gap, and the set of its stacks. */
struct inserted {
	uint32_t function;
	uint64_t mask;
};

/* Continuation of stacks, seen from its last function: cost of the stacks below a node of the
 * projection with all of it in a row, and of those with no other functions. */
struct laid {
	int64_t cost_ns;
	int64_t end_ns;
	/* End of the subtree below the last counted node. */
	uint32_t covered;
};

/* ---- Functions that can be put in ---- */

static void note_inserted(GArray *gap, uint32_t function, uint64_t bit)
{
	const struct inserted inserted = { function, bit };

	for (guint i = 0; i < gap->len; i++) {
		struct inserted *other = &g_array_index(gap, struct inserted, i);

		if (other->function == function) {
			other->mask |= bit;
			return;
		}
	}
	g_array_append_val(gap, inserted);
}

static void note_gap(guint gap, const GArray *functions, void *data)
{
	struct itp_prospects *prospects = data;
	GArray *inserted;

	while (prospects->gaps->len <= gap) {
		g_ptr_array_add(prospects->gaps,
				g_array_new(FALSE, FALSE, sizeof(struct inserted)));
	}
	inserted = g_ptr_array_index(prospects->gaps, gap);
	for (guint i = 0; i < functions->len; i++) {
		note_inserted(inserted, g_array_index(functions, uint32_t, i), prospects->bit);
	}
}

static gint compare_masks(gconstpointer a, gconstpointer b)
{
	const uint64_t *left = a;
	const uint64_t *right = b;

	return ITP_ORDER(*left, *right);
}

/* Leaves in `masks` each once. */
static void keep_one_of_each(GArray *masks)
{
	guint kept = 0;

	g_array_sort(masks, compare_masks);
	for (guint i = 0; i < masks->len; i++) {
		uint64_t mask = g_array_index(masks, uint64_t, i);

		if (kept == 0 || g_array_index(masks, uint64_t, kept - 1) != mask) {
			g_array_index(masks, uint64_t, kept++) = mask;
		}
	}
	g_array_set_size(masks, kept);
}

/* Finds the sets of stacks in which a function can be put in. */
static void find_masks(struct itp_pattern_search *search, const GArray *projection)
{
	struct itp_prospects *prospects = &search->prospects;

	for (guint i = 0; i < prospects->gaps->len; i++) {
		g_array_set_size(g_ptr_array_index(prospects->gaps, i), 0);
	}
	for (guint i = 0; i < projection->len; i++) {
		prospects->bit = UINT64_C(1) << i;
		itp_search_gaps(search, g_array_index(projection, uint32_t, i), note_gap,
				prospects);
	}
	g_array_set_size(prospects->masks, 0);
	for (guint i = 0; i < MIN(prospects->gaps->len, search->pattern->len); i++) {
		const GArray *gap = g_ptr_array_index(prospects->gaps, i);

		for (guint k = 0; k < gap->len; k++) {
			g_array_append_val(prospects->masks,
					   g_array_index(gap, struct inserted, k).mask);
		}
		itp_search_work(search, gap->len);
	}
	keep_one_of_each(prospects->masks);
}

/* ---- How stacks go on ---- */

/* Marks the functions in which stacks end below the projection (uint32_t), and returns whether they
 * are few enough to look at. */
static bool mark_ends(struct itp_pattern_search *search, const GArray *projection)
{
	struct itp_prospects *prospects = &search->prospects;
	uint64_t nodes = 0;
	uint64_t steps = 0;

	itp_window_clear(&prospects->ends);
	for (guint bit = 0; bit < projection->len; bit++) {
		uint32_t top = g_array_index(projection, uint32_t, bit);
		const uint32_t end = itp_search_node(search, top)->end;

		for (uint32_t i = top + 1; i < end; i++) {
			if (search->promise.ends_ns[i] > 0) {
				itp_window_enter(&prospects->ends,
						 itp_search_node(search, i)->function);
			}
		}
		for (uint32_t i = top + 1; i < end; i++) {
			steps += itp_window_has(&prospects->ends,
						itp_search_node(search, i)->function) ?
					 search->promise.depths[i] - search->promise.depths[top] :
					 0;
		}
		nodes += end - top;
	}
	itp_search_work(search, 2 * nodes);
	return steps <= MOST_STEPS * nodes;
}

/* Place of the function before the one in `place`, both in a continuation. */
static uint32_t place_before(struct itp_prospects *prospects, uint32_t place, uint32_t function,
			     guint width)
{
	gpointer key = itp_pair(place, function);
	guint before = GPOINTER_TO_UINT(g_hash_table_lookup(prospects->places, key));

	if (before == 0) {
		before = prospects->laid->len / width + 1;
		g_array_set_size(prospects->laid, prospects->laid->len + width);
		g_hash_table_insert(prospects->places, key, GUINT_TO_POINTER(before));
	}
	return before;
}

/* Walks from node `i` up to `top`, a node of the projection: the stacks at and below it have the
 * functions on the walk behind the pattern, and those that end in it have no others. */
static void lay(struct itp_pattern_search *search, uint32_t i, uint32_t top, guint bit, guint width)
{
	struct itp_prospects *prospects = &search->prospects;
	const struct itp_forest_node *below = itp_search_node(search, i);
	uint32_t place = 0;
	struct laid *laid = NULL;

	for (uint32_t at = i; at != top; at = itp_search_node(search, at)->parent) {
		place = place_before(prospects, place, itp_search_node(search, at)->function,
				     width);
		laid = &g_array_index(prospects->laid, struct laid, (place - 1) * width + bit);
		if (i >= laid->covered) {
			laid->cost_ns += below->cost_ns;
			laid->covered = below->end;
		}
	}
	if (laid) {
		laid->end_ns += search->promise.ends_ns[i];
	}
	itp_search_work(search, search->promise.depths[i] - search->promise.depths[top]);
}

static void lay_all(struct itp_pattern_search *search, const GArray *projection)
{
	struct itp_prospects *prospects = &search->prospects;

	g_array_set_size(prospects->laid, 0);
	g_hash_table_remove_all(prospects->places);
	for (guint bit = 0; bit < projection->len; bit++) {
		uint32_t top = g_array_index(projection, uint32_t, bit);

		for (uint32_t i = top + 1; i < itp_search_node(search, top)->end; i++) {
			if (itp_window_has(&prospects->ends,
					   itp_search_node(search, i)->function)) {
				lay(search, i, top, bit, projection->len);
			}
		}
	}
}

/* Stacks, by mask, in which a function can be put in at sufficient cost together. */
static uint64_t explained_of(struct itp_pattern_search *search, const struct laid *laid,
			     guint width)
{
	const GArray *masks = search->prospects.masks;
	uint64_t explained = 0;

	for (guint i = 0; i < masks->len; i++) {
		uint64_t mask = g_array_index(masks, uint64_t, i);
		int64_t sum_ns = 0;

		for (guint bit = 0; bit < width; bit++) {
			sum_ns += mask & UINT64_C(1) << bit ? laid[bit].cost_ns : 0;
		}
		explained |= sum_ns >= search->options->least_ns ? mask : 0;
	}
	itp_search_work(search, (uint64_t)masks->len * width);
	return explained;
}

/* Cost of the remaining stacks with an equal continuation to their end. */
static int64_t left_of(struct itp_pattern_search *search, const struct laid *laid, guint width)
{
	uint64_t explained = 0;
	int64_t left_ns = 0;
	int64_t end_ns = 0;

	for (guint bit = 0; bit < width; bit++) {
		end_ns += laid[bit].end_ns;
	}
	if (end_ns > 0) {
		explained = explained_of(search, laid, width);
	}
	for (guint bit = 0; bit < width; bit++) {
		left_ns += explained & UINT64_C(1) << bit ? 0 : laid[bit].end_ns;
	}
	return left_ns;
}

bool itp_search_has_prospects(struct itp_pattern_search *search, const GArray *projection)
{
	const GArray *laid = search->prospects.laid;
	const guint width = projection->len;
	int64_t left_ns = 0;

	if (width < 2 || width > MOST_NODES || !mark_ends(search, projection)) {
		return true;
	}
	find_masks(search, projection);
	lay_all(search, projection);
	for (guint i = 0; i < width; i++) {
		left_ns += search->promise.ends_ns[g_array_index(projection, uint32_t, i)];
	}
	for (guint i = 0; i < laid->len && left_ns < search->options->least_ns; i += width) {
		left_ns += left_of(search, &g_array_index(laid, struct laid, i), width);
	}
	return left_ns >= search->options->least_ns;
}

void itp_prospects_init(struct itp_prospects *prospects, uint32_t function_count)
{
	*prospects = (struct itp_prospects){
		.gaps = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref),
		.masks = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
		.places = g_hash_table_new(itp_hash_number, NULL),
		.laid = g_array_new(FALSE, TRUE, sizeof(struct laid)),
	};
	itp_window_init(&prospects->ends, function_count);
}

void itp_prospects_release(struct itp_prospects *prospects)
{
	g_ptr_array_unref(prospects->gaps);
	g_array_unref(prospects->masks);
	g_hash_table_unref(prospects->places);
	g_array_unref(prospects->laid);
	itp_window_release(&prospects->ends);
}

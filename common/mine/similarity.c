/* SPDX-License-Identifier: MIT */
/*
 * See similarity.h.
 */
#include "common/mine/similarity.h"

#include "common/base/hash.h"
#include "common/mine/names.h"

struct itp_stack_statistics {
	/* Weak. */
	const struct itp_function_table *functions;
	uint32_t function_count;
	/* By function: its number in the members below. NULL: its id. Owned by this. */
	uint32_t *numbers;
	/* All stacks: their cost (ns), or their number. */
	int64_t whole;
	/* By function, in the same unit: its stacks; its calls of others, and its calls by others.
	 * Owned by this. */
	int64_t *in_stacks;
	int64_t *calling;
	int64_t *called;
	/* By caller and callee, likewise. Owned by this. */
	GHashTable *calls;
	struct itp_word_table *word_table;
	/* By function: its words (GArray), NULL until they are asked for. All owned by this. */
	GPtrArray *words;
	/* Owned by this. */
	struct itp_innermost *innermost;
};

static gpointer sum(gpointer number, int64_t more)
{
	return GSIZE_TO_POINTER(GPOINTER_TO_SIZE(number) + (gsize)more);
}

static void add_call_count(struct itp_stack_statistics *statistics, uint32_t caller,
			   uint32_t callee, int64_t cost_ns)
{
	gpointer key = itp_pair(caller, callee);

	statistics->calling[caller] += cost_ns;
	statistics->called[callee] += cost_ns;
	g_hash_table_insert(statistics->calls, key,
			    sum(g_hash_table_lookup(statistics->calls, key), cost_ns));
}

static void add_forest(struct itp_stack_statistics *statistics, const struct itp_forest *forest)
{
	/* Ends of subtrees by function, see itp_forest_costs(). */
	g_autofree uint32_t *covered = g_new0(uint32_t, statistics->function_count + 1);

	for (uint32_t i = 0; i < forest->count; i++) {
		const struct itp_forest_node *node = &forest->nodes[i];

		if (node->parent == i) {
			statistics->whole += node->cost_ns;
		} else {
			add_call_count(statistics, forest->nodes[node->parent].function,
				       node->function, node->cost_ns);
		}
		if (i >= covered[node->function]) {
			statistics->in_stacks[node->function] += node->cost_ns;
			covered[node->function] = node->end;
		}
	}
}

static void free_words(gpointer words)
{
	if (words) {
		g_array_unref(words);
	}
}

struct itp_stack_statistics *itp_stack_statistics_new(const struct itp_stack_set *const *sets,
						      size_t set_count,
						      const struct itp_function_table *functions)
{
	struct itp_stack_statistics *statistics = g_new0(struct itp_stack_statistics, 1);

	statistics->functions = functions;
	statistics->function_count = itp_function_table_size(functions);
	statistics->in_stacks = g_new0(int64_t, statistics->function_count);
	statistics->calling = g_new0(int64_t, statistics->function_count);
	statistics->called = g_new0(int64_t, statistics->function_count);
	statistics->calls = g_hash_table_new(itp_hash_number, NULL);
	statistics->innermost = itp_innermost_new(functions);
	statistics->word_table = itp_word_table_new();
	statistics->words = g_ptr_array_new_with_free_func(free_words);
	g_ptr_array_set_size(statistics->words, (gint)statistics->function_count);
	for (size_t i = 0; i < set_count; i++) {
		struct itp_forest forest;

		itp_forest_init(&forest, sets[i], NULL);
		add_forest(statistics, &forest);
		itp_innermost_add(statistics->innermost, &forest);
		itp_forest_release(&forest);
	}
	return statistics;
}

/* An itp_stack_base_tell. */
static void add_counted(uint32_t function, uint32_t callee, int64_t count, void *data)
{
	struct itp_stack_statistics *statistics = data;

	if (callee > 0) {
		add_call_count(statistics, function, callee, count);
	} else {
		statistics->in_stacks[function] += count;
	}
}

void itp_stack_statistics_count(struct itp_stack_statistics *statistics,
				const struct itp_stack_base *base)
{
	const guint count = itp_stack_base_function_count(base);

	g_free(statistics->in_stacks);
	g_free(statistics->calling);
	g_free(statistics->called);
	g_hash_table_remove_all(statistics->calls);
	statistics->in_stacks = g_new0(int64_t, count);
	statistics->calling = g_new0(int64_t, count);
	statistics->called = g_new0(int64_t, count);
	statistics->numbers = g_new0(uint32_t, statistics->function_count);
	for (uint32_t id = 1; id < statistics->function_count; id++) {
		statistics->numbers[id] = itp_stack_base_number(
			base, itp_function_table_get(statistics->functions, id));
	}
	statistics->whole = itp_stack_base_each(base, add_counted, statistics);
	/* Function 0, found in no stack, counts as in all. */
	statistics->in_stacks[0] = statistics->whole;
}

void itp_stack_statistics_free(struct itp_stack_statistics *statistics)
{
	if (!statistics) {
		return;
	}
	g_free(statistics->numbers);
	g_free(statistics->in_stacks);
	g_free(statistics->calling);
	g_free(statistics->called);
	g_hash_table_unref(statistics->calls);
	itp_word_table_free(statistics->word_table);
	g_ptr_array_unref(statistics->words);
	itp_innermost_free(statistics->innermost);
	g_free(statistics);
}

const struct itp_innermost *itp_stack_statistics_innermost(
	const struct itp_stack_statistics *statistics)
{
	return statistics->innermost;
}

/* 1 − part / whole; 1 without a whole. */
static double rest(int64_t part, int64_t whole)
{
	return whole > 0 ? 1 - (double)part / (double)whole : 1;
}

static uint32_t counted_function(const struct itp_stack_statistics *statistics, uint32_t function)
{
	return statistics->numbers ? statistics->numbers[function] : function;
}

static int64_t calls_between(const struct itp_stack_statistics *statistics, uint32_t caller,
			     uint32_t callee)
{
	return (int64_t)GPOINTER_TO_SIZE(g_hash_table_lookup(
		statistics->calls, itp_pair(counted_function(statistics, caller),
					    counted_function(statistics, callee))));
}

/* Uni(f): rarity of the function in stacks; 0 for a function of all. */
static double uni_of(const struct itp_stack_statistics *statistics, uint32_t function)
{
	return rest(statistics->in_stacks[counted_function(statistics, function)],
		    statistics->whole);
}

/* FBi(caller, callee): rarity of `callee` among `caller`'s callees; 1 for calls in no stack. */
static double fbi_of(const struct itp_stack_statistics *statistics, uint32_t caller,
		     uint32_t callee)
{
	return rest(calls_between(statistics, caller, callee),
		    statistics->calling[counted_function(statistics, caller)]);
}

/* BBi(caller, callee): rarity of `caller` among `callee`'s callers; 1 for calls in no stack. */
static double bbi_of(const struct itp_stack_statistics *statistics, uint32_t caller,
		     uint32_t callee)
{
	return rest(calls_between(statistics, caller, callee),
		    statistics->called[counted_function(statistics, callee)]);
}

static const GArray *words_of(struct itp_stack_statistics *statistics, uint32_t function)
{
	GArray *words = g_ptr_array_index(statistics->words, function);

	if (!words) {
		words = itp_name_words(
			statistics->word_table,
			itp_function_table_get(statistics->functions, function)->name);
		g_ptr_array_index(statistics->words, function) = words;
	}
	return words;
}

/* Sub(a, b): 0 where the words of both names are equal, 1 where they share none. */
static double distance_of(struct itp_stack_statistics *statistics, uint32_t a, uint32_t b)
{
	return itp_words_distance(words_of(statistics, a), words_of(statistics, b));
}

/* ---- Alignment ---- */

enum step_kind {
	STEP_MATCH,
	/* Function of a single pattern. */
	STEP_LEFT,
	STEP_RIGHT,
	STEP_SUBSTITUTE,
};

struct step {
	enum step_kind kind;
	/* Function ids; 0 for none. */
	uint32_t left;
	uint32_t right;
};

struct cell {
	double cost;
	enum step_kind kind;
};

/* Cheapest way to the cell from the cells before it; the first of equal ones. */
static struct cell best_of(struct itp_stack_statistics *statistics, const struct cell *above,
			   const struct cell *left, const struct cell *diagonal, uint32_t a,
			   uint32_t b)
{
	struct cell best = { diagonal->cost, STEP_MATCH };

	if (a != b) {
		best = (struct cell){ diagonal->cost + distance_of(statistics, a, b),
				      STEP_SUBSTITUTE };
	}
	if (above->cost + 1 < best.cost) {
		best = (struct cell){ above->cost + 1, STEP_LEFT };
	}
	if (left->cost + 1 < best.cost) {
		best = (struct cell){ left->cost + 1, STEP_RIGHT };
	}
	return best;
}

/* Cell (i, k) is for the first i functions of `left` and the first k of `right`. To be freed. */
static struct cell *fill_cells(struct itp_stack_statistics *statistics,
			       const struct itp_pattern *left, const struct itp_pattern *right)
{
	const size_t width = right->length + 1;
	struct cell *cells = g_new(struct cell, (left->length + 1) * width);

	cells[0] = (struct cell){ 0, STEP_MATCH };
	for (uint32_t k = 1; k <= right->length; k++) {
		cells[k] = (struct cell){ k, STEP_RIGHT };
	}
	for (uint32_t i = 1; i <= left->length; i++) {
		struct cell *row = &cells[i * width];
		const struct cell *above = row - width;

		row[0] = (struct cell){ i, STEP_LEFT };
		for (uint32_t k = 1; k <= right->length; k++) {
			row[k] = best_of(statistics, &above[k], &row[k - 1], &above[k - 1],
					 left->functions[i - 1], right->functions[k - 1]);
		}
	}
	return cells;
}

static void reverse(GArray *steps)
{
	for (guint i = 0; i < steps->len / 2; i++) {
		struct step *first = &g_array_index(steps, struct step, i);
		struct step *last = &g_array_index(steps, struct step, steps->len - 1 - i);
		struct step step = *first;

		*first = *last;
		*last = step;
	}
}

/* Cheapest alignment: a GArray of struct step. Of several, the one that matches as late as
 * possible. To be unreferenced. */
static GArray *align(struct itp_stack_statistics *statistics, const struct itp_pattern *left,
		     const struct itp_pattern *right)
{
	g_autofree struct cell *cells = fill_cells(statistics, left, right);
	GArray *steps = g_array_new(FALSE, FALSE, sizeof(struct step));
	uint32_t i = left->length;
	uint32_t k = right->length;

	while (i > 0 || k > 0) {
		struct step step = {
			.kind = cells[i * ((size_t)right->length + 1) + k].kind,
		};

		if (step.kind != STEP_RIGHT) {
			step.left = left->functions[--i];
		}
		if (step.kind != STEP_LEFT) {
			step.right = right->functions[--k];
		}
		g_array_append_val(steps, step);
	}
	reverse(steps);
	return steps;
}

/* ---- Similarity ---- */

/* Insertions and deletions are of one kind. */
static enum step_kind segment_kind(const struct step *step)
{
	return step->kind == STEP_RIGHT ? STEP_LEFT : step->kind;
}

/* Function of a step on a side, or on its only side. */
static uint32_t step_function(const struct step *step, bool on_right)
{
	return step->kind == STEP_RIGHT || (on_right && step->kind == STEP_SUBSTITUTE) ?
		       step->right :
		       step->left;
}

static const struct step *step_at(const GArray *steps, guint i)
{
	return &g_array_index(steps, struct step, i);
}

/* ω of the function of step `i`, whose neighbours are those in its own segment. */
static double weight_of(const struct itp_stack_statistics *statistics, const GArray *steps, guint i,
			bool on_right)
{
	const struct step *step = step_at(steps, i);
	const enum step_kind kind = segment_kind(step);
	uint32_t function = step_function(step, on_right);
	double fbi = 1;
	double bbi = 1;

	if (i > 0 && segment_kind(step_at(steps, i - 1)) == kind) {
		fbi = fbi_of(statistics, step_function(step_at(steps, i - 1), on_right), function);
	}
	if (i + 1 < steps->len && segment_kind(step_at(steps, i + 1)) == kind) {
		bbi = bbi_of(statistics, function, step_function(step_at(steps, i + 1), on_right));
	}
	return uni_of(statistics, function) * (fbi + bbi) / 2;
}

static double substitute_weight(struct itp_stack_statistics *statistics, const GArray *steps,
				guint i)
{
	const struct step *step = step_at(steps, i);

	return distance_of(statistics, step->left, step->right) *
	       (weight_of(statistics, steps, i, false) + weight_of(statistics, steps, i, true)) / 2;
}

double itp_similarity(struct itp_stack_statistics *statistics, const struct itp_pattern *left,
		      const struct itp_pattern *right)
{
	g_autoptr(GArray) steps = align(statistics, left, right);
	double match = 0;
	double other = 0;
	bool is_equal = true;

	for (guint i = 0; i < steps->len; i++) {
		enum step_kind kind = step_at(steps, i)->kind;

		is_equal &= kind == STEP_MATCH;
		if (kind == STEP_MATCH) {
			match += weight_of(statistics, steps, i, false);
		} else if (kind == STEP_SUBSTITUTE) {
			other += substitute_weight(statistics, steps, i);
		} else {
			other += weight_of(statistics, steps, i, false);
		}
	}
	return match + other > 0 ? match / (match + other) : is_equal;
}

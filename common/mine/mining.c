/* SPDX-License-Identifier: MIT */
/*
 * See mining.h.
 */
#include "common/mine/mining.h"

#include <math.h>

#include "common/base/order.h"
#include "common/mine/counting.h"
#include "common/mine/functions.h"
#include "common/mine/patterns.h"

/* Parts of the average symptom, and of the cost of all: see itp_mining_least(). */
#define SYMPTOM_PART 0.5
#define MOST_PART 0.01
#define LEAST_PART 0.005
/* Number of slow runs by which LEAST_PART is more than the time of these average symptoms. */
#define RARE_SYMPTOMS 2.0
#define RARE_LEAST_PART 0.0033
/* With more different stacks, looking for rarer patterns would take too long. */
#define RARE_MOST_STACKS 100000

const char *const itp_mine_kind_names[ITP_MINE_KINDS + 1] = {
	[ITP_MINE_WAITING] = "waiting",
	[ITP_MINE_RUNNING] = "running",
};

static void clear_trace(gpointer data)
{
	struct itp_mined_trace *trace = data;

	g_free(trace->path);
	g_free(trace->symptom);
}

static GArray *traces_new(void)
{
	GArray *traces = g_array_new(FALSE, FALSE, sizeof(struct itp_mined_trace));

	g_array_set_clear_func(traces, clear_trace);
	return traces;
}

void itp_mining_init(struct itp_mining *mining)
{
	mining->functions = itp_function_table_new();
	mining->traces = traces_new();
	mining->base_traces = traces_new();
	mining->stacks = NULL;
	for (size_t kind = 0; kind < ITP_MINE_KINDS; kind++) {
		itp_stack_set_init(&mining->sets[kind]);
		itp_stack_set_init(&mining->base_sets[kind]);
	}
}

void itp_mining_release(struct itp_mining *mining)
{
	for (size_t kind = 0; kind < ITP_MINE_KINDS; kind++) {
		itp_stack_set_release(&mining->sets[kind]);
		itp_stack_set_release(&mining->base_sets[kind]);
	}
	g_array_unref(mining->traces);
	g_array_unref(mining->base_traces);
	g_clear_pointer(&mining->stacks, itp_stack_base_free);
	itp_function_table_free(mining->functions);
}

/* By node of the set's tree: whether a stack ends below it. To be freed. */
static bool *find_inner(const struct itp_stack_set *set)
{
	bool *is_inner = g_new0(bool, itp_context_tree_size(set->tree));

	for (guint i = 0; i < set->stacks->len; i++) {
		uint32_t node = g_array_index(set->stacks, struct itp_stack, i).node;

		while (node != ITP_CONTEXT_ROOT) {
			node = itp_context_tree_get(set->tree, node)->parent;
			if (is_inner[node]) {
				break;
			}
			is_inner[node] = true;
		}
	}
	return is_inner;
}

/* Stand-in for each function's own work: with a common one, as patterns may leave functions out,
 * own work of one function would be part of any other's. */
static uint32_t itself_of(struct itp_mining *mining, uint32_t id)
{
	const struct itp_function *owner = itp_function_table_get(mining->functions, id);
	g_autofree char *of = g_strdup_printf("%s!%s", owner->module, owner->name);
	const struct itp_function itself = {
		.name = ITP_MINED_ITSELF, .module = of, .build_id = "", .layer = ITP_LAYER_USER
	};

	return itp_function_table_intern(mining->functions, &itself);
}

static void close_set(struct itp_mining *mining, struct itp_stack_set *set)
{
	g_autofree bool *is_inner = find_inner(set);

	for (guint i = 0; i < set->stacks->len; i++) {
		struct itp_stack *stack = &g_array_index(set->stacks, struct itp_stack, i);

		if (is_inner[stack->node]) {
			uint32_t id = itp_context_tree_get(set->tree, stack->node)->function;

			stack->node = itp_context_tree_child(set->tree, stack->node,
							     itself_of(mining, id));
		}
	}
}

void itp_mining_close(struct itp_mining *mining)
{
	for (size_t kind = 0; kind < ITP_MINE_KINDS; kind++) {
		close_set(mining, &mining->sets[kind]);
		close_set(mining, &mining->base_sets[kind]);
	}
}

static bool has_any(const GArray *path, const bool *functions)
{
	for (guint i = 0; i < path->len; i++) {
		if (functions[g_array_index(path, uint32_t, i)]) {
			return true;
		}
	}
	return false;
}

static void select_stacks(struct itp_stack_set *set, const bool *focus, const bool *ignore)
{
	g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (guint i = 0; i < set->stacks->len; i++) {
		itp_context_tree_path(set->tree,
				      g_array_index(set->stacks, struct itp_stack, i).node, path);
		if ((focus && !has_any(path, focus)) || (ignore && has_any(path, ignore))) {
			itp_stack_set_forget(set, i);
		}
	}
}

void itp_mining_select(struct itp_mining *mining, const bool *focus, const bool *ignore)
{
	for (size_t kind = 0; kind < ITP_MINE_KINDS; kind++) {
		select_stacks(&mining->sets[kind], focus, ignore);
		select_stacks(&mining->base_sets[kind], focus, ignore);
	}
}

struct itp_mined_trace itp_mining_sum(const GArray *traces)
{
	struct itp_mined_trace sum = { .path = NULL };

	for (guint i = 0; i < traces->len; i++) {
		const struct itp_mined_trace *trace =
			&g_array_index(traces, struct itp_mined_trace, i);

		sum.symptoms += trace->symptoms;
		sum.calls += trace->calls;
		sum.left_out += trace->left_out;
		sum.cost_ns += trace->cost_ns;
		sum.unseen_ns += trace->unseen_ns;
	}
	return sum;
}

static void add_symptoms(const GArray *traces, GArray *symptoms)
{
	for (guint i = 0; i < traces->len; i++) {
		const char *symptom = g_array_index(traces, struct itp_mined_trace, i).symptom;
		const struct itp_mined_symptom new = { symptom, 0 };
		guint at = 0;

		while (at < symptoms->len &&
		       g_strcmp0(g_array_index(symptoms, struct itp_mined_symptom, at).symptom,
				 symptom) != 0) {
			at++;
		}
		if (at == symptoms->len) {
			g_array_append_val(symptoms, new);
		}
		g_array_index(symptoms, struct itp_mined_symptom, at).traces++;
	}
}

GArray *itp_mining_symptoms(const struct itp_mining *mining)
{
	GArray *symptoms = g_array_new(FALSE, FALSE, sizeof(struct itp_mined_symptom));

	add_symptoms(mining->traces, symptoms);
	add_symptoms(mining->base_traces, symptoms);
	return symptoms;
}

guint itp_mining_unseen(const struct itp_mining *mining, const char **ret_first)
{
	guint count = 0;

	for (guint i = 0; i < mining->traces->len; i++) {
		const struct itp_mined_trace *trace =
			&g_array_index(mining->traces, struct itp_mined_trace, i);

		if (trace->unseen_ns > 0 && count++ == 0) {
			*ret_first = trace->path;
		}
	}
	return count;
}

static guint incomplete_of(const GArray *traces)
{
	guint count = 0;

	for (guint i = 0; i < traces->len; i++) {
		count += !g_array_index(traces, struct itp_mined_trace, i).is_complete;
	}
	return count;
}

guint itp_mining_incomplete(const struct itp_mining *mining)
{
	return incomplete_of(mining->traces) + incomplete_of(mining->base_traces);
}

struct itp_stack_statistics *itp_mining_statistics(const struct itp_mining *mining)
{
	const struct itp_stack_set *const sets[] = { &mining->sets[0], &mining->sets[1] };

	return itp_stack_statistics_new(sets, G_N_ELEMENTS(sets), mining->functions);
}

/* The patterns again, by their place, as the stacks of good traces count for them. */
static GPtrArray *count_base(const struct itp_mined *mined, const struct itp_forest *base)
{
	GPtrArray *patterns = g_ptr_array_new_with_free_func(itp_pattern_free);

	for (guint i = 0; i < mined->patterns.list->len; i++) {
		const struct itp_pattern *of =
			&g_array_index(mined->patterns.list, struct itp_pattern, i);
		struct itp_pattern *pattern = g_new0(struct itp_pattern, 1);

		pattern->functions = g_memdup2(of->functions, of->length * sizeof(uint32_t));
		pattern->length = of->length;
		itp_pattern_find(pattern, base);
		g_ptr_array_add(patterns, pattern);
	}
	itp_patterns_count(patterns, base);
	return patterns;
}

/* Cost of the good traces' stacks that count for the cluster. */
static int64_t base_cost(const GPtrArray *patterns, const struct itp_cluster *cluster,
			 const struct itp_forest *base, const struct itp_stack_set *set)
{
	g_autoptr(GPtrArray) own = g_ptr_array_new();
	g_autoptr(GArray) ranges = NULL;

	for (guint i = 0; i < cluster->patterns->len; i++) {
		g_ptr_array_add(own, g_ptr_array_index(patterns,
						       g_array_index(cluster->patterns, guint, i)));
	}
	ranges = itp_patterns_ranges(own);
	return itp_ranges_sum(ranges, base, set).cost_ns;
}

/* Cluster with its cost in good traces, for sorting. */
struct compared {
	struct itp_cluster cluster;
	int64_t base_ns;
};

static gint compare_growth(gconstpointer a, gconstpointer b)
{
	const struct compared *left = a;
	const struct compared *right = b;
	int64_t left_ns = left->cluster.cost_ns - left->base_ns;
	int64_t right_ns = right->cluster.cost_ns - right->base_ns;

	return ITP_ORDER(right_ns, left_ns);
}

/* Puts clusters with the greatest growth over good traces first; equal ones stay in order, as
 * g_array_sort() is stable. */
static void order_by_growth(struct itp_mined *mined, const struct itp_mining *mining,
			    enum itp_mine_kind kind)
{
	const double scale = (double)mining->traces->len / (double)mining->base_traces->len;
	g_autoptr(GArray) compared = g_array_new(FALSE, FALSE, sizeof(struct compared));
	GArray *clusters = mined->clusters.list;
	const struct itp_stack_set *set = &mining->base_sets[kind];
	g_autoptr(GPtrArray) patterns = NULL;
	struct itp_forest base;

	itp_forest_init(&base, set, NULL);
	patterns = count_base(mined, &base);
	for (guint i = 0; i < clusters->len; i++) {
		struct compared one = { g_array_index(clusters, struct itp_cluster, i), 0 };

		one.base_ns =
			llround(scale * (double)base_cost(patterns, &one.cluster, &base, set));
		g_array_append_val(compared, one);
	}
	itp_forest_release(&base);
	g_array_sort(compared, compare_growth);
	mined->base_costs = g_array_new(FALSE, FALSE, sizeof(int64_t));
	for (guint i = 0; i < compared->len; i++) {
		const struct compared *one = &g_array_index(compared, struct compared, i);

		g_array_index(clusters, struct itp_cluster, i) = one->cluster;
		g_array_append_val(mined->base_costs, one->base_ns);
	}
}

static double least_part(uint64_t symptoms, uint64_t stacks)
{
	if (stacks > RARE_MOST_STACKS) {
		return LEAST_PART;
	}
	return CLAMP(RARE_SYMPTOMS / (double)symptoms, RARE_LEAST_PART, LEAST_PART);
}

int64_t itp_mining_least(int64_t cost_ns, uint64_t symptoms, uint64_t stacks)
{
	double part = MOST_PART;

	if (symptoms > 0) {
		part = CLAMP(SYMPTOM_PART / (double)symptoms, least_part(symptoms, stacks),
			     MOST_PART);
	}
	return llround(part * (double)cost_ns);
}

static uint64_t count_stacks(const struct itp_mining *mining)
{
	uint64_t count = 0;

	for (size_t kind = 0; kind < ITP_MINE_KINDS; kind++) {
		count += mining->sets[kind].stacks->len;
	}
	return count;
}

int64_t itp_mining_limit(const struct itp_mining *mining, const struct itp_mining_options *options)
{
	const struct itp_mined_trace sum = itp_mining_sum(mining->traces);
	int64_t least_ns;

	if (options->patterns.least_ns > 0) {
		return options->patterns.least_ns;
	}
	least_ns = options->least_part > 0 ?
			   llround(options->least_part * (double)sum.cost_ns) :
			   itp_mining_least(sum.cost_ns, sum.symptoms, count_stacks(mining));
	return MAX(least_ns, 1);
}

/* Findings of a stopped search are a chance selection. Patterns of twice the cost are far fewer:
 * all of them say more. Each search gets half the steps of the one before, so that they take no
 * more than twice the first's together; a search above the cost of all stacks ends at once. */
static void find_patterns(struct itp_mined *mined, const struct itp_mining *mining,
			  enum itp_mine_kind kind, const struct itp_mining_options *options)
{
	struct itp_pattern_options search = options->patterns;

	for (;;) {
		search.least_ns = mined->least_ns;
		itp_mined_patterns_init(&mined->patterns, &mining->sets[kind],
					itp_function_table_size(mining->functions), &search);
		if (!mined->patterns.is_incomplete) {
			return;
		}
		itp_mined_patterns_release(&mined->patterns);
		mined->least_ns *= 2;
		search.max_steps = search.max_steps / 2 + search.max_steps % 2;
	}
}

void itp_mined_init(struct itp_mined *mined, const struct itp_mining *mining,
		    enum itp_mine_kind kind, struct itp_stack_statistics *statistics,
		    const struct itp_mining_options *options)
{
	int64_t least_ns = itp_mining_limit(mining, options);

	*mined = (struct itp_mined){ .least_ns = least_ns, .asked_ns = least_ns };
	find_patterns(mined, mining, kind, options);
	itp_clusters_init(&mined->clusters, &mined->patterns, &mining->sets[kind], statistics,
			  &options->clusters);
	if (mining->base_traces->len > 0) {
		order_by_growth(mined, mining, kind);
	}
	mined->coverage =
		itp_clusters_coverage(&mined->clusters, &mined->patterns, &mining->sets[kind]);
}

void itp_mined_release(struct itp_mined *mined)
{
	g_clear_pointer(&mined->coverage, g_array_unref);
	g_clear_pointer(&mined->base_costs, g_array_unref);
	itp_clusters_release(&mined->clusters);
	itp_mined_patterns_release(&mined->patterns);
}

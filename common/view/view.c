/* SPDX-License-Identifier: MIT */
/*
 * Fates of the nodes of the old tree, decided once for all profiles, and the numbers of each
 * profile on the new tree: own latencies only move; totals, bounds and use of callers are first cut
 * to the rest of their contexts, and then move with the calls. Parents have smaller ids than their
 * children, so every question takes a single pass over the ids, up or down.
 */
#include "common/view/view.h"

#include "common/view/view-names.h"
#include "common/view/view-processes.h"

const char *const itp_view_pattern_names[] = {
	[ITP_VIEW_FOCUS] = "focus",
	[ITP_VIEW_IGNORE] = "ignore",
	[ITP_VIEW_HIDE] = "hide",
	[ITP_VIEW_ROOT] = "root",
};

/* Rest of an old node. */
enum role {
	/* All of it. */
	FATE_WHOLE,
	/* The rest below it, and its calls. */
	FATE_LEADING,
	/* Only the rest below it. */
	FATE_CUT,
	/* Nothing, nor anything below it; callers lose its total. */
	FATE_IGNORED,
	/* Nothing. */
	FATE_GONE,
};

struct fate {
	enum role role;
	/* Node in the new tree; the parent's for a node without a rest. It is never larger than the
	 * old node, as the new tree grows during the pass through the old tree. */
	uint32_t target;
	/* `target` is the node of its caller: it is no call any more. */
	bool is_inner;
};

struct builder {
	const struct itp_view_options *options;
	const struct itp_view_input *input;
	const struct itp_function_table *old_functions;
	const struct itp_context_tree *old_tree;
	/* Weak. */
	struct itp_view *view;
	/* Names of the old functions. Owned by this. */
	struct itp_view_names *names;
	/* Selected functions by new function; NULL without a pattern of the kind. Owned by this. */
	bool *selected[ITP_VIEW_PATTERN_COUNT];
	/* Nodes of chosen processes, by old node; NULL: all are. Owned by this. */
	bool *is_chosen;
	/* Fates by old node. Owned by this. */
	struct fate *fates;
};

static bool is_frame(const struct itp_context *context)
{
	return context->depth > 1;
}

/* New function of an old function in the tree. */
static uint32_t function_of(const struct builder *builder, uint32_t id)
{
	return itp_view_names_known(builder->names, id)->function;
}

static bool select_functions(struct builder *builder, GError **error)
{
	uint32_t count = itp_function_table_size(builder->view->functions);
	g_autofree bool *is_known = g_new0(bool, count);

	for (uint32_t node = 1; node < itp_context_tree_size(builder->old_tree); node++) {
		const struct itp_context *context = itp_context_tree_get(builder->old_tree, node);

		is_known[function_of(builder, context->function)] |= is_frame(context);
	}
	for (size_t i = 0; i < ITP_VIEW_PATTERN_COUNT; i++) {
		const struct itp_patterns *patterns = builder->options->patterns[i];

		if (!patterns) {
			continue;
		}
		builder->selected[i] = g_new0(bool, count);
		if (!itp_patterns_select(patterns, builder->view->functions, is_known,
					 builder->selected[i], error)) {
			return false;
		}
	}
	return true;
}

static bool select_processes(struct builder *builder, GError **error)
{
	const GPtrArray *processes = builder->options->processes;

	if (processes) {
		builder->is_chosen = itp_view_processes_find(processes, builder->old_tree,
							     builder->view->functions,
							     builder->names, error);
	}
	return !processes || builder->is_chosen;
}

static bool is_selected(const struct builder *builder, enum itp_view_pattern pattern,
			const struct itp_context *context)
{
	const bool *selected = builder->selected[pattern];

	return selected && is_frame(context) && selected[function_of(builder, context->function)];
}

/* Nodes at or below a function that the pattern selects, by old node. The caller frees them. */
static bool *find_below(const struct builder *builder, enum itp_view_pattern pattern)
{
	uint32_t count = itp_context_tree_size(builder->old_tree);
	bool *is_below = g_new0(bool, count);

	for (uint32_t node = 1; node < count; node++) {
		const struct itp_context *context = itp_context_tree_get(builder->old_tree, node);

		is_below[node] = is_below[context->parent] ||
				 is_selected(builder, pattern, context);
	}
	return is_below;
}

/* Chooses the contexts that stay. */
static void choose_contexts(struct builder *builder)
{
	g_autofree bool *is_ignored = find_below(builder, ITP_VIEW_IGNORE);
	g_autofree bool *is_focused = find_below(builder, ITP_VIEW_FOCUS);
	g_autofree bool *is_inside = find_below(builder, ITP_VIEW_ROOT);
	uint32_t count = itp_context_tree_size(builder->old_tree);
	g_autofree bool *leads = g_new0(bool, count);

	for (uint32_t node = count; node-- > 1;) {
		const struct itp_context *context = itp_context_tree_get(builder->old_tree, node);
		bool is_cut = builder->selected[ITP_VIEW_ROOT] && !is_inside[node];
		bool is_path = is_cut || (builder->selected[ITP_VIEW_FOCUS] && !is_focused[node]);
		enum role role = FATE_WHOLE;

		if (builder->is_chosen && !builder->is_chosen[node]) {
			role = FATE_GONE;
		} else if (is_ignored[node]) {
			role = is_ignored[context->parent] ? FATE_GONE : FATE_IGNORED;
		} else if (is_path && !leads[node]) {
			role = FATE_GONE;
		} else if (is_cut && is_frame(context)) {
			role = FATE_CUT;
		} else if (is_path) {
			role = FATE_LEADING;
		}
		builder->fates[node].role = role;
		leads[context->parent] |= role != FATE_GONE && role != FATE_IGNORED;
	}
}

/* True if a frame is no call of its own under the new node `parent`. */
static bool is_folded(const struct builder *builder, const struct itp_context *frame,
		      uint32_t parent)
{
	const struct itp_view_options *options = builder->options;
	const struct itp_view_name *name = itp_view_names_known(builder->names, frame->function);
	const struct itp_context *caller = itp_context_tree_get(builder->view->tree, parent);

	if (name->is_untold || is_selected(builder, ITP_VIEW_HIDE, frame)) {
		return true;
	}
	if (is_frame(caller) && caller->function == name->function &&
	    (options->fold_recursion || name->is_part)) {
		return true;
	}
	return options->max_depth > 0 && caller->depth > options->max_depth;
}

/* Makes the new tree; true when any frame is left, or there was none. */
static bool place_contexts(struct builder *builder)
{
	struct itp_context_tree *tree = builder->view->tree;
	bool had_frames = false;
	bool has_frames = false;

	for (uint32_t node = 1; node < itp_context_tree_size(builder->old_tree); node++) {
		const struct itp_context *context = itp_context_tree_get(builder->old_tree, node);
		struct fate *fate = &builder->fates[node];
		uint32_t parent = builder->fates[context->parent].target;

		had_frames |= is_frame(context);
		fate->target = parent;
		if (fate->role == FATE_GONE || fate->role == FATE_IGNORED ||
		    fate->role == FATE_CUT) {
			continue;
		}
		fate->is_inner = is_frame(context) && is_folded(builder, context, parent);
		if (!fate->is_inner) {
			uint32_t function = function_of(builder, context->function);

			fate->target = itp_context_tree_child(tree, parent, function);
		}
		has_frames |= itp_context_tree_get(tree, fate->target)->depth > 1;
	}
	return has_frames || !had_frames;
}

/* ---- The numbers ---- */

/* Time of a node with all below it. */
struct span {
	int64_t total_ns;
	int64_t lower_ns;
	int64_t upper_ns;
	struct itp_time_use use;
};

static struct span span_of(const struct itp_node_stats *stats)
{
	return (struct span){ stats->total_ns, stats->lower_ns, stats->upper_ns, stats->use };
}

static void add(struct span *span, const struct span *other)
{
	span->total_ns += other->total_ns;
	span->lower_ns += other->lower_ns;
	span->upper_ns += other->upper_ns;
	itp_time_use_add(&span->use, &other->use, 1);
}

static void subtract(struct span *span, const struct span *other)
{
	span->total_ns -= other->total_ns;
	span->lower_ns -= other->upper_ns;
	span->upper_ns -= other->lower_ns;
	itp_time_use_add(&span->use, &other->use, -1);
}

/* Rest of the totals, by node. The caller frees it. */
static struct span *cut_spans(const struct itp_context_tree *tree, const struct fate *fates,
			      const struct itp_profile *profile)
{
	uint32_t count = itp_context_tree_size(tree);
	struct span *spans = g_new0(struct span, count);
	g_autofree struct span *below = g_new0(struct span, count);
	g_autofree struct span *ignored = g_new0(struct span, count);

	for (uint32_t node = count; node-- > 1;) {
		uint32_t parent = itp_context_tree_get(tree, node)->parent;

		switch (fates[node].role) {
		case FATE_WHOLE:
			spans[node] = span_of(itp_profile_peek(profile, node));
			subtract(&spans[node], &ignored[node]);
			add(&ignored[parent], &ignored[node]);
			break;
		case FATE_LEADING:
		case FATE_CUT:
			spans[node] = below[node];
			break;
		case FATE_IGNORED:
			ignored[node] = span_of(itp_profile_peek(profile, node));
			add(&ignored[parent], &ignored[node]);
			break;
		case FATE_GONE:
			break;
		}
		add(&below[parent], &spans[node]);
	}
	return spans;
}

/* True if callers lose anything below them. */
static bool is_cut(const struct itp_context_tree *tree, const struct fate *fates)
{
	for (uint32_t node = 1; node < itp_context_tree_size(tree); node++) {
		if (fates[node].role != FATE_WHOLE) {
			return true;
		}
	}
	return false;
}

/* Rest of `old`, with the span `span`. */
static struct itp_node_stats left_of(const struct itp_node_stats *old, const struct fate *fate,
				     const struct span *span)
{
	struct itp_node_stats stats = {
		.own_ns = old->own_ns,
		.own_use = old->own_use,
		.samples = old->samples,
		.own_variance_us2 = old->own_variance_us2,
		.demand = old->demand,
	};

	if (!fate->is_inner) {
		stats = *old;
		stats.total_ns = span->total_ns;
		stats.lower_ns = span->lower_ns;
		stats.upper_ns = span->upper_ns;
		stats.use = span->use;
	}
	if (fate->role == FATE_LEADING) {
		stats.own_ns = 0;
		stats.own_use = (struct itp_time_use){ 0 };
		stats.samples = 0;
		stats.own_variance_us2 = 0;
		stats.demand = (struct itp_node_demand){ 0 };
	}
	return stats;
}

/* Adds the rest of a node to its target. Latencies and slowest calls stay as they were, like
 * minimum, maximum and histogram. */
static void move_node(struct itp_profile *profile, const struct fate *fate, uint32_t node,
		      const struct span *span)
{
	struct itp_node_stats *stats = itp_profile_node(profile, node);
	struct itp_node_stats left = left_of(stats, fate, span);

	*stats = (struct itp_node_stats){ .count = 0 };
	if (fate->is_inner) {
		itp_slowest_clear_node(profile->slowest, node);
		itp_latencies_clear_node(profile->latencies, node);
	} else {
		itp_slowest_move_node(profile->slowest, fate->target, node);
		itp_latencies_move_node(profile->latencies, fate->target, node);
	}
	itp_node_stats_merge(itp_profile_node(profile, fate->target), &left);
}

/* Moves the statistics and the slowest calls of `profile`; wakers stay at the old nodes. `fates`
 * are by node of `tree`. */
static void move_profile(const struct itp_context_tree *tree, const struct fate *fates,
			 struct itp_profile *profile)
{
	uint32_t count = itp_context_tree_size(tree);
	g_autofree struct span *spans = is_cut(tree, fates) ? cut_spans(tree, fates, profile) :
							      NULL;
	uint32_t size = 0;

	/* A target is not behind its node, so its old numbers have gone already. */
	for (uint32_t node = 1; node < count; node++) {
		const struct fate *fate = &fates[node];
		const struct span span = spans ? spans[node] :
						 span_of(itp_profile_peek(profile, node));

		if (fate->role != FATE_WHOLE && fate->role != FATE_LEADING) {
			itp_profile_clear_node(profile, node);
			continue;
		}
		move_node(profile, fate, node, &span);
		size = MAX(size, fate->target + 1);
	}
	itp_profile_truncate(profile, size);
}

/* ---- The whole ---- */

/* Moves the wakers of each context to its target, from `old` to `wakers`. */
static bool move_wakers(struct builder *builder, const struct itp_wakers *old,
			struct itp_wakers *wakers, GError **error)
{
	uint32_t count = MIN(itp_wakers_node_count(old), itp_context_tree_size(builder->old_tree));

	for (uint32_t node = 1; node < count; node++) {
		const struct fate *fate = &builder->fates[node];
		bool is_left = fate->role == FATE_WHOLE || fate->role == FATE_LEADING;
		guint waker_count = 0;
		const struct itp_waker *known = itp_wakers_of_node(old, node, &waker_count);

		for (guint i = 0; is_left && i < waker_count; i++) {
			struct itp_waker waker = known[i];

			if (!itp_view_names_find(builder->names, &waker.process, error) ||
			    !itp_view_names_find(builder->names, &waker.function, error)) {
				return false;
			}
			waker.node = fate->target;
			itp_wakers_add(wakers, &waker);
		}
	}
	return true;
}

static bool view_wakers(struct builder *builder, struct itp_profile *profile, GError **error)
{
	struct itp_wakers *old = profile->wakers;
	bool done;

	profile->wakers = itp_wakers_new();
	done = move_wakers(builder, old, profile->wakers, error);
	itp_wakers_free(old);
	return done;
}

/* Moves the nodes of the recall, too; a context that is not whole any more has none. */
static void move_recall(const struct builder *builder, struct itp_workload *workload)
{
	const GArray *old = workload->recall_nodes;
	GArray *nodes;

	if (!old) {
		return;
	}
	nodes = g_array_sized_new(FALSE, TRUE, sizeof(uint32_t), old->len);
	for (guint i = 0; i < old->len; i++) {
		const struct fate *fate = &builder->fates[g_array_index(old, uint32_t, i)];
		uint32_t node = fate->role == FATE_WHOLE ? fate->target : ITP_CONTEXT_ROOT;

		g_array_append_val(nodes, node);
	}
	g_array_unref(workload->recall_nodes);
	workload->recall_nodes = nodes;
}

static void add_text(struct itp_workload *workload, const char *text)
{
	char *options = workload->options;

	if (text && text[0] != '\0') {
		workload->options =
			g_strdup_printf("%s%s%s", options, options[0] == '\0' ? "" : " ", text);
		g_free(options);
	}
}

static bool build(struct builder *builder, GError **error)
{
	const struct itp_view_input *input = builder->input;

	builder->names = itp_view_names_new(builder->options, input, builder->view, error);
	if (!builder->names || !select_functions(builder, error) ||
	    !select_processes(builder, error)) {
		return false;
	}
	builder->fates = g_new0(struct fate, itp_context_tree_size(builder->old_tree));
	choose_contexts(builder);
	if (!place_contexts(builder)) {
		g_set_error(error, G_REGEX_ERROR, G_REGEX_ERROR_MATCH,
			    "parameters \"process\", \"focus\", \"ignore\", \"hide\" and \"root\" "
			    "together leave no function of the inputs");
		return false;
	}
	for (guint i = 0; i < input->profiles->len; i++) {
		struct itp_profile *old = g_ptr_array_index(input->profiles, i);
		struct itp_profile *profile = input->takes ? itp_profile_take(old) :
							     itp_profile_copy(old);

		g_ptr_array_add(builder->view->profiles, profile);
		move_profile(builder->old_tree, builder->fates, profile);
		if (!view_wakers(builder, profile, error)) {
			return false;
		}
		move_recall(builder, &profile->workload);
		add_text(&profile->workload, builder->options->text);
	}
	return true;
}

struct itp_view *itp_view_new(const struct itp_view_options *options,
			      const struct itp_view_input *input, GError **error)
{
	struct itp_view *view = g_new0(struct itp_view, 1);
	struct builder builder = { .options = options,
				   .input = input,
				   .old_functions = input->functions,
				   .old_tree = input->tree,
				   .view = view };
	bool done;

	view->tree = itp_context_tree_new();
	view->profiles = g_ptr_array_new_with_free_func((GDestroyNotify)itp_profile_free);
	done = build(&builder, error);
	itp_view_names_free(builder.names);
	g_free(builder.is_chosen);
	g_free(builder.fates);
	for (size_t i = 0; i < ITP_VIEW_PATTERN_COUNT; i++) {
		g_free(builder.selected[i]);
	}
	if (!done) {
		itp_view_free(view);
		return NULL;
	}
	return view;
}

void itp_view_free(struct itp_view *view)
{
	if (!view) {
		return;
	}
	itp_function_table_free(view->functions);
	itp_context_tree_free(view->tree);
	g_ptr_array_unref(view->profiles);
	g_clear_pointer(&view->pairs, g_array_unref);
	g_clear_pointer(&view->renamings, g_array_unref);
	g_free(view);
}

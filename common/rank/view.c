/* SPDX-License-Identifier: MIT */
/*
 * What becomes of each node of the old tree, decided once for all profiles. Parents have smaller
 * ids than their children, so every question takes one pass over the ids, up or down.
 */
#include "common/rank/view.h"

#include "common/rank/view-stats.h"

const char *const itp_view_pattern_names[] = {
	[ITP_VIEW_FOCUS] = "focus",
	[ITP_VIEW_IGNORE] = "ignore",
	[ITP_VIEW_HIDE] = "hide",
	[ITP_VIEW_ROOT] = "root",
};

/* What becomes of an old function. */
struct renamed {
	/* In the new table. */
	uint32_t function;
	bool is_known;
	/* See struct itp_canonical. */
	bool is_part;
};

struct builder {
	const struct itp_view_options *options;
	const struct itp_view_input *input;
	const struct itp_function_table *old_functions;
	const struct itp_context_tree *old_tree;
	/* Weak. */
	struct itp_view *view;
	/* By old function. Owned by this. */
	struct renamed *renamed;
	/* By new function; NULL without such a pattern. Owned by this. */
	bool *selected[ITP_VIEW_PATTERN_COUNT];
	/* By old node. Owned by this. */
	struct itp_view_fate *fates;
};

static bool is_frame(const struct itp_context *context)
{
	return context->depth > 1;
}

/* What the base calls otherwise has the suspect's name. */
static void rename_pairs(const struct builder *builder, struct itp_function *function)
{
	if (!builder->view->pairs) {
		return;
	}
	if (function->layer == ITP_LAYER_PROCESS) {
		function->name =
			itp_pairs_name(builder->view->pairs, ITP_PAIR_PROGRAM, function->name);
	} else {
		function->module =
			itp_pairs_name(builder->view->pairs, ITP_PAIR_MODULE, function->module);
	}
}

/* Interns the canonical form of the old function `id`. A name is the same in all builds, a place
 * is in one. */
static bool rename_function(struct builder *builder, uint32_t id, GError **error)
{
	struct itp_function function = *itp_function_table_get(builder->old_functions, id);
	struct renamed *renamed = &builder->renamed[id];
	struct itp_canonical canonical;

	if (renamed->is_known) {
		return true;
	}
	if (!itp_names_apply(builder->options->names, &function, &canonical, error)) {
		return false;
	}
	function.name = canonical.name;
	function.module = canonical.module;
	function.build_id = function.is_unnamed ? function.build_id : "";
	rename_pairs(builder, &function);
	*renamed = (struct renamed){
		.function = itp_function_table_intern(builder->view->functions, &function),
		.is_known = true,
		.is_part = canonical.is_part,
	};
	itp_canonical_clear(&canonical);
	return true;
}

static bool rename_functions(struct builder *builder, GError **error)
{
	uint32_t count = itp_function_table_size(builder->old_functions);

	g_free(builder->renamed);
	builder->renamed = g_new0(struct renamed, count);
	itp_function_table_free(builder->view->functions);
	builder->view->functions = itp_function_table_new();
	for (uint32_t node = 1; node < itp_context_tree_size(builder->old_tree); node++) {
		if (!rename_function(builder,
				     itp_context_tree_get(builder->old_tree, node)->function,
				     error)) {
			return false;
		}
	}
	return true;
}

/* Bits of enum itp_pair_side by old node. The caller frees it. */
static uint8_t *find_sides(const struct builder *builder)
{
	const struct itp_view_input *input = builder->input;
	uint32_t count = itp_context_tree_size(builder->old_tree);
	uint8_t *sides = g_new0(uint8_t, count);

	for (uint32_t node = count; node-- > 1;) {
		for (guint i = 0; i < input->profiles->len; i++) {
			const struct itp_profile *profile = g_ptr_array_index(input->profiles, i);

			if (itp_node_stats_is_present(itp_profile_peek(profile, node))) {
				sides[node] |= input->is_base[i] ? ITP_PAIR_BASE : ITP_PAIR_SUSPECT;
			}
		}
		sides[itp_context_tree_get(builder->old_tree, node)->parent] |= sides[node];
	}
	return sides;
}

/* Functions by their names first, as those are compared. */
static bool pair_functions(struct builder *builder, GError **error)
{
	uint32_t count = itp_function_table_size(builder->old_functions);
	g_autofree uint32_t *renamed = NULL;
	g_autofree uint8_t *sides = NULL;
	struct itp_pair_input input = { .tree = builder->old_tree,
					.recorded = builder->old_functions,
					.functions = builder->view->functions };

	if (!builder->input->is_base) {
		if (builder->options->pairs.named) {
			g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
				    "parameter \"pair\": nothing is compared; parameter \"base\" "
				    "names the good run");
		}
		return !builder->options->pairs.named;
	}
	input.sides = sides = find_sides(builder);
	input.renamed = renamed = g_new(uint32_t, count);
	for (uint32_t id = 0; id < count; id++) {
		renamed[id] = builder->renamed[id].function;
	}
	builder->view->pairs = itp_pairs_find(&builder->options->pairs, &input, error);
	if (!builder->view->pairs) {
		return false;
	}
	return builder->view->pairs->len == 0 || rename_functions(builder, error);
}

static bool select_functions(struct builder *builder, GError **error)
{
	uint32_t count = itp_function_table_size(builder->view->functions);
	g_autofree bool *is_known = g_new0(bool, count);

	for (uint32_t node = 1; node < itp_context_tree_size(builder->old_tree); node++) {
		const struct itp_context *context = itp_context_tree_get(builder->old_tree, node);

		is_known[builder->renamed[context->function].function] |= is_frame(context);
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

static bool is_selected(const struct builder *builder, enum itp_view_pattern pattern,
			const struct itp_context *context)
{
	const bool *selected = builder->selected[pattern];

	return selected && is_frame(context) &&
	       selected[builder->renamed[context->function].function];
}

/* Which nodes are at or below a function of a pattern, by old node. The caller frees it. */
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

/* Which contexts stay. */
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
		enum itp_view_role role = ITP_VIEW_WHOLE;

		if (is_ignored[node]) {
			role = is_ignored[context->parent] ? ITP_VIEW_GONE : ITP_VIEW_IGNORED;
		} else if (is_path && !leads[node]) {
			role = ITP_VIEW_GONE;
		} else if (is_cut && is_frame(context)) {
			role = ITP_VIEW_CUT;
		} else if (is_path) {
			role = ITP_VIEW_LEADING;
		}
		builder->fates[node].role = role;
		leads[context->parent] |= role != ITP_VIEW_GONE && role != ITP_VIEW_IGNORED;
	}
}

/* Whether a frame is no call of its own under the new node `parent`. */
static bool is_folded(const struct builder *builder, const struct itp_context *frame,
		      uint32_t parent)
{
	const struct itp_view_options *options = builder->options;
	const struct renamed *renamed = &builder->renamed[frame->function];
	const struct itp_context *caller = itp_context_tree_get(builder->view->tree, parent);

	if (is_selected(builder, ITP_VIEW_HIDE, frame)) {
		return true;
	}
	if (is_frame(caller) && caller->function == renamed->function &&
	    (options->fold_recursion || renamed->is_part)) {
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
		struct itp_view_fate *fate = &builder->fates[node];
		uint32_t parent = builder->fates[context->parent].target;

		had_frames |= is_frame(context);
		fate->target = parent;
		if (fate->role == ITP_VIEW_GONE || fate->role == ITP_VIEW_IGNORED ||
		    fate->role == ITP_VIEW_CUT) {
			continue;
		}
		fate->is_inner = is_frame(context) && is_folded(builder, context, parent);
		if (!fate->is_inner) {
			uint32_t function = builder->renamed[context->function].function;

			fate->target = itp_context_tree_child(tree, parent, function);
		}
		has_frames |= itp_context_tree_get(tree, fate->target)->depth > 1;
	}
	return has_frames || !had_frames;
}

/* The wakers of a context go where it goes, from `old` to `wakers`. */
static bool move_wakers(struct builder *builder, const struct itp_wakers *old,
			struct itp_wakers *wakers, GError **error)
{
	uint32_t count = MIN(itp_wakers_node_count(old), itp_context_tree_size(builder->old_tree));

	for (uint32_t node = 1; node < count; node++) {
		const struct itp_view_fate *fate = &builder->fates[node];
		bool is_left = fate->role == ITP_VIEW_WHOLE || fate->role == ITP_VIEW_LEADING;
		guint waker_count = 0;
		const struct itp_waker *known = itp_wakers_of_node(old, node, &waker_count);

		for (guint i = 0; is_left && i < waker_count; i++) {
			struct itp_waker waker = known[i];

			if (!rename_function(builder, waker.process, error) ||
			    !rename_function(builder, waker.function, error)) {
				return false;
			}
			waker.node = fate->target;
			waker.process = builder->renamed[waker.process].function;
			waker.function = builder->renamed[waker.function].function;
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

	if (!rename_functions(builder, error) || !pair_functions(builder, error) ||
	    !select_functions(builder, error)) {
		return false;
	}
	builder->fates = g_new0(struct itp_view_fate, itp_context_tree_size(builder->old_tree));
	choose_contexts(builder);
	if (!place_contexts(builder)) {
		g_set_error(error, G_REGEX_ERROR, G_REGEX_ERROR_MATCH,
			    "parameters \"focus\", \"ignore\", \"hide\" and \"root\" together "
			    "leave no function of the inputs");
		return false;
	}
	for (guint i = 0; i < input->profiles->len; i++) {
		struct itp_profile *old = g_ptr_array_index(input->profiles, i);
		struct itp_profile *profile = input->takes ? itp_profile_take(old) :
							     itp_profile_copy(old);

		g_ptr_array_add(builder->view->profiles, profile);
		itp_view_profile(builder->old_tree, builder->fates, profile);
		if (!view_wakers(builder, profile, error)) {
			return false;
		}
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

	view->functions = itp_function_table_new();
	view->tree = itp_context_tree_new();
	view->profiles = g_ptr_array_new_with_free_func((GDestroyNotify)itp_profile_free);
	done = build(&builder, error);
	g_free(builder.renamed);
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
	g_free(view);
}

/* SPDX-License-Identifier: MIT */
/*
 * Programs and modules are compared by canonical names, and functions by the names that their
 * modules then have: the table may be made twice.
 */
#include "common/view/view-names.h"

#include <string.h>

#include "common/base/hash.h"
#include "common/base/labels.h"
#include "common/view/short-names.h"

struct itp_view_names {
	/* Weak. */
	const struct itp_view_options *options;
	const struct itp_view_input *input;
	struct itp_view *view;
	/* NULL unless names are shortened. Owned by this. */
	struct itp_short_names *shorts;
	/* Canonical names of called functions with arguments, "shop::take(int)", by module and name
	 * without, "MODULE!shop::take"; "" for several. Owned by this. */
	GHashTable *called;
	/* New names by old function. Owned by this. */
	struct itp_view_name *names;
	/* Suspects' function by new function of the tree, and the number of these. Owned by
	 * this. */
	uint32_t *suspects;
	uint32_t suspect_count;
};

/* Gives a program or module of the base the suspect's name. */
static void rename_pairs(const struct itp_view *view, struct itp_function *function)
{
	if (!view->pairs) {
		return;
	}
	if (function->layer == ITP_LAYER_PROCESS) {
		function->name = itp_pairs_name(view->pairs, ITP_PAIR_PROGRAM, function->name);
	} else {
		function->module = itp_pairs_name(view->pairs, ITP_PAIR_MODULE, function->module);
	}
}

/* ---- Inlined functions without their arguments ---- */

static char *called_key(const char *module, const char *name)
{
	return g_strdup_printf("%s!%s", module, name);
}

static bool learn_called(struct itp_view_names *names, const struct itp_function *function,
			 GError **error)
{
	struct itp_canonical canonical;
	g_autofree char *plain = NULL;
	g_autofree char *key = NULL;
	const char *known;

	if (!itp_names_apply(names->options->names, function, &canonical, error)) {
		return false;
	}
	plain = itp_label_without_arguments(canonical.name);
	key = called_key(canonical.module, plain);
	known = g_hash_table_lookup(names->called, key);
	if (!known || !g_str_equal(known, canonical.name)) {
		g_hash_table_insert(names->called, g_steal_pointer(&key),
				    g_strdup(known ? "" : canonical.name));
	}
	itp_canonical_clear(&canonical);
	return true;
}

/* Learns the names of called functions that may have been inlined elsewhere. Debug data tell no
 * arguments of static functions. */
static bool learn_all_called(struct itp_view_names *names, GError **error)
{
	const struct itp_function_table *functions = names->input->functions;
	bool has_inlined = false;
	bool done = true;

	for (uint32_t id = 0; id < itp_function_table_size(functions); id++) {
		has_inlined |= itp_function_table_get(functions, id)->is_inlined;
	}
	for (uint32_t id = 0; done && has_inlined && id < itp_function_table_size(functions);
	     id++) {
		const struct itp_function *function = itp_function_table_get(functions, id);

		if (function->layer == ITP_LAYER_USER && !function->is_inlined &&
		    !function->is_unnamed && strchr(function->name, '(')) {
			done = learn_called(names, function, error);
		}
	}
	return done;
}

/* Gives an inlined function without arguments the name of the only called one. */
static void add_arguments(const struct itp_view_names *names, const struct itp_function *function,
			  struct itp_canonical *canonical)
{
	g_autofree char *key = NULL;
	const char *called;

	if (!function->is_inlined || strchr(canonical->name, '(')) {
		return;
	}
	key = called_key(canonical->module, canonical->name);
	called = g_hash_table_lookup(names->called, key);
	if (called && called[0] != '\0') {
		g_free(canonical->name);
		canonical->name = g_strdup(called);
	}
}

/* True for code that a process made, and gave no name, where recordings are compared: it lies
 * elsewhere in each run, so that nobody knows which is which. All of it is one function then, and
 * calls inside of it are none: contexts above and below it are comparable. */
static bool is_made(const struct itp_view_names *names, const struct itp_function *function)
{
	return names->input->is_base && function->is_unnamed && function->layer == ITP_LAYER_USER &&
	       itp_function_is_in_no_file(function);
}

/* Interns the canonical form of the old function `id`. A name is the same in all builds, a place
 * belongs to a single build. */
static bool rename_function(struct itp_view_names *names, uint32_t id, GError **error)
{
	struct itp_function function = *itp_function_table_get(names->input->functions, id);
	struct itp_view_name *name = &names->names[id];
	struct itp_canonical canonical;

	if (name->is_known) {
		return true;
	}
	if (!itp_names_apply(names->options->names, &function, &canonical, error)) {
		return false;
	}
	add_arguments(names, &function, &canonical);
	if (names->shorts && function.layer == ITP_LAYER_USER && !function.is_unnamed) {
		itp_short_names_apply(names->shorts, &canonical);
	}
	if (is_made(names, &function)) {
		g_free(canonical.name);
		canonical.name = g_strdup(ITP_MADE_CODE_NAME);
		canonical.is_part = true;
		function.build_id = "";
	}
	function.name = canonical.name;
	function.module = canonical.module;
	function.build_id = function.is_unnamed ? function.build_id : "";
	function.is_inlined = false;
	rename_pairs(names->view, &function);
	*name = (struct itp_view_name){
		.function = itp_function_table_intern(names->view->functions, &function),
		.is_known = true,
		.is_part = canonical.is_part,
	};
	itp_function_table_tell_build(
		names->view->functions, name->function,
		itp_function_table_get(names->input->functions, id)->recorded_build_id);
	if (name->function < names->suspect_count) {
		name->function = names->suspects[name->function];
	}
	itp_canonical_clear(&canonical);
	return true;
}

/* Interns the functions of the tree in a new table. */
static bool rename_all(struct itp_view_names *names, GError **error)
{
	const struct itp_view_input *input = names->input;

	g_free(names->names);
	names->names = g_new0(struct itp_view_name, itp_function_table_size(input->functions));
	itp_function_table_free(names->view->functions);
	names->view->functions = itp_function_table_new();
	for (uint32_t node = 1; node < itp_context_tree_size(input->tree); node++) {
		if (!rename_function(names, itp_context_tree_get(input->tree, node)->function,
				     error)) {
			return false;
		}
	}
	return true;
}

/* ---- Pairs and renamings ---- */

/* Bits of enum itp_pair_side by old node. The caller frees them. */
static uint8_t *find_sides(const struct itp_view_input *input)
{
	uint32_t count = itp_context_tree_size(input->tree);
	uint8_t *sides = g_new0(uint8_t, count);

	for (uint32_t node = count; node-- > 1;) {
		for (guint i = 0; i < input->profiles->len; i++) {
			const struct itp_profile *profile = g_ptr_array_index(input->profiles, i);

			if (itp_node_stats_is_present(itp_profile_peek(profile, node))) {
				sides[node] |= input->is_base[i] ? ITP_PAIR_BASE : ITP_PAIR_SUSPECT;
			}
		}
		sides[itp_context_tree_get(input->tree, node)->parent] |= sides[node];
	}
	return sides;
}

/* True if a recording of the base was made on another kind of machine than the suspect's. */
static bool are_other_machines(const struct itp_view_input *input)
{
	const struct itp_workload none = { .architecture = NULL };
	const struct itp_workload *sides[2] = { &none, &none };

	for (guint i = 0; i < input->profiles->len; i++) {
		const struct itp_profile *profile = g_ptr_array_index(input->profiles, i);

		if (profile->workload.architecture) {
			sides[input->is_base[i]] = &profile->workload;
		}
	}
	return itp_workload_is_of_other_machine(sides[0], sides[1]);
}

/* Input of pairs.h and renamed.h, by the present names. `renamed` has room for all old
 * functions. */
static struct itp_pair_input pair_input(const struct itp_view_names *names, const uint8_t *sides,
					uint32_t *renamed)
{
	for (uint32_t id = 0; id < itp_function_table_size(names->input->functions); id++) {
		renamed[id] = names->names[id].function;
	}
	return (struct itp_pair_input){ .tree = names->input->tree,
					.recorded = names->input->functions,
					.functions = names->view->functions,
					.renamed = renamed,
					.sides = sides,
					.is_other_machine = are_other_machines(names->input) };
}

static void take_renamings(struct itp_view_names *names)
{
	const GArray *renamings = names->view->renamings;
	uint32_t count = itp_function_table_size(names->input->functions);

	names->suspect_count = itp_function_table_size(names->view->functions);
	names->suspects = g_new(uint32_t, names->suspect_count);
	for (uint32_t id = 0; id < names->suspect_count; id++) {
		names->suspects[id] = id;
	}
	for (guint i = 0; i < renamings->len; i++) {
		const struct itp_renaming *renaming =
			&g_array_index(renamings, struct itp_renaming, i);

		names->suspects[renaming->base] = renaming->suspect;
	}
	for (uint32_t id = 0; id < count; id++) {
		names->names[id].function = names->suspects[names->names[id].function];
	}
}

static bool pair_all(struct itp_view_names *names, GError **error)
{
	const struct itp_pair_rules *rules = &names->options->pairs;
	g_autofree uint8_t *sides = find_sides(names->input);
	g_autofree uint32_t *renamed =
		g_new(uint32_t, itp_function_table_size(names->input->functions));
	struct itp_pair_input input = pair_input(names, sides, renamed);

	names->view->pairs = itp_pairs_find(rules, &input, error);
	if (!names->view->pairs || (names->view->pairs->len > 0 && !rename_all(names, error))) {
		return false;
	}
	if (itp_pair_rules_are_all(rules) || input.is_other_machine) {
		return true;
	}
	input = pair_input(names, sides, renamed);
	names->view->renamings = itp_renamed_find(&input, names->view->pairs);
	take_renamings(names);
	return true;
}

/* ---- Inlined functions ---- */

/* Ways in which a function was seen in a workload. */
enum seen {
	SEEN_INLINED = 1 << 0,
	SEEN_CALLED = 1 << 1,
};

/* Notes how the functions of the tree were seen on `side`, by new function. */
static void note_seen(const struct itp_view_names *names, const uint8_t *sides,
		      enum itp_pair_side side, uint8_t *ret_seen)
{
	const struct itp_view_input *input = names->input;

	for (uint32_t node = 1; node < itp_context_tree_size(input->tree); node++) {
		const uint32_t id = itp_context_tree_get(input->tree, node)->function;

		if (!sides || sides[node] & side) {
			ret_seen[names->names[id].function] |=
				itp_function_table_get(input->functions, id)->is_inlined ?
					SEEN_INLINED :
					SEEN_CALLED;
		}
	}
}

/* A function is inlined if the suspect, or else the base, has no other calls of it. */
static void mark_inlined(const struct itp_view_names *names)
{
	struct itp_function_table *functions = names->view->functions;
	const uint32_t count = itp_function_table_size(functions);
	g_autofree uint8_t *sides = names->input->is_base ? find_sides(names->input) : NULL;
	g_autofree uint8_t *suspect = g_new0(uint8_t, count);
	g_autofree uint8_t *base = g_new0(uint8_t, count);

	note_seen(names, sides, ITP_PAIR_SUSPECT, suspect);
	note_seen(names, sides, ITP_PAIR_BASE, base);
	for (uint32_t id = 0; id < count; id++) {
		const uint8_t seen = suspect[id] ? suspect[id] : base[id];

		itp_function_table_set_inlined(functions, id, seen == SEEN_INLINED);
	}
}

/* New name of an old function's module. */
static const char *module_of(const struct itp_view_names *names, uint32_t id)
{
	return itp_function_table_get(names->view->functions, names->names[id].function)->module;
}

/* Knowledge of a module. */
struct told {
	/* A build of it, weak, "" for none; and whether there is another one. */
	const char *build;
	bool has_other_build;
	/* By side: it is there, and inlined functions of it. */
	bool is_there[2];
	bool has_inlined[2];
};

static void note_build(struct told *told, const char *build)
{
	if (!build || build[0] == '\0') {
		return;
	}
	told->has_other_build |= told->build && !g_str_equal(told->build, build);
	told->build = build;
}

/* Knowledge of each module, by its new name. */
static GHashTable *note_told(const struct itp_view_names *names, const uint8_t *sides)
{
	const struct itp_view_input *input = names->input;
	GHashTable *modules = g_hash_table_new_full(itp_hash_text, g_str_equal, NULL, g_free);

	for (uint32_t node = 1; node < itp_context_tree_size(input->tree); node++) {
		const uint32_t id = itp_context_tree_get(input->tree, node)->function;
		const struct itp_function *old = itp_function_table_get(input->functions, id);
		const char *module = module_of(names, id);
		struct told *told = itp_value_at(modules, (gpointer)module, sizeof(*told));

		note_build(told, old->recorded_build_id);
		for (size_t side = 0; side < 2; side++) {
			if (sides[node] & (side == 0 ? ITP_PAIR_SUSPECT : ITP_PAIR_BASE)) {
				told->is_there[side] = true;
				told->has_inlined[side] |= old->is_inlined;
			}
		}
	}
	return modules;
}

/* True if only one of two builds of the module has debug data, which tell its inlined functions. */
static bool is_told_once(const struct told *told)
{
	return told->has_other_build && told->is_there[0] && told->is_there[1] &&
	       told->has_inlined[0] != told->has_inlined[1];
}

/* Inlined functions that only one of two builds tells are their callers, as in the other one,
 * unless that calls them: it was built without inlining. */
static void mark_untold(const struct itp_view_names *names)
{
	const struct itp_view_input *input = names->input;
	const uint32_t count = itp_function_table_size(names->view->functions);
	g_autofree uint8_t *sides = input->is_base ? find_sides(input) : NULL;
	g_autoptr(GHashTable) modules = sides ? note_told(names, sides) : NULL;
	g_autofree uint8_t *seen = g_new0(uint8_t, count);

	if (!sides) {
		return;
	}
	note_seen(names, sides, ITP_PAIR_SUSPECT, seen);
	note_seen(names, sides, ITP_PAIR_BASE, seen);
	for (uint32_t id = 0; id < itp_function_table_size(input->functions); id++) {
		const struct told *told = g_hash_table_lookup(modules, module_of(names, id));

		names->names[id].is_untold =
			told && itp_function_table_get(input->functions, id)->is_inlined &&
			!(seen[names->names[id].function] & SEEN_CALLED) && is_told_once(told);
	}
}

/* ---- The whole ---- */

static bool find_names(struct itp_view_names *names, GError **error)
{
	if (names->options->shortens) {
		names->shorts =
			itp_short_names_new(names->options->names, names->input->functions, error);
		if (!names->shorts) {
			return false;
		}
	}
	if (!learn_all_called(names, error) || !rename_all(names, error)) {
		return false;
	}
	if (names->input->is_base) {
		return pair_all(names, error);
	}
	if (names->options->pairs.named) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "parameter \"pair\": nothing is compared; parameter \"base\" names the "
			    "good run");
	}
	return !names->options->pairs.named;
}

struct itp_view_names *itp_view_names_new(const struct itp_view_options *options,
					  const struct itp_view_input *input, struct itp_view *view,
					  GError **error)
{
	struct itp_view_names *names = g_new0(struct itp_view_names, 1);

	*names = (struct itp_view_names){
		.options = options,
		.input = input,
		.view = view,
		.called = g_hash_table_new_full(itp_hash_text, g_str_equal, g_free, g_free),
	};
	if (find_names(names, error)) {
		mark_inlined(names);
		mark_untold(names);
	} else {
		g_clear_pointer(&names, itp_view_names_free);
	}
	return names;
}

void itp_view_names_free(struct itp_view_names *names)
{
	if (!names) {
		return;
	}
	itp_short_names_free(names->shorts);
	g_hash_table_unref(names->called);
	g_free(names->names);
	g_free(names->suspects);
	g_free(names);
}

const struct itp_view_name *itp_view_names_known(const struct itp_view_names *names, uint32_t id)
{
	return &names->names[id];
}

bool itp_view_names_find(struct itp_view_names *names, uint32_t *function, GError **error)
{
	if (!rename_function(names, *function, error)) {
		return false;
	}
	*function = names->names[*function].function;
	return true;
}

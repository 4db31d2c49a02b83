/* SPDX-License-Identifier: MIT */
/*
 * Looking for signatures: see signatures.h.
 */
#include "common/base/hash.h"
#include "common/mine/counting.h"
#include "common/mine/functions.h"
#include "common/mine/patterns.h"
#include "common/mine/signatures.h"

struct matching {
	struct itp_mining *mining;
	/* The key of each function, by id, and the id by key; of several, the first. Owned by this.
	 */
	char **keys;
	GHashTable *ids;
	/* By kind: forest of all stacks; and by stack: its signature, + 1. Owned by this. */
	struct itp_forest forests[ITP_MINE_KINDS];
	guint *owners[ITP_MINE_KINDS];
};

static void matching_init(struct matching *matching, struct itp_mining *mining)
{
	const struct itp_function_table *functions = mining->functions;

	matching->mining = mining;
	matching->keys = g_new0(char *, itp_function_table_size(functions));
	matching->ids = g_hash_table_new(itp_hash_text, g_str_equal);
	for (uint32_t id = itp_function_table_size(functions); id-- > 1;) {
		matching->keys[id] = itp_mined_key(itp_function_table_get(functions, id));
		g_hash_table_replace(matching->ids, matching->keys[id], GUINT_TO_POINTER(id));
	}
	for (size_t kind = 0; kind < ITP_MINE_KINDS; kind++) {
		const struct itp_stack_set *set = &mining->sets[kind];

		itp_forest_init(&matching->forests[kind], set, NULL);
		matching->owners[kind] = g_new0(guint, set->stacks->len + 1);
	}
}

static void matching_release(struct matching *matching)
{
	g_hash_table_unref(matching->ids);
	for (uint32_t id = 1; id < itp_function_table_size(matching->mining->functions); id++) {
		g_free(matching->keys[id]);
	}
	g_free(matching->keys);
	for (size_t kind = 0; kind < ITP_MINE_KINDS; kind++) {
		itp_forest_release(&matching->forests[kind]);
		g_free(matching->owners[kind]);
	}
}

/* Patterns of the signature whose functions exist: struct itp_pattern; none for a signature of
 * another kind. */
static GPtrArray *patterns_of(const struct matching *matching,
			      const struct itp_signature *signature, enum itp_mine_kind kind)
{
	GPtrArray *patterns = g_ptr_array_new_with_free_func(itp_pattern_free);

	for (guint i = 0; signature->kind == kind && i < signature->patterns->len; i++) {
		char **functions = g_ptr_array_index(signature->patterns, i);
		struct itp_pattern *pattern = g_new0(struct itp_pattern, 1);
		bool is_there = true;

		pattern->functions = g_new0(uint32_t, g_strv_length(functions) + 1);
		for (; functions[pattern->length]; pattern->length++) {
			uint32_t id = GPOINTER_TO_UINT(
				g_hash_table_lookup(matching->ids, functions[pattern->length]));

			pattern->functions[pattern->length] = id;
			is_there &= id != ITP_FUNCTION_UNKNOWN;
		}
		if (is_there) {
			itp_pattern_find(pattern, &matching->forests[kind]);
			g_ptr_array_add(patterns, pattern);
		} else {
			itp_pattern_free(pattern);
		}
	}
	return patterns;
}

/* ---- Functions new to a signature ---- */

/* Stack that counts for a pattern of the signature at hand. */
struct claim {
	uint32_t stack;
	/* Weak. */
	const struct itp_pattern *pattern;
};

struct claiming {
	const struct itp_function_table *functions;
	const struct itp_stack_set *set;
	/* By function: it tells something, and was not seen. NULL where all was seen. Owned by
	 * this, as are all members below. */
	bool *is_new;
	/* By function: cost of the claimed stacks to which it is new. */
	int64_t *costs;
	/* struct claim. */
	GArray *claims;
	/* uint32_t: functions of the stack at hand, and the new ones of them, each once. */
	GArray *path;
	GArray *news;
};

/* By function: whether it tells something and is not named in `seen`. To be freed. */
static bool *find_new(const struct matching *matching, char *const *seen)
{
	const struct itp_function_table *functions = matching->mining->functions;
	g_autoptr(GHashTable) keys = g_hash_table_new(itp_hash_text, g_str_equal);
	const uint32_t size = itp_function_table_size(functions);
	bool *is_new = g_new0(bool, size);

	for (; *seen; seen++) {
		g_hash_table_add(keys, *seen);
	}
	for (uint32_t id = 1; id < size; id++) {
		is_new[id] = itp_mined_tells(itp_function_table_get(functions, id)) &&
			     !g_hash_table_contains(keys, matching->keys[id]);
	}
	return is_new;
}

static void claiming_init(struct claiming *claiming, const struct matching *matching,
			  const struct itp_signature *signature, enum itp_mine_kind kind)
{
	const struct itp_function_table *functions = matching->mining->functions;

	*claiming = (struct claiming){
		.functions = functions,
		.set = &matching->mining->sets[kind],
		.is_new = signature->seen ? find_new(matching, signature->seen) : NULL,
		.costs = g_new0(int64_t, itp_function_table_size(functions)),
		.claims = g_array_new(FALSE, FALSE, sizeof(struct claim)),
		.path = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
		.news = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
	};
}

static void claiming_release(struct claiming *claiming)
{
	g_free(claiming->is_new);
	g_free(claiming->costs);
	g_array_unref(claiming->claims);
	g_array_unref(claiming->path);
	g_array_unref(claiming->news);
}

/* Place in the path behind the first of the programs' functions in the pattern. */
static guint begin_of(const struct claiming *claiming, const struct itp_pattern *pattern)
{
	guint at = 0;

	for (uint32_t i = 0; i < pattern->length; i++) {
		uint32_t function = pattern->functions[i];

		while (g_array_index(claiming->path, uint32_t, at) != function) {
			at++;
		}
		at++;
		if (itp_mined_is_own(itp_function_table_get(claiming->functions, function))) {
			return at;
		}
	}
	return claiming->path->len;
}

static bool has(const GArray *functions, uint32_t function)
{
	for (guint i = 0; i < functions->len; i++) {
		if (g_array_index(functions, uint32_t, i) == function) {
			return true;
		}
	}
	return false;
}

/* Makes `news` the new functions of the stack. */
static void find_news(struct claiming *claiming, const struct claim *claim)
{
	const struct itp_stack *stack =
		&g_array_index(claiming->set->stacks, struct itp_stack, claim->stack);

	g_array_set_size(claiming->news, 0);
	if (!claiming->is_new) {
		return;
	}
	itp_context_tree_path(claiming->set->tree, stack->node, claiming->path);
	for (guint i = begin_of(claiming, claim->pattern); i < claiming->path->len; i++) {
		uint32_t function = g_array_index(claiming->path, uint32_t, i);

		if (claiming->is_new[function] && !has(claiming->news, function)) {
			g_array_append_val(claiming->news, function);
		}
	}
}

/* Adds a stack's cost to its new functions. */
static void add_news(struct claiming *claiming, const struct claim *claim)
{
	find_news(claiming, claim);
	for (guint i = 0; i < claiming->news->len; i++) {
		claiming->costs[g_array_index(claiming->news, uint32_t, i)] +=
			g_array_index(claiming->set->stacks, struct itp_stack, claim->stack)
				.cost_ns;
	}
}

static bool is_explained(struct claiming *claiming, const struct claim *claim, int64_t least_ns)
{
	find_news(claiming, claim);
	for (guint i = 0; i < claiming->news->len; i++) {
		if (claiming->costs[g_array_index(claiming->news, uint32_t, i)] >= least_ns) {
			return false;
		}
	}
	return true;
}

/* ---- Owners of stacks ---- */

/* Claims the stacks that count for the pattern and have no owner; the claim may be given up
 * later. */
static void claim_stacks(struct claiming *claiming, const struct itp_forest *forest,
			 const struct itp_pattern *pattern, guint owner, guint *owners)
{
	for (guint i = 0; i < pattern->ranges->len; i++) {
		struct itp_node_range range =
			g_array_index(pattern->ranges, struct itp_node_range, i);

		for (uint32_t k = forest->first[range.begin]; k < forest->first[range.end]; k++) {
			const struct claim claim = { forest->stacks[k], pattern };

			if (owners[claim.stack] == 0) {
				owners[claim.stack] = owner;
				g_array_append_val(claiming->claims, claim);
			}
		}
	}
}

/* Gives the signature its stacks: they count for one of its patterns, are no earlier signature's,
 * and have no new function of sufficient cost. */
static void own_stacks(struct matching *matching, const struct itp_signature *signature,
		       const GPtrArray *patterns, guint owner, int64_t least_ns)
{
	const enum itp_mine_kind kind = signature->kind;
	guint *owners = matching->owners[kind];
	struct claiming claiming;

	claiming_init(&claiming, matching, signature, kind);
	for (guint i = 0; i < patterns->len; i++) {
		claim_stacks(&claiming, &matching->forests[kind], g_ptr_array_index(patterns, i),
			     owner, owners);
	}
	for (guint i = 0; i < claiming.claims->len; i++) {
		add_news(&claiming, &g_array_index(claiming.claims, struct claim, i));
	}
	for (guint i = 0; i < claiming.claims->len; i++) {
		const struct claim *claim = &g_array_index(claiming.claims, struct claim, i);

		owners[claim->stack] = is_explained(&claiming, claim, least_ns) ? owner : 0;
	}
	claiming_release(&claiming);
}

static void find_owners(struct matching *matching, enum itp_mine_kind kind,
			const GArray *signatures, int64_t least_ns)
{
	g_autoptr(GPtrArray) lists =
		g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	g_autoptr(GPtrArray) all = g_ptr_array_new();

	for (guint i = 0; i < signatures->len; i++) {
		GPtrArray *patterns = patterns_of(
			matching, &g_array_index(signatures, struct itp_signature, i), kind);

		g_ptr_array_add(lists, patterns);
		g_ptr_array_extend(all, patterns, NULL, NULL);
	}
	itp_patterns_count(all, &matching->forests[kind]);
	for (guint i = 0; i < lists->len; i++) {
		const struct itp_signature *signature =
			&g_array_index(signatures, struct itp_signature, i);

		if (signature->kind == kind) {
			own_stacks(matching, signature, g_ptr_array_index(lists, i), i + 1,
				   least_ns);
		}
	}
}

/* ---- Cost ---- */

/* Moves the cost of its stacks from the mined ones to the match. */
static void take_stacks(struct matching *matching, enum itp_mine_kind kind, GArray *matches)
{
	struct itp_stack_set *set = &matching->mining->sets[kind];
	const guint *owners = matching->owners[kind];

	for (guint i = 0; i < set->traces->len; i++) {
		const struct itp_stack_trace *in =
			&g_array_index(set->traces, struct itp_stack_trace, i);

		if (owners[in->stack] > 0) {
			g_array_index(matches, struct itp_signature_match, owners[in->stack] - 1)
				.trace_costs[in->trace] += in->cost_ns;
		}
	}
	for (guint i = 0; i < set->stacks->len; i++) {
		struct itp_stack *stack = &g_array_index(set->stacks, struct itp_stack, i);

		if (owners[i] > 0) {
			struct itp_signature_match *match =
				&g_array_index(matches, struct itp_signature_match, owners[i] - 1);

			match->cost_ns += stack->cost_ns;
			match->events += stack->events;
			itp_stack_set_forget(set, i);
		}
	}
}

static void clear_match(gpointer data)
{
	g_free(((struct itp_signature_match *)data)->trace_costs);
}

GArray *itp_signatures_match(const GArray *signatures, struct itp_mining *mining, int64_t least_ns)
{
	GArray *matches = g_array_new(FALSE, TRUE, sizeof(struct itp_signature_match));
	struct matching matching;

	g_array_set_clear_func(matches, clear_match);
	matching_init(&matching, mining);
	for (guint i = 0; i < signatures->len; i++) {
		const struct itp_signature_match match = {
			.trace_costs = g_new0(int64_t, mining->traces->len + 1),
		};

		g_array_append_val(matches, match);
	}
	for (int kind = 0; kind < ITP_MINE_KINDS; kind++) {
		find_owners(&matching, (enum itp_mine_kind)kind, signatures, least_ns);
		take_stacks(&matching, (enum itp_mine_kind)kind, matches);
	}
	matching_release(&matching);
	for (guint i = 0; i < matches->len; i++) {
		struct itp_signature_match *match =
			&g_array_index(matches, struct itp_signature_match, i);

		for (guint k = 0; k < mining->traces->len; k++) {
			match->traces += match->trace_costs[k] > 0;
		}
	}
	return matches;
}

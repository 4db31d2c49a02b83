/* SPDX-License-Identifier: MIT */
/*
 * Kinds of gaps and their sums. What is made of them is in shares.c.
 *
 * Contexts of a kind are a list in one array: most have two or three, first seen together and asked
 * for in the same order, so they lie together. A kind may also have very many.
 */
#include "common/infer/strata.h"

#include "common/base/hash.h"
#include "common/infer/strata-sums.h"

#define INITIAL_SLOTS 1024u
/* Ticks in a gap, after which they are summed. */
#define TICKS_IN_LOG 256u
/* Contexts, of 56 bytes each, beyond which the gaps of further ones make a single kind. */
#define CONTEXTS_MANY (1u << 20)
/* Contexts beyond which the time of further ones is divided by continuity alone. */
#define CONTEXTS_MOST (2u << 20)

void itp_gap_log_init(struct itp_gap_log *log)
{
	*log = (struct itp_gap_log){ 0 };
	log->given_room = 8;
	log->given = g_new(struct itp_gap_part, log->given_room);
	log->ticks = g_array_new(FALSE, FALSE, sizeof(struct itp_gap_tick));
}

void itp_gap_log_release(struct itp_gap_log *log)
{
	g_free(log->given);
	g_array_free(log->ticks, TRUE);
}

void itp_gap_log_begin(struct itp_gap_log *log, uint32_t node, enum itp_gap_edge edge)
{
	log->before = node;
	log->edge = edge;
	log->kind = 0;
	log->given_count = 0;
	if (log->ticks->len > 0) {
		g_array_set_size(log->ticks, 0);
	}
}

void itp_gap_log_give(struct itp_gap_log *log, uint32_t node, int64_t cpu_ns)
{
	if (cpu_ns == 0) {
		return;
	}
	if (log->given_count > 0 && log->given[log->given_count - 1].node == node) {
		log->given[log->given_count - 1].cpu_ns += cpu_ns;
		return;
	}
	log->given[log->given_count++] = (struct itp_gap_part){ .node = node, .cpu_ns = cpu_ns };
	if (log->given_count == log->given_room) {
		log->given_room *= 2;
		log->given = g_renew(struct itp_gap_part, log->given, log->given_room);
	}
}

struct itp_strata *itp_strata_new(struct itp_function_table *functions,
				  struct itp_context_tree *tree)
{
	struct itp_strata *strata = g_new0(struct itp_strata, 1);
	const struct itp_stratum none = { 0 };

	strata->functions = functions;
	strata->tree = tree;
	strata->kinds = g_array_new(FALSE, FALSE, sizeof(struct itp_stratum));
	strata->contexts = g_array_new(FALSE, FALSE, sizeof(struct itp_stratum_context));
	strata->slots = g_new0(uint32_t, INITIAL_SLOTS);
	strata->slot_count = INITIAL_SLOTS;
	strata->context_slots = g_new0(uint32_t, INITIAL_SLOTS);
	strata->context_slot_count = INITIAL_SLOTS;
	/* Number 0 is no kind, and no context. */
	g_array_append_val(strata->kinds, none);
	g_array_set_size(strata->contexts, 1);
	return strata;
}

void itp_strata_free(struct itp_strata *strata)
{
	if (!strata) {
		return;
	}
	g_array_free(strata->kinds, TRUE);
	g_array_free(strata->contexts, TRUE);
	g_free(strata->slots);
	g_free(strata->context_slots);
	g_free(strata);
}

uint32_t itp_strata_recorder(struct itp_strata *strata, uint32_t node)
{
	if (strata->recorder == ITP_FUNCTION_UNKNOWN) {
		strata->recorder = itp_function_table_intern_stand_in(
			strata->functions, ITP_RECORDER_NAME, ITP_LAYER_KERNEL);
	}
	return itp_context_tree_child(strata->tree, node, strata->recorder);
}

static bool is_same_kind(const struct itp_stratum *a, const struct itp_stratum *b)
{
	return a->before == b->before && a->after == b->after && a->edges == b->edges;
}

uint32_t itp_strata_common(const struct itp_strata *strata, uint32_t a, uint32_t b)
{
	/* Parents have smaller numbers. */
	while (a != b) {
		if (a > b) {
			a = itp_context_tree_get(strata->tree, a)->parent;
		} else {
			b = itp_context_tree_get(strata->tree, b)->parent;
		}
	}
	return a;
}

/* Slot of the kind, or the free slot where it belongs. */
static uint32_t *find_slot(const struct itp_strata *strata, const struct itp_stratum *kind)
{
	uint32_t mask = strata->slot_count - 1;
	uint32_t at = (itp_hash_number(itp_pair(kind->before, kind->after)) + kind->edges) & mask;

	while (strata->slots[at] != 0 &&
	       !is_same_kind(itp_strata_get(strata, strata->slots[at]), kind)) {
		at = (at + 1) & mask;
	}
	return &strata->slots[at];
}

static void grow_slots(struct itp_strata *strata)
{
	g_free(strata->slots);
	strata->slot_count *= 2;
	strata->slots = g_new0(uint32_t, strata->slot_count);
	for (uint32_t i = 1; i < strata->kinds->len; i++) {
		*find_slot(strata, itp_strata_get(strata, i)) = i;
	}
}

static struct itp_stratum kind_of_gap(const struct itp_gap_log *log, uint32_t node,
				      enum itp_gap_edge edge)
{
	return (struct itp_stratum){
		.before = log->before,
		.after = node,
		.edges = (uint32_t)log->edge << 4 | (uint32_t)edge,
	};
}

/* Number of a kind; 0 without room for a new one. */
static uint32_t intern_kind(struct itp_strata *strata, const struct itp_gap_log *log, uint32_t node,
			    enum itp_gap_edge edge)
{
	struct itp_stratum kind = kind_of_gap(log, node, edge);
	uint32_t *slot = find_slot(strata, &kind);
	uint32_t number;

	if (*slot == 0 && strata->contexts->len > CONTEXTS_MANY) {
		kind.before = itp_strata_common(strata, log->before, node);
		kind.after = kind.before;
		kind.edges = 0;
		slot = find_slot(strata, &kind);
	}
	if (*slot != 0 || strata->contexts->len > CONTEXTS_MOST) {
		return *slot;
	}
	number = strata->kinds->len;
	*slot = number;
	g_array_append_val(strata->kinds, kind);
	if (strata->kinds->len > strata->slot_count / 2) {
		grow_slots(strata);
	}
	return number;
}

/* Slot of a context of a kind, or the free slot where it belongs. */
static uint32_t *find_context_slot(const struct itp_strata *strata, uint32_t kind, uint32_t node)
{
	uint32_t mask = strata->context_slot_count - 1;
	uint32_t at = itp_hash_number(itp_pair(kind, node)) & mask;

	for (; strata->context_slots[at] != 0; at = (at + 1) & mask) {
		const struct itp_stratum_context *context =
			itp_strata_context(strata, strata->context_slots[at]);

		if (context->kind == kind && context->node == node) {
			break;
		}
	}
	return &strata->context_slots[at];
}

static void grow_context_slots(struct itp_strata *strata)
{
	g_free(strata->context_slots);
	strata->context_slot_count *= 2;
	strata->context_slots = g_new0(uint32_t, strata->context_slot_count);
	for (uint32_t i = 1; i < strata->contexts->len; i++) {
		const struct itp_stratum_context *context = itp_strata_context(strata, i);

		*find_context_slot(strata, context->kind, context->node) = i;
	}
}

/* Context of a kind; NULL when absent. */
static struct itp_stratum_context *find_context(const struct itp_strata *strata, uint32_t kind,
						uint32_t node)
{
	uint32_t found = *find_context_slot(strata, kind, node);

	return found != 0 ? itp_strata_context(strata, found) : NULL;
}

/* Context of the kind of `log`, whose contexts mostly come in the order of their first sight. */
static struct itp_stratum_context *find_next_context(const struct itp_strata *strata,
						     struct itp_gap_log *log, uint32_t node)
{
	struct itp_stratum_context *context = itp_strata_context(strata, log->next_context);

	if (log->next_context == 0 || context->node != node) {
		context = find_context(strata, log->kind, node);
	}
	if (context) {
		log->next_context = context->next;
	}
	return context;
}

static struct itp_stratum_context *make_context(struct itp_strata *strata, struct itp_gap_log *log,
						uint32_t node)
{
	struct itp_stratum_context *context = find_next_context(strata, log, node);
	const struct itp_stratum_context made = { .kind = log->kind, .node = node };
	struct itp_stratum *kind = itp_strata_get(strata, log->kind);
	uint32_t number = strata->contexts->len;

	if (context) {
		return context;
	}
	if (kind->last == 0) {
		kind->first = number;
	} else {
		itp_strata_context(strata, kind->last)->next = number;
	}
	kind->last = number;
	*find_context_slot(strata, log->kind, node) = number;
	g_array_append_val(strata->contexts, made);
	if (strata->contexts->len > strata->context_slot_count / 2) {
		grow_context_slots(strata);
	}
	return itp_strata_context(strata, number);
}

/* Innermost context at or above `node` to which the gap gave time: time of a call there that no
 * other stack shows seemed to be this context's. */
static struct itp_stratum_context *find_seeming(const struct itp_strata *strata, uint32_t kind,
						uint32_t node)
{
	struct itp_stratum_context *context = NULL;

	while (node != ITP_CONTEXT_ROOT && !context) {
		context = find_context(strata, kind, node);
		context = context && context->given_ns > 0 ? context : NULL;
		node = itp_context_tree_get(strata->tree, node)->parent;
	}
	return context;
}

static void add_tick(struct itp_strata *strata, struct itp_gap_log *log,
		     const struct itp_gap_tick *tick)
{
	struct itp_stratum *stratum = itp_strata_get(strata, log->kind);
	struct itp_stratum_context *context = make_context(strata, log, tick->node);

	context->ticks++;
	context->weight += tick->weight;
	stratum->weight += tick->weight;
	stratum->has_learnt = true;
	strata->ticks++;
	strata->weight += tick->weight;
	strata->mean_weight = strata->weight / (double)strata->ticks;
	strata->prior_weight = ITP_STRATA_PRIOR_TICKS * strata->mean_weight;
	context = find_seeming(strata, log->kind, tick->node);
	if (context) {
		context->seeming_weight += tick->weight;
	}
}

static void add_gap(struct itp_strata *strata, struct itp_gap_log *log)
{
	int64_t cpu_ns = 0;

	log->next_context = itp_strata_get(strata, log->kind)->first;
	for (guint i = 0; i < log->given_count; i++) {
		const struct itp_gap_part *part = &log->given[i];

		make_context(strata, log, part->node)->given_ns += part->cpu_ns;
		cpu_ns += part->cpu_ns;
	}
	itp_strata_get(strata, log->kind)->cpu_ns += cpu_ns;
	strata->cpu_ns += cpu_ns;
	for (guint i = 0; i < log->ticks->len; i++) {
		add_tick(strata, log, &g_array_index(log->ticks, struct itp_gap_tick, i));
	}
}

void itp_strata_end_gap(struct itp_strata *strata, struct itp_gap_log *log, uint32_t node,
			enum itp_gap_edge edge)
{
	const struct itp_stratum kind = kind_of_gap(log, node, edge);

	if (log->given_count > 0 || log->ticks->len > 0) {
		if (log->kind == 0 || !is_same_kind(itp_strata_get(strata, log->kind), &kind)) {
			log->kind = intern_kind(strata, log, node, edge);
		}
		if (log->kind != 0) {
			add_gap(strata, log);
		}
	}
	itp_gap_log_begin(log, node, edge);
}

void itp_strata_tick(struct itp_strata *strata, struct itp_gap_log *log, uint32_t node,
		     double weight)
{
	struct itp_gap_tick tick = { .node = node };

	if (strata->first_weight == 0) {
		strata->first_weight = weight;
	}
	tick.weight = weight / strata->first_weight;
	g_array_append_val(log->ticks, tick);
	if (log->ticks->len == TICKS_IN_LOG) {
		enum itp_gap_edge edge = log->edge;

		/* Treated as a return of the thread to the gap's begin. */
		itp_strata_end_gap(strata, log, log->before, ITP_GAP_EDGE_OTHER);
		itp_gap_log_begin(log, log->before, edge);
	}
}

bool itp_strata_learnt(const struct itp_strata *strata, struct itp_gap_log *log, uint32_t node,
		       enum itp_gap_edge edge)
{
	const struct itp_stratum kind = kind_of_gap(log, node, edge);

	log->kind = *find_slot(strata, &kind);
	log->next_context = itp_strata_get(strata, log->kind)->first;
	return itp_strata_get(strata, log->kind)->has_learnt;
}

double itp_strata_part(const struct itp_strata *strata, struct itp_gap_log *log, uint32_t node,
		       double prior)
{
	const struct itp_stratum_context *context = find_next_context(strata, log, node);

	return (context ? context->seeming_weight : 0) + strata->prior_weight * prior;
}

void itp_strata_begin_sums(struct itp_strata *strata)
{
	for (uint32_t i = 1; i < strata->kinds->len; i++) {
		itp_strata_get(strata, i)->cpu_ns = 0;
		itp_strata_get(strata, i)->weight = 0;
	}
	for (uint32_t i = 1; i < strata->contexts->len; i++) {
		struct itp_stratum_context *context = itp_strata_context(strata, i);

		context->given_ns = 0;
		context->weight = 0;
		context->ticks = 0;
	}
	strata->cpu_ns = 0;
	strata->weight = 0;
	strata->ticks = 0;
}

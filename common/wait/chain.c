/* SPDX-License-Identifier: MIT */
/*
 * See chain.h.
 */
#include "common/wait/chain.h"

#include "common/base/context-function.h"
#include "common/base/hash.h"
#include "common/base/sums.h"
#include "common/known/waiting-calls.h"
#include "common/wait/face.h"

/* Parts of a step's time: much of it, most, and nearly all. */
#define MUCH (1.0 / 3)
#define MOST 0.5
#define NEARLY_ALL 0.9
/* Least part of a step that must be a wait for the chain to go on, as 1 / n. */
#define WAIT_PART 5

/* Links of one thread: a followed wait, or all of a critical path. */
struct span {
	/* Weak. */
	const GArray *links;
	guint first;
	guint end;
};

struct chain {
	const struct itp_recall *recall;
	/* struct span: those of the step at hand, and of the next step. */
	GArray *spans;
	GArray *next;
	uint32_t depth;
};

static const struct itp_function *function_at(const struct chain *chain, uint32_t node)
{
	return itp_context_function(chain->recall->tree, chain->recall->functions, node);
}

static uint32_t parent_of(const struct chain *chain, uint32_t node)
{
	return itp_context_tree_get(chain->recall->tree, node)->parent;
}

static bool is_below(const struct chain *chain, uint32_t node, uint32_t ancestor)
{
	const uint32_t depth = itp_context_tree_get(chain->recall->tree, ancestor)->depth;

	while (itp_context_tree_get(chain->recall->tree, node)->depth > depth) {
		node = parent_of(chain, node);
	}
	return node == ancestor;
}

typedef void (*link_func)(struct chain *chain, const struct span *span, guint i, void *data);

/* Calls `visit` for the links of the step at hand. */
static void each_link(struct chain *chain, link_func visit, void *data)
{
	for (guint s = 0; s < chain->spans->len; s++) {
		const struct span *span = &g_array_index(chain->spans, struct span, s);

		for (guint i = span->first; i < span->end; i++) {
			if (g_array_index(span->links, struct itp_link, i).depth == chain->depth) {
				visit(chain, span, i, data);
			}
		}
	}
}

static const struct itp_stretch *stretch_at(const struct span *span, guint i)
{
	return &g_array_index(span->links, struct itp_link, i).stretch;
}

static int64_t cost_of(const struct span *span, guint i)
{
	return g_array_index(span->links, struct itp_link, i).cost_ns;
}

static int64_t kept_of(const struct span *span, guint i)
{
	return g_array_index(span->links, struct itp_link, i).kept_ns;
}

/* Times of a step. */
struct sums {
	int64_t all_ns;
	/* Time by node, callees included. Owned by this. */
	GHashTable *total;
	/* Time by node with a name to show (face_of()). Owned by this. */
	GHashTable *faces;
	/* Thread of all links: 0 before the first, −1 for several. */
	int32_t tid;
};

/* Innermost function of a context with a name to show (face.h); its process without any. */
static uint32_t face_of(const struct chain *chain, uint32_t node)
{
	return itp_face_of(chain->recall->tree, chain->recall->functions, node);
}

static void add_link(struct chain *chain, const struct span *span, guint i, void *data)
{
	const struct itp_stretch *stretch = stretch_at(span, i);
	struct sums *sums = data;
	int64_t ns = cost_of(span, i);

	sums->all_ns += ns;
	sums->tid = sums->tid == 0 || sums->tid == stretch->tid ? stretch->tid : -1;
	for (uint32_t node = stretch->node; node != ITP_CONTEXT_ROOT;
	     node = parent_of(chain, node)) {
		itp_sums_add(sums->total, GUINT_TO_POINTER(node), ns);
	}
	if (stretch->node != ITP_CONTEXT_ROOT) {
		itp_sums_add(sums->faces, GUINT_TO_POINTER(face_of(chain, stretch->node)), ns);
	}
}

/* Nodes with more than `part` of the time, by themselves. To be unreferenced. */
static GHashTable *find_large(const struct sums *sums, double part)
{
	GHashTable *large = g_hash_table_new(itp_hash_number, NULL);
	GHashTableIter iter;
	gpointer key;

	g_hash_table_iter_init(&iter, sums->total);
	while (g_hash_table_iter_next(&iter, &key, NULL)) {
		const int64_t ns = itp_sums_get(sums->total, key);

		if ((double)ns > part * (double)sums->all_ns) {
			itp_sums_add(large, key, ns);
		}
	}
	return large;
}

/* Context with the most time, among those with more than `part` of it and without a callee with
 * more than `part`. */
static uint32_t find_common(const struct chain *chain, const struct sums *sums, double part)
{
	g_autoptr(GHashTable) large = find_large(sums, part);
	g_autoptr(GList) nodes = g_hash_table_get_keys(large);

	for (GList *item = nodes; item; item = item->next) {
		uint32_t parent = parent_of(chain, GPOINTER_TO_UINT(item->data));

		g_hash_table_remove(large, GUINT_TO_POINTER(parent));
	}
	return GPOINTER_TO_UINT(itp_sums_largest(large));
}

/* Context of a step. A context with all of the time, such as a thread's outer functions, which do
 * little themselves, tells less than a context with much. */
static uint32_t find_telling(const struct chain *chain, const struct sums *sums)
{
	const double all_ns = (double)sums->all_ns;
	uint32_t most = find_common(chain, sums, MOST);
	uint32_t much = most;

	if (most != ITP_CONTEXT_ROOT &&
	    (double)itp_sums_get(sums->total, GUINT_TO_POINTER(most)) > NEARLY_ALL * all_ns &&
	    (double)itp_sums_get(sums->faces, GUINT_TO_POINTER(face_of(chain, most))) <
		    MUCH * all_ns) {
		much = find_common(chain, sums, MUCH);
	}
	return is_below(chain, much, most) ? much : most;
}

/* Node of the function that stands for the step; ITP_CONTEXT_ROOT when nothing is known. */
static uint32_t find_face(const struct chain *chain, const struct sums *sums)
{
	uint32_t common = find_telling(chain, sums);
	uint32_t face = common == ITP_CONTEXT_ROOT ? common : face_of(chain, common);

	return face != ITP_CONTEXT_ROOT && itp_face_can_be(function_at(chain, face)) ?
		       face :
		       GPOINTER_TO_UINT(itp_sums_largest(sums->faces));
}

/* Caller of the face; NULL without any that can be named. */
static const struct itp_function *caller_of(const struct chain *chain, uint32_t face)
{
	uint32_t node = parent_of(chain, face);

	while (node != ITP_CONTEXT_ROOT && !itp_face_can_be(function_at(chain, node))) {
		node = parent_of(chain, node);
	}
	return node == ITP_CONTEXT_ROOT ? NULL : function_at(chain, node);
}

/* Waits in the face of a step. */
struct waits {
	uint32_t face;
	struct itp_chain_step *step;
	int64_t followed_ns;
	int64_t time_ns;
	int64_t unseen_ns;
	/* Time by function. Owned by this. */
	GHashTable *places;
	GHashTable *reasons;
};

/* System call in which a context waits, or else the face of the context; ITP_FUNCTION_UNKNOWN when
 * nothing is known. */
static uint32_t place_of(const struct chain *chain, uint32_t node)
{
	for (uint32_t at = node; at != ITP_CONTEXT_ROOT; at = parent_of(chain, at)) {
		if (function_at(chain, at)->layer == ITP_LAYER_SYSCALL) {
			node = at;
			break;
		}
	}
	if (node != ITP_CONTEXT_ROOT && function_at(chain, node)->layer != ITP_LAYER_SYSCALL) {
		node = face_of(chain, node);
	}
	return node == ITP_CONTEXT_ROOT ? ITP_FUNCTION_UNKNOWN :
					  itp_context_tree_get(chain->recall->tree, node)->function;
}

static const struct itp_function *known_function(const struct chain *chain, gconstpointer id)
{
	return id ? itp_function_table_get(chain->recall->functions, GPOINTER_TO_UINT(id)) : NULL;
}

static void add_reason(struct waits *waits, const struct chain *chain,
		       const struct itp_stretch *wait, uint32_t place)
{
	const struct itp_function_table *functions = chain->recall->functions;
	int64_t ns = wait->end_ns - wait->begin_ns;

	if (wait->end == ITP_WAIT_WOKEN &&
	    itp_function_table_get(functions, wait->waker_process)->layer == ITP_LAYER_KERNEL) {
		itp_sums_add(waits->reasons, GUINT_TO_POINTER(wait->waker_process), ns);
	} else if (wait->end == ITP_WAIT_UNSEEN &&
		   itp_function_is_sleep(itp_function_table_get(functions, place))) {
		waits->time_ns += ns;
	} else {
		waits->unseen_ns += ns;
	}
}

static void follow_wait(struct chain *chain, const struct span *span, guint i)
{
	struct span next = { .links = span->links, .first = i + 1, .end = i + 1 };

	while (next.end < span->end &&
	       g_array_index(span->links, struct itp_link, next.end).depth > chain->depth) {
		next.end++;
	}
	g_array_append_val(chain->next, next);
}

static void add_wait(struct chain *chain, const struct span *span, guint i, struct waits *waits)
{
	const struct itp_stretch *wait = stretch_at(span, i);
	uint32_t place = place_of(chain, wait->node);

	if (place != ITP_FUNCTION_UNKNOWN) {
		itp_sums_add(waits->places, GUINT_TO_POINTER(place), cost_of(span, i));
	}
	if (g_array_index(span->links, struct itp_link, i).is_followed) {
		waits->followed_ns += cost_of(span, i);
		follow_wait(chain, span, i);
	} else {
		add_reason(waits, chain, wait, place);
	}
}

static void add_use(struct chain *chain, const struct span *span, guint i, void *data)
{
	const struct itp_stretch *stretch = stretch_at(span, i);
	struct waits *waits = data;
	struct itp_chain_step *step = waits->step;

	if (stretch->node == ITP_CONTEXT_ROOT || !is_below(chain, stretch->node, waits->face)) {
		return;
	}
	step->inside_ns += cost_of(span, i);
	step->use.runnable_ns += kept_of(span, i);
	switch (stretch->kind) {
	case ITP_STRETCH_RUN:
		step->use.cpu_ns += cost_of(span, i) - kept_of(span, i);
		break;
	case ITP_STRETCH_READY:
		step->use.runnable_ns += cost_of(span, i);
		break;
	case ITP_STRETCH_WAIT:
		step->use.blocked_ns += cost_of(span, i);
		add_wait(chain, span, i, waits);
		break;
	case ITP_STRETCH_UNKNOWN:
		break;
	}
}

/* Sets the end of most of the waiting. */
static void set_end(const struct chain *chain, struct itp_chain_step *step,
		    const struct waits *waits)
{
	gpointer reason = itp_sums_largest(waits->reasons);

	if (step->use.blocked_ns * WAIT_PART < step->inside_ns) {
		return;
	}
	step->end = ITP_CHAIN_END_UNSEEN;
	step->end_ns = waits->unseen_ns;
	if (waits->time_ns > step->end_ns) {
		step->end = ITP_CHAIN_END_TIME;
		step->end_ns = waits->time_ns;
	}
	if (itp_sums_get(waits->reasons, reason) > step->end_ns) {
		step->end = ITP_CHAIN_END_KERNEL;
		step->end_ns = itp_sums_get(waits->reasons, reason);
		step->reason = known_function(chain, reason);
	}
	if (waits->followed_ns >= step->end_ns) {
		step->end = ITP_CHAIN_END_FOLLOWED;
		step->end_ns = waits->followed_ns;
	}
}

static void look_into(struct chain *chain, uint32_t face, struct itp_chain_step *step)
{
	struct waits waits = { .face = face,
			       .step = step,
			       .places = g_hash_table_new(itp_hash_number, NULL),
			       .reasons = g_hash_table_new(itp_hash_number, NULL) };
	uint32_t root = face;

	while (parent_of(chain, root) != ITP_CONTEXT_ROOT) {
		root = parent_of(chain, root);
	}
	step->process = function_at(chain, root);
	step->function = face == root ? NULL : function_at(chain, face);
	each_link(chain, add_use, &waits);
	step->blocked_in = known_function(chain, itp_sums_largest(waits.places));
	set_end(chain, step, &waits);
	g_hash_table_unref(waits.places);
	g_hash_table_unref(waits.reasons);
}

/* Makes the step of `chain->spans`; false when nothing is known of them. */
static bool make_step(struct chain *chain, struct itp_chain_step *ret_step)
{
	struct sums sums = { .total = g_hash_table_new(itp_hash_number, NULL),
			     .faces = g_hash_table_new(itp_hash_number, NULL) };
	uint32_t face;

	each_link(chain, add_link, &sums);
	face = find_face(chain, &sums);
	*ret_step = (struct itp_chain_step){ .tid = MAX(sums.tid, 0), .span_ns = sums.all_ns };
	if (face != ITP_CONTEXT_ROOT) {
		ret_step->caller = caller_of(chain, face);
		look_into(chain, face, ret_step);
	}
	g_hash_table_unref(sums.total);
	g_hash_table_unref(sums.faces);
	return face != ITP_CONTEXT_ROOT;
}

static void make_steps(struct chain *chain, GArray *steps)
{
	struct itp_chain_step step = { .end = ITP_CHAIN_END_FOLLOWED };

	while (step.end == ITP_CHAIN_END_FOLLOWED && make_step(chain, &step)) {
		GArray *done = chain->spans;

		g_array_append_val(steps, step);
		chain->spans = chain->next;
		chain->next = done;
		g_array_set_size(chain->next, 0);
		chain->depth++;
	}
}

GArray *itp_chain(const struct itp_recall *recall, const GArray *symptoms)
{
	struct chain chain = { .recall = recall,
			       .spans = g_array_new(FALSE, FALSE, sizeof(struct span)),
			       .next = g_array_new(FALSE, FALSE, sizeof(struct span)) };
	GArray *steps = g_array_new(FALSE, FALSE, sizeof(struct itp_chain_step));
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);

	for (guint i = 0; i < symptoms->len; i++) {
		GArray *links = itp_critical_path(recall->history,
						  &g_array_index(symptoms, struct itp_symptom, i));
		const struct span span = { .links = links, .end = links->len };

		g_ptr_array_add(paths, links);
		g_array_append_val(chain.spans, span);
	}
	make_steps(&chain, steps);
	g_array_unref(chain.spans);
	g_array_unref(chain.next);
	return steps;
}

/* SPDX-License-Identifier: MIT */
/*
 * See telling.h.
 */
#include "filters/wait/telling.h"

struct teller {
	/* Weak. */
	const struct itp_wait_telling *telling;
	/* By function and by context: whether it is downstream. Owned by this. */
	bool *has_function;
	bool *has_context;
};

static bool emit(const struct teller *teller, enum itp_record_type type, const void *record,
		 GError **error)
{
	return itp_filter_emit(teller->telling->trace, type, record, error);
}

static bool tell_function(struct teller *teller, uint32_t id, GError **error)
{
	const struct itp_function_record record = {
		.id = id,
		.function = *itp_function_table_get(teller->telling->recall->functions, id),
	};

	if (teller->has_function[id]) {
		return true;
	}
	teller->has_function[id] = true;
	return emit(teller, ITP_RECORD_FUNCTION, &record, error);
}

static bool tell_one(struct teller *teller, uint32_t node, GError **error)
{
	const struct itp_context *context =
		itp_context_tree_get(teller->telling->recall->tree, node);
	const struct itp_context_record record = { .id = node,
						   .parent = context->parent,
						   .function = context->function };

	teller->has_context[node] = true;
	return tell_function(teller, context->function, error) &&
	       emit(teller, ITP_RECORD_CONTEXT, &record, error);
}

/* Callers first. */
static bool tell_context(struct teller *teller, uint32_t node, GError **error)
{
	const struct itp_context_tree *tree = teller->telling->recall->tree;
	g_autoptr(GArray) missing = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	bool done = true;

	for (; !teller->has_context[node]; node = itp_context_tree_get(tree, node)->parent) {
		g_array_append_val(missing, node);
	}
	for (guint i = missing->len; done && i-- > 0;) {
		done = tell_one(teller, g_array_index(missing, uint32_t, i), error);
	}
	return done;
}

static bool tell_wait(struct teller *teller, uint32_t symptom, const struct itp_link *link,
		      GError **error)
{
	const struct itp_wait_record record = { .symptom = symptom,
						.depth = link->depth,
						.is_followed = link->is_followed,
						.wait = link->stretch };

	return tell_context(teller, link->stretch.node, error) &&
	       tell_context(teller, link->stretch.waker_node, error) &&
	       tell_function(teller, link->stretch.waker_process, error) &&
	       tell_function(teller, link->stretch.waker_function, error) &&
	       emit(teller, ITP_RECORD_WAIT, &record, error);
}

static bool tell_waits(struct teller *teller, uint32_t id, const struct itp_symptom *symptom,
		       GError **error)
{
	g_autoptr(GArray) links = itp_critical_path(teller->telling->recall->history, symptom);
	bool done = true;

	for (guint i = 0; done && i < links->len; i++) {
		const struct itp_link *link = &g_array_index(links, struct itp_link, i);

		done = link->stretch.kind != ITP_STRETCH_WAIT || tell_wait(teller, id, link, error);
	}
	return done;
}

static bool tell_symptom(struct teller *teller, uint32_t id, const struct itp_symptom *symptom,
			 GError **error)
{
	const struct itp_symptom_record record = { .id = id,
						   .tid = symptom->tid,
						   .begin_ns = symptom->begin_ns,
						   .end_ns = symptom->end_ns };

	return emit(teller, ITP_RECORD_SYMPTOM, &record, error) &&
	       tell_waits(teller, id, symptom, error);
}

static bool tell_stack(struct teller *teller, const struct itp_interest *interest,
		       const struct itp_interest_stack *stack, GError **error)
{
	g_autoptr(GArray) contexts = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	struct itp_interest_record record = { .is_wait = stack->is_wait,
					      .count = stack->count,
					      .cost_ns = stack->cost_ns };
	bool done = true;

	itp_context_tree_path(interest->chains, stack->chain, contexts);
	record.contexts = (const uint32_t *)(void *)contexts->data;
	record.context_count = contexts->len;
	for (guint i = 0; done && i < contexts->len; i++) {
		done = tell_context(teller, record.contexts[i], error);
	}
	return done && emit(teller, ITP_RECORD_INTEREST, &record, error);
}

static bool tell_stacks(struct teller *teller, const struct itp_interest *interest, GError **error)
{
	bool done = true;

	for (guint i = 0; done && i < interest->stacks->len; i++) {
		done = tell_stack(teller, interest,
				  &g_array_index(interest->stacks, struct itp_interest_stack, i),
				  error);
	}
	return done;
}

static bool tell_all(struct teller *teller, struct itp_interest *interest, GError **error)
{
	const struct itp_wait_telling *telling = teller->telling;
	bool done = true;

	for (guint i = 0; done && i < telling->symptoms->len; i++) {
		const struct itp_symptom *symptom =
			&g_array_index(telling->symptoms, struct itp_symptom, i);

		itp_interest_add(interest, telling->recall->history, symptom, telling->scope);
		done = tell_symptom(teller, i, symptom, error);
	}
	return done && tell_stacks(teller, interest, error) &&
	       emit(teller, ITP_RECORD_SEARCH, &telling->search, error);
}

bool itp_wait_tell(const struct itp_wait_telling *telling, GError **error)
{
	const struct itp_recall *recall = telling->recall;
	g_autofree bool *has_function = g_new0(bool, itp_function_table_size(recall->functions));
	g_autofree bool *has_context = g_new0(bool, itp_context_tree_size(recall->tree));
	struct teller teller = { .telling = telling,
				 .has_function = has_function,
				 .has_context = has_context };
	struct itp_interest interest;
	bool done;

	/* Everybody knows these. */
	has_function[ITP_FUNCTION_UNKNOWN] = true;
	has_context[ITP_CONTEXT_ROOT] = true;
	itp_interest_init(&interest);
	done = tell_all(&teller, &interest, error);
	itp_interest_release(&interest);
	return done;
}

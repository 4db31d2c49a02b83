/* SPDX-License-Identifier: MIT */
/*
 * See symptom.h.
 */
#include "common/wait/symptom.h"

#include <math.h>
#include <string.h>

#include "common/base/duration.h"
#include "common/base/hash.h"
#include "common/base/order.h"
#include "common/unit/log.h"

/* Part of all calls that are slow without a limit: 1 / n, a hundredth. */
#define SLOWEST_PART 100
#define LONGEST_NS 1e18

/* Flags of calls with an unknown duration: their begin or end was not seen, or events were lost.
 * Processes with them are kept: the part that was seen counts. */
#define UNSEEN (ITP_INSTANCE_BEGIN_UNKNOWN | ITP_INSTANCE_END_UNKNOWN | ITP_INSTANCE_LOST)

enum meant {
	MEANT_UNKNOWN = 0,
	MEANT_NO,
	MEANT_YES
};

struct itp_symptoms {
	/* Weak. */
	const struct itp_symptom_wish *wish;
	const struct itp_recall *recall;
	/* struct itp_symptom. Owned by this. */
	GArray *spans;
	/* Units, if the wish is for units, else NULL. Owned by this. */
	struct itp_unit_log *units;
	/* Begin of the first call of F in each process (int64_t), by pid. Owned by this. */
	GHashTable *firsts;
	/* Answers whether a function is F (enum meant), by function: names are compared once. Owned
	 * by this. */
	GByteArray *meant;
};

/* Cuts the limit off `text`. Names of functions may hold its sign (">"), too. */
static bool parse_limit(char *text, int64_t *ret_limit_ns)
{
	char *sign = strrchr(text, '>');
	double ns;

	*ret_limit_ns = -1;
	if (!sign || !g_ascii_isdigit(sign[1])) {
		return true;
	}
	if (!itp_duration_parse(sign + 1, &ns) || ns > LONGEST_NS) {
		return false;
	}
	*sign = '\0';
	*ret_limit_ns = llround(ns);
	return true;
}

/* Parses "KIND" or "KIND:NAME". */
static bool parse_kind(struct itp_symptom_wish *wish, const char *text)
{
	static const char *const kinds[] = { [ITP_SYMPTOM_CALL] = "call",
					     [ITP_SYMPTOM_PROCESS] = "process",
					     [ITP_SYMPTOM_UNIT] = "unit",
					     NULL };
	const char *colon = strchr(text, ':');
	g_autofree char *kind = g_strndup(text, colon ? (size_t)(colon - text) : strlen(text));

	wish->name = colon ? g_strdup(colon + 1) : NULL;
	for (wish->kind = 0; kinds[wish->kind]; wish->kind++) {
		if (g_str_equal(kinds[wish->kind], kind)) {
			return colon ? colon[1] != '\0' : wish->kind != ITP_SYMPTOM_CALL;
		}
	}
	return false;
}

bool itp_symptom_wish_parse(struct itp_symptom_wish *wish, const char *text, GError **error)
{
	g_autofree char *rest = g_strdup(text);
	bool is_good = parse_limit(rest, &wish->limit_ns);

	if (!parse_kind(wish, rest) || !is_good) {
		g_set_error(
			error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			"parameter \"symptom\": \"%s\" is none; such are \"call:F>100ms\", "
			"\"call:F\" (the slowest hundredth), \"process>2s\", \"process:F\" (until "
			"its first call of F), \"unit>5ms\", \"unit:TYPE\"",
			text);
		return false;
	}
	return true;
}

void itp_symptom_wish_release(struct itp_symptom_wish *wish)
{
	g_clear_pointer(&wish->name, g_free);
}

struct itp_symptoms *itp_symptoms_new(const struct itp_symptom_wish *wish,
				      const struct itp_recall *recall)
{
	struct itp_symptoms *symptoms = g_new0(struct itp_symptoms, 1);

	symptoms->wish = wish;
	symptoms->recall = recall;
	symptoms->spans = g_array_new(FALSE, FALSE, sizeof(struct itp_symptom));
	symptoms->firsts = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free);
	symptoms->meant = g_byte_array_new();
	if (wish->kind == ITP_SYMPTOM_UNIT) {
		symptoms->units = itp_unit_log_new(recall->tree, recall->functions, wish->limit_ns);
	}
	return symptoms;
}

void itp_symptoms_free(struct itp_symptoms *symptoms)
{
	if (symptoms) {
		g_array_unref(symptoms->spans);
		g_hash_table_unref(symptoms->firsts);
		g_byte_array_unref(symptoms->meant);
		itp_unit_log_free(symptoms->units);
		g_free(symptoms);
	}
}

static bool is_meant(struct itp_symptoms *symptoms, uint32_t function)
{
	const struct itp_function_table *functions = symptoms->recall->functions;
	guint known = symptoms->meant->len;

	if (function >= known) {
		g_byte_array_set_size(symptoms->meant, itp_function_table_size(functions));
		memset(symptoms->meant->data + known, MEANT_UNKNOWN, symptoms->meant->len - known);
	}
	if (symptoms->meant->data[function] == MEANT_UNKNOWN) {
		symptoms->meant->data[function] =
			itp_name_is_meant(itp_function_table_get(functions, function)->name,
					  symptoms->wish->name) ?
				MEANT_YES :
				MEANT_NO;
	}
	return symptoms->meant->data[function] == MEANT_YES;
}

static bool is_wished(struct itp_symptoms *symptoms, const struct itp_instance *instance)
{
	return symptoms->wish->name && instance->depth > 0 &&
	       is_meant(symptoms,
			itp_context_tree_get(symptoms->recall->tree, instance->node)->function);
}

static void add_span(struct itp_symptoms *symptoms, const struct itp_instance *instance,
		     int64_t end_ns)
{
	const struct itp_symptom span = { .tid = instance->tid,
					  .begin_ns = instance->best_begin_ns,
					  .end_ns = end_ns,
					  .has_begun_before = instance->flags &
							      ITP_INSTANCE_BEGIN_UNKNOWN };

	g_array_append_val(symptoms->spans, span);
}

static void note_first(struct itp_symptoms *symptoms, const struct itp_instance *instance)
{
	gpointer pid = GINT_TO_POINTER(instance->pid);
	int64_t *first = g_hash_table_lookup(symptoms->firsts, pid);

	if (!first) {
		first = g_new(int64_t, 1);
		*first = INT64_MAX;
		g_hash_table_insert(symptoms->firsts, pid, first);
	}
	*first = MIN(*first, instance->best_begin_ns);
}

/* Takes the end of a process' program. */
static void add_process(struct itp_symptoms *symptoms, const struct itp_instance *instance)
{
	gpointer pid = GINT_TO_POINTER(instance->pid);
	const int64_t *first = g_hash_table_lookup(symptoms->firsts, pid);

	if (!symptoms->wish->name) {
		add_span(symptoms, instance, instance->best_begin_ns + instance->best_ns);
	} else if (first) {
		add_span(symptoms, instance, MAX(*first, instance->best_begin_ns));
	}
	g_hash_table_remove(symptoms->firsts, pid);
}

static void add_call(struct itp_symptoms *symptoms, const struct itp_instance *instance)
{
	if (is_wished(symptoms, instance) && !(instance->flags & UNSEEN)) {
		add_span(symptoms, instance, instance->best_begin_ns + instance->best_ns);
	}
}

static void add_to_process(struct itp_symptoms *symptoms, const struct itp_instance *instance)
{
	if (instance->depth > 0) {
		if (is_wished(symptoms, instance)) {
			note_first(symptoms, instance);
		}
	} else if (instance->tid == instance->pid) {
		add_process(symptoms, instance);
	}
}

void itp_symptoms_add(struct itp_symptoms *symptoms, const struct itp_instance *instance)
{
	switch (symptoms->wish->kind) {
	case ITP_SYMPTOM_CALL:
		add_call(symptoms, instance);
		break;
	case ITP_SYMPTOM_PROCESS:
		add_to_process(symptoms, instance);
		break;
	case ITP_SYMPTOM_UNIT:
		itp_unit_log_add(symptoms->units, instance);
		break;
	}
}

void itp_symptoms_add_stretch(struct itp_symptoms *symptoms, const struct itp_stretch *stretch)
{
	if (symptoms->units) {
		itp_unit_log_add_stretch(symptoms->units, stretch);
	}
}

void itp_symptoms_add_unplaced(struct itp_symptoms *symptoms, const struct itp_instance *call,
			       uint32_t function)
{
	if (symptoms->units) {
		itp_unit_log_add_unplaced(symptoms->units, call, function);
	}
}

static gint compare_by_thread(gconstpointer a, gconstpointer b)
{
	const struct itp_symptom *left = a;
	const struct itp_symptom *right = b;
	gint order = ITP_ORDER(left->tid, right->tid);

	order = order ?: ITP_ORDER(left->begin_ns, right->begin_ns);
	return order ?: ITP_ORDER(right->end_ns, left->end_ns);
}

static gint compare_by_begin(gconstpointer a, gconstpointer b)
{
	const struct itp_symptom *left = a;
	const struct itp_symptom *right = b;

	return ITP_ORDER(left->begin_ns, right->begin_ns) ?: ITP_ORDER(left->tid, right->tid);
}

static gint compare_by_length(gconstpointer a, gconstpointer b)
{
	const struct itp_symptom *left = a;
	const struct itp_symptom *right = b;
	int64_t left_ns = left->end_ns - left->begin_ns;
	int64_t right_ns = right->end_ns - right->begin_ns;

	return ITP_ORDER(right_ns, left_ns) ?: compare_by_begin(a, b);
}

/* The outermost calls, the longest first. */
static GArray *outermost(const struct itp_symptoms *symptoms)
{
	g_autoptr(GArray) spans = g_array_copy(symptoms->spans);
	GArray *found = g_array_new(FALSE, FALSE, sizeof(struct itp_symptom));

	g_array_sort(spans, compare_by_thread);
	for (guint i = 0; i < spans->len; i++) {
		const struct itp_symptom span = g_array_index(spans, struct itp_symptom, i);
		const struct itp_symptom *last =
			found->len > 0 ? &g_array_index(found, struct itp_symptom, found->len - 1) :
					 NULL;

		if (!last || last->tid != span.tid || span.begin_ns >= last->end_ns) {
			g_array_append_val(found, span);
		}
	}
	g_array_sort(found, compare_by_length);
	return found;
}

static GArray *slow_units(const struct itp_symptoms *symptoms, guint *ret_count)
{
	const guint part = symptoms->wish->limit_ns < 0 ? SLOWEST_PART : 0;
	GArray *slow = g_array_new(FALSE, FALSE, sizeof(struct itp_symptom));
	g_autoptr(GArray) longest = NULL;
	uint64_t count;

	itp_unit_log_finish(symptoms->units, ITP_UNIT_CUT);
	longest = itp_unit_log_longest(symptoms->units, symptoms->wish->name, part, &count);
	for (guint i = 0; i < longest->len; i++) {
		const struct itp_logged_unit *unit =
			&g_array_index(longest, struct itp_logged_unit, i);
		const struct itp_symptom span = { .tid = unit->tid,
						  .begin_ns = unit->begin_ns,
						  .end_ns = unit->end_ns };

		g_array_append_val(slow, span);
	}
	*ret_count = (guint)MIN(count, G_MAXUINT);
	return slow;
}

static GArray *slow_calls(const struct itp_symptoms *symptoms, guint *ret_count)
{
	GArray *slow = outermost(symptoms);
	int64_t limit_ns = symptoms->wish->limit_ns;
	guint keep = 0;

	*ret_count = slow->len;
	while (keep < slow->len) {
		const struct itp_symptom *span = &g_array_index(slow, struct itp_symptom, keep);

		if (limit_ns >= 0 ? span->end_ns - span->begin_ns <= limit_ns :
				    keep * SLOWEST_PART >= slow->len) {
			break;
		}
		keep++;
	}
	g_array_set_size(slow, keep);
	return slow;
}

GArray *itp_symptoms_finish(struct itp_symptoms *symptoms, guint *ret_count)
{
	GArray *slow = symptoms->units ? slow_units(symptoms, ret_count) :
					 slow_calls(symptoms, ret_count);

	g_array_sort(slow, compare_by_begin);
	return slow;
}

/* SPDX-License-Identifier: MIT */
/*
 * See stack-base.h.
 */
#include "common/mine/stack-base.h"

#include <jansson.h>
#include <string.h>

#include "common/base/hash.h"
#include "common/base/order.h"
#include "common/mine/functions.h"

#define KEY_VERSION "stacks"
#define KEY_FUNCTIONS "functions"
#define KEY_TRACES "traces"

/* Most counts of a trace: sums of a million such traces fit in 63 bits. */
#define MOST_COUNT INT64_C(1000000000000)

struct counted {
	/* Numbers of the database; `callee` is 0 for stacks with the function. */
	uint32_t function;
	uint32_t callee;
	int64_t count;
};

struct trace {
	/* Owned by this. */
	char *id;
	int64_t cost_ns;
	int64_t stacks;
	/* struct counted, by the names of functions. Owned by this. */
	GArray *counts;
};

struct itp_stack_base {
	/* char *: the functions, as itp_mined_key() tells them; the first is none. Owned by
	 * this. */
	GPtrArray *keys;
	/* Place of a function in it, by key. Owned by this. */
	GHashTable *numbers;
	/* struct trace *, by id. Owned by this. */
	GHashTable *traces;
};

static void free_trace(gpointer data)
{
	struct trace *trace = data;

	g_free(trace->id);
	g_array_unref(trace->counts);
	g_free(trace);
}

struct itp_stack_base *itp_stack_base_new(void)
{
	struct itp_stack_base *base = g_new0(struct itp_stack_base, 1);

	base->keys = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(base->keys, NULL);
	base->numbers = g_hash_table_new(itp_hash_text, g_str_equal);
	base->traces = g_hash_table_new_full(itp_hash_text, g_str_equal, NULL, free_trace);
	return base;
}

void itp_stack_base_free(struct itp_stack_base *base)
{
	if (base) {
		g_hash_table_unref(base->traces);
		g_hash_table_unref(base->numbers);
		g_ptr_array_unref(base->keys);
		g_free(base);
	}
}

guint itp_stack_base_size(const struct itp_stack_base *base)
{
	return g_hash_table_size(base->traces);
}

guint itp_stack_base_function_count(const struct itp_stack_base *base)
{
	return base->keys->len;
}

static const char *key_at(const struct itp_stack_base *base, uint32_t number)
{
	const char *key = g_ptr_array_index(base->keys, number);

	return key ? key : "";
}

/* Takes `key`. */
static uint32_t key_number(struct itp_stack_base *base, char *key)
{
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(base->numbers, key));

	if (number > 0) {
		g_free(key);
		return number;
	}
	number = base->keys->len;
	g_ptr_array_add(base->keys, key);
	g_hash_table_insert(base->numbers, key, GUINT_TO_POINTER(number));
	return number;
}

uint32_t itp_stack_base_number(const struct itp_stack_base *base,
			       const struct itp_function *function)
{
	g_autofree char *key = itp_mined_key(function);

	return GPOINTER_TO_UINT(g_hash_table_lookup(base->numbers, key));
}

static gint compare_counted(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct itp_stack_base *base = data;
	const struct counted *left = a;
	const struct counted *right = b;
	gint order = strcmp(key_at(base, left->function), key_at(base, right->function));

	return order ?: strcmp(key_at(base, left->callee), key_at(base, right->callee));
}

/* Identity of a trace. To be freed. */
static char *id_of(const struct itp_stack_base *base, const struct trace *trace)
{
	g_autoptr(GString) text = g_string_new(NULL);

	g_string_append_printf(text, "%" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", trace->cost_ns,
			       trace->stacks);
	for (guint i = 0; i < trace->counts->len; i++) {
		const struct counted *counted = &g_array_index(trace->counts, struct counted, i);

		g_string_append_printf(text, "%s\n%s\n%" G_GINT64_FORMAT "\n",
				       key_at(base, counted->function),
				       key_at(base, counted->callee), counted->count);
	}
	return g_compute_checksum_for_string(G_CHECKSUM_SHA256, text->str, (gssize)text->len);
}

/* Takes the trace, whose counts come in any order. */
static void take_trace(struct itp_stack_base *base, struct trace *trace)
{
	g_array_sort_with_data(trace->counts, compare_counted, base);
	trace->id = id_of(base, trace);
	if (g_hash_table_contains(base->traces, trace->id)) {
		free_trace(trace);
	} else {
		g_hash_table_insert(base->traces, trace->id, trace);
	}
}

static struct trace *trace_new(int64_t cost_ns, int64_t stacks)
{
	struct trace *trace = g_new0(struct trace, 1);

	trace->cost_ns = cost_ns;
	trace->stacks = stacks;
	trace->counts = g_array_new(FALSE, FALSE, sizeof(struct counted));
	return trace;
}

int64_t itp_stack_base_each(const struct itp_stack_base *base, itp_stack_base_tell tell, void *data)
{
	GHashTableIter iter;
	gpointer value;
	int64_t stacks = 0;

	g_hash_table_iter_init(&iter, base->traces);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const struct trace *trace = value;

		stacks += trace->stacks;
		for (guint i = 0; i < trace->counts->len; i++) {
			const struct counted *counted =
				&g_array_index(trace->counts, struct counted, i);

			tell(counted->function, counted->callee, counted->count, data);
		}
	}
	return stacks;
}

/* ---- Mined trace ---- */

struct itp_stack_counts {
	/* Weak. */
	const struct itp_function_table *functions;
	int64_t cost_ns;
	int64_t stacks;
	/* By caller and callee, and by function and itself for stacks with it: int64_t. A function
	 * that calls itself is in `own`. Owned by this. */
	GHashTable *counts;
	GHashTable *own;
	/* By function: number of its last stack. Owned by this. */
	GHashTable *seen;
	guint number;
};

struct itp_stack_counts *itp_stack_counts_new(const struct itp_function_table *functions)
{
	struct itp_stack_counts *counts = g_new0(struct itp_stack_counts, 1);

	counts->functions = functions;
	counts->counts = g_hash_table_new(itp_hash_number, NULL);
	counts->own = g_hash_table_new(itp_hash_number, NULL);
	counts->seen = g_hash_table_new(itp_hash_number, NULL);
	return counts;
}

void itp_stack_counts_free(struct itp_stack_counts *counts)
{
	if (counts) {
		g_hash_table_unref(counts->counts);
		g_hash_table_unref(counts->own);
		g_hash_table_unref(counts->seen);
		g_free(counts);
	}
}

static void count_more(GHashTable *table, gpointer key, int64_t count)
{
	int64_t sum = (int64_t)GPOINTER_TO_SIZE(g_hash_table_lookup(table, key)) + count;

	g_hash_table_insert(table, key, GSIZE_TO_POINTER((gsize)MIN(sum, MOST_COUNT)));
}

void itp_stack_counts_add(struct itp_stack_counts *counts, const GArray *path, uint64_t count,
			  int64_t cost_ns)
{
	const int64_t times = (int64_t)MIN(count, (uint64_t)MOST_COUNT);

	counts->number++;
	counts->cost_ns += cost_ns;
	counts->stacks = MIN(counts->stacks + times, MOST_COUNT);
	for (guint i = 0; i < path->len; i++) {
		uint32_t function = g_array_index(path, uint32_t, i);
		gpointer seen = g_hash_table_lookup(counts->seen, GUINT_TO_POINTER(function));

		if (GPOINTER_TO_UINT(seen) != counts->number) {
			count_more(counts->own, GUINT_TO_POINTER(function), times);
			g_hash_table_insert(counts->seen, GUINT_TO_POINTER(function),
					    GUINT_TO_POINTER(counts->number));
		}
		if (i > 0) {
			count_more(counts->counts,
				   itp_pair(g_array_index(path, uint32_t, i - 1), function), times);
		}
	}
}

/* Functions of equal key are merged. */
static void add_counts(struct itp_stack_base *base, const struct itp_stack_counts *counts,
		       GHashTable *table, bool are_calls, GHashTable *sums)
{
	GHashTableIter iter;
	gpointer key;
	gpointer count;

	g_hash_table_iter_init(&iter, table);
	while (g_hash_table_iter_next(&iter, &key, &count)) {
		uint32_t function = are_calls ? itp_pair_high(key) : GPOINTER_TO_UINT(key);
		uint32_t number = key_number(
			base, itp_mined_key(itp_function_table_get(counts->functions, function)));
		uint32_t callee =
			are_calls ?
				key_number(base, itp_mined_key(itp_function_table_get(
							 counts->functions, itp_pair_low(key)))) :
				0;

		count_more(sums, itp_pair(number, callee), (int64_t)GPOINTER_TO_SIZE(count));
	}
}

void itp_stack_base_add(struct itp_stack_base *base, const struct itp_stack_counts *counts)
{
	g_autoptr(GHashTable) sums = g_hash_table_new(itp_hash_number, NULL);
	struct trace *trace = trace_new(counts->cost_ns, counts->stacks);
	GHashTableIter iter;
	gpointer key;
	gpointer count;

	add_counts(base, counts, counts->own, false, sums);
	add_counts(base, counts, counts->counts, true, sums);
	g_hash_table_iter_init(&iter, sums);
	while (g_hash_table_iter_next(&iter, &key, &count)) {
		const struct counted counted = { itp_pair_high(key), itp_pair_low(key),
						 (int64_t)GPOINTER_TO_SIZE(count) };

		g_array_append_val(trace->counts, counted);
	}
	if (trace->counts->len > 0) {
		take_trace(base, trace);
	} else {
		free_trace(trace);
	}
}

/* ---- Reading ---- */

/* An integer from `least` to `most`. */
static bool read_number(const json_t *value, int64_t least, int64_t most, int64_t *ret_number)
{
	int64_t number = json_integer_value(value);

	if (!json_is_integer(value) || number < least || number > most) {
		return false;
	}
	*ret_number = number;
	return true;
}

/* Reads rows of a function, with `has_callee` of a callee, and of a count. `numbers` (uint32_t) has
 * the numbers of the file's functions. */
static bool read_counts(const json_t *list, bool has_callee, const GArray *numbers, GArray *counts)
{
	const size_t width = has_callee ? 3 : 2;
	const int64_t last = (int64_t)numbers->len - 1;

	if (!json_is_array(list) || json_array_size(list) % width != 0) {
		return false;
	}
	for (size_t i = 0; i < json_array_size(list); i += width) {
		struct counted counted = { .count = 0 };
		int64_t function;
		int64_t callee = 0;

		if (!read_number(json_array_get(list, i), 0, last, &function) ||
		    (has_callee && !read_number(json_array_get(list, i + 1), 0, last, &callee)) ||
		    !read_number(json_array_get(list, i + width - 1), 1, MOST_COUNT,
				 &counted.count)) {
			return false;
		}
		counted.function = g_array_index(numbers, uint32_t, function);
		counted.callee = has_callee ? g_array_index(numbers, uint32_t, callee) : 0;
		g_array_append_val(counts, counted);
	}
	return true;
}

static bool read_trace(struct itp_stack_base *base, const json_t *object, const GArray *numbers)
{
	const char *id = json_string_value(json_object_get(object, "id"));
	struct trace *trace = trace_new(0, 0);
	g_autofree char *own = NULL;

	if (!id ||
	    !read_number(json_object_get(object, "cost_ns"), 0, G_MAXINT64, &trace->cost_ns) ||
	    !read_number(json_object_get(object, "stacks"), 1, MOST_COUNT, &trace->stacks) ||
	    !read_counts(json_object_get(object, "in"), false, numbers, trace->counts) ||
	    !read_counts(json_object_get(object, "calls"), true, numbers, trace->counts)) {
		free_trace(trace);
		return false;
	}
	g_array_sort_with_data(trace->counts, compare_counted, base);
	own = id_of(base, trace);
	if (!g_str_equal(own, id)) {
		free_trace(trace);
		return false;
	}
	take_trace(base, trace);
	return true;
}

/* Gives the file's functions numbers (uint32_t). */
static bool read_functions(struct itp_stack_base *base, const json_t *list, GArray *numbers)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *key = json_string_value(json_array_get(list, i));
		uint32_t number;

		if (!key) {
			return false;
		}
		number = key_number(base, g_strdup(key));
		g_array_append_val(numbers, number);
	}
	return json_is_array(list);
}

/* Complaint about the file, to be freed, or NULL. */
static char *read_root(struct itp_stack_base *base, const json_t *root)
{
	g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	const json_t *traces = json_object_get(root, KEY_TRACES);

	if (json_integer_value(json_object_get(root, KEY_VERSION)) != ITP_STACK_BASE_VERSION ||
	    !json_is_array(traces)) {
		return g_strdup_printf("holds no database of stacks of version %d",
				       ITP_STACK_BASE_VERSION);
	}
	if (!read_functions(base, json_object_get(root, KEY_FUNCTIONS), numbers)) {
		return g_strdup("is damaged: its \"functions\" are no list of names");
	}
	for (size_t i = 0; i < json_array_size(traces); i++) {
		if (!read_trace(base, json_array_get(traces, i), numbers)) {
			return g_strdup_printf("is damaged: trace %zu is not as it was written",
					       i + 1);
		}
	}
	return NULL;
}

bool itp_stack_base_read(struct itp_stack_base *base, const char *text, size_t size,
			 const char *path, GError **error)
{
	json_error_t reason;
	json_t *root = json_loadb(text, size, 0, &reason);
	g_autofree char *problem =
		root ? read_root(base, root) :
		       g_strdup_printf("is no JSON: line %d: %s", reason.line, reason.text);

	json_decref(root);
	if (problem) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "\"%s\" %s", path,
			    problem);
	}
	return !problem;
}

/* ---- Writing ---- */

/* By number: its place in the file's list, which is made in `list`. To be freed. */
static uint32_t *list_functions(const struct itp_stack_base *base, json_t *list)
{
	uint32_t *places = g_new0(uint32_t, base->keys->len);
	g_autoptr(GPtrArray) keys = g_ptr_array_new();

	for (guint i = 1; i < base->keys->len; i++) {
		g_ptr_array_add(keys, g_ptr_array_index(base->keys, i));
	}
	g_ptr_array_sort(keys, itp_order_of_texts);
	for (guint i = 0; i < keys->len; i++) {
		const char *key = g_ptr_array_index(keys, i);

		places[GPOINTER_TO_UINT(g_hash_table_lookup(base->numbers, key))] = i;
		json_array_append_new(list, json_string(key));
	}
	return places;
}

static json_t *trace_object(const struct trace *trace, const uint32_t *places)
{
	json_t *object = json_object();
	json_t *in = json_array();
	json_t *calls = json_array();

	for (guint i = 0; i < trace->counts->len; i++) {
		const struct counted *counted = &g_array_index(trace->counts, struct counted, i);
		json_t *list = counted->callee > 0 ? calls : in;

		json_array_append_new(list, json_integer(places[counted->function]));
		if (counted->callee > 0) {
			json_array_append_new(list, json_integer(places[counted->callee]));
		}
		json_array_append_new(list, json_integer(counted->count));
	}
	json_object_set_new(object, "id", json_string(trace->id));
	json_object_set_new(object, "cost_ns", json_integer(trace->cost_ns));
	json_object_set_new(object, "stacks", json_integer(trace->stacks));
	json_object_set_new(object, "in", in);
	json_object_set_new(object, "calls", calls);
	return object;
}

char *itp_stack_base_text(const struct itp_stack_base *base)
{
	json_t *root = json_object();
	json_t *functions = json_array();
	json_t *traces = json_array();
	g_autofree uint32_t *places = list_functions(base, functions);
	g_autoptr(GList) ids =
		g_list_sort(g_hash_table_get_keys(base->traces), (GCompareFunc)strcmp);
	g_autofree char *dumped = NULL;

	for (const GList *id = ids; id; id = id->next) {
		json_array_append_new(
			traces, trace_object(g_hash_table_lookup(base->traces, id->data), places));
	}
	json_object_set_new(root, KEY_VERSION, json_integer(ITP_STACK_BASE_VERSION));
	json_object_set_new(root, KEY_FUNCTIONS, functions);
	json_object_set_new(root, KEY_TRACES, traces);
	dumped = json_dumps(root, JSON_COMPACT);
	json_decref(root);
	return g_strdup_printf("%s\n", dumped);
}

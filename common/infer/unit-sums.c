/* SPDX-License-Identifier: MIT */
/*
 * See unit-sums.h.
 */
#include "common/infer/unit-sums.h"

#include "common/base/function-table.h"
#include "common/base/hash.h"

struct itp_unit_sums {
	/* struct itp_unit_sum, with strings of their own. */
	GArray *all;
	/* By text: number plus one. */
	GHashTable *numbers;
	struct itp_latencies *latencies;
	struct itp_slowest *slowest;
};

static void clear_sum(gpointer data)
{
	struct itp_unit_sum *sum = data;

	g_free((char *)sum->process);
	g_free((char *)sum->loop);
	g_free((char *)sum->wait);
	g_free((char *)sum->telling);
}

struct itp_unit_sums *itp_unit_sums_new(void)
{
	struct itp_unit_sums *sums = g_new(struct itp_unit_sums, 1);

	sums->all = g_array_new(FALSE, FALSE, sizeof(struct itp_unit_sum));
	g_array_set_clear_func(sums->all, clear_sum);
	sums->numbers = g_hash_table_new_full(itp_hash_text, g_str_equal, g_free, NULL);
	sums->latencies = itp_latencies_new();
	sums->slowest = itp_slowest_new();
	return sums;
}

void itp_unit_sums_free(struct itp_unit_sums *sums)
{
	g_array_unref(sums->all);
	g_hash_table_unref(sums->numbers);
	itp_latencies_free(sums->latencies);
	itp_slowest_free(sums->slowest);
	g_free(sums);
}

static struct itp_unit_sum *sum_at(const struct itp_unit_sums *sums, guint number)
{
	return &g_array_index(sums->all, struct itp_unit_sum, number);
}

/* Names hold no line feed that would matter: none is shown. */
static char *key_of_sum(const struct itp_unit_sum *sum)
{
	return g_strdup_printf("%s\n%s\n%s\n%s", sum->process, sum->loop, sum->wait, sum->telling);
}

static guint append_sum(struct itp_unit_sums *sums, const struct itp_unit_sum *sum)
{
	const struct itp_unit_sum fresh = { .process = g_strdup(sum->process),
					    .loop = g_strdup(sum->loop),
					    .wait = g_strdup(sum->wait),
					    .telling = g_strdup(sum->telling),
					    .min_ns = INT64_MAX };

	g_array_append_val(sums->all, fresh);
	return sums->all->len;
}

static guint number_of_sum(struct itp_unit_sums *sums, const struct itp_unit_sum *sum)
{
	g_autofree char *key = key_of_sum(sum);
	guint number = GPOINTER_TO_UINT(g_hash_table_lookup(sums->numbers, key));

	if (number == 0) {
		number = append_sum(sums, sum);
		g_hash_table_insert(sums->numbers, g_steal_pointer(&key), GUINT_TO_POINTER(number));
	}
	return number - 1;
}

/* A saved profile may hold any numbers. */
static void add_wrapping(int64_t *sum, int64_t more)
{
	*sum = (int64_t)((uint64_t)*sum + (uint64_t)more);
}

guint itp_unit_sums_add(struct itp_unit_sums *sums, const struct itp_unit_sum *sum)
{
	const guint number = number_of_sum(sums, sum);
	struct itp_unit_sum *own = sum_at(sums, number);

	own->count += sum->count;
	add_wrapping(&own->total_ns, sum->total_ns);
	add_wrapping(&own->use.cpu_ns, sum->use.cpu_ns);
	add_wrapping(&own->use.blocked_ns, sum->use.blocked_ns);
	add_wrapping(&own->use.runnable_ns, sum->use.runnable_ns);
	own->min_ns = MIN(own->min_ns, sum->min_ns);
	own->max_ns = MAX(own->max_ns, sum->max_ns);
	return number;
}

static void merge_sums(struct itp_unit_sums *sums, const struct itp_unit_sums *other,
		       const struct itp_slowest *slowest)
{
	for (guint i = 0; i < other->all->len; i++) {
		const guint number = itp_unit_sums_add(sums, sum_at(other, i));

		itp_latencies_add_node(sums->latencies, number, other->latencies, i);
		itp_slowest_add_node(sums->slowest, number, slowest, i);
	}
}

void itp_unit_sums_merge(struct itp_unit_sums *sums, const struct itp_unit_sums *other)
{
	merge_sums(sums, other, other->slowest);
}

void itp_unit_sums_merge_run(struct itp_unit_sums *sums, const struct itp_unit_sums *other,
			     uint32_t run)
{
	struct itp_slowest *slowest = itp_slowest_new();

	itp_slowest_merge_run(slowest, other->slowest, run);
	merge_sums(sums, other, slowest);
	itp_slowest_free(slowest);
}

const struct itp_unit_sum *itp_unit_sums_get(const struct itp_unit_sums *sums, guint number)
{
	return number < sums->all->len ? sum_at(sums, number) : NULL;
}

struct itp_latencies *itp_unit_sums_latencies(const struct itp_unit_sums *sums)
{
	return sums->latencies;
}

struct itp_slowest *itp_unit_sums_slowest(const struct itp_unit_sums *sums)
{
	return sums->slowest;
}

/* ---- Names ---- */

bool itp_unit_sum_is_meant(const struct itp_unit_sum *sum, const char *name)
{
	g_auto(GStrv) telling = g_strsplit(sum->telling, ITP_UNIT_BETWEEN_NAMES, -1);
	bool found = itp_name_is_meant(sum->loop, name);

	for (guint i = 0; !found && telling[i]; i++) {
		found = itp_name_is_meant(telling[i], name);
	}
	return found;
}

char *itp_unit_sums_list(const struct itp_unit_sums *sums)
{
	GString *list = g_string_new(NULL);

	for (guint i = 0; i < sums->all->len; i++) {
		const struct itp_unit_sum *sum = sum_at(sums, i);

		g_string_append_printf(list, "%s%s", i > 0 ? ", " : "", sum->loop);
		if (sum->telling[0] != '\0') {
			g_string_append_printf(list, " (%s)", sum->telling);
		}
	}
	return g_string_free(list, FALSE);
}

void itp_unit_sums_refuse(const struct itp_unit_sums *sums, const char *param, const char *workload,
			  const char *name, GError **error)
{
	g_autofree char *types = itp_unit_sums_list(sums);

	if (types[0] == '\0') {
		g_set_error(
			error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			"parameter \"%s\": no units of work are known of \"%s\": no loop that "
			"waits for events was seen to come round, or nobody looked for one when "
			"it was saved",
			param, workload);
	} else {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "parameter \"%s\": \"%s\" has no units of %s; there are those of %s",
			    param, workload, name, types);
	}
}

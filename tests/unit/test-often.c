/* SPDX-License-Identifier: MIT */
/* The system call that an entry makes more often. */
#include "common/base/watched.h"
#include "tests/unit/comparison.h"

#define MS INT64_C(1000000)

static const struct itp_ranking_options options = { .folds = true, .spread = ITP_SPREAD_AUTO };

static void suspect(struct comparison *comparison, const char *stack, uint64_t count,
		    int64_t own_ms)
{
	comparison_set(comparison, comparison->suspect[0], stack, count, own_ms * MS);
}

static void base(struct comparison *comparison, const char *stack, uint64_t count, int64_t own_ms)
{
	comparison_set(comparison, comparison->base[0], stack, count, own_ms * MS);
}

/* System call that the first path makes more often: "NAME COUNT BASE MS". */
static void assert_often(const struct comparison *comparison, const char *wanted)
{
	struct itp_ranking *ranking = comparison_rank(comparison, &options, true);
	const struct itp_often *often = &comparison_path(ranking, 0)->often;
	g_autofree char *text = NULL;

	text = often->syscall == ITP_FUNCTION_UNKNOWN ?
		       g_strdup("-") :
		       g_strdup_printf(
			       "%s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GINT64_FORMAT,
			       itp_function_table_get(ranking->functions, often->syscall)->name,
			       often->count, often->base_count, often->delta_ns / MS);
	g_assert_cmpstr(text, ==, wanted);
	itp_ranking_free(ranking);
}

/* 300 writes in place of 3; as often read, which takes longer. */
static void test_what_costs_more(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	base(comparison, "main flush", 3, 10);
	base(comparison, "main flush syscall:write k:vfs_write", 3, 3);
	base(comparison, "main flush syscall:write", 3, 1);
	base(comparison, "main flush syscall:read", 100, 10);
	suspect(comparison, "main flush", 300, 100);
	suspect(comparison, "main flush syscall:write k:vfs_write", 300, 300);
	suspect(comparison, "main flush syscall:write", 300, 100);
	suspect(comparison, "main flush syscall:read", 100, 500);
	suspect(comparison, "main flush syscall:lseek", 300, 20);
	assert_often(comparison, "syscall:write 300 3 396");
}

/* Twice as many are told, and fewer are not. */
static void test_how_many(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	base(comparison, "main flush syscall:write", 100, 100);
	suspect(comparison, "main flush syscall:write", 199, 400);
	assert_often(comparison, "-");
	suspect(comparison, "main flush syscall:write", 200, 400);
	assert_often(comparison, "syscall:write 200 100 300");
}

/* Where the base has all system calls, one that is not there was not made. */
static void test_none_before(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	base(comparison, "main flush syscall:write", 100, 100);
	suspect(comparison, "main flush syscall:write", 100, 100);
	suspect(comparison, "main flush syscall:fdatasync", 240, 400);
	assert_often(comparison, "-");
	comparison->base[0]->workload.counts.watched = ITP_WATCHED_CALLS;
	assert_often(comparison, "syscall:fdatasync 240 0 400");
	comparison->base[0]->workload.counts.rests_ns = 1;
	assert_often(comparison, "-");
}

static void add(const char *name, void (*test)(struct comparison *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/often/", name, NULL);

	g_test_add(path, struct comparison, NULL, comparison_set_up, test, comparison_tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	add("what costs more", test_what_costs_more);
	add("how many", test_how_many);
	add("none before", test_none_before);
	return g_test_run();
}

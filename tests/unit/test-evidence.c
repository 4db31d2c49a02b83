/* SPDX-License-Identifier: MIT */
/* Evidence of differences that others make: files in memory, disks, losses. */
#include "tests/unit/comparison.h"

#define MS INT64_C(1000000)

static void suspect(struct comparison *comparison, const char *stack, uint64_t count,
		    int64_t own_ns)
{
	comparison_set(comparison, comparison->suspect[0], stack, count, own_ns);
}

static void base(struct comparison *comparison, const char *stack, uint64_t count, int64_t own_ns)
{
	comparison_set(comparison, comparison->base[0], stack, count, own_ns);
}

/* Verdict on the first path, with what is assumed of runs. */
static enum itp_verdict verdict_on_first(const struct comparison *comparison)
{
	const struct itp_ranking_options options = { .folds = true, .spread = ITP_SPREAD_AUTO };
	struct itp_ranking *ranking = comparison_rank(comparison, &options, true);
	enum itp_verdict verdict = comparison_path(ranking, 0)->significance.verdict;

	itp_ranking_free(ranking);
	return verdict;
}

static bool is_first_unsure(const struct comparison *comparison)
{
	return verdict_on_first(comparison) != ITP_VERDICT_SURE;
}

/* Of a file that one run found in memory. */
static bool is_cold_unsure(struct comparison *comparison, uint64_t calls, int64_t base_ms,
			   int64_t suspect_ms)
{
	const char *call = "main f libc.so.6!read syscall:read";
	const char *read = "main f libc.so.6!read syscall:read k:vfs_read k:filemap_read k:copy";

	comparison_tear_down(comparison, NULL);
	comparison_set_up(comparison, NULL);
	suspect(comparison, call, calls, 1 * MS);
	base(comparison, call, 100, 1 * MS);
	suspect(comparison, read, 1, suspect_ms * MS);
	base(comparison, read, 1, base_ms * MS);
	return is_first_unsure(comparison);
}

static void test_which_files_are_in_memory_is_never_sure(struct comparison *comparison,
							 gconstpointer data)
{
	(void)data;
	g_assert_true(is_cold_unsure(comparison, 100, 2, 900));
	/* One would look all the same. */
	g_assert_cmpint(verdict_on_first(comparison), ==, ITP_VERDICT_LIKELY);
	g_assert_true(is_cold_unsure(comparison, 110, 900, 2));
	/* Five times as long, and fifteen more calls, is as much; three times, and 25, is not. */
	g_assert_true(is_cold_unsure(comparison, 100, 180, 900));
	g_assert_true(is_cold_unsure(comparison, 115, 2, 900));
	g_assert_false(is_cold_unsure(comparison, 125, 2, 900));
	/* A slow disk, from which both had to read; and many more reads. */
	g_assert_false(is_cold_unsure(comparison, 100, 300, 900));
	g_assert_false(is_cold_unsure(comparison, 900, 2, 900));
}

/* A directory that one run found in memory, and the other read from a disk; and the same waits
 * elsewhere. */
static void test_directories_may_be_in_memory(struct comparison *comparison, gconstpointer data)
{
	const char *call = "main f libc.so.6!readdir syscall:getdents64";
	const char *read = "main f libc.so.6!readdir syscall:getdents64 k:ext4_readdir "
			   "k:ext4_bread k:io_schedule";
	const char *other = "main f libc.so.6!readdir syscall:getdents64 k:ext4_readdir "
			    "k:down_read k:schedule";

	(void)data;
	suspect(comparison, call, 100, 1 * MS);
	base(comparison, call, 100, 1 * MS);
	comparison_block(comparison, comparison->suspect[0], read, 40, 400 * MS);
	g_assert_cmpint(verdict_on_first(comparison), ==, ITP_VERDICT_LIKELY);
	comparison_tear_down(comparison, NULL);
	comparison_set_up(comparison, NULL);
	suspect(comparison, call, 100, 1 * MS);
	base(comparison, call, 100, 1 * MS);
	comparison_block(comparison, comparison->suspect[0], other, 40, 400 * MS);
	g_assert_cmpint(verdict_on_first(comparison), ==, ITP_VERDICT_SURE);
}

/* A function that touches a page which it finds in memory is too short to be seen. */
static void test_pages_of_unseen_functions_may_be_in_memory(struct comparison *comparison,
							    gconstpointer data)
{
	const char *fault = "main f strlen k:asm_exc_page_fault k:filemap_fault k:schedule";

	(void)data;
	base(comparison, "main f", 1, 100 * MS);
	suspect(comparison, "main f", 1, 100 * MS);
	comparison_block(comparison, comparison->suspect[0], fault, 40, 400 * MS);
	g_assert_cmpint(verdict_on_first(comparison), ==, ITP_VERDICT_LIKELY);
}

static void test_short_memory_is_no_chance(struct comparison *comparison, gconstpointer data)
{
	const char *fault = "main f k:asm_exc_page_fault k:filemap_fault k:schedule";
	const char *reclaim =
		"main f k:asm_exc_page_fault k:filemap_fault k:try_to_free_mem_cgroup_pages";

	(void)data;
	base(comparison, "main f", 1, 500 * MS);
	suspect(comparison, "main f", 1, 500 * MS);
	comparison_block(comparison, comparison->suspect[0], fault, 400, 2400 * MS);
	comparison_block(comparison, comparison->base[0], fault, 4, 20 * MS);
	g_assert_true(is_first_unsure(comparison));
	base(comparison, reclaim, 1, 1 * MS);
	g_assert_true(is_first_unsure(comparison));
	suspect(comparison, reclaim, 40, 1 * MS);
	g_assert_false(is_first_unsure(comparison));
}

/* Each workload waits so often for the disk, for so long in all, while it reads a hundred times. */
static bool is_disk_unsure(struct comparison *comparison, uint64_t base_waits, int64_t base_ms,
			   uint64_t suspect_waits, int64_t suspect_ms)
{
	const char *call = "main f libc.so.6!read syscall:read";
	const char *wait = "main f libc.so.6!read syscall:read k:filemap_read k:schedule";

	comparison_tear_down(comparison, NULL);
	comparison_set_up(comparison, NULL);
	suspect(comparison, call, 100, 1 * MS);
	base(comparison, call, 100, 1 * MS);
	comparison_block(comparison, comparison->suspect[0], wait, suspect_waits, suspect_ms * MS);
	comparison_block(comparison, comparison->base[0], wait, base_waits, base_ms * MS);
	return is_first_unsure(comparison);
}

/* The suspect waits four times for pages of a file, the base never; both ask for pages for so long.
 */
static bool is_page_unsure(struct comparison *comparison, int64_t base_us, int64_t suspect_us)
{
	const char *call = "main f libc.so.6!read syscall:read";
	const char *ask = "main f libc.so.6!read syscall:read k:filemap_read k:page_cache_ra_order";
	const char *wait = "main f libc.so.6!read syscall:read k:filemap_read k:schedule";
	struct itp_node_stats *stats;

	comparison_tear_down(comparison, NULL);
	comparison_set_up(comparison, NULL);
	suspect(comparison, call, 100, 1 * MS);
	base(comparison, call, 100, 1 * MS);
	suspect(comparison, ask, 1, suspect_us * MS / 1000);
	base(comparison, ask, 1, base_us * MS / 1000);
	comparison_block(comparison, comparison->suspect[0], wait, 4, 1600 * MS);
	stats = comparison_node(comparison, comparison->suspect[0], wait);
	stats->histogram[29] = 4;
	stats->max_ns = 400 * MS;
	return is_first_unsure(comparison);
}

/* A disk whose rate is limited: the other run has asked it for as many pages. */
static void test_a_disk_that_was_faster_was_no_memory(struct comparison *comparison,
						      gconstpointer data)
{
	(void)data;
	g_assert_false(is_page_unsure(comparison, 2000, 3900));
	g_assert_true(is_page_unsure(comparison, 2000, 4100));
	g_assert_true(is_page_unsure(comparison, 0, 2000));
}

static void test_a_slow_disk_is_no_chance(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	/* As many waits of 40 ms instead of 4, or three times as many. */
	g_assert_false(is_disk_unsure(comparison, 100, 400, 100, 4000));
	g_assert_false(is_disk_unsure(comparison, 20, 80, 60, 4000));
	g_assert_false(is_disk_unsure(comparison, 100, 4000, 100, 400));
	/* As long each, of what was in memory before; and too few to know how long one takes. */
	g_assert_true(is_disk_unsure(comparison, 10, 40, 100, 400));
	g_assert_true(is_disk_unsure(comparison, 3, 12, 100, 4000));
	/* Nine waits tell, seven do not. */
	g_assert_false(is_disk_unsure(comparison, 9, 36, 27, 1800));
	g_assert_true(is_disk_unsure(comparison, 7, 28, 21, 1400));
}

/* Of 1 s that both compute, the suspect is kept from a CPU in so many stretches of 50 ms. */
static bool is_waiting_sure(struct comparison *comparison, const char *taker, int stretches)
{
	comparison_tear_down(comparison, NULL);
	comparison_set_up(comparison, NULL);
	base(comparison, "main f", 1, 1000 * MS);
	suspect(comparison, "main f", 1, 1000 * MS);
	for (int i = 0; i < stretches; i++) {
		comparison_wait_for_cpu(comparison, comparison->suspect[0], "main f", 50 * MS,
					taker);
	}
	return verdict_on_first(comparison) == ITP_VERDICT_SURE;
}

static void test_a_quota_is_no_chance(struct comparison *comparison, gconstpointer data)
{
	(void)data;
	g_assert_false(is_waiting_sure(comparison, "backup", 40));
	g_assert_true(is_waiting_sure(comparison, ITP_QUOTA_NAME, 40));
	/* Twice may happen at the end of a period. */
	g_assert_false(is_waiting_sure(comparison, ITP_QUOTA_NAME, 2));
}

/* A loss of unknown size hides half of 300 ms. */
static void test_a_loss_of_unknown_size_hides_half(struct comparison *comparison,
						   gconstpointer data)
{
	const struct itp_ranking_options exact = { .folds = true };
	struct itp_ranking *ranking;

	(void)data;
	suspect(comparison, "main f", 1, 400 * MS);
	base(comparison, "main f", 1, 100 * MS);
	comparison->base[0]->workload.counts.events = 1000;
	comparison->base[0]->workload.counts.losses = 1;
	ranking = comparison_rank(comparison, &exact, true);
	g_assert_cmpfloat_with_epsilon(
		comparison_path(ranking, 0)->significance.measurement_ns / 1e6, 150, 1e-6);
	itp_ranking_free(ranking);
}

static void add(const char *name, void (*test)(struct comparison *, gconstpointer))
{
	g_autofree char *path = g_strconcat("/evidence/", name, NULL);

	g_test_add(path, struct comparison, NULL, comparison_set_up, test, comparison_tear_down);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	add("which files are in memory is never sure",
	    test_which_files_are_in_memory_is_never_sure);
	add("directories may be in memory", test_directories_may_be_in_memory);
	add("pages of unseen functions may be in memory",
	    test_pages_of_unseen_functions_may_be_in_memory);
	add("short memory is no chance", test_short_memory_is_no_chance);
	add("a slow disk is no chance", test_a_slow_disk_is_no_chance);
	add("a disk that was faster was no memory", test_a_disk_that_was_faster_was_no_memory);
	add("a quota is no chance", test_a_quota_is_no_chance);
	add("a loss of unknown size hides half", test_a_loss_of_unknown_size_hides_half);
	return g_test_run();
}

/* SPDX-License-Identifier: MIT */
/* The first sentence of a result, by what the first entry does longer. */
#include <string.h>

#include "tests/unit/render-scene.h"

/* A program "shop" of which load() takes 1 s, and before 0.4 s, all of it `use`. */
struct shop {
	struct scene *scene;
	struct itp_ranked_path *path;
};

static struct shop shop_with(int64_t base_ns, int64_t suspect_ns, struct itp_time_use use)
{
	const struct spec specs[] = {
		{ "shop", "main", 1, 9 * S, 0, 1, 9 * S, 0 },
		{ "shop", "load", 10, base_ns, base_ns, 10, suspect_ns, suspect_ns },
	};
	struct shop shop = { .scene = scene_new("good.data", "slow.data") };

	shop.path = scene_path(shop.scene, "shop", specs, G_N_ELEMENTS(specs), 1);
	shop.path->delta.use = use;
	scene_fold(shop.scene, 1, 9);
	return shop;
}

static struct shop shop_blocked_in(const char *syscall)
{
	struct shop shop = shop_with(400 * MS, S, (struct itp_time_use){ .blocked_ns = 600 * MS });
	g_autofree char *name = g_strconcat("syscall:", syscall, NULL);

	shop.path->syscall = scene_function(shop.scene, "[kernel]", name);
	shop.path->cost_function = scene_function(shop.scene, "[kernel]", "schedule");
	return shop;
}

/* The first lines up to that of the workloads, as one. */
static char *headline_of(const struct scene *scene)
{
	const struct itp_render_options options = { .width = 400 };
	g_autoptr(GString) output = g_string_new(NULL);

	itp_render_ranking(&scene->ranking, &options, output);
	return g_strndup(output->str, strcspn(output->str, "\n"));
}

/* Frees the shop. */
static void assert_headline(struct shop *shop, const char *wanted)
{
	g_autofree char *text = headline_of(shop->scene);

	g_assert_cmpstr(text, ==, wanted);
	scene_free(shop->scene);
}

static void add_waker(struct shop *shop, enum itp_waker_role role, const char *process,
		      const char *function, int64_t blocked_ns)
{
	const struct itp_waker waker = {
		.role = role,
		.process = scene_process(shop->scene, process),
		.function = function ? scene_function(shop->scene, process, function) :
				       ITP_FUNCTION_UNKNOWN,
		.count = 10,
		.blocked_ns = blocked_ns,
	};

	g_array_append_val(shop->path->waited_for[role], waker);
}

#define ALL " 600 ms of the 600 ms that all threads together took longer. Sure."

static void test_sleeps(void)
{
	struct shop shop = shop_blocked_in("clock_nanosleep");

	assert_headline(&shop, "shop sleeps longer in load (clock_nanosleep):" ALL);
}

static void test_waits_for_the_disk(void)
{
	struct shop shop = shop_blocked_in("fdatasync");

	add_waker(&shop, ITP_WAKER_WOKE, "kworker", "end_io", S);
	assert_headline(&shop, "shop waits longer for the disk in load (fdatasync):" ALL);
}

static void test_waits_for_somebody(void)
{
	struct shop shop = shop_blocked_in("recvfrom");

	add_waker(&shop, ITP_WAKER_WOKE, "store", "reply", 900 * MS);
	assert_headline(&shop, "shop waits longer for reply in store in load (recvfrom):" ALL);
}

/* An interrupt of the device ends it. */
static void test_waits_for_a_device(void)
{
	struct shop shop = shop_blocked_in("read");

	add_waker(&shop, ITP_WAKER_WOKE, ITP_REASON_PREFIX "disk", "end_bio", 900 * MS);
	assert_headline(&shop, "shop waits longer for the disk in load (read):" ALL);
	shop = shop_blocked_in("recvfrom");
	add_waker(&shop, ITP_WAKER_WOKE, ITP_REASON_PREFIX "network", "net_rx_action", 900 * MS);
	assert_headline(&shop, "shop waits longer for the network in load (recvfrom):" ALL);
}

/* Threads of the shop hold a connection, in report() for `report_ms` of 1 s. */
static struct shop shop_in_queue(int64_t report_ms)
{
	struct shop shop = shop_blocked_in("futex");

	add_waker(&shop, ITP_WAKER_WOKE, "shop", "give_back", 900 * MS);
	add_waker(&shop, ITP_WAKER_KEPT, "shop", "report", report_ms * MS);
	add_waker(&shop, ITP_WAKER_KEPT, "shop", "order", S - report_ms * MS);
	return shop;
}

/* A holder of most of the time, in the program itself, says more than whoever wakes. */
static void test_waits_for_a_holder(void)
{
	struct shop shop = shop_in_queue(510);

	assert_headline(&shop, "shop waits longer for report in load (futex):" ALL);
	shop = shop_in_queue(490);
	assert_headline(&shop, "shop waits longer for give_back in load (futex):" ALL);
	shop = shop_blocked_in("recvfrom");
	add_waker(&shop, ITP_WAKER_WOKE, "store", "reply", 900 * MS);
	add_waker(&shop, ITP_WAKER_KEPT, "store", "serve", 900 * MS);
	assert_headline(&shop, "shop waits longer for reply in store in load (recvfrom):" ALL);
}

static void test_waits_for_nobody_seen(void)
{
	struct shop shop = shop_blocked_in("recvfrom");

	assert_headline(&shop, "shop waits longer in load (recvfrom):" ALL);
	shop = shop_blocked_in("wait4");
	assert_headline(&shop, "shop waits longer for another process in load (wait4):" ALL);
}

static void test_computes(void)
{
	struct shop shop = shop_with(400 * MS, S, (struct itp_time_use){ .cpu_ns = 600 * MS });

	assert_headline(&shop, "shop computes longer in load:" ALL);
	shop = shop_with(400 * MS, S, (struct itp_time_use){ .cpu_ns = 600 * MS });
	shop.path->cost_function = scene_function(shop.scene, "[kernel]", "clear_page");
	assert_headline(&shop, "shop works longer in the kernel for load:" ALL);
}

/* A tenth of it was there before: at 9 % it is new to whoever reads, at 11 % it is longer. */
static void test_is_new(void)
{
	struct shop shop = shop_with(90 * MS, S, (struct itp_time_use){ .cpu_ns = 910 * MS });

	assert_headline(&shop, "shop now computes in load: 910 ms of the 910 ms that all threads "
			       "together took longer. Sure.");
	shop = shop_with(110 * MS, S, (struct itp_time_use){ .cpu_ns = 890 * MS });
	assert_headline(&shop,
			"shop computes longer in load: 890 ms of the 890 ms that all threads "
			"together took longer. Sure.");
}

static void test_waits_for_a_cpu(void)
{
	const struct itp_time_use use = { .runnable_ns = 600 * MS };
	struct shop shop = shop_with(400 * MS, S, use);

	shop.scene->ranking.counts_waiting = true;
	assert_headline(&shop, "shop waits longer for a CPU in load:" ALL);
	shop = shop_with(400 * MS, S, use);
	shop.scene->ranking.counts_waiting = true;
	add_waker(&shop, ITP_WAKER_HAD_CPU, "backupd", NULL, 500 * MS);
	assert_headline(&shop, "shop waits longer for a CPU in load, while backupd runs:" ALL);
	shop = shop_with(400 * MS, S, use);
	add_waker(&shop, ITP_WAKER_HAD_CPU, ITP_QUOTA_NAME, NULL, 500 * MS);
	assert_headline(&shop, "shop is held longer by its CPU quota in load:" ALL);
}

/* A busy machine: of 600 ms it waited for a CPU for `waited_ms`, which does not rank it. */
static struct shop shop_beside_others(int64_t waited_ms)
{
	struct shop shop = shop_with(400 * MS, S,
				     (struct itp_time_use){ .cpu_ns = (600 - waited_ms) * MS,
							    .runnable_ns = waited_ms * MS });

	shop.path->ranked_value = (600 - waited_ms) * MS;
	shop.scene->ranking.suspect_runnable_ns = waited_ms * MS;
	return shop;
}

static void test_leaves_waiting_for_a_cpu_out(void)
{
	struct shop shop = shop_beside_others(400);

	assert_headline(&shop,
			"shop computes longer in load: 200 ms of the 200 ms that all threads "
			"together took longer, but for waiting for a CPU. Sure.");
	shop = shop_beside_others(400);
	shop.scene->ranking.suspect_own_ns -= 50 * MS;
	assert_headline(&shop,
			"shop computes longer in load: 200 ms more, and all else 50 ms less, "
			"but for waiting for a CPU. Sure.");
	/* 1.2 % and 0.8 % of it. */
	shop = shop_beside_others(7);
	assert_headline(&shop,
			"shop computes longer in load: 593 ms of the 593 ms that all threads "
			"together took longer, but for waiting for a CPU. Sure.");
	shop = shop_beside_others(5);
	assert_headline(&shop, "shop computes longer in load:" ALL);
}

static void test_calls_more(void)
{
	struct shop shop = shop_with(400 * MS, S, (struct itp_time_use){ .cpu_ns = 600 * MS });

	shop.path->delta.more_calls_ns = 600 * MS;
	shop.path->delta.slower_calls_ns = 0;
	shop.path->suspect_calls = 1204;
	assert_headline(&shop, "shop calls load 1 204 times, 10 before:" ALL);
	shop = shop_with(400 * MS, S, (struct itp_time_use){ .cpu_ns = 600 * MS });
	shop.path->delta.more_calls_ns = 600 * MS;
	shop.path->delta.slower_calls_ns = 0;
	shop.path->suspect_unseen = ITP_CALLS_UNKNOWN;
	assert_headline(&shop, "shop calls load more often:" ALL);
}

static void test_starts_programs(void)
{
	struct shop shop = shop_with(400 * MS, S, (struct itp_time_use){ .cpu_ns = 600 * MS });
	struct itp_started started = {
		.process = scene_process(shop.scene, "gzip"),
		.count = 1200,
		.base_count = 1,
		.cost = 300 * MS,
	};

	g_array_append_val(shop.path->started, started);
	assert_headline(&shop, "shop starts gzip 1 200 times, 1 before, in load:" ALL);
	shop = shop_with(400 * MS, S, (struct itp_time_use){ .cpu_ns = 600 * MS });
	started.process = scene_process(shop.scene, "gzip");
	started.cost = 299 * MS;
	g_array_append_val(shop.path->started, started);
	assert_headline(&shop, "shop computes longer in load:" ALL);
}

static struct shop shop_that_calls(const char *syscall, struct itp_time_use use, int64_t delta_ns)
{
	struct shop shop = shop_with(400 * MS, S, use);
	g_autofree char *name = g_strconcat("syscall:", syscall, NULL);

	shop.path->often = (struct itp_often){
		.syscall = scene_function(shop.scene, "[kernel]", name),
		.count = 325172,
		.base_count = 318,
		.delta_ns = delta_ns,
	};
	return shop;
}

static void test_calls_the_system(void)
{
	const struct itp_time_use cpu = { .cpu_ns = 600 * MS };
	const struct itp_time_use blocked = { .blocked_ns = 600 * MS };
	struct shop shop = shop_that_calls("write", cpu, 300 * MS);

	assert_headline(&shop, "shop calls write 325 172 times, 318 before, in load:" ALL);
	shop = shop_that_calls("write", cpu, 299 * MS);
	assert_headline(&shop, "shop computes longer in load:" ALL);
	shop = shop_that_calls("fsync", (struct itp_time_use){ .runnable_ns = 600 * MS }, 300 * MS);
	shop.scene->ranking.counts_waiting = true;
	assert_headline(&shop, "shop calls fsync 325 172 times, 318 before, in load:" ALL);
	shop = shop_that_calls("fdatasync", blocked, 300 * MS);
	shop.path->syscall = shop.path->often.syscall;
	shop.path->path_count = 7;
	assert_headline(&shop, "shop waits longer for the disk in load, which calls fdatasync "
			       "325 172 times, 318 before:" ALL);
}

/* One entry costs more than all together, as another one costs less; or the whole got faster. */
static void test_more_than_all(void)
{
	struct shop shop = shop_with(400 * MS, S, (struct itp_time_use){ .cpu_ns = 600 * MS });

	shop.scene->ranking.suspect_own_ns -= 100 * MS;
	assert_headline(
		&shop,
		"shop computes longer in load: 600 ms more, and all else 100 ms less. Sure.");
}

/* Waits that may be chance have made the whole faster: of an entry that surely costs more, it is
 * said. And the other way round. */
static void test_against_the_whole(void)
{
	struct shop shop = shop_with(400 * MS, S, (struct itp_time_use){ .cpu_ns = 600 * MS });

	shop.scene->ranking.suspect_own_ns -= 700 * MS;
	assert_headline(&shop, "shop computes longer in load: 600 ms more, and all else "
			       "700 ms less. Sure.");
	shop = shop_with(S, 400 * MS, (struct itp_time_use){ .cpu_ns = -600 * MS });
	shop.scene->ranking.suspect_own_ns += 700 * MS;
	assert_headline(&shop, "shop computes less in load: 600 ms less, and all else "
			       "700 ms more. Sure.");
}

static void test_faster(void)
{
	struct shop shop = shop_with(S, 400 * MS, (struct itp_time_use){ .cpu_ns = -600 * MS });

	shop.path->significance.verdict = ITP_VERDICT_LIKELY;
	assert_headline(&shop, "shop computes less in load: 600 ms of the 600 ms that all threads "
			       "together took less. Likely.");
}

static void test_nothing_beyond_chance(void)
{
	struct shop shop = shop_with(400 * MS, S, (struct itp_time_use){ .cpu_ns = 600 * MS });

	shop.path->significance.verdict = ITP_VERDICT_CHANCE;
	shop.scene->ranking.significant_count = 0;
	shop.scene->ranking.sure_count = 0;
	assert_headline(&shop, "No difference beyond chance: all threads together took 400 ms "
			       "before, 1.00 s now. A slow-down of less than 12 % may pass "
			       "unseen; 3 more runs of each make it 7.0 %.");
	shop = shop_with(400 * MS, S, (struct itp_time_use){ .cpu_ns = 600 * MS });
	shop.path->significance.verdict = ITP_VERDICT_CHANCE;
	shop.scene->ranking.significant_count = 0;
	shop.scene->ranking.sure_count = 0;
	shop.scene->ranking.whole.verdict = ITP_VERDICT_SURE;
	assert_headline(&shop, "All threads together took 400 ms before, 1.00 s now. Sure, but not "
			       "known where: no place by itself is beyond chance.");
}

static void test_one_recording(void)
{
	g_autofree char *text = NULL;
	struct scene *scene = scene_single();

	text = headline_of(scene);
	g_assert_true(g_str_has_prefix(text, "nginx sleeps in ngx_http_gzip_body_filter"));
	g_assert_true(g_str_has_suffix(text, " of all threads together."));
	scene_free(scene);
}

/* Two threads, both for 6 s in a pool. */
static void test_all_idle(void)
{
	const struct spec specs[] = { { "many", "main", 1, 0, 0, 1, 0, 0 } };
	struct shop shop = { .scene = scene_new(NULL, "pool.data") };

	shop.path = scene_path(shop.scene, "many", specs, G_N_ELEMENTS(specs), -1);
	shop.scene->ranking.suspect_own_ns = 0;
	scene_idle(shop.scene, "many", "syscall:futex", 0, 8 * S);
	scene_idle(shop.scene, "many", "syscall:pause", 0, 4 * S);
	assert_headline(&shop, "many only waited for work, most of it in futex: 12.0 s of all "
			       "threads together.");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/headline/a sleep", test_sleeps);
	g_test_add_func("/headline/the disk", test_waits_for_the_disk);
	g_test_add_func("/headline/who ends a wait", test_waits_for_somebody);
	g_test_add_func("/headline/who holds what is waited for", test_waits_for_a_holder);
	g_test_add_func("/headline/a device", test_waits_for_a_device);
	g_test_add_func("/headline/a wait that nobody was seen to end", test_waits_for_nobody_seen);
	g_test_add_func("/headline/the CPU", test_computes);
	g_test_add_func("/headline/what is new", test_is_new);
	g_test_add_func("/headline/waiting for a CPU", test_waits_for_a_cpu);
	g_test_add_func("/headline/without waiting for a CPU", test_leaves_waiting_for_a_cpu_out);
	g_test_add_func("/headline/more calls", test_calls_more);
	g_test_add_func("/headline/programs that are started", test_starts_programs);
	g_test_add_func("/headline/more than the whole", test_more_than_all);
	g_test_add_func("/headline/against the whole", test_against_the_whole);
	g_test_add_func("/headline/a faster run", test_faster);
	g_test_add_func("/headline/nothing beyond chance", test_nothing_beyond_chance);
	g_test_add_func("/headline/calls the system more often", test_calls_the_system);
	g_test_add_func("/headline/one recording", test_one_recording);
	g_test_add_func("/headline/nothing but waiting for work", test_all_idle);
	return g_test_run();
}

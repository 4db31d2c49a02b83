/* SPDX-License-Identifier: MIT */
/*
 * The dlfilter under perfs of other versions, played by this program: structures tell their size,
 * and what lies outside of it is not touched.
 */
#include <dlfcn.h>
#include <glib.h>
#include <linux/perf_event.h>

#include "plugins/perf/dlfilter/dlfilter-abi.h"

#define DROPPED 1
#define FAILED (-1)

typedef int (*start_func)(void **data, void *context);
typedef int (*filter_func)(void *data, const struct perf_dlfilter_sample *sample, void *context);

/* What start() has made. As in perf, nothing of it is freed when a run does not come to its end. */
static void *started[4];
static size_t started_count;

static struct perf_event_attr attr = {
	.type = PERF_TYPE_SOFTWARE,
	.size = PERF_ATTR_SIZE_VER0,
	.config = PERF_COUNT_SW_CPU_CLOCK,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN,
};

static const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_USER, 0x401000, 0x402000 };

static struct perf_dlfilter_al place;

static char **no_arguments(void *context, int *count)
{
	(void)context;
	*count = 0;
	return NULL;
}

static const struct perf_dlfilter_al *resolve_ip(void *context)
{
	(void)context;
	return &place;
}

static int32_t resolve_nothing(void *context, uint64_t address, struct perf_dlfilter_al *al)
{
	(void)context;
	(void)address;
	(void)al;
	return -1;
}

static struct perf_event_attr *get_attr(void *context)
{
	(void)context;
	return &attr;
}

/* Loads the module, fills in what it is to call, and starts it. */
static filter_func open_module(void)
{
	g_autofree char *path =
		g_build_filename(g_getenv("ITP_BUILD_DIR"), ".libs", "introperf.so", NULL);
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	struct perf_dlfilter_fns *fns = library ? dlsym(library, "perf_dlfilter_fns") : NULL;
	start_func begin = fns ? (start_func)dlsym(library, "start") : NULL;

	g_assert_true(begin != NULL);
	fns->args = no_arguments;
	fns->resolve_ip = resolve_ip;
	fns->resolve_address = resolve_nothing;
	fns->attr = get_attr;
	g_assert_cmpint(begin(&started[started_count], NULL), ==, 0);
	return (filter_func)dlsym(library, "filter_event");
}

/* Hands over one sample of this size. */
static int hand_over(uint32_t size)
{
	struct {
		struct perf_dlfilter_sample sample;
		uint64_t later[8];
	} given = { .sample = { .size = size,
				.pid = 10,
				.tid = 10,
				.time = 1000,
				.cpu = 0,
				.cpumode = PERF_RECORD_MISC_USER,
				.misc = PERF_RECORD_MISC_USER,
				.raw_callchain_nr = G_N_ELEMENTS(chain),
				.raw_callchain = chain,
				.event = "cpu-clock" } };
	filter_func filter = open_module();

	return filter(started[started_count++], &given.sample, NULL);
}

static void test_oldest(void)
{
	place = (struct perf_dlfilter_al){ .size = sizeof(place), .comm = "name" };
	g_assert_cmpint(hand_over(sizeof(struct perf_dlfilter_sample)), ==, DROPPED);
}

static void test_later(void)
{
	place = (struct perf_dlfilter_al){ .size = sizeof(place) + 16, .comm = "name" };
	g_assert_cmpint(hand_over(sizeof(struct perf_dlfilter_sample) + 64), ==, DROPPED);
}

static void test_older(void)
{
	if (g_test_subprocess()) {
		g_assert_cmpint(hand_over(offsetof(struct perf_dlfilter_sample, event)), ==,
				FAILED);
		return;
	}
	g_test_trap_subprocess(NULL, 0, 0);
	g_test_trap_assert_passed();
	g_test_trap_assert_stderr("introperf.so: this perf is older than perf 5.14*");
}

static void test_lacks_comm(void)
{
	place = (struct perf_dlfilter_al){ .size = offsetof(struct perf_dlfilter_al, comm),
					   .comm = (const char *)1 };
	g_assert_cmpint(hand_over(sizeof(struct perf_dlfilter_sample)), ==, DROPPED);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/dlfilter/samples as perf 5.14 has them are taken", test_oldest);
	g_test_add_func("/dlfilter/samples of a later perf are larger", test_later);
	g_test_add_func("/dlfilter/smaller samples are refused", test_older);
	g_test_add_func("/dlfilter/what a place lacks is not looked at", test_lacks_comm);
	return g_test_run();
}

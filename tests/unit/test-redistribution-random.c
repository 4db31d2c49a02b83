/* SPDX-License-Identifier: MIT */
/*
 * What holds up others, on seeded random lives, against a simulation that asks at each instant for
 * each thread.
 */
#include "common/wait/redistribution.h"
#include "tests/unit/redistribution.h"

#define SCHEDULES 2000
#define THREADS 5
#define SPAN 60

/* Kernel's reasons, by their functions; the tree: a process, a root for each of three kinds of
 * threads, and below each as many nodes. */
#define LEAVES 4
#define PLACES 5

struct world {
	struct test_run *run;
	uint32_t reasons[3];
	uint32_t leaves[3][LEAVES];
	uint32_t *places;
	uint8_t *purposes;
	/* struct itp_stretch */
	GArray *all;
	struct itp_history *history;
	struct itp_recall recall;
};

static uint32_t reason_of(struct test_run *run, const char *name)
{
	const struct itp_function function = {
		.name = name, .module = "[kernel]", .build_id = "", .layer = ITP_LAYER_KERNEL
	};

	return itp_function_table_intern(run->functions, &function);
}

static void make_tree(struct world *world, GRand *random)
{
	static const char *const roots[] = { "red", "green", "blue" };
	static const char *const leaves[LEAVES] = { "l0", "l1", "l2", "l3" };
	uint32_t process = redistribution_node(world->run, ITP_CONTEXT_ROOT, "process");
	uint32_t count;

	for (size_t i = 0; i < 3; i++) {
		uint32_t root = redistribution_node(world->run, process, roots[i]);

		for (size_t leaf = 0; leaf < LEAVES; leaf++) {
			world->leaves[i][leaf] =
				redistribution_node(world->run, root, leaves[leaf]);
		}
	}
	count = itp_context_tree_size(world->run->tree);
	world->places = g_new0(uint32_t, count);
	world->purposes = g_new0(uint8_t, count);
	for (uint32_t node = 0; node < count; node++) {
		world->places[node] = (uint32_t)g_rand_int_range(random, 0, PLACES);
		world->purposes[node] = (uint8_t)MAX(g_rand_int_range(random, -4, 3), 0);
	}
	world->reasons[0] = reason_of(world->run, "kernel:disk");
	world->reasons[1] = reason_of(world->run, "kernel:network");
	world->reasons[2] = reason_of(world->run, "kernel:timer");
}

static struct itp_stretch random_stretch(const struct world *world, int32_t tid, int64_t begin_ns,
					 GRand *random)
{
	struct itp_stretch stretch = { .tid = tid, .begin_ns = begin_ns };

	stretch.end_ns = begin_ns + g_rand_int_range(random, 1, 15);
	stretch.kind = g_rand_int_range(random, 0, 6);
	stretch.kind = MIN(stretch.kind, ITP_STRETCH_UNKNOWN);
	stretch.kind = stretch.kind == ITP_STRETCH_UNKNOWN && g_rand_boolean(random) ?
			       ITP_STRETCH_WAIT :
			       stretch.kind;
	stretch.node = world->leaves[tid % 3][g_rand_int_range(random, 0, LEAVES)];
	if (stretch.kind == ITP_STRETCH_WAIT) {
		stretch.end = g_rand_int_range(random, 0, 8);
		stretch.end = stretch.end > ITP_WAIT_CUT ? ITP_WAIT_WOKEN : stretch.end;
		if (stretch.end == ITP_WAIT_WOKEN) {
			stretch.waker_tid = g_rand_int_range(random, 0, THREADS + 2);
			stretch.waker_process =
				stretch.waker_tid == 0 ?
					world->reasons[g_rand_int_range(random, 0, 3)] :
					ITP_FUNCTION_UNKNOWN;
		}
	}
	return stretch;
}

static void world_init(struct world *world, struct test_run *run, GRand *random)
{
	*world = (struct world){ .run = run };
	make_tree(world, random);
	world->all = g_array_new(FALSE, FALSE, sizeof(struct itp_stretch));
	world->history = itp_history_new();
	world->recall = (struct itp_recall){ .history = world->history,
					     .tree = run->tree,
					     .functions = run->functions };
	for (int32_t tid = 1; tid <= THREADS; tid++) {
		int64_t end_ns = g_rand_int_range(random, 0, 8);

		while (end_ns < SPAN) {
			const struct itp_stretch stretch = random_stretch(
				world, tid, end_ns + (g_rand_int_range(random, 0, 5) == 0 ? 2 : 0),
				random);

			itp_history_add(world->history, &stretch);
			g_array_append_val(world->all, stretch);
			end_ns = stretch.end_ns;
		}
	}
}

static void world_release(struct world *world)
{
	g_free(world->places);
	g_free(world->purposes);
	g_array_unref(world->all);
	itp_history_free(world->history);
}

/* The stretch of `tid` at an instant, or NULL. */
static const struct itp_stretch *stretch_at(const struct world *world, int32_t tid, int64_t time_ns)
{
	for (guint i = 0; i < world->all->len; i++) {
		const struct itp_stretch *stretch =
			&g_array_index(world->all, struct itp_stretch, i);

		if (stretch->tid == tid && stretch->begin_ns <= time_ns &&
		    time_ns < stretch->end_ns) {
			return stretch;
		}
	}
	return NULL;
}

static bool is_wait(const struct itp_stretch *stretch)
{
	return stretch && stretch->kind == ITP_STRETCH_WAIT;
}

/* Who ends a wait, of the threads that were recorded; 0 for none. */
static int32_t waker_of(const struct itp_stretch *stretch)
{
	return is_wait(stretch) && stretch->waker_tid <= THREADS &&
			       stretch->waker_tid != stretch->tid ?
		       stretch->waker_tid :
		       0;
}

/* The name of the vertex that ends a wait and is no recorded thread; NULL for none. */
static const char *other_of(const struct world *world, const struct itp_stretch *stretch)
{
	if (!is_wait(stretch) || stretch->end != ITP_WAIT_WOKEN || waker_of(stretch) != 0) {
		return NULL;
	}
	return stretch->waker_tid != 0 ?
		       "-" :
	       stretch->waker_process == world->reasons[2] ?
		       "time" :
		       redistribution_name(&world->recall, stretch->waker_process);
}

static const char *root_of(int32_t tid)
{
	static const char *const roots[] = { "red", "green", "blue" };

	return roots[tid % 3];
}

/* Threads on the chain of `tid`, itself first. Returns how many. */
static size_t chain_at(const struct world *world, int32_t tid, int64_t time_ns, int32_t *ret_chain)
{
	size_t length = 0;
	bool is_on[THREADS + 1] = { false };

	while (tid != 0 && !is_on[tid]) {
		is_on[tid] = true;
		ret_chain[length++] = tid;
		tid = waker_of(stretch_at(world, tid, time_ns));
	}
	return length;
}

/* What is asked for: sums by place; waits by place; and edges, by their text. */
struct naive {
	int64_t all_held;
	int64_t held[PLACES];
	int64_t passed[PLACES];
	int64_t waits[PLACES];
	bool is_held[PLACES][THREADS + 1];
	/* int64_t in pointers by "FROM > TO". Owned by this. */
	GHashTable *edges;
};

static void add_edge(struct naive *naive, const char *from, const char *to, int64_t ns)
{
	char *key = g_strdup_printf("%s > %s", from, to);
	gsize sum = GPOINTER_TO_SIZE(g_hash_table_lookup(naive->edges, key)) + (gsize)ns;

	g_hash_table_insert(naive->edges, key, GSIZE_TO_POINTER(sum));
}

static uint8_t purpose_at(const struct world *world, int32_t tid, int64_t time_ns)
{
	const struct itp_stretch *stretch = stretch_at(world, tid, time_ns);

	return is_wait(stretch) ? world->purposes[stretch->node] : ITP_WAIT_FOR_ANYTHING;
}

static bool counts_at(const struct world *world, const int32_t *chain, size_t length,
		      int64_t time_ns)
{
	if (purpose_at(world, chain[0], time_ns) == ITP_WAIT_FOR_AN_END) {
		return false;
	}
	for (size_t i = 1; i < length; i++) {
		if (purpose_at(world, chain[0], time_ns) == ITP_WAIT_FOR_WORK &&
		    purpose_at(world, chain[i], time_ns) != ITP_WAIT_FOR_ANYTHING) {
			return false;
		}
	}
	return true;
}

static void count_instant(const struct world *world, struct naive *naive, int32_t tid,
			  int64_t time_ns)
{
	int32_t chain[THREADS];
	size_t length = chain_at(world, tid, time_ns, chain);
	bool is_counted[PLACES] = { true };
	/* Of the last one on the chain that is in the place. */
	bool passes[PLACES] = { false };
	const char *other = other_of(world, stretch_at(world, chain[length - 1], time_ns));

	naive->waits[world->places[stretch_at(world, tid, time_ns)->node]]++;
	if (!counts_at(world, chain, length, time_ns)) {
		return;
	}
	naive->all_held += length > 1;
	for (size_t i = 1; i < length; i++) {
		const struct itp_stretch *stretch = stretch_at(world, chain[i], time_ns);
		uint32_t place = stretch ? world->places[stretch->node] : ITP_PLACE_NONE;

		add_edge(naive, root_of(chain[i - 1]), root_of(chain[i]), 1);
		naive->held[place] += !is_counted[place];
		naive->is_held[place][tid] |= place != ITP_PLACE_NONE;
		is_counted[place] = true;
		passes[place] = stretch && waker_of(stretch) != 0;
	}
	for (uint32_t place = 1; place < PLACES; place++) {
		naive->passed[place] += passes[place];
	}
	if (other) {
		add_edge(naive, root_of(chain[length - 1]), other, 1);
	}
}

/* The first thread that waits for `device` at an instant, 0 for none. */
static int32_t user_at(const struct world *world, const char *device, int64_t time_ns)
{
	for (int32_t tid = 1; tid <= THREADS; tid++) {
		if (g_strcmp0(other_of(world, stretch_at(world, tid, time_ns)), device) == 0) {
			return tid;
		}
	}
	return 0;
}

static int64_t first_instant(const struct world *world)
{
	int64_t first_ns = INT64_MAX;

	for (guint i = 0; i < world->all->len; i++) {
		first_ns = MIN(first_ns, g_array_index(world->all, struct itp_stretch, i).begin_ns);
	}
	return first_ns;
}

/* Time without a user goes to the next one. */
static void count_idle(const struct world *world, struct naive *naive, const char *device)
{
	int64_t idle_ns = 0;

	for (int64_t at = first_instant(world); at < SPAN + 20; at++) {
		int32_t user = user_at(world, device, at);

		if (user != 0 && idle_ns > 0) {
			add_edge(naive, device, root_of(user), idle_ns);
		}
		idle_ns = user != 0 ? 0 : idle_ns + 1;
	}
}

static void simulate(const struct world *world, struct naive *naive)
{
	naive->edges = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (int64_t at = 0; at < SPAN + 20; at++) {
		for (int32_t tid = 1; tid <= THREADS; tid++) {
			if (is_wait(stretch_at(world, tid, at))) {
				count_instant(world, naive, tid, at);
			}
		}
	}
	count_idle(world, naive, "kernel:disk");
	count_idle(world, naive, "kernel:network");
}

static void assert_equal(const struct world *world, const struct itp_redistribution *result,
			 const struct naive *naive)
{
	guint places = 0;
	int64_t last_ns = INT64_MAX;

	g_assert_cmpint(result->held_ns, ==, naive->all_held);
	for (guint i = 0; i < result->places->len; i++) {
		const struct itp_held_place *place =
			&g_array_index(result->places, struct itp_held_place, i);
		uint32_t threads = 0;

		for (int32_t tid = 1; tid <= THREADS; tid++) {
			threads += naive->is_held[place->place][tid];
		}
		g_assert_cmpint(place->held_ns, ==, naive->held[place->place]);
		g_assert_cmpint(place->wait_ns, ==, naive->waits[place->place]);
		g_assert_cmpuint(place->held_threads, ==, threads);
		g_assert_cmpint(place->passed_ns, ==, naive->passed[place->place]);
		g_assert_cmpint(itp_held_place_own_ns(place), <=, last_ns);
		last_ns = itp_held_place_own_ns(place);
	}
	for (size_t i = 1; i < PLACES; i++) {
		places += naive->held[i] > 0 || naive->waits[i] > 0;
	}
	g_assert_cmpuint(result->places->len, ==, places);
	g_assert_cmpuint(result->edges->len, ==, g_hash_table_size(naive->edges));
	for (guint i = 0; i < result->edges->len; i++) {
		const struct itp_wait_for *edge =
			&g_array_index(result->edges, struct itp_wait_for, i);
		g_autofree char *key = g_strdup_printf(
			"%s > %s", redistribution_vertex_name(&world->recall, result, edge->from),
			redistribution_vertex_name(&world->recall, result, edge->to));

		g_assert_cmpint(edge->wait_ns, ==,
				(int64_t)GPOINTER_TO_SIZE(g_hash_table_lookup(naive->edges, key)));
	}
}

static void test_as_a_simulation_says(void)
{
	for (guint32 seed = 0; seed < SCHEDULES && !g_test_failed(); seed++) {
		g_autoptr(GRand) random = g_rand_new_with_seed(seed);
		struct naive naive = { .edges = NULL };
		struct itp_redistribution *result;
		struct test_run run;
		struct world world;

		test_run_init(&run, ITP_CONTINUITY_CALL_SITE, ITP_ESTIMATE_BEST, NULL);
		world_init(&world, &run, random);
		result = itp_redistribution_new(
			&(struct itp_redistribution_input){ .recall = &world.recall,
							    .places = world.places,
							    .purposes = world.purposes });
		simulate(&world, &naive);
		assert_equal(&world, result, &naive);
		if (g_test_failed()) {
			g_test_message("seed %u", seed);
		}
		g_hash_table_unref(naive.edges);
		itp_redistribution_free(result);
		world_release(&world);
		test_run_release(&run, NULL);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/redistribution/as a simulation of each instant says",
			test_as_a_simulation_says);
	return g_test_run();
}

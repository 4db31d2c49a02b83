/* SPDX-License-Identifier: MIT */
/* What units of each type did: by hand, and against every call cut to every unit. */
#include "common/infer/options.h"
#include "tests/unit/unit-program.h"

#define PROGRAMS 300
#define DEEPEST 4

/* What was summed of all groups, or of one. */
static struct itp_profile *profile_of(struct program *program, gint group)
{
	struct itp_profile *profile = itp_profile_new("");

	for (gint i = 0; i < (gint)program->groups->len; i++) {
		if (group < 0 || group == i) {
			itp_unit_profiles_merge(program->profiles, (guint)i, profile);
		}
	}
	return profile;
}

static void finish(struct program *program)
{
	itp_unit_finder_finish(program->finder);
	g_assert_cmpint(itp_unit_profiles_finish(program->profiles), ==, 0);
}

/* ---- By hand ---- */

/* The wait lies in a function that prepares it before, in the unit that ends, and looks at its
 * result behind, in the one that begins. */
static void serve_once(struct program *program, int64_t at)
{
	stretch(program, ITP_STRETCH_RUN, at - 40, at);
	call(program, "p main serve wait prepare", at - 3, at - 1, 0);
	stretch(program, ITP_STRETCH_WAIT, at, at + 50);
	call(program, "p main serve wait syscall:poll", at, at + 50, 50);
	stretch(program, ITP_STRETCH_RUN, at + 50, at + 60);
	call(program, "p main serve wait look", at + 50, at + 51, 0);
	call(program, "p main serve wait", at - 4, at + 52, 50);
	call(program, "p main serve answer syscall:write", at + 62, at + 70, 0);
	call(program, "p main serve answer", at + 60, at + 80, 0);
}

static void assert_node(struct program *program, const struct itp_profile *profile,
			const char *path, uint64_t count, int64_t total_ns, int64_t own_ns)
{
	uint32_t depth;
	const struct itp_node_stats *stats =
		itp_profile_peek(profile, node_of(program, path, &depth));

	g_test_message("%s", path);
	g_assert_cmpuint(stats->count, ==, count);
	g_assert_cmpint(stats->total_ns, ==, total_ns);
	g_assert_cmpint(stats->own_ns, ==, own_ns);
	/* The thread was never seen to wait for anything else. */
	g_assert_cmpint(stats->use.cpu_ns, ==, total_ns);
	g_assert_cmpint(stats->own_use.cpu_ns, ==, own_ns);
	g_assert_cmpint(stats->use.blocked_ns, ==, 0);
}

static void test_parts_of_calls(struct program *program)
{
	struct itp_profile *profile;

	for (int64_t at = 100; at < 700; at += 100) {
		serve_once(program, at);
	}
	finish(program);
	g_assert_cmpuint(program->units->len, ==, 5);
	profile = profile_of(program, -1);
	assert_node(program, profile, "p", 5, 250, 0);
	assert_node(program, profile, "p main", 5, 250, 0);
	assert_node(program, profile, "p main serve", 5, 250, 5 * 24);
	assert_node(program, profile, "p main serve answer", 5, 100, 60);
	assert_node(program, profile, "p main serve answer syscall:write", 5, 40, 40);
	assert_node(program, profile, "p main serve wait", 5, 5 * 6, 5 * 3);
	assert_node(program, profile, "p main serve wait prepare", 5, 10, 10);
	assert_node(program, profile, "p main serve wait look", 5, 5, 5);
	assert_node(program, profile, "p main serve wait syscall:poll", 0, 0, 0);
	g_assert_cmpint(itp_latencies_count(profile->latencies, 1), ==, 5);
	itp_profile_free(profile);
}

/* What is outside of units is in none. */
static void test_nothing_else(struct program *program)
{
	struct itp_profile *profile;

	call(program, "p main start", 0, 50, 0);
	for (int64_t at = 100; at < 700; at += 100) {
		serve_once(program, at);
	}
	program->tid = 2;
	call(program, "p other", 100, 500, 0);
	program->tid = 1;
	call(program, "p main serve", 90, 700, 0);
	call(program, "p main stop", 700, 800, 0);
	call(program, "p main", 0, 900, 0);
	call(program, "p", 0, 900, 0);
	finish(program);
	profile = profile_of(program, -1);
	assert_node(program, profile, "p", 5, 250, 0);
	assert_node(program, profile, "p main start", 0, 0, 0);
	assert_node(program, profile, "p main stop", 0, 0, 0);
	assert_node(program, profile, "p other", 0, 0, 0);
	itp_profile_free(profile);
	g_assert_cmpuint(itp_unit_profiles_left_out(program->profiles), ==, 0);
}

/* A thread that computes and never waits makes too many calls; the server's are kept. */
static void test_too_many_calls(struct program *program)
{
	struct itp_profile *profile;
	int64_t at = 100;

	for (int k = 0; k < 6; k++, at += 100) {
		serve_once(program, at);
		program->tid = 2;
		for (int i = 0; i < 400000; i++) {
			call(program, "q compute", at, at + 1, 0);
		}
		program->tid = 1;
	}
	finish(program);
	profile = profile_of(program, -1);
	assert_node(program, profile, "p main serve", 5, 250, 5 * 24);
	itp_profile_free(profile);
	g_assert_cmpuint(itp_unit_profiles_left_out(program->profiles), ==, 0);
}

/* ---- Types ---- */

/* Ten units that answer, and five that search. */
static void serve_both(struct program *program)
{
	for (int64_t at = 0; at < 1600; at += 100) {
		const char *what = at / 100 % 3 == 2 ? "search" : "answer";
		g_autofree char *outer = g_strdup_printf("p main %s", what);
		g_autofree char *inner = g_strdup_printf("%s syscall:write", outer);

		call(program, "p main wait syscall:poll", at, at + 50, 50);
		call(program, "p main wait", at, at + 50, 50);
		call(program, inner, at + 60, at + 70, 0);
		call(program, outer, at + 60, at + 80, 0);
	}
}

/* "MAIN ANSWER SEARCH", how often they are in these units; or why there are none. */
/* Nor are the units known that would tell it. */
static void test_units_do_not_tell_whose_loss_waits_are(void)
{
	struct itp_workload workload = { .counts = { .units = 3, .commands = 1 } };

	itp_within_describe(&workload);
	g_assert_cmpuint(workload.counts.units, ==, 0);
	g_assert_cmpuint(workload.counts.commands, ==, 0);
}

static void assert_within(struct program *program, const char *text, const char *wanted)
{
	static const char *const paths[] = { "p main", "p main answer", "p main search" };
	struct itp_profile *profile = itp_profile_new("w");
	g_autoptr(GString) counts = g_string_new(NULL);
	g_autoptr(GError) error = NULL;

	program->within = itp_within_new(program->tree, program->functions, text, false);
	serve_both(program);
	if (itp_within_finish(program->within, ITP_UNIT_CUT, profile, &error)) {
		for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
			uint32_t depth;
			const uint32_t node = node_of(program, paths[i], &depth);

			g_string_append_printf(counts, " %u",
					       (guint)itp_profile_peek(profile, node)->count);
		}
	}
	g_assert_cmpstr(error ? error->message : counts->str, ==, wanted);
	itp_profile_free(profile);
	itp_within_free(program->within);
	program->within = NULL;
}

static void test_types_are_apart(struct program *program)
{
	assert_within(program, "unit:search", " 5 0 5");
	assert_within(program, "unit:answer", " 10 10 0");
	assert_within(program, "unit:main", " 15 10 5");
	assert_within(program, "unit", " 15 10 5");
	assert_within(program, "unit:wait",
		      "parameter \"in\": \"w\" has no units of wait; there are those of main "
		      "(answer), main (search)");
}

static void test_texts(struct program *program)
{
	g_autofree char *text = itp_within_options_text("unit:f(int, int)", "group-by=pid");
	g_autofree char *in = itp_options_text_get(text, "in");
	g_autoptr(GError) error = NULL;
	const char *type;

	(void)program;
	g_assert_cmpstr(text, ==, "group-by=pid estimate=best in=unit:f(int,_int)");
	g_assert_cmpstr(in, ==, "unit:f(int,_int)");
	g_assert_null(itp_options_text_get(text, "i"));
	g_assert_true(itp_within_parse("unit:f", &type, NULL));
	g_assert_cmpstr(type, ==, "f");
	g_assert_true(itp_within_parse("unit", &type, NULL));
	g_assert_null(type);
	g_assert_false(itp_within_parse(NULL, &type, NULL));
	g_assert_false(itp_within_parse("unit:", &type, &error));
	g_assert_cmpstr(error->message, ==,
			"parameter \"in\": \"unit:\" is not one of unit, unit:TYPE");
}

/* ---- At random ---- */

struct made {
	uint32_t node;
	uint32_t depth;
	int64_t begin_ns;
	int64_t end_ns;
};

struct story {
	struct program *program;
	GRand *random;
	/* struct made */
	GArray *calls;
	int64_t now_ns;
};

static void tell(struct story *story, const char *path, int64_t begin_ns, int64_t blocked_ns)
{
	struct made made = { .begin_ns = begin_ns, .end_ns = story->now_ns };

	made.node = node_of(story->program, path, &made.depth);
	g_array_append_val(story->calls, made);
	call(story->program, path, begin_ns, story->now_ns, blocked_ns);
}

static void pass_time(struct story *story)
{
	story->now_ns += g_rand_int_range(story->random, 1, 20);
}

/* Calls below `path`, and a system call in some of them. */
static void work(struct story *story, const char *path, int depth)
{
	static const char *const names[] = { "a", "b", "c", "syscall:write" };

	for (int i = g_rand_int_range(story->random, 0, 3); i > 0; i--) {
		const char *name = names[g_rand_int_range(story->random, 0, 4)];
		g_autofree char *own = g_strdup_printf("%s %s", path, name);
		const int64_t begin_ns = story->now_ns;

		pass_time(story);
		if (depth < DEEPEST && !g_str_has_prefix(name, ITP_SYSCALL_PREFIX)) {
			work(story, own, depth + 1);
		}
		tell(story, own, begin_ns, 0);
		pass_time(story);
	}
}

/* The loop calls `depth` functions to wait, all of which work before and behind that. */
static void wait_below(struct story *story, const char *path, int depth)
{
	const bool is_wait = depth == 0;
	g_autofree char *own =
		g_strdup_printf("%s %s", path, is_wait ? "syscall:epoll_wait" : "wait");
	const int64_t begin_ns = story->now_ns;

	pass_time(story);
	if (!is_wait) {
		work(story, own, DEEPEST - 1);
		wait_below(story, own, depth - 1);
		work(story, own, DEEPEST - 1);
	}
	tell(story, own, begin_ns, is_wait ? 1 : 0);
	pass_time(story);
}

static int64_t overlap_ns(const struct made *made, const struct itp_unit *unit)
{
	return MAX(0, MIN(made->end_ns, unit->end_ns) - MAX(made->begin_ns, unit->begin_ns));
}

/* Every call cut to every unit of the group. */
static void assert_is_cut(const struct story *story, guint group)
{
	struct program *program = story->program;
	struct itp_profile *profile = profile_of(program, (gint)group);
	const uint32_t size = itp_context_tree_size(program->tree);
	g_autofree int64_t *total_ns = g_new0(int64_t, size);
	int64_t units_ns = 0;
	int64_t own_ns = 0;

	for (guint i = 0; i < program->units->len; i++) {
		const struct itp_unit *unit = &g_array_index(program->units, struct itp_unit, i);

		if (g_array_index(program->groups, guint, i) != group) {
			continue;
		}
		units_ns += unit->end_ns - unit->begin_ns;
		for (guint k = 0; k < story->calls->len; k++) {
			const struct made *made = &g_array_index(story->calls, struct made, k);

			total_ns[made->node] += overlap_ns(made, unit);
		}
	}
	for (uint32_t node = 1; node < size; node++) {
		const struct itp_node_stats *stats = itp_profile_peek(profile, node);
		const bool is_outside = itp_context_tree_get(program->tree, node)->depth <= 3;

		g_assert_cmpint(stats->total_ns, ==, is_outside ? units_ns : total_ns[node]);
		g_assert_cmpint(stats->own_ns, >=, 0);
		own_ns += stats->own_ns;
	}
	g_assert_cmpint(own_ns, ==, units_ns);
	itp_profile_free(profile);
}

static void test_random_programs(void)
{
	guint units = 0;

	for (int i = 0; i < PROGRAMS && !g_test_failed(); i++) {
		const guint32 seed = (guint32)g_test_rand_int();
		g_autoptr(GRand) random = g_rand_new_with_seed(seed);
		g_autoptr(GArray) calls = g_array_new(FALSE, FALSE, sizeof(struct made));
		struct program program;
		struct story story = { .program = &program, .random = random, .calls = calls };

		program_init(&program);
		for (int k = g_rand_int_range(random, 5, 30), depth = k % 3; k > 0; k--) {
			wait_below(&story, "p main serve", depth);
			work(&story, "p main serve", 0);
		}
		finish(&program);
		units += program.units->len;
		for (guint k = 0; k < program.units->len; k++) {
			assert_is_cut(&story, g_array_index(program.groups, guint, k));
		}
		if (g_test_failed()) {
			g_test_message("seed %u", seed);
		}
		program_release(&program);
	}
	g_assert_cmpuint(units, >, PROGRAMS);
}

int main(int argc, char **argv)
{
	static const struct test_on_program tests[] = {
		{ "/unit-profiles/parts of calls", test_parts_of_calls },
		{ "/unit-profiles/nothing else", test_nothing_else },
		{ "/unit-profiles/too many calls", test_too_many_calls },
		{ "/unit-profiles/types are apart", test_types_are_apart },
		{ "/unit-profiles/texts", test_texts },
	};

	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	program_add_tests(tests, G_N_ELEMENTS(tests));
	g_test_add_func("/unit-profiles/units do not tell whose loss waits are",
			test_units_do_not_tell_whose_loss_waits_are);
	g_test_add_func("/unit-profiles/random programs", test_random_programs);
	return g_test_run();
}

/* SPDX-License-Identifier: MIT */
/* Guards: types from contexts as in the paper's figure, files, stacks, and which calls are watched.
 */
#include <glib/gstdio.h>
#include <string.h>

#include "common/guard/guard.h"
#include "common/guard/matching.h"
#include "common/guard/probes.h"
#include "common/guard/usual.h"

#define ROUNDS 2000

/* Functions a to h of the paper's Figure 4 as bits. */
enum {
	A = 1,
	B = 2,
	E = 4,
	C = 8,
	F = 16,
	D = 32,
	G = 64,
	H = 128
};

static const struct itp_guard_shape figure[] = {
	{ A | B | E | C | F, A | B | E | C | F, 30, 3 },
	{ A | B | E | C | D | G, A | B | E | C | D | G, 20, 2 },
	{ A | B | E | D | H, A | B | E | D | H, 10, 1 },
};

static struct itp_guard_choice choose(const struct itp_guard_shape *shapes, uint32_t count,
				      uint64_t seen)
{
	struct itp_guard_choice choice;

	itp_guard_choice_init(&choice, seen);
	for (uint32_t i = 0; i < count; i++) {
		itp_guard_consider(&choice, &shapes[i], i);
	}
	return choice;
}

/* "The candidates are those with most occurrences", and of these the one with the smallest limit;
 * here those that lack fewer come first. */
static void test_figure(void)
{
	struct itp_guard_choice choice = choose(figure, 3, A | B | E);

	g_assert_cmpint(itp_guard_smallest_limit_ns(&choice), ==, 10);
	g_assert_cmpint(itp_guard_largest_limit_ns(&choice), ==, 30);
	g_assert_cmpuint(choice.type, ==, 2);
	choice = choose(figure, 3, A | B | E | D);
	g_assert_cmpint(itp_guard_largest_limit_ns(&choice), ==, 20);
	g_assert_cmpuint(choice.type, ==, 2);
	choice = choose(figure, 3, A | B | E | D | H);
	g_assert_cmpuint(choice.type, ==, 2);
	g_assert_cmpint(itp_guard_largest_limit_ns(&choice), ==, 10);
	choice = choose(figure, 3, A | B | E | C | F);
	g_assert_cmpuint(choice.type, ==, 0);
	choice = choose(figure, 3, A | B | E | C | D);
	g_assert_cmpuint(choice.type, ==, 1);
}

static void test_none_fits(void)
{
	/* No type has both ends: it may be any, and is most likely the one with most of it. */
	const struct itp_guard_choice choice = choose(figure, 3, A | B | E | C | F | H);

	g_assert_cmpuint(choice.type, ==, 0);
	g_assert_false(itp_guard_is_of_a_type(&choice));
	g_assert_cmpint(itp_guard_largest_limit_ns(&choice), ==, 30);
	g_assert_cmpint(itp_guard_smallest_limit_ns(&choice), ==, 10);
}

/* Both types have as much of what was seen. While they learn neither has a limit, and later the
 * other one may have the smaller one: the unit is of the same type all the time. */
static void test_types_of_those_who_learn(void)
{
	struct itp_guard_shape shapes[] = { { A | B, A | B, INT64_MAX, 50 },
					    { A | C, A | C, INT64_MAX, 40 } };

	g_assert_cmpuint(choose(shapes, 2, A).type, ==, 1);
	shapes[0].limit_ns = 10;
	shapes[1].limit_ns = 20;
	g_assert_cmpuint(choose(shapes, 2, A).type, ==, 1);
	shapes[1].recorded_ns = 50;
	g_assert_cmpuint(choose(shapes, 2, A).type, ==, 0);
}

static void test_nothing_seen(void)
{
	const struct itp_guard_shape shapes[] = { { 0, 0, 50, 50 }, { A, A, 40, 40 } };

	g_assert_cmpuint(choose(shapes, 2, 0).type, ==, 0);
	g_assert_cmpuint(choose(shapes, 2, A).type, ==, 1);
}

static uint64_t random_bits(void)
{
	return (uint64_t)g_test_rand_int() << 32 | (uint32_t)g_test_rand_int();
}

/* What has seen just the contexts of one type is of it, unless another has the same; and a unit is
 * only late for certain when it is late as what it is. */
static void test_random_types(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		const uint32_t count = (uint32_t)g_test_rand_int_range(1, ITP_GUARD_MOST + 1);
		const uint64_t mask = random_bits() & random_bits();
		struct itp_guard_shape shapes[ITP_GUARD_MOST];
		const uint32_t own = (uint32_t)g_test_rand_int_range(0, (gint32)count);
		struct itp_guard_choice choice;

		for (uint32_t i = 0; i < count; i++) {
			shapes[i].usual = random_bits() & mask;
			shapes[i].possible = shapes[i].usual | (random_bits() & mask);
			shapes[i].limit_ns = g_test_rand_int_range(1, 1000);
			shapes[i].recorded_ns = shapes[i].limit_ns;
		}
		choice = choose(shapes, count, shapes[own].usual);
		g_assert_cmpuint(shapes[choice.type].usual & shapes[own].usual, ==,
				 shapes[own].usual);
		choice = choose(shapes, count, shapes[own].possible & random_bits());
		g_assert_cmpint(itp_guard_largest_limit_ns(&choice), >=, shapes[own].limit_ns);
		g_assert_cmpint(itp_guard_smallest_limit_ns(&choice), <=, shapes[own].limit_ns);
	}
}

static void test_bits(void)
{
	g_assert_cmpuint(itp_guard_count_bits(0), ==, 0);
	g_assert_cmpuint(itp_guard_count_bits(UINT64_MAX), ==, 64);
	for (int round = 0; round < ROUNDS; round++) {
		const uint64_t bits = random_bits();

		g_assert_cmpuint(itp_guard_count_bits(bits), ==, __builtin_popcountll(bits));
	}
}

/* A latency is in the bucket that begins at it or up to a quarter below. */
static void test_buckets(void)
{
	g_assert_cmpuint(itp_guard_bucket(0), ==, 0);
	g_assert_cmpuint(itp_guard_bucket(3), ==, 3);
	g_assert_cmpuint(itp_guard_bucket_ns(itp_guard_bucket(1000)), ==, 896);
	for (int round = 0; round < ROUNDS; round++) {
		const uint64_t latency_ns = random_bits() >> g_test_rand_int_range(0, 64);
		const uint64_t begin_ns = itp_guard_bucket_ns(itp_guard_bucket(latency_ns));

		g_assert_cmpuint(begin_ns, <=, latency_ns);
		g_assert_cmpuint(latency_ns - begin_ns, <=, begin_ns / 4);
	}
}

/* ---- Files ---- */

static char **path_of(const char *functions)
{
	return g_strsplit(functions, " ", -1);
}

static void add_context(struct itp_guard_loop *loop, const char *path, bool is_look)
{
	const struct itp_guard_context context = { path_of(path), is_look };

	g_array_append_val(loop->contexts, context);
}

static void add_type(struct itp_guard_loop *loop, const char *name, uint64_t units,
		     uint64_t contexts, int64_t limit_ns)
{
	struct itp_guard_type type = {
		.name = g_strdup(name), .units = units, .median_ns = 5, .limit_ns = limit_ns
	};

	for (guint i = 0; i < ITP_GUARD_MOST; i++) {
		type.in_context[i] = contexts >> i & 1 ? units : 0;
	}
	g_array_append_val(loop->types, type);
}

/* Requests that read or write, and some that do both. */
static struct itp_guard_file *example(void)
{
	struct itp_guard_file *file = itp_guard_file_new();
	struct itp_guard_loop *loop = itp_guard_file_add_loop(file, "server", "server!serve");
	const struct itp_guard_module module = { g_strdup("server"), g_strdup("/bin/server"),
						 g_strdup("0123") };

	g_array_append_val(file->modules, module);
	g_ptr_array_add(loop->waits, path_of("libc!poll syscall:poll"));
	add_context(loop, "server!get libc!read syscall:read", false);
	add_context(loop, "server!put libc!write syscall:write", false);
	add_context(loop, "server!log libc!send syscall:sendto", false);
	add_type(loop, "get", 1000, 1 | 4, 100);
	add_type(loop, "put", 10, 2 | 4, 200);
	add_type(loop, "both", 30, 1 | 2 | 4, 300);
	return file;
}

static void test_round_trip(void)
{
	struct itp_guard_file *file = example();
	g_autofree char *text = itp_guard_file_text(file);
	struct itp_guard_file *again = itp_guard_file_read(text, strlen(text), "f", NULL);
	g_autofree char *text_again = itp_guard_file_text(again);

	g_assert_cmpstr(text, ==, text_again);
	g_assert_cmpuint(itp_guard_loop_at(again, 0)->types->len, ==, 3);
	g_assert_cmpuint(itp_guard_type_at(itp_guard_loop_at(again, 0), 2)->in_context[1], ==, 30);
	itp_guard_file_free(file);
	itp_guard_file_free(again);
}

/* Bytes of a file are changed, or it ends early: it is refused with a sentence, or what was read
 * can be used and written. */
static void test_hostile_files(void)
{
	struct itp_guard_file *file = example();
	g_autofree char *text = itp_guard_file_text(file);
	const gsize size = strlen(text);

	for (int round = 0; round < ROUNDS; round++) {
		g_autofree char *copy = g_strdup(text);
		const gsize end = round % 3 == 0 ? (gsize)g_test_rand_int_range(0, (gint32)size) :
						   size;
		g_autoptr(GError) error = NULL;
		struct itp_guard_file *read;

		for (int i = round % 5; i > 0; i--) {
			copy[g_test_rand_int_range(0, (gint32)size)] =
				"0123456789[]{}\",:a-\n\xff"[g_test_rand_int_range(0, 21)];
		}
		read = itp_guard_file_read(copy, end, "f", &error);
		g_assert_true((read == NULL) == (error != NULL));
		if (read) {
			struct itp_guard_probes probes;
			g_autofree char *written = itp_guard_file_text(read);

			itp_guard_probes_init(&probes, read);
			itp_guard_probes_release(&probes);
			g_assert_nonnull(written);
		}
		itp_guard_file_free(read);
	}
	itp_guard_file_free(file);
}

static void refuses(const char *text, const char *problem)
{
	g_autoptr(GError) error = NULL;
	struct itp_guard_file *file = itp_guard_file_read(text, strlen(text), "f", &error);

	g_assert_null(file);
	g_assert_nonnull(strstr(error->message, problem));
}

static void test_lies(void)
{
#define LOOP(rest) "{\"guards\":1,\"loops\":[{\"process\":\"p\",\"function\":\"f\"," rest "}]}"
#define WAITS "\"waits\":[[\"syscall:poll\"]]"
	refuses("", "is no guard file");
	refuses("{\"guards\":\"1\"}", "is no guard file");
	refuses("{\"guards\":7}", "of version 7");
	refuses("{\"guards\":1,\"loops\":[]}", "no loops");
	refuses("{\"guards\":1,\"loops\":[3]}", "loop 1 has no \"process\"");
	refuses("{\"guards\":1,\"loops\":[3],\"modules\":[{}]}", "module 1 has no \"name\"");
	refuses(LOOP("\"waits\":[]"), "has no \"waits\"");
	refuses(LOOP("\"waits\":[[]]"), "no path to a system call");
	refuses(LOOP("\"waits\":[[\"f\"]]"), "no path to a system call");
	refuses(LOOP("\"waits\":[[1,\"syscall:poll\"]]"), "no path to a system call");
	refuses(LOOP(WAITS), "has no \"types\"");
	refuses(LOOP(WAITS ",\"types\":[{\"name\":\"t\"}]"), "without a \"limit_ns\"");
	refuses(LOOP(WAITS ",\"types\":[{\"name\":\"t\",\"limit_ns\":-4}]"),
		"without a \"limit_ns\"");
	refuses(LOOP(WAITS ",\"types\":[{\"name\":\"t\",\"limit_ns\":4,\"contexts\":[[0,1]]}]"),
		"in a context that there is not");
}

/* ---- Stacks ---- */

static void test_stacks(void)
{
	struct itp_guard_file *file = example();
	g_auto(GStrv) wait = path_of("server!main server!serve libc!poll syscall:poll");
	g_auto(GStrv) deeper = path_of("server!main server!serve server!x libc!poll syscall:poll");
	g_auto(GStrv) deepest = path_of("server!serve server!x server!y libc!poll syscall:poll");
	g_auto(GStrv) other = path_of("server!main server!other libc!poll syscall:poll");
	g_auto(GStrv) put = path_of("server!main server!serve server!put libc!write syscall:write");
	g_auto(GStrv) again =
		path_of("server!serve server!serve server!put libc!write syscall:write");
	const struct itp_guard_loop *loop = itp_guard_loop_at(file, 0);

	g_assert_cmpint(itp_guard_match_wait(file, wait), ==, 0);
	g_assert_cmpint(itp_guard_match_wait(file, deeper), ==, 0);
	g_assert_cmpint(itp_guard_match_wait(file, deepest), ==, -1);
	g_assert_cmpint(itp_guard_match_wait(file, other), ==, -1);
	g_assert_cmpint(itp_guard_match_context(loop, put), ==, 1);
	g_assert_cmpint(itp_guard_match_context(loop, again), ==, 1);
	g_assert_cmpint(itp_guard_match_context(loop, wait), ==, -1);
	itp_guard_file_free(file);
}

/* ---- What is watched ---- */

/* Whether a read or a write is seen tells all three apart; sendto tells nothing. */
static void test_probes(void)
{
	struct itp_guard_file *file = example();
	const struct itp_guard_loop *loop = itp_guard_loop_at(file, 0);
	struct itp_guard_probes probes;

	itp_guard_probes_init(&probes, file);
	g_assert_cmpuint(probes.ending->len, ==, 1);
	g_assert_cmpstr(g_ptr_array_index(probes.ending, 0), ==, "poll");
	g_assert_cmpuint(probes.telling->len, ==, 2);
	g_assert_cmpstr(g_ptr_array_index(probes.telling, 0), ==, "read");
	g_assert_cmpstr(g_ptr_array_index(probes.telling, 1), ==, "write");
	g_assert_cmpuint(itp_guard_probes_seen(&probes, loop), ==, 3);
	g_assert_cmpuint(itp_guard_shape_of(itp_guard_type_at(loop, 0), 3).usual, ==, 1);
	itp_guard_probes_release(&probes);
	itp_guard_file_free(file);
}

/* Nobody pays for a type that has hardly any units. */
static void test_rare_types(void)
{
	struct itp_guard_file *file = example();
	struct itp_guard_probes probes;

	itp_guard_type_at(itp_guard_loop_at(file, 0), 1)->units = 9;
	itp_guard_type_at(itp_guard_loop_at(file, 0), 2)->units = 1;
	itp_guard_probes_init(&probes, file);
	g_assert_cmpuint(probes.telling->len, ==, 0);
	itp_guard_probes_release(&probes);
	itp_guard_file_free(file);
}

/* Where units end when they look for more, that they have done something is to be seen: of a loop
 * with one type, too. */
static void test_probes_with_looks(void)
{
	struct itp_guard_file *file = itp_guard_file_new();
	struct itp_guard_loop *loop = itp_guard_file_add_loop(file, "p", "m!f");
	struct itp_guard_probes probes;

	g_ptr_array_add(loop->waits, path_of("syscall:poll"));
	add_context(loop, "m!look syscall:recvfrom", true);
	add_context(loop, "m!work syscall:write", false);
	add_type(loop, "all", 100, 3, 100);
	itp_guard_probes_init(&probes, file);
	g_assert_cmpuint(probes.ending->len, ==, 2);
	g_assert_cmpuint(probes.telling->len, ==, 1);
	g_assert_cmpstr(g_ptr_array_index(probes.telling, 0), ==, "write");
	itp_guard_probes_release(&probes);
	itp_guard_file_free(file);
}

/* Half of the units make a context usual, any makes it possible; and what is not seen is neither.
 */
static void test_shapes(void)
{
	struct itp_guard_type type = { .units = 5, .limit_ns = 7 };
	struct itp_guard_shape shape;

	type.in_context[0] = 2;
	type.in_context[1] = 3;
	type.in_context[2] = 5;
	shape = itp_guard_shape_of(&type, 3);
	g_assert_cmpuint(shape.usual, ==, 2);
	g_assert_cmpuint(shape.possible, ==, 3);
	g_assert_cmpint(shape.limit_ns, ==, 7);
}

/* A loop with as many contexts, types and functions in profiles as there may be, whose functions
 * have names of twenty letters and are four deep. */
static void add_full_loop(struct itp_guard_file *file)
{
#define LONG_NAME "server!abcdefghijklmnopqrst"
	struct itp_guard_loop *loop = itp_guard_file_add_loop(file, "server", LONG_NAME);

	g_ptr_array_add(loop->waits, path_of("libc!poll syscall:poll"));
	for (guint i = 0; i < ITP_GUARD_MOST; i++) {
		add_context(loop, LONG_NAME " " LONG_NAME " " LONG_NAME " syscall:read", false);
	}
	for (guint i = 0; i < ITP_GUARD_MOST; i++) {
		struct itp_guard_type *type;

		add_type(loop, LONG_NAME, 100000, UINT64_MAX, 100000);
		type = itp_guard_type_at(loop, i);
		type->usual = itp_guard_usual_new();
		for (guint k = 0; k < ITP_GUARD_USUAL_MOST; k++) {
			const struct itp_guard_usual usual = { .function = g_strdup(LONG_NAME),
							       .part = 0.123456,
							       .parent = k };

			g_array_append_val(type->usual, usual);
		}
	}
}

static void test_size(void)
{
	g_autofree char *directory = g_dir_make_tmp("introperf-test-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(directory, "f.guards", NULL);
	g_autofree char *spaces = g_strnfill(ITP_GUARD_BYTES_MOST + 1, ' ');
	struct itp_guard_file *file = itp_guard_file_new();
	g_autoptr(GError) error = NULL;
	struct itp_guard_file *again;
	size_t size;

	add_full_loop(file);
	{
		g_autofree char *text = itp_guard_file_text(file);

		size = strlen(text);
		g_test_message("%zu bytes", size);
	}
	/* As the limit has it. */
	g_assert_cmpuint(10 * size, <, ITP_GUARD_BYTES_MOST);
	g_assert_cmpuint(ITP_GUARD_LOOPS_MOST * size, >, ITP_GUARD_BYTES_MOST);
	{
		g_autoptr(GString) output = itp_guard_file_output(file, path, NULL);

		g_assert_true(g_file_set_contents(path, output->str, (gssize)output->len, NULL));
	}
	again = itp_guard_file_load(path, NULL);
	g_assert_nonnull(again);
	itp_guard_file_free(again);

	g_assert_true(g_file_set_contents(path, spaces, ITP_GUARD_BYTES_MOST, NULL));
	g_assert_null(itp_guard_file_load(path, &error));
	g_assert_nonnull(strstr(error->message, "is no guard file"));
	g_clear_error(&error);
	g_assert_true(g_file_set_contents(path, spaces, ITP_GUARD_BYTES_MOST + 1, NULL));
	g_assert_null(itp_guard_file_load(path, &error));
	g_assert_nonnull(strstr(error->message, "has more than 8 MiB, the most that a file of "
						"guards may have"));
	g_clear_error(&error);
	g_remove(path);

	while (file->loops->len < ITP_GUARD_LOOPS_MOST) {
		add_full_loop(file);
	}
	g_assert_null(itp_guard_file_output(file, path, &error));
	g_assert_nonnull(strstr(error->message, "not written"));
	itp_guard_file_free(file);
	g_rmdir(directory);
}

/* Types that differ are told apart by what is watched. */
static void test_random_probes(void)
{
	for (int round = 0; round < ROUNDS / 20; round++) {
		struct itp_guard_file *file = itp_guard_file_new();
		struct itp_guard_loop *loop = itp_guard_file_add_loop(file, "p", "m!f");
		struct itp_guard_probes probes;
		uint64_t seen;

		g_ptr_array_add(loop->waits, path_of("syscall:poll"));
		for (guint i = 0; i < 12; i++) {
			g_autofree char *path = g_strdup_printf("m!f%u syscall:c%u", i, i % 7);

			add_context(loop, path, false);
		}
		for (guint i = 0; i < 8; i++) {
			add_type(loop, "t", 10, random_bits() & 0xfff, 10);
		}
		itp_guard_probes_init(&probes, file);
		seen = itp_guard_probes_seen(&probes, loop);
		for (guint a = 0; a < 8; a++) {
			for (guint b = 0; b < a; b++) {
				const struct itp_guard_type *one = itp_guard_type_at(loop, a);
				const struct itp_guard_type *other = itp_guard_type_at(loop, b);

				g_assert_cmpint(
					itp_guard_shape_of(one, seen).usual ==
						itp_guard_shape_of(other, seen).usual,
					==,
					itp_guard_shape_of(one, UINT64_MAX).usual ==
						itp_guard_shape_of(other, UINT64_MAX).usual);
			}
		}
		itp_guard_probes_release(&probes);
		itp_guard_file_free(file);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/types of the paper's figure are told by their contexts", test_figure);
	g_test_add_func("/what no type has together may be of any", test_none_fits);
	g_test_add_func("/types are given the units from which they learn",
			test_types_of_those_who_learn);
	g_test_add_func("/a unit of which nothing was seen is of the type that does nothing",
			test_nothing_seen);
	g_test_add_func("/random types: their own contexts tell them", test_random_types);
	g_test_add_func("/bits are counted", test_bits);
	g_test_add_func("/latencies are counted to within a quarter", test_buckets);
	g_test_add_func("/a file is read as it was written", test_round_trip);
	g_test_add_func("/a damaged file is refused or can be used", test_hostile_files);
	g_test_add_func("/a file that is too large is neither read nor written", test_size);
	g_test_add_func("/a file that cannot be is refused with a reason", test_lies);
	g_test_add_func("/a stack is known as a wait or a context", test_stacks);
	g_test_add_func("/as few system calls are watched as tell types apart", test_probes);
	g_test_add_func("/nothing is watched for types of few units", test_rare_types);
	g_test_add_func("/units that end by looks are seen to have begun", test_probes_with_looks);
	g_test_add_func("/usual is what half of the units do", test_shapes);
	g_test_add_func("/random loops: types that differ are told apart", test_random_probes);
	return g_test_run();
}

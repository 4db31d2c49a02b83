/* SPDX-License-Identifier: MIT */
/*
 * common/symbol/jit-dump.c on dumps that are made here, whole and damaged.
 */
#include "common/symbol/jit-dump.h"
#include "common/unwind/cfi.h"
#include "tests/perf/recording.h"

#include <glib/gstdio.h>
#include <unistd.h>
#include <string.h>

#define LOAD 0
#define MOVE 1
#define DEBUG_INFO 2

static void put_u32(GByteArray *bytes, guint32 value)
{
	g_byte_array_append(bytes, (const guint8 *)&value, sizeof(value));
}

static void put_u64(GByteArray *bytes, guint64 value)
{
	g_byte_array_append(bytes, (const guint8 *)&value, sizeof(value));
}

static GByteArray *new_dump(guint64 flags)
{
	GByteArray *bytes = g_byte_array_new();

	put_u32(bytes, 0x4a695444);
	put_u32(bytes, 1);
	put_u32(bytes, 40);
	put_u32(bytes, 62);
	put_u32(bytes, 0);
	put_u32(bytes, 7);
	put_u64(bytes, 1);
	put_u64(bytes, flags);
	return bytes;
}

static void put_prefix(GByteArray *bytes, guint32 id, guint32 body_bytes, guint64 time)
{
	put_u32(bytes, id);
	put_u32(bytes, 16 + body_bytes);
	put_u64(bytes, time);
	/* pid, tid, vma */
	put_u64(bytes, 7);
	put_u64(bytes, 0);
}

static void put_load(GByteArray *bytes, guint64 time, guint64 address, guint64 size,
		     const char *name)
{
	gsize name_bytes = strlen(name) + 1;

	put_prefix(bytes, LOAD, (guint32)(40 + name_bytes + 4), time);
	put_u64(bytes, address);
	put_u64(bytes, size);
	put_u64(bytes, 1);
	g_byte_array_append(bytes, (const guint8 *)name, (guint)name_bytes);
	/* Stands for the code. */
	put_u32(bytes, 0);
}

static void put_move(GByteArray *bytes, guint64 time, guint64 from, guint64 to, guint64 size)
{
	put_prefix(bytes, MOVE, 48, time);
	put_u64(bytes, from);
	put_u64(bytes, to);
	put_u64(bytes, size);
	put_u64(bytes, 1);
}

struct fixture {
	struct itp_function_table *functions;
	struct itp_jit_dump *dump;
};

/* What is in `bytes`, which is freed. */
static void open_dump(struct fixture *fixture, GByteArray *bytes, gboolean has_times)
{
	const struct itp_jit_dump_options options = { .has_times = has_times };
	g_autofree char *path = recording_write_bytes(bytes->data, bytes->len);

	fixture->functions = itp_function_table_new();
	fixture->dump = itp_jit_dump_new(path, &options, fixture->functions);
	g_unlink(path);
	g_byte_array_unref(bytes);
}

static void close_dump(struct fixture *fixture)
{
	itp_jit_dump_free(fixture->dump);
	itp_function_table_free(fixture->functions);
}

static const char *name_at(struct fixture *fixture, guint64 time, guint64 address)
{
	guint32 function;

	itp_jit_dump_advance(fixture->dump, time);
	return itp_jit_dump_find(fixture->dump, address, &function) ?
		       itp_function_table_get(fixture->functions, function)->name :
		       "";
}

static GByteArray *usual_dump(guint64 flags)
{
	GByteArray *bytes = new_dump(flags);

	put_load(bytes, 10, 0x1000, 0x100, "first");
	put_load(bytes, 10, 0x1100, 0x100, "second");
	put_prefix(bytes, DEBUG_INFO, 16, 15);
	put_load(bytes, 20, 0x10c0, 0x80, "over both");
	put_move(bytes, 30, 0x10c0, 0x5000, 0x80);
	return bytes;
}

static void test_times(void)
{
	struct fixture fixture;
	guint32 generation;

	open_dump(&fixture, usual_dump(0), TRUE);
	g_assert_cmpstr(name_at(&fixture, 9, 0x1000), ==, "");
	g_assert_cmpstr(name_at(&fixture, 10, 0x1000), ==, "first");
	g_assert_cmpstr(name_at(&fixture, 10, 0x10ff), ==, "first");
	g_assert_cmpstr(name_at(&fixture, 10, 0x1100), ==, "second");
	g_assert_cmpstr(name_at(&fixture, 10, 0x1200), ==, "");
	generation = itp_jit_dump_generation(fixture.dump);
	g_assert_cmpstr(name_at(&fixture, 19, 0x1100), ==, "second");
	g_assert_cmpuint(itp_jit_dump_generation(fixture.dump), ==, generation);
	g_assert_cmpstr(name_at(&fixture, 20, 0x1100), ==, "over both");
	g_assert_cmpuint(itp_jit_dump_generation(fixture.dump), !=, generation);
	/* What is left of them belongs to nobody. */
	g_assert_cmpstr(name_at(&fixture, 20, 0x1000), ==, "");
	g_assert_cmpstr(name_at(&fixture, 30, 0x1100), ==, "");
	g_assert_cmpstr(name_at(&fixture, 30, 0x507f), ==, "over both");
	g_assert_cmpstr(name_at(&fixture, 30, 0x5080), ==, "");
	close_dump(&fixture);
}

/* Python's way into its functions, by whichever file it tells of them. */
static void test_rows(void)
{
	GByteArray *bytes = usual_dump(0);
	struct fixture fixture;

	put_load(bytes, 40, 0x7000, 11, "py::price:/srv/shop.py");
	open_dump(&fixture, bytes, TRUE);
	g_assert_null(itp_jit_dump_row(fixture.dump, 0x7000));
	itp_jit_dump_advance(fixture.dump, 40);
	g_assert_nonnull(itp_jit_dump_row(fixture.dump, 0x7000));
	g_assert_cmpint(itp_jit_dump_row(fixture.dump, 0x7005)->cfa.value, ==, 16);
	g_assert_null(itp_jit_dump_row(fixture.dump, 0x5000));
	close_dump(&fixture);
}

static void test_no_times(void)
{
	struct fixture fixture;

	open_dump(&fixture, usual_dump(0), FALSE);
	g_assert_cmpstr(name_at(&fixture, 0, 0x1100), ==, "over both");
	g_assert_cmpstr(name_at(&fixture, 0, 0x5000), ==, "over both");
	close_dump(&fixture);
	/* Times of the CPU's own counter say nothing. */
	open_dump(&fixture, usual_dump(1), TRUE);
	g_assert_cmpstr(name_at(&fixture, 0, 0x5000), ==, "over both");
	close_dump(&fixture);
}

static void test_strange_functions(void)
{
	GByteArray *bytes = new_dump(0);
	struct fixture fixture;

	put_load(bytes, 1, 0x1000, 0, "empty");
	put_load(bytes, 1, UINT64_MAX - 4, 0x100, "around the end");
	put_load(bytes, 1, 0x2000, 0x10, "");
	put_load(bytes, 1, 0x3000, UINT64_MAX - 0x3000, "all there is");
	put_move(bytes, 1, 0x9000000000, 0x9000000001, UINT64_MAX);
	put_load(bytes, 1, 0x4000, 0x10, "\xff\xfe");
	open_dump(&fixture, bytes, TRUE);
	g_assert_cmpstr(name_at(&fixture, 1, 0x1000), ==, "");
	g_assert_cmpstr(name_at(&fixture, 1, 2), ==, "");
	g_assert_cmpstr(name_at(&fixture, 1, UINT64_MAX - 3), ==, "");
	g_assert_cmpstr(name_at(&fixture, 1, UINT64_MAX), ==, "");
	g_assert_cmpstr(name_at(&fixture, 1, 0x2000), ==, "");
	g_assert_cmpstr(name_at(&fixture, 1, 0x4000), ==, "\xef\xbf\xbd\xef\xbf\xbd");
	close_dump(&fixture);
}

/* Where the records that put "second" and what is put over it end. */
#define SECOND_END (40 + 66 + 67)
#define OVER_BOTH_END (SECOND_END + 32 + 70)

static void test_cuts(void)
{
	g_autoptr(GByteArray) whole = usual_dump(0);

	for (guint size = 0; size < whole->len; size++) {
		GByteArray *bytes = g_byte_array_new();
		gboolean has_second = size >= SECOND_END && size < OVER_BOTH_END;
		struct fixture fixture;

		g_byte_array_append(bytes, whole->data, size);
		open_dump(&fixture, bytes, TRUE);
		g_assert_true((fixture.dump != NULL) == (size >= 40));
		if (fixture.dump) {
			g_assert_cmpstr(name_at(&fixture, 100, 0x5000), ==, "");
			g_assert_cmpstr(name_at(&fixture, 100, 0x1180), ==,
					has_second ? "second" : "");
		}
		close_dump(&fixture);
	}
}

static void test_damage(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(1);

	for (int round = 0; round < 3000; round++) {
		GByteArray *bytes = usual_dump(0);
		struct fixture fixture;

		for (int i = g_rand_int_range(rand, 1, 6); i > 0; i--) {
			bytes->data[g_rand_int_range(rand, 8, (gint32)bytes->len)] =
				(guint8)g_rand_int(rand);
		}
		open_dump(&fixture, bytes, round % 2);
		if (fixture.dump) {
			name_at(&fixture, UINT64_MAX, g_rand_int(rand) & 0x5fff);
			name_at(&fixture, UINT64_MAX, UINT64_MAX);
		}
		close_dump(&fixture);
	}
}

static void test_paths(void)
{
	g_assert_true(itp_jit_dump_is_path("/tmp/jit-12.dump"));
	g_assert_true(itp_jit_dump_is_path("jit-0.dump"));
	g_assert_false(itp_jit_dump_is_path("/tmp/jit-.dump"));
	g_assert_false(itp_jit_dump_is_path("/tmp/jit-12.dump.old"));
	g_assert_false(itp_jit_dump_is_path("/tmp/jit-12x.dump"));
	g_assert_false(itp_jit_dump_is_path("/jit-12.dump/libc.so"));
	g_assert_false(itp_jit_dump_is_path(""));
}

static void test_shortened(void)
{
	struct fixture fixture = { .dump = NULL };
	GByteArray *bytes = new_dump(0);
	const struct itp_jit_dump_options options = { .has_times = TRUE };
	g_autofree char *path = NULL;

	put_load(bytes, 10, 0x1000, 0x10, "first");
	for (guint64 i = 1; i < 10000; i++) {
		put_load(bytes, 20, 0x1000 + i * 0x10, 0x10, "later");
	}
	path = recording_write_bytes(bytes->data, bytes->len);
	g_byte_array_unref(bytes);
	fixture.functions = itp_function_table_new();
	fixture.dump = itp_jit_dump_new(path, &options, fixture.functions);
	g_assert_cmpstr(name_at(&fixture, 10, 0x1000), ==, "first");
	g_assert_false(itp_jit_dump_is_changed(fixture.dump));
	g_assert_cmpint(truncate(path, 1000), ==, 0);
	g_assert_cmpstr(name_at(&fixture, 20, 0x1000 + 9999 * 0x10), ==, "");
	g_assert_true(itp_jit_dump_is_changed(fixture.dump));
	g_assert_cmpstr(name_at(&fixture, 20, 0x1000), ==, "first");
	close_dump(&fixture);
	g_unlink(path);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/jit-dump/functions are made, replaced and moved in time", test_times);
	g_test_add_func("/jit-dump/what a name tells of the code is known", test_rows);
	g_test_add_func("/jit-dump/without times all of it counts", test_no_times);
	g_test_add_func("/jit-dump/functions that cannot be are left out", test_strange_functions);
	g_test_add_func("/jit-dump/a dump that was cut is read as far as it goes", test_cuts);
	g_test_add_func("/jit-dump/a damaged dump does no harm", test_damage);
	g_test_add_func("/jit-dump/a dump is known by its name", test_paths);
	g_test_add_func("/jit-dump/a dump that becomes shorter keeps what was read and says so",
			test_shortened);
	return g_test_run();
}

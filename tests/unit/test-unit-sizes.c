/* SPDX-License-Identifier: MIT */
/* Classes of sizes, what was said in a unit and by how many clients, and modes of histograms. */
#include <glib.h>

#include "common/unit/modes.h"
#include "common/unit/sizes.h"

/* Up to 63 each size, then 32 classes in each octave. */
static void test_classes(void)
{
	g_assert_cmpuint(itp_size_class(0), ==, 0);
	g_assert_cmpuint(itp_size_class(63), ==, 63);
	g_assert_cmpuint(itp_size_class(64), ==, 64);
	g_assert_cmpuint(itp_size_class(65), ==, 64);
	g_assert_cmpuint(itp_size_class(66), ==, 65);
	g_assert_cmpuint(itp_size_class(127), ==, 95);
	g_assert_cmpuint(itp_size_class(128), ==, 96);
	g_assert_cmpuint(itp_size_class((UINT64_C(1) << 40) - 1), ==, ITP_SIZE_CLASSES - 1);
	g_assert_cmpuint(itp_size_class(UINT64_MAX), ==, ITP_SIZE_CLASSES - 1);
}

static void test_one_client(void)
{
	struct itp_talk talk = { .descriptor = 0 };
	struct itp_talk before;
	struct itp_talk said;

	itp_talk_add(&talk, 4, 100, 0);
	itp_talk_add(&talk, 4, 0, 50);
	before = talk;
	itp_talk_add(&talk, 5, 10, 0);
	itp_talk_add(&talk, 5, 0, 7);
	g_assert_true(itp_talk_since(&before, &talk, &said));
	g_assert_cmpuint(said.asked_bytes, ==, 10);
	g_assert_cmpuint(said.answered_bytes, ==, 7);
	before = talk;
	itp_talk_add(&talk, 5, 3, 0);
	g_assert_true(itp_talk_since(&before, &talk, &said));
	g_assert_cmpuint(said.asked_bytes, ==, 3);
}

/* A unit that has ended before its thread has talked for the last time. */
static void test_nothing_before(void)
{
	struct itp_talk talk = { .descriptor = 4 };
	struct itp_talk earlier;
	struct itp_talk said;

	itp_talk_add(&talk, 4, 10, 0);
	earlier = talk;
	itp_talk_add(&talk, 4, 10, 20);
	g_assert_true(itp_talk_since(&talk, &earlier, &said));
	g_assert_cmpuint(said.asked_bytes, ==, 0);
	g_assert_cmpuint(said.answered_bytes, ==, 0);
}

static void test_several_clients(void)
{
	struct itp_talk talk = { .descriptor = 4 };
	struct itp_talk before = talk;
	struct itp_talk said;

	itp_talk_add(&talk, 4, 10, 0);
	itp_talk_add(&talk, 5, 10, 0);
	g_assert_false(itp_talk_since(&before, &talk, &said));
	before = talk;
	itp_talk_add(&talk, 6, 10, 0);
	itp_talk_add(&talk, 5, 0, 10);
	g_assert_false(itp_talk_since(&before, &talk, &said));
}

/* Four deviations: (17 − 0) / √17 is more, (16 − 0) / √16 is not; nor is (40 − 10) / √50 less, and
 * (40 − 12) / √52 is. The first two modes are three classes apart. */
static void test_valleys(void)
{
	static const uint64_t deep[] = { 1, 17, 0, 0, 17, 1 };
	static const uint64_t shallow[] = { 1, 16, 0, 0, 16, 1 };
	static const uint64_t filled[] = { 40, 10, 90 };
	static const uint64_t more_filled[] = { 40, 12, 90 };

	g_assert_cmpuint(itp_modes_valley(deep, 6, 1), ==, 2);
	g_assert_cmpuint(itp_modes_valley(deep, 6, 3), ==, 2);
	g_assert_cmpuint(itp_modes_valley(deep, 6, 4), ==, 0);
	g_assert_cmpuint(itp_modes_valley(shallow, 6, 1), ==, 0);
	g_assert_cmpuint(itp_modes_valley(filled, 3, 1), ==, 1);
	g_assert_cmpuint(itp_modes_valley(more_filled, 3, 1), ==, 0);
}

static void test_modes(void)
{
	static const uint64_t classes[] = { 0, 30, 40, 0, 0, 50, 0, 20, 0 };
	static const guint wanted[] = { 0, 0, 0, 1, 1, 1, 2, 2, 2 };
	guint modes[G_N_ELEMENTS(classes)];

	g_assert_cmpuint(itp_modes_number(classes, G_N_ELEMENTS(classes), modes), ==, 3);
	for (guint i = 0; i < G_N_ELEMENTS(classes); i++) {
		g_assert_cmpuint(modes[i], ==, wanted[i]);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/sizes/classes are a 32nd of an octave wide", test_classes);
	g_test_add_func("/sizes/what one client has said", test_one_client);
	g_test_add_func("/sizes/several clients are told from one", test_several_clients);
	g_test_add_func("/sizes/what was said before is not said again", test_nothing_before);
	g_test_add_func("/modes/seventeen units on either side of none are two", test_valleys);
	g_test_add_func("/modes/each class has one", test_modes);
	return g_test_run();
}

/* SPDX-License-Identifier: MIT */
/*
 * Symptoms that are part of others: by hand, and on seeded random lives against another way, which
 * looks at each instant.
 */
#include "common/wait/nested.h"

#include <stdio.h>

#define LIVES 3000
#define THREADS 6
#define SPAN 60
#define SYMPTOMS 12

/* "TID BEGIN END WAKER", a line for each stretch: who waits is woken by WAKER, 0 runs. */
static struct itp_history *history_of(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	struct itp_history *history = itp_history_new();

	for (guint i = 0; lines[i] && lines[i][0] != '\0'; i++) {
		struct itp_stretch stretch = { .node = 1 };
		int begin_ns;
		int end_ns;

		g_assert_cmpint(sscanf(lines[i], "%d %d %d %d", &stretch.tid, &begin_ns, &end_ns,
				       &stretch.waker_tid),
				==, 4);
		stretch.begin_ns = begin_ns;
		stretch.end_ns = end_ns;
		if (stretch.waker_tid > 0) {
			stretch.kind = ITP_STRETCH_WAIT;
			stretch.end = ITP_WAIT_WOKEN;
		}
		itp_history_add(history, &stretch);
	}
	return history;
}

/* "TID BEGIN END", a line each; a "<" in front of one that was there before. */
static GArray *symptoms_of(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	GArray *symptoms = g_array_new(FALSE, FALSE, sizeof(struct itp_symptom));

	for (guint i = 0; lines[i] && lines[i][0] != '\0'; i++) {
		struct itp_symptom symptom = { .has_begun_before = lines[i][0] == '<' };
		int begin_ns;
		int end_ns;

		g_assert_cmpint(sscanf(lines[i] + symptom.has_begun_before, "%d %d %d",
				       &symptom.tid, &begin_ns, &end_ns),
				==, 3);
		symptom.begin_ns = begin_ns;
		symptom.end_ns = end_ns;
		g_array_append_val(symptoms, symptom);
	}
	return symptoms;
}

/* Which threads' symptoms stay, in their order. */
static void assert_stay(const char *lives, const char *text, const char *wanted)
{
	struct itp_history *history = history_of(lives);
	g_autoptr(GArray) symptoms = symptoms_of(text);
	g_autoptr(GString) stay = g_string_new(NULL);
	guint count = symptoms->len;
	guint left_out = itp_symptoms_leave_out_parts(symptoms, history);

	for (guint i = 0; i < symptoms->len; i++) {
		g_string_append_printf(stay, " %d",
				       g_array_index(symptoms, struct itp_symptom, i).tid);
	}
	g_assert_cmpstr(stay->str, ==, wanted);
	g_assert_cmpuint(left_out, ==, count - symptoms->len);
	itp_history_free(history);
}

/* A program starts a child, and that one another. */
#define CHILDREN      \
	"1 0 12 0\n"  \
	"2 10 22 0\n" \
	"3 20 90 0\n" \
	"2 22 90 3\n" \
	"2 90 95 0\n" \
	"1 12 95 2\n" \
	"1 95 100 0\n"

static void test_children_are_part(void)
{
	assert_stay(CHILDREN, "1 0 100\n2 10 95\n", " 1");
	assert_stay(CHILDREN, "1 0 100\n2 10 95\n3 20 90\n", " 1");
	assert_stay(CHILDREN, "3 20 90\n1 0 100\n2 10 95\n", " 1");
}

static void test_what_no_symptom_waits_for_stays(void)
{
	assert_stay(CHILDREN, "2 10 95\n3 20 90\n", " 2");
	assert_stay(CHILDREN, "3 20 90\n", " 3");
	assert_stay(CHILDREN, "", "");
}

/* The parent does something else until the child is nearly done. */
static void test_less_than_half_stays(void)
{
	assert_stay("1 0 60 0\n2 10 90 0\n1 60 90 2\n", "1 0 90\n2 10 90\n", " 1 2");
	assert_stay("1 0 40 0\n2 10 90 0\n1 40 90 2\n", "1 0 90\n2 10 90\n", " 1");
}

static void test_who_was_there_before_is_no_reason(void)
{
	assert_stay(CHILDREN, "<1 0 100\n2 10 95\n", " 1 2");
	assert_stay(CHILDREN, "<1 0 100\n2 10 95\n3 20 90\n", " 1 2");
}

/* Each of them is late for itself, and waits for who came before. */
static void test_calls_at_a_lock_stay(void)
{
	assert_stay("1 0 40 0\n2 1 2 0\n2 2 40 1\n2 40 80 0\n3 2 3 0\n3 3 80 2\n3 80 120 0\n",
		    "1 0 40\n2 1 80\n3 2 120\n", " 1 2 3");
}

/* What the server does for one of them is part of that; the other one lost its own time. */
static void test_clients_of_a_server_stay(void)
{
	assert_stay("1 0 4 0\n2 1 5 0\n3 6 50 0\n1 4 50 3\n2 5 50 3\n", "1 0 50\n2 1 50\n3 6 50\n",
		    " 1 2");
}

/* A shell waits for the first program of a pipeline, and then for the last, which waits for the
 * first, too. */
static void test_pipelines_are_part(void)
{
	assert_stay("1 0 4 0\n2 2 60 0\n3 3 5 0\n3 5 60 2\n3 60 80 0\n1 4 60 2\n1 60 80 3\n",
		    "1 0 80\n2 2 60\n3 3 80\n", " 1");
}

/* All of the middle one's time is a wait that began before. */
static void test_waits_within_waits(void)
{
	assert_stay("1 0 2 0\n2 0 5 0\n3 0 90 0\n2 5 90 3\n1 2 90 2\n", "1 0 90\n2 10 80\n", " 1");
}

/* ---- Against another way ---- */

static void live(struct itp_history *history, int32_t tid, GRand *random)
{
	for (int64_t at = g_rand_int_range(random, 0, 10); at < SPAN;) {
		struct itp_stretch stretch = { .tid = tid, .node = 1, .begin_ns = at };

		at += g_rand_int_range(random, 1, 20);
		stretch.end_ns = at;
		if (g_rand_boolean(random)) {
			stretch.kind = ITP_STRETCH_WAIT;
			stretch.end = ITP_WAIT_WOKEN;
			stretch.waker_tid = g_rand_int_range(random, 1, THREADS + 1);
		}
		itp_history_add(history, &stretch);
	}
}

/* Whether the path is in the thread at the instant, or if `at_end`, whether that holds it up. */
static bool is_in(const GArray *path, int64_t time_ns, int32_t tid, bool at_end)
{
	for (guint i = 0; i < path->len; i++) {
		const struct itp_link *link = &g_array_index(path, struct itp_link, i);

		if (link->stretch.begin_ns <= time_ns && time_ns < link->stretch.end_ns &&
		    link->stretch.tid == tid && !(at_end && link->is_followed)) {
			return true;
		}
	}
	return false;
}

static bool is_part_of(const struct itp_history *history, const struct itp_symptom *part,
		       const struct itp_symptom *whole)
{
	g_autoptr(GArray) path = itp_critical_path(history, part);
	g_autoptr(GArray) longer = itp_critical_path(history, whole);
	bool is_met = false;
	int64_t same_ns = 0;

	for (int64_t at = part->begin_ns; at < part->end_ns; at++) {
		is_met |= is_in(longer, at, part->tid, false);
		for (int32_t tid = 1; tid <= THREADS; tid++) {
			same_ns += is_in(path, at, tid, true) && is_in(longer, at, tid, true);
		}
	}
	return part->tid != whole->tid && whole->begin_ns < part->begin_ns &&
	       !whole->has_begun_before && is_met && 2 * same_ns > part->end_ns - part->begin_ns;
}

/* Symptoms in the order in which they begin. Returns how many are no part of one that stays. */
static guint stay_of(const struct itp_history *history, const GArray *symptoms,
		     struct itp_symptom *stay)
{
	guint count = 0;

	for (guint i = 0; i < symptoms->len; i++) {
		const struct itp_symptom *symptom = &g_array_index(symptoms, struct itp_symptom, i);
		bool is_part = false;

		for (guint k = 0; k < count; k++) {
			is_part = is_part || is_part_of(history, symptom, &stay[k]);
		}
		if (!is_part) {
			stay[count++] = *symptom;
		}
	}
	return count;
}

static void test_random_lives(void)
{
	guint left_out = 0;

	for (guint32 seed = 0; seed < LIVES; seed++) {
		g_autoptr(GRand) random = g_rand_new_with_seed(seed);
		g_autoptr(GArray) symptoms = g_array_new(FALSE, TRUE, sizeof(struct itp_symptom));
		struct itp_history *history = itp_history_new();
		struct itp_symptom stay[SYMPTOMS];
		guint count;

		for (int32_t tid = 1; tid <= THREADS; tid++) {
			live(history, tid, random);
		}
		for (int i = 0; i < SYMPTOMS; i++) {
			const struct itp_symptom symptom = {
				.tid = g_rand_int_range(random, 1, THREADS + 1),
				.begin_ns = 4 * i,
				.end_ns = 4 * i + g_rand_int_range(random, 1, SPAN),
				.has_begun_before = g_rand_int_range(random, 0, 4) == 0,
			};

			g_array_append_val(symptoms, symptom);
		}
		count = stay_of(history, symptoms, stay);
		left_out += itp_symptoms_leave_out_parts(symptoms, history);
		g_assert_cmpuint(symptoms->len, ==, count);
		for (guint i = 0; i < count; i++) {
			const struct itp_symptom *symptom =
				&g_array_index(symptoms, struct itp_symptom, i);

			g_assert_cmpint(symptom->begin_ns, ==, stay[i].begin_ns);
			g_assert_cmpint(symptom->tid, ==, stay[i].tid);
		}
		itp_history_free(history);
	}
	g_assert_cmpuint(left_out, >, LIVES / 4);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/nested/what the children of a symptom did is part of it",
			test_children_are_part);
	g_test_add_func("/nested/what no symptom waits for stays",
			test_what_no_symptom_waits_for_stays);
	g_test_add_func("/nested/what was waited for less than half its time stays",
			test_less_than_half_stays);
	g_test_add_func("/nested/who was there before is no reason to leave out",
			test_who_was_there_before_is_no_reason);
	g_test_add_func("/nested/calls that wait at a lock stay", test_calls_at_a_lock_stay);
	g_test_add_func("/nested/clients of one server stay, what it did for them does not",
			test_clients_of_a_server_stay);
	g_test_add_func("/nested/all programs of a pipeline are part of the shell's time",
			test_pipelines_are_part);
	g_test_add_func("/nested/a wait that began before is seen", test_waits_within_waits);
	g_test_add_func("/nested/random lives are as at each instant", test_random_lives);
	return g_test_run();
}

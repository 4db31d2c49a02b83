/* SPDX-License-Identifier: MIT */
/* Classes of waits by their callers, and looks for events near a loop's wait. */
#include "tests/unit/support.h"

#include "common/unit/waits.h"

struct calls {
	struct itp_function_table *functions;
	struct itp_context_tree *tree;
};

static void set_up(struct calls *calls, gconstpointer data)
{
	(void)data;
	calls->functions = itp_function_table_new();
	calls->tree = itp_context_tree_new();
}

static void tear_down(struct calls *calls, gconstpointer data)
{
	(void)data;
	itp_context_tree_free(calls->tree);
	itp_function_table_free(calls->functions);
}

static uint32_t node_of(struct calls *calls, const char *stack)
{
	g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(struct itp_frame));
	uint32_t node = ITP_CONTEXT_ROOT;

	test_frames(calls->functions, stack, frames);
	for (guint i = 0; i < frames->len; i++) {
		node = itp_context_tree_child(calls->tree, node,
					      g_array_index(frames, struct itp_frame, i).function);
	}
	return node;
}

static enum itp_wait_class class_of(struct calls *calls, const char *stack)
{
	return itp_wait_class_of(calls->tree, calls->functions, node_of(calls, stack));
}

static void test_a_lock_is_among_four_callers(struct calls *calls, gconstpointer data)
{
	(void)data;
	g_assert_cmpint(class_of(calls, "main pthread_mutex_lock a b c syscall:futex"), ==,
			ITP_WAIT_CLASS_NONE);
	g_assert_cmpint(class_of(calls, "main pthread_mutex_lock a b c d syscall:futex"), ==,
			ITP_WAIT_CLASS_SIGNAL);
}

/* The loop waits five functions below. */
static bool looks_in(struct calls *calls, const char *stack)
{
	return itp_wait_looks_for_events(calls->tree, node_of(calls, "loop"),
					 node_of(calls, "loop a b c d e syscall:poll"),
					 node_of(calls, stack), ITP_WAIT_CLASS_DATA);
}

static void test_who_looks_is_four_callers_above(struct calls *calls, gconstpointer data)
{
	(void)data;
	g_assert_true(looks_in(calls, "loop a b look syscall:read"));
	g_assert_false(looks_in(calls, "loop a look syscall:read"));
}

/* Calls alike in purpose have one answer to both questions: may they be idle, and may a loop wait
 * in them. */
static void test_calls_alike(struct calls *calls, gconstpointer data)
{
	static const struct {
		const char *call;
		enum itp_idle_proof proof;
		enum itp_wait_class class;
	} alike[] = {
		{ "read", ITP_IDLE_MOST_OF_A_LIFE, ITP_WAIT_CLASS_DATA },
		{ "readv", ITP_IDLE_MOST_OF_A_LIFE, ITP_WAIT_CLASS_DATA },
		{ "recvmsg", ITP_IDLE_MOST_OF_THE_TIME, ITP_WAIT_CLASS_DATA },
		{ "recvmmsg", ITP_IDLE_MOST_OF_THE_TIME, ITP_WAIT_CLASS_DATA },
		{ "rt_sigsuspend", ITP_IDLE_TO_AN_END, ITP_WAIT_CLASS_EVENT },
		{ "pause", ITP_IDLE_TO_AN_END, ITP_WAIT_CLASS_EVENT },
		{ "epoll_wait", ITP_IDLE_ALWAYS, ITP_WAIT_CLASS_EVENT },
		{ "wait4", ITP_IDLE_TO_AN_END, ITP_WAIT_CLASS_NONE },
	};

	(void)calls;
	(void)data;
	for (size_t i = 0; i < G_N_ELEMENTS(alike); i++) {
		size_t at = 0;
		const struct itp_idle_rule *rule = itp_idle_rule_next(alike[i].call, &at);

		g_assert_nonnull(rule);
		g_assert_null(rule->through);
		g_assert_cmpint(rule->proof, ==, alike[i].proof);
		g_assert_cmpint(itp_wait_class_by_name(alike[i].call), ==, alike[i].class);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add("/waits/a lock is among four callers", struct calls, NULL, set_up,
		   test_a_lock_is_among_four_callers, tear_down);
	g_test_add("/waits/who looks is four callers above", struct calls, NULL, set_up,
		   test_who_looks_is_four_callers_above, tear_down);
	g_test_add("/waits/calls alike have one answer", struct calls, NULL, set_up,
		   test_calls_alike, tear_down);
	return g_test_run();
}

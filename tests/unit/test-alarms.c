/* SPDX-License-Identifier: MIT */
/* What a guard has told, as a trace that is mined: by hand, and damaged. */
#include <glib/gstdio.h>
#include <unistd.h>

#include "common/mine/alarms.h"

#define HEADER "{\"type\": \"header\", \"schema\": 1, \"ending\": [\"poll\"], \"telling\": []}\n"
#define SUMMARY \
	"{\"type\": \"summary\", \"lost\": 0, \"types\": [{\"units\": 7}, {\"units\": 5}]}\n"
#define STACK "\"stack\": [\"p!main\", \"p!serve\", \"p!work\", \"syscall:read\"]"
/* Late after 30 ns, seen again after 50 ns. */
#define SO_FAR                                                                               \
	"{\"type\": \"late_so_far\", \"tid\": 3, \"begin_ns\": 100, \"taken_ns\": 30, "      \
	"\"process\": \"p\", \"stacks\": [{\"after_ns\": 30, \"state\": \"blocked\", " STACK \
	"}]}\n"
/* The same, until it has ended after 80 ns: 30 ns and 50 ns. */
#define ENDED                                                                                \
	"{\"type\": \"late_unit\", \"tid\": 3, \"begin_ns\": 100, \"taken_ns\": 80, "        \
	"\"process\": \"p\", \"stacks\": [{\"after_ns\": 30, \"state\": \"blocked\", " STACK \
	"}, {\"after_ns\": 50, \"state\": \"running\", \"stack\": [\"p!main\", \"p!serve\"]}]}\n"
/* Another one, of which the end was not told. */
#define OTHER                                                                                \
	"{\"type\": \"late_so_far\", \"tid\": 4, \"begin_ns\": 100, \"taken_ns\": 40, "      \
	"\"process\": \"p\", \"stacks\": [{\"after_ns\": 35, \"state\": \"blocked\", " STACK \
	"}]}\n"

#define ENDED_USUALLY                                                                 \
	"{\"type\": \"late_unit\", \"tid\": 3, \"begin_ns\": 100, \"taken_ns\": 80, " \
	"\"typical_ns\": 20, \"process\": \"p\", \"stacks\": [{\"after_ns\": 30, "    \
	"\"state\": \"blocked\", " STACK                                              \
	"}, {\"after_ns\": 50, \"state\": \"running\", \"stack\": [\"p!main\", \"p!serve\"]}]}\n"
#define OTHER_USUALLY                                                                   \
	"{\"type\": \"late_so_far\", \"tid\": 4, \"begin_ns\": 100, \"taken_ns\": 40, " \
	"\"typical_ns\": 90, \"process\": \"p\", \"stacks\": [{\"after_ns\": 35, "      \
	"\"state\": \"blocked\", " STACK "}]}\n"

/* The name of a file that holds the text. Free with g_free(). */
static char *file_with(const char *text)
{
	char *path;
	const int file = g_file_open_tmp("alarms-XXXXXX", &path, NULL);

	g_assert_cmpint(file, >=, 0);
	close(file);
	g_assert_true(g_file_set_contents(path, text, -1, NULL));
	return path;
}

static bool add(struct itp_mining *mining, const char *text, GError **error)
{
	g_autofree char *path = file_with(text);
	const bool is_file = itp_alarms_is_file(path);
	const bool done = itp_mining_add_alarms(mining, false, path, error);

	g_assert_true(is_file);
	g_unlink(path);
	return done;
}

static void test_units(void)
{
	const struct itp_stack *stack;
	const struct itp_mined_trace *trace;
	struct itp_mining mining;

	itp_mining_init(&mining);
	g_assert_true(add(&mining, HEADER SO_FAR OTHER ENDED SUMMARY, NULL));
	g_assert_cmpuint(mining.traces->len, ==, 1);
	trace = &g_array_index(mining.traces, struct itp_mined_trace, 0);
	g_assert_cmpuint(trace->symptoms, ==, 2);
	g_assert_cmpuint(trace->calls, ==, 12);
	g_assert_cmpint(trace->cost_ns, ==, 80 + 40);
	g_assert_true(trace->is_complete);
	g_assert_cmpint(mining.sets[ITP_MINE_WAITING].cost_ns, ==, 30 + 40);
	g_assert_cmpint(mining.sets[ITP_MINE_RUNNING].cost_ns, ==, 50);
	/* Both that waited are one stack, of four functions. */
	g_assert_cmpuint(mining.sets[ITP_MINE_WAITING].stacks->len, ==, 1);
	stack = &g_array_index(mining.sets[ITP_MINE_WAITING].stacks, struct itp_stack, 0);
	g_assert_cmpuint(stack->events, ==, 2);
	g_assert_cmpuint(
		itp_context_tree_get(mining.sets[ITP_MINE_WAITING].tree, stack->node)->depth, ==,
		4);
	itp_mining_release(&mining);
}

/* What a unit usually takes is no cost: 20 ns, of the first stack's 30; and 90 ns of one that
 * took 40.
 */
static void test_usual_time(void)
{
	struct itp_mining mining;

	itp_mining_init(&mining);
	g_assert_true(add(&mining, HEADER ENDED_USUALLY OTHER_USUALLY SUMMARY, NULL));
	g_assert_cmpint(g_array_index(mining.traces, struct itp_mined_trace, 0).cost_ns, ==, 60);
	g_assert_cmpint(mining.sets[ITP_MINE_WAITING].cost_ns, ==, 10);
	g_assert_cmpint(mining.sets[ITP_MINE_RUNNING].cost_ns, ==, 50);
	itp_mining_release(&mining);
}

/* Half a line at the end is what a killed guard leaves; anywhere else the file is damaged. */
static void test_damage(void)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *other = file_with("{\"type\": \"header\"}\n");
	struct itp_mining mining;

	itp_mining_init(&mining);
	g_assert_true(add(&mining, HEADER ENDED "{\"type\": \"late_", NULL));
	g_assert_cmpuint(mining.traces->len, ==, 1);
	g_assert_false(g_array_index(mining.traces, struct itp_mined_trace, 0).is_complete);
	g_assert_false(add(&mining, HEADER "{\n" ENDED, &error));
	g_assert_nonnull(g_strrstr(error->message, ": line 2 is none of a guard's: "));
	g_assert_cmpuint(mining.traces->len, ==, 1);
	g_assert_false(itp_alarms_is_file(other));
	g_assert_false(itp_alarms_is_file("/nowhere"));
	g_unlink(other);
	itp_mining_release(&mining);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add_func("/alarms/units", test_units);
	g_test_add_func("/alarms/usual time", test_usual_time);
	g_test_add_func("/alarms/damage", test_damage);
	return g_test_run();
}

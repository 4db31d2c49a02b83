/* SPDX-License-Identifier: MIT */
/* What the core is told of functions whose code nobody can read. */
#include "common/control-flow/answers.h"

struct fixture {
	/* Owned by this. */
	struct itp_function_table *functions;
	struct itp_flow_answers *answers;
};

static void set_up(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	fixture->functions = itp_function_table_new();
	fixture->answers = itp_flow_answers_new(fixture->functions);
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	itp_flow_answers_free(fixture->answers);
	itp_function_table_free(fixture->functions);
}

static struct itp_frame frame_in(struct fixture *fixture, const char *name, const char *module,
				 enum itp_layer layer)
{
	const struct itp_function function = {
		.name = name, .module = module, .build_id = "", .layer = layer
	};

	return (struct itp_frame){
		.address = 1, .function = itp_function_table_intern(fixture->functions, &function)
	};
}

static struct itp_frame frame_of(struct fixture *fixture, const char *name, enum itp_layer layer)
{
	return frame_in(fixture, name, "m", layer);
}

static bool may_jump(struct fixture *fixture, enum itp_layer from, enum itp_layer to)
{
	const struct itp_frame frame = frame_of(fixture, "from", from);
	const struct itp_frame other = frame_of(fixture, "to", to);
	const struct itp_flow flow = itp_flow_answers_flow(fixture->answers);

	return flow.may_jump_away(flow.data, &frame, &other);
}

static void test_a_function_without_code_may_end_in_any_other(struct fixture *fixture,
							      gconstpointer data)
{
	(void)data;
	g_assert_true(may_jump(fixture, ITP_LAYER_USER, ITP_LAYER_USER));
}

static bool may_stay(struct fixture *fixture, const char *module, bool to_is_exact)
{
	const struct itp_frame frame = frame_in(fixture, "clock_gettime", module, ITP_LAYER_USER);
	const struct itp_flow flow = itp_flow_answers_flow(fixture->answers);
	const struct itp_flow_step step = {
		.function = frame.function, .from = 1, .to = 1, .to_is_exact = to_is_exact
	};

	return flow.can_stay(flow.data, &step);
}

static void test_the_vdso_makes_one_system_call(struct fixture *fixture, gconstpointer data)
{
	(void)data;
	g_assert_true(may_stay(fixture, "libc.so.6", false));
	g_assert_false(may_stay(fixture, "[vdso]", false));
	/* The thread may not have gone on, as on the way out of the call. */
	g_assert_true(may_stay(fixture, "[vdso]", true));
}

static void test_no_function_of_the_kernel_takes_the_place_of_a_callee(struct fixture *fixture,
								       gconstpointer data)
{
	(void)data;
	g_assert_false(may_jump(fixture, ITP_LAYER_KERNEL, ITP_LAYER_USER));
	g_assert_false(may_jump(fixture, ITP_LAYER_KERNEL, ITP_LAYER_SYSCALL));
	g_assert_false(may_jump(fixture, ITP_LAYER_USER, ITP_LAYER_SYSCALL));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_set_nonfatal_assertions();
	g_test_add("/answers/a function without code may end in any other", struct fixture, NULL,
		   set_up, test_a_function_without_code_may_end_in_any_other, tear_down);
	g_test_add("/answers/no function of the kernel takes the place of a callee", struct fixture,
		   NULL, set_up, test_no_function_of_the_kernel_takes_the_place_of_a_callee,
		   tear_down);
	g_test_add("/answers/the vdso makes one system call", struct fixture, NULL, set_up,
		   test_the_vdso_makes_one_system_call, tear_down);
	return g_test_run();
}

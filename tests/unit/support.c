/* SPDX-License-Identifier: MIT */
/*
 * Traces written down as text: parsing, pushing, printing what came out, and tests over that.
 */
#include "tests/unit/support.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/context-function.h"

static void keep_stretch(const struct itp_stretch *stretch, void *data)
{
	const struct test_run *run = data;

	g_array_append_val(run->stretches, *stretch);
}

static void keep_instance(const struct itp_instance *instance, void *data)
{
	struct test_run *run = data;

	g_array_append_vals(run->instances, instance, 1);
	g_assert_cmpint(itp_normalizer_push(run->normalizer, instance), ==, 0);
}

bool test_can_stay(void *data, const struct itp_flow_step *step)
{
	const struct test_run *run = data;
	const struct itp_function *function =
		itp_function_table_get(run->functions, step->function);

	return g_str_has_prefix(function->name, "loop") || step->to > step->from ||
	       (step->to == step->from && step->to_is_exact);
}

bool test_may_jump_away(void *data, const struct itp_frame *frame, const struct itp_frame *other)
{
	const struct test_run *run = data;

	return g_str_has_prefix(itp_function_table_get(run->functions, frame->function)->name,
				"jumping") &&
	       g_str_has_prefix(itp_function_table_get(run->functions, other->function)->name,
				"tail");
}

bool test_may_avoid(void *data, const struct itp_flow_step *step)
{
	const struct test_run *run = data;
	const struct itp_function *function =
		itp_function_table_get(run->functions, step->function);

	return g_str_has_prefix(function->name, "maybe") ||
	       (step->to != 0 && step->to <= step->from);
}

bool test_always_calls(void *data, const struct itp_frame *caller, const struct itp_frame *callee)
{
	const struct test_run *run = data;

	(void)callee;
	return !g_str_has_prefix(itp_function_table_get(run->functions, caller->function)->name,
				 "pointing");
}

bool test_is_frameless(void *data, uint32_t function, uint64_t address)
{
	const struct test_run *run = data;

	(void)address;
	return g_str_has_prefix(itp_function_table_get(run->functions, function)->name, "libc_");
}

static const struct itp_function *function_of(const void *data, uint32_t node)
{
	const struct test_run *run = data;

	return itp_context_function(run->tree, run->functions, node);
}

static void take_share(const struct itp_share *share, void *data)
{
	const struct test_run *run = data;

	itp_normalizer_push_share(run->normalizer, share);
}

void test_tell_shares(struct test_run *run)
{
	itp_infer_tell_shares(run->infer, take_share, run);
	itp_normalizer_conclude(run->normalizer);
}

static uint32_t parent_of(const void *data, uint32_t node)
{
	const struct test_run *run = data;

	return itp_context_tree_get(run->tree, node)->parent;
}

static void keep_unplaced(const struct itp_instance *call, uint32_t function, void *data)
{
	struct test_run *run = data;

	(void)function;
	g_array_append_vals(run->unplaced, call, 1);
}

/* The code is that of test_can_stay() and the others. */
static struct itp_infer_options modelled(struct test_run *run, enum itp_continuity continuity)
{
	return (struct itp_infer_options){
		.continuity = continuity,
		.on_stretch = keep_stretch,
		.on_unplaced = keep_unplaced,
		.flow = { .can_stay = test_can_stay,
			  .may_jump_away = test_may_jump_away,
			  .may_avoid = test_may_avoid,
			  .is_frameless = test_is_frameless,
			  .data = run },
	};
}

void test_run_init(struct test_run *run, enum itp_continuity continuity, enum itp_estimate estimate,
		   const struct test_run *share)
{
	const struct itp_infer_options options = modelled(run, continuity);
	const struct itp_node_lookup lookup = {
		.function_of = function_of,
		.parent_of = parent_of,
		.data = run,
	};

	run->functions = share ? share->functions : itp_function_table_new();
	run->tree = share ? share->tree : itp_context_tree_new();
	run->profile = itp_profile_new("test");
	run->normalizer = itp_normalizer_new(estimate, run->profile, &lookup);
	run->instances = g_array_new(FALSE, FALSE, sizeof(struct itp_instance));
	run->stretches = g_array_new(FALSE, FALSE, sizeof(struct itp_stretch));
	run->unplaced = g_array_new(FALSE, FALSE, sizeof(struct itp_instance));
	run->infer = itp_infer_new(&options, run->functions, run->tree, keep_instance, run);
}

void test_run_set_flow(struct test_run *run, const struct itp_flow *flow)
{
	const struct itp_infer_options options = { .continuity = ITP_CONTINUITY_CONTROL_FLOW,
						   .flow = *flow };

	itp_infer_free(run->infer);
	run->infer = itp_infer_new(&options, run->functions, run->tree, keep_instance, run);
}

void test_run_set_limit(struct test_run *run, enum itp_continuity continuity, uint32_t max_contexts)
{
	struct itp_infer_options options = modelled(run, continuity);

	options.max_contexts = max_contexts;
	itp_infer_free(run->infer);
	run->infer = itp_infer_new(&options, run->functions, run->tree, keep_instance, run);
}

void test_run_release(struct test_run *run, const struct test_run *share)
{
	itp_infer_free(run->infer);
	itp_normalizer_free(run->normalizer);
	itp_profile_free(run->profile);
	g_array_free(run->instances, TRUE);
	g_array_free(run->stretches, TRUE);
	g_array_free(run->unplaced, TRUE);
	if (!share) {
		itp_context_tree_free(run->tree);
		itp_function_table_free(run->functions);
	}
}

uint32_t test_function(struct itp_function_table *functions, const char *name)
{
	const char *in_module = strchr(name, '!');
	bool is_system = name[0] == '/';
	g_autofree char *module =
		in_module ? g_strndup(name + is_system, (gsize)(in_module - name - is_system)) :
			    g_strdup("program");
	struct itp_function function = {
		.name = in_module ? in_module + 1 : name,
		.module = module,
		.build_id = "",
		.layer = ITP_LAYER_USER,
		.is_system = is_system,
		.is_signal_frame = g_str_equal(name, "sigreturn"),
		.is_unnamed = strstr(name, "+0x") != NULL,
	};

	if (g_str_has_prefix(name, "k:")) {
		function.name = name + 2;
		function.module = "[kernel]";
		function.layer = ITP_LAYER_KERNEL;
	} else if (g_str_has_prefix(name, "syscall:")) {
		function.module = "[syscall]";
		function.layer = ITP_LAYER_SYSCALL;
	}
	return itp_function_table_intern(functions, &function);
}

void test_frames(struct itp_function_table *functions, const char *stack, GArray *ret_frames)
{
	g_auto(GStrv) words = g_strsplit(stack, " ", -1);

	g_array_set_size(ret_frames, 0);
	for (char **word = words; *word && **word; word++) {
		char *at = strchr(*word, '@');
		struct itp_frame frame = { .address = at ? strtoull(at + 1, NULL, 10) : 1 };

		if (at) {
			*at = '\0';
		}
		if (**word == '+') {
			frame = (struct itp_frame){ .is_assumed = true, .is_filled = true };
		}
		frame.function = test_function(functions, strcmp(*word, "?") == 0 ?
								  ITP_UNKNOWN_CALLERS_NAME :
								  *word + frame.is_filled);
		g_array_append_val(ret_frames, frame);
	}
}

static uint32_t syscall_function(struct test_run *run, int64_t number)
{
	g_autofree char *name = g_strdup_printf("syscall:%d", (int)number);
	const struct itp_function function = {
		.name = name, .module = "[syscall]", .build_id = "", .layer = ITP_LAYER_SYSCALL
	};

	return itp_function_table_intern(run->functions, &function);
}

static int push_on(struct test_run *run, struct itp_stack_event *event, int32_t cpu,
		   const char *comm, const char *stack)
{
	g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(struct itp_frame));

	test_frames(run->functions, stack, frames);
	event->pid = event->tid;
	event->cpu = cpu;
	event->comm = comm;
	event->frames = (const struct itp_frame *)(void *)frames->data;
	event->frame_count = frames->len;
	for (guint i = 0; i < frames->len; i++) {
		event->filled_count += g_array_index(frames, struct itp_frame, i).is_filled;
	}
	if (event->callee == 0 &&
	    (event->kind == ITP_EVENT_SYSCALL_ENTER || event->kind == ITP_EVENT_SYSCALL_EXIT ||
	     event->kind == ITP_EVENT_IN_CALL)) {
		event->callee = syscall_function(run, event->argument);
	}
	return itp_infer_push(run->infer, event);
}

static int push(struct test_run *run, struct itp_stack_event *event, const char *stack)
{
	return push_on(run, event, -1, "p", stack);
}

int test_push_switch(struct test_run *run, enum itp_event_kind kind, int64_t time_ns, int32_t cpu,
		     int32_t tid, const char *comm, const char *stack)
{
	struct itp_stack_event event = {
		.kind = kind, .time_ns = time_ns, .tid = tid, .complete = true
	};

	return push_on(run, &event, cpu, comm, stack);
}

int test_push_argument(struct test_run *run, enum itp_event_kind kind, int64_t time_ns, int32_t tid,
		       const char *stack, int64_t argument)
{
	struct itp_stack_event event = {
		.kind = kind, .time_ns = time_ns, .tid = tid, .argument = argument, .complete = true
	};

	return push(run, &event, stack);
}

int test_push_enter(struct test_run *run, int64_t time_ns, int32_t tid, const char *stack,
		    int64_t number, uint64_t descriptor)
{
	struct itp_stack_event event = {
		.kind = ITP_EVENT_SYSCALL_ENTER,
		.time_ns = time_ns,
		.tid = tid,
		.argument = number,
		.words = { .words = { descriptor }, .are_known = true },
		.complete = true,
	};

	return push(run, &event, stack);
}

int test_push_short_enter(struct test_run *run, int64_t time_ns, int32_t tid, const char *stack,
			  int64_t number, uint64_t descriptor)
{
	struct itp_stack_event event = {
		.kind = ITP_EVENT_SYSCALL_ENTER,
		.time_ns = time_ns,
		.tid = tid,
		.argument = number,
		.callee = syscall_function(run, number),
		.words = { .words = { descriptor }, .are_known = true },
	};

	return push(run, &event, stack);
}

int test_push_waking_exit(struct test_run *run, int64_t time_ns, int32_t tid, const char *stack,
			  int64_t number, int64_t since_wake_ns)
{
	struct itp_stack_event event = {
		.kind = ITP_EVENT_SYSCALL_EXIT,
		.time_ns = time_ns,
		.tid = tid,
		.callee = syscall_function(run, number),
		.since_wake_ns = since_wake_ns,
		.complete = true,
	};

	return push(run, &event, stack);
}

int test_push_exit(struct test_run *run, int64_t time_ns, int32_t tid, const char *stack,
		   int64_t number, int64_t result)
{
	struct itp_stack_event event = {
		.kind = ITP_EVENT_SYSCALL_EXIT,
		.time_ns = time_ns,
		.tid = tid,
		.argument = result,
		.callee = syscall_function(run, number),
		.complete = true,
	};

	return push(run, &event, stack);
}

int test_push_tick(struct test_run *run, int64_t time_ns, int32_t tid, const char *stack,
		   int64_t tick_ns)
{
	struct itp_stack_event event = {
		.kind = ITP_EVENT_SAMPLE,
		.time_ns = time_ns,
		.tid = tid,
		.argument = 1,
		.tick_ns = tick_ns,
		.complete = true,
	};

	return push(run, &event, stack);
}

int test_push(struct test_run *run, enum itp_event_kind kind, int64_t time_ns, int32_t tid,
	      const char *stack)
{
	return test_push_argument(run, kind, time_ns, tid, stack, 0);
}

int test_push_incomplete(struct test_run *run, enum itp_event_kind kind, int64_t time_ns,
			 int32_t tid, const char *stack, int64_t argument)
{
	struct itp_stack_event event = {
		.kind = kind, .time_ns = time_ns, .tid = tid, .argument = argument
	};

	return push(run, &event, stack);
}

char *test_path(const struct test_run *run, uint32_t node)
{
	g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	GString *text = g_string_new(NULL);

	itp_context_tree_path(run->tree, node, path);
	for (guint i = 0; i < path->len; i++) {
		uint32_t id = g_array_index(path, uint32_t, i);

		g_string_append_printf(text, "%s%s", i > 0 ? " " : "",
				       itp_function_table_get(run->functions, id)->name);
	}
	return g_string_free(text, FALSE);
}

char *test_instances(const struct test_run *run)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < run->instances->len; i++) {
		const struct itp_instance *instance =
			&g_array_index(run->instances, struct itp_instance, i);
		g_autofree char *path = test_path(run, instance->node);

		g_string_append_printf(text, "%s %d %d %d\n", path, (int)instance->begin_ns,
				       (int)instance->conservative_ns,
				       (int)instance->aggressive_ns);
	}
	return g_string_free(text, FALSE);
}

void test_assert_instances(struct test_run *run, const char *wanted)
{
	g_autofree char *got = NULL;

	itp_infer_finish(run->infer);
	got = test_instances(run);
	g_assert_cmpstr(got, ==, wanted);
}

const struct itp_instance *test_instance(const struct test_run *run, const char *path)
{
	for (guint i = 0; i < run->instances->len; i++) {
		const struct itp_instance *instance =
			&g_array_index(run->instances, struct itp_instance, i);
		g_autofree char *name = test_path(run, instance->node);

		if (g_str_equal(name, path)) {
			return instance;
		}
	}
	g_error("no instance of %s", path);
}

const struct itp_node_stats *test_stats(const struct test_run *run, const char *path)
{
	for (uint32_t node = 1; node < itp_context_tree_size(run->tree); node++) {
		g_autofree char *name = test_path(run, node);

		if (g_str_equal(name, path)) {
			return itp_profile_peek(run->profile, node);
		}
	}
	return itp_profile_peek(run->profile, UINT32_MAX);
}

static void set_up(struct test_run *run, gconstpointer continuity)
{
	test_run_init(run, GPOINTER_TO_INT(continuity), ITP_ESTIMATE_CONSERVATIVE, NULL);
}

static void tear_down(struct test_run *run, gconstpointer continuity)
{
	(void)continuity;
	test_run_release(run, NULL);
}

void test_add_on_runs(const char *module, enum itp_continuity continuity,
		      const struct test_on_run *tests, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		g_autofree char *path = g_strdup_printf("/%s/%s", module, tests[i].sentence);

		g_test_add(path, struct test_run, GINT_TO_POINTER(continuity), set_up,
			   tests[i].check, tear_down);
	}
}

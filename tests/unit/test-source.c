/* SPDX-License-Identifier: MIT */
/* What addresses in a function cost, and its page: by hand, and random stacks. */
#include <inttypes.h>
#include <string.h>

#include "common/render/source/source.h"

#define STACKS 2000
#define MS INT64_C(1000000)

struct program {
	struct itp_function_table *functions;
	struct itp_source_costs *costs;
	uint32_t main;
	uint32_t work;
	uint32_t help;
	uint32_t handler;
	uint32_t page_fault;
};

static uint32_t function(struct program *program, const char *name, enum itp_layer layer)
{
	const struct itp_function wanted = {
		.name = name,
		.module = layer == ITP_LAYER_USER ? "program" : "[kernel]",
		.build_id = "",
		.layer = layer,
		.is_signal_frame = strcmp(name, "handler") == 0,
	};

	return itp_function_table_intern(program->functions, &wanted);
}

/* Gets the name of the one that is wanted. */
static bool is_called(const struct itp_function *wanted, void *data)
{
	return strcmp(wanted->name, data) == 0;
}

static void set_up(struct program *program, gconstpointer data)
{
	program->functions = itp_function_table_new();
	program->costs = itp_source_costs_new(program->functions, is_called, (void *)data);
	program->main = function(program, "main", ITP_LAYER_USER);
	program->work = function(program, "work", ITP_LAYER_USER);
	program->help = function(program, "help", ITP_LAYER_USER);
	program->handler = function(program, "handler", ITP_LAYER_USER);
	program->page_fault = function(program, "asm_exc_page_fault", ITP_LAYER_KERNEL);
}

static void tear_down(struct program *program, gconstpointer data)
{
	(void)data;
	itp_source_costs_free(program->costs);
	itp_function_table_free(program->functions);
}

/* A switch takes the CPU from a thread that is blocked. */
static void push(struct program *program, enum itp_event_kind kind, int64_t time_ns,
		 const struct itp_frame *frames, size_t count)
{
	const struct itp_stack_event event = { .kind = kind,
					       .time_ns = time_ns,
					       .pid = 1,
					       .tid = 1,
					       .comm = "program",
					       .argument = kind == ITP_EVENT_SAMPLE ? MS : 1,
					       .frames = frames,
					       .frame_count = count };

	itp_source_costs_push(program->costs, &event);
}

/* main at 0x10 has called work, which is at `address`, and what is behind that. */
#define PUSH(program, kind, time_ms, ...)                                                          \
	do {                                                                                       \
		const struct itp_frame stack[] = { { .address = 0x10, .function = program->main }, \
						   __VA_ARGS__ };                                  \
		push(program, kind, (time_ms)*MS, stack, G_N_ELEMENTS(stack));                     \
	} while (0)
#define FRAME(at, of)                           \
	{                                       \
		.address = (at), .function = of \
	}

/* "KIND ADDRESS[!] CALLEE TICKS MS", a line for each place; ! where the thread stood there. */
static void assert_places(const struct program *program, const char *wanted)
{
	static const char *const kinds[] = { "total", "own", "call" };
	const GArray *places = itp_source_costs_places(program->costs);
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < places->len; i++) {
		const struct itp_source_place *place =
			&g_array_index(places, struct itp_source_place, i);

		g_string_append_printf(
			text, "%s %" PRIx64 "%s %s %" PRIu64 " %" PRId64 "\n", kinds[place->kind],
			place->address, place->is_exact ? "!" : "",
			place->kind == ITP_SOURCE_CALL ?
				itp_function_table_get(program->functions, place->callee)->name :
				"-",
			place->ticks, itp_source_costs_time_ns(program->costs, place) / MS);
	}
	g_assert_cmpstr(text->str, ==, wanted);
}

/* On the CPU from 0 to 40, by four ticks; then off it, in a call of help. */
static void test_cpu_and_waiting(struct program *program, gconstpointer data)
{
	(void)data;
	PUSH(program, ITP_EVENT_SAMPLE, 0, FRAME(0x20, program->work));
	PUSH(program, ITP_EVENT_SAMPLE, 10, FRAME(0x20, program->work));
	PUSH(program, ITP_EVENT_SAMPLE, 20, FRAME(0x28, program->work));
	PUSH(program, ITP_EVENT_SAMPLE, 30, FRAME(0x30, program->work), FRAME(0x80, program->help));
	PUSH(program, ITP_EVENT_SWITCH_OUT, 40, FRAME(0x30, program->work),
	     FRAME(0x84, program->help));
	push(program, ITP_EVENT_SWITCH_IN, 100 * MS, NULL, 0);
	assert_places(program, "total 0 - 4 100\n"
			       "own 20! - 2 20\n"
			       "own 28! - 1 10\n"
			       "call 30 help 1 70\n");
	g_assert_cmpint(itp_source_costs_cpu_ns(program->costs, MS), ==, 10 * MS);
}

/* Preempted from 20 to 50; blocked from 70 to 90, and on the CPU again at 100. */
static void test_waiting_for_a_cpu(struct program *program, gconstpointer data)
{
	const struct itp_frame frames[] = { { .address = 0x10, .function = program->main },
					    { .address = 0x20, .function = program->work } };
	const struct itp_stack_event preempted = { .kind = ITP_EVENT_SWITCH_OUT,
						   .time_ns = 20 * MS,
						   .pid = 1,
						   .tid = 1,
						   .comm = "program",
						   .frames = frames,
						   .frame_count = G_N_ELEMENTS(frames) };

	(void)data;
	PUSH(program, ITP_EVENT_SAMPLE, 0, FRAME(0x20, program->work));
	PUSH(program, ITP_EVENT_SAMPLE, 10, FRAME(0x20, program->work));
	itp_source_costs_push(program->costs, &preempted);
	push(program, ITP_EVENT_SWITCH_IN, 50 * MS, NULL, 0);
	PUSH(program, ITP_EVENT_SAMPLE, 60, FRAME(0x20, program->work));
	PUSH(program, ITP_EVENT_SAMPLE, 65, FRAME(0x20, program->work));
	PUSH(program, ITP_EVENT_SWITCH_OUT, 70, FRAME(0x30, program->work),
	     FRAME(0x84, program->help));
	PUSH(program, ITP_EVENT_WAKEUP, 90, FRAME(0x88, program->help));
	push(program, ITP_EVENT_SWITCH_IN, 100 * MS, NULL, 0);
	assert_places(program, "total 0 - 4 60\n"
			       "own 20! - 4 40\n"
			       "call 30 help 0 20\n");
	g_assert_cmpint(
		g_array_index(itp_source_costs_places(program->costs), struct itp_source_place, 0)
			.waiting_ns,
		==, 40 * MS);
}

/* Half of a stretch each; all of it to the call that a system call was made in. */
static void test_without_switches(struct program *program, gconstpointer data)
{
	(void)data;
	PUSH(program, ITP_EVENT_SAMPLE, 0, FRAME(0x20, program->work));
	PUSH(program, ITP_EVENT_SYSCALL_ENTER, 10, FRAME(0x30, program->work),
	     FRAME(0x80, program->help));
	push(program, ITP_EVENT_SYSCALL_EXIT, 50 * MS, NULL, 0);
	PUSH(program, ITP_EVENT_SAMPLE, 60, FRAME(0x20, program->work));
	assert_places(program, "total 0 - 2 60\n"
			       "own 20! - 2 10\n"
			       "call 30 help 0 50\n");
	g_assert_cmpint(itp_source_costs_cpu_ns(program->costs, MS), ==, 0);
}

/* The kernel at work for it, a system call that it makes itself, and a signal. */
static void test_where_it_stood(struct program *program, gconstpointer data)
{
	(void)data;
	PUSH(program, ITP_EVENT_SAMPLE, 0, FRAME(0x20, program->work),
	     FRAME(0x900, program->page_fault));
	PUSH(program, ITP_EVENT_SYSCALL_ENTER, 0, FRAME(0x24, program->work));
	PUSH(program, ITP_EVENT_SAMPLE, 0, FRAME(0x24, program->work));
	push(program, ITP_EVENT_SYSCALL_EXIT, 0, NULL, 0);
	PUSH(program, ITP_EVENT_SAMPLE, 0, FRAME(0x24, program->work));
	PUSH(program, ITP_EVENT_SAMPLE, 0, FRAME(0x28, program->work),
	     FRAME(0x80, program->handler));
	assert_places(program, "total 0 - 4 0\n"
			       "own 20! - 1 0\n"
			       "own 24 - 1 0\n"
			       "own 24! - 1 0\n"
			       "call 28! handler 1 0\n");
}

static void test_recursion(struct program *program, gconstpointer data)
{
	(void)data;
	PUSH(program, ITP_EVENT_SAMPLE, 0, FRAME(0x30, program->work), FRAME(0x30, program->work),
	     FRAME(0x20, program->work));
	assert_places(program, "total 0 - 1 0\n"
			       "own 20! - 1 0\n");
}

/* Nothing is known of a thread across lost events, and its waker's stack is not its own. */
static void test_loss_and_wakers(struct program *program, gconstpointer data)
{
	(void)data;
	PUSH(program, ITP_EVENT_SYSCALL_ENTER, 0, FRAME(0x30, program->work),
	     FRAME(0x80, program->help));
	PUSH(program, ITP_EVENT_WAKEUP, 5, FRAME(0x20, program->work));
	push(program, ITP_EVENT_LOSS, 10 * MS, NULL, 0);
	PUSH(program, ITP_EVENT_SYSCALL_ENTER, 90, FRAME(0x30, program->work),
	     FRAME(0x80, program->help));
	push(program, ITP_EVENT_SYSCALL_EXIT, 92 * MS, NULL, 0);
	assert_places(program, "total 0 - 0 2\n"
			       "call 30 help 0 2\n");
}

/* Without a file there are addresses: own costs where the timer hit, then calls. */
static void test_page_of_addresses(struct program *program, gconstpointer data)
{
	const struct itp_source_request request = { .costs = program->costs,
						    .functions = program->functions };
	g_autoptr(GPtrArray) pages = NULL;
	g_autoptr(GString) text = g_string_new(NULL);
	const struct itp_source_page *page;

	(void)data;
	PUSH(program, ITP_EVENT_SAMPLE, 0, FRAME(0x40, program->work));
	PUSH(program, ITP_EVENT_SAMPLE, 10, FRAME(0x30, program->work), FRAME(0x80, program->help));
	PUSH(program, ITP_EVENT_SAMPLE, 20, FRAME(0x30, program->work));
	PUSH(program, ITP_EVENT_SWITCH_OUT, 30, FRAME(0x38, program->work));
	push(program, ITP_EVENT_SWITCH_IN, 40 * MS, NULL, 0);
	pages = itp_source_pages(&request);
	g_assert_cmpuint(pages->len, ==, 1);
	page = g_ptr_array_index(pages, 0);
	for (guint i = 0; i < page->rows->len; i++) {
		const struct itp_source_row *row =
			&g_array_index(page->rows, struct itp_source_row, i);

		g_string_append_printf(text, "%" PRIx64 " %s %" PRIu64 "\n", row->line,
				       row->is_call ? "call" : "own", row->ticks);
	}
	g_assert_cmpstr(text->str, ==, "30 own 1\n30 call 1\n40 own 1\n");
	g_assert_cmpuint(page->own_ticks, ==, 2);
	g_assert_cmpint(page->own_off_ns, ==, 10 * MS);
	g_assert_false(page->has_lines);
}

static void push_random(struct program *program, GRand *random, int64_t time_ms)
{
	static const enum itp_event_kind kinds[] = { ITP_EVENT_SAMPLE, ITP_EVENT_SAMPLE,
						     ITP_EVENT_SWITCH_OUT, ITP_EVENT_SYSCALL_ENTER,
						     ITP_EVENT_SYSCALL_EXIT };
	enum itp_event_kind kind = kinds[g_rand_int_range(random, 0, G_N_ELEMENTS(kinds))];
	uint64_t address = (uint64_t)g_rand_int_range(random, 0x20, 0x28);

	if (g_rand_boolean(random)) {
		PUSH(program, kind, time_ms, FRAME(address, program->work));
	} else {
		PUSH(program, kind, time_ms, FRAME(address, program->work),
		     FRAME(0x80, program->help));
	}
}

/* Own costs and calls are all there is, whatever happened. */
static void test_parts_make_the_whole(struct program *program, gconstpointer data)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(20);
	int64_t parts_ns = 0;
	int64_t time_ms = 0;
	uint64_t ticks = 0;
	const struct itp_source_place *total;
	const GArray *places;

	(void)data;
	for (int i = 0; i < STACKS; i++) {
		push_random(program, random, time_ms);
		time_ms += g_rand_int_range(random, 0, 20) * 2;
	}
	places = itp_source_costs_places(program->costs);
	total = &g_array_index(places, struct itp_source_place, 0);
	for (guint i = 1; i < places->len; i++) {
		const struct itp_source_place *place =
			&g_array_index(places, struct itp_source_place, i);

		parts_ns += itp_source_costs_time_ns(program->costs, place);
		ticks += place->ticks;
	}
	g_assert_cmpuint(ticks, ==, total->ticks);
	g_assert_cmpint(ABS(parts_ns - itp_source_costs_time_ns(program->costs, total)), <=,
			places->len);
}

/* Which rows the page of a report has, when it may have so many. */
static char *shown_rows(const struct itp_source_page *page, const struct program *program,
			guint rows_most)
{
	const struct itp_source_looks looks = { .costs = program->costs,
						.functions = program->functions,
						.width = 80 };
	json_t *object = itp_render_source_object(page, &looks, rows_most);
	GString *text = g_string_new(NULL);
	json_t *section;
	json_t *row;
	size_t i;
	size_t k;

	json_array_foreach(json_object_get(object, "sections"), i, section)
	{
		json_array_foreach(json_object_get(section, "rows"), k, row)
		{
			g_string_append_printf(text, "%s ",
					       json_string_value(json_array_get(row, 0)));
		}
	}
	g_string_append_printf(text, "%" JSON_INTEGER_FORMAT " left out",
			       json_integer_value(json_object_get(object, "left_out")));
	json_decref(object);
	return g_string_free(text, FALSE);
}

/* 0x42 has most ticks, 0x43 fewest. */
static void test_rows_left_out(struct program *program, gconstpointer data)
{
	const struct itp_source_request request = { .costs = program->costs,
						    .functions = program->functions };
	static const uint64_t addresses[] = { 0x40, 0x41, 0x42, 0x42, 0x42, 0x43, 0x41, 0x40 };
	g_autoptr(GPtrArray) pages = NULL;
	const struct itp_source_page *page;
	g_autofree char *all = NULL;
	g_autofree char *first = NULL;
	g_autofree char *tied = NULL;

	(void)data;
	for (guint i = 0; i < G_N_ELEMENTS(addresses); i++) {
		PUSH(program, ITP_EVENT_SAMPLE, i * 10, FRAME(addresses[i], program->work));
	}
	pages = itp_source_pages(&request);
	page = g_ptr_array_index(pages, 0);
	all = shown_rows(page, program, 4);
	first = shown_rows(page, program, 1);
	tied = shown_rows(page, program, 2);
	g_assert_cmpstr(all, ==, "0x40 0x41 0x42 0x43 0 left out");
	g_assert_cmpstr(first, ==, "0x42 3 left out");
	g_assert_cmpstr(tied, ==, "0x40 0x42 2 left out");
}

#define ADD(path, function) \
	g_test_add("/source/" path, struct program, "work", set_up, function, tear_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD("time on the CPU is by ticks, time off it by switches", test_cpu_and_waiting);
	ADD("waiting for a CPU is kept apart", test_waiting_for_a_cpu);
	ADD("without switches time is by stretches", test_without_switches);
	ADD("an address is exact where the thread stood there", test_where_it_stood);
	ADD("the innermost call of a function counts", test_recursion);
	ADD("nothing is known across lost events, and of wakers", test_loss_and_wakers);
	ADD("without a file there are addresses", test_page_of_addresses);
	ADD("a page has the rows with most costs", test_rows_left_out);
	ADD("own costs and calls make the whole", test_parts_make_the_whole);
	return g_test_run();
}

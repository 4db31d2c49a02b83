/* SPDX-License-Identifier: MIT */
/*
 * See through-scene.h.
 */
#include "tests/unit/through-scene.h"

#define THREADS_OF_PROCESS 10

static int32_t process_of(int32_t tid)
{
	return tid / THREADS_OF_PROCESS * THREADS_OF_PROCESS;
}

static void push(struct through_scene *scene, struct itp_stack_event event, int32_t tid)
{
	g_autofree char *comm = g_strdup_printf("p%d", process_of(tid));

	event.time_ns = scene->time_ns;
	event.pid = tid < 0 ? tid : process_of(tid);
	event.tid = tid;
	event.cpu = -1;
	event.comm = tid < 0 ? "" : comm;
	itp_through_add(scene->through, &event);
}

static void enter(struct through_scene *scene, int32_t tid, const char *name, char *const *words)
{
	struct itp_stack_event event = {
		.kind = ITP_EVENT_SYSCALL_ENTER,
		.callee = itp_function_table_intern_syscall(scene->functions, name),
		.words.are_known = true,
	};

	for (guint i = 0; i < ITP_SYSCALL_WORDS && words[i] && *words[i] != '='; i++) {
		event.words.words[i] = (uint64_t)g_ascii_strtoll(words[i], NULL, 10);
	}
	push(scene, event, tid);
}

static void leave(struct through_scene *scene, int32_t tid, const char *result)
{
	push(scene,
	     (struct itp_stack_event){ .kind = ITP_EVENT_SYSCALL_EXIT,
				       .argument = g_ascii_strtoll(result, NULL, 10) },
	     tid);
}

/* The place of "=" or "..."; fails without. */
static guint end_of_words(char *const *parts)
{
	guint i = 2;

	while (parts[i] && !g_str_equal(parts[i], "=") && !g_str_equal(parts[i], "...")) {
		i++;
	}
	g_assert_nonnull(parts[i]);
	return i;
}

static void play_line(struct through_scene *scene, const char *line)
{
	g_auto(GStrv) parts = g_strsplit(line, " ", -1);
	int32_t tid = (int32_t)g_ascii_strtoll(parts[0], NULL, 10);

	scene->time_ns += STEP_NS;
	if (g_str_equal(line, "lost")) {
		push(scene, (struct itp_stack_event){ .kind = ITP_EVENT_LOSS, .argument = 1 }, -1);
	} else if (g_str_equal(parts[1], "=")) {
		leave(scene, tid, parts[2]);
	} else if (g_str_equal(parts[1], "sleeps")) {
		push(scene, (struct itp_stack_event){ .kind = ITP_EVENT_SWITCH_OUT, .argument = 1 },
		     tid);
	} else if (g_str_equal(parts[1], "wakes")) {
		push(scene, (struct itp_stack_event){ .kind = ITP_EVENT_WAKEUP, .argument = tid },
		     (int32_t)g_ascii_strtoll(parts[2], NULL, 10));
	} else if (g_str_equal(parts[1], "makes")) {
		push(scene, (struct itp_stack_event){ .kind = ITP_EVENT_START, .argument = tid },
		     (int32_t)g_ascii_strtoll(parts[2], NULL, 10));
	} else if (g_str_equal(parts[1], "ends")) {
		push(scene, (struct itp_stack_event){ .kind = ITP_EVENT_END }, tid);
	} else {
		guint end = end_of_words(parts);

		enter(scene, tid, parts[1], parts + 2);
		scene->time_ns += STEP_NS / 2;
		if (g_str_equal(parts[end], "=")) {
			leave(scene, tid, parts[end + 1]);
		}
	}
}

void through_scene_init(struct through_scene *scene)
{
	*scene = (struct through_scene){ .functions = itp_function_table_new(),
					 .tree = itp_context_tree_new(),
					 .history = itp_history_new() };
	scene->through = itp_through_new(scene->functions);
	scene->recall = (struct itp_recall){ .history = scene->history,
					     .tree = scene->tree,
					     .functions = scene->functions };
}

void through_scene_release(struct through_scene *scene)
{
	itp_through_free(scene->through);
	itp_history_free(scene->history);
	itp_context_tree_free(scene->tree);
	itp_function_table_free(scene->functions);
}

char *through_scene_told(const struct itp_through *through)
{
	static const char *const doubts[ITP_HOP_DOUBT_COUNT] = { "",          " lost",  " open",
								 " shared",   " mixed", " unclear",
								 " stranger", " rest" };
	const struct itp_hops *hops = itp_through_hops(through);
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < hops->roots->len; i++) {
		guint first = g_array_index(hops->roots, guint, i);
		guint end = itp_hops_behind(hops, first);

		g_string_append(text, i > 0 ? "; " : "");
		for (guint j = first; j < end; j++) {
			const struct itp_hop *hop = &g_array_index(hops->list, struct itp_hop, j);

			g_string_append_printf(
				text, "%s%s.%d", j > first ? " " : "",
				itp_traffic_process(itp_through_traffic(through), hop->pid),
				hop->tid);
			if (hop->parent != ITP_HOP_NONE) {
				g_string_append_printf(text, "<%u", hop->parent - first);
			}
		}
		g_string_append(text, doubts[itp_hops_doubt(hops, first)]);
	}
	return g_string_free(text, FALSE);
}

void through_scene_play(struct through_scene *scene, const char *const *lines)
{
	for (; *lines; lines++) {
		play_line(scene, *lines);
	}
}

void through_scene_assert(const char *const *lines, const char *expected)
{
	struct through_scene scene;
	g_autofree char *text = NULL;

	through_scene_init(&scene);
	through_scene_play(&scene, lines);
	itp_through_finish(scene.through, &scene.recall);
	text = through_scene_told(scene.through);
	g_assert_cmpstr(text, ==, expected);
	through_scene_release(&scene);
}

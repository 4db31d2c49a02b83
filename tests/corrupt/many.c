/* SPDX-License-Identifier: MIT */
/*
 * Writes recordings that have much of something, for whoever looks at how time and memory grow:
 *
 *   tests/corrupt/many KIND COUNT >perf.data
 *
 * functions: COUNT functions, which one function calls. deep: COUNT functions in stacks as deep as
 * the reader takes them. wide: COUNT callees of a few hundred callers, so that all combinations of
 * the two come. modules: COUNT functions, each in a module of its own.
 * processes: COUNT processes, each with a name and a function of its own. chains: COUNT functions,
 * each of which is called alone by the one before it, in stacks of 100. contexts: COUNT stacks of
 * eight of COUNT functions, of which hardly two begin alike: 100 000 are 14 MB and 800 000
 * contexts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/stack-event.h"
#include "tests/perf/usual.h"

#define APP_BYTES UINT64_C(0x40000000)
#define FUNCTION_BYTES 16
#define MODULE_BYTES 4096
#define STEP_NS 1000
#define CHAIN_DEPTH 100
#define CALLERS 300
#define CONTEXT_DEPTH 8
/* Odd, so that its multiples visit all functions. */
#define STRIDE UINT64_C(2654435761)

/* The innermost first; the markers of a chain and main() come besides. */
struct stack {
	guint64 chain[ITP_MAX_STACK_DEPTH + 4];
	guint depth;
};

static guint64 address_of(guint64 function)
{
	return APP + FUNCTION_BYTES * function + FUNCTION_BYTES / 2;
}

static void stack_push(struct stack *stack, guint64 function)
{
	stack->chain[++stack->depth] = address_of(function);
}

static void add_stack(struct recording *recording, struct stack *stack, gint32 pid, guint64 number)
{
	stack->chain[0] = USER;
	stack->chain[stack->depth + 1] = address_of(0);
	stack->chain[stack->depth + 2] = 0;
	recording_tick(recording, &(struct recording_stamp){ pid, pid, (number + 1) * STEP_NS },
		       stack->chain);
}

static void add_functions(struct recording *recording, guint64 count)
{
	for (guint64 i = 0; i < count; i++) {
		struct stack stack = { .depth = 0 };

		stack_push(&stack, i + 1);
		add_stack(recording, &stack, 10, i);
	}
}

static void add_deep(struct recording *recording, guint64 count, guint depth)
{
	for (guint64 i = 0; i < count / depth; i++) {
		struct stack stack = { .depth = 0 };

		for (guint k = 0; k < depth; k++) {
			stack_push(&stack, i * depth + k + 1);
		}
		add_stack(recording, &stack, 10, i);
	}
}

static void add_wide(struct recording *recording, guint64 count)
{
	for (guint64 i = 0; i < count; i++) {
		struct stack stack = { .depth = 0 };

		stack_push(&stack, i / CALLERS + CALLERS + 1);
		stack_push(&stack, i % CALLERS + 1);
		add_stack(recording, &stack, 10, i);
	}
}

static void add_contexts(struct recording *recording, guint64 count)
{
	for (guint64 i = 0; i < count; i++) {
		struct stack stack = { .depth = 0 };

		for (guint64 k = 0; k < CONTEXT_DEPTH; k++) {
			stack_push(&stack, (i + k * count / CONTEXT_DEPTH) * STRIDE % count + 1);
		}
		add_stack(recording, &stack, 10, i);
	}
}

static void add_modules(struct recording *recording, guint64 count)
{
	const struct recording_stamp before = { .pid = 10, .tid = 10 };

	for (guint64 i = 0; i < count; i++) {
		g_autofree char *name = g_strdup_printf("/nowhere/%" G_GUINT64_FORMAT, i);
		struct stack stack = { .depth = 0 };

		recording_mmap(recording, &before, APP + APP_BYTES + i * MODULE_BYTES, MODULE_BYTES,
			       name);
		stack_push(&stack, (APP_BYTES + i * MODULE_BYTES) / FUNCTION_BYTES);
		add_stack(recording, &stack, 10, i);
	}
}

static void add_processes(struct recording *recording, guint64 count)
{
	for (guint64 i = 0; i < count; i++) {
		const struct recording_stamp before = { .pid = (gint32)i + 11,
							.tid = (gint32)i + 11 };
		g_autofree char *name = g_strdup_printf("process%" G_GUINT64_FORMAT, i);
		struct stack stack = { .depth = 0 };

		recording_comm(recording, &before, name, FALSE);
		recording_mmap(recording, &before, APP, APP_BYTES, "/nowhere/app");
		stack_push(&stack, i + 1);
		add_stack(recording, &stack, before.pid, i);
	}
}

static int write_image(const struct recording *recording)
{
	g_autoptr(GByteArray) image = recording_image(recording);

	return fwrite(image->data, image->len, 1, stdout) == 1 && fflush(stdout) == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
	g_autoptr(recording_auto) recording = recording_new();
	const struct recording_stamp before = { .pid = 10, .tid = 10 };
	const char *kind = argc == 3 ? argv[1] : "";
	guint64 count = argc == 3 ? g_ascii_strtoull(argv[2], NULL, 10) : 0;

	recording_add_usual(recording);
	recording_comm(recording, &before, "app", FALSE);
	recording_mmap(recording, &before, APP, APP_BYTES, "/nowhere/app");
	if (strcmp(kind, "functions") == 0) {
		add_functions(recording, count);
	} else if (strcmp(kind, "deep") == 0) {
		add_deep(recording, count, ITP_MAX_STACK_DEPTH - 8);
	} else if (strcmp(kind, "chains") == 0) {
		add_deep(recording, count, CHAIN_DEPTH);
	} else if (strcmp(kind, "wide") == 0) {
		add_wide(recording, count);
	} else if (strcmp(kind, "contexts") == 0) {
		add_contexts(recording, count);
	} else if (strcmp(kind, "modules") == 0) {
		add_modules(recording, count);
	} else if (strcmp(kind, "processes") == 0) {
		add_processes(recording, count);
	} else {
		fprintf(stderr,
			"usage: %s functions|deep|chains|wide|contexts|modules|processes COUNT\n",
			argv[0]);
		return 2;
	}
	return write_image(recording);
}

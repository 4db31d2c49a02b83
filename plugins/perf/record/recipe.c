/* SPDX-License-Identifier: MIT */
/*
 * See recipe.h.
 */
#include "plugins/perf/record/recipe.h"

#include <string.h>

#define PLAIN_CHARACTERS G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_./=,:+@^%"

/* Buffer of each CPU: copies of stacks fill it fast; and the most for all together. */
#define BUFFER_KB (8 * 1024)
#define COPIES_BUFFER_KB (64 * 1024)
#define MIN_BUFFER_KB 512
#define ALL_BUFFERS_KB (512 * 1024)

static const struct {
	const char *tracepoints;
	const char *software;
	unsigned int frequency_hz;
} presets[] = {
	[ITP_PRESET_TIMER] = { NULL, NULL, 997 },
	[ITP_PRESET_LIGHT] = { "sched:sched_switch", NULL, 997 },
	[ITP_PRESET_USUAL] = { "sched:sched_switch,sched:sched_waking", NULL, 997 },
	[ITP_PRESET_FULL] = { "sched:sched_switch,sched:sched_waking,sched:sched_wakeup_new",
			      "page-faults/period=1/", 3989 },
};

/* perf wants a power of two. */
static unsigned int buffer_kb(const struct itp_recipe *recipe)
{
	unsigned int kb = recipe->stack_bytes > 0 ? COPIES_BUFFER_KB : BUFFER_KB;

	while (kb > MIN_BUFFER_KB && kb > ALL_BUFFERS_KB / g_get_num_processors()) {
		kb /= 2;
	}
	return kb;
}

static void add(GPtrArray *command, const char *option, const char *value)
{
	g_ptr_array_add(command, g_strdup(option));
	if (value) {
		g_ptr_array_add(command, g_strdup(value));
	}
}

/* Excludes events from those before. perf's writing would be recorded again, and so would its
 * reader's calls. */
static void add_exclusions(GPtrArray *command, int reader)
{
	add(command, "--exclude-perf", NULL);
	if (reader > 0) {
		add(command, "--filter", NULL);
		g_ptr_array_add(command, g_strdup_printf("common_pid != %d", reader));
	}
}

/* Of the whole machine, and of a user who runs perf, its own system calls are not wanted. */
static bool may_record_itself(const struct itp_target *target)
{
	return target->is_machine || target->user;
}

static void add_events(GPtrArray *command, const struct itp_recipe *recipe,
		       const struct itp_target *target)
{
	unsigned int frequency_hz = recipe->frequency_hz > 0 ? recipe->frequency_hz :
							       presets[recipe->preset].frequency_hz;
	g_autofree char *timer = g_strdup_printf("cpu-clock/freq=%u/", frequency_hz);

	if (recipe->preset >= ITP_PRESET_USUAL) {
		/* A system call returns to its call: its end needs no stack. */
		add(command, "-e", "raw_syscalls:sys_enter,raw_syscalls:sys_exit/call-graph=no/");
		if (may_record_itself(target)) {
			add_exclusions(command, recipe->reader);
		}
	}
	if (presets[recipe->preset].tracepoints) {
		add(command, "-e", presets[recipe->preset].tracepoints);
	}
	if (presets[recipe->preset].software) {
		add(command, "-e", presets[recipe->preset].software);
	}
	if (recipe->probes) {
		add(command, "-e", recipe->probes);
	}
	for (size_t i = 0; recipe->events && recipe->events[i]; i++) {
		add(command, "-e", recipe->events[i]);
	}
	add(command, "-e", timer);
}

static void add_target(GPtrArray *command, const struct itp_target *target)
{
	if (target->pids) {
		add(command, target->is_threads ? "-t" : "-p", target->pids);
	}
	if (target->is_machine) {
		add(command, "-a", NULL);
	}
	if (target->cpus) {
		add(command, "-C", target->cpus);
	}
	if (target->started) {
		add(command, "-p", target->started);
		return;
	}
	if (target->command) {
		add(command, "--", NULL);
	}
	for (size_t i = 0; target->command && target->command[i]; i++) {
		add(command, target->command[i], NULL);
	}
}

char **itp_recipe_command(const struct itp_recipe *recipe, const struct itp_target *target)
{
	GPtrArray *command = g_ptr_array_new();
	g_autofree char *graph = recipe->stack_bytes > 0 ?
					 g_strdup_printf("dwarf,%u", recipe->stack_bytes) :
					 g_strdup("fp");
	g_autofree char *buffer = g_strdup_printf("%uK", buffer_kb(recipe));

	add(command, "perf", "record");
	if (recipe->is_quiet || recipe->is_verbose) {
		add(command, recipe->is_quiet ? "-q" : "-v", NULL);
	}
	if (recipe->reader > 0) {
		add(command, "--control=fd:3", NULL);
	}
	add(command, "-k", "CLOCK_MONOTONIC");
	add(command, "-m", buffer);
	add(command, "--switch-events", NULL);
	add(command, "--call-graph", graph);
	/* Copies of similar stacks compress well, and writing them out is the limit of perf.
	 * Through a pipe they are held up no less. */
	if (recipe->stack_bytes > 0 && !g_str_equal(recipe->output, "-")) {
		add(command, "-z", NULL);
	}
	if (recipe->is_first) {
		add(command, "-r", "1");
	}
	add_events(command, recipe, target);
	add(command, "-o", recipe->output);
	add_target(command, target);
	g_ptr_array_add(command, NULL);
	return (char **)g_ptr_array_free(command, FALSE);
}

char *itp_recipe_text(char *const *command)
{
	GString *text = g_string_new(NULL);

	for (size_t i = 0; command[i]; i++) {
		bool is_plain = command[i][0] != '\0' &&
				command[i][strspn(command[i], PLAIN_CHARACTERS)] == '\0';
		g_autofree char *word = is_plain ? g_strdup(command[i]) : g_shell_quote(command[i]);

		g_string_append_printf(text, "%s%s", i > 0 ? " " : "", word);
	}
	return g_string_free(text, FALSE);
}

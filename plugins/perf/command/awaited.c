/* SPDX-License-Identifier: MIT */
/*
 * See awaited.h. /proc is read again and again: the kernel tells only root of new processes, and
 * nobody in a container. A process has its parent's name until its exec, which mostly comes soon:
 * young processes are looked at each time, the others once a second.
 */
#include "plugins/perf/command/awaited.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/engine/interrupt.h"
#include "plugins/perf/command/program.h"
#include "terminal/terminal.h"

/* Bytes of a process' name in the kernel (comm). */
#define COMM_BYTES 15
/* Behind the path of a program whose file was removed. */
#define DELETED " (deleted)"
/* Time between two looks into /proc: a program that begins is recorded 20 ms later, for 1 % of a
 * CPU where 500 processes run. */
#define LOOK_US 20000
/* Looks in a second. */
#define LOOKS_PER_S 50

/* True for the name in the kernel, which is cut, or that of the program's file; for a path, if the
 * file is there. False for a process without a program that this user may look at. */
static bool is_process_called(const char *process, const char *name)
{
	g_autofree char *link = g_strdup_printf("/proc/%s/exe", process);
	g_autofree char *program = g_file_read_link(link, NULL);
	g_autofree char *file = g_strdup_printf("/proc/%s/comm", process);
	g_autofree char *comm = NULL;
	g_autofree char *cut = g_strndup(name, COMM_BYTES);
	g_autofree char *base = NULL;

	if (!program || !g_file_get_contents(file, &comm, NULL, NULL)) {
		return false;
	}
	if (g_str_has_suffix(program, DELETED)) {
		program[strlen(program) - strlen(DELETED)] = '\0';
	}
	base = g_path_get_basename(program);
	return g_str_equal(g_strchomp(comm), cut) ||
	       g_str_equal(strchr(name, '/') ? program : base, name);
}

static bool is_other_process(const char *name)
{
	return g_ascii_isdigit(name[0]) && atoi(name) != getpid();
}

/* Numbers of all processes of the program, with commas between; NULL for none. Owned by the caller.
 */
static char *find_all(const char *program)
{
	g_autoptr(GDir) processes = g_dir_open("/proc", 0, NULL);
	GString *pids = g_string_new(NULL);
	const char *name;

	while (processes && (name = g_dir_read_name(processes))) {
		if (is_other_process(name) && is_process_called(name, program)) {
			g_string_append_printf(pids, "%s%s", pids->len > 0 ? "," : "", name);
		}
	}
	return g_string_free(pids, pids->len == 0);
}

/* True when a process of the program was seen. `*seen` has the number of looks at each process, by
 * its own number; ended ones are left out. */
static bool look_for_process(GHashTable **seen, const char *program)
{
	g_autoptr(GDir) processes = g_dir_open("/proc", 0, NULL);
	GHashTable *now = g_hash_table_new(NULL, NULL);
	bool is_seen = false;
	const char *name;

	while (!is_seen && processes && (name = g_dir_read_name(processes))) {
		const gpointer key = GINT_TO_POINTER(atoi(name));
		const guint count = GPOINTER_TO_UINT(g_hash_table_lookup(*seen, key)) + 1;

		if (is_other_process(name)) {
			g_hash_table_insert(now, key, GUINT_TO_POINTER(count));
			is_seen = (count <= LOOKS_PER_S || count % LOOKS_PER_S == 0) &&
				  is_process_called(name, program);
		}
	}
	g_hash_table_unref(*seen);
	*seen = now;
	return is_seen;
}

/* Processes of the program, as soon as there are any; NULL when Ctrl-C came before. Owned by the
 * caller. */
static char *wait_for(const char *program)
{
	struct itp_interrupt interrupt;
	GHashTable *seen = g_hash_table_new(NULL, NULL);
	char *pids = NULL;

	itp_interrupt_init(&interrupt);
	while (!pids && !itp_interrupt_take(&interrupt)) {
		pids = look_for_process(&seen, program) ? find_all(program) : NULL;
		if (!pids) {
			g_usleep(LOOK_US);
		}
	}
	itp_interrupt_release(&interrupt);
	g_hash_table_unref(seen);
	return pids;
}

bool itp_target_await(struct itp_target *target, bool is_quiet)
{
	if (!target->awaited) {
		return true;
	}
	if (!is_quiet) {
		itp_terminal_say("  (waiting until a process called %s runs; Ctrl-C ends that)",
				 target->awaited);
	}
	g_free(target->pids);
	target->pids = wait_for(target->awaited);
	if (!target->pids) {
		itp_complain("--wait-for %s: no process was called so", target->awaited);
		return false;
	}
	if (!is_quiet) {
		itp_terminal_say("  (%s %s)", strchr(target->pids, ',') ? "processes" : "process",
				 target->pids);
	}
	return true;
}

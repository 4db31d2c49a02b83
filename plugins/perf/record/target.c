/* SPDX-License-Identifier: MIT */
/*
 * See target.h.
 */
#include "plugins/perf/record/target.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/elf/image.h"
#include "common/unwind/frame-pointers.h"

/* Scripts named by scripts, as many as the kernel follows. */
#define MAX_INTERPRETERS 4
#define MAX_SCRIPT_LINE 256
#define SETTLED_S 1

static bool fail(GError **error, const char *format, const char *subject, const char *reason)
{
	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, format, subject, reason);
	return false;
}

/* True when its map may be read, as perf does, too; if not, errno says why. A thread's is its
 * process's. */
static bool may_be_read(const char *process)
{
	g_autofree char *maps = g_strdup_printf("/proc/%s/maps", process);
	FILE *file = fopen(maps, "re");

	if (file) {
		fclose(file);
	}
	return file;
}

static bool check_process(const char *name, bool is_thread, GError **error)
{
	const char *format = is_thread ? "-t %s: %s" : "-p %s: %s";

	if (!g_ascii_string_to_unsigned(name, 10, 1, INT_MAX, NULL, NULL)) {
		return fail(error, format, name,
			    is_thread ?
				    "not the number of a thread, nor several with commas between" :
				    "not the number of a process, nor several with commas between");
	}
	return may_be_read(name) || fail(error, format, name,
					 errno != ENOENT ? g_strerror(errno) :
					 is_thread       ? "no such thread" :
							   "no such process");
}

static bool check_processes(const char *pids, bool is_threads, GError **error)
{
	g_auto(GStrv) names = g_strsplit(pids, ",", -1);
	bool is_there = names[0] || check_process("", is_threads, error);

	for (size_t i = 0; is_there && names[i]; i++) {
		is_there = check_process(names[i], is_threads, error);
	}
	return is_there;
}

/* Refuses a target named in two ways. */
static bool check_choice(const struct itp_target *target, GError **error)
{
	if (target->pids && target->is_machine) {
		return fail(error, "%s: %s",
			    target->user       ? "-u and -a" :
			    target->is_threads ? "-t and -a" :
						 "-p and -a",
			    "choose one");
	}
	if (target->cpus &&
	    !g_regex_match_simple("^\\d+(-\\d+)?(,\\d+(-\\d+)?)*$", target->cpus, 0, 0)) {
		return fail(error, "-C %s: %s", target->cpus, "numbers of CPUs, as 0,2-3");
	}
	return !target->pids || check_processes(target->pids, target->is_threads, error);
}

bool itp_target_check(const struct itp_target *target, const char *purpose, GError **error)
{
	g_autofree char *program = NULL;

	if (!target->pids && !target->awaited && !target->is_machine && !target->command) {
		return fail(error, "nothing to %s: %s", purpose,
			    "name a program (-- COMMAND), a process (-p PID) or the machine (-a)");
	}
	if (!check_choice(target, error)) {
		return false;
	}
	if (target->command) {
		program = g_find_program_in_path(target->command[0]);
	}
	if (target->command && !program) {
		return fail(error, "%s: %s", target->command[0],
			    "no such program, or it may not be executed");
	}
	return true;
}

/* ---- Users ---- */

/* Finds a user by name or number. False when there is none. */
static bool find_user(const char *name, uid_t *ret_user)
{
	const struct passwd *entry = getpwnam(name);
	guint64 number;

	if (!entry && !g_ascii_string_to_unsigned(name, 10, 0, UINT32_MAX, &number, NULL)) {
		return false;
	}
	*ret_user = entry ? entry->pw_uid : (uid_t)number;
	return true;
}

/* Since when a process runs, in seconds since the machine does; HUGE_VAL for none. */
static double start_of(const char *process)
{
	g_autofree char *path = g_strdup_printf("/proc/%s/stat", process);
	g_autofree char *text = NULL;
	const char *end;
	unsigned long long ticks;

	if (!g_file_get_contents(path, &text, NULL, NULL)) {
		return HUGE_VAL;
	}
	/* The name may hold anything. */
	end = strrchr(text, ')');
	return end && sscanf(end + 1,
			     " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d "
			     "%*d %*d %llu",
			     &ticks) == 1 ?
		       (double)ticks / (double)sysconf(_SC_CLK_TCK) :
		       HUGE_VAL;
}

bool itp_target_is_settled(const char *process)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return g_ascii_isdigit(process[0]) && start_of(process) + SETTLED_S < (double)now.tv_sec &&
	       may_be_read(process);
}

static bool is_settled_of(const char *process, uid_t user)
{
	g_autofree char *path = g_strdup_printf("/proc/%s", process);
	struct stat status;

	return stat(path, &status) == 0 && status.st_uid == user && itp_target_is_settled(process);
}

bool itp_target_find_user(struct itp_target *target, GError **error)
{
	g_autoptr(GDir) processes = g_dir_open("/proc", 0, NULL);
	g_autoptr(GString) pids = g_string_new(NULL);
	const char *name;
	uid_t user;

	if (!find_user(target->user, &user)) {
		return fail(error, "-u %s: %s", target->user, "no such user");
	}
	while (processes && (name = g_dir_read_name(processes))) {
		if (is_settled_of(name, user) && atoi(name) != getpid()) {
			g_string_append_printf(pids, "%s%s", pids->len > 0 ? "," : "", name);
		}
	}
	if (pids->len == 0) {
		return fail(error, "-u %s: %s", target->user, "no process of this user runs");
	}
	g_free(target->pids);
	target->pids = g_strdup(pids->str);
	return true;
}

/* ---- Code ---- */

static void add_once(GPtrArray *paths, const char *path)
{
	if (!g_ptr_array_find_with_equal_func(paths, path, g_str_equal, NULL)) {
		g_ptr_array_add(paths, g_strdup(path));
	}
}

/* Adds files mapped by a process as code, but for `except`, which may be NULL. */
static void add_mapped(GPtrArray *paths, const char *process, const char *except)
{
	g_autofree char *maps = g_strdup_printf("/proc/%s/maps", process);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (g_file_get_contents(maps, &text, NULL, NULL)) {
		lines = g_strsplit(text, "\n", -1);
	}
	for (size_t i = 0; lines && lines[i]; i++) {
		char access[5];
		int path_at = 0;

		if (sscanf(lines[i], "%*s %4s %*s %*s %*s %n", access, &path_at) == 1 &&
		    access[2] == 'x' && lines[i][path_at] == '/' &&
		    g_strcmp0(lines[i] + path_at, except) != 0) {
			add_once(paths, lines[i] + path_at);
		}
	}
}

/* Replaces the path of a script by its interpreter's. False when it is none. */
static bool follow_script(char **path)
{
	char line[MAX_SCRIPT_LINE] = "";
	FILE *file = fopen(*path, "re");
	bool is_script = file && fgets(line, sizeof line, file) && g_str_has_prefix(line, "#!");
	g_auto(GStrv) words = NULL;
	char *program;

	if (file) {
		fclose(file);
	}
	if (!is_script) {
		return false;
	}
	words = g_strsplit_set(g_strstrip(line + strlen("#!")), " \t", 2);
	program = words[0] && words[1] && g_str_has_suffix(words[0], "/env") ? words[1] : words[0];
	program = program ? g_find_program_in_path(program) : NULL;
	g_free(*path);
	*path = program;
	return program != NULL;
}

/* Program that a shell would start for `name`; NULL for none. */
static char *find_program(const char *name)
{
	char *path = g_find_program_in_path(name);

	for (int i = 0; path && i < MAX_INTERPRETERS && follow_script(&path); i++) {
	}
	return path;
}

/* Dynamic loader of a program; NULL for none. */
static char *loader_of(const char *program)
{
	struct itp_elf_image image;
	struct itp_bytes name = { 0 };
	const GElf_Phdr *segment;
	char *loader = NULL;

	if (itp_elf_image_init(&image, program) < 0) {
		return NULL;
	}
	segment = itp_elf_image_segment(&image, PT_INTERP);
	if (segment) {
		name = itp_elf_image_contents(&image, segment);
		loader = name.size > 0 ? g_strndup((const char *)name.data, name.size) : NULL;
	}
	itp_elf_image_release(&image);
	return loader;
}

/* Lines of the loader's list are "NAME => PATH (ADDRESS)" or "PATH (ADDRESS)". */
static void add_listed(GPtrArray *paths, const char *list)
{
	g_auto(GStrv) lines = g_strsplit(list, "\n", -1);

	for (size_t i = 0; lines[i]; i++) {
		char *path = strchr(lines[i], '/');
		char *arrow = strstr(lines[i], "=> /");
		char *end = strrchr(lines[i], '(');

		path = arrow ? arrow + strlen("=> ") : path;
		if (path && end && end > path) {
			*end = '\0';
			add_once(paths, g_strchomp(path));
		}
	}
}

static void add_program(GPtrArray *paths, const char *name)
{
	g_autofree char *program = find_program(name);
	g_autofree char *loader = program ? loader_of(program) : NULL;
	g_autofree char *list = NULL;
	char *arguments[] = { loader, "--list", program, NULL };

	if (program) {
		add_once(paths, program);
	}
	if (loader && g_spawn_sync(NULL, arguments, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL,
				   &list, NULL, NULL, NULL)) {
		add_listed(paths, list);
	}
}

static void add_machine(GPtrArray *paths)
{
	g_autoptr(GDir) processes = g_dir_open("/proc", 0, NULL);
	const char *name;

	while (processes && (name = g_dir_read_name(processes))) {
		if (g_ascii_isdigit(name[0])) {
			add_mapped(paths, name, NULL);
		}
	}
}

static void add_target(GPtrArray *paths, const struct itp_target *target)
{
	g_auto(GStrv) pids = target->pids ? g_strsplit(target->pids, ",", -1) : NULL;

	for (size_t i = 0; pids && pids[i]; i++) {
		add_mapped(paths, pids[i], NULL);
	}
	if (!pids) {
		add_program(paths, target->command[0]);
	}
}

GPtrArray *itp_target_files(const struct itp_target *target)
{
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);

	if (target->is_machine) {
		add_machine(paths);
	} else {
		add_target(paths, target);
	}
	return paths;
}

char *itp_target_frameless(const struct itp_target *target)
{
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);

	if (target->is_machine) {
		add_mapped(paths, "self", self);
	} else {
		add_target(paths, target);
	}
	for (guint i = 0; i < paths->len; i++) {
		bool is_kept;

		if (itp_frame_pointers_kept(g_ptr_array_index(paths, i), &is_kept) == 0 &&
		    !is_kept) {
			return g_path_get_basename(g_ptr_array_index(paths, i));
		}
	}
	return NULL;
}

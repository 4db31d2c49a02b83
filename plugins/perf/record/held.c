/* SPDX-License-Identifier: MIT */
/*
 * See held.h.
 */
#include "plugins/perf/record/held.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <glib-unix.h>

#include "common/known/recorders.h"
#include "terminal/terminal.h"

/* Exit status of a shell for a command that cannot run. */
#define CANNOT_RUN 127
/* Field of /proc/PID/stat behind the name: time of the start, in clock ticks since boot. */
#define START_FIELD 20
/* Age, in seconds, below which a process may end before perf finds it. */
#define YOUNG_S 0.2

/* Runs in the child. Does not return. */
static void wait_and_run(int gate, bool is_aside, char **command)
{
	char line;

	/* Without a signal the child would wait for ever if its parent were killed. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (is_aside) {
		dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
		dup2(STDERR_FILENO, STDOUT_FILENO);
	}
	if (read(gate, &line, 1) != 1) {
		_exit(EXIT_FAILURE);
	}
	/* As from a shell, whatever this process does. */
	signal(SIGPIPE, SIG_DFL);
	execvp(command[0], command);
	itp_terminal_say("%s: %s", command[0], g_strerror(errno));
	_exit(CANNOT_RUN);
}

bool itp_held_start(struct itp_held *held, char **command, GError **error)
{
	int ends[2];
	pid_t pid;

	if (!g_unix_open_pipe(ends, FD_CLOEXEC, error)) {
		return false;
	}
	pid = fork();
	if (pid == 0) {
		close(ends[1]);
		(void)prctl(PR_SET_NAME, ITP_PERF_CHILD_NAME);
		wait_and_run(ends[0], held->is_aside, command);
	}
	close(ends[0]);
	if (pid < 0) {
		close(ends[1]);
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s: %s", command[0],
			    g_strerror(errno));
		return false;
	}
	held->pid = pid;
	held->gate = ends[1];
	return true;
}

char *itp_held_release_command(const struct itp_held *held)
{
	return g_strdup_printf("echo >/proc/%d/fd/%d;", getpid(), held->gate);
}

void itp_held_close(struct itp_held *held)
{
	close(held->gate);
	held->gate = -1;
}

/* True for a process started just now: it may have ended before perf finds it. */
static bool is_young(const char *pid)
{
	g_autofree char *path = g_build_filename("/proc", pid, "stat", NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) fields = NULL;
	const char *behind_name;
	struct timespec now;

	if (!g_file_get_contents(path, &text, NULL, NULL)) {
		return true;
	}
	behind_name = strrchr(text, ')');
	fields = g_strsplit(behind_name ? behind_name : "", " ", -1);
	if (g_strv_length(fields) <= START_FIELD) {
		return true;
	}
	clock_gettime(CLOCK_BOOTTIME, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9 -
		       g_ascii_strtod(fields[START_FIELD], NULL) / (double)sysconf(_SC_CLK_TCK) <
	       YOUNG_S;
}

static void append_pid(GString *pids, const char *pid)
{
	g_string_append_printf(pids, "%s%s", pids->len > 0 ? "," : "", pid);
}

/* Appends a process and its descendants. */
static void append_tree(GString *pids, const char *pid)
{
	g_autofree char *tasks = g_strdup_printf("/proc/%s/task", pid);
	g_autoptr(GDir) directory = g_dir_open(tasks, 0, NULL);
	const char *task;

	append_pid(pids, pid);
	while (directory && (task = g_dir_read_name(directory))) {
		g_autofree char *path = g_build_filename(tasks, task, "children", NULL);
		g_autofree char *text = NULL;
		g_auto(GStrv) children = NULL;

		if (g_file_get_contents(path, &text, NULL, NULL)) {
			children = g_strsplit(g_strstrip(text), " ", -1);
		}
		for (size_t i = 0; children && children[i]; i++) {
			if (!is_young(children[i])) {
				append_tree(pids, children[i]);
			}
		}
	}
}

static bool has_ended(const struct itp_held *held)
{
	siginfo_t info = { 0 };

	return waitid(P_PID, (id_t)held->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       info.si_pid != 0;
}

char *itp_held_pids(const struct itp_held *held)
{
	g_autofree char *pid = g_strdup_printf("%d", held->pid);
	GString *pids;

	if (has_ended(held)) {
		return NULL;
	}
	pids = g_string_new(NULL);
	append_tree(pids, pid);
	return g_string_free(pids, FALSE);
}

char *itp_living(const char *pids)
{
	g_auto(GStrv) all = g_strsplit(pids, ",", -1);
	GString *living = g_string_new(NULL);

	for (size_t i = 0; all[i]; i++) {
		g_autofree char *path = g_build_filename("/proc", all[i], NULL);

		if (g_file_test(path, G_FILE_TEST_EXISTS)) {
			append_pid(living, all[i]);
		}
	}
	return g_string_free(living, FALSE);
}

char *itp_held_survivors(const struct itp_held *held, const char *pids)
{
	return has_ended(held) ? NULL : itp_living(pids);
}

int itp_held_end(struct itp_held *held)
{
	int status = 0;

	if (held->pid == 0) {
		return status;
	}
	if (waitpid(held->pid, &status, WNOHANG) == 0) {
		kill(held->pid, SIGTERM);
		waitpid(held->pid, &status, 0);
	}
	held->pid = 0;
	return status;
}

/* SPDX-License-Identifier: MIT */
/*
 * See recorder.h.
 */
#include "plugins/perf/guard/recorder.h"

#include <signal.h>
#include <sys/wait.h>

#include "terminal/terminal.h"

struct itp_guard_recorder {
	const char *path;
	double seconds;
	/* 0 before and after it runs. */
	GPid child;
	bool was_started;
};

struct itp_guard_recorder *itp_guard_recorder_new(const char *path, double seconds)
{
	struct itp_guard_recorder *recorder = path ? g_new0(struct itp_guard_recorder, 1) : NULL;

	if (recorder) {
		recorder->path = path;
		recorder->seconds = seconds;
	}
	return recorder;
}

/* Signals that the guard waits for are for the recorder, too. */
static void begin_child(gpointer unused)
{
	sigset_t none;

	(void)unused;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

void itp_guard_recorder_start(struct itp_guard_recorder *recorder, int32_t pid)
{
	g_autofree char *target = g_strdup_printf("%" G_GINT32_FORMAT, pid);
	char seconds[G_ASCII_DTOSTR_BUF_SIZE];
	char *command[] = { "/proc/self/exe", "record", "-o",    NULL,    "-p",
			    target,           "--",     "sleep", seconds, NULL };
	g_autoptr(GError) error = NULL;

	if (!recorder || recorder->was_started) {
		return;
	}
	recorder->was_started = true;
	command[3] = (char *)recorder->path;
	g_ascii_formatd(seconds, sizeof(seconds), "%.3f", recorder->seconds);
	if (!g_spawn_async(NULL, command, NULL,
			   G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH |
				   G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL,
			   begin_child, NULL, &recorder->child, &error)) {
		itp_terminal_say("introperf: %s: %s", recorder->path, error->message);
		recorder->child = 0;
	}
}

bool itp_guard_recorder_is_running(struct itp_guard_recorder *recorder)
{
	int status;

	if (!recorder || recorder->child == 0) {
		return false;
	}
	if (waitpid(recorder->child, &status, WNOHANG) != recorder->child) {
		return true;
	}
	recorder->child = 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
		itp_terminal_say("introperf: %s: recorded what followed the first late unit",
				 recorder->path);
	} else {
		itp_terminal_say("introperf: %s: could not be recorded", recorder->path);
	}
	return false;
}

void itp_guard_recorder_free(struct itp_guard_recorder *recorder)
{
	if (recorder && recorder->child != 0) {
		kill(recorder->child, SIGINT);
		waitpid(recorder->child, NULL, 0);
	}
	g_free(recorder);
}

/* SPDX-License-Identifier: MIT */
/*
 * See recorder.h. perf starts the command behind "--" once everything else is recorded: the command
 * says so, and then lasts as long as the recording may.
 */
#include "plugins/perf/guard/recorder.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "terminal/terminal.h"

#define NS_PER_S 1000000000

struct itp_guard_recorder {
	struct itp_guard_recorder_options options;
	/* Process of the recorder, 0 before and after; its output, -1 before. */
	GPid child;
	int output;
	bool was_started;
	/* Begin of the recording, by the clock of units; 0 until then. */
	uint64_t begin_ns;
	guint units;
	bool is_ending;
};

struct itp_guard_recorder *itp_guard_recorder_new(const struct itp_guard_recorder_options *options)
{
	struct itp_guard_recorder *recorder = options->path ? g_new0(struct itp_guard_recorder, 1) :
							      NULL;

	if (recorder) {
		recorder->options = *options;
		recorder->output = -1;
	}
	return recorder;
}

/* Unblocks signals for the recorder, which the guard has blocked to wait for them. */
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
	/* All system calls, as units are told by them. */
	char *command[] = { NULL,    "record", "--overhead", "none",
			    "-o",    NULL,     "-p",         target,
			    "--",    "sh",     "-c",         "echo recording && exec sleep \"$0\"",
			    seconds, NULL };
	g_autoptr(GError) error = NULL;

	if (!recorder || recorder->was_started) {
		return;
	}
	recorder->was_started = true;
	command[0] = (char *)recorder->options.program;
	command[5] = (char *)recorder->options.path;
	g_ascii_formatd(seconds, sizeof(seconds), "%.3f", recorder->options.most_s);
	if (!g_spawn_async_with_pipes(
		    NULL, command, NULL,
		    G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL,
		    begin_child, NULL, &recorder->child, NULL, &recorder->output, NULL, &error)) {
		itp_terminal_say("introperf: %s: %s", recorder->options.path, error->message);
		recorder->child = 0;
		return;
	}
	(void)fcntl(recorder->output, F_SETFL, O_NONBLOCK);
}

/* CLOCK_MONOTONIC, the clock of units in the kernel. */
static uint64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static void tell_end(const struct itp_guard_recorder *recorder, int status)
{
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		itp_terminal_say("introperf: %s: could not be recorded", recorder->options.path);
	} else {
		itp_terminal_say("introperf: %s: recorded %u of %u late units",
				 recorder->options.path, recorder->units, recorder->options.units);
	}
}

bool itp_guard_recorder_is_running(struct itp_guard_recorder *recorder)
{
	char byte;
	int status;

	if (!recorder || recorder->child == 0) {
		return false;
	}
	if (recorder->begin_ns == 0 && read(recorder->output, &byte, 1) == 1) {
		recorder->begin_ns = monotonic_ns();
	}
	if (waitpid(recorder->child, &status, WNOHANG) != recorder->child) {
		return true;
	}
	recorder->child = 0;
	tell_end(recorder, status);
	return false;
}

void itp_guard_recorder_note(struct itp_guard_recorder *recorder,
			     const struct itp_guard_alarm *alarm, int64_t recorded_limit_ns)
{
	if (!alarm->has_ended || recorder->begin_ns == 0 || alarm->begin_ns < recorder->begin_ns ||
	    alarm->taken_ns <= recorded_limit_ns) {
		return;
	}
	recorder->units++;
	if (recorder->units >= recorder->options.units && !recorder->is_ending) {
		recorder->is_ending = true;
		kill(recorder->child, SIGINT);
	}
}

void itp_guard_recorder_free(struct itp_guard_recorder *recorder)
{
	int status;

	if (!recorder) {
		return;
	}
	if (recorder->child != 0) {
		kill(recorder->child, SIGINT);
		waitpid(recorder->child, &status, 0);
		tell_end(recorder, status);
	}
	if (recorder->output >= 0) {
		close(recorder->output);
	}
	g_free(recorder);
}

/* SPDX-License-Identifier: MIT */
/*
 * See live-bpf.h. The recorder's first records are those that describe its events: when they come,
 * its programs are loaded.
 */
#define _GNU_SOURCE /* TEMP_FAILURE_RETRY() */

#include "plugins/perf/record/live-bpf.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib-unix.h>

#include "plugins/perf/record/bpf-run.h"
#include "plugins/perf/record/output.h"
#include "plugins/perf/record/perf-run.h"

#define SIGNAL_STATUS 128
#define MOST_SAID 4096

enum {
	READ,
	WRITE
};

/* The recorder's life. Returns its exit status: the command's, as perf has it. */
static int record(const struct itp_record_options *options, char *const *typed)
{
	struct itp_held held = { .is_aside = true };
	struct itp_record_bpf_end end;
	struct itp_recipe recipe;
	GError *error = NULL;
	int status;

	if (!itp_record_bpf_run(options, ITP_RECORDER_STREAM, typed, &held, &recipe, &end,
				&error)) {
		itp_held_end(&held);
		fprintf(stderr, "%s\n", error->message);
		g_error_free(error);
		return ITP_PERF_FAILED;
	}
	status = itp_held_end(&held);
	return end.is_interrupted  ? EXIT_SUCCESS :
	       WIFSIGNALED(status) ? SIGNAL_STATUS + WTERMSIG(status) :
				     WEXITSTATUS(status);
}

/* In the child. */
static G_GNUC_NORETURN void become_recorder(const struct itp_record_options *options,
					    char *const *typed, const sigset_t *mask, int records,
					    int errors)
{
	struct itp_record_options quiet = *options;

	quiet.is_quiet = true;
	quiet.is_verbose = false;
	sigprocmask(SIG_SETMASK, mask, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	dup2(records, STDOUT_FILENO);
	dup2(errors, STDERR_FILENO);
	_exit(record(&quiet, typed));
}

/* True when records come, false when there are none to come. */
static bool has_begun(int records)
{
	struct pollfd one = { .fd = records, .events = POLLIN };

	return TEMP_FAILURE_RETRY(poll(&one, 1, -1)) > 0 && (one.revents & POLLIN);
}

/* Takes the reason from a recorder that has not begun. */
static void take_refusal(GPid pid, int errors, GError **error)
{
	char said[MOST_SAID] = "";
	const ssize_t got = TEMP_FAILURE_RETRY(read(errors, said, sizeof(said) - 1));

	said[MAX(got, 0)] = '\0';
	g_set_error(error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED, "%s",
		    got > 0 ? g_strchomp(said) : "the recorder has not begun");
	waitpid(pid, NULL, 0);
}

int itp_live_bpf_start(const struct itp_record_options *options, char *const *typed,
		       const sigset_t *mask, GPid *ret_pid, int *ret_errors, GError **error)
{
	int records[2];
	int errors[2];

	if (!g_unix_open_pipe(records, FD_CLOEXEC, error)) {
		return -1;
	}
	if (!g_unix_open_pipe(errors, FD_CLOEXEC, error)) {
		close(records[READ]);
		close(records[WRITE]);
		return -1;
	}
	*ret_pid = fork();
	if (*ret_pid == 0) {
		/* The recorder is to hear that nobody reads any more. */
		close(records[READ]);
		close(errors[READ]);
		become_recorder(options, typed, mask, records[WRITE], errors[WRITE]);
	}
	close(records[WRITE]);
	close(errors[WRITE]);
	if (*ret_pid < 0) {
		g_set_error(error, G_SPAWN_ERROR, G_SPAWN_ERROR_FORK, "no process can be made: %s",
			    g_strerror(errno));
	} else if (has_begun(records[READ])) {
		*ret_errors = errors[READ];
		return records[READ];
	} else {
		take_refusal(*ret_pid, errors[READ], error);
	}
	close(records[READ]);
	close(errors[READ]);
	return -1;
}

/* SPDX-License-Identifier: MIT */
/*
 * See perf-run.h.
 */
#include "plugins/perf/record/perf-run.h"

#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PARANOID_FILE "/proc/sys/kernel/perf_event_paranoid"

/* Runs in the child. perf must not outlive this process, which would wait for nothing. */
static void set_up_child(gpointer data)
{
	sigprocmask(SIG_SETMASK, data, NULL);
	prctl(PR_SET_PDEATHSIG, SIGINT);
}

bool itp_perf_explain_start(GError *reason, GError **error)
{
	if (g_error_matches(reason, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT)) {
		g_set_error(error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT,
			    "perf is not in PATH; install it (Debian: linux-perf, Ubuntu: "
			    "linux-tools-generic, Fedora: perf)");
		g_error_free(reason);
	} else {
		g_propagate_prefixed_error(error, reason, "perf cannot be started: ");
	}
	return false;
}

/* A terminal sends its signals to perf, too; what only we got is passed on. */
static struct itp_perf_end wait_for(GPid pid, const sigset_t *signals)
{
	struct itp_perf_end end = { 0 };
	siginfo_t info;

	while (waitpid(pid, &end.status, WNOHANG) == 0) {
		if (sigwaitinfo(signals, &info) < 0 || info.si_signo == SIGCHLD) {
			continue;
		}
		end.is_interrupted = true;
		if (info.si_code <= 0) {
			kill(pid, info.si_signo);
		}
	}
	return end;
}

bool itp_perf_run(char **command, struct itp_perf_end *ret_end, GError **error)
{
	GError *reason = NULL;
	sigset_t signals;
	sigset_t before;
	GPid pid;
	bool is_started;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, &signals, &before);
	is_started =
		g_spawn_async(NULL, command, NULL,
			      G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD |
				      G_SPAWN_CHILD_INHERITS_STDIN | G_SPAWN_LEAVE_DESCRIPTORS_OPEN,
			      set_up_child, &before, &pid, &reason);
	if (is_started) {
		*ret_end = wait_for(pid, &signals);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return is_started || itp_perf_explain_start(reason, error);
}

/* True for a perf without tracepoints, as Ubuntu 24.04's was at first. */
static bool lacks_tracepoints(void)
{
	char *command[] = { "perf", "version", "--build-options", NULL };
	g_autofree char *said = NULL;

	return g_spawn_sync(NULL, command, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL,
			    NULL, NULL, &said, NULL, NULL, NULL) &&
	       g_regex_match_simple("libtraceevent: *\\[ *OFF *\\]", said, 0, 0);
}

static void explain_tracepoints(GError **error)
{
	g_set_error(error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
		    "perf was built without libtraceevent, so it cannot record system calls; "
		    "install one that was built with it (Ubuntu 24.04: linux-tools-generic with "
		    "the updates)");
}

bool itp_perf_explain_nothing(const char *path, bool is_quiet, GError **error)
{
	if (lacks_tracepoints()) {
		explain_tracepoints(error);
	} else {
		g_set_error(error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
			    "%s: perf record has written nothing; %s", path,
			    is_quiet ? "without -q it says why" : "it says above why");
	}
	return false;
}

/* First telling line, which warnings are not: perf goes on after them. */
static char *first_words(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (size_t i = 0; lines[i]; i++) {
		g_strstrip(lines[i]);
		if (lines[i][0] != '\0' && !g_str_equal(lines[i], "Error:") &&
		    !g_str_has_prefix(lines[i], "WARNING:")) {
			return g_strdup(lines[i]);
		}
	}
	return g_strdup("it does not say why");
}

static bool explain_refusal(const char *perf_said, GError **error)
{
	g_autofree char *paranoid = NULL;
	g_autofree char *reason = NULL;

	if (lacks_tracepoints()) {
		explain_tracepoints(error);
	} else if (geteuid() != 0 && g_file_get_contents(PARANOID_FILE, &paranoid, NULL, NULL)) {
		g_strchomp(paranoid);
		g_set_error(error, G_SPAWN_ERROR, G_SPAWN_ERROR_PERM,
			    "recording is refused to this user: run as root; or as root set the "
			    "sysctl kernel.perf_event_paranoid to -1 (it is %s) and make "
			    "/sys/kernel/tracing readable; or give perf the capabilities "
			    "CAP_PERFMON and CAP_DAC_READ_SEARCH",
			    paranoid);
	} else {
		reason = first_words(perf_said);
		g_set_error(error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
			    "perf refuses to record: %s", reason);
	}
	return false;
}

/* Copy of a command up to its target, with another target. */
static char **trial_of(char **command)
{
	GPtrArray *trial = g_ptr_array_new();
	char *const instead[] = { "-o", "/dev/null", "--", "true", NULL };

	for (size_t i = 0; command[i] && !g_str_equal(command[i], "-o"); i++) {
		g_ptr_array_add(trial, g_strdup(command[i]));
	}
	for (size_t i = 0; i < G_N_ELEMENTS(instead); i++) {
		g_ptr_array_add(trial, g_strdup(instead[i]));
	}
	return (char **)g_ptr_array_free(trial, FALSE);
}

char *itp_perf_listen(char **command, GError **error)
{
	/* Numbers are to have decimal points. */
	g_auto(GStrv) environment = g_environ_setenv(g_get_environ(), "LC_ALL", "C", TRUE);
	g_autofree char *said = NULL;
	GError *reason = NULL;
	int status;

	if (!g_spawn_sync(NULL, command, environment,
			  G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL, &said,
			  &status, &reason)) {
		itp_perf_explain_start(reason, error);
		return NULL;
	}
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		explain_refusal(said, error);
		return NULL;
	}
	return g_steal_pointer(&said);
}

bool itp_perf_try(char **command, GError **error)
{
	g_auto(GStrv) trial = NULL;
	g_autofree char *said = NULL;

	/* root is not refused, and a trial takes as long as a short recording. */
	if (geteuid() == 0) {
		return true;
	}
	trial = trial_of(command);
	said = itp_perf_listen(trial, error);
	return said != NULL;
}

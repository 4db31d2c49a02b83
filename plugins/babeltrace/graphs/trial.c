/* SPDX-License-Identifier: MIT */
/*
 * See trial.h.
 *
 * A fork, as the reading plugin of Babeltrace is there only inside of this process: neither the
 * dlfilter nor the module for Python knows of a program to start instead. Behind a fork in a
 * process with a single thread everything is allowed, and the hosts have one: `perf introperf`,
 * which starts others only later, perf script, and the Python in it. With more threads, another may
 * hold a lock that the child would wait for, and the trace is read without a trial.
 *
 * The trace is read twice, so that its messages need not be sent from a process to the other; saved
 * profiles take a few milliseconds.
 */
#define _GNU_SOURCE /* close_range() */
#include "plugins/babeltrace/graphs/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/failure.h"

/* Limits, far above a sound trace's needs: for itself, and for each byte of it. Time is the child's
 * own on the CPU, so that a busy machine makes no difference. */
#define BASE_SECONDS 3
#define BYTES_PER_SECOND (1024 * 1024)
#define BASE_BYTES (512ull * 1024 * 1024)
#define MEMORY_PER_BYTE 4

/* Bytes of all files in it. */
static uint64_t trace_size(const char *directory)
{
	g_autoptr(GDir) entries = g_dir_open(directory, 0, NULL);
	const char *name;
	uint64_t size = 0;

	while (entries && (name = g_dir_read_name(entries))) {
		g_autofree char *path = g_build_filename(directory, name, NULL);
		struct stat status;

		if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
			size += (uint64_t)status.st_size;
		}
	}
	return size;
}

static bool has_one_thread(void)
{
	g_autoptr(GDir) threads = g_dir_open("/proc/self/task", 0, NULL);
	unsigned int count = 0;

	while (threads && g_dir_read_name(threads)) {
		count++;
	}
	return count == 1;
}

static void set_limit(__rlimit_resource_t resource, uint64_t value)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit) == 0 && value < limit.rlim_cur) {
		limit.rlim_cur = value;
		setrlimit(resource, &limit);
	}
}

/* Limit beyond the memory mapped already. The sanitizers' own mappings leave nothing to limit. */
static void limit_memory(uint64_t bytes)
{
#ifndef __SANITIZE_ADDRESS__
	g_autofree char *text = NULL;

	if (g_file_get_contents("/proc/self/statm", &text, NULL, NULL)) {
		uint64_t mapped = g_ascii_strtoull(text, NULL, 10) * (uint64_t)getpagesize();

		set_limit(RLIMIT_AS, mapped + bytes);
	}
#else
	(void)bytes;
#endif
}

/* The host's handlers are not for the child, which dies of its signals. Ctrl-C is for the host,
 * with whose end the child ends. */
static void reset_signals(void)
{
	sigset_t none;

	for (int number = 1; number < NSIG; number++) {
		signal(number, number == SIGINT || number == SIGQUIT ? SIG_IGN : SIG_DFL);
	}
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Nothing of the host is written to, and nothing is left of a crash. */
static void leave_files(void)
{
	int nothing = open("/dev/null", O_RDWR);

	for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++) {
		dup2(nothing, number);
	}
	close_range(STDERR_FILENO + 1, ~0u, 0);
	set_limit(RLIMIT_CORE, 0);
}

static void confine(pid_t host, uint64_t size)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != host) {
		_exit(EXIT_FAILURE);
	}
	reset_signals();
	leave_files();
	set_limit(RLIMIT_CPU, BASE_SECONDS + size / BYTES_PER_SECOND);
	limit_memory(BASE_BYTES + size * MEMORY_PER_BYTE);
}

/* Errors of the reader are for the host, which meets them again. */
static void read_trace(struct itp_graph *host, const char *directory)
{
	struct itp_graph graph;
	const bt_component_filter *muxer;
	const bt_component_sink *sink;

	if (!itp_graph_init(&graph, NULL)) {
		return;
	}
	graph.ctf = host->ctf;
	graph.utils = host->utils;
	muxer = itp_graph_add_filter(&graph, itp_graph_muxer(host, NULL), "muxer", NULL, NULL,
				     NULL);
	sink = itp_graph_add_sink(&graph, itp_graph_dummy(host, NULL), "dummy", NULL, NULL, NULL);
	if (muxer && sink && itp_graph_add_trace(&graph, directory, muxer, NULL) &&
	    itp_graph_connect(&graph,
			      bt_component_filter_borrow_output_port_by_index_const(muxer, 0),
			      bt_component_sink_borrow_input_port_by_index_const(sink, 0), NULL)) {
		bt_graph_run(graph.graph);
		bt_current_thread_clear_error();
	}
	BT_GRAPH_PUT_REF_AND_RESET(graph.graph);
}

/* Waits for the child, however the host handles the end of others. Returns its status as from
 * waitpid(), or -1 when there is no child. */
static int run_child(struct itp_graph *graph, const char *directory)
{
	const struct sigaction plain = { .sa_handler = SIG_DFL };
	const uint64_t size = trace_size(directory);
	const pid_t host = getpid();
	struct sigaction before;
	int status = -1;
	pid_t child;

	sigaction(SIGCHLD, &plain, &before);
	child = fork();
	if (child == 0) {
		confine(host, size);
		read_trace(graph, directory);
		_exit(EXIT_SUCCESS);
	}
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
	}
	sigaction(SIGCHLD, &before, NULL);
	return status;
}

static void explain(const char *directory, int status, GError **error)
{
	g_autofree char *end = NULL;

	if (WIFSIGNALED(status) && WTERMSIG(status) != SIGXCPU) {
		end = g_strdup_printf("crashes on it (signal %d, %s)", WTERMSIG(status),
				      g_strsignal(WTERMSIG(status)));
	}
	itp_failure_set(error,
			"%s: a damaged saved profile or trace: Babeltrace's reader %s; save or "
			"record it anew",
			directory, end ? end : "comes to no end with it");
}

bool itp_trial_read(struct itp_graph *graph, const char *directory, GError **error)
{
	int status;

	if (!itp_graph_ctf_source(graph, error) || !itp_graph_dummy(graph, error)) {
		return false;
	}
	status = has_one_thread() ? run_child(graph, directory) : 0;
	if (status < 0) {
		itp_failure_set(error, "%s: cannot be read in a process of its own: %s", directory,
				g_strerror(errno));
	} else if (status != 0) {
		explain(directory, status, error);
	}
	return status == 0;
}

bool itp_trial_read_all(const GPtrArray *traces, GError **error)
{
	struct itp_graph plugins = { .graph = NULL };
	bool done = true;

	for (guint i = 0; done && i < traces->len; i++) {
		const GPtrArray *directories = g_ptr_array_index(traces, i);

		for (guint j = 0; done && j < directories->len; j++) {
			done = itp_trial_read(&plugins, g_ptr_array_index(directories, j), error);
		}
	}
	itp_graph_release(&plugins);
	return done;
}

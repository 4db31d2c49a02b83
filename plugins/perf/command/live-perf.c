/* SPDX-License-Identifier: MIT */
/*
 * See live-perf.h. perf writes what it has when its buffers are half full, or when it is spoken to.
 */
#define _GNU_SOURCE /* pipe2() */

#include "plugins/perf/command/live-perf.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define ASK_MS 200
#define PATIENCE_MS 3000
#define END_STEP_MS 20
#define QUIT 'q'
/* perf reads its commands here. */
#define CONTROL_FD 3
static const char ask[] = "ping\n";

static void set_up_child(gpointer data)
{
	sigprocmask(SIG_SETMASK, data, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
}

/* Whether the user has typed what ends it. */
static bool has_quit(int keys)
{
	char key = 0;

	return read(keys, &key, 1) == 1 && key == QUIT;
}

static bool has_signal(int signals)
{
	struct signalfd_siginfo info;

	return read(signals, &info, sizeof(info)) == sizeof(info);
}

static gpointer keep(gpointer data)
{
	const struct itp_live_perf *live = data;
	struct pollfd fds[] = { { .fd = live->stop[0], .events = POLLIN },
				{ .fd = live->signals, .events = POLLIN },
				{ .fd = live->keys, .events = POLLIN } };

	while (poll(fds, G_N_ELEMENTS(fds), ASK_MS) >= 0 && fds[0].revents == 0) {
		if ((fds[1].revents && has_signal(live->signals)) ||
		    (fds[2].revents && has_quit(live->keys))) {
			kill(live->pid, SIGINT);
		}
		/* It may have ended. */
		(void)!write(live->control, ask, sizeof(ask) - 1);
	}
	return NULL;
}

/* Keys come one by one and are not shown. */
static int open_keys(struct termios *ret_before)
{
	struct termios mode;

	if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &mode) != 0) {
		return -1;
	}
	*ret_before = mode;
	mode.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	tcsetattr(STDIN_FILENO, TCSANOW, &mode);
	return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
}

static void block_signals(struct itp_live_perf *live)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, &live->mask);
	live->signals = signalfd(-1, &signals, SFD_CLOEXEC);
}

bool itp_live_perf_start(struct itp_live_perf *live, char **command, GError **error)
{
	int control[2];
	int records = -1;

	*live = (struct itp_live_perf){ .keys = -1, .control = -1, .signals = -1 };
	if (pipe2(live->stop, O_CLOEXEC) != 0 || pipe2(control, O_CLOEXEC) != 0) {
		g_set_error(error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED, "no pipe for perf");
		return false;
	}
	block_signals(live);
	signal(SIGPIPE, SIG_IGN);
	if (!g_spawn_async_with_pipes_and_fds(NULL, (const char *const *)command, NULL,
					      G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD,
					      set_up_child, &live->mask, -1, -1, -1, &control[0],
					      (const int[]){ CONTROL_FD }, 1, &live->pid, NULL,
					      &records, NULL, error)) {
		return false;
	}
	close(control[0]);
	live->control = control[1];
	live->keys = open_keys(&live->terminal);
	dup2(records, STDIN_FILENO);
	close(records);
	live->keeper = g_thread_new("keeper", keep, live);
	return true;
}

/* Ends it politely, then not. */
static int wait_for(GPid pid)
{
	int status = 0;

	kill(pid, SIGTERM);
	for (int waited_ms = 0; waitpid(pid, &status, WNOHANG) == 0; waited_ms += END_STEP_MS) {
		if (waited_ms >= PATIENCE_MS) {
			kill(pid, SIGKILL);
		}
		(void)poll(NULL, 0, END_STEP_MS);
	}
	return status;
}

int itp_live_perf_end(struct itp_live_perf *live)
{
	int status;

	close(live->stop[1]);
	g_thread_join(live->keeper);
	/* What it still wants to write goes nowhere. */
	close(STDIN_FILENO);
	status = wait_for(live->pid);
	if (live->keys >= 0) {
		tcsetattr(live->keys, TCSANOW, &live->terminal);
		close(live->keys);
	}
	close(live->stop[0]);
	close(live->control);
	close(live->signals);
	sigprocmask(SIG_SETMASK, &live->mask, NULL);
	return status;
}

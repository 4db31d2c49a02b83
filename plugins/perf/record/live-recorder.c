/* SPDX-License-Identifier: MIT */
/*
 * See live-recorder.h. perf writes its events when its buffers are half full, or on a command;
 * programs in the kernel need none.
 */
#define _GNU_SOURCE /* pipe2(), F_SETPIPE_SZ */

#include "plugins/perf/record/live-recorder.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib-unix.h>

#include "plugins/perf/record/live-bpf.h"

#define ASK_MS 200
#define PATIENCE_MS 3000
#define END_STEP_MS 20
#define QUIT 'q'
/* Size of a pipe that the kernel gives to everybody. */
#define PIPE_BYTES (1024 * 1024)
/* perf reads its commands here. */
#define CONTROL_FD 3
static const char ask[] = "ping\n";
/* -q would do without, and without its errors as well. */
#define CHATTER "[ perf record: "
#define MAX_LINE 4096

static void set_up_child(gpointer data)
{
	sigprocmask(SIG_SETMASK, data, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
}

/* True when the user has typed the end. */
static bool has_quit(int keys)
{
	char key = 0;

	return read(keys, &key, 1) == 1 && key == QUIT;
}

/* Signal that came; 0 for none. */
static uint32_t take_signal(int signals)
{
	struct signalfd_siginfo info;

	return read(signals, &info, sizeof(info)) == sizeof(info) ? info.ssi_signo : 0;
}

static void set_mode(const struct itp_live_recorder *live, const struct termios *mode)
{
	if (live->keys >= 0) {
		tcsetattr(live->keys, TCSANOW, mode);
	}
}

/* The terminal is the shell's until the user comes back. */
static void stop(const struct itp_live_recorder *live)
{
	itp_screen_suspend(live->screen);
	set_mode(live, &live->terminal);
	/* Not kill(), after which this thread would run on for a moment. */
	(void)raise(SIGSTOP);
	set_mode(live, &live->mode);
	itp_screen_resume(live->screen);
}

/* Passes on output without usual chatter, which may come behind an unfinished line. */
static void pass_on(struct itp_live_recorder *live, size_t length)
{
	const char *chatter = g_strstr_len(live->line->str, (gssize)length, CHATTER);
	size_t told = chatter ? (size_t)(chatter - live->line->str) : length;

	(void)!write(STDERR_FILENO, live->line->str, told);
	g_string_erase(live->line, 0, (gssize)length);
}

/* Takes perf's output. Returns as read(). */
static ssize_t listen_to(struct itp_live_recorder *live)
{
	char buffer[4096];
	ssize_t got = TEMP_FAILURE_RETRY(read(live->errors, buffer, sizeof(buffer)));
	const char *end;

	if (got <= 0) {
		return got;
	}
	g_string_append_len(live->line, buffer, got);
	while ((end = memchr(live->line->str, '\n', live->line->len))) {
		pass_on(live, (size_t)(end - live->line->str) + 1);
	}
	/* An unfinished line may become chatter. */
	if (!strchr(live->line->str, CHATTER[0]) || live->line->len > MAX_LINE) {
		pass_on(live, live->line->len);
	}
	return got;
}

static void end(struct itp_live_recorder *live)
{
	live->is_interrupted = true;
	kill(live->pid, SIGINT);
}

static gpointer keep(gpointer data)
{
	struct itp_live_recorder *live = data;
	struct pollfd fds[] = { { .fd = live->stop[0], .events = POLLIN },
				{ .fd = live->signals, .events = POLLIN },
				{ .fd = live->keys, .events = POLLIN },
				{ .fd = live->errors, .events = POLLIN } };

	while (poll(fds, G_N_ELEMENTS(fds), ASK_MS) >= 0 && fds[0].revents == 0) {
		uint32_t came = fds[1].revents ? take_signal(live->signals) : 0;

		if (came == SIGTSTP) {
			stop(live);
		} else if (came != 0 || (fds[2].revents && has_quit(live->keys))) {
			end(live);
		}
		if (fds[2].revents & (POLLHUP | POLLERR)) {
			/* The terminal has gone. */
			fds[2].fd = -1;
		}
		if (fds[3].revents && listen_to(live) == 0) {
			fds[3].fd = -1;
		}
		/* perf may have ended, or not be the recorder. */
		(void)!write(live->control, ask, sizeof(ask) - 1);
	}
	return NULL;
}

/* Keys come one by one and are not shown. */
static void open_keys(struct itp_live_recorder *live)
{
	if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &live->terminal) != 0) {
		return;
	}
	live->mode = live->terminal;
	live->mode.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	live->keys = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
	set_mode(live, &live->mode);
}

static void block_signals(struct itp_live_recorder *live)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGQUIT);
	sigaddset(&signals, SIGTSTP);
	sigprocmask(SIG_BLOCK, &signals, &live->mask);
	live->signals = signalfd(-1, &signals, SFD_CLOEXEC);
}

/* Returns the end of a pipe from which its records are to be read; -1 after an error. */
static int spawn_perf(struct itp_live_recorder *live, char **command, GError **error)
{
	GError *reason = NULL;
	int control[2];
	int records = -1;

	if (!g_unix_open_pipe(control, FD_CLOEXEC, error)) {
		return -1;
	}
	live->control = control[1];
	if (!g_spawn_async_with_pipes_and_fds(NULL, (const char *const *)command, NULL,
					      G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD,
					      set_up_child, &live->mask, -1, -1, -1, &control[0],
					      (const int[]){ CONTROL_FD }, 1, &live->pid, NULL,
					      &records, &live->errors, &reason)) {
		itp_perf_explain_start(reason, error);
		close(live->control);
	}
	close(control[0]);
	return records;
}

static int spawn(struct itp_live_recorder *live, const struct itp_live_choice *choice,
		 GError **error)
{
	if (choice->perf) {
		return spawn_perf(live, choice->perf, error);
	}
	live->control = -1;
	return itp_live_bpf_start(choice->options, choice->typed, &live->mask, &live->pid,
				  &live->errors, error);
}

/* Releases everything that exists without perf, too. */
static void release(struct itp_live_recorder *live)
{
	set_mode(live, &live->terminal);
	if (live->keys >= 0) {
		close(live->keys);
	}
	close(live->stop[0]);
	close(live->signals);
	sigprocmask(SIG_SETMASK, &live->mask, NULL);
}

static void begin(struct itp_live_recorder *live, int records)
{
	(void)fcntl(records, F_SETPIPE_SZ, PIPE_BYTES);
	dup2(records, STDIN_FILENO);
	close(records);
	(void)fcntl(live->errors, F_SETFL, O_NONBLOCK);
	live->line = g_string_new(NULL);
	live->keeper = g_thread_new("keeper", keep, live);
}

bool itp_live_recorder_start(struct itp_live_recorder *live, const struct itp_live_choice *choice,
			     struct itp_screen *screen, GError **error)
{
	int records;

	*live = (struct itp_live_recorder){ .screen = screen, .keys = -1 };
	if (!g_unix_open_pipe(live->stop, FD_CLOEXEC, error)) {
		return false;
	}
	block_signals(live);
	signal(SIGPIPE, SIG_IGN);
	open_keys(live);
	records = spawn(live, choice, error);
	if (records < 0) {
		close(live->stop[1]);
		release(live);
		return false;
	}
	begin(live, records);
	return true;
}

/* True when it ends within the time. */
static bool has_ended(GPid pid, int patience_ms)
{
	siginfo_t info = { .si_pid = 0 };

	for (int waited_ms = 0;
	     waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
	     waited_ms += END_STEP_MS) {
		if (waited_ms >= patience_ms) {
			return false;
		}
		(void)poll(NULL, 0, END_STEP_MS);
	}
	return true;
}

/* Ends it politely, then not. */
static void wait_for(GPid pid, bool ends_itself)
{
	if (ends_itself && has_ended(pid, PATIENCE_MS)) {
		return;
	}
	kill(pid, SIGTERM);
	if (!has_ended(pid, PATIENCE_MS)) {
		kill(pid, SIGKILL);
	}
}

struct itp_perf_end itp_live_recorder_end(struct itp_live_recorder *live, bool is_read)
{
	struct itp_perf_end end;

	/* Further output of perf goes nowhere. */
	close(STDIN_FILENO);
	wait_for(live->pid, is_read);
	close(live->stop[1]);
	g_thread_join(live->keeper);
	waitpid(live->pid, &end.status, 0);
	if (!is_read && WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGTERM) {
		/* It was ended from here, which explains nothing. */
		end.status = 0;
	}
	end.is_interrupted = live->is_interrupted;
	while (listen_to(live) > 0) {
	}
	pass_on(live, live->line->len);
	g_string_free(live->line, TRUE);
	close(live->errors);
	if (live->control >= 0) {
		close(live->control);
	}
	release(live);
	return end;
}

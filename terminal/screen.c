/* SPDX-License-Identifier: MIT */
/*
 * See screen.h. Escape sequences are xterm's, understood by all of today's terminals.
 */
#define _GNU_SOURCE /* pipe2() */

#include "terminal/screen.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "terminal/terminal.h"

#define ENTER "\033[?1049h\033[?25l" ITP_SCREEN_CLEAR
#define LEAVE "\033[?25h\033[?1049l"
#define CURSOR_HOME "\033[H"
#define CLEAR_LINE "\033[K"
#define CLEAR_BELOW "\033[J"
#define PLAIN "\033[m"
#define ESCAPE '\033'

#define USUAL_ROWS 24
#define USUAL_COLUMNS 80
/* Bytes held back, the last ones, and the mark of earlier ones. */
#define HELD_BYTES (64 * 1024)
#define CUT_MARK "[…]\n"

struct itp_screen {
	/* Lock of the members below, as the thread that reads standard error uses them, too. */
	GMutex mutex;
	bool is_shown;
	/* The screen was shown before the suspension. */
	bool is_suspended;
	bool has_changed;
	/* Size of the last drawing. */
	struct winsize size;
	/* Bytes on standard error while the screen is shown. Owned by this. */
	GString *held;
	bool is_held_cut;
	/* Standard error as it was; its reading end; and an end that is closed to stop the thread.
	 * -1, and no thread, when standard error is no terminal. Owned by this. */
	int errors;
	int errors_end;
	int stop[2];
	GThread *relay;
};

static struct winsize size_of_output(void)
{
	struct winsize size = { 0 };

	(void)ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
	size.ws_row = size.ws_row > 0 ? size.ws_row : USUAL_ROWS;
	size.ws_col = size.ws_col > 0 ? size.ws_col : USUAL_COLUMNS;
	return size;
}

static void write_all(int fd, const char *text, size_t length)
{
	while (length > 0) {
		ssize_t written = TEMP_FAILURE_RETRY(write(fd, text, length));

		if (written <= 0) {
			/* Nobody reads the terminal any more. */
			return;
		}
		text += written;
		length -= (size_t)written;
	}
}

/* Position behind the escape sequence at the begin of `text`. */
static const char *skip_sequence(const char *text)
{
	text += strspn(text, "\033[");
	text += strspn(text, "0123456789;?");
	return *text == '\0' ? text : text + 1;
}

static unsigned int columns_of(gunichar character)
{
	return g_unichar_iszerowidth(character) ? 0 : g_unichar_iswide(character) ? 2 : 1;
}

/* Appends as much of a line as fits into a number of columns, with all of its escape sequences. */
static void append_line(GString *frame, const char *line, unsigned int columns)
{
	unsigned int used = 0;
	bool is_cut = false;

	while (*line != '\0') {
		bool is_sequence = *line == ESCAPE;
		const char *next = is_sequence ? skip_sequence(line) : g_utf8_next_char(line);

		used += is_sequence ? 0 : columns_of(g_utf8_get_char(line));
		is_cut |= used > columns;
		if (is_sequence || !is_cut) {
			g_string_append_len(frame, line, next - line);
		}
		line = next;
	}
	/* Clearing in the last column would remove its character. */
	if (used < columns) {
		g_string_append(frame, CLEAR_LINE);
	}
}

static GString *frame_of(const char *text, const struct winsize *size)
{
	GString *frame = g_string_new(CURSOR_HOME);
	g_autofree char *valid = g_utf8_make_valid(text, -1);
	g_auto(GStrv) lines = g_strsplit(g_strchomp(valid), "\n", -1);
	guint i;

	for (i = 0; lines[i] && i < size->ws_row; i++) {
		g_string_append(frame, i > 0 ? "\n" : "");
		append_line(frame, lines[i], size->ws_col);
	}
	return g_string_append(frame, i < size->ws_row ? "\n" CLEAR_BELOW : "");
}

GString *itp_screen_frame(const char *text)
{
	const struct winsize size = size_of_output();

	return frame_of(text, &size);
}

static void hold(struct itp_screen *screen, const char *text, size_t length)
{
	g_string_append_len(screen->held, text, (gssize)length);
	if (screen->held->len > HELD_BYTES) {
		g_string_erase(screen->held, 0, (gssize)(screen->held->len - HELD_BYTES));
		screen->is_held_cut = true;
	}
}

/* Passes standard error on, or holds it: read under the mutex, so that nothing is under way when
 * the screen is shown. False when nothing more can come. */
static bool pass_on(struct itp_screen *screen)
{
	/* Room as in a pipe, emptied by a single read. */
	char buffer[64 * 1024];
	ssize_t got = TEMP_FAILURE_RETRY(read(screen->errors_end, buffer, sizeof(buffer)));

	if (got < 0) {
		return errno == EAGAIN;
	}
	if (screen->is_shown) {
		hold(screen, buffer, (size_t)got);
	} else {
		write_all(screen->errors, buffer, (size_t)got);
	}
	return got > 0;
}

/* Thread that reads standard error. */
static gpointer relay(gpointer data)
{
	struct itp_screen *screen = data;
	struct pollfd fds[] = { { .fd = screen->errors_end, .events = POLLIN },
				{ .fd = screen->stop[0], .events = POLLIN } };
	bool goes_on = true;

	/* Bytes before the end are passed on. */
	while (goes_on && TEMP_FAILURE_RETRY(poll(fds, G_N_ELEMENTS(fds), -1)) > 0 &&
	       fds[0].revents != 0) {
		g_mutex_lock(&screen->mutex);
		goes_on = pass_on(screen);
		g_mutex_unlock(&screen->mutex);
	}
	return NULL;
}

/* Signals are meant for others. */
static void start_relay(struct itp_screen *screen)
{
	sigset_t all;
	sigset_t before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	screen->relay = g_thread_new("errors", relay, screen);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* False when standard error is left as it is. */
static bool take_errors(struct itp_screen *screen)
{
	int ends[2];

	if (!isatty(STDERR_FILENO) || pipe2(ends, O_CLOEXEC) != 0) {
		return false;
	}
	if (pipe2(screen->stop, O_CLOEXEC) != 0) {
		close(ends[0]);
		close(ends[1]);
		return false;
	}
	itp_terminal_keep_errors();
	screen->errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
	screen->errors_end = ends[0];
	(void)fcntl(screen->errors_end, F_SETFL, O_NONBLOCK);
	dup2(ends[1], STDERR_FILENO);
	close(ends[1]);
	start_relay(screen);
	return true;
}

static void return_errors(struct itp_screen *screen)
{
	fflush(stderr);
	dup2(screen->errors, STDERR_FILENO);
	close(screen->stop[1]);
	g_thread_join(screen->relay);
	close(screen->stop[0]);
	close(screen->errors_end);
	close(screen->errors);
}

struct itp_screen *itp_screen_new(void)
{
	struct itp_screen *screen;

	if (!isatty(STDOUT_FILENO) || !itp_terminal_has_sequences()) {
		return NULL;
	}
	screen = g_new0(struct itp_screen, 1);
	g_mutex_init(&screen->mutex);
	screen->held = g_string_new(NULL);
	(void)take_errors(screen);
	return screen;
}

void itp_screen_free(struct itp_screen *screen)
{
	if (!screen) {
		return;
	}
	itp_screen_leave(screen);
	if (screen->relay) {
		return_errors(screen);
	}
	g_string_free(screen->held, TRUE);
	g_mutex_clear(&screen->mutex);
	g_free(screen);
}

static void show(struct itp_screen *screen)
{
	write_all(STDOUT_FILENO, ENTER, strlen(ENTER));
	screen->is_shown = true;
	screen->has_changed = true;
}

static void hide(struct itp_screen *screen)
{
	write_all(STDOUT_FILENO, LEAVE, strlen(LEAVE));
	screen->is_shown = false;
	if (screen->held->len > 0) {
		if (screen->is_held_cut) {
			write_all(screen->errors, CUT_MARK, strlen(CUT_MARK));
		}
		write_all(screen->errors, screen->held->str, screen->held->len);
	}
	g_string_truncate(screen->held, 0);
	screen->is_held_cut = false;
}

void itp_screen_enter(struct itp_screen *screen)
{
	if (!screen) {
		return;
	}
	g_mutex_lock(&screen->mutex);
	/* Earlier messages stay readable, in their place. */
	if (screen->relay) {
		fflush(stderr);
		(void)pass_on(screen);
	}
	show(screen);
	g_mutex_unlock(&screen->mutex);
}

void itp_screen_leave(struct itp_screen *screen)
{
	if (!screen) {
		return;
	}
	g_mutex_lock(&screen->mutex);
	if (screen->is_shown) {
		hide(screen);
	}
	g_mutex_unlock(&screen->mutex);
}

void itp_screen_draw(struct itp_screen *screen, const char *text)
{
	g_autoptr(GString) frame = NULL;

	g_mutex_lock(&screen->mutex);
	screen->size = size_of_output();
	screen->has_changed = false;
	frame = frame_of(text, &screen->size);
	write_all(STDOUT_FILENO, frame->str, frame->len);
	g_mutex_unlock(&screen->mutex);
}

bool itp_screen_has_changed(struct itp_screen *screen)
{
	struct winsize size = size_of_output();
	bool has_changed;

	if (!screen) {
		return false;
	}
	g_mutex_lock(&screen->mutex);
	has_changed = screen->is_shown &&
		      (screen->has_changed || size.ws_row != screen->size.ws_row ||
		       size.ws_col != screen->size.ws_col);
	g_mutex_unlock(&screen->mutex);
	return has_changed;
}

void itp_screen_suspend(struct itp_screen *screen)
{
	if (!screen) {
		return;
	}
	g_mutex_lock(&screen->mutex);
	screen->is_suspended = screen->is_shown;
	if (screen->is_shown) {
		hide(screen);
	}
}

void itp_screen_resume(struct itp_screen *screen)
{
	if (!screen) {
		return;
	}
	if (screen->is_suspended) {
		show(screen);
	}
	g_mutex_unlock(&screen->mutex);
}

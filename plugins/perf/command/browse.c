/* SPDX-License-Identifier: MIT */
/*
 * See browse.h. Signals are taken from a descriptor, beside the keys: the terminal is left before a
 * signal ends the process, and a new size is seen although perf blocks the signal that tells of it.
 */
#include "plugins/perf/command/browse.h"

#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "common/base/failure.h"
#include "common/render/browser/browser.h"
#include "common/render/table.h"
#include "terminal/terminal.h"

/* Milliseconds between an escape character and the rest of a key. */
#define ESCAPE_DELAY_MS 25

struct terminal {
	/* Weak. */
	struct itp_browser *browser;
	/* Owned by this. */
	SCREEN *screen;
	bool is_ascii;
	bool has_color;
	/* Descriptor of signals, owned by this, and the signals blocked before; and the signal that
	 * ends the process, or 0. */
	int signals;
	sigset_t blocked_before;
	int end_signal;
};

bool itp_browse_check(GError **error)
{
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		itp_failure_set(error, "--tui: standard input and output have to be a terminal; "
				       "leave it out to have the ranking printed");
		return false;
	}
	if (!itp_terminal_has_sequences()) {
		itp_failure_set(error,
				"--tui: a terminal of the kind \"%s\" (TERM) cannot show it; "
				"leave it out to have the ranking printed",
				g_getenv("TERM") ? g_getenv("TERM") : "");
		return false;
	}
	return true;
}

/* ---- Signals ---- */

static bool hold_signals(struct terminal *terminal, GError **error)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH };
	sigset_t held;

	sigemptyset(&held);
	for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++) {
		sigaddset(&held, numbers[i]);
	}
	sigprocmask(SIG_BLOCK, &held, &terminal->blocked_before);
	terminal->signals = signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK);
	if (terminal->signals < 0) {
		itp_failure_set(error, "--tui: signals: %s", g_strerror(errno));
		sigprocmask(SIG_SETMASK, &terminal->blocked_before, NULL);
	}
	return terminal->signals >= 0;
}

/* After the terminal was left. Ctrl-C is a way to leave, no reason to die. */
static void let_signals(struct terminal *terminal)
{
	close(terminal->signals);
	sigprocmask(SIG_SETMASK, &terminal->blocked_before, NULL);
	if (terminal->end_signal != 0 && terminal->end_signal != SIGINT) {
		/* ncurses has a handler of its own. */
		(void)signal(terminal->end_signal, SIG_DFL);
		(void)raise(terminal->end_signal);
	}
}

/* ---- The terminal ---- */

/* Styles, by the look of printed text. */
enum pair {
	PAIR_LARGE = 1,
	PAIR_SAVED,
};

static void prepare_colors(struct terminal *terminal, bool wants_color)
{
	terminal->has_color = wants_color && has_colors();
	if (terminal->has_color) {
		start_color();
		use_default_colors();
		init_pair(PAIR_LARGE, COLOR_YELLOW, -1);
		init_pair(PAIR_SAVED, COLOR_CYAN, -1);
	}
}

static bool enter_terminal(struct terminal *terminal, bool wants_color, GError **error)
{
	terminal->screen = newterm(NULL, stdout, stdin);
	if (!terminal->screen) {
		itp_failure_set(error,
				"--tui: a terminal of the kind \"%s\" (TERM) is not known here; "
				"leave --tui out to have the ranking printed",
				g_getenv("TERM"));
		return false;
	}
	set_term(terminal->screen);
	set_escdelay(ESCAPE_DELAY_MS);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	prepare_colors(terminal, wants_color);
	return true;
}

static void leave_terminal(struct terminal *terminal)
{
	endwin();
	delscreen(terminal->screen);
}

/* ---- Drawing ---- */

static attr_t attributes_of(const struct terminal *terminal, const char *mark)
{
	const attr_t large = terminal->has_color ? COLOR_PAIR(PAIR_LARGE) : 0;
	const attr_t saved = terminal->has_color ? COLOR_PAIR(PAIR_SAVED) : 0;
	const struct {
		const char *mark;
		attr_t attributes;
	} styles[] = {
		{ ITP_STYLE_LARGE, A_BOLD | large }, { ITP_STYLE_NOTABLE, large },
		{ ITP_STYLE_SAVED, saved },          { ITP_STYLE_FACE, A_BOLD },
		{ ITP_STYLE_FAINT, A_DIM },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(styles); i++) {
		if (g_str_has_prefix(mark, styles[i].mark)) {
			return styles[i].attributes;
		}
	}
	return A_NORMAL;
}

static bool is_mark(gunichar character)
{
	return character >= g_utf8_get_char(ITP_STYLE_LARGE) &&
	       character <= g_utf8_get_char(ITP_STYLE_END);
}

/* Adds text between two marks. */
static void print_text(const struct terminal *terminal, const char *begin, const char *end)
{
	g_autofree char *text = g_strndup(begin, (gsize)(end - begin));
	g_autoptr(GString) shown = g_string_new(NULL);

	itp_style_append(shown, text, false, terminal->is_ascii);
	addstr(shown->str);
}

/* Text beyond the line is cut: the cursor stays in its row while the rest is added. */
static void draw_line(const struct terminal *terminal, int row, const char *line, attr_t base)
{
	const char *begin = line;

	move(row, 0);
	attrset(base);
	for (const char *at = line; *at != '\0'; at = g_utf8_next_char(at)) {
		if (is_mark(g_utf8_get_char(at))) {
			print_text(terminal, begin, at);
			begin = g_utf8_next_char(at);
			attrset(base | attributes_of(terminal, at));
		}
	}
	print_text(terminal, begin, begin + strlen(begin));
}

/* ncurses is not told by a signal. */
static void take_size(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0 &&
	    is_term_resized(size.ws_row, size.ws_col)) {
		resizeterm(size.ws_row, size.ws_col);
	}
}

static void draw_screen(const struct terminal *terminal)
{
	const int height = getmaxy(stdscr);
	int selected;
	g_autoptr(GPtrArray) lines = itp_browser_lines(
		terminal->browser, (unsigned int)getmaxx(stdscr), (unsigned int)height, &selected);

	erase();
	for (int row = 0; row < MIN(height, (int)lines->len); row++) {
		bool is_edge = row == 0 || row + 1 == (int)lines->len;

		draw_line(terminal, row, g_ptr_array_index(lines, (guint)row),
			  row == selected ? A_REVERSE :
			  is_edge         ? A_BOLD :
					    A_NORMAL);
		if (row == selected) {
			mvchgat(row, 0, -1, A_REVERSE, 0, NULL);
		}
	}
	refresh();
}

/* ---- Keys ---- */

static gunichar browser_key(int code, wint_t key)
{
	static const struct {
		wint_t code;
		gunichar key;
	} keys[] = {
		{ KEY_UP, ITP_BROWSER_UP },           { KEY_DOWN, ITP_BROWSER_DOWN },
		{ KEY_LEFT, ITP_BROWSER_LEFT },       { KEY_RIGHT, ITP_BROWSER_RIGHT },
		{ KEY_PPAGE, ITP_BROWSER_PAGE_UP },   { KEY_NPAGE, ITP_BROWSER_PAGE_DOWN },
		{ KEY_HOME, ITP_BROWSER_HOME },       { KEY_END, ITP_BROWSER_END },
		{ KEY_BACKSPACE, ITP_BROWSER_ERASE }, { KEY_ENTER, ITP_BROWSER_ENTER },
		{ KEY_F(1), ITP_BROWSER_HELP },
	};

	if (code == OK) {
		return key == '\n'                ? ITP_BROWSER_ENTER :
		       key == 0x7f || key == '\b' ? ITP_BROWSER_ERASE :
						    (gunichar)key;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		if (keys[i].code == key) {
			return keys[i].key;
		}
	}
	return 0;
}

/* Takes all keys typed so far. */
static bool take_keys(const struct terminal *terminal)
{
	wint_t key;
	int code;

	while ((code = get_wch(&key)) != ERR) {
		/* A new size comes as a key as well. */
		if (!itp_browser_press(terminal->browser, browser_key(code, key))) {
			return false;
		}
	}
	return true;
}

/* False for a signal that ends the browser. */
static bool take_signals(struct terminal *terminal)
{
	struct signalfd_siginfo info;

	while (terminal->end_signal == 0 &&
	       read(terminal->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		terminal->end_signal = info.ssi_signo == SIGWINCH ? 0 : (int)info.ssi_signo;
	}
	return terminal->end_signal == 0;
}

/* Waits for a key or a signal; false for one that ends the browser. */
static bool wait_for_input(struct terminal *terminal)
{
	struct pollfd watched[] = { { .fd = STDIN_FILENO, .events = POLLIN },
				    { .fd = terminal->signals, .events = POLLIN } };

	/* EINTR: a signal not held back, as when the program goes on after Ctrl-Z. */
	if (poll(watched, G_N_ELEMENTS(watched), -1) < 0) {
		return errno == EINTR;
	}
	return take_signals(terminal) && !(watched[0].revents & (POLLHUP | POLLERR));
}

static void walk(struct terminal *terminal)
{
	do {
		take_size();
		draw_screen(terminal);
	} while (wait_for_input(terminal) && take_keys(terminal));
}

bool itp_browse(const struct itp_ranking *ranking, const struct itp_render_options *looks,
		void *series, GError **error)
{
	struct terminal terminal = { .is_ascii = looks->ascii };
	bool done;

	if (!hold_signals(&terminal, error)) {
		return false;
	}
	done = enter_terminal(&terminal, looks->color, error);
	if (done) {
		terminal.browser = itp_browser_new(ranking, looks, series);
		walk(&terminal);
		itp_browser_free(terminal.browser);
		leave_terminal(&terminal);
	}
	let_signals(&terminal);
	return done;
}

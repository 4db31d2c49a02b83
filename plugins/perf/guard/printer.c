/* SPDX-License-Identifier: MIT */
/*
 * See printer.h. Standard output stays blocking, as others may share it. Writes are so small that
 * any room is enough for them.
 */
#include "plugins/perf/guard/printer.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include "common/base/failure.h"

#define WAITING_MOST_BYTES (1 << 20)

struct itp_guard_printer {
	/* Text not written yet begins at `next`. Owned by this. */
	GString *waiting;
	gsize next;
	uint64_t unread;
	/* errno of the failed write; from then on, nothing is written. */
	int failure;
};

struct itp_guard_printer *itp_guard_printer_new(void)
{
	struct itp_guard_printer *printer = g_new0(struct itp_guard_printer, 1);

	printer->waiting = g_string_new(NULL);
	return printer;
}

void itp_guard_printer_free(struct itp_guard_printer *printer)
{
	if (printer) {
		g_string_free(printer->waiting, TRUE);
		g_free(printer);
	}
}

static gsize length_of(const struct itp_guard_printer *printer)
{
	return printer->waiting->len - printer->next;
}

static void write_some(struct itp_guard_printer *printer)
{
	const ssize_t written = write(STDOUT_FILENO, printer->waiting->str + printer->next,
				      MIN(length_of(printer), PIPE_BUF));

	if (written >= 0) {
		printer->next += (gsize)written;
	} else if (errno != EINTR && errno != EAGAIN) {
		printer->failure = errno;
		printer->next = printer->waiting->len;
	}
	/* Seldom, as erasing moves the rest. */
	if (printer->next >= printer->waiting->len / 2) {
		g_string_erase(printer->waiting, 0, (gssize)printer->next);
		printer->next = 0;
	}
}

static bool has_room(int timeout_ms)
{
	struct pollfd file = { .fd = STDOUT_FILENO, .events = POLLOUT };

	return poll(&file, 1, timeout_ms) > 0;
}

void itp_guard_printer_go_on(struct itp_guard_printer *printer)
{
	while (length_of(printer) > 0 && has_room(0)) {
		write_some(printer);
	}
}

void itp_guard_printer_say(struct itp_guard_printer *printer, GString *text)
{
	if (length_of(printer) + text->len > WAITING_MOST_BYTES) {
		printer->unread++;
	} else if (printer->failure == 0) {
		g_string_append_len(printer->waiting, text->str, (gssize)text->len);
	}
	g_string_truncate(text, 0);
	itp_guard_printer_go_on(printer);
}

int itp_guard_printer_fd(const struct itp_guard_printer *printer)
{
	return length_of(printer) > 0 ? STDOUT_FILENO : -1;
}

uint64_t itp_guard_printer_unread(const struct itp_guard_printer *printer)
{
	return printer->unread;
}

bool itp_guard_printer_finish(struct itp_guard_printer *printer, GError **error)
{
	while (length_of(printer) > 0) {
		has_room(-1);
		write_some(printer);
	}
	if (printer->failure != 0) {
		itp_failure_set(error, "standard output: cannot write: %s",
				g_strerror(printer->failure));
	}
	return printer->failure == 0;
}

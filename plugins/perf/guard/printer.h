/* SPDX-License-Identifier: MIT */
/*
 * Output of the guard, as fast as somebody reads it; the rest waits here. A guard that waited for
 * its reader would hear of nothing meanwhile. Contents of lines are left to lines.c.
 */
#ifndef PLUGINS_PERF_GUARD_PRINTER_H
#define PLUGINS_PERF_GUARD_PRINTER_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct itp_guard_printer;

struct itp_guard_printer *itp_guard_printer_new(void);
void itp_guard_printer_free(struct itp_guard_printer *printer);

/* Takes `text`, whole lines, and leaves it empty. With too much waiting, lines are left out and
 * counted. */
void itp_guard_printer_say(struct itp_guard_printer *printer, GString *text);

/* Writes as much as possible without waiting. */
void itp_guard_printer_go_on(struct itp_guard_printer *printer);

/* File to be polled for room; -1 while nothing is waiting. */
int itp_guard_printer_fd(const struct itp_guard_printer *printer);

/* Number of texts left out. */
uint64_t itp_guard_printer_unread(const struct itp_guard_printer *printer);

/* Writes the rest, however long. False with an error when a write has failed. */
bool itp_guard_printer_finish(struct itp_guard_printer *printer, GError **error);

#endif

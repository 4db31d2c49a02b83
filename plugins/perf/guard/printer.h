/* SPDX-License-Identifier: MIT */
/*
 * What the guard says goes to standard output as fast as somebody reads it, and waits here until
 * then: a guard that waited for its reader would watch meanwhile, and hear of nothing. What lines
 * say is in lines.c.
 */
#ifndef PLUGINS_PERF_GUARD_PRINTER_H
#define PLUGINS_PERF_GUARD_PRINTER_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct itp_guard_printer;

struct itp_guard_printer *itp_guard_printer_new(void);
void itp_guard_printer_free(struct itp_guard_printer *printer);

/* Takes what `text` holds, whole lines, and leaves it empty. They are left out, and counted, when
 * too much is waiting. */
void itp_guard_printer_say(struct itp_guard_printer *printer, GString *text);

/* Writes what can be written without waiting. */
void itp_guard_printer_go_on(struct itp_guard_printer *printer);

/* To be polled for room; -1 while nothing is waiting. */
int itp_guard_printer_fd(const struct itp_guard_printer *printer);

/* How many times something was left out. */
uint64_t itp_guard_printer_unread(const struct itp_guard_printer *printer);

/* Writes the rest, however long that takes. False with an error when something could not be. */
bool itp_guard_printer_finish(struct itp_guard_printer *printer, GError **error);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A screen of its own on the terminal of standard output, for changing text. The previous screen
 * comes back at the end.
 *
 * Messages on standard error meanwhile, of this process or of its children, are held back until
 * then. A process with a screen leaves it in every way in which the process ends.
 */
#ifndef ITP_TERMINAL_SCREEN_H
#define ITP_TERMINAL_SCREEN_H

#include <glib.h>
#include <stdbool.h>

/* Sequence that clears the screen. */
#define ITP_SCREEN_CLEAR "\033[H\033[J"

struct itp_screen;

/* NULL when standard output is no terminal, or a terminal without such a screen. From now on
 * standard error, if it is a terminal, goes through a thread, which takes no signals. */
struct itp_screen *itp_screen_new(void);
/* Frees the screen, and leaves it before. NULL does nothing, here and below. */
void itp_screen_free(struct itp_screen *screen);

void itp_screen_enter(struct itp_screen *screen);
/* Leaves the screen, unless already left. */
void itp_screen_leave(struct itp_screen *screen);

/* Shows the lines of `text`, as far as they fit, in place of the present ones, on an entered
 * screen. */
void itp_screen_draw(struct itp_screen *screen, const char *text);

/* True when the last text is to be drawn again, as the terminal has another size. */
bool itp_screen_has_changed(struct itp_screen *screen);

/* Between these, nobody draws, and the screen before is shown. Any thread may call them. */
void itp_screen_suspend(struct itp_screen *screen);
void itp_screen_resume(struct itp_screen *screen);

/* Bytes that draw the lines of `text` on the terminal of standard output, cut to its size. Owned by
 * the caller. */
GString *itp_screen_frame(const char *text);

#endif

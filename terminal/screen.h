/* SPDX-License-Identifier: MIT */
/*
 * A screen of its own on the terminal that standard output is, for what changes while one looks at
 * it. The screen that was there before comes back when it is left.
 *
 * What comes on standard error meanwhile, of this process or of its children, is held back until
 * then. Whoever has a screen leaves it in every way in which the process ends.
 */
#ifndef ITP_TERMINAL_SCREEN_H
#define ITP_TERMINAL_SCREEN_H

#include <glib.h>
#include <stdbool.h>

/* What removes all that is shown. */
#define ITP_SCREEN_CLEAR "\033[H\033[J"

struct itp_screen;

/* NULL when standard output is no terminal, or one that has no such thing. From now on standard
 * error, if it is a terminal, goes through a thread, which takes no signals. */
struct itp_screen *itp_screen_new(void);
/* Leaves it, too. NULL does nothing, here and below. */
void itp_screen_free(struct itp_screen *screen);

void itp_screen_enter(struct itp_screen *screen);
/* Does nothing when it was left before. */
void itp_screen_leave(struct itp_screen *screen);

/* Shows the lines of `text`, as far as they fit, in place of what is shown. Not before it was
 * entered. */
void itp_screen_draw(struct itp_screen *screen, const char *text);

/* Whether what was drawn last is to be drawn again, as the terminal has another size. */
bool itp_screen_has_changed(struct itp_screen *screen);

/* Between these, nobody draws, and the screen before is shown. Any thread may call them. */
void itp_screen_suspend(struct itp_screen *screen);
void itp_screen_resume(struct itp_screen *screen);

/* What draws the lines of `text` on the terminal that standard output is, cut to its size. Owned by
 * the caller. */
GString *itp_screen_frame(const char *text);

#endif

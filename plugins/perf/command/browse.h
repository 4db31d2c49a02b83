/* SPDX-License-Identifier: MIT */
/*
 * --tui: a ranking to walk through in the terminal.
 *
 *   browse.c          the terminal, by ncurses: what is on it is common/render/browser's
 *   browse-missing.c  where the program was built without ncurses
 */
#ifndef ITP_PERF_COMMAND_BROWSE_H
#define ITP_PERF_COMMAND_BROWSE_H

#include "common/render/render.h"

/* True with a terminal for a ranking: to be asked before anything is read. */
bool itp_browse_check(GError **error);

/* Shows the ranking until the user leaves; `series` is a struct itp_browser_series. Has the type of
 * `show` in struct itp_rank_host. The terminal is restored also when a signal ends the process. */
bool itp_browse(const struct itp_ranking *ranking, const struct itp_render_options *looks,
		void *series, GError **error);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Results through a pager, as perf shows its own.
 */
#ifndef ITP_TERMINAL_PAGER_H
#define ITP_TERMINAL_PAGER_H

#include <sys/types.h>

struct itp_pager {
	/* Of the child; 0 for none. */
	pid_t pid;
};

/* Sends standard output, and standard error if it is a terminal as well, to $PERF_PAGER or $PAGER,
 * else to pager or less: if standard output is a terminal, and none of them is "" or "cat". The
 * pager starts with the first byte, so that a command without output has none. Bytes not shown by a
 * pager that fails or cannot be run are shown without it. The environment tells
 * itp_terminal_of_output() about the terminal behind it. */
void itp_pager_start(struct itp_pager *pager);

/* Ends the output and waits until the user has read it. */
void itp_pager_finish(struct itp_pager *pager);

#endif

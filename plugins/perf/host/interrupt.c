/* SPDX-License-Identifier: MIT */
/*
 * See interrupt.h.
 */
#include "plugins/perf/host/interrupt.h"

#include <stddef.h>

/* A signal handler has no other way to it. */
static struct itp_interrupt *current;

static void handle(int number)
{
	void (*before)(int) = current->before.sa_handler;

	bt_interrupter_set(current->flag);
	if (before != SIG_DFL && before != SIG_IGN && !(current->before.sa_flags & SA_SIGINFO)) {
		before(number);
	}
}

void itp_interrupt_init(struct itp_interrupt *interrupt)
{
	const struct sigaction action = { .sa_handler = handle };

	interrupt->flag = bt_interrupter_create();
	sigaction(SIGINT, NULL, &interrupt->before);
	current = interrupt;
	sigaction(SIGINT, &action, NULL);
}

void itp_interrupt_release(struct itp_interrupt *interrupt)
{
	sigaction(SIGINT, &interrupt->before, NULL);
	current = NULL;
	BT_INTERRUPTER_PUT_REF_AND_RESET(interrupt->flag);
}

bool itp_interrupt_take(struct itp_interrupt *interrupt)
{
	bool is_set = bt_interrupter_is_set(interrupt->flag);

	if (is_set) {
		bt_interrupter_reset(interrupt->flag);
	}
	return is_set;
}

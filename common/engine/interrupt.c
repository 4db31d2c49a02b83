/* SPDX-License-Identifier: MIT */
/*
 * See interrupt.h.
 */
#include "common/engine/interrupt.h"

#include <stddef.h>

/* The interrupt, for the signal handler, which has no other way to it. */
static struct itp_interrupt *current;

static void note(void)
{
	void (*listener)(void *) = current->listener;

	current->is_set = 1;
	if (listener) {
		listener(current->data);
	}
}

static void handle(int number)
{
	void (*before)(int) = current->before.sa_handler;

	note();
	if (before != SIG_DFL && before != SIG_IGN && !(current->before.sa_flags & SA_SIGINFO)) {
		before(number);
	}
}

void itp_interrupt_init(struct itp_interrupt *interrupt)
{
	const struct sigaction action = { .sa_handler = handle };

	interrupt->is_set = 0;
	interrupt->listener = NULL;
	interrupt->has_ended_early = false;
	sigaction(SIGINT, NULL, &interrupt->before);
	current = interrupt;
	sigaction(SIGINT, &action, NULL);
}

void itp_interrupt_release(struct itp_interrupt *interrupt)
{
	sigaction(SIGINT, &interrupt->before, NULL);
	current = NULL;
}

bool itp_interrupt_take(struct itp_interrupt *interrupt)
{
	bool is_set = interrupt->is_set != 0;

	if (is_set) {
		interrupt->is_set = 0;
		interrupt->has_ended_early = true;
	}
	return is_set;
}

bool itp_interrupt_has_ended_early(const struct itp_interrupt *interrupt)
{
	return interrupt->has_ended_early;
}

void itp_interrupt_listen(struct itp_interrupt *interrupt, void (*listener)(void *data), void *data)
{
	/* In an order in which the handler never tells a listener of another's data. */
	interrupt->listener = NULL;
	interrupt->data = data;
	interrupt->listener = listener;
	if (listener && interrupt->is_set) {
		listener(data);
	}
}

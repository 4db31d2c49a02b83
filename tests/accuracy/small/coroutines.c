/* SPDX-License-Identifier: MIT */
/*
 * Coroutines by swapcontext(): several stacks in one thread. What an inference can know of one is
 * the stretch between two switches, so that is what counts as a call here: the tracer is told that
 * everything on a stack ends when the thread leaves it, and begins when it comes back.
 */
#include <stdlib.h>
#include <ucontext.h>

#include "work.h"

#define STACK_BYTES (256 * 1024)
#define COROUTINES 4

void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);

/* A stack, and the functions on it at a switch, root first. */
struct routine {
	ucontext_t context;
	void *functions[4];
	int depth;
};

static struct routine scheduler;
static struct routine routines[COROUTINES];
static struct routine *current;

UNTRACED static void leave(struct routine *from, struct routine *to)
{
	for (int i = 0; i < from->depth; i++) {
		__cyg_profile_func_exit(NULL, NULL);
	}
	current = to;
	swapcontext(&from->context, &to->context);
	for (int i = 0; i < from->depth; i++) {
		__cyg_profile_func_enter(from->functions[i], NULL);
	}
}

static void produce(void)
{
	struct routine *self = current;

	self->functions[1] = produce;
	self->depth = 2;
	work_compute(70000);
	work_write();
	leave(self, &scheduler);
	work_compute(30000);
}

static void consume(void)
{
	struct routine *self = current;

	self->functions[1] = consume;
	self->depth = 2;
	work_write();
	leave(self, &scheduler);
	work_compute(120000);
	work_write();
}

static void body(void)
{
	struct routine *self = current;

	self->functions[0] = body;
	for (;;) {
		work_compute(20000);
		produce();
		consume();
		self->depth = 1;
		leave(self, &scheduler);
	}
}

static void schedule(int turn)
{
	work_compute(25000);
	leave(&scheduler, &routines[turn % COROUTINES]);
	work_write();
}

static void run(void)
{
	for (int turn = 0; turn < 6000; turn++) {
		schedule(turn);
	}
}

int main(void)
{
	scheduler.functions[0] = main;
	scheduler.functions[1] = run;
	scheduler.functions[2] = schedule;
	scheduler.depth = 3;
	for (int i = 0; i < COROUTINES; i++) {
		getcontext(&routines[i].context);
		routines[i].context.uc_stack.ss_sp = malloc(STACK_BYTES);
		routines[i].context.uc_stack.ss_size = STACK_BYTES;
		makecontext(&routines[i].context, body, 0);
	}
	run();
	return 0;
}

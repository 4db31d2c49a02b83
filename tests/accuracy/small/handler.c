/* SPDX-License-Identifier: MIT */
/*
 * A request handler, called 400 times from one loop: calls from one place, one after the other,
 * with nothing but computing between them. The handler calls its own helpers from different places,
 * from one place in a loop, and through a table.
 */
#include "work.h"

static void parse(int request)
{
	work_compute(20000 + request % 7 * 30000);
	work_write();
}

static void read_part(void)
{
	work_write();
	work_compute(40000);
}

static void lookup(int request)
{
	for (int part = 0; part < request % 4; part++) {
		read_part();
	}
	work_compute(50000);
}

static void reply_short(void)
{
	work_write();
	work_compute(100000);
}

static void reply_long(void)
{
	work_compute(400000);
	work_write();
	work_sleep(300000);
	work_write();
}

static void (*const replies[])(void) = { reply_short, reply_long, reply_short };

static void handle(int request)
{
	parse(request);
	if (request % 3) {
		lookup(request);
	}
	replies[request % 3]();
	if (request % 5 == 0) {
		/* Another call of the same function, from another place. */
		parse(request + 1);
	}
}

static void serve(void)
{
	for (int request = 0; request < 1600; request++) {
		handle(request);
		work_compute(60000);
	}
}

int main(void)
{
	serve();
	return 0;
}

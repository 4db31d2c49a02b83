/* SPDX-License-Identifier: MIT */
/*
 * Recursion, directly and through another function: the same function several times on one stack,
 * entered again at the depth that it has just left.
 */
#include "work.h"

static void visit(int depth)
{
	work_compute(3000);
	if (depth == 0) {
		work_write();
		return;
	}
	visit(depth - 1);
	work_compute(20000);
	visit(depth - 1);
	if (depth % 3 == 0) {
		work_write();
	}
}

static void odd(int n);

static void even(int n)
{
	work_compute(15000);
	if (n > 0) {
		odd(n - 1);
	}
	work_write();
}

static void odd(int n)
{
	if (n > 0) {
		even(n - 1);
	}
	work_compute(25000);
}

int main(void)
{
	for (int round = 0; round < 240; round++) {
		visit(7);
		for (int n = 0; n < 12; n++) {
			even(n);
		}
	}
	return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * longjmp() out of several functions at once. The tracer does not see it, so the functions that are
 * left are told to it, as their returns would be.
 */
#include <setjmp.h>

#include "work.h"

void __cyg_profile_func_exit(void *function, void *call_site);

static jmp_buf out;

static void deep(int n)
{
	work_compute(30000);
	work_write();
	if (n > 0) {
		deep(n - 1);
		work_compute(10000);
		return;
	}
	if (work_random() % 2) {
		for (int left = 0; left < 5; left++) {
			__cyg_profile_func_exit(NULL, NULL);
		}
		longjmp(out, 1);
	}
}

static void attempt(void)
{
	work_compute(20000);
	deep(3);
	work_compute(20000);
}

static void recover(void)
{
	work_compute(50000);
	work_write();
}

static void run(void)
{
	if (setjmp(out) == 0) {
		attempt();
	} else {
		recover();
	}
	work_compute(15000);
}

int main(void)
{
	for (int round = 0; round < 4000; round++) {
		run();
	}
	return 0;
}

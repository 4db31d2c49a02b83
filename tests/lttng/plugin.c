/* SPDX-License-Identifier: MIT */
/*
 * A library for processes.c: run_plugin() calls the function that -DHELPER=... names.
 */
#include <unistd.h>

#define WORK_US 50

void run_plugin(void);

static void HELPER(void)
{
	usleep(WORK_US);
}

void run_plugin(void)
{
	HELPER();
}

/* SPDX-License-Identifier: MIT */
/*
 * See program.h: the program introperf-guard, into which `perf introperf guard` turns.
 */
#include "plugins/perf/command/program.h"

int main(int argc, char **argv)
{
	(void)argc;
	itp_program_begin();
	return itp_guard_run(argv);
}

/* SPDX-License-Identifier: MIT */
/*
 * See program.h: guard, for builds without it.
 */
#include "plugins/perf/command/program.h"

int itp_guard_run(char **arguments)
{
	(void)arguments;
	itp_complain("guard: this program was built without, as there was no " ITP_GUARD_LACKS
		     ": install that (Debian: clang, bpftool and libbpf-dev) and build it anew");
	return ITP_EXIT_ERROR;
}

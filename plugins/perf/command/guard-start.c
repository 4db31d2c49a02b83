/* SPDX-License-Identifier: MIT */
/*
 * See program.h: guard, a program of its own. It stays for days, and the other subcommands'
 * libraries, or a disassembler, take more memory than all its work.
 */
#include <errno.h>
#include <unistd.h>

#include "plugins/perf/command/program.h"

int itp_guard_run(char **arguments)
{
	g_autofree char *program = itp_program_find("introperf-guard", ITP_PROGRAM_DIR);

	arguments[0] = program;
	execv(program, arguments);
	itp_complain("guard: cannot run %s: %s", program, g_strerror(errno));
	return ITP_EXIT_ERROR;
}

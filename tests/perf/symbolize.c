/* SPDX-License-Identifier: MIT */
/*
 * Prints what common/symbol says about addresses of one module, for the shell tests.
 *
 *   symbolize [-s SYMFS] [-b BUILD-ID] [-p PID] [-l MAPPED-BYTES] [-d] PATH ADDRESS…
 *
 * The module is mapped at address 0. One line each: "FUNCTION MODULE", then what is warned of
 * as "warning: KIND PATH". -d demangles.
 */
#include "common/symbol/symbolizer.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

static void print_warning(const struct itp_symbol_warning *warning, void *data)
{
	static const char *const kinds[] = { "fine",          "missing",       "other-build",
					     "unusable",      "changed",       "no-jit-dump",
					     "kernel-hidden", "kernel-missing" };

	(void)data;
	printf("warning: %s %s\n", kinds[warning->problem], warning->path);
}

static void print_functions(struct itp_symbolizer *symbolizer, struct itp_address_space *space,
			    const struct itp_function_table *functions, char **addresses)
{
	for (; *addresses; addresses++) {
		uint64_t address = g_ascii_strtoull(*addresses, NULL, 16);
		uint64_t slide;
		uint32_t id = itp_symbolizer_user(symbolizer, space, address, &slide);
		const struct itp_function *function = itp_function_table_get(functions, id);

		printf("%s %s\n", function->name, function->module);
	}
	itp_symbolizer_warnings(symbolizer, print_warning, NULL);
}

int main(int argc, char **argv)
{
	struct itp_symbolizer_options options = { .symfs = NULL };
	struct itp_map_request request = { .length = UINT64_C(1) << 47, .pid = 1 };
	struct itp_function_table *functions = itp_function_table_new();
	struct itp_address_space *space = itp_address_space_new();
	struct itp_symbolizer *symbolizer;
	struct utsname name;
	int option;

	while ((option = getopt(argc, argv, "s:b:p:l:d")) != -1) {
		switch (option) {
		case 's':
			options.symfs = optarg;
			break;
		case 'b':
			request.build_id = optarg;
			break;
		case 'p':
			request.pid = atoi(optarg);
			break;
		case 'l':
			request.length = g_ascii_strtoull(optarg, NULL, 10);
			break;
		case 'd':
			options.demangle = true;
			break;
		default:
			return 2;
		}
	}
	if (optind == argc || uname(&name) != 0) {
		return 2;
	}
	options.os_release = name.release;
	request.path = argv[optind];
	symbolizer = itp_symbolizer_new(&options, functions);
	itp_symbolizer_map(symbolizer, &space, &request);
	print_functions(symbolizer, space, functions, argv + optind + 1);
	itp_address_space_unref(space);
	itp_symbolizer_free(symbolizer);
	itp_function_table_free(functions);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * See symbol-params.h.
 */
#include "common/engine/symbol-params.h"

#include <errno.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "common/base/failure.h"
#include "common/symbol/symbol-files.h"

#define DEMANGLE_FULL 0

const char *const itp_demangle_names[] = { "full", "none", NULL };
const char *const itp_fill_names[] = { [ITP_FILL_FROM_CODE] = "code", "none", NULL };
const char *const itp_processes_names[] = { "program", [ITP_PROCESSES_BY_CONTAINER] = "container",
					    NULL };

static bool check_file(const char *name, const char *path, GError **error)
{
	bool is_fine = !path || g_access(path, R_OK) == 0;

	if (!is_fine) {
		itp_failure_set(error, "parameter \"%s\": %s: %s", name, path, g_strerror(errno));
	}
	return is_fine;
}

/* Requires the named files: without them, results would have other names. */
static bool check_files(const struct itp_symbol_params *params, GError **error)
{
	if (params->symfs && !g_file_test(params->symfs, G_FILE_TEST_IS_DIR)) {
		itp_failure_set(error, "parameter \"symfs\": %s: no such directory", params->symfs);
		return false;
	}
	return check_file("kallsyms", params->kallsyms, error) &&
	       check_file("kernel", params->kernel, error);
}

static bool open_debuginfod(struct itp_symbol_params *params, GError **error)
{
	g_autofree char *reason = NULL;

	if (params->asks_debuginfod) {
		params->debuginfod = itp_debuginfod_new(&reason);
	}
	if (reason) {
		itp_failure_set(error, "parameter \"debuginfod\": %s", reason);
	}
	return !reason;
}

bool itp_symbol_params_prepare(struct itp_symbol_params *params, GError **error)
{
	return check_files(params, error) && open_debuginfod(params, error);
}

void itp_symbol_params_release(struct itp_symbol_params *params)
{
	g_clear_pointer(&params->debuginfod, itp_debuginfod_free);
}

struct itp_perf_options itp_symbol_params_options(const struct itp_symbol_params *params)
{
	return (struct itp_perf_options){ .symfs = params->symfs,
					  .kallsyms = params->kallsyms,
					  .kernel = params->kernel,
					  .debuginfod = params->debuginfod,
					  .demangle = params->demangle == DEMANGLE_FULL,
					  .inlines = params->inlines,
					  .fills = params->fill == ITP_FILL_FROM_CODE,
					  .names_containers = params->processes ==
							      ITP_PROCESSES_BY_CONTAINER };
}

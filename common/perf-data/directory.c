/* SPDX-License-Identifier: MIT */
/*
 * Nothing in the directory is read here.
 */
#include "common/perf-data/directory.h"

#include "common/symbol/kernel-image.h"

#include <glib.h>

/* The named file in the directory `path`, NULL when it is not there. */
static char *find(const char *path, const char *name)
{
	g_autofree char *file = g_build_filename(path, name, NULL);

	return g_file_test(file, G_FILE_TEST_EXISTS) ? g_steal_pointer(&file) : NULL;
}

char *itp_perf_directory_data(const char *path)
{
	char *data = find(path, "data");

	return data ? data : g_strdup(path);
}

bool itp_perf_directory_is_split(const char *path)
{
	g_autofree char *first = find(path, "data.0");

	return first != NULL;
}

char *itp_perf_directory_kcore(const char *path)
{
	return find(path, ITP_KCORE_IN_RECORDING);
}

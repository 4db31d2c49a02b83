/* SPDX-License-Identifier: MIT */
/*
 * Entries of a ranking, for all renderers.
 */
#ifndef ITP_RENDER_ENTRIES_H
#define ITP_RENDER_ENTRIES_H

#include "common/render/render.h"

/* `index` must be below the number of paths. */
static inline const struct itp_ranked_path *itp_path_at(const struct itp_ranking *ranking,
							size_t index)
{
	return &g_array_index(ranking->paths, struct itp_ranked_path, index);
}

static inline const struct itp_ranked_row *itp_row_at(const struct itp_ranking *ranking,
						      size_t index)
{
	return &g_array_index(ranking->rows, struct itp_ranked_row, index);
}

static inline const struct itp_idle_wait *itp_idle_at(const struct itp_ranking *ranking,
						      size_t index)
{
	return &g_array_index(ranking->idle, struct itp_idle_wait, index);
}

static inline const struct itp_function *itp_function_at(const struct itp_ranking *ranking,
							 uint32_t function)
{
	return itp_function_table_get(ranking->functions, function);
}

/* "program", "plug-in", "library", … */
static inline const char *itp_kind_of(const struct itp_ranking *ranking, uint32_t function)
{
	return itp_module_kind_names[itp_module_kind_of(ranking->options.modules,
							itp_function_at(ranking, function))];
}

/* Name without the prefix of system calls. */
static inline const char *itp_syscall_name(const struct itp_ranking *ranking, uint32_t function)
{
	const char *call = itp_function_syscall(itp_function_at(ranking, function));

	return call ? call : itp_function_at(ranking, function)->name;
}

#endif

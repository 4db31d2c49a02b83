/* SPDX-License-Identifier: MIT */
/*
 * The renderers behind itp_render_ranking(), one a file, and what they all read.
 */
#ifndef ITP_RENDER_FORMATS_H
#define ITP_RENDER_FORMATS_H

#include "common/render/render.h"

/* `index` must be below the number of paths. */
static inline const struct itp_ranked_path *itp_path_at(const struct itp_ranking *ranking,
							size_t index)
{
	return &g_array_index(ranking->paths, struct itp_ranked_path, index);
}

/* Own latency that a path, with all that its entry folds, has more than the base (ns). */
static inline int64_t itp_path_own_delta_ns(const struct itp_ranked_path *path)
{
	return path->delta.more_calls_ns + path->delta.slower_calls_ns + path->delta.unsplit_ns;
}

/* Whether it may be chance, or is too rare to say. */
static inline bool itp_path_is_unsure(const struct itp_ranked_path *path)
{
	return path->significance.is_noise || path->is_rare;
}

/* Whether chance is judged at all (noise.h). */
static inline bool itp_ranking_is_judged(const struct itp_ranking *ranking)
{
	return ranking->base != NULL && ranking->options.by == ITP_RANK_BY_PATH &&
	       ranking->options.folds && ranking->options.metric == ITP_METRIC_OWN &&
	       ranking->options.method == ITP_METHOD_TOTALS;
}

static inline const struct itp_ranked_row *itp_row_at(const struct itp_ranking *ranking,
						      size_t index)
{
	return &g_array_index(ranking->rows, struct itp_ranked_row, index);
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

/* Without what says that it is a system call. */
static inline const char *itp_syscall_name(const struct itp_ranking *ranking, uint32_t function)
{
	static const char prefix[] = "syscall:";
	const char *name = itp_function_at(ranking, function)->name;

	return g_str_has_prefix(name, prefix) ? name + sizeof(prefix) - 1 : name;
}

void itp_render_text(const struct itp_ranking *ranking, const struct itp_render_options *options,
		     GString *output);
void itp_render_csv(const struct itp_ranking *ranking, const struct itp_render_options *options,
		    GString *output);
void itp_render_jsonl(const struct itp_ranking *ranking, const struct itp_render_options *options,
		      GString *output);

#endif

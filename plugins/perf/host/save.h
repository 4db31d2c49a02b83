/* SPDX-License-Identifier: MIT */
/*
 * A profile on its way to a file, by sink.ctf.fs. It is complete when its path exists: until then
 * it is written beside, and removed when that fails.
 */
#ifndef ITP_PERF_HOST_SAVE_H
#define ITP_PERF_HOST_SAVE_H

#include "plugins/perf/host/graph.h"

struct itp_save;

/* `path` must not exist, nor lie in any of `inputs` (char *, files and directories). */
struct itp_save *itp_save_new(const char *path, const GPtrArray *inputs, GError **error);
/* Removes what was written, unless it is finished. After the graph is freed. */
void itp_save_free(struct itp_save *save);

/* Adds the sink to `graph`. Weak; NULL after an error. */
const bt_component_sink *itp_save_add_sink(const struct itp_save *save, struct itp_graph *graph,
					   GError **error);

/* Before the graph runs. From here on there is something to remove. */
bool itp_save_begin(struct itp_save *save, GError **error);

/* The sink failed, without a reason. */
void itp_save_fail(const struct itp_save *save, GError **error);

/* The graph has run to its end and is freed. */
bool itp_save_finish(struct itp_save *save, GError **error);

#endif

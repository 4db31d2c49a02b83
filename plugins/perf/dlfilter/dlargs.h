/* SPDX-License-Identifier: MIT */
/*
 * The arguments of `perf script --dlarg NAME=VALUE`: the parameters of the Babeltrace components
 * under their names, all in one list.
 *
 * Values are written as after `babeltrace2 --params`, but a text needs no quotes unless it looks
 * like a number or a boolean. A name that is given several times is an array.
 */
#ifndef ITP_PERF_DLFILTER_DLARGS_H
#define ITP_PERF_DLFILTER_DLARGS_H

#include "common/perf-data/reader.h"
#include "filters/infer/infer.h"
#include "filters/normalize/normalize.h"

struct itp_dlargs {
	struct itp_infer_options infer;
	struct itp_normalize_options normalize;
	/* Owned by this. */
	char *symfs;
	char *kallsyms;
	char *kernel;
	/* What the workload is called; never NULL. */
	char *name;
	/* Recordings cannot be read beside the one that perf reads: paths of saved profiles.
	 * NULL when there are none. */
	GPtrArray *base;
	unsigned int demangle;
	bool asks_debuginfod;
	/* NULL unless asked for. */
	struct itp_debuginfod *debuginfod;
	/* Parameters of sink.introperf.rank. */
	bt_value *rank;
};

bool itp_dlargs_read(struct itp_dlargs *dlargs, char *const *texts, int count, GError **error);
void itp_dlargs_release(struct itp_dlargs *dlargs);

/* For the core; refers to `dlargs`. */
struct itp_perf_options itp_dlargs_perf_options(const struct itp_dlargs *dlargs);

#endif

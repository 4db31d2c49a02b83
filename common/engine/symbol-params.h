/* SPDX-License-Identifier: MIT */
/*
 * Parameters for the sources of names and code of a recording, with equal names for all readers of
 * recordings.
 */
#ifndef ITP_ENGINE_SYMBOL_PARAMS_H
#define ITP_ENGINE_SYMBOL_PARAMS_H

#include "common/engine/params.h"
#include "common/perf-data/reader.h"

struct itp_symbol_params {
	/* Parameters; NULL when not given. */
	char *symfs;
	char *kallsyms;
	char *kernel;
	/* Index into itp_demangle_names. */
	unsigned int demangle;
	/* Into itp_fill_names. */
	unsigned int fill;
	/* Into itp_processes_names: a parameter of the source alone, as hosts have it from who
	 * groups by containers. */
	unsigned int processes;
	bool asks_debuginfod;
	/* True unless told otherwise: to be set before the parameters are read. */
	bool inlines;
	/* NULL unless asked for. Owned by this. */
	struct itp_debuginfod *debuginfod;
};

extern const char *const itp_demangle_names[];

/* Index of "code" in itp_fill_names. */
#define ITP_FILL_FROM_CODE 0
extern const char *const itp_fill_names[];

/* Index of "container" in itp_processes_names: processes bear the names of containers. */
#define ITP_PROCESSES_BY_CONTAINER 1
extern const char *const itp_processes_names[];

/* Rows of the parameters, for the table of a structure that has them as `member`. */
#define ITP_SYMBOL_PARAMS(structure, member)                                                    \
	{ "symfs", ITP_PARAM_STRING, offsetof(structure, member.symfs), NULL },                 \
		{ "kallsyms", ITP_PARAM_STRING, offsetof(structure, member.kallsyms), NULL },   \
		{ "kernel", ITP_PARAM_STRING, offsetof(structure, member.kernel), NULL },       \
		{ "demangle", ITP_PARAM_CHOICE, offsetof(structure, member.demangle),           \
		  itp_demangle_names },                                                         \
		{ "fill", ITP_PARAM_CHOICE, offsetof(structure, member.fill), itp_fill_names }, \
		{ "inline", ITP_PARAM_BOOL, offsetof(structure, member.inlines), NULL },        \
	{                                                                                       \
		"debuginfod", ITP_PARAM_BOOL, offsetof(structure, member.asks_debuginfod), NULL \
	}

/* Checks the named files, and opens the sources asked for. To be called once, after
 * itp_params_read(). */
bool itp_symbol_params_prepare(struct itp_symbol_params *params, GError **error);
/* Frees members not freed by itp_params_release(). */
void itp_symbol_params_release(struct itp_symbol_params *params);

/* For the reader; refers to `params`. */
struct itp_perf_options itp_symbol_params_options(const struct itp_symbol_params *params);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Names of functions and modules as JSON, quotes and all, each made once.
 *
 * Files with millions of events name few functions. Their numbers and punctuation are printed as
 * they go; what comes from the traced machine goes through Jansson here.
 */
#ifndef ITP_RENDER_EXPORT_JSON_NAMES_H
#define ITP_RENDER_EXPORT_JSON_NAMES_H

#include <stdio.h>

#include "common/base/function-table.h"
#include "common/render/export/timeline.h"

struct itp_json_names;

/* `functions` is weak. */
struct itp_json_names *itp_json_names_new(const struct itp_function_table *functions);
void itp_json_names_free(struct itp_json_names *names);

/* Names, which live as long as `names`. `_plain`: without the arguments of the function. */
const char *itp_json_names_function(struct itp_json_names *names, uint32_t function);
const char *itp_json_names_plain(struct itp_json_names *names, uint32_t function);
const char *itp_json_names_module(struct itp_json_names *names, uint32_t function);

/* Members of an object that tell about a call, but for its name and times. */
void itp_json_names_write_call(struct itp_json_names *names, const struct itp_timeline_call *call,
			       FILE *stream);

/* Any text. Owned by the caller. */
char *itp_json_quote(const char *text);

#endif

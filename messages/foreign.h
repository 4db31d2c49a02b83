/* SPDX-License-Identifier: MIT */
/*
 * Traces of other tracers whose events carry stacks, as stack events: the adapter.
 *
 *   foreign-field.c    fields by name and type
 *   foreign-layout.c   meanings of event classes
 *   foreign-maps.c     saved /proc/PID/maps files
 *   foreign-memory.c   threads, processes, and their mappings
 *   foreign-stack.c    stacks
 *   foreign-names.c    names of single addresses, and missing names
 *   foreign.c          the events themselves
 *
 * It hands out the records that source.introperf.perf would send for equal events: functions before
 * the first stack with them. Symbols and rules for stacks are the source's, too.
 */
#ifndef ITP_MESSAGES_FOREIGN_H
#define ITP_MESSAGES_FOREIGN_H

#include "messages/coding.h"

/* Facts that the trace itself does not tell. All owned by the caller; may be NULL. */
struct itp_foreign_options {
	/* Directory with the recorded machine's files. */
	char *symfs;
	char *kallsyms;
	/* char *: "PID=FILE", or "FILE" for all other processes. */
	GPtrArray *maps;
	/* Index into itp_fill_names. */
	unsigned int fill;
	/* Functions compiled into their callers are frames. */
	bool inlines;
};

/* True when the named files can be read. */
bool itp_foreign_options_check(const struct itp_foreign_options *options, GError **error);

typedef bool itp_foreign_func(void *data, const struct itp_record *record, GError **error);

struct itp_foreign;

/* The adapter for a trace, whose environment tells its machine, and whose name in messages is
 * `name`. `options`, `name` and `data` are weak and must outlive the result. `handle` is NULL if
 * only names of functions are wanted. */
struct itp_foreign *itp_foreign_new(const struct itp_foreign_options *options,
				    const bt_trace *trace, const char *name,
				    itp_foreign_func *handle, void *data);
void itp_foreign_free(struct itp_foreign *foreign);

/* Hands the records of `event` to `handle`. *ret_is_input: the event is of a kind on whose account
 * the trace was accepted. */
bool itp_foreign_push(struct itp_foreign *foreign, const bt_event *event, int64_t time_ns,
		      bool *ret_is_input, GError **error);

/* The function at `address` in the kernel or in the process of the event pushed last; `is_return`:
 * the function before a return address. NULL with nothing known there. Weak. */
const struct itp_function *itp_foreign_symbol(struct itp_foreign *foreign, uint64_t address,
					      bool is_return);

/* Warns on standard error about missing names and mappings, on behalf of `component`. */
void itp_foreign_warn(const struct itp_foreign *foreign, const char *component);

#endif

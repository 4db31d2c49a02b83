/* SPDX-License-Identifier: MIT */
/*
 * Traces of other tracers whose events carry stacks, as stack events: the adapter.
 *
 *   foreign-field.c    fields by name and type
 *   foreign-layout.c   what an event class means
 *   foreign-maps.c     saved /proc/PID/maps files
 *   foreign-memory.c   threads, processes, and what they have mapped where
 *   foreign-stack.c    stacks
 *   foreign-names.c    names of single addresses, and what is missing
 *   foreign.c          the events that they belong to
 *
 * It hands out the records that source.introperf.perf would send for the same events: functions
 * before the first stack that names them. Symbols and rules for stacks are the source's, too.
 */
#ifndef ITP_MESSAGES_FOREIGN_H
#define ITP_MESSAGES_FOREIGN_H

#include "messages/schema.h"

/* What the trace itself does not tell. All owned by whoever fills it in; may be NULL. */
struct itp_foreign_options {
	/* Directory with the recorded machine's files. */
	char *symfs;
	char *kallsyms;
	/* char *: "PID=FILE", or "FILE" for all other processes. */
	GPtrArray *maps;
	/* Index into itp_fill_names. */
	unsigned int fill;
};

/* Whether the files that are named can be read. */
bool itp_foreign_options_check(const struct itp_foreign_options *options, GError **error);

typedef bool itp_foreign_func(void *data, const struct itp_record *record, GError **error);

struct itp_foreign;

/* The adapter for one trace, which has the environment that tells its machine, and is called `name`
 * in messages. `options`, `name` and `data` are weak and must outlive the result. `handle` is NULL
 * where only names of functions are wanted. */
struct itp_foreign *itp_foreign_new(const struct itp_foreign_options *options,
				    const bt_trace *trace, const char *name,
				    itp_foreign_func *handle, void *data);
void itp_foreign_free(struct itp_foreign *foreign);

/* Whether the trace of `stream` carries stacks, or entries of functions. */
bool itp_foreign_has_stacks(const bt_stream *stream);

/* Hands what `event` means to the function that was given. *ret_is_input: it is one of those that
 * the trace was accepted for. */
bool itp_foreign_push(struct itp_foreign *foreign, const bt_event *event, int64_t time_ns,
		      bool *ret_is_input, GError **error);

/* The function at `address` in the kernel or in the process of the event that was pushed last; the
 * one before a return address. NULL where nothing is known to lie. Weak. */
const struct itp_function *itp_foreign_symbol(struct itp_foreign *foreign, uint64_t address,
					      bool is_return);

/* Says on standard error which names and mappings are missing, in the name of `component`. */
void itp_foreign_warn(const struct itp_foreign *foreign, const char *component);

#endif

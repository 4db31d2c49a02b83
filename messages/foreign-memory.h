/* SPDX-License-Identifier: MIT */
/*
 * The threads and processes of a foreign trace, and what they have mapped where.
 *
 * Private to the adapter. What is mapped is what the trace says, else what saved files say. Code of
 * which nobody says anything is named by its address.
 */
#ifndef ITP_MESSAGES_FOREIGN_MEMORY_H
#define ITP_MESSAGES_FOREIGN_MEMORY_H

#include "common/stacks/callchain.h"
#include "common/symbol/kernel.h"
#include "messages/foreign-layout.h"
#include "messages/foreign-maps.h"

struct itp_foreign_memory {
	/* Owned by this. */
	struct itp_symbolizer *symbolizer;
	/* NULL when functions that stacks lack are not asked for. */
	struct itp_completion *completion;
	struct itp_tasks *tasks;
	struct itp_foreign_maps *maps;
	/* Tids of threads that have asked for another program. */
	GHashTable *execs;
	/* Of threads that have done nothing since they got their name: it comes from an exec if
	 * they map something first. */
	GHashTable *renamed;
	/* What each process, by pid, has named last; what identifies it follows. Owned by this. */
	GHashTable *images;
	/* The trace says what is mapped where. A process of which it does not has mapped nothing
	 * yet. */
	bool tells_mappings;
	/* Processes of which stacks came before any mapping, and functions without a mapping. */
	uint64_t unmapped_processes;
	uint64_t unmapped_functions;
	/* Single addresses that were to be named, and at which nothing is known to lie. */
	uint64_t unnamed_addresses;
	/* Of the event being handled. */
	int64_t time_ns;
	struct itp_event_queue queue;
};

/* `options` name the files; `functions` is weak. What stacks lack is put in if `fills`. */
void itp_foreign_memory_init(struct itp_foreign_memory *memory,
			     const struct itp_symbolizer_options *options, const GPtrArray *maps,
			     struct itp_function_table *functions, bool fills);
void itp_foreign_memory_release(struct itp_foreign_memory *memory);

/* Before looking up stacks of `process`: what is not known of its memory is marked so. */
void itp_foreign_memory_prepare(struct itp_foreign_memory *memory, struct itp_process *process);

/* Id of the function that begins at `address`; *ret_address is its place in the file. */
uint32_t itp_foreign_memory_function(struct itp_foreign_memory *memory, struct itp_process *process,
				     uint64_t address, uint64_t *ret_address);

/* `task` has done something else than getting a name and mapping. */
void itp_foreign_memory_note_step(struct itp_foreign_memory *memory, const struct itp_task *task);

/* `task` runs another program from now on. */
void itp_foreign_memory_exec(struct itp_foreign_memory *memory, struct itp_task *task);

/* Handles an event of one of the roles MAP to EXIT and from IMAGE on, by `task`, which may be
 * NULL. */
void itp_foreign_memory_push(struct itp_foreign_memory *memory, const bt_event *event,
			     const struct itp_foreign_layout *layout, struct itp_task *task);

#endif

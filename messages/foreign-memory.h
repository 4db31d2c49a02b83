/* SPDX-License-Identifier: MIT */
/*
 * The threads and processes of a foreign trace, and their mappings.
 *
 * Private to the adapter. Mappings come from the trace, else from saved files. Code without a known
 * mapping is named by its address.
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
	/* NULL unless functions missing in stacks are asked for. */
	struct itp_completion *completion;
	struct itp_tasks *tasks;
	struct itp_foreign_maps *maps;
	/* Tids of threads that have asked for another program. */
	GHashTable *execs;
	/* Tids of threads without further events since they got their name: the name comes from an
	 * exec if a mapping follows first. */
	GHashTable *renamed;
	/* Last image of each process, by pid; its identity comes later. Owned by this. */
	GHashTable *images;
	/* The trace tells mappings. A process without any has mapped nothing yet. */
	bool tells_mappings;
	/* Processes with stacks before any mapping, and functions without a mapping. */
	uint64_t unmapped_processes;
	uint64_t unmapped_functions;
	/* Single addresses to be named, with nothing known there. */
	uint64_t unnamed_addresses;
	/* The trace has threads up to their last switch, behind the event of their exit: the kernel
	 * unmaps their memory in between. */
	bool has_last_switches;
	/* Time of the event being handled. */
	int64_t time_ns;
	struct itp_event_queue queue;
};

/* `options` name the files; `functions` is weak. Functions missing in stacks are put in if
 * `fills`. */
void itp_foreign_memory_init(struct itp_foreign_memory *memory,
			     const struct itp_symbolizer_options *options, const GPtrArray *maps,
			     struct itp_function_table *functions, bool fills);
void itp_foreign_memory_release(struct itp_foreign_memory *memory);

/* Prepares `process` for look-ups of stacks: unknown memory is marked as unknown. */
void itp_foreign_memory_prepare(struct itp_foreign_memory *memory, struct itp_process *process);

/* Id of the function with its begin at `address`; *ret_address is its place in the file. */
uint32_t itp_foreign_memory_function(struct itp_foreign_memory *memory, struct itp_process *process,
				     uint64_t address, uint64_t *ret_address);

/* `task` has done something else than getting a name and mapping. */
void itp_foreign_memory_note_step(struct itp_foreign_memory *memory, const struct itp_task *task);

/* `task` runs another program from now on. */
void itp_foreign_memory_exec(struct itp_foreign_memory *memory, struct itp_task *task);

/* Handles an event of a role from MAP to EXIT, or from IMAGE on, by `task`, which may be NULL. */
void itp_foreign_memory_push(struct itp_foreign_memory *memory, const bt_event *event,
			     const struct itp_foreign_layout *layout, struct itp_task *task);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The calls of many threads, in the order in which they ended, in a temporary file.
 *
 * Each thread's calls are a list of blocks, of which only the last is in memory. They are read from
 * the last back to the first: callers before what they called.
 */
#ifndef ITP_RENDER_EXPORT_CALL_STORE_H
#define ITP_RENDER_EXPORT_CALL_STORE_H

#include <stdint.h>

#include "common/infer/instance.h"

/* A function instance by the best estimate, as far as a timeline shows it. */
struct itp_timeline_call {
	uint32_t function;
	uint32_t depth;
	/* enum itp_instance_flag */
	uint32_t flags;
	uint32_t max_calls;
	int64_t begin_ns;
	int64_t end_ns;
	/* Bounds of its latency. */
	int64_t lower_ns;
	int64_t upper_ns;
	struct itp_time_use use;
};

#define ITP_CALL_BLOCK_CALLS 56

/* The calls of one thread. Zeroed at first. */
struct itp_call_list {
	uint64_t count;
	/* The block before the open one, 1 + its index; 0 = there is none. */
	uint64_t last_block;
	/* The calls of the open block, NULL until there is one. Owned by this. */
	struct itp_timeline_call *open;
	uint32_t open_count;
};

struct itp_call_store {
	int fd;
	uint64_t block_count;
};

/* Reads a list backwards. It must not grow meanwhile. */
struct itp_call_reader {
	/* Weak. */
	const struct itp_call_store *store;
	/* The block at hand, and how many of its calls are left. */
	struct itp_timeline_call calls[ITP_CALL_BLOCK_CALLS];
	uint32_t left;
	uint64_t next_block;
};

/* The file is made in `directory`. ITP_ERROR_IO with errno. */
int itp_call_store_init(struct itp_call_store *store, const char *directory);
void itp_call_store_release(struct itp_call_store *store);

int itp_call_list_append(struct itp_call_list *list, struct itp_call_store *store,
			 const struct itp_timeline_call *call);
void itp_call_list_release(struct itp_call_list *list);

void itp_call_reader_init(struct itp_call_reader *reader, const struct itp_call_store *store,
			  const struct itp_call_list *list);
/* 1: `ret_call` is set; 0: there is no more; ITP_ERROR_IO with errno. */
int itp_call_reader_next(struct itp_call_reader *reader, struct itp_timeline_call *ret_call);

#endif

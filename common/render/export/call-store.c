/* SPDX-License-Identifier: MIT */
/* See call-store.h. */
#include "common/render/export/call-store.h"

#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/error.h"
#include "common/base/temp-file.h"

/* In the file. */
struct block {
	/* As itp_call_list.last_block. */
	uint64_t before;
	struct itp_timeline_call calls[ITP_CALL_BLOCK_CALLS];
};

int itp_call_store_init(struct itp_call_store *store, const char *directory)
{
	*store = (struct itp_call_store){ .fd = itp_temp_file_open(directory) };
	return store->fd < 0 ? store->fd : ITP_OK;
}

void itp_call_store_release(struct itp_call_store *store)
{
	if (store->fd >= 0) {
		close(store->fd);
	}
}

/* Puts the open block, which is full, into the file. */
static int store_block(struct itp_call_list *list, struct itp_call_store *store)
{
	struct block block = { .before = list->last_block };
	int code;

	memcpy(block.calls, list->open, sizeof(block.calls));
	code = itp_temp_file_write(store->fd, &block, sizeof(block),
				   store->block_count * sizeof(block));
	if (code == ITP_OK) {
		store->block_count++;
		list->last_block = store->block_count;
		list->open_count = 0;
	}
	return code;
}

int itp_call_list_append(struct itp_call_list *list, struct itp_call_store *store,
			 const struct itp_timeline_call *call)
{
	if (!list->open) {
		list->open = g_new(struct itp_timeline_call, ITP_CALL_BLOCK_CALLS);
	}
	if (list->open_count == ITP_CALL_BLOCK_CALLS) {
		int code = store_block(list, store);

		if (code < 0) {
			return code;
		}
	}
	list->open[list->open_count] = *call;
	list->open_count++;
	list->count++;
	return ITP_OK;
}

void itp_call_list_release(struct itp_call_list *list)
{
	g_free(list->open);
}

void itp_call_reader_init(struct itp_call_reader *reader, const struct itp_call_store *store,
			  const struct itp_call_list *list)
{
	reader->store = store;
	reader->left = list->open_count;
	reader->next_block = list->last_block;
	if (list->open_count > 0) {
		memcpy(reader->calls, list->open, list->open_count * sizeof(list->open[0]));
	}
}

static int read_block(struct itp_call_reader *reader)
{
	struct block block;
	int code = itp_temp_file_read(reader->store->fd, &block, sizeof(block),
				      (reader->next_block - 1) * sizeof(block));

	if (code == ITP_OK) {
		reader->next_block = block.before;
		reader->left = ITP_CALL_BLOCK_CALLS;
		memcpy(reader->calls, block.calls, sizeof(block.calls));
	}
	return code;
}

int itp_call_reader_next(struct itp_call_reader *reader, struct itp_timeline_call *ret_call)
{
	if (reader->left == 0) {
		int code = reader->next_block > 0 ? read_block(reader) : ITP_OK;

		if (code < 0 || reader->left == 0) {
			return code;
		}
	}
	reader->left--;
	*ret_call = reader->calls[reader->left];
	return 1;
}

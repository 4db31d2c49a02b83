/* SPDX-License-Identifier: MIT */
/* See upstream.h. */
#include "messages/upstream.h"

#include <stddef.h>

static bt_message_iterator_next_status tell_error(struct itp_upstream *upstream)
{
	BT_CURRENT_THREAD_MOVE_ERROR_AND_RESET(upstream->error);
	return BT_MESSAGE_ITERATOR_NEXT_STATUS_ERROR;
}

bt_message_iterator_next_status itp_upstream_next(struct itp_upstream *upstream,
						  bt_message_array_const *ret_messages,
						  uint64_t *ret_count)
{
	bt_message_iterator_next_status status;

	if (upstream->error) {
		return tell_error(upstream);
	}
	/* Clears an error left on the thread by somebody who went on without it. */
	bt_current_thread_clear_error();
	status = bt_message_iterator_next(upstream->iterator, ret_messages, ret_count);
	if (status < 0) {
		return status;
	}
	upstream->error = bt_current_thread_take_error();
	return upstream->error && status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK ?
		       tell_error(upstream) :
		       status;
}

void itp_upstream_forget(struct itp_upstream *upstream)
{
	if (upstream->error) {
		bt_error_release(upstream->error);
		upstream->error = NULL;
	}
}

void itp_upstream_release(struct itp_upstream *upstream)
{
	itp_upstream_forget(upstream);
	BT_MESSAGE_ITERATOR_PUT_REF_AND_RESET(upstream->iterator);
}

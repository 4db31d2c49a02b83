/* SPDX-License-Identifier: MIT */
/*
 * A system call without a context, from filter.introperf.infer: the inference's record, with a
 * function of one's own.
 */
#ifndef ITP_MESSAGES_UNPLACED_H
#define ITP_MESSAGES_UNPLACED_H

#include "common/schema/id-map.h"
#include "messages/coding.h"

/* An error when the function was not told. */
static inline bool itp_unplaced_read(const struct itp_unplaced_record *record,
				     const struct itp_id_map *function_ids,
				     struct itp_instance *ret_call, uint32_t *ret_function,
				     GError **error)
{
	*ret_call = record->call;
	ret_call->best_begin_ns = MIN(record->call.best_begin_ns, record->call.begin_ns);
	ret_call->best_ns = record->call.begin_ns - ret_call->best_begin_ns;
	ret_call->has_result = true;
	return itp_id_map_get(function_ids, record->function, ret_function, error);
}

#endif

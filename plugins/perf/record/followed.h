/* SPDX-License-Identifier: MIT */
/*
 * Recorded processes, as records of threads and mappings tell: their choice, their mappings, and
 * news of both for the programs in the kernel. Step tables are left to images.h.
 */
#ifndef ITP_PERF_RECORD_FOLLOWED_H
#define ITP_PERF_RECORD_FOLLOWED_H

#include "common/stacks/task.h"
#include "plugins/perf/record/kernel.h"

struct perf_event_header;

struct itp_recorder_followed;

/* `kernel` is weak. With `is_machine` all processes but the recorder are followed. */
struct itp_recorder_followed *itp_recorder_followed_new(struct itp_recorder_kernel *kernel,
							bool is_machine);
void itp_recorder_followed_free(struct itp_recorder_followed *followed);

/* Follows the process, with its later children. */
void itp_recorder_followed_add(struct itp_recorder_followed *followed, int32_t pid);

/* Takes a record of threads or mappings, with its trailer; false when its process is not recorded.
 */
bool itp_recorder_followed_push(struct itp_recorder_followed *followed,
				const struct perf_event_header *record);

/* Tells the programs in the kernel all changes since the last call. */
void itp_recorder_followed_tell(struct itp_recorder_followed *followed);

/* Mappings of a process. Weak, valid until the next record. */
struct itp_address_space *itp_recorder_followed_space(struct itp_recorder_followed *followed,
						      int32_t pid, int32_t tid);

/* Loads missing tables for `frames`, addresses of a stack in `space` copied for the lack of a
 * table. */
void itp_recorder_followed_need(struct itp_recorder_followed *followed,
				struct itp_address_space *space, const uint64_t *frames,
				guint count);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Mappings of recorded processes for the programs in the kernel: images, with the step tables of
 * their files, each of which is made once. Without room for more tables, stacks through further
 * files are copied.
 */
#ifndef ITP_PERF_RECORD_IMAGES_H
#define ITP_PERF_RECORD_IMAGES_H

#include "common/stacks/task.h"
#include "plugins/perf/record/kernel.h"

struct itp_recorder_images;

/* `kernel` is weak. */
struct itp_recorder_images *itp_recorder_images_new(struct itp_recorder_kernel *kernel);
void itp_recorder_images_free(struct itp_recorder_images *images);

/* Tells the kernel the present mappings of the process, which has begun so many programs. */
void itp_recorder_images_tell(struct itp_recorder_images *images, const struct itp_process *process,
			      uint32_t execs);

/* A stack with these frames had to be copied for the lack of a table. */
void itp_recorder_images_need(struct itp_recorder_images *images, struct itp_address_space *space,
			      const uint64_t *frames, guint count);

#endif

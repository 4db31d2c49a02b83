/* SPDX-License-Identifier: MIT */
/*
 * Images of recorded processes for the programs in the kernel: executable mappings, with step
 * tables of their files. A file's table is made once, when a stack needs it. Without room for more
 * tables, stacks through further files are copied.
 */
#ifndef ITP_PERF_RECORD_IMAGES_H
#define ITP_PERF_RECORD_IMAGES_H

#include "common/stacks/task.h"
#include "plugins/perf/record/kernel.h"

struct itp_recorder_images;

/* `kernel` is weak. */
struct itp_recorder_images *itp_recorder_images_new(struct itp_recorder_kernel *kernel);
void itp_recorder_images_free(struct itp_recorder_images *images);

/* Tells the programs in the kernel the present mappings of a process, after `execs` execs. */
void itp_recorder_images_tell(struct itp_recorder_images *images, const struct itp_process *process,
			      uint32_t execs);

/* Loads missing tables of files for `frames`, addresses of a stack in `space` copied for the lack
 * of a table, and completes the image with them. */
void itp_recorder_images_need(struct itp_recorder_images *images, struct itp_address_space *space,
			      const uint64_t *frames, guint count);

#endif

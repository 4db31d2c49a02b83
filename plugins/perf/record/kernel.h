/* SPDX-License-Identifier: MIT */
/*
 * The recorder's programs in the kernel: loading, attaching, inputs and outputs.
 *
 * The programs stay attached as long as this process lives, however it ends.
 */
#ifndef ITP_PERF_RECORD_KERNEL_H
#define ITP_PERF_RECORD_KERNEL_H

#include <glib.h>
#include <stdbool.h>

#include "plugins/perf/record/record-bpf.h"

struct itp_recorder_kernel_options {
	/* All processes but this one are recorded. */
	bool is_machine;
	/* Process recorded from its next exec on; 0 for none. */
	int32_t waiting_pid;
	/* System calls and wakeups are left out. */
	bool is_light;
	/* Ticks of the timer in a second. */
	guint hertz;
};

struct itp_recorder_kernel;

/* NULL with an error when the kernel refuses. */
struct itp_recorder_kernel *itp_recorder_kernel_new(
	const struct itp_recorder_kernel_options *options, GError **error);
void itp_recorder_kernel_free(struct itp_recorder_kernel *kernel);

/* Attaches programs that follow processes; then those of switches, wakeups and ticks. */
bool itp_recorder_kernel_follow(struct itp_recorder_kernel *kernel, GError **error);
bool itp_recorder_kernel_begin(struct itp_recorder_kernel *kernel, GError **error);
/* Attaches programs of system calls, and detaches them again. While detached, system calls take no
 * longer than without a recorder. */
bool itp_recorder_kernel_watch_calls(struct itp_recorder_kernel *kernel, GError **error);
void itp_recorder_kernel_leave_calls(struct itp_recorder_kernel *kernel);
/* Ignores calls with a later begin, whenever the programs are detached; 0: ignores none. */
void itp_recorder_kernel_watch_until(struct itp_recorder_kernel *kernel, int64_t time_ns);
/* Detaches all. Their records can still be taken. */
void itp_recorder_kernel_end(struct itp_recorder_kernel *kernel);

/* Records the process from here on, with its later children. */
bool itp_recorder_kernel_add(struct itp_recorder_kernel *kernel, int32_t pid);

/* Sets the image of a process that has begun so many programs since it was added. */
void itp_recorder_kernel_set_space(struct itp_recorder_kernel *kernel, int32_t pid, uint32_t image,
				   uint32_t execs);

/* Slot of an image by its number; another may be there. The image is complete when its number is
 * set. Weak. */
struct itp_record_image *itp_recorder_kernel_image(struct itp_recorder_kernel *kernel,
						   uint32_t number);
/* Puts `count` elements at `first`, below the limits of record-bpf.h. */
void itp_recorder_kernel_set_rows(struct itp_recorder_kernel *kernel, uint32_t first,
				  const struct itp_step_row *rows, uint32_t count);
void itp_recorder_kernel_set_index(struct itp_recorder_kernel *kernel, uint32_t place,
				   uint32_t row);
void itp_recorder_kernel_set_step(struct itp_recorder_kernel *kernel, uint32_t number,
				  const struct itp_step *step);

/* Descriptor to be read when a stack was copied for the lack of a table, or of a mapping, which is
 * better known soon. */
int itp_recorder_kernel_file(const struct itp_recorder_kernel *kernel);

/* Calls `take` for each waiting record, oldest first. */
void itp_recorder_kernel_take(struct itp_recorder_kernel *kernel,
			      void (*take)(void *data, const void *record, size_t bytes),
			      void *data);

/* Of all CPUs. */
struct itp_record_totals itp_recorder_kernel_totals(const struct itp_recorder_kernel *kernel);

#endif

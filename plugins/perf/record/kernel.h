/* SPDX-License-Identifier: MIT */
/*
 * The recorder's programs in the kernel: loading, attaching, what they are told and what they tell.
 *
 * They stay attached as long as this process lives, however it ends.
 */
#ifndef ITP_PERF_RECORD_KERNEL_H
#define ITP_PERF_RECORD_KERNEL_H

#include <glib.h>
#include <stdbool.h>

#include "plugins/perf/record/kernel-text.h"
#include "plugins/perf/record/record-bpf.h"

struct itp_recorder_kernel_options {
	/* All processes but this one are recorded. */
	bool is_machine;
	/* A process that is recorded from its next exec on; 0 for none. */
	int32_t waiting_pid;
	/* System calls and wakeups are left out. */
	bool is_light;
	/* New threads and page faults are recorded as well. */
	bool is_full;
	/* Ticks of the timer in a second. */
	guint hertz;
	/* Code of the kernel at which interrupts come in; 0 when unknown. */
	struct itp_recorder_range interrupts;
};

struct itp_recorder_kernel;

/* NULL with an error when the kernel refuses. */
struct itp_recorder_kernel *itp_recorder_kernel_new(
	const struct itp_recorder_kernel_options *options, GError **error);
void itp_recorder_kernel_free(struct itp_recorder_kernel *kernel);

/* Attaches those that follow processes; then those of switches, wakeups and ticks. */
bool itp_recorder_kernel_follow(struct itp_recorder_kernel *kernel, GError **error);
bool itp_recorder_kernel_begin(struct itp_recorder_kernel *kernel, GError **error);
/* Attaches those of system calls, and detaches these again. While they are not attached, system
 * calls take no longer than without a recorder. */
bool itp_recorder_kernel_watch_calls(struct itp_recorder_kernel *kernel, GError **error);
void itp_recorder_kernel_leave_calls(struct itp_recorder_kernel *kernel);
/* System calls that begin later than `time_ns` are not noted, whenever the programs are detached;
 * 0: all are. */
void itp_recorder_kernel_watch_until(struct itp_recorder_kernel *kernel, int64_t time_ns);
/* Detaches all. What they have told can still be taken. */
void itp_recorder_kernel_end(struct itp_recorder_kernel *kernel);

/* Processes are recorded from here on, with those that they start. */
bool itp_recorder_kernel_add(struct itp_recorder_kernel *kernel, int32_t pid);

/* A process that has begun so many programs since it was added has this image. */
void itp_recorder_kernel_set_space(struct itp_recorder_kernel *kernel, int32_t pid, uint32_t image,
				   uint32_t execs);

/* Room of the image of this number, in which another may be. The image is complete when its number
 * is set. Weak. */
struct itp_record_image *itp_recorder_kernel_image(struct itp_recorder_kernel *kernel,
						   uint32_t number);
/* Puts `count` elements at `first`, below the limits of record-bpf.h. */
void itp_recorder_kernel_set_rows(struct itp_recorder_kernel *kernel, uint32_t first,
				  const struct itp_step_row *rows, uint32_t count);
void itp_recorder_kernel_set_index(struct itp_recorder_kernel *kernel, uint32_t place,
				   uint32_t row);
void itp_recorder_kernel_set_step(struct itp_recorder_kernel *kernel, uint32_t number,
				  const struct itp_step *step);

/* To be read when a stack was copied for the lack of a table, or of what is mapped, which is better
 * known soon. */
int itp_recorder_kernel_file(const struct itp_recorder_kernel *kernel);

/* Calls `take` for each record that is there, oldest first. */
void itp_recorder_kernel_take(struct itp_recorder_kernel *kernel,
			      void (*take)(void *data, const void *record, size_t bytes),
			      void *data);

/* Sums over all CPUs. */
struct itp_record_totals itp_recorder_kernel_totals(const struct itp_recorder_kernel *kernel);

#endif

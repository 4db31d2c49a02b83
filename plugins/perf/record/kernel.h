/* SPDX-License-Identifier: MIT */
/*
 * Programs of the recorder in the kernel: loading, attaching, their tables, their records.
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
	/* All processes but the recorder, and `reader`, are recorded. */
	bool is_machine;
	int32_t reader;
	/* Waiting threads are to be noted. */
	bool has_waiting;
	/* Process recorded from its next exec on; 0 for none. */
	int32_t waiting_pid;
	/* Wakeups are left out; leaving out system calls is up to the caller. */
	bool is_light;
	/* New threads and page faults are recorded as well. */
	bool is_full;
	/* Frequency of the timer, in hertz: 997. */
	guint hertz;
	/* Entries of interrupts in the kernel's code (kernel-text.h); 0 when unknown. */
	struct itp_recorder_range interrupts;
};

struct itp_recorder_kernel;

/* Loads the programs. NULL with an error when the kernel refuses. */
struct itp_recorder_kernel *itp_recorder_kernel_new(
	const struct itp_recorder_kernel_options *options, GError **error);
void itp_recorder_kernel_free(struct itp_recorder_kernel *kernel);

/* Receiver of the place of a function's code, which the programs consist of. */
typedef void itp_recorder_tell_code(void *data, const char *program, uint64_t begin,
				    uint32_t length);

/* Tells the code of all loaded programs; nothing of it where the kernel keeps addresses secret. */
void itp_recorder_kernel_tell_code(const struct itp_recorder_kernel *kernel,
				   itp_recorder_tell_code *tell, void *data);

/* Attaches programs; false with an error when the kernel refuses. First the programs that follow
 * processes, then the programs of switches, wakeups and ticks. */
bool itp_recorder_kernel_follow(struct itp_recorder_kernel *kernel, GError **error);
bool itp_recorder_kernel_begin(struct itp_recorder_kernel *kernel, GError **error);
/* Attaches the programs of system calls, false with an error when the kernel refuses; and detaches
 * them. Without them, system calls take no longer than without a recorder. */
bool itp_recorder_kernel_watch_calls(struct itp_recorder_kernel *kernel, GError **error);
void itp_recorder_kernel_leave_calls(struct itp_recorder_kernel *kernel);
/* System calls that begin later than `time_ns` (CLOCK_MONOTONIC) are not noted, whenever the
 * programs are detached; 0: no limit. */
void itp_recorder_kernel_watch_until(struct itp_recorder_kernel *kernel, int64_t time_ns);
/* Notes all threads that wait now, with their stacks; or, with `is_end`, only that they do. False
 * with an error when the kernel refuses. */
bool itp_recorder_kernel_look_around(struct itp_recorder_kernel *kernel, bool is_end,
				     GError **error);
/* Detaches all programs. Their waiting records can still be taken. */
void itp_recorder_kernel_end(struct itp_recorder_kernel *kernel);

/* Records a process from now on, with its later children. False when the kernel refuses. */
bool itp_recorder_kernel_add(struct itp_recorder_kernel *kernel, int32_t pid);

/* Tells the image of a process after `execs` execs since it was added. */
void itp_recorder_kernel_set_space(struct itp_recorder_kernel *kernel, int32_t pid, uint32_t image,
				   uint32_t execs);

/* Slot of the image with this number, perhaps still with another image. An image is complete as
 * soon as its own `number` is set. Weak. */
struct itp_record_image *itp_recorder_kernel_image(struct itp_recorder_kernel *kernel,
						   uint32_t number);
/* Has stacks of interpreted functions looked for, from the first image with an interpreter on. */
void itp_recorder_kernel_note_interpreter(struct itp_recorder_kernel *kernel);

/* Puts `count` elements of a table at `first`, below the limits of record-bpf.h. */
void itp_recorder_kernel_set_rows(struct itp_recorder_kernel *kernel, uint32_t first,
				  const struct itp_step_row *rows, uint32_t count);
void itp_recorder_kernel_set_index(struct itp_recorder_kernel *kernel, uint32_t place,
				   uint32_t row);
void itp_recorder_kernel_set_step(struct itp_recorder_kernel *kernel, uint32_t number,
				  const struct itp_step *step);

/* Descriptor, to poll for reading: ready when a stack was copied for the lack of a table or an
 * image, better made soon. Weak. */
int itp_recorder_kernel_file(const struct itp_recorder_kernel *kernel);

/* Bytes of the ring of records, but for copies, on this machine. */
uint32_t itp_recorder_kernel_ring_bytes(void);

/* Calls `take` with `data` for each waiting record: first copies of stacks, oldest first, then all
 * others, oldest first. Returns their number. */
size_t itp_recorder_kernel_take(struct itp_recorder_kernel *kernel,
				void (*take)(void *data, const void *record, size_t bytes),
				void *data);
/* Called by `take` for a record with a copy that has come meanwhile: calls `take` for each waiting
 * copy. */
void itp_recorder_kernel_take_copies(struct itp_recorder_kernel *kernel);

/* Sums of the programs, over all CPUs. */
struct itp_record_totals itp_recorder_kernel_totals(const struct itp_recorder_kernel *kernel);

#endif

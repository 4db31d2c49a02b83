/* SPDX-License-Identifier: MIT */
/*
 * One perf event of this thread, as perf record opens it, with its ring buffer and a file that the
 * ring is emptied into. What is recorded, and what that costs, is calibration.h.
 */
#ifndef ITP_PERF_COMMAND_EVENT_RING_H
#define ITP_PERF_COMMAND_EVENT_RING_H

#include <glib.h>
#include <linux/perf_event.h>
#include <stdbool.h>

/* As perf_event_attr has it. */
struct itp_event {
	/* For messages. */
	const char *name;
	guint32 type;
	guint64 config;
	guint64 period;
	/* Copied of the stack for each sample; 0 = the stack is followed by frame pointers. */
	unsigned int stack_bytes;
};

struct itp_event_ring {
	int event;
	/* Temporary, already unlinked. */
	int file;
	struct perf_event_mmap_page *ring;
	size_t ring_bytes;
};

/* Opens the event, disabled. To be released in any case. */
bool itp_event_ring_init(struct itp_event_ring *ring, const struct itp_event *event,
			 GError **error);
void itp_event_ring_release(struct itp_event_ring *ring);

/* Bytes of samples that fit. */
size_t itp_event_ring_capacity(void);

void itp_event_ring_enable(const struct itp_event_ring *ring);
void itp_event_ring_disable(const struct itp_event_ring *ring);

/* Writes out what is in the ring, as perf record does, over what was written before. False when
 * that failed. */
bool itp_event_ring_drain(const struct itp_event_ring *ring);

/* Of a tracepoint, named by its folder below "events"; 0 when it cannot be read. */
guint64 itp_event_ring_tracepoint(const char *name);

/* Sets an error that says what of the measurement failed, and errno. Returns false. */
bool itp_event_ring_fail(GError **error, const char *what);

#endif

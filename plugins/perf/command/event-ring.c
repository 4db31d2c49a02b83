/* SPDX-License-Identifier: MIT */
/*
 * See event-ring.h.
 */
#include "plugins/perf/command/event-ring.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "common/base/temp-file.h"

/* More than caches hold, as the ring of a recording is. */
#define RING_PAGES 4096

bool itp_event_ring_fail(GError **error, const char *what)
{
	g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
		    "--overhead: the cost of an event cannot be measured: %s: %s", what,
		    g_strerror(errno));
	return false;
}

guint64 itp_event_ring_tracepoint(const char *name)
{
	static const char *const mounts[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	guint64 id = 0;

	for (size_t i = 0; id == 0 && i < G_N_ELEMENTS(mounts); i++) {
		g_autofree char *path = g_build_filename(mounts[i], "events", name, "id", NULL);
		g_autofree char *text = NULL;

		if (g_file_get_contents(path, &text, NULL, NULL)) {
			id = g_ascii_strtoull(text, NULL, 10);
		}
	}
	return id;
}

size_t itp_event_ring_capacity(void)
{
	return RING_PAGES * (size_t)sysconf(_SC_PAGESIZE);
}

static int open_event(const struct itp_event *event)
{
	struct perf_event_attr attr = {
		.type = event->type,
		.size = sizeof attr,
		.config = event->config,
		.sample_period = event->period,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW |
			       PERF_SAMPLE_CALLCHAIN,
		.disabled = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};

	if (event->stack_bytes > 0) {
		attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		attr.sample_regs_user = 1;
		attr.sample_stack_user = event->stack_bytes;
		attr.exclude_callchain_user = 1;
	}
	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

bool itp_event_ring_init(struct itp_event_ring *ring, const struct itp_event *event, GError **error)
{
	void *pages;

	*ring = (struct itp_event_ring){
		.event = open_event(event),
		.file = -1,
		.ring_bytes = itp_event_ring_capacity() + (size_t)sysconf(_SC_PAGESIZE),
	};
	if (ring->event < 0) {
		return itp_event_ring_fail(error, event->name);
	}
	ring->file = itp_temp_file_open(g_get_tmp_dir());
	if (ring->file < 0) {
		return itp_event_ring_fail(error, g_get_tmp_dir());
	}
	pages = mmap(NULL, ring->ring_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ring->event, 0);
	if (pages == MAP_FAILED) {
		return itp_event_ring_fail(error, "its buffer");
	}
	ring->ring = pages;
	return true;
}

void itp_event_ring_release(struct itp_event_ring *ring)
{
	if (ring->ring) {
		munmap(ring->ring, ring->ring_bytes);
	}
	if (ring->event >= 0) {
		close(ring->event);
	}
	if (ring->file >= 0) {
		close(ring->file);
	}
}

void itp_event_ring_enable(const struct itp_event_ring *ring)
{
	ioctl(ring->event, PERF_EVENT_IOC_ENABLE, 0);
}

void itp_event_ring_disable(const struct itp_event_ring *ring)
{
	ioctl(ring->event, PERF_EVENT_IOC_DISABLE, 0);
}

/* The file is written from its beginning: memory that the machine has to find first costs many
 * times as much on some, and differs. */
bool itp_event_ring_drain(const struct itp_event_ring *ring)
{
	const char *data = (const char *)ring->ring + ring->ring->data_offset;
	guint64 size = ring->ring->data_size;
	guint64 head = __atomic_load_n(&ring->ring->data_head, __ATOMIC_ACQUIRE);
	guint64 tail = ring->ring->data_tail;
	bool done = lseek(ring->file, 0, SEEK_SET) == 0;

	while (done && tail < head) {
		guint64 at = tail % size;
		ssize_t written = write(ring->file, data + at, MIN(head - tail, size - at));

		done = written > 0;
		tail += done ? (guint64)written : 0;
	}
	__atomic_store_n(&ring->ring->data_tail, head, __ATOMIC_RELEASE);
	return done;
}

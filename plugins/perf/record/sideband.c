/* SPDX-License-Identifier: MIT */
/*
 * See sideband.h.
 */
#include "plugins/perf/record/sideband.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "plugins/perf/bpf/refusal.h"

/* Pages of each CPU's ring, behind a page of counters: a page has room for some twenty records. And
 * bytes of records that wake the reader before the next round: records are of all processes of the
 * machine, and a build beside the recording made thousands a second. */
#define RING_PAGES 128
#define WAKING_BYTES (16 * 4096)

struct taken {
	uint64_t time_ns;
	/* Owned by this. */
	struct perf_event_header *record;
};

struct itp_recorder_sideband {
	struct perf_event_attr attr;
	/* Of each present CPU: descriptor (int), id (uint64_t), and ring (struct
	 * perf_event_mmap_page *). Owned by this. */
	GArray *files;
	GArray *ids;
	GPtrArray *rings;
	size_t ring_bytes;
	/* struct taken, by time; before `next` they were handed out. Owned by this. */
	GArray *queue;
	guint next;
	/* Record handed out last. Owned by this. */
	struct perf_event_header *shown;
};

static struct perf_event_attr make_attr(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = ITP_RECORDER_TRAILER_TYPE,
		.sample_id_all = 1,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.watermark = 1,
		.wakeup_watermark = WAKING_BYTES,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};

	return attr;
}

static bool open_ring(struct itp_recorder_sideband *sideband, int cpu, GError **error)
{
	const int file = (int)syscall(SYS_perf_event_open, &sideband->attr, -1, cpu, -1,
				      PERF_FLAG_FD_CLOEXEC);
	uint64_t id;
	void *ring;

	/* Some possible CPUs are absent. */
	if (file < 0) {
		return errno == ENODEV ||
		       itp_bpf_refuse(error, "processes cannot be followed", errno);
	}
	g_array_append_val(sideband->files, file);
	ring = mmap(NULL, sideband->ring_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (ring == MAP_FAILED || ioctl(file, PERF_EVENT_IOC_ID, &id) != 0) {
		return itp_bpf_refuse(error, "processes cannot be followed", errno);
	}
	g_ptr_array_add(sideband->rings, ring);
	g_array_append_val(sideband->ids, id);
	return true;
}

struct itp_recorder_sideband *itp_recorder_sideband_new(GError **error)
{
	struct itp_recorder_sideband *sideband = g_new0(struct itp_recorder_sideband, 1);
	const long cpu_count = sysconf(_SC_NPROCESSORS_CONF);
	bool done = true;

	sideband->attr = make_attr();
	sideband->ring_bytes = (size_t)(RING_PAGES + 1) * (size_t)sysconf(_SC_PAGESIZE);
	sideband->files = g_array_new(FALSE, FALSE, sizeof(int));
	sideband->ids = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	sideband->rings = g_ptr_array_new();
	sideband->queue = g_array_new(FALSE, FALSE, sizeof(struct taken));
	for (int cpu = 0; done && cpu < cpu_count; cpu++) {
		done = open_ring(sideband, cpu, error);
	}
	if (!done) {
		itp_recorder_sideband_free(sideband);
		return NULL;
	}
	return sideband;
}

void itp_recorder_sideband_free(struct itp_recorder_sideband *sideband)
{
	if (!sideband) {
		return;
	}
	for (guint i = 0; i < sideband->rings->len; i++) {
		munmap(g_ptr_array_index(sideband->rings, i), sideband->ring_bytes);
	}
	for (guint i = 0; i < sideband->files->len; i++) {
		close(g_array_index(sideband->files, int, i));
	}
	for (guint i = sideband->next; i < sideband->queue->len; i++) {
		g_free(g_array_index(sideband->queue, struct taken, i).record);
	}
	g_free(sideband->shown);
	g_array_unref(sideband->files);
	g_array_unref(sideband->ids);
	g_ptr_array_unref(sideband->rings);
	g_array_unref(sideband->queue);
	g_free(sideband);
}

const struct perf_event_attr *itp_recorder_sideband_attr(
	const struct itp_recorder_sideband *sideband)
{
	return &sideband->attr;
}

const GArray *itp_recorder_sideband_ids(const struct itp_recorder_sideband *sideband)
{
	return sideband->ids;
}

const GArray *itp_recorder_sideband_files(const struct itp_recorder_sideband *sideband)
{
	return sideband->files;
}

/* Copies bytes out of a ring, perhaps across its end. */
static void copy_out(const struct perf_event_mmap_page *ring, uint64_t from, void *to, size_t bytes)
{
	const uint8_t *data = (const uint8_t *)ring + ring->data_offset;
	const uint64_t place = from % ring->data_size;
	const size_t first = (size_t)MIN(bytes, ring->data_size - place);

	memcpy(to, data + place, first);
	memcpy((uint8_t *)to + first, data, bytes - first);
}

static void take_one(struct itp_recorder_sideband *sideband,
		     const struct perf_event_mmap_page *ring, uint64_t from, size_t bytes)
{
	struct taken taken = { .record = g_malloc(bytes) };
	struct itp_recorder_trailer trailer;

	copy_out(ring, from, taken.record, bytes);
	memcpy(&trailer, (const uint8_t *)taken.record + bytes - sizeof(trailer), sizeof(trailer));
	taken.time_ns = trailer.time_ns;
	g_array_append_val(sideband->queue, taken);
}

static void take_ring(struct itp_recorder_sideband *sideband, struct perf_event_mmap_page *ring)
{
	const uint64_t head = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = ring->data_tail;

	while (tail < head) {
		struct perf_event_header header;

		copy_out(ring, tail, &header, sizeof(header));
		if (header.size >= sizeof(header) + sizeof(struct itp_recorder_trailer)) {
			take_one(sideband, ring, tail, header.size);
		}
		tail += MAX(header.size, sizeof(header));
	}
	__atomic_store_n(&ring->data_tail, tail, __ATOMIC_RELEASE);
}

static gint compare(gconstpointer a, gconstpointer b)
{
	const struct taken *left = a;
	const struct taken *right = b;

	return left->time_ns < right->time_ns ? -1 : left->time_ns > right->time_ns;
}

void itp_recorder_sideband_take(struct itp_recorder_sideband *sideband)
{
	g_array_remove_range(sideband->queue, 0, sideband->next);
	sideband->next = 0;
	for (guint i = 0; i < sideband->rings->len; i++) {
		take_ring(sideband, g_ptr_array_index(sideband->rings, i));
	}
	/* Merge sort keeps records of equal times in their order. */
	g_array_sort(sideband->queue, compare);
}

struct perf_event_header *itp_recorder_sideband_next(struct itp_recorder_sideband *sideband,
						     uint64_t until_ns)
{
	const struct taken *first;

	if (sideband->next >= sideband->queue->len) {
		return NULL;
	}
	first = &g_array_index(sideband->queue, struct taken, sideband->next);
	if (first->time_ns > until_ns) {
		return NULL;
	}
	g_free(sideband->shown);
	sideband->shown = first->record;
	sideband->next++;
	return sideband->shown;
}

/* SPDX-License-Identifier: MIT */
/*
 * See output.h.
 */
#include "plugins/perf/record/output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <glib/gstdio.h>
#include <zstd.h>

#include "common/perf-data/file.h"
#include "common/perf-data/record-types.h"
#include "plugins/perf/record/formats.h"

#define MAGIC "PERFILE2"
#define HEADER_BYTES 104
#define STREAM_HEADER_BYTES 16
/* Room for a feature in a record of a stream, whose size has 16 bits. */
#define MOST_FEATURE_BYTES (UINT16_MAX - 32)
/* Offsets in the header: number of bytes of records, and bits of the features. */
#define DATA_BYTES_PLACE 48
#define FEATURES_PLACE 72
#define NS_PER_S UINT64_C(1000000000)

/* Features for perf, of no use for introperf's readers. */
#define FEATURE_CPU_COUNT 7
#define FEATURE_CLOCK_ID 23
#define FEATURE_COMPRESSED 27
/* Highest feature of a recording, plus 1. */
#define FEATURES 30

/* Texts are padded to multiples, as by perf. */
#define TEXT_BYTES 64
/* Bytes packed at once: packed, they must fit into a record with a size of 16 bits. */
#define CHUNK_BYTES (48 * 1024)
/* Room that perf has for an unpacked record, in bytes. */
#define UNPACKED_BYTES (64 * 1024)
#define ZSTD_TYPE 1
#define LEVEL 1

struct section {
	uint64_t offset;
	uint64_t size;
};

struct itp_recorder_output {
	int file;
	bool is_stream;
	/* Offset of the next byte. */
	uint64_t place;
	uint64_t data_begin;
	/* errno of the first failure, or 0. */
	int failure;
	/* Owned by this. */
	ZSTD_CStream *zstd;
	uint8_t chunk[CHUNK_BYTES];
	size_t chunk_bytes;
	uint64_t unpacked_bytes;
	/* Records were written since the last round. */
	bool has_records;
	/* Content of EVENT_DESC. Owned by this. */
	GByteArray *events;
};

/* ---- Bytes ---- */

static void write_at(struct itp_recorder_output *output, const void *bytes, size_t size,
		     uint64_t place)
{
	const uint8_t *next = bytes;

	while (size > 0 && output->failure == 0) {
		const ssize_t done = output->is_stream ?
					     write(output->file, next, size) :
					     pwrite(output->file, next, size, (off_t)place);

		if (done < 0 && errno != EINTR) {
			output->failure = errno;
		} else if (done > 0) {
			next += done;
			place += (uint64_t)done;
			size -= (size_t)done;
		}
	}
}

static void append(struct itp_recorder_output *output, const void *bytes, size_t size)
{
	write_at(output, bytes, size, output->place);
	output->place += size;
}

static void add(GByteArray *data, const void *bytes, size_t size)
{
	g_byte_array_append(data, bytes, (guint)size);
}

static void add_u32(GByteArray *data, uint32_t number)
{
	add(data, &number, sizeof(number));
}

static void add_u64(GByteArray *data, uint64_t number)
{
	add(data, &number, sizeof(number));
}

static void add_text(GByteArray *data, const char *text)
{
	const size_t size = (strlen(text) + TEXT_BYTES) / TEXT_BYTES * TEXT_BYTES;
	g_autofree char *padded = g_malloc0(size);

	g_strlcpy(padded, text, size);
	add_u32(data, (uint32_t)size);
	add(data, padded, size);
}

/* ---- Events ---- */

static void add_event(GByteArray *data, const struct itp_recorder_output_event *event)
{
	add(data, event->attr, sizeof(*event->attr));
	add_u32(data, event->ids->len);
	add_text(data, event->name);
	add(data, event->ids->data, event->ids->len * sizeof(uint64_t));
}

/* Makes the content of EVENT_DESC. Owned by the caller. */
static GByteArray *describe_events(const struct itp_recorder_output_event *events,
				   guint event_count)
{
	GByteArray *data = g_byte_array_new();

	add_u32(data, event_count);
	add_u32(data, sizeof(struct perf_event_attr));
	for (guint i = 0; i < event_count; i++) {
		add_event(data, &events[i]);
	}
	return data;
}

/* Place of the attributes, behind the header and the ids of events. Behind each attribute stands
 * the place of its ids. */
static struct section attrs_of(const struct itp_recorder_output_event *events, guint event_count)
{
	struct section attrs = { .offset = HEADER_BYTES };

	for (guint i = 0; i < event_count; i++) {
		attrs.offset += events[i].ids->len * sizeof(uint64_t);
	}
	attrs.size = event_count * (sizeof(struct perf_event_attr) + sizeof(struct section));
	return attrs;
}

/* Moves an existing recording aside, as perf does: perf.data to perf.data.old. */
static void keep_older(const char *path)
{
	g_autofree char *older = g_strconcat(path, ".old", NULL);
	struct stat status;

	if (lstat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
		(void)g_rename(path, older);
	}
}

void itp_recorder_output_free(struct itp_recorder_output *output)
{
	if (!output) {
		return;
	}
	close(output->file);
	ZSTD_freeCStream(output->zstd);
	g_byte_array_unref(output->events);
	g_free(output);
}

/* ---- Records ---- */

/* Packs the gathered records into a record of type ITP_RECORD_COMPRESSED. */
static void flush(struct itp_recorder_output *output)
{
	uint8_t packed[UNPACKED_BYTES];
	struct perf_event_header header = { .type = ITP_RECORD_COMPRESSED };
	ZSTD_inBuffer in = { .src = output->chunk, .size = output->chunk_bytes };
	ZSTD_outBuffer out = { .dst = packed + sizeof(header),
			       .size = UINT16_MAX - sizeof(header) };

	if (output->chunk_bytes == 0) {
		return;
	}
	if (ZSTD_isError(ZSTD_compressStream(output->zstd, &out, &in)) ||
	    ZSTD_flushStream(output->zstd, &out) != 0) {
		output->failure = output->failure ? output->failure : EIO;
		return;
	}
	header.size = (uint16_t)(sizeof(header) + out.pos);
	memcpy(packed, &header, sizeof(header));
	append(output, packed, header.size);
	output->unpacked_bytes += output->chunk_bytes;
	output->chunk_bytes = 0;
}

void itp_recorder_output_write(struct itp_recorder_output *output, const void *record)
{
	struct perf_event_header header;

	memcpy(&header, record, sizeof(header));
	output->has_records = true;
	if (output->chunk_bytes + header.size > sizeof(output->chunk)) {
		flush(output);
	}
	if (header.size > sizeof(output->chunk)) {
		append(output, record, header.size);
		return;
	}
	memcpy(output->chunk + output->chunk_bytes, record, header.size);
	output->chunk_bytes += header.size;
}

void itp_recorder_output_end_round(struct itp_recorder_output *output)
{
	const struct perf_event_header round = { .type = ITP_RECORD_FINISHED_ROUND,
						 .size = sizeof(round) };

	if (output->has_records) {
		flush(output);
		append(output, &round, sizeof(round));
		output->has_records = false;
	}
}

bool itp_recorder_output_has_failed(const struct itp_recorder_output *output)
{
	return output->failure != 0;
}

/* ---- Features ---- */

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static void add_clock(GByteArray *data)
{
	const uint32_t version = 1;

	add_u32(data, version);
	add_u32(data, CLOCK_MONOTONIC);
	add_u64(data, now_ns(CLOCK_REALTIME));
	add_u64(data, now_ns(CLOCK_MONOTONIC));
}

static void add_command(GByteArray *data, char *const *command)
{
	add_u32(data, g_strv_length((char **)command));
	for (guint i = 0; command[i]; i++) {
		add_text(data, command[i]);
	}
}

static void add_packing(const struct itp_recorder_output *output, GByteArray *data)
{
	const uint64_t packed = MAX(output->place - output->data_begin, 1);

	add_u32(data, 1);
	add_u32(data, ZSTD_TYPE);
	add_u32(data, LEVEL);
	add_u32(data, (uint32_t)(output->unpacked_bytes / packed));
	add_u32(data, UNPACKED_BYTES);
}

/* Content of a feature, owned by the caller; NULL for a feature left out. */
static GByteArray *make_feature(const struct itp_recorder_output *output, guint feature,
				char *const *command)
{
	GByteArray *data = g_byte_array_new();
	struct utsname names = { 0 };

	uname(&names);
	switch (feature) {
	case ITP_FEATURE_TRACING_DATA:
		g_byte_array_unref(data);
		return itp_recorder_tracing_data();
	case ITP_FEATURE_HOSTNAME:
		add_text(data, names.nodename);
		return data;
	case ITP_FEATURE_OS_RELEASE:
		add_text(data, names.release);
		return data;
	case ITP_FEATURE_VERSION:
		add_text(data, "introperf " PACKAGE_VERSION);
		return data;
	case ITP_FEATURE_ARCH:
		add_text(data, names.machine);
		return data;
	case FEATURE_CPU_COUNT:
		add_u32(data, (uint32_t)sysconf(_SC_NPROCESSORS_CONF));
		add_u32(data, (uint32_t)sysconf(_SC_NPROCESSORS_ONLN));
		return data;
	case ITP_FEATURE_COMMAND_LINE:
		add_command(data, command);
		return data;
	case ITP_FEATURE_EVENTS:
		add(data, output->events->data, output->events->len);
		return data;
	case FEATURE_CLOCK_ID:
		add_u64(data, 1);
		return data;
	case FEATURE_COMPRESSED:
		add_packing(output, data);
		return data;
	case ITP_FEATURE_CLOCK_DATA:
		add_clock(data);
		return data;
	default:
		g_byte_array_unref(data);
		return NULL;
	}
}

/* Writes places of the features, then the features. Returns bits of the written features. */
static uint64_t write_features(struct itp_recorder_output *output, char *const *command)
{
	g_autoptr(GPtrArray) list =
		g_ptr_array_new_with_free_func((GDestroyNotify)g_byte_array_unref);
	struct section section;
	uint64_t bits = 0;

	for (guint i = 0; i < FEATURES; i++) {
		GByteArray *data = make_feature(output, i, command);

		if (data) {
			bits |= UINT64_C(1) << i;
			g_ptr_array_add(list, data);
		}
	}
	section.offset = output->place + list->len * sizeof(section);
	for (guint i = 0; i < list->len; i++) {
		section.size = ((const GByteArray *)g_ptr_array_index(list, i))->len;
		append(output, &section, sizeof(section));
		section.offset += section.size;
	}
	for (guint i = 0; i < list->len; i++) {
		const GByteArray *data = g_ptr_array_index(list, i);

		append(output, data->data, data->len);
	}
	return bits;
}

/* ---- The beginning ---- */

/* Writes the features as at the end, for a recorder killed before. Returns their place. */
static struct section write_early_features(struct itp_recorder_output *output, char *const *command)
{
	const uint64_t magic = ITP_PERF_EARLY_MAGIC;
	struct section early = { .offset = output->place };
	uint64_t bits = 0;

	append(output, &magic, sizeof(magic));
	append(output, &bits, sizeof(bits));
	bits = write_features(output, command);
	write_at(output, &bits, sizeof(bits), early.offset + sizeof(magic));
	early.size = output->place - early.offset;
	return early;
}

/* Writes the header; size of the records and bits of the features are 0 until the end. */
static void write_header(struct itp_recorder_output *output, const struct section *attrs,
			 const struct section *early)
{
	g_autoptr(GByteArray) header = g_byte_array_new();

	add(header, MAGIC, strlen(MAGIC));
	add_u64(header, HEADER_BYTES);
	add_u64(header, sizeof(struct perf_event_attr) + sizeof(struct section));
	add(header, attrs, sizeof(*attrs));
	add_u64(header, output->data_begin);
	add_u64(header, 0);
	/* Section of event types in recordings of old kernels. */
	add(header, early, sizeof(*early));
	add(header, (const uint64_t[4]){ 0 }, 4 * sizeof(uint64_t));
	write_at(output, header->data, header->len, 0);
}

static void write_head(struct itp_recorder_output *output,
		       const struct itp_recorder_output_event *events, guint event_count,
		       char *const *command)
{
	const struct section attrs = attrs_of(events, event_count);
	struct section ids = { .offset = HEADER_BYTES };
	struct section early;
	g_autoptr(GByteArray) list = g_byte_array_new();

	output->place = HEADER_BYTES;
	for (guint i = 0; i < event_count; i++) {
		ids.size = events[i].ids->len * sizeof(uint64_t);
		append(output, events[i].ids->data, ids.size);
		add(list, events[i].attr, sizeof(*events[i].attr));
		add(list, &ids, sizeof(ids));
		ids.offset += ids.size;
	}
	append(output, list->data, list->len);
	early = write_early_features(output, command);
	output->data_begin = output->place;
	write_header(output, &attrs, &early);
}

/* ---- The beginning of a stream ---- */

/* Appends a record of this type, padded to whole words. */
static void append_record(struct itp_recorder_output *output, uint32_t type, GByteArray *body)
{
	struct perf_event_header header = { .type = type };
	const uint64_t padding = 0;

	add(body, &padding, -body->len % sizeof(padding));
	header.size = (uint16_t)(sizeof(header) + body->len);
	append(output, &header, sizeof(header));
	append(output, body->data, body->len);
}

/* Formats of tracepoints have no room in a record: they follow it. */
static void append_tracing_data(struct itp_recorder_output *output)
{
	g_autoptr(GByteArray) data = itp_recorder_tracing_data();
	const uint64_t padding = 0;
	struct {
		struct perf_event_header header;
		uint32_t size;
	} record = { .header = { .type = ITP_RECORD_TRACING_DATA, .size = sizeof(record) } };

	add(data, &padding, -data->len % sizeof(padding));
	record.size = data->len;
	append(output, &record, sizeof(record));
	append(output, data->data, data->len);
}

/* A feature without room in a record is left out, as the words of a very long command. */
static void append_feature(struct itp_recorder_output *output, uint64_t feature,
			   char *const *command)
{
	g_autoptr(GByteArray) content = make_feature(output, (guint)feature, command);
	g_autoptr(GByteArray) body = g_byte_array_new();

	if (content && content->len <= MOST_FEATURE_BYTES) {
		add_u64(body, feature);
		add(body, content->data, content->len);
		append_record(output, ITP_RECORD_FEATURE, body);
	}
}

static void write_stream_head(struct itp_recorder_output *output,
			      const struct itp_recorder_output_event *events, guint event_count,
			      char *const *command)
{
	const uint64_t header_bytes = STREAM_HEADER_BYTES;

	append(output, MAGIC, strlen(MAGIC));
	append(output, &header_bytes, sizeof(header_bytes));
	for (guint i = 0; i < event_count; i++) {
		g_autoptr(GByteArray) body = g_byte_array_new();

		add(body, events[i].attr, sizeof(*events[i].attr));
		add(body, events[i].ids->data, events[i].ids->len * sizeof(uint64_t));
		append_record(output, ITP_RECORD_ATTR, body);
	}
	for (guint i = 0; i < FEATURES; i++) {
		if (i != ITP_FEATURE_TRACING_DATA) {
			append_feature(output, i, command);
		}
	}
	append_tracing_data(output);
}

/* ---- The beginning of both ---- */

/* Descriptor, owned by the caller; negative after an error. */
static int open_output(const char *path, bool is_stream)
{
	if (is_stream) {
		return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	}
	keep_older(path);
	return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

struct itp_recorder_output *itp_recorder_output_new(const char *path,
						    const struct itp_recorder_output_event *events,
						    guint event_count, char *const *command,
						    GError **error)
{
	const bool is_stream = g_str_equal(path, ITP_RECORDER_STREAM);
	struct itp_recorder_output *output;
	int file = open_output(path, is_stream);

	if (file < 0) {
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno), "%s: %s", path,
			    g_strerror(errno));
		return NULL;
	}
	output = g_new0(struct itp_recorder_output, 1);
	output->file = file;
	output->is_stream = is_stream;
	output->events = describe_events(events, event_count);
	output->zstd = ZSTD_createCStream();
	ZSTD_initCStream(output->zstd, LEVEL);
	if (is_stream) {
		write_stream_head(output, events, event_count, command);
	} else {
		write_head(output, events, event_count, command);
	}
	return output;
}

/* ---- The end ---- */

/* Writes the features, and completes the header. */
static void finish_file(struct itp_recorder_output *output, char *const *command)
{
	const uint64_t data_bytes = output->place - output->data_begin;
	const uint64_t bits = write_features(output, command);

	write_at(output, &data_bytes, sizeof(data_bytes), DATA_BYTES_PLACE);
	write_at(output, &bits, sizeof(bits), FEATURES_PLACE);
}

bool itp_recorder_output_finish(struct itp_recorder_output *output, char *const *command,
				GError **error)
{
	itp_recorder_output_end_round(output);
	if (!output->is_stream) {
		finish_file(output, command);
	}
	if (output->failure != 0) {
		g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(output->failure), "%s",
			    g_strerror(output->failure));
		return false;
	}
	return true;
}

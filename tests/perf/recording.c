/* SPDX-License-Identifier: MIT */
/*
 * Writes the layout that common/perf-data reads: header, ids, attributes, records, features.
 *
 * Built from perf_event_open(2) and perf's description of the file format, not from the reader.
 */
#include "tests/perf/recording.h"

#include <glib/gstdio.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#define HEADER_BYTES 104
#define PIPE_HEADER_BYTES 16
#define TRACING_DATA_BIT 1

/* The user part of a stack, newer than some headers. */
#define RECORDING_DEFERRED 22

/* Records of the pipe layout. */
#define RECORDING_ATTR 64
#define RECORDING_TRACING_DATA 66
#define RECORDING_FEATURE 80

enum usual_attr {
	ATTR_SYS_ENTER,
	ATTR_SYS_EXIT,
	ATTR_SWITCH,
	ATTR_WAKEUP,
	ATTR_TICK,
};

static void put(GByteArray *bytes, const void *data, gsize size)
{
	g_byte_array_append(bytes, data, (guint)size);
}

static void put_u32(GByteArray *bytes, guint32 value)
{
	put(bytes, &value, sizeof(value));
}

static void put_u64(GByteArray *bytes, guint64 value)
{
	put(bytes, &value, sizeof(value));
}

/* Zeros up to a multiple of 8. */
static void pad(GByteArray *bytes)
{
	static const guint8 zeros[8];

	put(bytes, zeros, -bytes->len % sizeof(zeros));
}

struct recording *recording_new(void)
{
	struct recording *recording = g_new0(struct recording, 1);

	recording->attrs = g_array_new(FALSE, TRUE, sizeof(struct perf_event_attr));
	recording->data = g_byte_array_new();
	return recording;
}

static void remove_file(struct recording *recording)
{
	if (recording->path) {
		g_unlink(recording->path);
		g_clear_pointer(&recording->path, g_free);
	}
}

void recording_free(struct recording *recording)
{
	remove_file(recording);
	g_array_free(recording->attrs, TRUE);
	g_byte_array_free(recording->data, TRUE);
	for (guint i = 0; i < G_N_ELEMENTS(recording->features); i++) {
		if (recording->features[i]) {
			g_byte_array_free(recording->features[i], TRUE);
		}
	}
	g_free(recording);
}

guint recording_add_attr(struct recording *recording, guint32 type, guint64 config,
			 guint64 sample_type)
{
	const struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = config,
		.sample_type = sample_type,
		.inherit = 1,
		.sample_id_all = 1,
	};

	g_array_append_val(recording->attrs, attr);
	return recording->attrs->len - 1;
}

static void put_text(GByteArray *bytes, const char *text)
{
	put_u64(bytes, strlen(text));
	put(bytes, text, strlen(text));
}

static void put_format(GByteArray *bytes, const char *name, guint id, const char *fields)
{
	g_autofree char *text = g_strdup_printf(
		"name: %s\nID: %u\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		"%s\nprint fmt: \"%%d\", REC->common_pid\n",
		name, id, fields);

	put_text(bytes, text);
}

void recording_add_formats(struct recording *recording)
{
	static const char preamble[] = "\027\010\104tracing0.6\0\0\010\0\020\0\0header_page";
	const char *syscall = "\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n";
	GByteArray *bytes = g_byte_array_new();

	put(bytes, preamble, sizeof(preamble));
	put_text(bytes, "page");
	put(bytes, "header_event", sizeof("header_event"));
	put_text(bytes, "event");
	put_u32(bytes, 0);
	put_u32(bytes, 2);
	put(bytes, "raw_syscalls", sizeof("raw_syscalls"));
	put_u32(bytes, 2);
	put_format(bytes, "sys_enter", RECORDING_SYS_ENTER, syscall);
	put_format(bytes, "sys_exit", RECORDING_SYS_EXIT,
		   "\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
		   "\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n");
	put(bytes, "sched", sizeof("sched"));
	put_u32(bytes, 2);
	put_format(bytes, "sched_switch", RECORDING_SWITCH,
		   "\tfield:long prev_state;\toffset:8;\tsize:8;\tsigned:1;\n"
		   "\tfield:char next_comm[16];\toffset:16;\tsize:16;\tsigned:0;\n"
		   "\tfield:pid_t next_pid;\toffset:32;\tsize:4;\tsigned:1;\n");
	put_format(bytes, "sched_wakeup", RECORDING_WAKEUP,
		   "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
		   "\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n");
	recording->features[TRACING_DATA_BIT] = bytes;
}

void recording_add_usual(struct recording *recording)
{
	for (guint id = RECORDING_SYS_ENTER; id <= RECORDING_WAKEUP; id++) {
		recording_add_attr(recording, PERF_TYPE_TRACEPOINT, id, RECORDING_SAMPLE_TYPE);
	}
	/* Timers have other fields. */
	recording_add_attr(recording, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK,
			   RECORDING_SAMPLE_TYPE & ~(PERF_SAMPLE_RAW | PERF_SAMPLE_CPU));
	recording_add_formats(recording);
}

void recording_add_string(struct recording *recording, guint bit, const char *text)
{
	GByteArray *bytes = g_byte_array_new();

	put_u32(bytes, (guint32)strlen(text) + 1);
	put(bytes, text, strlen(text) + 1);
	recording->features[bit] = bytes;
}

void recording_disinherit(struct recording *recording)
{
	for (guint i = 0; i < recording->attrs->len; i++) {
		g_array_index(recording->attrs, struct perf_event_attr, i).inherit = 0;
	}
}

void recording_defer(struct recording *recording)
{
	/* The flags are the 64 bits behind the read format; headers have no name for this one. */
	const gsize offset = offsetof(struct perf_event_attr, read_format) + sizeof(guint64);

	for (guint i = 0; i < recording->attrs->len; i++) {
		char *attr = (char *)&g_array_index(recording->attrs, struct perf_event_attr, i);
		guint64 flags;

		memcpy(&flags, attr + offset, sizeof(flags));
		flags |= UINT64_C(1) << 38;
		memcpy(attr + offset, &flags, sizeof(flags));
	}
}

void recording_raw(struct recording *recording, guint32 type, guint16 misc, const void *body,
		   gsize size)
{
	const struct perf_event_header header = { .type = type,
						  .misc = misc,
						  .size = (guint16)(sizeof(header) + size) };

	put(recording->data, &header, sizeof(header));
	put(recording->data, body, size);
}

/* The trailer of the first attribute: TID, TIME, CPU, IDENTIFIER. Frees `body`. */
static void add_with_trailer(struct recording *recording, guint32 type, guint16 misc,
			     GByteArray *body, const struct recording_stamp *stamp)
{
	pad(body);
	put_u32(body, (guint32)stamp->pid);
	put_u32(body, (guint32)stamp->tid);
	put_u64(body, stamp->time);
	put_u64(body, 0);
	put_u64(body, stamp->time > 0 ? RECORDING_ID(0) : 0);
	recording_raw(recording, type, misc, body->data, body->len);
	g_byte_array_free(body, TRUE);
}

static GByteArray *begin_body(const struct recording_stamp *stamp)
{
	GByteArray *body = g_byte_array_new();

	put_u32(body, (guint32)stamp->pid);
	put_u32(body, (guint32)stamp->tid);
	return body;
}

void recording_comm(struct recording *recording, const struct recording_stamp *stamp,
		    const char *comm, gboolean is_exec)
{
	GByteArray *body = begin_body(stamp);

	put(body, comm, strlen(comm) + 1);
	add_with_trailer(recording, PERF_RECORD_COMM, is_exec ? PERF_RECORD_MISC_COMM_EXEC : 0,
			 body, stamp);
}

static GByteArray *task_body(const struct recording_stamp *parent, gint32 pid, gint32 tid)
{
	GByteArray *body = g_byte_array_new();

	put_u32(body, (guint32)pid);
	put_u32(body, (guint32)parent->pid);
	put_u32(body, (guint32)tid);
	put_u32(body, (guint32)parent->tid);
	put_u64(body, parent->time);
	return body;
}

void recording_fork(struct recording *recording, const struct recording_stamp *parent, gint32 pid,
		    gint32 tid)
{
	add_with_trailer(recording, PERF_RECORD_FORK, 0, task_body(parent, pid, tid), parent);
}

void recording_exit(struct recording *recording, const struct recording_stamp *stamp)
{
	add_with_trailer(recording, PERF_RECORD_EXIT, 0, task_body(stamp, stamp->pid, stamp->tid),
			 stamp);
}

static void add_mmap(struct recording *recording, const struct recording_stamp *stamp, guint16 misc,
		     const guint64 place[3], const char *path)
{
	GByteArray *body = begin_body(stamp);

	for (int i = 0; i < 3; i++) {
		put_u64(body, place[i]);
	}
	put(body, path, strlen(path) + 1);
	add_with_trailer(recording, PERF_RECORD_MMAP, misc, body, stamp);
}

void recording_mmap(struct recording *recording, const struct recording_stamp *stamp, guint64 start,
		    guint64 length, const char *path)
{
	const guint64 place[] = { start, length, 0x1000 };

	add_mmap(recording, stamp, PERF_RECORD_MISC_USER, place, path);
}

void recording_kernel_mmap(struct recording *recording, guint64 start, guint64 length,
			   const char *path)
{
	const guint64 place[] = { start, length, 0 };

	add_mmap(recording, &(struct recording_stamp){ .pid = -1 }, PERF_RECORD_MISC_KERNEL, place,
		 path);
}

void recording_kernel_symbol(struct recording *recording, guint64 time, guint64 start,
			     guint32 length, guint16 type, guint16 flags, const char *name)
{
	GByteArray *body = g_byte_array_new();

	put_u64(body, start);
	put_u32(body, length);
	put_u32(body, (guint32)flags << 16 | type);
	put(body, name, strlen(name) + 1);
	add_with_trailer(recording, PERF_RECORD_KSYMBOL, 0, body,
			 &(struct recording_stamp){ .time = time });
}

void recording_lost(struct recording *recording, const struct recording_stamp *stamp, guint64 count)
{
	GByteArray *body = g_byte_array_new();

	put_u64(body, RECORDING_ID(0));
	put_u64(body, count);
	add_with_trailer(recording, PERF_RECORD_LOST, 0, body, stamp);
}

void recording_switch(struct recording *recording, const struct recording_stamp *stamp,
		      guint16 misc)
{
	add_with_trailer(recording, PERF_RECORD_SWITCH, misc, g_byte_array_new(), stamp);
}

void recording_round(struct recording *recording)
{
	recording_raw(recording, 68, 0, NULL, 0);
}

static guint64 chain_length(const guint64 *chain)
{
	guint64 count = 0;

	while (chain[count] != 0) {
		count++;
	}
	return count;
}

static void put_chain(GByteArray *body, const guint64 *chain)
{
	guint64 count = chain_length(chain);

	put_u64(body, count);
	put(body, chain, count * sizeof(chain[0]));
}

void recording_deferred(struct recording *recording, const struct recording_stamp *stamp,
			guint64 cookie, const guint64 *chain)
{
	GByteArray *body = g_byte_array_new();

	put_u64(body, cookie);
	put_chain(body, chain);
	add_with_trailer(recording, RECORDING_DEFERRED, PERF_RECORD_MISC_USER, body, stamp);
}

void recording_sample(struct recording *recording, guint attr, const struct recording_stamp *stamp,
		      const guint64 *chain, const void *raw, gsize raw_size)
{
	guint64 type = g_array_index(recording->attrs, struct perf_event_attr, attr).sample_type;
	GByteArray *body = g_byte_array_new();

	put_u64(body, RECORDING_ID(attr));
	put_u64(body, 0x1234);
	put_u32(body, (guint32)stamp->pid);
	put_u32(body, (guint32)stamp->tid);
	put_u64(body, stamp->time);
	if (type & PERF_SAMPLE_CPU) {
		put_u64(body, 1);
	}
	if (type & PERF_SAMPLE_CALLCHAIN) {
		put_chain(body, chain);
	}
	if (type & PERF_SAMPLE_RAW) {
		put_u32(body, (guint32)raw_size);
		put(body, raw, raw_size);
		pad(body);
	}
	recording_raw(recording, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, body->data,
		      body->len);
	g_byte_array_free(body, TRUE);
}

/* What all tracepoints begin with: type and thread. */
static GByteArray *begin_fields(const struct recording_stamp *stamp)
{
	GByteArray *fields = g_byte_array_new();

	put_u32(fields, 0);
	put_u32(fields, (guint32)stamp->tid);
	return fields;
}

static void add_tracepoint(struct recording *recording, guint attr,
			   const struct recording_stamp *stamp, const guint64 *chain,
			   GByteArray *fields)
{
	recording_sample(recording, attr, stamp, chain, fields->data, fields->len);
	g_byte_array_free(fields, TRUE);
}

void recording_syscall(struct recording *recording, const struct recording_stamp *stamp,
		       gboolean is_exit, gint64 number, const guint64 *chain)
{
	GByteArray *fields = begin_fields(stamp);

	put_u64(fields, (guint64)number);
	if (is_exit) {
		put_u64(fields, 0);
	}
	add_tracepoint(recording, is_exit ? ATTR_SYS_EXIT : ATTR_SYS_ENTER, stamp, chain, fields);
}

void recording_switch_sample(struct recording *recording, const struct recording_stamp *stamp,
			     gint64 state, gint32 next, const guint64 *chain)
{
	static const char comm[16] = "next";
	GByteArray *fields = begin_fields(stamp);

	put_u64(fields, (guint64)state);
	put(fields, comm, sizeof(comm));
	put_u32(fields, (guint32)next);
	add_tracepoint(recording, ATTR_SWITCH, stamp, chain, fields);
}

void recording_wakeup(struct recording *recording, const struct recording_stamp *stamp,
		      gint32 woken, const char *comm, const guint64 *chain)
{
	char name[16] = { 0 };
	GByteArray *fields = begin_fields(stamp);

	(void)g_strlcpy(name, comm, sizeof(name));
	put(fields, name, sizeof(name));
	put_u32(fields, (guint32)woken);
	add_tracepoint(recording, ATTR_WAKEUP, stamp, chain, fields);
}

void recording_tick(struct recording *recording, const struct recording_stamp *stamp,
		    const guint64 *chain)
{
	recording_sample(recording, ATTR_TICK, stamp, chain, NULL, 0);
}

static void add_compressed(struct recording *recording, guint32 type, const void *data, gsize size)
{
	g_autoptr(GByteArray) body = g_byte_array_new();

	if (type == RECORDING_COMPRESSED2) {
		put_u64(body, size);
	}
	put(body, data, size);
	if (type == RECORDING_COMPRESSED2) {
		pad(body);
	}
	recording_raw(recording, type, 0, body->data, body->len);
}

void recording_compress(struct recording *recording, guint32 type, gsize piece)
{
	g_autoptr(GByteArray) plain = recording->data;
	ZSTD_CCtx *context = ZSTD_createCCtx();
	guint8 room[8192];

	recording->data = g_byte_array_new();
	for (gsize begin = 0; begin < plain->len; begin += piece) {
		ZSTD_inBuffer in = { plain->data + begin, MIN(piece, plain->len - begin), 0 };
		gsize left;

		do {
			ZSTD_outBuffer out = { room, sizeof(room), 0 };

			left = ZSTD_compressStream2(context, &out, &in, ZSTD_e_flush);
			g_assert_false(ZSTD_isError(left));
			add_compressed(recording, type, room, out.pos);
		} while (left > 0 || in.pos < in.size);
	}
	ZSTD_freeCCtx(context);
}

void recording_compress_begin(struct recording *recording)
{
	g_autoptr(GByteArray) plain = recording->data;
	ZSTD_CCtx *context = ZSTD_createCCtx();
	ZSTD_inBuffer in = { plain->data, plain->len, 0 };
	guint8 room[G_MAXUINT16 - sizeof(struct perf_event_header)];
	ZSTD_outBuffer out = { room, sizeof(room), 0 };

	recording->data = g_byte_array_new();
	g_assert_cmpuint(ZSTD_compressStream2(context, &out, &in, ZSTD_e_flush), >, 0);
	g_assert_cmpuint(out.pos, ==, sizeof(room));
	add_compressed(recording, RECORDING_COMPRESSED, room, out.pos);
	ZSTD_freeCCtx(context);
}

static void put_header(GByteArray *file, const struct recording *recording)
{
	const gsize entry = sizeof(struct perf_event_attr) + 2 * sizeof(guint64);
	const guint64 ids = recording->attrs->len * sizeof(guint64);
	const guint64 attrs = recording->attrs->len * entry;
	guint64 bits[4] = { 0 };

	for (guint i = 0; i < G_N_ELEMENTS(recording->features); i++) {
		bits[i / 64] |= (guint64)(recording->features[i] != NULL) << (i % 64);
	}
	put(file, "PERFILE2", 8);
	put_u64(file, HEADER_BYTES);
	put_u64(file, entry);
	put_u64(file, HEADER_BYTES + ids);
	put_u64(file, attrs);
	put_u64(file, HEADER_BYTES + ids + attrs);
	put_u64(file, recording->data->len);
	put_u64(file, 0);
	put_u64(file, 0);
	put(file, bits, sizeof(bits));
}

static void put_features(GByteArray *file, const struct recording *recording)
{
	guint64 offset = file->len;

	for (guint i = 0; i < G_N_ELEMENTS(recording->features); i++) {
		offset += recording->features[i] ? 16 : 0;
	}
	for (guint i = 0; i < G_N_ELEMENTS(recording->features); i++) {
		if (recording->features[i]) {
			put_u64(file, offset);
			put_u64(file, recording->features[i]->len);
			offset += recording->features[i]->len;
		}
	}
	for (guint i = 0; i < G_N_ELEMENTS(recording->features); i++) {
		if (recording->features[i]) {
			put(file, recording->features[i]->data, recording->features[i]->len);
		}
	}
}

GByteArray *recording_image(const struct recording *recording)
{
	GByteArray *file = g_byte_array_new();

	put_header(file, recording);
	for (guint i = 0; i < recording->attrs->len; i++) {
		put_u64(file, RECORDING_ID(i));
	}
	for (guint i = 0; i < recording->attrs->len; i++) {
		put(file, &g_array_index(recording->attrs, struct perf_event_attr, i),
		    sizeof(struct perf_event_attr));
		put_u64(file, HEADER_BYTES + i * sizeof(guint64));
		put_u64(file, sizeof(guint64));
	}
	put(file, recording->data->data, recording->data->len);
	put_features(file, recording);
	return file;
}

static void put_record(GByteArray *file, guint32 type, const GByteArray *body)
{
	const struct perf_event_header header = { .type = type,
						  .size = (guint16)(sizeof(header) + body->len) };

	put(file, &header, sizeof(header));
	put(file, body->data, body->len);
}

static void put_pipe_feature(GByteArray *file, guint bit, const GByteArray *contents)
{
	g_autoptr(GByteArray) body = g_byte_array_new();
	g_autoptr(GByteArray) rest = g_byte_array_new();

	if (bit == TRACING_DATA_BIT) {
		put(rest, contents->data, contents->len);
		pad(rest);
		put_u32(body, rest->len);
		put_record(file, RECORDING_TRACING_DATA, body);
		put(file, rest->data, rest->len);
	} else {
		put_u64(body, bit);
		put(body, contents->data, contents->len);
		put_record(file, RECORDING_FEATURE, body);
	}
}

GByteArray *recording_pipe_image(const struct recording *recording)
{
	GByteArray *file = g_byte_array_new();

	put(file, "PERFILE2", 8);
	put_u64(file, PIPE_HEADER_BYTES);
	for (guint i = 0; i < recording->attrs->len; i++) {
		g_autoptr(GByteArray) body = g_byte_array_new();

		put(body, &g_array_index(recording->attrs, struct perf_event_attr, i),
		    sizeof(struct perf_event_attr));
		put_u64(body, RECORDING_ID(i));
		put_record(file, RECORDING_ATTR, body);
	}
	for (guint i = 0; i < G_N_ELEMENTS(recording->features); i++) {
		if (recording->features[i]) {
			put_pipe_feature(file, i, recording->features[i]);
		}
	}
	put(file, recording->data->data, recording->data->len);
	return file;
}

char *recording_write_bytes(const void *bytes, gsize size)
{
	char *path = NULL;
	int fd = g_file_open_tmp("introperf-XXXXXX.data", &path, NULL);

	g_assert_cmpint(fd, >=, 0);
	g_assert_true(write(fd, bytes, size) == (gssize)size);
	close(fd);
	return path;
}

const char *recording_write(struct recording *recording)
{
	g_autoptr(GByteArray) image = recording_image(recording);

	remove_file(recording);
	recording->path = recording_write_bytes(image->data, image->len);
	return recording->path;
}

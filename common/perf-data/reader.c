/* SPDX-License-Identifier: MIT */
/*
 * The reader: opens a recording and hands out its events.
 *
 * The end of a recording is judged here: clean, cut off, or in a contradiction. Everything
 * understood until then is handed out first.
 */
#include "common/perf-data/reader.h"

#include "common/base/input-file.h"
#include "common/perf-data/directory.h"
#include "common/perf-data/feature.h"
#include "common/perf-data/merge.h"
#include "common/perf-data/speeds.h"
#include "common/perf-data/translator.h"

#include <errno.h>
#include <unistd.h>

struct itp_perf_reader {
	struct itp_perf_file file;
	struct itp_perf_merge merge;
	struct itp_translator translator;
	/* Next event of the translator's queue. */
	size_t next;
	/* 1 while records are read, then 0 or an error. */
	int state;
	/* Events of the end are in the queue. */
	bool is_ended;
	/* Measurements still to be told. */
	struct itp_perf_speeds speeds;
	/* Time of the last event; 0 before the first. */
	int64_t told_ns;
	/* Place of the error: the file, and the offset in it. Weak. */
	const struct itp_perf_file *failed;
	uint64_t offset;
	/* Members are owned by this. */
	struct itp_perf_description description;
	char *strings[6];
};

/* Kind of call graph, in the spelling of perf record's option. */
static const char *call_graph(const struct itp_perf_file *file)
{
	for (guint i = 0; i < file->attrs->len; i++) {
		const struct itp_perf_attr *attr = itp_perf_file_attr(file, i);

		if ((attr->sample_type & PERF_SAMPLE_STACK_USER) || attr->is_unwound) {
			return "dwarf";
		}
	}
	return "fp";
}

static void describe_recording(struct itp_perf_reader *reader)
{
	const struct itp_perf_file *file = &reader->file;

	reader->strings[0] = itp_perf_feature_string(file, ITP_FEATURE_HOSTNAME);
	reader->strings[1] = itp_perf_feature_string(file, ITP_FEATURE_OS_RELEASE);
	reader->strings[2] = itp_perf_feature_string(file, ITP_FEATURE_ARCH);
	reader->strings[3] = itp_perf_feature_string(file, ITP_FEATURE_VERSION);
	reader->strings[4] = itp_perf_feature_strings(file, ITP_FEATURE_COMMAND_LINE);
	reader->strings[5] = itp_perf_feature_events(file);
	reader->description = (struct itp_perf_description){
		.hostname = reader->strings[0],
		.os_release = reader->strings[1],
		.arch = reader->strings[2],
		.perf_version = reader->strings[3],
		.command_line = reader->strings[4],
		.events = reader->strings[5],
		.call_graph = call_graph(file),
	};
	reader->description.has_epoch =
		itp_perf_feature_epoch(file, &reader->description.epoch_offset_ns);
}

/* Sets the code of the recorded kernel: from the user, or from perf beside the data. */
static int set_kernel_image(struct itp_perf_reader *reader, const char *path,
			    const struct itp_perf_options *options)
{
	struct itp_kernel *kernel = itp_symbolizer_kernel(reader->translator.symbolizer);
	g_autofree char *kcore = itp_perf_directory_kcore(path);

	if (options->kernel) {
		return itp_kernel_set_image(kernel, options->kernel);
	}
	return kcore ? itp_kernel_set_image(kernel, kcore) : 0;
}

struct itp_perf_reader *itp_perf_reader_new(const char *path,
					    const struct itp_perf_options *options,
					    struct itp_function_table *functions,
					    enum itp_error *ret_error)
{
	g_autofree char *part = NULL;

	return itp_perf_reader_open(path, options, functions, ret_error, &part);
}

struct itp_perf_reader *itp_perf_reader_open(const char *path,
					     const struct itp_perf_options *options,
					     struct itp_function_table *functions,
					     enum itp_error *ret_error, char **ret_part)
{
	struct itp_perf_reader *reader = g_new0(struct itp_perf_reader, 1);
	int error;

	*ret_part = NULL;
	error = options->grows ? itp_perf_file_init_growing(&reader->file, STDIN_FILENO) :
				 itp_perf_directory_open(&reader->file, path, ret_part);
	if (error != 0) {
		g_free(reader);
		*ret_error = (enum itp_error)error;
		return NULL;
	}
	error = itp_translator_init(&reader->translator, &reader->file, options, functions);
	if (error != 0 && reader->file.damage == 0) {
		reader->file.damage = error;
	}
	itp_perf_merge_init(&reader->merge, &reader->file, &reader->translator.counts);
	reader->failed = &reader->file;
	describe_recording(reader);
	reader->state = 1;
	error = set_kernel_image(reader, path, options);
	if (error != 0) {
		*ret_error = (enum itp_error)error;
		g_clear_pointer(&reader, itp_perf_reader_free);
	}
	return reader;
}

void itp_perf_reader_free(struct itp_perf_reader *reader)
{
	if (!reader) {
		return;
	}
	itp_perf_merge_release(&reader->merge);
	itp_translator_release(&reader->translator);
	itp_perf_file_release(&reader->file);
	for (size_t i = 0; i < G_N_ELEMENTS(reader->strings); i++) {
		g_free(reader->strings[i]);
	}
	g_free(reader);
}

/* Reads a record. Returns the reader's new state, or ITP_ERROR_AGAIN. */
static int read_record(struct itp_perf_reader *reader)
{
	struct itp_perf_record record;
	uint64_t time;
	int got = itp_perf_merge_next(&reader->merge, &record, &time);
	const struct itp_perf_order *order = itp_perf_merge_current(&reader->merge);

	if (got == ITP_ERROR_AGAIN) {
		return got;
	}
	reader->next = 0;
	reader->failed = order->file;
	if (got == 1) {
		int error = itp_translator_push(&reader->translator, &record, time);

		if (error == 0) {
			itp_translator_add_late(&reader->translator);
		}
		reader->offset = record.offset;
		return itp_perf_file_check(reader->failed, error != 0 ? error : 1);
	}
	reader->offset = order->records.last_offset;
	return itp_perf_file_check(reader->failed, got != 0 ? got : reader->file.damage);
}

static void end_reading(struct itp_perf_reader *reader)
{
	reader->is_ended = true;
	reader->speeds = itp_perf_speeds_of(&reader->file);
	reader->next = 0;
	itp_translator_finish(&reader->translator);
	if (reader->state == 0 && itp_symbolizer_has_changes(reader->translator.symbolizer)) {
		reader->state = ITP_ERROR_CODE_CHANGED;
	}
	if (reader->state < 0 || itp_perf_merge_is_cut(&reader->merge)) {
		itp_translator_add_loss(&reader->translator, ITP_LOSS_CUT);
	}
}

/* Tells a speed of the machine, known to the end of the recording: beside its last event, rather
 * than beside a later record without an event. */
static bool tell_speed(struct itp_perf_reader *reader)
{
	struct itp_event_queue *queue = &reader->translator.queue;
	struct itp_speed speed;

	if (!itp_perf_speeds_next(&reader->speeds, &speed)) {
		return false;
	}
	reader->next = 0;
	itp_event_queue_clear(queue);
	itp_event_queue_add_speed(queue, reader->told_ns, reader->speeds.meter, speed.computed_ns);
	return true;
}

int itp_perf_reader_next(struct itp_perf_reader *reader, struct itp_stack_event *ret_event)
{
	while (reader->next == reader->translator.queue.length) {
		if (reader->state == 1) {
			int state = read_record(reader);

			if (state == ITP_ERROR_AGAIN) {
				return state;
			}
			reader->state = state;
		}
		/* Events of a record with a fault in the middle do not count. */
		if (reader->state != 1) {
			if (!reader->is_ended) {
				end_reading(reader);
			} else if (!tell_speed(reader)) {
				return reader->state;
			}
		}
	}
	*ret_event = reader->translator.queue.events[reader->next++];
	reader->told_ns = ret_event->time_ns;
	return 1;
}

bool itp_perf_reader_pass(struct itp_perf_reader *reader, int64_t time_ns)
{
	return itp_perf_file_attr(&reader->file, 0)->is_monotonic &&
	       itp_perf_merge_pass(&reader->merge, (uint64_t)time_ns);
}

uint64_t itp_perf_reader_offset(const struct itp_perf_reader *reader)
{
	return reader->offset;
}

uint64_t itp_perf_reader_file_size(const struct itp_perf_reader *reader)
{
	return reader->failed->image.size;
}

const char *itp_perf_reader_part(const struct itp_perf_reader *reader)
{
	return reader->failed->part_name;
}

uint64_t itp_perf_reader_done_bytes(const struct itp_perf_reader *reader)
{
	return itp_perf_merge_done_bytes(&reader->merge);
}

uint64_t itp_perf_reader_total_bytes(const struct itp_perf_reader *reader)
{
	const GPtrArray *parts = reader->file.parts;
	uint64_t bytes = reader->file.image.size;

	for (guint i = 0; parts && i < parts->len; i++) {
		bytes += ((const struct itp_perf_file *)parts->pdata[i])->image.size;
	}
	return bytes;
}

uint32_t itp_perf_reader_watched(const struct itp_perf_reader *reader)
{
	return itp_translator_watched(&reader->translator);
}

bool itp_perf_reader_tells_containers(const struct itp_perf_reader *reader)
{
	return itp_translator_tells_containers(&reader->translator);
}

const struct itp_perf_description *itp_perf_reader_description(const struct itp_perf_reader *reader)
{
	return &reader->description;
}

const struct itp_perf_counts *itp_perf_reader_counts(const struct itp_perf_reader *reader)
{
	return &reader->translator.counts;
}

void itp_perf_reader_warnings(const struct itp_perf_reader *reader,
			      itp_symbol_warning_function function, void *data)
{
	itp_symbolizer_warnings(reader->translator.symbolizer, function, data);
}

bool itp_perf_reader_probe(const char *path)
{
	uint8_t magic[ITP_PERF_MAGIC_BYTES] = { 0 };
	g_autofree char *data = itp_perf_directory_data(path);
	int fd = itp_input_file_open(data);
	bool found;

	if (fd < 0) {
		return false;
	}
	found = read(fd, magic, sizeof(magic)) == sizeof(magic) && itp_perf_file_has_magic(magic);
	close(fd);
	return found;
}

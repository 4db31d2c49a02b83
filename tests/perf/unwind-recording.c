/* SPDX-License-Identifier: MIT */
/*
 * Samples keep a reference to their address space, so that it stays as it was. Modules are loaded
 * here already: how long that takes is not the unwinder's time.
 */
#include "tests/perf/unwind-recording.h"

#include "common/perf-data/order.h"
#include "common/perf-data/record-types.h"
#include "common/symbol/module.h"

#include <stdio.h>
#include <stdlib.h>

/* Behind pid and tid in PERF_RECORD_MMAP and MMAP2. */
#define MMAP_START 8

static void die(const char *path, int error)
{
	fprintf(stderr, "%s: %s\n", path, itp_error_text((enum itp_error)error));
	exit(1);
}

static void release_sample(gpointer data)
{
	struct recording_sample *sample = data;

	itp_address_space_unref(sample->space);
	g_free((gpointer)sample->user.registers.data);
	g_free((gpointer)sample->user.stack.data);
}

/* The reader forgets what it has read. */
static struct itp_bytes copy_of(const struct itp_bytes *bytes)
{
	return (struct itp_bytes){ .data = g_memdup2(bytes->data, bytes->size),
				   .size = bytes->size };
}

const struct recording_sample *recording_sample(const struct recording *recording, guint i)
{
	return &g_array_index(recording->samples, struct recording_sample, i);
}

static int add_sample(struct recording *recording, const struct itp_perf_record *record)
{
	struct itp_perf_sample fields;
	struct recording_sample sample;
	int error = itp_perf_record_sample(&recording->file, record, &fields);

	if (error != 0 || fields.stamp.tid <= 0 || !fields.user.is_present) {
		return error;
	}
	sample = (struct recording_sample){
		.tid = fields.stamp.tid,
		.time = fields.stamp.time,
		.attr = itp_perf_file_attr(&recording->file, fields.stamp.attr),
		.user = { .is_present = true,
			  .register_mask = fields.user.register_mask,
			  .registers = copy_of(&fields.user.registers),
			  .stack = copy_of(&fields.user.stack) },
		.space = itp_address_space_ref(itp_tasks_get(recording->translator.tasks,
							     fields.stamp.pid, fields.stamp.tid)
						       ->process->space),
	};
	g_array_append_val(recording->samples, sample);
	return 0;
}

static void note_start(struct recording *recording, const struct itp_perf_record *record)
{
	struct itp_bytes body = record->body;
	uint64_t start;

	if (itp_bytes_take(&body, MMAP_START) && itp_bytes_u64(&body, &start)) {
		g_array_append_val(recording->starts, start);
	}
}

static int add_record(struct recording *recording, struct itp_perf_record *record, uint64_t time)
{
	if (record->type == PERF_RECORD_SAMPLE) {
		return add_sample(recording, record);
	}
	if (record->type == PERF_RECORD_MMAP || record->type == PERF_RECORD_MMAP2) {
		note_start(recording, record);
	}
	return itp_translator_push(&recording->translator, record, time);
}

static gint compare_starts(gconstpointer a, gconstpointer b)
{
	const uint64_t *left = a;
	const uint64_t *right = b;

	return (*left > *right) - (*left < *right);
}

static void sort_starts(GArray *starts)
{
	guint kept = 0;

	g_array_sort(starts, compare_starts);
	for (guint i = 0; i < starts->len; i++) {
		uint64_t start = g_array_index(starts, uint64_t, i);

		if (kept == 0 || g_array_index(starts, uint64_t, kept - 1) != start) {
			g_array_index(starts, uint64_t, kept++) = start;
		}
	}
	g_array_set_size(starts, kept);
}

static void load_modules(const struct recording *recording)
{
	uint32_t layout = 0;

	for (guint i = 0; i < recording->samples->len; i++) {
		const struct recording_sample *sample = recording_sample(recording, i);

		for (guint j = 0; itp_address_space_layout(sample->space) != layout &&
				  j < recording->starts->len;
		     j++) {
			uint64_t start = g_array_index(recording->starts, uint64_t, j);
			const struct itp_mapping *mapping =
				itp_address_space_find(sample->space, start);
			uint64_t vaddr;

			if (mapping) {
				itp_module_cfi(mapping->module, mapping->offset, &vaddr);
			}
		}
		layout = itp_address_space_layout(sample->space);
	}
}

void recording_open(struct recording *recording, const char *path)
{
	const struct itp_perf_options options = { .symfs = NULL };
	struct itp_perf_counts counts = { .skipped_records = 0 };
	struct itp_perf_order order;
	struct itp_perf_record record;
	uint64_t time;
	int result = itp_perf_file_init(&recording->file, path);

	if (result != 0) {
		die(path, result);
	}
	recording->functions = itp_function_table_new();
	recording->samples = g_array_new(FALSE, FALSE, sizeof(struct recording_sample));
	g_array_set_clear_func(recording->samples, release_sample);
	recording->starts = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	recording->translator = (struct itp_translator){ .file = NULL };
	result = itp_translator_init(&recording->translator, &recording->file, &options,
				     recording->functions);
	itp_perf_order_init(&order, &recording->file, &counts);
	while (result == 0 && (result = itp_perf_order_next(&order, &record, &time)) == 1) {
		result = add_record(recording, &record, time);
	}
	itp_perf_order_release(&order);
	if (result != 0) {
		die(path, result);
	}
	sort_starts(recording->starts);
	load_modules(recording);
}

void recording_close(struct recording *recording)
{
	g_array_unref(recording->samples);
	g_array_unref(recording->starts);
	itp_translator_release(&recording->translator);
	itp_function_table_free(recording->functions);
	itp_perf_file_release(&recording->file);
}

const char *recording_place(const struct recording_sample *sample, uint64_t address,
			    uint64_t *ret_offset)
{
	const struct itp_mapping *mapping = itp_address_space_find(sample->space, address);
	struct itp_symbol_warning about;

	if (!mapping) {
		return NULL;
	}
	*ret_offset = address - mapping->start + mapping->offset;
	itp_module_warning(mapping->module, &about);
	return about.path;
}

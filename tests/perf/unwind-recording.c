/* SPDX-License-Identifier: MIT */
/*
 * All records that matter are sorted by time first. Numbers in the file are believed: only
 * recordings that perf just made are read here.
 */
#include "tests/perf/unwind-recording.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define HEADER_BYTES 104
#define FIRST_OWN_TYPE 64

struct attribute {
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t registers;
};

struct record {
	uint64_t time;
	const uint8_t *place;
};

struct recording {
	/* Owned by this. */
	GMappedFile *file;
	GArray *attributes;
	/* Event id to index + 1. */
	GHashTable *attribute_by_id;
	GArray *records;
	/* struct itp_module by path. */
	GHashTable *modules;
	/* struct itp_address_space by pid. */
	GHashTable *spaces;
	GArray *starts;
	uint32_t last_layout;
};

static void die(const char *what)
{
	fprintf(stderr, "%s\n", what);
	exit(1);
}

static int64_t fields(uint64_t type, uint64_t mask)
{
	return 8 * __builtin_popcountll(type & mask);
}

static const struct attribute *attribute_at(const struct recording *recording, guint i)
{
	return &g_array_index(recording->attributes, struct attribute, i);
}

static struct itp_bytes body_of(const struct record *record)
{
	return (struct itp_bytes){ .data = record->place + 8,
				   .size = itp_load_u16(record->place + 6) - 8u };
}

/* All attributes of perf record keep the id first in samples and last in other records. */
static const struct attribute *attribute_of(const struct recording *recording,
					    const struct record *record)
{
	struct itp_bytes body = body_of(record);
	bool is_sample = itp_load_u32(record->place) == PERF_RECORD_SAMPLE;
	uint64_t id;
	guint index;

	if (recording->attributes->len == 1) {
		return attribute_at(recording, 0);
	}
	id = itp_load_u64(is_sample ? body.data : body.data + body.size - 8);
	index = GPOINTER_TO_UINT(
		g_hash_table_lookup(recording->attribute_by_id, GSIZE_TO_POINTER(id)));
	return attribute_at(recording, index > 0 ? index - 1 : 0);
}

static uint64_t time_of(const struct recording *recording, const struct record *record)
{
	const uint64_t before = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID;
	const uint64_t from = PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
			      PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;
	struct itp_bytes body = body_of(record);
	uint32_t type = itp_load_u32(record->place);
	uint64_t sample_type = attribute_of(recording, record)->sample_type;

	if (type >= FIRST_OWN_TYPE) {
		return 0;
	}
	return type == PERF_RECORD_SAMPLE ?
		       itp_load_u64(body.data + fields(sample_type, before)) :
		       itp_load_u64(body.data + body.size - fields(sample_type, from));
}

static void read_attributes(struct recording *recording, const uint8_t *file)
{
	uint64_t entry_size = itp_load_u64(file + 16);
	const uint8_t *entry = file + itp_load_u64(file + 24);
	const uint8_t *end = entry + itp_load_u64(file + 32);

	for (; entry < end; entry += entry_size) {
		struct perf_event_attr raw = { .type = 0 };
		struct attribute attribute;
		const uint8_t *ids = entry + entry_size - 16;

		memcpy(&raw, entry, MIN(sizeof(raw), entry_size - 16));
		attribute.sample_type = raw.sample_type;
		attribute.read_format = raw.read_format;
		attribute.registers = raw.sample_regs_user;
		g_array_append_val(recording->attributes, attribute);
		for (uint64_t i = 0; i < itp_load_u64(ids + 8) / 8; i++) {
			uint64_t id = itp_load_u64(file + itp_load_u64(ids) + 8 * i);

			g_hash_table_insert(recording->attribute_by_id, GSIZE_TO_POINTER(id),
					    GUINT_TO_POINTER(recording->attributes->len));
		}
	}
}

static gint compare_records(gconstpointer a, gconstpointer b)
{
	const struct record *left = a;
	const struct record *right = b;

	if (left->time != right->time) {
		return left->time < right->time ? -1 : 1;
	}
	return left->place < right->place ? -1 : left->place > right->place;
}

static void read_records(struct recording *recording, const uint8_t *file)
{
	const uint8_t *place = file + itp_load_u64(file + 40);
	const uint8_t *end = place + itp_load_u64(file + 48);

	for (; place < end; place += itp_load_u16(place + 6)) {
		uint32_t type = itp_load_u32(place);
		struct record record = { .place = place };

		if (type == PERF_RECORD_SAMPLE || type == PERF_RECORD_MMAP ||
		    type == PERF_RECORD_MMAP2 || type == PERF_RECORD_FORK ||
		    type == PERF_RECORD_COMM || type == PERF_RECORD_EXIT) {
			record.time = time_of(recording, &record);
			g_array_append_val(recording->records, record);
		}
	}
	g_array_sort(recording->records, compare_records);
}

static void free_module(gpointer data)
{
	struct itp_module *module = data;

	itp_cfi_free(module->cfi);
	if (module->image.elf) {
		itp_elf_image_release(&module->image);
	}
	g_free(module->path);
	g_free(module);
}

static void unref_space(gpointer space)
{
	itp_address_space_unref(space);
}

static GHashTable *new_spaces(void)
{
	return g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, unref_space);
}

struct recording *recording_open(const char *path)
{
	struct recording *recording = g_new0(struct recording, 1);
	const uint8_t *file;

	recording->file = g_mapped_file_new(path, FALSE, NULL);
	if (!recording->file || g_mapped_file_get_length(recording->file) < HEADER_BYTES) {
		die("cannot read the recording");
	}
	file = (const uint8_t *)g_mapped_file_get_contents(recording->file);
	if (memcmp(file, "PERFILE2", 8) != 0 || itp_load_u64(file + 8) != HEADER_BYTES) {
		die("not a perf.data file, or in the pipe layout");
	}
	recording->attributes = g_array_new(FALSE, FALSE, sizeof(struct attribute));
	recording->attribute_by_id = g_hash_table_new(g_direct_hash, g_direct_equal);
	recording->records = g_array_new(FALSE, FALSE, sizeof(struct record));
	recording->modules = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, free_module);
	recording->spaces = new_spaces();
	recording->starts = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	read_attributes(recording, file);
	read_records(recording, file);
	return recording;
}

void recording_close(struct recording *recording)
{
	g_hash_table_destroy(recording->spaces);
	g_hash_table_destroy(recording->modules);
	g_hash_table_destroy(recording->attribute_by_id);
	g_array_unref(recording->attributes);
	g_array_unref(recording->records);
	g_array_unref(recording->starts);
	g_mapped_file_unref(recording->file);
	g_free(recording);
}

static struct itp_module *module_of(struct recording *recording, const char *path, uint64_t size)
{
	struct itp_module *module = g_hash_table_lookup(recording->modules, path);
	int error;

	if (!module) {
		module = g_new0(struct itp_module, 1);
		module->path = g_strdup(path);
		error = strcmp(path, "[vdso]") == 0 ?
				itp_unwind_open_vdso(&module->image, size, "") :
				itp_elf_image_init(&module->image, path);
		module->cfi = error == 0 ? itp_cfi_new(&module->image) : NULL;
		g_hash_table_insert(recording->modules, module->path, module);
	}
	return module;
}

static struct itp_address_space *space_of(struct recording *recording, uint32_t pid)
{
	gpointer key = GUINT_TO_POINTER(pid);
	struct itp_address_space *space = g_hash_table_lookup(recording->spaces, key);

	if (!space) {
		space = itp_address_space_new();
		g_hash_table_insert(recording->spaces, key, space);
	}
	return space;
}

static void set_space(struct recording *recording, uint32_t pid, struct itp_address_space *space)
{
	g_hash_table_insert(recording->spaces, GUINT_TO_POINTER(pid), space);
}

/* Executable mappings only. */
static void map(struct recording *recording, const struct record *record)
{
	struct itp_bytes body = body_of(record);
	bool is_second = itp_load_u32(record->place) == PERF_RECORD_MMAP2;
	uint32_t pid = itp_load_u32(body.data);
	uint64_t size = itp_load_u64(body.data + 16);
	const char *path = (const char *)body.data + (is_second ? 64 : 32);
	struct itp_address_space *space;
	struct itp_mapping mapping = {
		.start = itp_load_u64(body.data + 8),
		.end = itp_load_u64(body.data + 8) + size,
		.offset = itp_load_u64(body.data + 24),
	};

	if (pid == UINT32_MAX || (is_second && !(itp_load_u32(body.data + 56) & PROT_EXEC)) ||
	    (itp_load_u16(record->place + 4) & PERF_RECORD_MISC_MMAP_DATA)) {
		return;
	}
	mapping.module = module_of(recording, path, size);
	/* Taken out of the table, so that it is changed in place when nobody else has it. */
	space = space_of(recording, pid);
	g_hash_table_steal(recording->spaces, GUINT_TO_POINTER(pid));
	itp_address_space_map(&space, &mapping, ++recording->last_layout);
	set_space(recording, pid, space);
	g_array_append_val(recording->starts, mapping.start);
}

static void fork_process(struct recording *recording, const struct record *record)
{
	const uint8_t *body = body_of(record).data;
	uint32_t pid = itp_load_u32(body);
	uint32_t parent = itp_load_u32(body + 4);

	if (pid != parent) {
		set_space(recording, pid, itp_address_space_ref(space_of(recording, parent)));
	}
}

static void rename_process(struct recording *recording, const struct record *record)
{
	if (itp_load_u16(record->place + 4) & PERF_RECORD_MISC_COMM_EXEC) {
		set_space(recording, itp_load_u32(body_of(record).data), itp_address_space_new());
	}
}

static bool skip_counted(struct itp_bytes *bytes, uint64_t unit)
{
	uint64_t count;

	return itp_bytes_u64(bytes, &count) && itp_bytes_take(bytes, count * unit);
}

static bool skip_raw(struct itp_bytes *bytes)
{
	uint32_t size;

	return itp_bytes_u32(bytes, &size) && itp_bytes_take(bytes, size);
}

/* The registers, behind their ABI; none for kernel threads. */
static bool take_registers(struct itp_bytes *bytes, uint64_t mask, struct itp_unwind_input *input)
{
	uint64_t abi;

	if (!itp_bytes_u64(bytes, &abi) || abi != PERF_SAMPLE_REGS_ABI_64) {
		return false;
	}
	input->register_mask = mask;
	input->register_count = (size_t)__builtin_popcountll(mask);
	input->registers = (const uint64_t *)(const void *)bytes->data;
	return itp_bytes_take(bytes, 8 * input->register_count) != NULL;
}

static bool take_stack(struct itp_bytes *bytes, struct itp_unwind_input *input)
{
	uint64_t size;
	uint64_t copied;

	if (!itp_bytes_u64(bytes, &size)) {
		return false;
	}
	input->stack = itp_bytes_take(bytes, size);
	if (!input->stack || (size > 0 && !itp_bytes_u64(bytes, &copied))) {
		return false;
	}
	input->stack_bytes = size > 0 ? MIN(size, copied) : 0;
	return true;
}

static bool read_sample(struct recording *recording, const struct record *record,
			struct recording_sample *sample)
{
	const uint64_t before_tid = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP;
	const uint64_t fixed = before_tid | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
			       PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
			       PERF_SAMPLE_PERIOD;
	const struct attribute *attribute = attribute_of(recording, record);
	uint64_t type = attribute->sample_type;
	struct itp_bytes bytes = body_of(record);
	const uint8_t *tid = bytes.data + fields(type, before_tid);

	*sample = (struct recording_sample){
		.pid = itp_load_u32(tid),
		.tid = itp_load_u32(tid + 4),
		.time = record->time,
	};
	sample->space = space_of(recording, sample->pid);
	sample->starts = recording->starts;
	sample->input.architecture = ITP_X86_64;
	sample->input.layout = itp_address_space_layout(sample->space);
	return sample->input.layout != 0 && !(type & PERF_SAMPLE_READ) &&
	       (type & PERF_SAMPLE_REGS_USER) && (type & PERF_SAMPLE_STACK_USER) &&
	       itp_bytes_take(&bytes, (uint64_t)fields(type, fixed)) &&
	       (!(type & PERF_SAMPLE_CALLCHAIN) || skip_counted(&bytes, 8)) &&
	       (!(type & PERF_SAMPLE_RAW) || skip_raw(&bytes)) &&
	       take_registers(&bytes, attribute->registers, &sample->input) &&
	       take_stack(&bytes, &sample->input);
}

void recording_walk(struct recording *recording, recording_visit *visit, void *data)
{
	g_hash_table_remove_all(recording->spaces);
	g_array_set_size(recording->starts, 0);
	recording->last_layout = 0;
	for (guint i = 0; i < recording->records->len; i++) {
		const struct record *record = &g_array_index(recording->records, struct record, i);
		struct recording_sample sample;

		switch (itp_load_u32(record->place)) {
		case PERF_RECORD_MMAP:
		case PERF_RECORD_MMAP2:
			map(recording, record);
			break;
		case PERF_RECORD_FORK:
			fork_process(recording, record);
			break;
		case PERF_RECORD_COMM:
			rename_process(recording, record);
			break;
		case PERF_RECORD_SAMPLE:
			if (read_sample(recording, record, &sample)) {
				visit(data, &sample);
			}
			break;
		default:
			break;
		}
	}
}

bool recording_resolve(void *data, uint64_t address, struct itp_unwind_place *ret_place)
{
	const struct itp_mapping *mapping = itp_address_space_find(data, address);
	struct itp_module *module;

	if (!mapping) {
		return false;
	}
	module = mapping->module;
	if (module->cfi &&
	    itp_elf_image_vaddr(&module->image, address - mapping->start + mapping->offset,
				&ret_place->vaddr)) {
		ret_place->cfi = module->cfi;
	}
	return true;
}

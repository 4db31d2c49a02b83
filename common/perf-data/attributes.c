/* SPDX-License-Identifier: MIT */
/*
 * Attributes of a perf.data file, one for each recorded event, and places of fields in records of
 * each.
 *
 * The order of fields in samples and trailers is documented in perf_event_open(2): IDENTIFIER, IP,
 * TID, TIME, ADDR, ID, STREAM_ID, CPU, PERIOD, READ, CALLCHAIN, RAW, … in samples, and TID, TIME,
 * ID, STREAM_ID, CPU, IDENTIFIER in trailers. All fields before READ have 8 bytes.
 */
#include "common/perf-data/file.h"

#include "common/perf-data/record-types.h"

#include <stddef.h>
#include <time.h>

#define NS_PER_S UINT64_C(1000000000)

#define MAX_ATTRS 65536
/* Attributes times CPUs. */
#define MAX_IDS (4u * 1024 * 1024)

/* Place of the attribute's flags, behind its read format; and a flag newer than some headers. */
#define FLAGS_OFFSET (offsetof(struct perf_event_attr, read_format) + sizeof(uint64_t))
#define FLAG_DEFER_CALLCHAIN (UINT64_C(1) << 38)

/* ---- Places of fields ---- */

/* Size of the fields of `mask` in samples of `sample_type`, in bytes. */
static int fields_size(uint64_t sample_type, uint64_t mask)
{
	return ITP_PERF_FIELD_BYTES * __builtin_popcountll(sample_type & mask);
}

static void lay_out_fields(struct itp_perf_layout *layout, const struct itp_perf_attr *attr)
{
	const uint64_t type = attr->sample_type;
	const uint64_t before_time = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID;
	const uint64_t before_id = before_time | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR;
	const uint64_t before_cpu = before_id | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID;
	const uint64_t before_read = before_cpu | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
	/* Masks of fields in trailers, each with the fields behind it. */
	const uint64_t from_cpu = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_CPU;
	const uint64_t from_id = from_cpu | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_ID;
	const uint64_t from_time = from_id | PERF_SAMPLE_TIME;
	const uint64_t from_tid = from_time | PERF_SAMPLE_TID;

	*layout = (struct itp_perf_layout){ -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 };
	layout->sample_fixed = fields_size(type, before_read);
	if (type & PERF_SAMPLE_IP) {
		layout->sample_ip = fields_size(type, PERF_SAMPLE_IDENTIFIER);
	}
	if (type & PERF_SAMPLE_IDENTIFIER) {
		layout->sample_id = 0;
		layout->trailer_id = ITP_PERF_FIELD_BYTES;
	} else if (type & PERF_SAMPLE_ID) {
		layout->sample_id = fields_size(type, before_id);
		layout->trailer_id = fields_size(type, from_id);
	}
	if (type & PERF_SAMPLE_TIME) {
		layout->sample_time = fields_size(type, before_time);
		layout->trailer_time = fields_size(type, from_time);
	}
	if (type & PERF_SAMPLE_TID) {
		layout->sample_tid = fields_size(type, PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP);
		layout->trailer_tid = fields_size(type, from_tid);
	}
	if (type & PERF_SAMPLE_CPU) {
		layout->sample_cpu = fields_size(type, before_cpu);
		layout->trailer_cpu = fields_size(type, from_cpu);
	}
	if (type & PERF_SAMPLE_PERIOD) {
		layout->sample_period = fields_size(type, before_cpu | PERF_SAMPLE_CPU);
	}
}

/* ---- Attributes ---- */

static bool is_clock(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
						    attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

/* True when the event counts evenly while a CPU is busy. */
static bool is_timer(const struct perf_event_attr *attr)
{
	if (is_clock(attr)) {
		return true;
	}
	/* The upper half names a kind of core. */
	return attr->type == PERF_TYPE_HARDWARE &&
	       ((uint32_t)attr->config == PERF_COUNT_HW_CPU_CYCLES ||
		(uint32_t)attr->config == PERF_COUNT_HW_REF_CPU_CYCLES);
}

static uint64_t period_of(const struct perf_event_attr *attr)
{
	if (!attr->freq) {
		return attr->sample_period;
	}
	return attr->sample_freq > 0 ? NS_PER_S / attr->sample_freq : 0;
}

/* The fixed part of an attribute reaches to the sample type; newer kernels appended fields. */
static struct itp_perf_attr parse_attr(const uint8_t *raw, size_t size)
{
	struct perf_event_attr attr = { .type = 0 };
	struct itp_perf_attr result;

	memcpy(&attr, raw, MIN(size, sizeof(attr)));
	result = (struct itp_perf_attr){
		.type = attr.type,
		.config = attr.config,
		.sample_type = attr.sample_type,
		.read_format = attr.read_format,
		.branch_sample_type = attr.branch_sample_type,
		.user_registers = attr.sample_regs_user,
		.interrupt_registers = attr.sample_regs_intr,
		.max_stack = attr.sample_max_stack,
		.is_timer = is_timer(&attr),
		.period = period_of(&attr),
		.is_clock = is_clock(&attr),
		.interval_ns = attr.freq ? (int64_t)period_of(&attr) : 0,
		.has_trailer = attr.sample_id_all,
		.has_switches = attr.context_switch,
		.is_inherited = attr.inherit,
		.is_monotonic = attr.use_clockid && attr.clockid == CLOCK_MONOTONIC,
		.is_unwound = attr.exclude_callchain_user &&
			      (attr.sample_type & PERF_SAMPLE_CALLCHAIN) &&
			      !(attr.sample_type & PERF_SAMPLE_STACK_USER),
		.has_deferred_chains = itp_load_u64(raw + FLAGS_OFFSET) & FLAG_DEFER_CALLCHAIN,
	};
	lay_out_fields(&result.layout, &result);
	return result;
}

static int add_ids(struct itp_perf_file *file, const struct itp_bytes *ids)
{
	struct itp_bytes rest = *ids;
	uint64_t id;

	if (rest.size / sizeof(id) > MAX_IDS - g_hash_table_size(file->attr_by_id)) {
		return ITP_ERROR_LIMIT;
	}
	while (itp_bytes_u64(&rest, &id)) {
		g_hash_table_insert(file->attr_by_id, GSIZE_TO_POINTER((gsize)id),
				    GUINT_TO_POINTER(file->attrs->len));
	}
	return 0;
}

int itp_perf_file_add_attr(struct itp_perf_file *file, const struct itp_bytes *attr,
			   const struct itp_bytes *ids)
{
	struct itp_perf_attr parsed;
	size_t size;

	if (file->attrs->len >= MAX_ATTRS) {
		return ITP_ERROR_LIMIT;
	}
	if (attr->size < PERF_ATTR_SIZE_VER0) {
		return ITP_ERROR_CORRUPT;
	}
	size = itp_load_u32(attr->data + offsetof(struct perf_event_attr, size));
	if (size == 0) {
		size = PERF_ATTR_SIZE_VER0;
	}
	if (size < PERF_ATTR_SIZE_VER0 || size > attr->size) {
		return ITP_ERROR_CORRUPT;
	}
	parsed = parse_attr(attr->data, size);
	g_array_append_val(file->attrs, parsed);
	return add_ids(file, ids);
}

const struct itp_perf_attr *itp_perf_file_attr(const struct itp_perf_file *file, uint32_t i)
{
	return &g_array_index(file->attrs, struct itp_perf_attr, i);
}

bool itp_perf_file_find_attr(struct itp_perf_file *file, uint64_t id, uint32_t *ret_i)
{
	const size_t place = id % ITP_PERF_FOUND_ATTRS;
	guint number;

	/* No event has the id 0. */
	if (id == 0) {
		return false;
	}
	if (id != file->found[place].id) {
		number = GPOINTER_TO_UINT(
			g_hash_table_lookup(file->attr_by_id, GSIZE_TO_POINTER((gsize)id)));
		if (number == 0) {
			return false;
		}
		file->found[place].id = id;
		file->found[place].attr = number - 1;
	}
	*ret_i = file->found[place].attr;
	return true;
}

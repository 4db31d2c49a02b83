/* SPDX-License-Identifier: MIT */
/*
 * See sample.h. Places of fields are left to attributes.c.
 */
#include "common/perf-data/sample.h"

#include "common/perf-data/record-types.h"

/* From, to and flags; with newer kernels also counters, and in front of all an index. */
#define BRANCH_BYTES 24
#define BRANCH_HW_INDEX (UINT64_C(1) << 17)
#define BRANCH_COUNTERS (UINT64_C(1) << 19)

/* Place of a field, `from_begin` bytes into the body; NULL when the body is too short. */
static const uint8_t *field(const struct itp_bytes *body, int from_begin)
{
	return (size_t)from_begin + ITP_PERF_FIELD_BYTES <= body->size ? body->data + from_begin :
									 NULL;
}

static const uint8_t *field_from_end(const struct itp_bytes *body, int from_end)
{
	return (size_t)from_end <= body->size ? body->data + (body->size - (size_t)from_end) : NULL;
}

/* The attribute of a record, by the id at `place`. Records made up by perf have id 0 and follow the
 * first attribute; with a single attribute, or without ids, no choice is left either. */
static int attr_of(struct itp_perf_file *file, const uint8_t *place, bool is_sample,
		   uint32_t *ret_attr)
{
	uint64_t id;

	*ret_attr = 0;
	if (file->attrs->len == 1) {
		return 0;
	}
	if (!place) {
		return ITP_ERROR_CORRUPT;
	}
	id = itp_load_u64(place);
	if (id == 0 && !is_sample) {
		return 0;
	}
	return itp_perf_file_find_attr(file, id, ret_attr) ? 0 : ITP_ERROR_UNKNOWN_ID;
}

/* All attributes keep the id at one place, told by the first. */
static int sample_attr(struct itp_perf_file *file, const struct itp_bytes *body, uint32_t *ret_attr)
{
	int id = itp_perf_file_attr(file, 0)->layout.sample_id;

	*ret_attr = 0;
	return id < 0 ? 0 : attr_of(file, field(body, id), true, ret_attr);
}

static int trailer_attr(struct itp_perf_file *file, const struct itp_bytes *body,
			uint32_t *ret_attr)
{
	int id = itp_perf_file_attr(file, 0)->layout.trailer_id;

	*ret_attr = 0;
	return id < 0 ? 0 : attr_of(file, field_from_end(body, id), false, ret_attr);
}

static bool has_trailer(const struct itp_perf_file *file, const struct itp_perf_record *record)
{
	return record->type < ITP_RECORD_TOOL_FIRST && itp_perf_file_attr(file, 0)->has_trailer;
}

int itp_perf_record_time(struct itp_perf_file *file, const struct itp_perf_record *record,
			 uint64_t *ret_time)
{
	const uint8_t *place;
	uint32_t attr;
	int error;

	*ret_time = 0;
	if (record->type == PERF_RECORD_SAMPLE) {
		error = sample_attr(file, &record->body, &attr);
		place = error == 0 ? field(&record->body,
					   itp_perf_file_attr(file, attr)->layout.sample_time) :
				     NULL;
	} else if (has_trailer(file, record)) {
		error = trailer_attr(file, &record->body, &attr);
		place = error == 0 ? field_from_end(
					     &record->body,
					     itp_perf_file_attr(file, attr)->layout.trailer_time) :
				     NULL;
	} else {
		return 0;
	}
	if (place) {
		*ret_time = itp_load_u64(place);
	} else if (error == 0) {
		error = ITP_ERROR_CORRUPT;
	}
	return error;
}

int itp_perf_record_trailer(struct itp_perf_file *file, struct itp_perf_record *record,
			    struct itp_perf_stamp *ret_stamp)
{
	struct itp_perf_stamp stamp = { .pid = -1, .tid = -1, .cpu = -1 };
	const struct itp_perf_layout *layout;
	const uint8_t *begin;
	int error;

	if (!has_trailer(file, record)) {
		*ret_stamp = stamp;
		return 0;
	}
	error = trailer_attr(file, &record->body, &stamp.attr);
	if (error != 0) {
		return error;
	}
	/* Every attribute has thread id and time (checked on opening), the thread id first. */
	layout = &itp_perf_file_attr(file, stamp.attr)->layout;
	begin = field_from_end(&record->body, layout->trailer_tid);
	if (!begin) {
		return ITP_ERROR_CORRUPT;
	}
	stamp.pid = (int32_t)itp_load_u32(begin);
	stamp.tid = (int32_t)itp_load_u32(begin + 4);
	stamp.time = itp_load_u64(field_from_end(&record->body, layout->trailer_time));
	if (layout->trailer_cpu >= 0) {
		stamp.cpu =
			(int32_t)itp_load_u32(field_from_end(&record->body, layout->trailer_cpu));
	}
	record->body.size -= (size_t)layout->trailer_tid;
	*ret_stamp = stamp;
	return 0;
}

/* Skips the values of PERF_SAMPLE_READ in a sample. */
static bool skip_read(struct itp_bytes *bytes, uint64_t format)
{
	uint64_t times = format & (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING);
	/* PERF_FORMAT_LOST is newer than some headers. */
	uint64_t extras = format & (PERF_FORMAT_ID | UINT64_C(1) << 4);
	uint64_t value_size = ITP_PERF_FIELD_BYTES * (uint64_t)(1 + __builtin_popcountll(extras));
	uint64_t times_size = ITP_PERF_FIELD_BYTES * (uint64_t)__builtin_popcountll(times);
	uint64_t count = 1;

	if (format & PERF_FORMAT_GROUP) {
		if (!itp_bytes_u64(bytes, &count) || !itp_bytes_take(bytes, times_size)) {
			return false;
		}
		times_size = 0;
	}
	return count <= bytes->size / value_size &&
	       itp_bytes_take(bytes, count * value_size + times_size);
}

static bool take_chain(struct itp_bytes *bytes, struct itp_bytes *ret_chain)
{
	uint64_t count;

	if (!itp_bytes_u64(bytes, &count) || count > bytes->size / ITP_PERF_FIELD_BYTES) {
		return false;
	}
	ret_chain->size = (size_t)count * ITP_PERF_FIELD_BYTES;
	ret_chain->data = itp_bytes_take(bytes, ret_chain->size);
	return true;
}

bool itp_perf_record_deferred(const struct itp_perf_record *record, uint64_t *ret_cookie,
			      struct itp_bytes *ret_chain)
{
	struct itp_bytes body = record->body;

	return itp_bytes_u64(&body, ret_cookie) && take_chain(&body, ret_chain);
}

static bool take_raw(struct itp_bytes *bytes, struct itp_bytes *ret_raw)
{
	uint32_t size;

	if (!itp_bytes_u32(bytes, &size)) {
		return false;
	}
	ret_raw->size = size;
	ret_raw->data = itp_bytes_take(bytes, size);
	return ret_raw->data != NULL;
}

/* Branches remembered by the CPU, if they are calls that have not returned; others are skipped. */
static bool take_branches(struct itp_bytes *bytes, uint64_t branch_sample_type,
			  struct itp_perf_calls *ret_calls)
{
	uint64_t entry_size = BRANCH_BYTES;
	uint64_t index;
	uint64_t count;

	if (branch_sample_type & BRANCH_COUNTERS) {
		entry_size += ITP_PERF_FIELD_BYTES;
	}
	if (!itp_bytes_u64(bytes, &count) ||
	    ((branch_sample_type & BRANCH_HW_INDEX) && !itp_bytes_u64(bytes, &index))) {
		return false;
	}
	if (count > bytes->size / entry_size) {
		return false;
	}
	if (branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK) {
		ret_calls->entry_size = entry_size;
		ret_calls->entries = (struct itp_bytes){ bytes->data, count * entry_size };
	}
	return itp_bytes_take(bytes, count * entry_size);
}

/* Without registers, as in kernel threads, the kernel writes only their absence. */
static bool take_registers(struct itp_bytes *bytes, uint64_t mask, struct itp_user_state *user)
{
	uint64_t abi;

	if (!itp_bytes_u64(bytes, &abi)) {
		return false;
	}
	if (abi == PERF_SAMPLE_REGS_ABI_NONE) {
		return true;
	}
	user->is_present = abi == PERF_SAMPLE_REGS_ABI_64;
	user->registers.size = (size_t)ITP_PERF_FIELD_BYTES * (size_t)__builtin_popcountll(mask);
	user->registers.data = itp_bytes_take(bytes, user->registers.size);
	return user->registers.data != NULL;
}

/* The room for the copy, and the used part of it. */
static bool take_stack(struct itp_bytes *bytes, struct itp_user_state *user)
{
	uint64_t room;
	uint64_t used = 0;

	if (!itp_bytes_u64(bytes, &room)) {
		return false;
	}
	user->stack.data = itp_bytes_take(bytes, room);
	if (!user->stack.data || (room > 0 && (!itp_bytes_u64(bytes, &used) || used > room))) {
		return false;
	}
	user->stack.size = (size_t)used;
	user->stack_room = room;
	return true;
}

/* Registers are only of use together with a copy of the stack. */
static bool take_user_state(struct itp_bytes *bytes, const struct itp_perf_attr *attr,
			    struct itp_user_state *user)
{
	uint64_t both = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;

	if (((attr->sample_type & PERF_SAMPLE_REGS_USER) &&
	     !take_registers(bytes, attr->user_registers, user)) ||
	    ((attr->sample_type & PERF_SAMPLE_STACK_USER) && !take_stack(bytes, user))) {
		return false;
	}
	user->register_mask = attr->user_registers;
	user->is_present = user->is_present && (attr->sample_type & both) == both;
	return true;
}

/* Number of the control group, behind other fields that are not used. */
static bool take_cgroup(struct itp_bytes *bytes, const struct itp_perf_attr *attr,
			uint64_t *ret_cgroup)
{
	const uint64_t type = attr->sample_type;
	const uint64_t before = PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT |
				PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION;
	struct itp_user_state unused;

	return itp_bytes_take(bytes, ITP_PERF_FIELD_BYTES *
					     (uint64_t)__builtin_popcountll(type & before)) &&
	       (!(type & PERF_SAMPLE_REGS_INTR) ||
		take_registers(bytes, attr->interrupt_registers, &unused)) &&
	       (!(type & PERF_SAMPLE_PHYS_ADDR) || itp_bytes_take(bytes, ITP_PERF_FIELD_BYTES)) &&
	       itp_bytes_u64(bytes, ret_cgroup);
}

int itp_perf_record_sample(struct itp_perf_file *file, const struct itp_perf_record *record,
			   struct itp_perf_sample *ret_sample)
{
	struct itp_perf_sample sample = { .stamp = { .cpu = -1 } };
	struct itp_bytes rest = record->body;
	const struct itp_perf_attr *attr;
	const uint8_t *fixed;
	int error = sample_attr(file, &record->body, &sample.stamp.attr);

	if (error != 0) {
		return error;
	}
	attr = itp_perf_file_attr(file, sample.stamp.attr);
	fixed = itp_bytes_take(&rest, (uint64_t)attr->layout.sample_fixed);
	if (!fixed) {
		return ITP_ERROR_CORRUPT;
	}
	sample.stamp.pid = (int32_t)itp_load_u32(fixed + attr->layout.sample_tid);
	sample.stamp.tid = (int32_t)itp_load_u32(fixed + attr->layout.sample_tid + 4);
	sample.stamp.time = itp_load_u64(fixed + attr->layout.sample_time);
	if (attr->sample_type & PERF_SAMPLE_CPU) {
		sample.stamp.cpu = (int32_t)itp_load_u32(fixed + attr->layout.sample_cpu);
	}
	sample.period = attr->layout.sample_period < 0 ?
				attr->period :
				itp_load_u64(fixed + attr->layout.sample_period);
	if (attr->layout.sample_ip >= 0) {
		sample.ip = itp_load_u64(fixed + attr->layout.sample_ip);
	}
	sample.has_chain = attr->sample_type & PERF_SAMPLE_CALLCHAIN;
	sample.is_unwound = attr->is_unwound;
	if (((attr->sample_type & PERF_SAMPLE_READ) && !skip_read(&rest, attr->read_format)) ||
	    (sample.has_chain && !take_chain(&rest, &sample.chain)) ||
	    ((attr->sample_type & PERF_SAMPLE_RAW) && !take_raw(&rest, &sample.raw)) ||
	    ((attr->sample_type & PERF_SAMPLE_BRANCH_STACK) &&
	     !take_branches(&rest, attr->branch_sample_type, &sample.calls)) ||
	    !take_user_state(&rest, attr, &sample.user) ||
	    ((attr->sample_type & PERF_SAMPLE_CGROUP) &&
	     !take_cgroup(&rest, attr, &sample.cgroup))) {
		return ITP_ERROR_CORRUPT;
	}
	*ret_sample = sample;
	return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * Steps through the file; a compressed record is fed to the unpacker and gone through first.
 *
 * All compressed records of a file hold one zstd stream, unpacked in blocks as the reading goes on.
 * A block lives as long as it is being read or a record in it is held, so memory follows the order
 * in time; a limit stops streams that unpack to far more. Records that continue in the next block
 * begin that block. The position of an unpacked record is the block's number and the offset in it.
 */
#include "common/perf-data/records.h"

#include "common/base/hash.h"
#include "common/perf-data/growing.h"
#include "common/perf-data/record-types.h"

#include <zstd.h>
#include <zstd_errors.h>

/* Size of the largest compressed record; COMPRESSED2 is padded. */
#define FULL_BYTES (UINT16_MAX / 8 * 8 - ITP_PERF_RECORD_HEADER_BYTES)
/* Bit in the positions of unpacked records; no file is as large. */
#define UNPACKED_POSITION (UINT64_C(1) << 63)
/* Bytes unpacked at once; a block may be larger by the part of a record. */
#define BLOCK_BYTES (256u * 1024)
/* Two rounds of perf's largest usual buffers fit. */
#define MAX_LIVE_BYTES (512u * 1024 * 1024)

/* Numbers of blocks, in positions; a number comes again when its first block is long gone. */
#define NUMBER_SHIFT 32
#define NUMBER_MASK 0x7fffffffu

struct block {
	/* Owned by this. */
	uint8_t *data;
	size_t size;
	/* Records held, and one for the reading. */
	size_t holders;
	/* Place in the file of the compressed record that filled the block. */
	uint64_t file_offset;
};

struct itp_unpacker {
	/* Owned by this. */
	ZSTD_DCtx *context;
	/* Bytes still to be unpacked. */
	struct itp_bytes packed;
	uint64_t file_offset;
	/* The decoder may hold more output than its last block had room for. */
	bool has_more;
	/* Number to struct block *. Owned by this. */
	GHashTable *blocks;
	/* The block being read, NULL in the beginning. Weak. */
	struct block *last;
	uint32_t last_number;
	/* Offset of the next record in it. */
	size_t offset;
	size_t live_bytes;
};

/* ---- Compressed records ---- */

static void block_free(gpointer data)
{
	struct block *block = data;

	g_free(block->data);
	g_free(block);
}

/* NULL when memory runs out. */
static struct itp_unpacker *unpacker_new(void)
{
	ZSTD_DCtx *context = ZSTD_createDCtx();
	struct itp_unpacker *unpacker = context ? g_new0(struct itp_unpacker, 1) : NULL;

	if (unpacker) {
		unpacker->blocks = g_hash_table_new_full(itp_hash_number, NULL, NULL, block_free);
		unpacker->context = context;
	}
	return unpacker;
}

static void unpacker_free(struct itp_unpacker *unpacker)
{
	if (!unpacker) {
		return;
	}
	g_hash_table_destroy(unpacker->blocks);
	ZSTD_freeDCtx(unpacker->context);
	g_free(unpacker);
}

/* COMPRESSED2 tells its size and is padded. */
static bool contents(const struct itp_perf_record *record, struct itp_bytes *ret_bytes)
{
	struct itp_bytes bytes = record->body;
	uint64_t size;

	if (record->type == ITP_RECORD_COMPRESSED2) {
		if (!itp_bytes_u64(&bytes, &size) || size > bytes.size) {
			return false;
		}
		bytes.size = (size_t)size;
	}
	*ret_bytes = bytes;
	return true;
}

static void put_block(struct itp_unpacker *unpacker, struct block *block, uint32_t number)
{
	if (--block->holders == 0) {
		unpacker->live_bytes -= block->size;
		g_hash_table_remove(unpacker->blocks, GUINT_TO_POINTER(number));
	}
}

/* Goes on reading in a block of its own. Takes `data`. */
static void begin_block(struct itp_unpacker *unpacker, uint8_t *data, size_t size)
{
	struct block *block = g_new0(struct block, 1);

	*block = (struct block){ .data = g_realloc(data, MAX(size, 1)),
				 .size = size,
				 .holders = 1,
				 .file_offset = unpacker->file_offset };
	if (unpacker->last) {
		put_block(unpacker, unpacker->last, unpacker->last_number);
	}
	unpacker->last = block;
	unpacker->last_number = (unpacker->last_number + 1) & NUMBER_MASK;
	unpacker->offset = 0;
	unpacker->live_bytes += size;
	g_hash_table_insert(unpacker->blocks, GUINT_TO_POINTER(unpacker->last_number), block);
}

/* Unpacks until the input ends, or `out` is full. */
static int unpack(struct itp_unpacker *unpacker, ZSTD_outBuffer *out)
{
	ZSTD_inBuffer in = { .src = unpacker->packed.data, .size = unpacker->packed.size };
	size_t result;

	do {
		result = ZSTD_decompressStream(unpacker->context, out, &in);
	} while (!ZSTD_isError(result) && in.pos < in.size && out->pos < out->size);
	itp_bytes_take(&unpacker->packed, in.pos);
	unpacker->has_more = out->pos == out->size;
	if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) {
		return ITP_ERROR_MEMORY;
	}
	return ZSTD_isError(result) ? ITP_ERROR_CORRUPT : 0;
}

/* Fills a new block, behind the unfinished record at the end of the last. */
static int add_block(struct itp_unpacker *unpacker)
{
	const struct block *last = unpacker->last;
	size_t rest = last ? last->size - unpacker->offset : 0;
	ZSTD_outBuffer out = { .size = rest + BLOCK_BYTES, .pos = rest };
	int error;

	if (unpacker->live_bytes >= MAX_LIVE_BYTES) {
		return ITP_ERROR_LIMIT;
	}
	out.dst = g_try_malloc(out.size);
	if (!out.dst) {
		return ITP_ERROR_MEMORY;
	}
	if (rest > 0) {
		memcpy(out.dst, last->data + unpacker->offset, rest);
	}
	error = unpack(unpacker, &out);
	if (error != 0) {
		g_free(out.dst);
		return error;
	}
	begin_block(unpacker, out.dst, out.pos);
	return 0;
}

/* True when a record may be compressed: no compressed record, and none followed by data. */
static bool is_possible(const uint8_t *header)
{
	uint32_t type = itp_load_u32(header);

	return itp_load_u16(header + 6) >= ITP_PERF_RECORD_HEADER_BYTES &&
	       type != ITP_RECORD_AUXTRACE && type != ITP_RECORD_TRACING_DATA &&
	       type != ITP_RECORD_COMPRESSED && type != ITP_RECORD_COMPRESSED2;
}

/* Size of the next record: 0 when the block ends before the record, or an error. */
static int record_size(const struct itp_unpacker *unpacker)
{
	size_t left = unpacker->last ? unpacker->last->size - unpacker->offset : 0;
	const uint8_t *header;
	size_t size;

	if (left < ITP_PERF_RECORD_HEADER_BYTES) {
		return 0;
	}
	header = unpacker->last->data + unpacker->offset;
	size = itp_load_u16(header + 6);
	if (!is_possible(header)) {
		return ITP_ERROR_CORRUPT;
	}
	return size <= left ? (int)size : 0;
}

static uint32_t block_number(uint64_t position)
{
	return (uint32_t)(position >> NUMBER_SHIFT) & NUMBER_MASK;
}

static struct block *find_block(const struct itp_unpacker *unpacker, uint64_t position)
{
	return g_hash_table_lookup(unpacker->blocks, GUINT_TO_POINTER(block_number(position)));
}

/* The held record at `position`. */
static void get_unpacked(const struct itp_unpacker *unpacker, uint64_t position,
			 struct itp_perf_record *ret_record)
{
	const struct block *block = find_block(unpacker, position);
	const uint8_t *header = block->data + (uint32_t)position;

	*ret_record = (struct itp_perf_record){
		.type = itp_load_u32(header),
		.misc = itp_load_u16(header + 4),
		.offset = block->file_offset,
		.position = position,
		.body = { .data = header + ITP_PERF_RECORD_HEADER_BYTES,
			  .size = itp_load_u16(header + 6) - (size_t)ITP_PERF_RECORD_HEADER_BYTES },
	};
}

/* The next record; its position finds it again while held. Returns 1, 0 when more has to be fed, or
 * an error. */
static int next_unpacked(struct itp_unpacker *unpacker, struct itp_perf_record *ret_record)
{
	int size = record_size(unpacker);

	while (size == 0 && (unpacker->packed.size > 0 || unpacker->has_more)) {
		int error = add_block(unpacker);

		size = error != 0 ? error : record_size(unpacker);
	}
	if (size <= 0) {
		return size;
	}
	get_unpacked(unpacker,
		     UNPACKED_POSITION | (uint64_t)unpacker->last_number << NUMBER_SHIFT |
			     unpacker->offset,
		     ret_record);
	unpacker->offset += (size_t)size;
	return 1;
}

/* ---- All records ---- */

void itp_perf_records_init(struct itp_perf_records *records, struct itp_perf_file *file)
{
	*records = (struct itp_perf_records){ .file = file,
					      .offset = file->data_begin,
					      .last_offset = file->data_begin };
}

void itp_perf_records_release(struct itp_perf_records *records)
{
	unpacker_free(records->unpacker);
	*records = (struct itp_perf_records){ .file = NULL };
}

static int feed(struct itp_perf_records *records, const struct itp_perf_record *record)
{
	records->last_packed_bytes = record->body.size;
	if (!records->unpacker) {
		records->unpacker = unpacker_new();
	}
	if (!records->unpacker) {
		return ITP_ERROR_MEMORY;
	}
	records->unpacker->file_offset = record->offset;
	return contents(record, &records->unpacker->packed) ? 0 : ITP_ERROR_CORRUPT;
}

/* Judges the end. A compressed stream that stops inside a record was cut, as its file was; or perf
 * has not written out its end: perf 6.1 forgets data without room in the last compressed record. */
static int at_end(struct itp_perf_records *records)
{
	const struct itp_unpacker *unpacker = records->unpacker;
	bool is_cut = records->file->damage == ITP_ERROR_TRUNCATED;

	if (!unpacker || !unpacker->last || unpacker->offset == unpacker->last->size) {
		return 0;
	}
	if (records->last_packed_bytes >= FULL_BYTES && !is_cut) {
		records->is_cut = true;
		return 0;
	}
	return is_cut || records->file->part_name ? ITP_ERROR_TRUNCATED : ITP_ERROR_CORRUPT;
}

/* The next record; reads more if no whole record has come yet. */
static int next_in_file(struct itp_perf_records *records, struct itp_perf_record *ret_record,
			uint64_t *ret_next)
{
	const struct itp_growing *growing = records->file->growing;
	int got = itp_perf_file_record(records->file, records->offset, ret_record, ret_next);

	while ((got == 0 || got == ITP_ERROR_TRUNCATED) && growing && !growing->at_end) {
		int error = itp_growing_read(records->file);

		if (error != 0) {
			return error;
		}
		got = itp_perf_file_record(records->file, records->offset, ret_record, ret_next);
	}
	return got;
}

int itp_perf_records_next(struct itp_perf_records *records, struct itp_perf_record *ret_record)
{
	int got = records->unpacker ? next_unpacked(records->unpacker, ret_record) : 0;

	while (got == 0) {
		uint64_t next;

		records->last_offset = records->offset;
		got = next_in_file(records, ret_record, &next);
		if (got == 0) {
			return at_end(records);
		}
		if (got != 1) {
			return got;
		}
		records->offset = next;
		if (ret_record->type == ITP_RECORD_COMPRESSED ||
		    ret_record->type == ITP_RECORD_COMPRESSED2) {
			got = feed(records, ret_record);
			if (got == 0) {
				got = next_unpacked(records->unpacker, ret_record);
			}
		}
	}
	return got;
}

void itp_perf_records_hold(struct itp_perf_records *records, const struct itp_perf_record *record)
{
	if (record->position & UNPACKED_POSITION) {
		records->unpacker->last->holders++;
	}
}

void itp_perf_records_let_go(struct itp_perf_records *records, uint64_t position)
{
	if (position & UNPACKED_POSITION) {
		put_block(records->unpacker, find_block(records->unpacker, position),
			  block_number(position));
	}
}

int itp_perf_records_get(struct itp_perf_records *records, uint64_t position,
			 struct itp_perf_record *ret_record)
{
	uint64_t next;

	if (position & UNPACKED_POSITION) {
		get_unpacked(records->unpacker, position, ret_record);
		return 1;
	}
	return itp_perf_file_record(records->file, position, ret_record, &next);
}

uint64_t itp_perf_records_live_bytes(const struct itp_perf_records *records)
{
	return records->unpacker ? records->unpacker->live_bytes : 0;
}

void itp_perf_records_forget(struct itp_perf_records *records, uint64_t position)
{
	itp_perf_file_forget(records->file,
			     position & UNPACKED_POSITION ? records->offset : position);
}

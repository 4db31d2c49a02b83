/* SPDX-License-Identifier: MIT */
/*
 * Records out of the compressed ones that `perf record -z` writes.
 *
 * All compressed records of a file hold one zstd stream, which is unpacked in blocks as it is
 * read on. A block lives as long as it is being read or one of its records is held, so memory
 * follows what the order in time holds back; a limit stops streams that unpack to far more.
 * Records that continue in the next block begin that block.
 */
#ifndef ITP_PERF_DATA_UNPACK_H
#define ITP_PERF_DATA_UNPACK_H

#include "common/perf-data/file.h"

/* Set in the positions of unpacked records; no file is that large. */
#define ITP_UNPACKED_POSITION (UINT64_C(1) << 63)

struct itp_unpacker;

/* NULL when memory runs out. */
struct itp_unpacker *itp_unpacker_new(void);
void itp_unpacker_free(struct itp_unpacker *unpacker);

/* Goes on with the contents of `record`, which must outlive the reading. Returns 0 or
 * ITP_ERROR_CORRUPT. */
int itp_unpacker_feed(struct itp_unpacker *unpacker, const struct itp_perf_record *record);

/* The next record; its position finds it again while it is held. Returns 1, 0 when more has to be
 * fed, or an error. */
int itp_unpacker_next(struct itp_unpacker *unpacker, struct itp_perf_record *ret_record);

/* Part of a record waits for its continuation. */
bool itp_unpacker_is_inside(const struct itp_unpacker *unpacker);

/* Keeps the record that was read last until its position is released. */
void itp_unpacker_hold(struct itp_unpacker *unpacker);
void itp_unpacker_release(struct itp_unpacker *unpacker, uint64_t position);
/* The held record at `position`. */
void itp_unpacker_get(const struct itp_unpacker *unpacker, uint64_t position,
		      struct itp_perf_record *ret_record);

#endif

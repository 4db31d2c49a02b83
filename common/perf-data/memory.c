/* SPDX-License-Identifier: MIT */
/*
 * Memory of a perf.data file, given back to the system behind the reading.
 */
#include "common/perf-data/file.h"

#include "common/perf-data/growing.h"

static void give_back(struct itp_perf_file *file, uint64_t end)
{
	if (file->growing) {
		itp_growing_forget(file->growing, file->released, end);
	} else {
		itp_file_map_forget(&file->map, file->released, end);
	}
	file->released = end;
}

void itp_perf_file_forget(struct itp_perf_file *file, uint64_t offset)
{
	uint64_t keep = offset / file->forget_bytes * file->forget_bytes;

	/* Stay a step behind: queued records are not much older than the current. */
	if (keep < file->released + 2 * file->forget_bytes) {
		return;
	}
	give_back(file, keep - file->forget_bytes);
}

void itp_perf_file_rewind(struct itp_perf_file *file)
{
	/* A growing file loses memory given back; a part may have nothing. */
	if (file->map.watch) {
		give_back(file, file->data_end);
		file->released = 0;
	}
}

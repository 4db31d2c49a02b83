/* SPDX-License-Identifier: MIT */
/*
 * See rounds.h.
 */
#include "common/perf-data/rounds.h"

#include "common/perf-data/record-types.h"
#include "common/perf-data/sample.h"

/* perf's number for an unknown time. */
#define NO_TIME UINT64_MAX

bool itp_perf_rounds_take(struct itp_perf_rounds *rounds, uint64_t time)
{
	rounds->largest_time = MAX(rounds->largest_time, time);
	return time < rounds->promised_time;
}

void itp_perf_rounds_end(struct itp_perf_rounds *rounds)
{
	rounds->promised_time = MAX(rounds->promised_time, rounds->last_round_time);
	rounds->last_round_time = rounds->largest_time;
	rounds->count = 0;
}

int itp_perf_rounds_time(struct itp_perf_file *file, const struct itp_perf_record *record,
			 uint64_t *ret_time)
{
	int error = itp_perf_record_time(file, record, ret_time);

	if (error == 0 && *ret_time == NO_TIME) {
		*ret_time = 0;
	}
	return error == 0 && *ret_time > INT64_MAX ? ITP_ERROR_CORRUPT : error;
}

/* Adds the record to `late` if it is late. False at a point that the reading will not pass. */
static bool look_at_record(struct itp_perf_rounds *rounds, struct itp_perf_file *file,
			   const struct itp_perf_record *record, GArray *late)
{
	struct itp_perf_place place = { .position = record->position };
	int error;

	if (record->type == ITP_RECORD_FINISHED_ROUND) {
		itp_perf_rounds_end(rounds);
		return true;
	}
	error = itp_perf_rounds_time(file, record, &place.time);
	if (error == 0 && place.time == 0) {
		return true;
	}
	if (error == 0 && itp_perf_rounds_take(rounds, place.time)) {
		g_array_append_val(late, place);
	}
	if (++rounds->count == rounds->length) {
		itp_perf_rounds_end(rounds);
	}
	return error == 0 || error == ITP_ERROR_UNKNOWN_ID;
}

static int compare_record_places(const void *left, const void *right)
{
	const struct itp_perf_place *a = left;
	const struct itp_perf_place *b = right;

	if (a->time != b->time) {
		return a->time < b->time ? -1 : 1;
	}
	return (a->position > b->position) - (a->position < b->position);
}

static bool is_compressed(const struct itp_perf_record *record)
{
	return record->type == ITP_RECORD_COMPRESSED || record->type == ITP_RECORD_COMPRESSED2;
}

GArray *itp_perf_late_records(struct itp_perf_file *file, unsigned int length)
{
	struct itp_perf_rounds rounds = { .length = length };
	GArray *late = g_array_new(FALSE, FALSE, sizeof(struct itp_perf_place));
	uint64_t offset = file->data_begin;
	struct itp_perf_record record = { .type = 0 };

	while (late->len < ITP_MAX_LATE_RECORDS &&
	       itp_perf_file_record(file, offset, &record, &offset) == 1 &&
	       !is_compressed(&record) && look_at_record(&rounds, file, &record, late)) {
		itp_perf_file_forget(file, offset);
	}
	if (is_compressed(&record)) {
		g_clear_pointer(&late, g_array_unref);
	} else {
		g_array_sort(late, compare_record_places);
	}
	itp_perf_file_rewind(file);
	return late;
}

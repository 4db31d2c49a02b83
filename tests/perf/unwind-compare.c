/* SPDX-License-Identifier: MIT */
/*
 * Unwinds every sample of a dwarf recording with our unwinder and with elfutils' libdwfl, compares
 * the frames and measures the time of both:
 *
 *   unwind-compare RECORDING [--differences=N] [--frames] [--reference-samples=N] [--rounds=N]
 *
 * Prints one "name value" pair a line. --frames prints our frames instead, one line a sample: "tid
 * time end: address …", leaf first and return addresses less 1, as perf script does.
 */
#include "tests/perf/unwind-libdwfl.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_FRAMES 256

static const char *const end_names[] = {
	[ITP_UNWIND_ROOT] = "root", [ITP_UNWIND_DEPTH] = "depth", [ITP_UNWIND_NO_RULE] = "no_rule",
	[ITP_UNWIND_BAD] = "bad",   [ITP_UNWIND_LIMIT] = "limit",
};

static const char *const how_names[] = {
	[ITP_UNWIND_REGISTERS] = "registers",
	[ITP_UNWIND_RULE] = "rule",
	[ITP_UNWIND_EXPRESSION] = "expression",
	[ITP_UNWIND_FRAME_POINTER] = "frame_pointer",
};

struct comparison {
	struct itp_unwinder *unwinder;
	/* NULL in rounds that only measure our time. */
	struct reference *reference;
	gint max_differences;
	gint reference_samples;
	uint64_t samples;
	uint64_t frames;
	uint64_t ends[G_N_ELEMENTS(end_names)];
	uint64_t hows[G_N_ELEMENTS(how_names)];
	uint64_t compared;
	uint64_t identical;
	/* Differences by what our side says. */
	uint64_t behind_syscall;
	uint64_t unmapped_leaf;
	uint64_t longer;
	uint64_t other;
	uint64_t reference_frames;
	int64_t reference_ns;
};

static int64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static size_t unwind(struct comparison *comparison, const struct recording_sample *sample,
		     struct itp_unwound_frame *frames, enum itp_unwind_end *ret_end)
{
	return itp_unwind(comparison->unwinder, &sample->input, sample->space, frames, MAX_FRAMES,
			  ret_end);
}

static void print_address(const struct recording_sample *sample, uint64_t address)
{
	const struct itp_mapping *mapping = itp_address_space_find(sample->space, address);

	if (mapping) {
		printf(" %s+%" PRIx64, mapping->module->path,
		       address - mapping->start + mapping->offset);
	} else {
		printf(" %" PRIx64, address);
	}
}

static void print_difference(const struct recording_sample *sample,
			     const struct itp_unwound_frame *ours, size_t our_count,
			     const struct reference_frame *theirs, size_t their_count,
			     enum itp_unwind_end end)
{
	printf("difference pid %" PRIu32 " time %" PRIu64 " end %s stack %zu\n", sample->pid,
	       sample->time, end_names[end], sample->input.stack_bytes);
	for (size_t i = 0; i < MAX(our_count, their_count); i++) {
		bool is_same = i < our_count && i < their_count &&
			       ours[i].address == theirs[i].address &&
			       ours[i].is_exact == theirs[i].is_exact;

		printf("  %2zu %s", i, is_same ? "same  " : "differ");
		if (i < our_count) {
			print_address(sample, ours[i].address);
			printf(" (%s%s)", how_names[ours[i].how],
			       ours[i].is_exact ? ", exact" : "");
		} else {
			printf(" -");
		}
		if (!is_same && i < their_count) {
			printf("   libdwfl:");
			print_address(sample, theirs[i].address);
			printf("%s", theirs[i].is_exact ? " (exact)" : "");
		}
		printf("\n");
	}
}

static void compare(struct comparison *comparison, const struct recording_sample *sample,
		    const struct itp_unwound_frame *ours, size_t our_count, enum itp_unwind_end end)
{
	struct reference_frame theirs[MAX_FRAMES];
	int64_t begin = now_ns();
	size_t their_count =
		reference_unwind(comparison->reference, sample, theirs, G_N_ELEMENTS(theirs));
	size_t common = 0;

	comparison->reference_ns += now_ns() - begin;
	comparison->reference_frames += their_count;
	comparison->compared++;
	while (common < our_count && common < their_count &&
	       ours[common].address == theirs[common].address &&
	       ours[common].is_exact == theirs[common].is_exact) {
		common++;
	}
	if (common == our_count && common == their_count) {
		comparison->identical++;
		return;
	}
	if (!ours[0].is_exact) {
		comparison->behind_syscall++;
	} else if (our_count == 1 && end == ITP_UNWIND_BAD) {
		comparison->unmapped_leaf++;
	} else if (common == their_count) {
		comparison->longer++;
	} else {
		comparison->other++;
	}
	if (comparison->max_differences > 0) {
		comparison->max_differences--;
		print_difference(sample, ours, our_count, theirs, their_count, end);
	}
}

static void visit(void *data, const struct recording_sample *sample)
{
	struct comparison *comparison = data;
	struct itp_unwound_frame frames[MAX_FRAMES];
	enum itp_unwind_end end;
	size_t count = unwind(comparison, sample, frames, &end);

	comparison->samples++;
	comparison->frames += count;
	comparison->ends[end]++;
	for (size_t i = 0; i < count; i++) {
		comparison->hows[frames[i].how]++;
	}
	if (comparison->compared < (uint64_t)comparison->reference_samples) {
		compare(comparison, sample, frames, count, end);
	}
}

static void print_frames(void *data, const struct recording_sample *sample)
{
	struct comparison *comparison = data;
	struct itp_unwound_frame frames[MAX_FRAMES];
	enum itp_unwind_end end;
	size_t count = unwind(comparison, sample, frames, &end);

	printf("%" PRIu32 " %" PRIu64 " %s:", sample->tid, sample->time, end_names[end]);
	for (size_t i = 0; i < count; i++) {
		printf(" %" PRIx64, frames[i].address - (i > 0 && !frames[i].is_exact));
	}
	printf("\n");
}

static void only_unwind(void *data, const struct recording_sample *sample)
{
	struct itp_unwound_frame frames[MAX_FRAMES];
	enum itp_unwind_end end;

	unwind(data, sample, frames, &end);
}

static void only_read(void *data, const struct recording_sample *sample)
{
	(void)data;
	(void)sample;
}

static int64_t walk_ns(struct recording *recording, recording_visit *visitor,
		       struct comparison *comparison)
{
	int64_t begin = now_ns();

	recording_walk(recording, visitor, comparison);
	return now_ns() - begin;
}

/* The first walk reads every rule; the best of the others finds all of them. Reading the
 * recording itself is measured apart and taken off. */
static void measure(struct recording *recording, struct comparison *comparison, int rounds)
{
	int64_t cold_ns;
	int64_t warm_ns = INT64_MAX;
	int64_t reading_ns = INT64_MAX;
	double samples;

	for (int i = 0; i < rounds; i++) {
		reading_ns = MIN(reading_ns, walk_ns(recording, only_read, comparison));
	}
	cold_ns = walk_ns(recording, only_unwind, comparison);
	for (int i = 0; i < rounds; i++) {
		warm_ns = MIN(warm_ns, walk_ns(recording, only_unwind, comparison));
	}
	recording_walk(recording, visit, comparison);
	samples = MAX((double)comparison->samples, 1);
	printf("cold_ns_per_stack %.0f\n", (double)(cold_ns - reading_ns) / samples);
	printf("warm_ns_per_stack %.0f\n", (double)(warm_ns - reading_ns) / samples);
	printf("warm_ns_per_frame %.1f\n",
	       (double)(warm_ns - reading_ns) / MAX((double)comparison->frames, 1));
	printf("reading_ns_per_stack %.0f\n", (double)reading_ns / samples);
}

static void print_counts(const struct comparison *comparison)
{
	uint64_t deep_enough = comparison->samples - comparison->ends[ITP_UNWIND_DEPTH];

	printf("samples %" PRIu64 "\nframes %" PRIu64 "\n", comparison->samples,
	       comparison->frames);
	for (size_t i = 0; i < G_N_ELEMENTS(end_names); i++) {
		printf("end_%s %" PRIu64 "\n", end_names[i], comparison->ends[i]);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(how_names); i++) {
		printf("frames_by_%s %" PRIu64 "\n", how_names[i], comparison->hows[i]);
	}
	printf("root_percent %.3f\n",
	       100.0 * (double)comparison->ends[ITP_UNWIND_ROOT] / MAX((double)deep_enough, 1));
	if (comparison->compared > 0) {
		printf("compared %" PRIu64 "\nidentical %" PRIu64 "\n", comparison->compared,
		       comparison->identical);
		printf("identical_percent %.3f\n",
		       100.0 * (double)comparison->identical / (double)comparison->compared);
		printf("different_behind_syscall %" PRIu64 "\n", comparison->behind_syscall);
		printf("different_unmapped_leaf %" PRIu64 "\n", comparison->unmapped_leaf);
		printf("different_longer %" PRIu64 "\n", comparison->longer);
		printf("different_other %" PRIu64 "\n", comparison->other);
		printf("libdwfl_ns_per_stack %.0f\n",
		       (double)comparison->reference_ns / (double)comparison->compared);
	}
}

int main(int argc, char **argv)
{
	struct comparison comparison = { .reference_samples = G_MAXINT };
	gboolean has_frames = FALSE;
	gint rounds = 3;
	const GOptionEntry entries[] = {
		{ "differences", 0, 0, G_OPTION_ARG_INT, &comparison.max_differences, "", "N" },
		{ "reference-samples", 0, 0, G_OPTION_ARG_INT, &comparison.reference_samples, "",
		  "N" },
		{ "rounds", 0, 0, G_OPTION_ARG_INT, &rounds, "", "N" },
		{ "frames", 0, 0, G_OPTION_ARG_NONE, &has_frames, "", NULL },
		{ .long_name = NULL },
	};
	g_autoptr(GOptionContext) options = g_option_context_new("RECORDING");
	struct recording *recording;

	g_option_context_add_main_entries(options, entries, NULL);
	if (!g_option_context_parse(options, &argc, &argv, NULL) || argc != 2) {
		fprintf(stderr, "usage: unwind-compare RECORDING\n");
		return 2;
	}
	recording = recording_open(argv[1]);
	comparison.unwinder = itp_unwinder_new(recording_resolve);
	comparison.reference = reference_new();
	if (has_frames) {
		recording_walk(recording, print_frames, &comparison);
	} else {
		measure(recording, &comparison, rounds);
		print_counts(&comparison);
	}
	reference_free(comparison.reference);
	itp_unwinder_free(comparison.unwinder);
	recording_close(recording);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * Unwinds every sample of a dwarf recording with our unwinder and with elfutils' libdwfl, compares
 * the frames and measures the time of both:
 *
 *   unwind-compare RECORDING [--differences=N] [--frames] [--rounds=N]
 *
 * Prints one "name value" pair a line. --frames prints our frames instead, one line a sample: "tid
 * time end leaf: address …", leaf first and return addresses less 1, as perf script does; `leaf`
 * is what the thread stands behind.
 */
#include "tests/perf/unwind-libdwfl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const end_names[ITP_STACK_END_COUNT] = {
	[ITP_STACK_END_UNKNOWN] = "unknown",       [ITP_STACK_END_ROOT] = "root",
	[ITP_STACK_END_DEPTH] = "depth",           [ITP_STACK_END_UNWIND] = "unwind",
	[ITP_STACK_END_SHORT_COPY] = "short-copy",
};

static const char *const how_names[] = {
	[ITP_UNWIND_REGISTERS] = "registers",
	[ITP_UNWIND_RULE] = "rule",
	[ITP_UNWIND_EXPRESSION] = "expression",
	[ITP_UNWIND_FRAME_POINTER] = "frame_pointer",
};

/* How the frames of one stack compare. */
enum kind {
	IDENTICAL,
	/* libdwfl's stack is the beginning of ours; told apart by what the thread stands behind. */
	SHORTER_SIGRETURN,
	SHORTER_CLONE3,
	SHORTER_OTHER,
	/* Ours is the beginning of libdwfl's. */
	LONGER,
	/* A frame differs. */
	DIFFERENT,
	/* Neither behind such a system call nor anywhere with rules: right at the beginning of code
	 * without any (.fini, say). The row before serves us, libdwfl follows the frame pointer.
	 * Or our last frame is in such code, as that of the compiler's own files is that runs at
	 * the end of a program, and libdwfl follows the frame pointer there. */
	NO_RULE,
	/* Nothing is mapped where the thread stands: it is in the middle of an exec, with registers
	 * of its old program, or perf lost what it said about mappings. We stop there, libdwfl
	 * follows the frame pointer. */
	UNMAPPED,
};

static const char *const kind_names[] = {
	[IDENTICAL] = "identical",
	[SHORTER_SIGRETURN] = "shorter_behind_sigreturn",
	[SHORTER_CLONE3] = "shorter_behind_clone3",
	[SHORTER_OTHER] = "shorter_otherwise",
	[LONGER] = "longer",
	[DIFFERENT] = "different",
	[NO_RULE] = "no_rule",
	[UNMAPPED] = "unmapped",
};

/* System calls that end the code with rules, as glibc's x86-64 code makes them. */
struct leaf_code {
	enum kind kind;
	const char *name;
	size_t size;
	uint8_t bytes[9];
};

/* From behind the system call back into the instruction before it, where there are rules. */
#define BACK_BYTES 3

static const struct leaf_code leaf_codes[] = {
	/* mov $15, %rax */
	{ SHORTER_SIGRETURN,
	  "sigreturn",
	  9,
	  { 0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05 } },
	/* mov $435, %eax */
	{ SHORTER_CLONE3, "clone3", 7, { 0xb8, 0xb3, 0x01, 0x00, 0x00, 0x0f, 0x05 } },
};

struct comparison {
	struct recording recording;
	struct itp_user_stacks *stacks;
	struct reference *reference;
	gint max_differences;
	uint64_t frames;
	uint64_t ends[ITP_STACK_END_COUNT];
	/* Stacks that end in code without rules, as in the .init of OpenSSL's library, which asks
	 * the CPU for its abilities: a virtual machine is slow to answer. */
	uint64_t ends_without_rule;
	uint64_t hows[G_N_ELEMENTS(how_names)];
	uint64_t kinds[G_N_ELEMENTS(kind_names)];
	/* Of the shorter ones: libdwfl finds our frames when it is told that the thread stands
	 * before the system call instead of behind it. */
	uint64_t as_before_syscall;
	/* Stacks of libdwfl that go on at an address where nothing is mapped. */
	uint64_t strays;
	int64_t reference_ns;
};

static int64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static struct itp_user_stack unwind(const struct comparison *comparison,
				    const struct recording_sample *sample)
{
	return itp_user_stacks_unwind(comparison->stacks, &sample->user, sample->space);
}

/* What the thread stands behind, NULL for anything else. */
static const struct leaf_code *leaf_code(const struct recording_sample *sample, uint64_t address)
{
	uint64_t offset;
	const char *path = recording_place(sample, address - 1, &offset);
	g_autoptr(GMappedFile) file = path ? g_mapped_file_new(path, FALSE, NULL) : NULL;

	for (size_t i = 0; file && i < G_N_ELEMENTS(leaf_codes); i++) {
		const struct leaf_code *code = &leaf_codes[i];

		if (offset + 1 >= code->size && offset < g_mapped_file_get_length(file) &&
		    memcmp(g_mapped_file_get_contents(file) + offset + 1 - code->size, code->bytes,
			   code->size) == 0) {
			return code;
		}
	}
	return NULL;
}

static void print_address(const struct recording_sample *sample, uint64_t address)
{
	uint64_t offset;
	const char *path = recording_place(sample, address, &offset);

	if (path) {
		printf(" %s+%" PRIx64, path, offset);
	} else {
		printf(" %" PRIx64, address);
	}
}

static bool is_mapped(const struct recording_sample *sample, uint64_t address)
{
	uint64_t offset;

	return recording_place(sample, address, &offset) != NULL;
}

/* What is looked up for a leaf's name differs when the row before it had to serve; where the thread
 * is does not. */
static bool is_same(const struct itp_user_stack *ours, const struct reference_frame *theirs,
		    size_t their_count, size_t i)
{
	return i < ours->count && i < their_count && ours->frames[i].address == theirs[i].address &&
	       (i == 0 || ours->frames[i].is_exact == theirs[i].is_exact);
}

static void print_difference(const struct recording_sample *sample,
			     const struct itp_user_stack *ours,
			     const struct reference_frame *theirs, size_t their_count)
{
	printf("difference tid %" PRId32 " time %" PRIu64 " end %s stack %zu\n", sample->tid,
	       sample->time, end_names[ours->end], sample->user.stack.size);
	for (size_t i = 0; i < MAX(ours->count, their_count); i++) {
		bool same = is_same(ours, theirs, their_count, i);

		printf("  %2zu %s", i, same ? "same  " : "differ");
		if (i < ours->count) {
			print_address(sample, ours->frames[i].address);
			printf(" (%s%s)", how_names[ours->frames[i].how],
			       ours->frames[i].is_exact ? ", exact" : "");
		} else {
			printf(" -");
		}
		if (!same && i < their_count) {
			printf("   libdwfl:");
			print_address(sample, theirs[i].address);
			printf("%s", theirs[i].is_exact ? " (exact)" : "");
		}
		printf("\n");
	}
}

/* Without rules libdwfl follows the frame pointer, wherever that leads; and both show an address
 * that is nowhere when that is what was saved. Neither counts as a frame, unless the thread itself
 * is there. */
static size_t cut_ours(const struct recording_sample *sample, const struct itp_user_stack *ours)
{
	size_t i = MIN(ours->count, 1);

	while (i < ours->count && is_mapped(sample, ours->frames[i].address)) {
		i++;
	}
	return i;
}

static size_t cut_theirs(const struct recording_sample *sample,
			 const struct reference_frame *frames, size_t count)
{
	size_t i = MIN(count, 1);

	while (i < count && is_mapped(sample, frames[i].address)) {
		i++;
	}
	return i;
}

/* Whether there are rules where our last frame called, or is. */
static bool has_last_rule(const struct comparison *comparison,
			  const struct recording_sample *sample, const struct itp_user_stack *ours)
{
	const struct itp_unwound_frame *last = &ours->frames[ours->count - 1];

	return reference_has_rule(comparison->reference, sample,
				  last->address - (last->is_exact ? 0 : 1));
}

static enum kind kind_of(const struct comparison *comparison, const struct recording_sample *sample,
			 const struct itp_user_stack *ours, const struct reference_frame *theirs,
			 size_t their_count)
{
	const struct leaf_code *code;
	size_t common = 0;

	while (is_same(ours, theirs, their_count, common)) {
		common++;
	}
	if (common == ours->count && common == their_count) {
		return IDENTICAL;
	}
	if (their_count > 0 && !is_mapped(sample, theirs[0].address)) {
		return UNMAPPED;
	}
	code = ours->count > 0 ? leaf_code(sample, ours->frames[0].address) : NULL;
	if (ours->count > 0 && !ours->frames[0].is_exact && !code) {
		return NO_RULE;
	}
	if (common == ours->count) {
		return common > 0 && !has_last_rule(comparison, sample, ours) ? NO_RULE : LONGER;
	}
	if (common < their_count || common == 0) {
		return DIFFERENT;
	}
	return code ? code->kind : SHORTER_OTHER;
}

/* libdwfl's frames above the leaf are ours when it is told that the thread has not made its system
 * call yet. */
static bool agrees_before_syscall(const struct comparison *comparison,
				  const struct recording_sample *sample,
				  const struct itp_user_stack *ours)
{
	struct reference_frame theirs[ITP_UNWIND_MAX_FRAMES];
	size_t count = reference_unwind(comparison->reference, sample, BACK_BYTES, theirs,
					G_N_ELEMENTS(theirs));
	size_t common = 1;

	while (is_same(ours, theirs, count, common)) {
		common++;
	}
	return common == ours->count && common == cut_theirs(sample, theirs, count);
}

static void compare(struct comparison *comparison, const struct recording_sample *sample,
		    struct itp_user_stack *ours)
{
	struct reference_frame theirs[ITP_UNWIND_MAX_FRAMES];
	int64_t begin = now_ns();
	const struct leaf_code *code;
	bool is_behind_call;
	bool agrees;
	size_t all =
		reference_unwind(comparison->reference, sample, 0, theirs, G_N_ELEMENTS(theirs));
	size_t count;
	enum kind kind;

	comparison->reference_ns += now_ns() - begin;
	count = cut_theirs(sample, theirs, all);
	ours->count = cut_ours(sample, ours);
	kind = kind_of(comparison, sample, ours, theirs, count);
	is_behind_call = kind == SHORTER_SIGRETURN || kind == SHORTER_CLONE3;
	agrees = (is_behind_call || kind == DIFFERENT) &&
		 agrees_before_syscall(comparison, sample, ours);
	/* From elfutils 0.190 on it does not stop where it has no rules, but tries the frame
	 * pointer, and misses who called. */
	code = kind == DIFFERENT && agrees ? leaf_code(sample, ours->frames[0].address) : NULL;
	if (code) {
		kind = code->kind;
		is_behind_call = true;
	}
	comparison->kinds[kind]++;
	comparison->strays += count < all;
	if (is_behind_call) {
		comparison->as_before_syscall += agrees;
	} else if (kind != IDENTICAL && comparison->max_differences > 0) {
		comparison->max_differences--;
		print_difference(sample, ours, theirs, count);
	}
}

static void count_and_compare(struct comparison *comparison)
{
	for (guint i = 0; i < comparison->recording.samples->len; i++) {
		const struct recording_sample *sample = recording_sample(&comparison->recording, i);
		struct itp_user_stack stack = unwind(comparison, sample);

		comparison->frames += stack.count;
		comparison->ends[stack.end]++;
		comparison->ends_without_rule += stack.end == ITP_STACK_END_UNWIND &&
						 stack.count > 0 &&
						 !has_last_rule(comparison, sample, &stack);
		for (size_t j = 0; j < stack.count; j++) {
			comparison->hows[stack.frames[j].how]++;
		}
		compare(comparison, sample, &stack);
	}
}

static void print_frames(const struct comparison *comparison)
{
	for (guint i = 0; i < comparison->recording.samples->len; i++) {
		const struct recording_sample *sample = recording_sample(&comparison->recording, i);
		struct itp_user_stack stack = unwind(comparison, sample);
		const struct leaf_code *code =
			stack.count > 0 ? leaf_code(sample, stack.frames[0].address) : NULL;

		printf("%" PRId32 " %" PRIu64 " %s %s:", sample->tid, sample->time,
		       end_names[stack.end], code ? code->name : "-");
		for (size_t j = 0; j < stack.count; j++) {
			printf(" %" PRIx64,
			       stack.frames[j].address - (j > 0 && !stack.frames[j].is_exact));
		}
		printf("\n");
	}
}

static int64_t unwind_all_ns(const struct comparison *comparison)
{
	int64_t begin = now_ns();

	for (guint i = 0; i < comparison->recording.samples->len; i++) {
		unwind(comparison, recording_sample(&comparison->recording, i));
	}
	return now_ns() - begin;
}

/* The first time reads every rule; the best of the others finds all of them. */
static void measure(const struct comparison *comparison, int rounds)
{
	double samples = MAX((double)comparison->recording.samples->len, 1);
	int64_t cold_ns = unwind_all_ns(comparison);
	int64_t warm_ns = INT64_MAX;

	for (int i = 0; i < rounds; i++) {
		warm_ns = MIN(warm_ns, unwind_all_ns(comparison));
	}
	printf("cold_ns_per_stack %.0f\n", (double)cold_ns / samples);
	printf("warm_ns_per_stack %.0f\n", (double)warm_ns / samples);
}

static void print_counts(const struct comparison *comparison)
{
	uint64_t samples = comparison->recording.samples->len;
	uint64_t followable = samples - comparison->ends[ITP_STACK_END_DEPTH] -
			      comparison->ends[ITP_STACK_END_SHORT_COPY] -
			      comparison->ends_without_rule;

	printf("samples %" PRIu64 "\nframes %" PRIu64 "\n", samples, comparison->frames);
	for (size_t i = 0; i < G_N_ELEMENTS(end_names); i++) {
		printf("end_%s %" PRIu64 "\n", end_names[i], comparison->ends[i]);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(how_names); i++) {
		printf("frames_by_%s %" PRIu64 "\n", how_names[i], comparison->hows[i]);
	}
	printf("end_without_rule %" PRIu64 "\n", comparison->ends_without_rule);
	printf("root_percent %.3f\n",
	       100.0 * (double)comparison->ends[ITP_STACK_END_ROOT] / MAX((double)followable, 1));
	for (size_t i = 0; i < G_N_ELEMENTS(kind_names); i++) {
		printf("libdwfl_%s %" PRIu64 "\n", kind_names[i], comparison->kinds[i]);
	}
	printf("libdwfl_strays %" PRIu64 "\n", comparison->strays);
	printf("libdwfl_as_before_syscall %" PRIu64 "\n", comparison->as_before_syscall);
	printf("libdwfl_ns_per_stack %.0f\n",
	       (double)comparison->reference_ns / MAX((double)samples, 1));
}

int main(int argc, char **argv)
{
	struct comparison comparison = { .max_differences = 0 };
	gboolean has_frames = FALSE;
	gint rounds = 3;
	const GOptionEntry entries[] = {
		{ "differences", 0, 0, G_OPTION_ARG_INT, &comparison.max_differences, "", "N" },
		{ "rounds", 0, 0, G_OPTION_ARG_INT, &rounds, "", "N" },
		{ "frames", 0, 0, G_OPTION_ARG_NONE, &has_frames, "", NULL },
		{ .long_name = NULL },
	};
	g_autoptr(GOptionContext) options = g_option_context_new("RECORDING");

	g_option_context_add_main_entries(options, entries, NULL);
	if (!g_option_context_parse(options, &argc, &argv, NULL) || argc != 2) {
		fprintf(stderr, "usage: unwind-compare RECORDING\n");
		return 2;
	}
	recording_open(&comparison.recording, argv[1]);
	comparison.stacks = itp_user_stacks_new(NULL);
	comparison.reference = reference_new(&comparison.recording);
	if (has_frames) {
		print_frames(&comparison);
	} else {
		measure(&comparison, rounds);
		count_and_compare(&comparison);
		print_counts(&comparison);
	}
	reference_free(comparison.reference);
	itp_user_stacks_free(comparison.stacks);
	recording_close(&comparison.recording);
	return 0;
}

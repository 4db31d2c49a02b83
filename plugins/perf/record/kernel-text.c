/* SPDX-License-Identifier: MIT */
/*
 * See kernel-text.h.
 */
#include "plugins/perf/record/kernel-text.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/known/kernel-roles.h"

#define LINE_BYTES 512
/* Column of a name, behind an address of 16 digits and a letter between blanks. */
#define NAME_PLACE 19
/* Most frames between the leaf and the tracepoint. */
#define TRACING_MOST 8

/* Function of the previous line, which ends at the next line's address. */
struct open {
	bool is_tracing;
	bool is_interrupt;
	/* Begin of the interrupt's entry. */
	uint64_t interrupt;
};

static gint compare_begins(gconstpointer a, gconstpointer b)
{
	const struct itp_recorder_range *one = a;
	const struct itp_recorder_range *other = b;

	return (one->begin > other->begin) - (one->begin < other->begin);
}

/* Symbols come by address, those of modules behind those of the kernel; each ends at the begin of
 * the next. */
static void take_line(struct itp_recorder_kernel_text *text, char *line, struct open *open)
{
	const uint64_t address = strtoull(line, NULL, 16);
	const char *name = line + NAME_PLACE;
	struct itp_recorder_range range = { .begin = address, .end = address };

	line[strcspn(line, "\n")] = '\0';
	if (open->is_tracing) {
		struct itp_recorder_range *last = &g_array_index(
			text->tracing, struct itp_recorder_range, text->tracing->len - 1);

		last->end = MAX(address, last->begin);
		open->is_tracing = last->end == last->begin;
	}
	if (open->is_interrupt) {
		text->interrupts.end = address;
		open->is_interrupt = address == open->interrupt;
	}
	if (strcmp(name, "_text") == 0) {
		text->begin = address;
	} else if (strcmp(name, "_etext") == 0) {
		text->end = address;
	} else if (itp_kernel_role_is_tracing(name)) {
		g_array_append_val(text->tracing, range);
		open->is_tracing = true;
	} else if (itp_kernel_role_is_interrupt(name)) {
		text->interrupts.begin = text->interrupts.begin ? text->interrupts.begin : address;
		open->interrupt = address;
		open->is_interrupt = true;
	}
}

void itp_recorder_kernel_text_init(struct itp_recorder_kernel_text *text, const char *path)
{
	FILE *file = fopen(path, "re");
	char line[LINE_BYTES];
	struct open open = { .is_tracing = false };

	*text = (struct itp_recorder_kernel_text){
		.tracing = g_array_new(FALSE, FALSE, sizeof(struct itp_recorder_range)),
	};
	while (file && fgets(line, sizeof(line), file)) {
		if (strlen(line) > NAME_PLACE) {
			take_line(text, line, &open);
		}
	}
	g_array_sort(text->tracing, compare_begins);
	if (file) {
		fclose(file);
	}
}

void itp_recorder_kernel_text_release(struct itp_recorder_kernel_text *text)
{
	g_array_unref(text->tracing);
}

static gint compare_with_address(gconstpointer range, gconstpointer address)
{
	const struct itp_recorder_range *one = range;
	const uint64_t *other = address;

	return *other >= one->end ? -1 : one->begin > *other;
}

static bool is_in_tracing(const struct itp_recorder_kernel_text *text, uint64_t address)
{
	return g_array_binary_search(text->tracing, &address, compare_with_address, NULL);
}

guint itp_recorder_kernel_text_skip(const struct itp_recorder_kernel_text *text,
				    const uint64_t *frames, guint count)
{
	guint skipped = 0;

	for (guint i = 0; i < MIN(count, TRACING_MOST); i++) {
		if (is_in_tracing(text, frames[i] - 1)) {
			skipped = i + 1;
		}
	}
	return skipped;
}

/* SPDX-License-Identifier: MIT */
/*
 * Folded stacks, as flamegraph.pl, difffolded.pl and others read them: a line for each context,
 * its functions from the root on with ";" in between, a blank, and a number or two.
 *
 * Names hold neither a line end nor a ";", and the last one does not end like a number.
 */
#include "common/render/export/writers.h"

#include <inttypes.h>
#include <string.h>

#include "common/base/labels.h"

struct folded {
	const struct itp_export_tree *tree;
	bool has_two;
	/* Name of each function as a frame, NULL until needed. Owned by this. */
	char **frames;
	/* uint32_t, of the path at hand. */
	GArray *path;
};

/* "operator new 2" would be taken for a name and a first value. */
static void hide_number(char *frame)
{
	char *digits = frame + strlen(frame);

	while (digits > frame && (g_ascii_isdigit(digits[-1]) || digits[-1] == '.')) {
		digits--;
	}
	if (digits > frame && *digits != '\0' && digits[-1] == ' ') {
		digits[-1] = '_';
	}
}

static const char *frame_of(struct folded *folded, uint32_t function)
{
	if (!folded->frames[function]) {
		char *frame = itp_label_function(
			itp_function_table_get(folded->tree->functions, function));

		g_strdelimit(frame, ";", ':');
		hide_number(frame);
		folded->frames[function] = frame;
	}
	return folded->frames[function];
}

static void write_node(struct folded *folded, uint32_t node, FILE *stream)
{
	int64_t own_ns = itp_export_own_ns(folded->tree->suspect, node);
	int64_t base_own_ns = folded->has_two ? itp_export_own_ns(folded->tree->base, node) : 0;

	if (own_ns == 0 && base_own_ns == 0) {
		return;
	}
	itp_context_tree_path(folded->tree->contexts, node, folded->path);
	for (guint i = 0; i < folded->path->len; i++) {
		fputs(i == 0 ? "" : ";", stream);
		fputs(frame_of(folded, g_array_index(folded->path, uint32_t, i)), stream);
	}
	if (folded->has_two) {
		fprintf(stream, " %" PRId64, base_own_ns);
	}
	fprintf(stream, " %" PRId64 "\n", own_ns);
}

static int write_folded(const struct itp_export_tree *tree, bool has_two, FILE *stream)
{
	uint32_t function_count = itp_function_table_size(tree->functions);
	struct folded folded = {
		.tree = tree,
		.has_two = has_two,
		.frames = g_new0(char *, function_count),
		.path = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
	};

	for (uint32_t node = 1; node < itp_context_tree_size(tree->contexts); node++) {
		write_node(&folded, node, stream);
	}
	for (uint32_t i = 0; i < function_count; i++) {
		g_free(folded.frames[i]);
	}
	g_free(folded.frames);
	g_array_unref(folded.path);
	return 0;
}

int itp_export_folded(const struct itp_export_input *input, FILE *stream)
{
	return write_folded(input->tree, false, stream);
}

int itp_export_folded2(const struct itp_export_input *input, FILE *stream)
{
	return write_folded(input->tree, true, stream);
}

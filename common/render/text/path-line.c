/* SPDX-License-Identifier: MIT */
/*
 * A path as a person would tell it. Frames are taken in the order of their weight: the culprit,
 * both ends, the program's own caller, differences from other paths of the culprit, the system
 * call, the neighbours of the culprit, the hottest frame, a further caller, the frames where
 * control enters another module, then the next hottest ones; as many as fit into two lines. "…"
 * stands for the frames between. The culprit and the ends are always there. A path begins with the
 * program: start-up code of a C library before main is left out.
 */
#include "common/render/text/page.h"

#include <string.h>

#include "common/base/labels.h"
#include "common/known/starts.h"
#include "common/render/entries.h"
#include "common/render/table.h"

#define INDENT 6
#define INDENT_MORE 8
#define LINES_WANTED 2
/* Most frames that a reader takes in. */
#define FRAMES_MOST 12
#define ENDS_AND_CULPRIT 3
/* Frames next to the root searched for start-up code. */
#define START_FRAMES_MOST 6
/* Other paths from which a path is told, and frames for it. */
#define OTHERS_MOST 20
#define PARTINGS_MOST 2
#define PROCESS_COLUMNS 24
#define NAME_COLUMNS_LEAST 24

#define SEPARATOR "\u203a "
#define SEPARATOR_COLUMNS 2
#define GAP_MARK "\u2026"
#define CULPRIT_MARK " \u25c0 culprit"
#define CULPRIT_MARK_COLUMNS 10

/* Lines while they are being filled. */
struct layout {
	GString *output;
	unsigned int width;
	unsigned int column;
	unsigned int lines;
};

static const struct itp_function *function_of_frame(const struct itp_ranking *ranking,
						    const struct itp_ranked_path *path,
						    uint32_t frame)
{
	return itp_function_table_get(ranking->functions, path->frames[frame].function);
}

/* True for a frame next to the root that starts every program or thread. */
static bool is_start_frame(const struct itp_function *function)
{
	return itp_start_is_next_to_root(function->name, function->module);
}

/* Index of the first frame shown: of the program's own code if it comes soon. */
static uint32_t first_frame(const struct itp_ranking *ranking, const struct itp_ranked_path *path)
{
	uint32_t frame = 0;

	while (frame < MIN(path->frame_count, START_FRAMES_MOST) &&
	       &path->frames[frame] != itp_path_face(path) &&
	       is_start_frame(function_of_frame(ranking, path, frame))) {
		frame++;
	}
	return frame < path->frame_count &&
			       function_of_frame(ranking, path, frame)->layer == ITP_LAYER_USER ?
		       frame :
		       0;
}

static void put(struct layout *layout, const char *text, bool first)
{
	unsigned int columns = itp_label_columns(text);
	unsigned int between = first ? 0 : SEPARATOR_COLUMNS;

	if (!first && layout->column + 1 + between + columns > layout->width) {
		g_string_append_c(layout->output, '\n');
		itp_label_pad(layout->output, INDENT_MORE);
		layout->column = INDENT_MORE;
		layout->lines++;
	} else {
		g_string_append_c(layout->output, ' ');
		layout->column++;
	}
	g_string_append(layout->output, first ? "" : SEPARATOR);
	g_string_append(layout->output, text);
	layout->column += between + columns;
}

/* Name of a frame, as long as it may be, with the mark of the culprit. */
static char *frame_text(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			uint32_t frame, unsigned int width)
{
	g_autofree char *name = itp_label_function(function_of_frame(ranking, path, frame));
	unsigned int most = MAX(width / 2, NAME_COLUMNS_LEAST);
	g_autofree char *fitting = NULL;

	if (path->culprit == (int32_t)frame) {
		most = width - INDENT_MORE - 1 - SEPARATOR_COLUMNS - CULPRIT_MARK_COLUMNS;
	}
	fitting = itp_label_shorten_function(name, most);
	if (&path->frames[frame] == itp_path_face(path)) {
		fitting = itp_style_take(ITP_STYLE_FACE, g_steal_pointer(&fitting));
	}
	return g_strconcat(fitting, path->culprit == (int32_t)frame ? CULPRIT_MARK : "", NULL);
}

static void put_process(struct layout *layout, const struct itp_ranking *ranking,
			const struct itp_ranked_path *path)
{
	const struct itp_function *process =
		itp_function_table_get(ranking->functions, path->process);
	g_autofree char *name = itp_label_clean(process->name);
	g_autofree char *fitting = itp_label_shorten(name, PROCESS_COLUMNS);

	itp_label_pad(layout->output, INDENT);
	g_string_append(layout->output, fitting);
	g_string_append_c(layout->output, ':');
	layout->column = INDENT + itp_label_columns(fitting) + 1;
}

/* Appends the frames with `chosen` set; returns the number of lines. */
static unsigned int lay_out_frames(const struct itp_ranking *ranking,
				   const struct itp_ranked_path *path, const bool *chosen,
				   unsigned int width, GString *output)
{
	struct layout layout = { .output = output, .width = width, .lines = 1 };
	uint32_t first = first_frame(ranking, path);
	bool in_gap = false;

	put_process(&layout, ranking, path);
	for (uint32_t i = first; i < path->frame_count; i++) {
		if (chosen[i]) {
			g_autofree char *text = frame_text(ranking, path, i, width);

			put(&layout, text, i == first);
		} else if (!in_gap) {
			put(&layout, GAP_MARK, false);
		}
		in_gap = !chosen[i];
	}
	return layout.lines;
}

/* Frames in the order of their weight. */
struct wish_list {
	/* uint32_t, indices of frames. Owned by this. */
	GArray *order;
	/* By frame. Owned by this. */
	bool *wanted;
	/* Only frames in [first, end) can be wanted. */
	int64_t first;
	int64_t end;
};

static void want(struct wish_list *list, int64_t frame)
{
	uint32_t index = (uint32_t)frame;

	if (frame >= list->first && frame < list->end && !list->wanted[index]) {
		list->wanted[index] = true;
		g_array_append_val(list->order, index);
	}
}

static gint compare_rank(gconstpointer a, gconstpointer b, gpointer frames)
{
	const struct itp_ranked_frame *first = frames;
	const struct itp_ranked_frame *x = &first[*(const uint32_t *)a];
	const struct itp_ranked_frame *y = &first[*(const uint32_t *)b];

	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static void want_by_rank(struct wish_list *list, const struct itp_ranked_path *path)
{
	GArray *frames = g_array_sized_new(FALSE, FALSE, sizeof(uint32_t), path->frame_count);

	for (uint32_t i = 0; i < path->frame_count; i++) {
		g_array_append_val(frames, i);
	}
	g_array_sort_with_data(frames, compare_rank, path->frames);
	for (guint i = 0; i < frames->len; i++) {
		want(list, g_array_index(frames, uint32_t, i));
	}
	g_array_free(frames, TRUE);
}

/* Frames where control enters another module, from the leaf to the root. */
static void want_module_entries(struct wish_list *list, const struct itp_ranking *ranking,
				const struct itp_ranked_path *path)
{
	for (uint32_t i = path->frame_count; i-- > 1;) {
		if (strcmp(function_of_frame(ranking, path, i)->module,
			   function_of_frame(ranking, path, i - 1)->module) != 0) {
			want(list, i);
		}
	}
}

/* Index of the nearest caller of `frame` in the program's own code, past runtimes and libraries;
 * -1 without any. */
static int64_t own_caller(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			  int64_t frame)
{
	const struct itp_module_kinds *kinds = ranking->options.modules;

	do {
		frame--;
	} while (frame >= 0 && !itp_module_kind_is_own(itp_module_kind_of(
				       kinds, function_of_frame(ranking, path, (uint32_t)frame))));
	return frame;
}

/* Index of the first frame in which two paths differ. */
static uint32_t parting(const struct itp_ranked_path *path, const struct itp_ranked_path *other)
{
	uint32_t frame = 0;

	while (frame < path->frame_count && frame < other->frame_count &&
	       path->frames[frame].function == other->frames[frame].function) {
		frame++;
	}
	return frame;
}

/* Frames that tell this path from others of the same culprit, which would look alike. */
static void want_partings(struct wish_list *list, const struct itp_ranking *ranking,
			  const struct itp_ranked_path *path)
{
	uint32_t wanted = 0;

	for (guint i = 0; i < MIN(ranking->paths->len, OTHERS_MOST) && path->culprit >= 0; i++) {
		const struct itp_ranked_path *other = itp_path_at(ranking, i);
		uint32_t frame = parting(path, other);

		if (other->culprit >= 0 && wanted < PARTINGS_MOST &&
		    frame < (uint32_t)path->culprit && frame > list->first &&
		    itp_path_face(other)->function == itp_path_face(path)->function) {
			wanted += !list->wanted[frame];
			want(list, frame);
		}
	}
}

/* Wants all frames, the weightiest first. */
static void fill_wish_list(struct wish_list *list, const struct itp_ranking *ranking,
			   const struct itp_ranked_path *path)
{
	int64_t face = itp_path_face(path) - path->frames;
	int64_t hottest = face;

	want(list, face);
	want(list, list->first);
	want(list, list->end - 1);
	want(list, own_caller(ranking, path, face));
	want_partings(list, ranking, path);
	for (uint32_t i = 0; i < path->frame_count; i++) {
		hottest = path->frames[i].rank == 1 ? i : hottest;
		if (function_of_frame(ranking, path, i)->layer == ITP_LAYER_SYSCALL) {
			want(list, i);
		}
	}
	want(list, face + 1);
	want(list, face - 1);
	want(list, hottest);
	want(list, face - 2);
	want_module_entries(list, ranking, path);
	want(list, hottest - 1);
	want(list, hottest + 1);
	want_by_rank(list, path);
}

/* Sets `chosen` for as many frames as say something and fit. */
static void choose_frames(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			  unsigned int width, bool *chosen)
{
	struct wish_list list = {
		.order = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
		.wanted = g_new0(bool, path->frame_count),
		.first = first_frame(ranking, path),
		.end = path->frame_count,
	};
	GString *scratch = g_string_new(NULL);

	fill_wish_list(&list, ranking, path);
	for (guint i = 0; i < MIN(list.order->len, FRAMES_MOST); i++) {
		uint32_t frame = g_array_index(list.order, uint32_t, i);

		chosen[frame] = true;
		g_string_truncate(scratch, 0);
		if (i >= ENDS_AND_CULPRIT &&
		    lay_out_frames(ranking, path, chosen, width, scratch) > LINES_WANTED) {
			chosen[frame] = false;
		}
	}
	g_string_free(scratch, TRUE);
	g_array_free(list.order, TRUE);
	g_free(list.wanted);
}

void itp_path_line_append(const struct itp_ranking *ranking, const struct itp_ranked_path *path,
			  unsigned int width, GString *output)
{
	g_autofree bool *chosen = g_new0(bool, path->frame_count + 1);

	if (path->frame_count == 0) {
		return;
	}
	choose_frames(ranking, path, width, chosen);
	lay_out_frames(ranking, path, chosen, width, output);
	g_string_append_c(output, '\n');
}

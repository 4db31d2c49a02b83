/* SPDX-License-Identifier: MIT */
/*
 * See unit.h: text.
 */
#include <string.h>

#include "common/base/context-function.h"
#include "common/base/hash.h"
#include "common/base/labels.h"
#include "common/render/table.h"
#include "common/render/unit/unit.h"
#include "common/render/units.h"

#define INDENT 2
#define ROW_INDENT 6
/* Least number of units for a usual time. */
#define UNITS_LEAST 10

/* Sums over all types of a loop. */
struct loop {
	uint32_t node;
	uint32_t wait;
	uint64_t count;
	int64_t total_ns;
	/* Type with the signalling units, and the number of signalled ones. */
	uint32_t signaller;
	uint64_t signalled;
	/* const struct itp_unit_type *. Owned by this. */
	GPtrArray *types;
};

static const struct itp_unit_type *type_at(const struct itp_unit_page *page, guint i)
{
	return &g_array_index(page->types, struct itp_unit_type, i);
}

static char *label_of_node(const struct itp_unit_page *page, uint32_t node)
{
	g_autofree char *clean =
		itp_label_function(itp_context_function(page->tree, page->functions, node));

	return itp_label_shorten_function(clean, page->width / 2);
}

static uint32_t process_of_loop(const struct itp_unit_page *page, uint32_t node)
{
	while (itp_context_tree_get(page->tree, node)->parent != ITP_CONTEXT_ROOT) {
		node = itp_context_tree_get(page->tree, node)->parent;
	}
	return node;
}

static void clear_loop(gpointer data)
{
	g_ptr_array_unref(((struct loop *)data)->types);
}

static void add_listed_type(struct loop *loop, const struct itp_unit_type *type)
{
	g_ptr_array_add(loop->types, (gpointer)type);
	loop->count += type->count;
	loop->total_ns += type->total_ns;
	if (type->signaller == loop->signaller) {
		loop->signalled += type->signalled;
	}
}

/* struct loop, in the order of their first types. Free with g_array_unref(). */
static GArray *loops_of(const struct itp_unit_page *page)
{
	GArray *loops = g_array_new(FALSE, FALSE, sizeof(struct loop));
	g_autoptr(GHashTable) places = g_hash_table_new(itp_hash_number, NULL);

	g_array_set_clear_func(loops, clear_loop);
	for (guint i = 0; i < page->types->len; i++) {
		const struct itp_unit_type *type = type_at(page, i);
		struct loop loop = { .node = type->loop,
				     .wait = type->wait,
				     .signaller = type->signaller };
		gpointer place;

		if (!g_hash_table_lookup_extended(places, GUINT_TO_POINTER(type->loop), NULL,
						  &place)) {
			place = GUINT_TO_POINTER(loops->len);
			loop.types = g_ptr_array_new();
			g_array_append_val(loops, loop);
			g_hash_table_insert(places, GUINT_TO_POINTER(type->loop), place);
		}
		add_listed_type(&g_array_index(loops, struct loop, GPOINTER_TO_UINT(place)), type);
	}
	return loops;
}

static char *telling_of(const struct itp_unit_page *page, const struct itp_unit_type *type)
{
	static const char *const calls[] = {
		[ITP_TELLING_ONLY] = "only these call ",
		[ITP_TELLING_MOSTLY] = "mostly these call ",
		[ITP_TELLING_ALTOGETHER] = "these call all of ",
	};
	const bool is_one = type->telling_is == ITP_TELLING_ALTOGETHER && type->telling->len == 1;
	GString *names = g_string_new(is_one ? "these call " : calls[type->telling_is]);

	for (guint i = 0; i < type->telling->len; i++) {
		g_autofree char *name =
			label_of_node(page, g_array_index(type->telling, uint32_t, i));

		g_string_append_printf(names, "%s%s", i > 0 ? ", " : "", name);
	}
	return g_string_free(names, FALSE);
}

static void append_indented_line(const struct itp_unit_page *page, const char *line,
				 GString *output)
{
	itp_label_pad(output, ROW_INDENT);
	itp_label_wrap(output, line, ROW_INDENT, ROW_INDENT + INDENT, page->width);
}

/* Cause of most of the variance. */
static const char *cause_of(const struct itp_unit_causes *causes, double *ret_part)
{
	*ret_part = MAX(causes->cpu_part, MAX(causes->blocked_part, causes->runnable_part));
	return *ret_part == causes->runnable_part ? "waiting for a CPU" :
	       *ret_part == causes->blocked_part  ? "being blocked" :
						    "CPU time";
}

/* "they differ by 120 % of their mean: 80 % of the variance is waiting for a CPU, 60 % is of the
 * longest hundredth" */
static void append_causes(const struct itp_unit_page *page, const struct itp_unit_type *type,
			  GString *output)
{
	double part;
	const char *cause = cause_of(&type->causes, &part);
	g_autofree char *deviation = itp_units_share(type->deviation_ns, type->mean_ns);
	g_autofree char *share = itp_units_share(part, 1);
	g_autofree char *tail = itp_units_share(type->causes.tail_part, 1);
	g_autofree char *line =
		g_strdup_printf("they differ by %s of their mean: %s of the variance is %s, %s "
				"is of the longest hundredth",
				deviation, share, cause, tail);

	if (type->count >= UNITS_LEAST &&
	    type->deviation_ns > ITP_UNIT_LIKE_DEVIATION * type->mean_ns) {
		append_indented_line(page, line, output);
	}
}

/* "they are asked in 22 bytes and answered in 8, on average" */
static void append_sizes(const struct itp_unit_page *page, const struct itp_unit_type *type,
			 GString *output)
{
	const double count = (double)type->count;
	g_autofree char *line = g_strdup_printf(
		"they are asked in %.4g bytes and answered in %.4g, on average",
		(double)type->talk.asked_bytes / count, (double)type->talk.answered_bytes / count);

	append_indented_line(page, line, output);
}

static void append_trees(const struct itp_unit_page *page, const struct itp_unit_type *type,
			 GString *output)
{
	const guint place = (guint)(type - type_at(page, 0));
	g_autofree char *trees = itp_units_counted(type->sets, "call tree");
	g_autofree char *told = itp_units_share(type->trees.depth_part, 1);
	g_autofree char *points =
		page->guard_points ? itp_units_counted(page->guard_points[place], "guard point") :
				     g_strdup("guard points are not known");
	g_autofree char *line = g_strdup_printf(
		"%s, on average of %.1f call paths and %.1f functions; %s; function and depth of "
		"the stack tell %s of the contexts",
		trees, type->trees.paths, type->trees.functions, points, told);

	append_indented_line(page, line, output);
}

static void take_row(struct itp_table *table, const struct itp_unit_type *type)
{
	const double total_ns = (double)type->total_ns;

	itp_table_take(table, itp_units_count(type->count));
	itp_table_take(table, itp_units_time(type->total_ns));
	itp_table_take(table, itp_units_time((int64_t)type->mean_ns));
	itp_table_take(table, itp_units_time(type->median_ns));
	itp_table_take(table, itp_units_time(type->p99_ns));
	itp_table_take(table, itp_units_time(type->max_ns));
	itp_table_take(table, itp_units_share((double)type->use.cpu_ns, total_ns));
	itp_table_take(table, itp_units_share((double)type->use.blocked_ns, total_ns));
	itp_table_take(table, type->count < UNITS_LEAST ? g_strdup("–") :
							  itp_units_time(type->median_limit_ns));
}

static void append_types_table(const struct itp_unit_page *page, const struct loop *loop,
			       guint shown, GString *output)
{
	struct itp_table *table = itp_table_new(page->width);

	itp_table_column(table, "  units", true);
	itp_table_column(table, "total", true);
	itp_table_column(table, "mean", true);
	itp_table_column(table, "median", true);
	itp_table_column(table, "99 %", true);
	itp_table_column(table, "longest", true);
	itp_table_column(table, "CPU", true);
	itp_table_column(table, "blocked", true);
	itp_table_column(table, "unusual from", true);
	for (guint i = 0; i < shown; i++) {
		take_row(table, g_ptr_array_index(loop->types, i));
	}
	itp_table_append_heads(table, output);
	for (guint i = 0; i < shown; i++) {
		const struct itp_unit_type *type = g_ptr_array_index(loop->types, i);

		itp_table_append_row(table, i, output);
		if (type->telling->len > 0) {
			g_autofree char *telling = telling_of(page, type);

			append_indented_line(page, telling, output);
		} else if (loop->types->len > 1 && type->talk.asked_bytes > 0) {
			append_sizes(page, type, output);
		}
		append_causes(page, type, output);
		if (page->shows_trees) {
			append_trees(page, type, output);
		}
	}
	itp_table_free(table);
}

/* "; 98 % of them were begun by those of listen", if most were. */
static char *begun_text(const struct itp_unit_page *page, const struct loop *loop)
{
	g_autofree char *share = NULL;
	g_autofree char *signaller = NULL;

	if (2 * loop->signalled <= loop->count) {
		return g_strdup("");
	}
	share = itp_units_share((double)loop->signalled, (double)loop->count);
	signaller = label_of_node(page, loop->signaller);
	return g_strdup_printf("; %s of them were begun by those of %s", share, signaller);
}

static void append_loop(const struct itp_unit_page *page, const struct loop *loop, GString *output)
{
	const guint shown = page->top > 0 ? MIN(page->top, loop->types->len) : loop->types->len;
	g_autofree char *function = label_of_node(page, loop->node);
	g_autofree char *process = label_of_node(page, process_of_loop(page, loop->node));
	g_autofree char *units = itp_units_counted(loop->count, "unit");
	g_autofree char *types = itp_units_counted(loop->types->len, "type");
	g_autofree char *time = itp_units_time(loop->total_ns);
	g_autofree char *begun = begun_text(page, loop);
	g_autofree char *line = g_strdup_printf(
		"The loop of %s in %s waits in %s: %s of %s, %s%s%s", function, process,
		itp_context_function(page->tree, page->functions, loop->wait)->name +
			strlen(ITP_SYSCALL_PREFIX),
		units, types, time, begun, shown < loop->types->len ? "; the first types are" : "");

	g_string_append_c(output, '\n');
	itp_label_wrap(output, line, 0, INDENT, page->width);
	append_types_table(page, loop, shown, output);
}

void itp_render_unit_text(const struct itp_unit_page *page, GString *output)
{
	g_autoptr(GArray) loops = loops_of(page);
	g_autofree char *path = itp_label_clean(page->path);
	g_autofree char *found = itp_units_counted(loops->len, "loop");
	g_autofree char *line = g_strdup_printf(
		"%s: %s that %s for events%s", path, found, loops->len == 1 ? "waits" : "wait",
		page->is_complete ?
			"" :
			"; events are missing, and units in which they are do not count");

	itp_label_wrap(output, line, 0, INDENT, page->width);
	for (guint i = 0; i < loops->len; i++) {
		append_loop(page, &g_array_index(loops, struct loop, i), output);
	}
	if (page->shows_trees) {
		g_autofree char *took = itp_units_time(page->took_ns);

		g_string_append_printf(output, "\nThe types were found in %s.\n", took);
	}
}

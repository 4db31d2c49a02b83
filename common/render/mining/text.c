/* SPDX-License-Identifier: MIT */
/*
 * See mining.h: text.
 */
#include "common/base/labels.h"
#include "common/known/kernel-waits.h"
#include "common/known/modules.h"
#include "common/render/mining/mining.h"
#include "common/render/table.h"
#include "common/render/units.h"

#define INDENT 2
#define ROW_INDENT 5
/* How many functions of a common part are shown at both of its ends, and how many of its last ones
 * in any case; how many patterns of a cluster are told apart, and by how many functions. */
#define SHOWN_BEGIN 3
#define SHOWN_END 12
#define SHOWN_LAST 2
#define SHOWN_PATTERNS 3
#define SHOWN_OTHERS 4

/* Input of all parts of the text. */
struct text {
	const struct itp_mining_page *page;
	GString *output;
};

static void append_paragraph(const struct text *text, unsigned int indent, const char *line)
{
	itp_label_pad(text->output, indent);
	itp_label_wrap(text->output, line, indent, indent + INDENT, text->page->width);
}

static char *name_of_function(const struct text *text, uint32_t id)
{
	const struct itp_function *function =
		itp_function_table_get(text->page->mining->functions, id);
	g_autofree char *clean = itp_label_function(function);

	return itp_label_shorten_function(clean, text->page->width / 2);
}

/* Losses of the traces. */
static void append_doubts(const struct itp_mining_page *page, GString *line)
{
	const guint incomplete = itp_mining_incomplete(page->mining);
	g_autofree char *broken = itp_units_counted(page->broken, "file");
	g_autofree char *traces = itp_units_counted(incomplete, "trace");

	if (page->broken > 0) {
		g_string_append_printf(line, "; %s damaged or not read", broken);
	}
	if (incomplete > 0) {
		g_string_append_printf(line, "; %s with events lost", traces);
	}
}

static char *symptom_text(const char *symptom)
{
	return symptom ? itp_label_clean(symptom) : g_strdup("slowest calls of the first path");
}

/* " of 40 000 (call:handle>100ms)" */
static void append_symptom(const GArray *symptoms, const char *calls, GString *line)
{
	const char *first = g_array_index(symptoms, struct itp_mined_symptom, 0).symptom;
	g_autofree char *clean = symptom_text(first);

	if (symptoms->len > 1) {
		g_string_append_printf(line, " of %s (%u different symptoms)", calls,
				       symptoms->len);
	} else if (first) {
		g_string_append_printf(line, " of %s (%s)", calls, clean);
	} else {
		g_string_append(line, ", the slowest calls of each trace's first path");
	}
}

/* Traces not searched for the same symptom, or not as asked. */
static void append_mix(const struct text *text, const GArray *symptoms)
{
	const char *asked = text->page->asked;
	g_autoptr(GString) line = g_string_new(NULL);
	bool is_other = false;

	for (guint i = 0; i < symptoms->len; i++) {
		const struct itp_mined_symptom *of =
			&g_array_index(symptoms, struct itp_mined_symptom, i);
		g_autofree char *symptom = symptom_text(of->symptom);
		g_autofree char *traces = itp_units_counted(of->traces, "trace");

		g_string_append_printf(line, "%s%s in %s", i > 0 ? ", " : "", symptom, traces);
		is_other |= asked && g_strcmp0(of->symptom, asked) != 0;
	}
	if (symptoms->len > 1) {
		g_string_prepend(line, "Traces were searched for different symptoms, which are "
				       "mined together: ");
	} else if (is_other) {
		g_autofree char *clean = itp_label_clean(asked);

		g_string_append_printf(line, ", where --symptom asks for %s", clean);
		g_string_prepend(line,
				 "Saved interests keep the symptom of which they were made: ");
	}
	if (symptoms->len > 1 || is_other) {
		g_string_append_c(line, '.');
		append_paragraph(text, 0, line->str);
	}
}

/* "312 traces: 1 204 slow ones of 40 000 (call:handle>100ms), 131 s" */
static void append_head(const struct text *text)
{
	const struct itp_mining *mining = text->page->mining;
	const struct itp_mined_trace sum = itp_mining_sum(mining->traces);
	g_autofree char *traces = itp_units_counted(mining->traces->len, "trace");
	g_autofree char *symptoms = itp_units_counted(sum.symptoms, "symptom");
	g_autofree char *calls = itp_units_count(sum.calls);
	g_autofree char *time = itp_units_time(sum.cost_ns);
	g_autoptr(GArray) of = itp_mining_symptoms(mining);
	g_autoptr(GString) line = g_string_new(NULL);

	g_string_append_printf(line, "%s, %s", traces, symptoms);
	append_symptom(of, calls, line);
	g_string_append_printf(line, ", %s lost", time);
	if (sum.left_out > 0) {
		g_autofree char *others = itp_units_counted(sum.left_out, "other");

		g_string_append_printf(line, "; %s left out, as these waited for %s", others,
				       sum.left_out == 1 ? "it" : "them");
	}
	if (mining->base_traces->len > 0) {
		g_autofree char *base = itp_units_counted(mining->base_traces->len, "good trace");

		g_string_append_printf(line, "; %s beside them", base);
	}
	append_doubts(text->page, line);
	append_paragraph(text, 0, line->str);
	append_mix(text, of);
}

/* The kernel's own functions, and libraries that all programs pass through, tell little. */
static bool is_telling(const struct text *text, uint32_t id)
{
	const struct itp_function *function =
		itp_function_table_get(text->page->mining->functions, id);

	return function->layer != ITP_LAYER_KERNEL && !itp_module_is_go_between(function);
}

/* True for the scheduler, in which every wait of the kernel ends. */
static bool is_scheduler(const struct text *text, uint32_t id)
{
	const struct itp_function *function =
		itp_function_table_get(text->page->mining->functions, id);

	return function->layer == ITP_LAYER_KERNEL && itp_kernel_wait_is_schedulers(function->name);
}

/* Telling functions of the common part, and its last ones: a GArray of uint32_t,
 * ITP_FUNCTION_UNKNOWN for a gap. */
static GArray *telling_of(const struct text *text, const GArray *common)
{
	GArray *telling = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	const uint32_t gap = ITP_FUNCTION_UNKNOWN;
	guint end = common->len;
	bool in_gap = false;

	while (end > 1 && is_scheduler(text, g_array_index(common, uint32_t, end - 1))) {
		end--;
	}
	for (guint i = 0; i < end; i++) {
		uint32_t id = g_array_index(common, uint32_t, i);

		if (i + SHOWN_LAST < end && !is_telling(text, id)) {
			in_gap = true;
			continue;
		}
		if (in_gap) {
			g_array_append_val(telling, gap);
			in_gap = false;
		}
		g_array_append_val(telling, id);
	}
	return telling;
}

/* End of the gap in the middle: behind the first functions, and before the last ones, at an older
 * gap if there are some. */
static guint shown_from(const GArray *functions)
{
	guint from = functions->len - SHOWN_END;

	while (g_array_index(functions, uint32_t, from) == ITP_FUNCTION_UNKNOWN) {
		from++;
	}
	return from;
}

/* "main › … › lock › fsync", with a gap in the middle. */
static void append_common(const struct text *text, const struct itp_cluster *cluster)
{
	g_autoptr(GString) line = g_string_new(NULL);
	g_autoptr(GArray) common = telling_of(text, cluster->common);

	for (guint i = 0; i < common->len; i++) {
		g_autofree char *name = NULL;

		if (common->len > SHOWN_BEGIN + SHOWN_END + 1 && i == SHOWN_BEGIN) {
			if (g_array_index(common, uint32_t, i - 1) != ITP_FUNCTION_UNKNOWN) {
				g_string_append(line, " \u203a \u2026");
			}
			i = shown_from(common);
		}
		name = g_array_index(common, uint32_t, i) == ITP_FUNCTION_UNKNOWN ?
			       g_strdup("\u2026") :
			       itp_label_unbroken(
				       name_of_function(text, g_array_index(common, uint32_t, i)));
		g_string_append_printf(line, "%s%s", line->len > 0 ? " \u203a " : "", name);
	}
	append_paragraph(text, ROW_INDENT, line->len > 0 ? line->str : "nothing in common");
}

/* Functions of a pattern outside of the common part. */
static void append_others(const struct text *text, const struct itp_cluster *cluster,
			  const struct itp_pattern *pattern, GString *line)
{
	guint at = 0;
	guint shown = 0;

	for (uint32_t i = 0; i < pattern->length; i++) {
		g_autofree char *name = NULL;

		if (at < cluster->common->len &&
		    g_array_index(cluster->common, uint32_t, at) == pattern->functions[i]) {
			at++;
			continue;
		}
		if (shown == SHOWN_OTHERS) {
			g_string_append(line, ", \u2026");
			break;
		}
		name = name_of_function(text, pattern->functions[i]);
		g_string_append_printf(line, "%s%s", shown++ > 0 ? ", " : "", name);
	}
}

static void append_patterns(const struct text *text, const struct itp_cluster *cluster,
			    const struct itp_mined *mined)
{
	guint shown = MIN(cluster->patterns->len, SHOWN_PATTERNS);

	for (guint i = 0; cluster->patterns->len > 1 && i < shown; i++) {
		const struct itp_pattern *pattern =
			&g_array_index(mined->patterns.list, struct itp_pattern,
				       g_array_index(cluster->patterns, guint, i));
		g_autofree char *cost = itp_units_time(pattern->cost_ns);
		g_autoptr(GString) line = g_string_new(NULL);

		g_string_append_printf(line, "%s with ", cost);
		append_others(text, cluster, pattern, line);
		append_paragraph(text, ROW_INDENT + INDENT, line->str);
	}
	if (cluster->patterns->len > shown) {
		g_autofree char *more =
			itp_units_counted(cluster->patterns->len - shown, "more pattern");
		g_autofree char *line = g_strdup_printf("and %s", more);

		append_paragraph(text, ROW_INDENT + INDENT, line);
	}
}

static struct itp_table *table_of(const struct text *text, const struct itp_mined *mined,
				  guint shown)
{
	const struct itp_mining *mining = text->page->mining;
	const double all_ns = (double)itp_mining_sum(mining->traces).cost_ns;
	struct itp_table *table = itp_table_new(text->page->width);

	itp_table_column(table, "#", true);
	itp_table_column(table, "cost", true);
	if (mined->base_costs) {
		itp_table_column(table, "good", true);
	}
	itp_table_column(table, "share", true);
	itp_table_column(table, "so far", true);
	itp_table_column(table, "traces", true);
	itp_table_column(table, "events", true);
	itp_table_column(table, "each", true);
	for (guint i = 0; i < shown; i++) {
		const struct itp_cluster *cluster =
			&g_array_index(mined->clusters.list, struct itp_cluster, i);

		itp_table_take(table, g_strdup_printf("%3u", i + 1));
		itp_table_take(table, itp_units_time(cluster->cost_ns));
		if (mined->base_costs) {
			itp_table_take(table, itp_units_time(g_array_index(mined->base_costs,
									   int64_t, i)));
		}
		itp_table_take(table, itp_units_share((double)cluster->cost_ns, all_ns));
		itp_table_take(table,
			       itp_units_share((double)g_array_index(mined->coverage, int64_t, i),
					       all_ns));
		itp_table_take(table, itp_units_count(cluster->traces));
		itp_table_take(table, itp_units_count(cluster->events));
		itp_table_take(table,
			       itp_units_time(cluster->cost_ns / (int64_t)MAX(cluster->events, 1)));
	}
	return table;
}

static void append_clusters(const struct text *text, const struct itp_mined *mined, guint shown)
{
	struct itp_table *table = table_of(text, mined, shown);

	itp_table_append_heads(table, text->output);
	for (guint i = 0; i < shown; i++) {
		const struct itp_cluster *cluster =
			&g_array_index(mined->clusters.list, struct itp_cluster, i);

		itp_table_append_row(table, i, text->output);
		append_common(text, cluster);
		append_patterns(text, cluster, mined);
	}
	itp_table_free(table);
}

/* Limit at which the search for all patterns was given up. */
static void append_limit(const struct text *text, const struct itp_mined *mined)
{
	g_autofree char *asked = itp_units_time(mined->asked_ns);
	g_autofree char *least = itp_units_time(mined->least_ns);
	g_autofree char *line = g_strdup_printf(
		"Patterns of %s or more were too many to look for: shown are all of %s or more. "
		"--focus and --ignore leave fewer stacks.",
		asked, least);

	if (mined->least_ns > mined->asked_ns) {
		append_paragraph(text, 0, line);
	}
}

static void append_kind(const struct text *text, enum itp_mine_kind kind)
{
	const struct itp_mined *mined = &text->page->mined[kind];
	const struct itp_stack_set *set = &text->page->mining->sets[kind];
	guint count = mined->clusters.list->len;
	guint shown = text->page->top > 0 ? MIN(text->page->top, count) : count;
	g_autofree char *time = itp_units_time(set->cost_ns);
	g_autofree char *least = itp_units_time(mined->least_ns);
	g_autofree char *stacks = itp_units_counted(set->stacks->len, "stack");
	g_autofree char *patterns = itp_units_counted(mined->patterns.list->len, "pattern");
	g_autofree char *clusters = itp_units_counted(count, "cluster");
	g_autofree char *line = NULL;

	g_string_append_c(text->output, '\n');
	line = g_strdup_printf("%s: %s in %s; %s of %s or more, in %s%s",
			       kind == ITP_MINE_WAITING ? "Waiting" : "Running", time, stacks,
			       patterns, least, clusters,
			       count > shown ? ", of which the first are shown" : "");
	append_paragraph(text, 0, line);
	append_limit(text, mined);
	if (shown > 0) {
		append_clusters(text, mined, shown);
	}
}

static struct itp_table *signatures_table(const struct text *text)
{
	const double all_ns = (double)itp_mining_sum(text->page->mining->traces).cost_ns;
	struct itp_table *table = itp_table_new(text->page->width);

	itp_table_column(table, "  cost", true);
	itp_table_column(table, "share", true);
	itp_table_column(table, "traces", true);
	itp_table_column(table, "events", true);
	itp_table_column(table, "signature", false);
	for (guint i = 0; i < text->page->matches->len; i++) {
		const struct itp_signature_match *match =
			&g_array_index(text->page->matches, struct itp_signature_match, i);

		itp_table_take(table, itp_units_time(match->cost_ns));
		itp_table_take(table, itp_units_share((double)match->cost_ns, all_ns));
		itp_table_take(table, itp_units_count(match->traces));
		itp_table_take(table, itp_units_count(match->events));
		itp_table_take(table, itp_label_clean(g_array_index(text->page->signatures,
								    struct itp_signature, i)
							      .name));
	}
	return table;
}

/* Known causes. The rest of the text is about unknown ones. */
static void append_signatures(const struct text *text)
{
	const struct itp_mining *mining = text->page->mining;
	struct itp_table *table = signatures_table(text);
	g_autofree char *rest = itp_units_time(mining->sets[ITP_MINE_WAITING].cost_ns +
					       mining->sets[ITP_MINE_RUNNING].cost_ns);
	g_autofree char *line = g_strdup_printf("What no signature explains: %s", rest);

	g_string_append_c(text->output, '\n');
	itp_table_append_heads(table, text->output);
	for (guint i = 0; i < text->page->matches->len; i++) {
		itp_table_append_row(table, i, text->output);
	}
	itp_table_free(table);
	append_paragraph(text, 0, line);
}

void itp_render_mining_text(const struct itp_mining_page *page, GString *output)
{
	const struct text text = { .page = page, .output = output };

	append_head(&text);
	if (page->matches) {
		append_signatures(&text);
	}
	for (int kind = 0; kind < ITP_MINE_KINDS; kind++) {
		append_kind(&text, (enum itp_mine_kind)kind);
	}
}

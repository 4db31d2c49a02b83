/* SPDX-License-Identifier: MIT */
/*
 * Sentence with the answer: size of the difference, share of its greatest part, the part, its
 * verdict.
 */
#include "common/render/text/page.h"

#include "common/base/labels.h"
#include "common/render/cells.h"
#include "common/render/units.h"

/* Share below which another sentence tells the place of nearly all of it. */
#define SHARE_ENOUGH 0.75
/* Share of the whole from which on waiting for a CPU is told. */
#define WAITING_LEAST 0.1

/* Part of a path, function or module in the whole. */
struct part {
	/* "path 1", or the name. Owned by this. */
	char *subject;
	/* Place of the part; NULL when the subject says it. Owned by this. */
	char *place;
	int64_t delta_ns;
	/* Time for which others waited longer for it. */
	int64_t waits_ns;
};

static void part_release(struct part *part)
{
	g_free(part->subject);
	g_free(part->place);
}

/* "ngx_http_gzip_body_filter in nginx": the frame to open first and its process. */
static char *path_place(const struct itp_page *page, const struct itp_ranked_path *path)
{
	const struct itp_ranked_frame *face = itp_path_face(path);
	g_autofree char *process = itp_page_name(page, path->process);
	g_autofree char *function = NULL;

	if (face == NULL) {
		return g_steal_pointer(&process);
	}
	function = itp_page_name(page, face->function);
	return g_strdup_printf("%s in %s", function, process);
}

static struct part part_of_path(const struct itp_page *page, const struct itp_ranked_path *path)
{
	return (struct part){
		.subject = g_strdup_printf("path %u", path->rank),
		.place = path_place(page, path),
		.delta_ns = itp_path_own_delta_ns(path),
		.waits_ns = itp_page_waits_for_ns(page->ranking, path),
	};
}

static struct part part_of_row(const struct itp_page *page, const struct itp_ranked_row *row)
{
	struct part part = { .delta_ns = row->own_ns - row->base_own_ns };

	if (page->ranking->options.by != ITP_RANK_BY_MODULE) {
		part.subject = itp_page_name(page, row->function);
	} else {
		g_autofree char *module =
			itp_label_clean(itp_function_at(page->ranking, row->function)->module);

		part.subject = itp_label_unbroken(g_strdup(module));
	}
	return part;
}

/* First part; or, when `saves`, the one with the greatest saving. False when there is none. */
static bool find_part(const struct itp_page *page, bool saves, struct part *ret_part)
{
	const struct itp_ranking *ranking = page->ranking;
	const struct itp_ranked_path *found = NULL;

	if (ranking->paths->len == 0) {
		*ret_part = part_of_row(page, itp_row_at(ranking, 0));
		return saves == (ret_part->delta_ns < 0);
	}
	for (guint i = 0; i < ranking->paths->len; i++) {
		const struct itp_ranked_path *path = itp_path_at(ranking, i);
		int64_t delta_ns = itp_path_own_delta_ns(path);

		if (!itp_path_is_unsure(path) && saves == (delta_ns < 0) &&
		    (found == NULL || (saves && delta_ns < itp_path_own_delta_ns(found)))) {
			found = path;
		}
	}
	if (found != NULL) {
		*ret_part = part_of_path(page, found);
	}
	return found != NULL;
}

/* ", of which path 1 explains 98 %, with what waits for it: handler in nginx" */
static void append_share(const struct itp_page *page, GString *sentence, const struct part *part,
			 const char *verb)
{
	g_autofree char *share =
		itp_label_unbroken(itp_cell_share(page->ranking, part->delta_ns + part->waits_ns));

	g_string_append_printf(sentence, ", of which %s %s %s", part->subject, verb, share);
	if (part->waits_ns > 0) {
		g_string_append(sentence, ", with what waits for it");
	}
	if (part->place != NULL) {
		g_string_append_printf(sentence, ": %s", part->place);
	}
}

/* ". Path 1 adds 2 ms (handler in nginx)" */
static void append_amount(const struct itp_page *page, GString *sentence, const struct part *part,
			  const char *verb)
{
	g_autofree char *time = itp_label_unbroken(
		itp_cell_time(page->ranking, ABS(part->delta_ns) + part->waits_ns));

	g_string_append_printf(sentence, ". %c%s %s %s",
			       part->place ? g_ascii_toupper(part->subject[0]) : part->subject[0],
			       part->subject + 1, verb, time);
	if (part->waits_ns > 0) {
		g_string_append(sentence, ", with what waits for it");
	}
	if (part->place != NULL) {
		g_string_append_printf(sentence, " (%s)", part->place);
	}
}

/* "; 97 % lies below derive_key in openssl", "; +1.2 s lies below …" where this is more than
 * all. */
static void append_trunk(const struct itp_page *page, GString *sentence)
{
	const struct itp_trunk *trunk = &page->ranking->trunk;
	g_autofree char *process = NULL;
	g_autofree char *name = NULL;
	g_autofree char *share = NULL;

	if (trunk->function == ITP_FUNCTION_UNKNOWN || page->ranking->paths->len == 0) {
		return;
	}
	process = itp_page_name(page, trunk->process);
	name = itp_page_name(page, trunk->function);
	share = itp_label_unbroken(itp_ranking_share(page->ranking, trunk->delta_ns) <
						   ITP_SHARE_MOST ?
					   itp_cell_share(page->ranking, trunk->delta_ns) :
					   itp_cell_time_change(page->ranking, trunk->delta_ns));
	g_string_append_printf(sentence, "; %s lies below %s in %s", share, name, process);
}

/* Share of a single part in a difference above 0. */
static void append_slower(const struct itp_page *page, GString *sentence)
{
	struct part part = { .subject = NULL };
	double share;

	if (!find_part(page, false, &part)) {
		part_release(&part);
		return;
	}
	share = itp_ranking_share(page->ranking, part.delta_ns + part.waits_ns);
	if (share < ITP_SHARE_MOST) {
		append_share(page, sentence, &part, "explains");
		if (share < SHARE_ENOUGH) {
			append_trunk(page, sentence);
		}
	} else {
		append_amount(page, sentence, &part, "adds");
		g_string_append(sentence, "; other things cost less than before");
	}
	part_release(&part);
}

/* Share of a single part in a difference below 0, and parts that cost more nevertheless. */
static void append_faster(const struct itp_page *page, GString *sentence)
{
	struct part saving = { .subject = NULL };
	struct part part = { .subject = NULL };

	if (find_part(page, true, &saving)) {
		if (itp_ranking_share(page->ranking, saving.delta_ns) < ITP_SHARE_MOST) {
			append_share(page, sentence, &saving, "saves");
		} else {
			append_amount(page, sentence, &saving, "saves");
		}
	}
	if (find_part(page, false, &part) && part.delta_ns > 0) {
		append_amount(page, sentence, &part, "adds");
	}
	part_release(&saving);
	part_release(&part);
}

/* ". 41 differences: 3 sure, 1 likely" */
static void append_certainty(const struct itp_page *page, GString *sentence)
{
	const struct itp_ranking *ranking = page->ranking;
	uint64_t likely_count = ranking->significant_count - ranking->sure_count;
	g_autofree char *all = itp_label_unbroken(itp_units_count(ranking->entry_count));
	g_autofree char *sure = itp_label_unbroken(itp_units_count(ranking->sure_count));
	g_autofree char *likely = itp_label_unbroken(itp_units_count(likely_count));

	if (!itp_ranking_is_judged(ranking)) {
		return;
	}
	g_string_append_printf(sentence, ". %s %s: ", all,
			       ranking->entry_count == 1 ? "difference" : "differences");
	if (ranking->significant_count == 0) {
		g_string_append(sentence, "none sure, none likely");
		return;
	}
	if (ranking->sure_count > 0) {
		g_string_append_printf(sentence, "%s sure", sure);
	}
	if (likely_count > 0) {
		g_string_append_printf(sentence, "%s%s likely", ranking->sure_count > 0 ? ", " : "",
				       likely);
	}
}

/* "Own latency of all threads together in units of serve, per call of handle," */
static void append_subject(const struct itp_page *page, GString *sentence, bool is_faster)
{
	g_autofree char *unit = itp_cell_unit(page->ranking);
	g_autofree char *within = itp_workload_option(&page->ranking->suspect->workload, "in");
	bool is_partial = (page->ranking->doubts & ITP_DOUBT_LOSSES) != 0;
	bool is_other_work = (page->ranking->doubts & ITP_DOUBT_AMOUNT) != 0;
	bool says_so = is_faster && !is_partial && !is_other_work;

	g_string_append(sentence, says_so ? "It got faster: own " : "Own ");
	g_string_append(sentence, itp_ranking_has_latencies(page->ranking) ?
					  "latency of all threads together" :
					  "CPU time of all threads together");
	if (within) {
		const char *type = strchr(within, ':');

		g_string_append_printf(sentence, " in units of %s", type ? type + 1 : "work");
	}
	if (is_partial) {
		g_string_append(sentence, ", as far as it was seen");
	}
	if (unit != NULL) {
		g_string_append_printf(sentence, ", per %s", unit);
	}
	if (is_partial || unit != NULL) {
		g_string_append_c(sentence, ',');
	}
}

static void append_difference(const struct itp_page *page, GString *sentence)
{
	const struct itp_ranking *ranking = page->ranking;
	int64_t difference_ns = ranking->suspect_own_ns - ranking->base_own_ns;
	bool is_sure = !itp_ranking_is_judged(ranking) || ranking->significant_count > 0;
	g_autofree char *base = itp_label_unbroken(itp_cell_time(ranking, ranking->base_own_ns));
	g_autofree char *suspect =
		itp_label_unbroken(itp_cell_time(ranking, ranking->suspect_own_ns));
	g_autofree char *change = itp_label_unbroken(itp_cell_time_change(ranking, difference_ns));

	append_subject(page, sentence, is_sure && difference_ns < 0);
	g_string_append_printf(sentence, " went from %s to %s: %s", base, suspect,
			       difference_ns == 0 ? "no change" : change);
	if (difference_ns > 0) {
		append_slower(page, sentence);
	} else {
		append_faster(page, sentence);
	}
	append_certainty(page, sentence);
	g_string_append_c(sentence, '.');
}

static void append_sum(const struct itp_page *page, GString *sentence)
{
	int64_t sum_ns = page->ranking->suspect_own_ns;
	g_autofree char *sum = itp_label_unbroken(itp_cell_time(page->ranking, sum_ns));
	struct part part = { .subject = NULL };

	append_subject(page, sentence, false);
	g_string_append_printf(sentence, " is %s", sum);
	if (find_part(page, false, &part)) {
		append_share(page, sentence, &part, "takes");
	}
	part_release(&part);
	g_string_append_c(sentence, '.');
}

/* ", taken by backupd: 71 %, kworker/0:1: 20 %" of the wait, and ", held by CPU quotas: 9 %". */
static void append_takers(const struct itp_page *page, GString *sentence)
{
	const struct itp_ranking *ranking = page->ranking;
	guint named = 0;

	for (guint i = 0; i < ranking->takers->len && named < ITP_TAKERS_NAMED; i++) {
		const struct itp_waker *taker =
			&g_array_index(ranking->takers, struct itp_waker, i);
		const bool is_quota = itp_ranking_is_quota(ranking, taker);
		const double share =
			(double)taker->blocked_ns / (double)MAX(ranking->suspect_runnable_ns, 1);
		g_autofree char *name = itp_page_name(page, taker->process);
		g_autofree char *part = itp_label_unbroken(itp_units_share(share, 1));

		if (named > 0 && share < ITP_TAKER_LEAST) {
			continue;
		}
		g_string_append_printf(sentence, "%s %s: %s",
				       is_quota   ? ", held by" :
				       named == 0 ? ", taken by" :
						    ",",
				       is_quota ? "CPU quotas" : name, part);
		named += !is_quota;
	}
	if (ranking->takers->len == 0) {
		g_string_append(sentence,
				"; who had it tells a recording of the whole machine (-a)");
	}
}

/* Meaning of a cost, unless the default. */
static void append_ranked_by(const struct itp_page *page, GString *sentence)
{
	static const char *const costs[] = {
		[ITP_METRIC_OWN] = "own latencies",
		[ITP_METRIC_TOTAL] = "total latencies",
		[ITP_METRIC_COUNT] = "numbers of calls",
		[ITP_METRIC_EACH] = "own latencies of one call",
	};
	const struct itp_ranking_options *options = &page->ranking->options;
	bool by_path = options->by == ITP_RANK_BY_PATH;

	g_autofree char *metric = itp_page_ask(page, "metric", itp_metric_names[options->metric]);
	g_autofree char *method = itp_page_ask(page, "method", itp_method_names[options->method]);

	if (options->metric != ITP_METRIC_OWN) {
		g_string_append_printf(sentence, " Ranked by the %s%s%s (%s).",
				       by_path ? "sum of the " : "", costs[options->metric],
				       by_path ? " in a path" : "", metric);
	}
	if (options->method == ITP_METHOD_PAPER) {
		g_string_append_printf(sentence,
				       " Ranked by the paper's method (%s): costs are means of one "
				       "call and do not add up to the whole.",
				       method);
	}
}

/* " Of it, 1.2 s is waiting for a CPU, taken by backupd: 71 %, kworker/0:1: 20 %." */
static void append_waiting(const struct itp_page *page, GString *sentence)
{
	const struct itp_ranking *ranking = page->ranking;
	int64_t whole_ns = ranking->suspect_own_ns - ranking->base_own_ns;
	int64_t waiting_ns = ranking->suspect_runnable_ns - ranking->base_runnable_ns;
	g_autofree char *time = NULL;

	if (waiting_ns <= 0 || (double)waiting_ns < WAITING_LEAST * (double)ABS(whole_ns)) {
		return;
	}
	time = itp_label_unbroken(itp_cell_time(ranking, waiting_ns));
	g_string_append_printf(sentence, " %s %s is waiting for a CPU",
			       whole_ns <= 0 ? "Nevertheless," :
			       ranking->base ? "Of the difference," :
					       "Of it,",
			       time);
	append_takers(page, sentence);
	g_string_append_c(sentence, '.');
}

/* "In all 224 ms before, 11.0 s now; 97 % lies below handle in nginx. 3 differences: 2 sure." */
static void append_brief(const struct itp_page *page, GString *sentence)
{
	const struct itp_ranking *ranking = page->ranking;
	g_autofree char *base = itp_label_unbroken(itp_cell_time(ranking, ranking->base_own_ns));
	g_autofree char *suspect =
		itp_label_unbroken(itp_cell_time(ranking, ranking->suspect_own_ns));
	struct part part = { .subject = NULL };

	if (!itp_ranking_is_judged(ranking) || ranking->significant_count == 0) {
		return;
	}
	g_string_append_printf(sentence, "In all %s before, %s now", base, suspect);
	if (find_part(page, false, &part) &&
	    itp_ranking_share(ranking, part.delta_ns + part.waits_ns) < SHARE_ENOUGH) {
		append_trunk(page, sentence);
	}
	append_certainty(page, sentence);
	g_string_append_c(sentence, '.');
	part_release(&part);
}

static void append_whole(const struct itp_page *page, GString *sentence)
{
	if (page->ranking->base != NULL) {
		append_difference(page, sentence);
	} else {
		append_sum(page, sentence);
	}
	append_waiting(page, sentence);
	append_ranked_by(page, sentence);
}

void itp_page_append_summary(const struct itp_page *page, bool has_headline)
{
	const struct itp_ranking *ranking = page->ranking;
	g_autoptr(GString) sentence = g_string_new(NULL);

	if (ranking->paths->len + ranking->rows->len == 0) {
		g_string_append(sentence,
				ranking->idle->len > 0 ?
					"All there was is waiting for work: there is nothing to "
					"rank." :
					"No function call was inferred: there is nothing to rank.");
	} else if (has_headline && !page->is_verbose) {
		append_brief(page, sentence);
		append_waiting(page, sentence);
	} else {
		append_whole(page, sentence);
	}
	if (sentence->len > 0) {
		itp_label_wrap(page->output, g_strchug(sentence->str), 0, 0, page->width);
	}
}

void itp_page_append_answer(const struct itp_page *page)
{
	itp_page_append_summary(page, itp_page_append_headline(page));
}

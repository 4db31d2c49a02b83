/* SPDX-License-Identifier: MIT */
/*
 * See introperf.h: mine. Recordings are read one after the other; what is found in them together is
 * made at the end.
 */
#include "common/rank/patterns.h"
#include "common/render/mining/mining.h"
#include "messages/failure.h"
#include "plugins/perf/command/introperf.h"
#include "plugins/perf/command/mine-options.h"
#include "plugins/perf/command/reading.h"
#include "plugins/perf/host/interrupt.h"
#include "sinks/profiles/write.h"
#include "terminal/terminal.h"

/* ---- Reading ---- */

struct reading {
	const struct itp_mine_request *request;
	struct itp_host_params params;
	struct itp_mining *mining;
	struct itp_progress_line line;
	struct itp_interrupt interrupt;
	bool is_interrupted;
	guint broken;
};

static bool look(const struct itp_progress *progress, void *data)
{
	struct reading *reading = data;

	(void)progress;
	reading->is_interrupted |= itp_interrupt_take(&reading->interrupt);
	return !reading->is_interrupted;
}

static void tell(const char *text, void *data)
{
	itp_reading_warn(text, &((struct reading *)data)->line);
}

static guint count_of(char **paths)
{
	return paths ? g_strv_length(paths) : 0;
}

/* Files that cannot be read are named and counted; the others are mined. */
static void read_all(struct reading *reading, char **paths, bool of_base)
{
	const struct itp_recordings_watch watch = { .progress = look,
						    .tell = tell,
						    .data = reading };

	for (guint i = 0; i < count_of(paths) && !reading->is_interrupted; i++) {
		g_autoptr(GError) error = NULL;

		itp_progress_line_update(&reading->line, "reading", i, count_of(paths));
		if (!itp_interests_add(reading->mining, of_base, paths[i], &reading->params,
				       &reading->request->interest, &watch, &error) &&
		    error) {
			reading->broken++;
			itp_reading_warn(error->message, &reading->line);
		}
	}
	itp_progress_line_end(&reading->line);
}

static void fill_paths(GPtrArray *inputs, char **paths)
{
	for (guint i = 0; i < count_of(paths); i++) {
		g_ptr_array_add(inputs, paths[i]);
	}
}

/* ---- The result ---- */

/* By function: whether a pattern of the option chooses it. NULL without patterns, and on an error.
 * To be freed. */
static bool *select_functions(const struct itp_mining *mining, const char *option, char **texts,
			      GError **error)
{
	uint32_t size = itp_function_table_size(mining->functions);
	g_autoptr(GPtrArray) list = g_ptr_array_new();
	g_autofree bool *is_frame = g_new0(bool, size);
	struct itp_patterns *patterns;
	bool *selected = NULL;

	if (!texts) {
		return NULL;
	}
	fill_paths(list, texts);
	patterns = itp_patterns_new(option, list, error);
	for (uint32_t id = 0; id < size; id++) {
		is_frame[id] = itp_function_table_get(mining->functions, id)->layer !=
			       ITP_LAYER_PROCESS;
	}
	if (patterns) {
		selected = g_new0(bool, size);
		if (!itp_patterns_select(patterns, mining->functions, is_frame, selected, error)) {
			g_clear_pointer(&selected, g_free);
		}
		itp_patterns_free(patterns);
	}
	return selected;
}

static bool select_stacks(const struct itp_mine_request *request, struct itp_mining *mining,
			  GError **error)
{
	GError *reason = NULL;
	g_autofree bool *focus = select_functions(mining, "focus", request->focus, &reason);
	g_autofree bool *ignore =
		reason ? NULL : select_functions(mining, "ignore", request->ignore, &reason);

	if (reason) {
		g_propagate_error(error, reason);
		return false;
	}
	itp_mining_select(mining, focus, ignore);
	return true;
}

static void render(const struct itp_mine_request *request, const struct reading *reading,
		   const struct itp_mined *mined, const GArray *matches, GString *text)
{
	const struct itp_terminal terminal =
		itp_terminal_of_output(!request->output, ITP_COLOR_NEVER);
	const struct itp_mining_page page = {
		.mining = reading->mining,
		.mined = mined,
		.signatures = request->known,
		.matches = matches,
		.each = request->symptoms,
		.symptom = request->symptom,
		.broken = reading->broken,
		.top = (guint)request->top,
		.width = MAX(terminal.columns, 60),
	};

	switch (request->form) {
	case ITP_MINE_TEXT:
		itp_render_mining_text(&page, text);
		break;
	case ITP_MINE_JSONL:
		itp_render_mining_jsonl(&page, text);
		break;
	case ITP_MINE_HTML:
		itp_render_mining_html(&page, text);
		break;
	}
}

static bool check_symptoms(const struct itp_mine_request *request, const struct itp_mining *mining,
			   GError **error)
{
	const struct itp_mined_trace sum = itp_mining_sum(mining->traces);

	if (mining->traces->len == 0) {
		itp_failure_set(error, "none of the recordings could be read");
	} else if (sum.symptoms == 0 && sum.calls == 0) {
		itp_failure_set(error, "--symptom: there is no %s in any of the recordings",
				request->symptom ? request->symptom : "call");
	} else if (sum.symptoms == 0) {
		itp_failure_set(error,
				"--symptom: none of %" G_GUINT64_FORMAT
				" was slower than \"%s\" says",
				sum.calls, request->symptom);
	}
	return sum.symptoms > 0;
}

static bool save_signatures(const struct itp_mine_request *request, const struct itp_mining *mining,
			    const struct itp_mined *mined, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *dumped = NULL;

	if (!request->save_signatures) {
		return true;
	}
	dumped = itp_signatures_text(mining, mined, (guint)request->top, request->known);
	g_string_append_printf(text, "%s\n", dumped);
	return itp_write(request->save_signatures, text, error);
}

/* What is mined, found and written. */
static bool conclude(const struct itp_mine_request *request, const struct reading *reading,
		     GError **error)
{
	struct itp_mining *mining = reading->mining;
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GArray) matches = request->known ? itp_signatures_match(request->known, mining) :
						     NULL;
	struct itp_stack_statistics *statistics = itp_mining_statistics(mining);
	struct itp_mined mined[ITP_MINE_KINDS];
	bool done;

	for (int kind = 0; kind < ITP_MINE_KINDS; kind++) {
		itp_mined_init(&mined[kind], mining, (enum itp_mine_kind)kind, statistics,
			       &request->mining);
	}
	render(request, reading, mined, matches, text);
	done = save_signatures(request, mining, mined, error) &&
	       itp_write(request->output, text, error);
	for (int kind = 0; kind < ITP_MINE_KINDS; kind++) {
		itp_mined_release(&mined[kind]);
	}
	itp_stack_statistics_free(statistics);
	return done;
}

static bool write_result(const struct itp_mine_request *request, const struct reading *reading,
			 GError **error)
{
	itp_mining_close(reading->mining);
	return check_symptoms(request, reading->mining, error) &&
	       select_stacks(request, reading->mining, error) && conclude(request, reading, error);
}

static enum itp_exit run(const struct itp_mine_request *request, GError **error)
{
	struct itp_mining mining;
	struct reading reading = { .request = request, .mining = &mining };
	g_autoptr(GPtrArray) inputs = g_ptr_array_new();
	bool done;

	fill_paths(inputs, request->base);
	fill_paths(inputs, request->files);
	if (!itp_write_check(request->output, inputs, error) ||
	    !itp_write_check(request->save_signatures, inputs, error)) {
		return ITP_EXIT_ERROR;
	}
	itp_mining_init(&mining);
	itp_progress_line_init(&reading.line);
	itp_interrupt_init(&reading.interrupt);
	done = itp_host_params_init(&reading.params, request->options.values, error);
	if (done) {
		read_all(&reading, request->base, true);
		read_all(&reading, request->files, false);
		done = !reading.is_interrupted && write_result(request, &reading, error);
	}
	itp_host_params_release(&reading.params);
	itp_interrupt_release(&reading.interrupt);
	itp_progress_line_release(&reading.line);
	itp_mining_release(&mining);
	if (reading.is_interrupted) {
		itp_failure_set(error, "interrupted before all was read");
		return ITP_EXIT_INTERRUPTED;
	}
	return done && reading.broken == 0 ? ITP_EXIT_FINE : ITP_EXIT_ERROR;
}

int itp_mine_run(char **arguments)
{
	struct itp_mine_request request;
	enum itp_exit code = ITP_EXIT_ERROR;
	GError *error = NULL;

	if (itp_mine_request_parse(&request, arguments, &error)) {
		code = run(&request, &error);
	}
	itp_complain_of(error);
	itp_mine_request_release(&request);
	return code;
}

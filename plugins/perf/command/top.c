/* SPDX-License-Identifier: MIT */
/*
 * See program.h: top, a ranking every few seconds of what is recorded in the meantime.
 */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/labels.h"
#include "common/engine/live.h"
#include "common/engine/ranking-params.h"
#include "common/engine/written-ranking.h"
#include "plugins/babeltrace/graphs/graphs.h"
#include "plugins/perf/command/familiar.h"
#include "plugins/perf/command/options.h"
#include "plugins/perf/command/program.h"
#include "plugins/perf/command/reading.h"
#include "plugins/perf/command/words.h"
#include "plugins/perf/record/bpf-run.h"
#include "plugins/perf/record/descendants.h"
#include "plugins/perf/record/live-recorder.h"
#include "plugins/perf/record/perf-run.h"
#include "plugins/perf/record/record-options.h"
#include "terminal/terminal.h"

#define STANDARD_STREAM "-"
#define RECIPE_INDENT 2
#define DEFAULT_PERIOD "2s"
/* A period is shorter than its base. */
#define COMPARISON_UNIT "second"

static const char summary[] =
	"Rank every few seconds where the time goes, while it goes there. Ends with q, Ctrl-C, or\n"
	"the command, with a ranking of all that was seen.";

static const char examples[] = "Examples:\n"
			       "  perf introperf top -p 1234\n"
			       "  perf introperf top -a --light --period 5s\n"
			       "  perf introperf top --base good.profile -p 1234\n"
			       "  perf introperf top --overhead 5% -p 1234\n"
			       "  perf introperf top --format jsonl -- ./program --its-option\n";

struct top {
	struct itp_record_options record;
	/* The whole command. Owned by this. */
	char **typed;
	/* Owned by this. */
	char *period;
	/* perf's option for the period, in seconds. Owned by this. */
	char *delay;
	struct itp_options options;
	/* Screen; NULL where the result goes elsewhere. Owned by this. */
	struct itp_screen *screen;
};

static void top_release(struct top *top)
{
	itp_screen_free(top->screen);
	itp_record_options_release(&top->record);
	g_strfreev(top->typed);
	g_free(top->period);
	g_free(top->delay);
	itp_options_release(&top->options);
}

/* Types of units are known when all have been seen. */
static bool check_unit(const struct top *top, GError **error)
{
	GHashTable *values = top->options.values[ITP_STAGE_RANK];

	if (itp_rank_in(values) || itp_rank_is_per_unit(values)) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "--%s: units of work are known at the end of a recording; %s",
			    itp_rank_in(values) ? "in" : "per",
			    itp_rank_in(values) ? "record it, and have it reported" :
						  "here it is second, call:FUNCTION or event:NAME");
		return false;
	}
	return true;
}

static bool parse_top(struct top *top, char **arguments, GError **error)
{
	const GOptionEntry entries[] = {
		{ "period", 0, 0, G_OPTION_ARG_STRING, &top->period,
		  "time between two rankings (" DEFAULT_PERIOD ")", "TIME" },
		{ "delay", 'd', 0, G_OPTION_ARG_STRING, &top->delay,
		  "as in perf: --period in seconds", "N" },
		{ .long_name = NULL },
	};
	g_autoptr(GOptionContext) context = g_option_context_new("[[--] COMMAND…]");
	GOptionGroup *group = g_option_group_new(NULL, NULL, NULL, &top->options, NULL);

	g_option_group_add_entries(group, entries);
	itp_record_options_add_entries(group, &top->record);
	itp_options_add_entries(group, &top->options, ITP_OPTIONS_LIVE);
	top->options.familiar.command = ITP_PERF_COMMAND_TOP;
	itp_familiar_add_entries(group, ITP_PERF_COMMAND_TOP);
	g_option_context_set_main_group(context, group);
	g_option_context_set_summary(context, summary);
	g_option_context_set_description(context, examples);
	g_option_context_set_strict_posix(context, TRUE);
	g_set_prgname("perf introperf top");
	return itp_words_parse(context, arguments, error) &&
	       itp_record_options_check(&top->record, error) && check_unit(top, error) &&
	       itp_familiar_apply(&top->options, error);
}

static bool has_option(const struct top *top, const char *name)
{
	return itp_values_has(top->options.values[ITP_STAGE_RANK], name);
}

static void set_defaults(struct top *top)
{
	if (!top->period) {
		top->period = top->delay ? g_strconcat(top->delay, "s", NULL) :
					   g_strdup(DEFAULT_PERIOD);
	}
	if (has_option(top, "base") && !has_option(top, "per")) {
		itp_values_set_text(top->options.values[ITP_STAGE_RANK], "per", COMPARISON_UNIT);
	}
}

/* Shown until there is something to see. */
static void greet(const struct top *top, char *const *perf)
{
	const unsigned int columns = itp_terminal_of_output(true, ITP_COLOR_AUTO).columns;
	g_autofree char *recipe = perf ? itp_recipe_text(perf) : itp_record_bpf_text(&top->record);
	g_autoptr(GString) text = g_string_new(NULL);

	g_string_printf(text, "The first ranking comes after %s. q ends.\n\n", top->period);
	itp_label_wrap(text, recipe, 0, RECIPE_INDENT, columns);
	if (top->screen) {
		itp_screen_enter(top->screen);
		itp_screen_draw(top->screen, text->str);
	}
}

/* Explains the end of processes that ran before. */
static void explain_end(const char *pids)
{
	if (strchr(pids, ',')) {
		itp_complain("processes %s have ended", pids);
	} else {
		itp_complain("process %s has ended", pids);
	}
}

/* An error that says only that there was nothing is none for users who did not want to wait. */
static void explain_nothing(bool is_open, bool is_empty, const struct itp_perf_end *end,
			    GError **error)
{
	bool is_nothing = *error && (!is_open || is_empty);

	if (is_nothing && end->is_interrupted) {
		g_clear_error(error);
		itp_complain("nothing was recorded until now");
	} else if (is_nothing && is_open) {
		g_clear_error(error);
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
			    "no stacks were recorded: the target did nothing, or ended at once");
	}
}

/* Explains why the recorder, or its target, has ended before anybody wanted. An error in its
 * records may follow from it. */
static bool judge(const struct top *top, const struct itp_perf_end *end, const char *recorder,
		  GError **error)
{
	const struct itp_target *target = &top->record.target;
	int status = end->status;

	if (end->is_interrupted || status == 0) {
		return !*error;
	}
	if (WIFSIGNALED(status)) {
		g_clear_error(error);
		g_set_error(error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
			    "%s%s was ended by signal %d (%s); what came last may be missing",
			    recorder, target->command ? ", or what it recorded," : "",
			    WTERMSIG(status), g_strsignal(WTERMSIG(status)));
	} else if (WEXITSTATUS(status) == ITP_PERF_FAILED && target->started) {
		itp_overhead_explain_end(target, error);
	} else if (*error || !target->command) {
		g_clear_error(error);
		g_set_error(error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED,
			    "%s has failed; it says above why", recorder);
	}
	return !*error;
}

/* Ranks what the recorder tells, until its end. */
static bool rank_live(const struct top *top, const struct itp_live_base *base,
		      struct itp_live_recorder *recorder, GError **error)
{
	struct itp_live live;
	struct itp_live_options options = { .values = top->options.values,
					    .period = top->period,
					    .base = base,
					    .graphs = &itp_babeltrace_graphs,
					    .tell = itp_reading_warn,
					    .screen = top->screen };
	struct itp_perf_end end;
	int excluded[] = { 0, 0, 0 };
	GError *reason = NULL;
	bool is_open;
	bool done;

	if (top->record.target.is_machine || top->record.target.user) {
		excluded[0] = getpid();
		excluded[1] = recorder->pid;
	}
	options.excluded_pids = excluded;
	is_open = itp_live_init(&live, &options, &reason);
	done = is_open && itp_live_run(&live, &reason);
	end = itp_live_recorder_end(recorder, done);
	itp_live_release(&live);
	itp_screen_leave(top->screen);
	explain_nothing(is_open, live.is_empty, &end, &reason);
	done = judge(top, &end, recorder->control >= 0 ? "perf record" : "the recorder", &reason);
	if (reason) {
		g_propagate_error(error, reason);
	} else if (top->record.target.pids && !end.is_interrupted) {
		explain_end(top->record.target.pids);
	}
	return done;
}

static bool rank_by_perf(struct top *top, const struct itp_live_base *base, GError **error)
{
	struct itp_held held = { .is_aside = true };
	struct itp_live_recorder recorder;
	struct itp_recipe recipe;
	g_auto(GStrv) command = NULL;
	g_autofree char *said = itp_target_take_descendants(&top->record.target);
	bool done = itp_record_options_choose(&top->record, &held, &recipe, error);

	if (done) {
		recipe.output = STANDARD_STREAM;
		recipe.reader = getpid();
		command = itp_recipe_command(&recipe, &top->record.target);
		done = itp_perf_try(command, error) &&
		       itp_live_recorder_start(&recorder,
					       &(struct itp_live_choice){ .perf = command },
					       top->screen, error);
	}
	if (done) {
		greet(top, command);
		done = rank_live(top, base, &recorder, error);
	}
	itp_held_end(&held);
	return done;
}

/* By programs in the kernel, which cost least, or by perf where these cannot be or were not
 * wanted. */
static bool record_and_rank(struct top *top, const struct itp_live_base *base, GError **error)
{
	const struct itp_live_choice choice = { .options = &top->record, .typed = top->typed };
	struct itp_live_recorder recorder;
	GError *refusal = NULL;

	if (!itp_record_options_want_bpf(&top->record)) {
		return rank_by_perf(top, base, error);
	}
	if (itp_live_recorder_start(&recorder, &choice, top->screen, &refusal)) {
		greet(top, NULL);
		return rank_live(top, base, &recorder, error);
	}
	if (top->record.is_bpf) {
		g_propagate_prefixed_error(error, refusal, "--bpf: ");
		return false;
	}
	itp_terminal_say("  (perf, which costs more: %s)", refusal->message);
	g_error_free(refusal);
	return rank_by_perf(top, base, error);
}

/* Checks before anything is started that would have to be ended again. */
static bool check_top(const struct top *top, GError **error)
{
	struct itp_rank_job *job = itp_rank_new(top->options.values[ITP_STAGE_RANK], NULL, error);

	if (job) {
		job->free(job);
	}
	return job;
}

static bool run_top(struct top *top, GError **error)
{
	struct itp_live_base base;
	struct itp_progress_line line;
	const struct itp_recordings_watch watch = itp_reading_watch(&line);
	bool done;

	itp_progress_line_init(&line);
	done = itp_live_base_read(&base, top->options.values, &itp_babeltrace_graphs, &watch,
				  error);
	itp_progress_line_release(&line);
	done = done && itp_stage_check_output(top->options.values[ITP_STAGE_RANK],
					      base.inputs.paths, error);
	if (done && itp_options_has_text(&top->options) && !has_option(top, "output")) {
		top->screen = itp_screen_new();
	}
	done = done && record_and_rank(top, &base, error);
	itp_live_base_release(&base);
	return done;
}

int itp_top_run(char **arguments)
{
	struct top top = { .typed = g_strdupv(arguments) };
	GError *error = NULL;
	bool done;

	/* Live events cannot be looked at again, so there is no next command. */
	itp_options_init(&top.options, (char *[]){ arguments[0], NULL });
	done = parse_top(&top, arguments, &error);
	if (done) {
		set_defaults(&top);
		done = check_top(&top, &error) && run_top(&top, &error);
	}
	itp_complain_of(error);
	top_release(&top);
	return done ? ITP_EXIT_FINE : ITP_EXIT_ERROR;
}

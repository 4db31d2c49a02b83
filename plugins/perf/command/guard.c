/* SPDX-License-Identifier: MIT */
/*
 * See program.h: guard. The guarding is plugins/perf/guard's.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/base/duration.h"
#include "common/engine/write.h"
#include "common/guard/training.h"
#include "plugins/perf/command/program.h"
#include "plugins/perf/command/words.h"
#include "plugins/perf/guard/guarding.h"
#include "plugins/perf/record/held.h"
#include "plugins/perf/record/target.h"

#define DEFAULT_HERTZ 99
#define MOST_HERTZ 1000
#define DEFAULT_RECORD_UNITS 10
#define DEFAULT_RECORD_NS 60e9
/* In percent. */
#define DEFAULT_COST 1
#define MOST_COST 100

#define EXAMPLES                                                    \
	"Examples:\n"                                               \
	"  perf introperf guard -p PID server.guards\n"             \
	"  perf introperf guard --format jsonl -a server.guards\n"  \
	"  perf introperf guard server.guards -- ./server\n"        \
	"The guards come from a good run:\n"                        \
	"  perf introperf record -o good.data -p PID -- sleep 30\n" \
	"  perf introperf units --guards server.guards good.data\n" \
	"  perf introperf guard -p PID --learn server.guards server.guards\n"

struct request {
	/* Members are owned by this, where noted. */
	struct itp_target target;
	char *format;
	char *period;
	/* Place of learnt guards; NULL: units are compared with existing guards. */
	char *learn;
	/* Place of recordings behind late units, NULL for none; the number of further late units,
	 * and the longest time, that end one. */
	char *record;
	int record_units;
	char *record_time;
	double record_ns;
	int hertz;
	/* In percent. */
	double cost;
	/* Arguments behind the options. Owned by this. */
	char **rest;
	/* In nanoseconds. */
	double period_ns;
};

static bool wrong(GError **error, const char *what)
{
	g_set_error_literal(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, what);
	return false;
}

static bool check_guard(struct request *request, GError **error)
{
	if (request->format && !g_str_equal(request->format, "text") &&
	    !g_str_equal(request->format, "jsonl")) {
		return wrong(error, "--format: text or jsonl");
	}
	if (request->period && !itp_duration_parse(request->period, &request->period_ns)) {
		return wrong(error, "--period: a time, such as 10s");
	}
	if (request->record_time &&
	    !(itp_duration_parse(request->record_time, &request->record_ns) &&
	      request->record_ns > 0)) {
		return wrong(error, "--record-time: a time, such as 10s");
	}
	if (request->record_units < 1) {
		return wrong(error, "--record-units: how many late units, 1 at least");
	}
	if (request->hertz < 1 || request->hertz > MOST_HERTZ) {
		return wrong(error, "--hertz: from 1 to 1000");
	}
	if (!(request->cost > 0 && request->cost <= MOST_COST)) {
		return wrong(error, "--cost: above 0, up to 100 (percent)");
	}
	if (!request->rest || !request->rest[0]) {
		return wrong(error,
			     "which guards? Name a file that `perf introperf units --guards` "
			     "has written");
	}
	return itp_target_check(&request->target, "guard", error);
}

/* Takes the command behind the guards; "--" in front of it may be left out. */
static void take_command(struct request *request)
{
	char **command = request->rest && request->rest[0] ? request->rest + 1 : NULL;

	if (command && command[0] && g_str_equal(command[0], "--")) {
		command++;
	}
	request->target.command = command && command[0] ? command : NULL;
}

static bool parse_guard(struct request *request, char **arguments, GError **error)
{
	const GOptionEntry entries[] = {
		{ "pid", 'p', 0, G_OPTION_ARG_STRING, &request->target.pids,
		  "guard this process, or several with commas between", "PID" },
		{ "all", 'a', 0, G_OPTION_ARG_NONE, &request->target.is_machine,
		  "guard all processes that the guards are for", NULL },
		{ "format", 0, 0, G_OPTION_ARG_STRING, &request->format, "text or jsonl", "HOW" },
		{ "period", 0, 0, G_OPTION_ARG_STRING, &request->period,
		  "tell how many units there were so often, besides at the end", "TIME" },
		{ "hertz", 0, 0, G_OPTION_ARG_INT, &request->hertz,
		  "look so often a second what late threads do that run (99)", "N" },
		{ "cost", 0, 0, G_OPTION_ARG_DOUBLE, &request->cost,
		  "watch as much of the time as costs so much at most (1); 100: always",
		  "PERCENT" },
		{ "learn", 0, 0, G_OPTION_ARG_FILENAME, &request->learn,
		  "write guards whose limits are by the units of this run, until it ends", "FILE" },
		{ "record", 0, 0, G_OPTION_ARG_FILENAME, &request->record,
		  "when a unit was late, record those that are next", "FILE" },
		{ "record-units", 0, 0, G_OPTION_ARG_INT, &request->record_units,
		  "how many of them (10)", "N" },
		{ "record-time", 0, 0, G_OPTION_ARG_STRING, &request->record_time,
		  "for how long at most (60s)", "TIME" },
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &request->rest, NULL,
		  NULL },
		{ .long_name = NULL },
	};
	g_autoptr(GOptionContext) context = g_option_context_new("GUARDS [-- COMMAND…]");

	g_option_context_add_main_entries(context, entries, NULL);
	g_option_context_set_summary(
		context,
		"Watch the units of work of a program that runs, and tell at once of one that takes\n"
		"longer than usual, and where it is.");
	g_option_context_set_description(context, EXAMPLES);
	/* Options behind the command are the command's. */
	g_option_context_set_strict_posix(context, TRUE);
	g_set_prgname("perf introperf guard");
	if (!itp_words_parse(context, arguments, error)) {
		return false;
	}
	take_command(request);
	return check_guard(request, error);
}

/* Learning compares units with nothing. */
static void forget_limits(const struct itp_guard_file *file)
{
	for (guint i = 0; i < file->loops->len; i++) {
		const struct itp_guard_loop *loop = itp_guard_loop_at(file, i);

		for (guint k = 0; k < loop->types->len; k++) {
			itp_guard_type_at(loop, k)->limit_ns = ITP_GUARD_NO_LIMIT;
			itp_guard_type_at(loop, k)->usual_ns = 0;
		}
	}
}

static void refuse_learned(const struct request *request, const struct itp_guarding *guarding,
			   GError **error)
{
	const double watched = itp_guarding_watched(guarding);
	g_autoptr(GString) text = g_string_new(NULL);

	g_string_printf(text, "%s: no type has had %d units", request->learn,
			ITP_GUARD_UNITS_LEAST);
	if (watched < 1) {
		g_string_append_printf(text,
				       " while system calls were watched, %.2g %% of the time, so "
				       "nothing was learned: a larger --cost watches more, 100 all",
				       100 * watched);
	} else {
		g_string_append(text, ", so nothing was learned");
	}
	g_set_error_literal(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, text->str);
}

static bool write_learned(const struct request *request, const struct itp_guarding *guarding,
			  GError **error)
{
	struct itp_guard_file *file = itp_guard_file_load(request->rest[0], error);
	g_autoptr(GString) text = NULL;
	bool done = file && itp_guarding_learn(guarding, file) > 0;

	if (file && !done) {
		refuse_learned(request, guarding, error);
	}
	text = done ? itp_guard_file_output(file, request->learn, error) : NULL;
	done = text && itp_write(request->learn, text, error);
	itp_guard_file_free(file);
	return done;
}

static bool let_go(struct itp_guarding *guarding, struct itp_held *held)
{
	itp_guarding_await(guarding, held->pid);
	return write(held->gate, "\n", 1) == 1;
}

static bool run_guard(const struct request *request, GError **error)
{
	struct itp_guard_file *file = itp_guard_file_load(request->rest[0], error);
	g_autofree char *recorder = itp_program_find("perf-introperf", ITP_BIN_DIR);
	const struct itp_guarding_options options = {
		.file = file,
		.pids = request->target.pids,
		.is_machine = request->target.is_machine,
		.is_json = request->format && g_str_equal(request->format, "jsonl"),
		.period_s = request->period_ns / 1e9,
		.hertz = (guint)request->hertz,
		.budget = request->cost / 100,
		.record = { .path = request->record,
			    .program = recorder,
			    .units = (guint)request->record_units,
			    .most_s = request->record_ns / 1e9 },
	};
	struct itp_held held = { .gate = -1 };
	struct itp_guarding *guarding = NULL;
	bool done = file && (!request->target.command ||
			     itp_held_start(&held, request->target.command, error));

	if (file && request->learn) {
		forget_limits(file);
	}
	if (done) {
		guarding = itp_guarding_new(&options, error);
		done = guarding && (held.pid == 0 || let_go(guarding, &held)) &&
		       itp_guarding_run(guarding, error) &&
		       (!request->learn || write_learned(request, guarding, error));
	}
	if (held.gate >= 0) {
		itp_held_close(&held);
	}
	itp_held_end(&held);
	itp_guarding_free(guarding);
	itp_guard_file_free(file);
	return done;
}

int itp_guard_run(char **arguments)
{
	struct request request = { .hertz = DEFAULT_HERTZ,
				   .cost = DEFAULT_COST,
				   .record_units = DEFAULT_RECORD_UNITS,
				   .record_ns = DEFAULT_RECORD_NS };
	enum itp_exit code = ITP_EXIT_ERROR;
	GError *error = NULL;

	if (parse_guard(&request, arguments, &error) && run_guard(&request, &error)) {
		code = ITP_EXIT_FINE;
	}
	itp_complain_of(error);
	g_free(request.target.pids);
	g_free(request.format);
	g_free(request.period);
	g_free(request.learn);
	g_free(request.record);
	g_free(request.record_time);
	g_strfreev(request.rest);
	return code;
}

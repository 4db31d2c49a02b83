/* SPDX-License-Identifier: MIT */
/*
 * See introperf.h: record, from the command line to the verdict on the recording.
 */
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plugins/perf/command/introperf.h"
#include "plugins/perf/command/perf-run.h"
#include "plugins/perf/command/quality.h"
#include "plugins/terminal/terminal.h"

#define DEFAULT_OUTPUT "perf.data"
#define SIGNAL_STATUS 128

static const char summary[] =
	"Record what introperf wants to see with perf record: system calls, switches, wakeups and\n"
	"a timer, each with its stack.";

static const char examples[] =
	"Stacks are followed by frame pointers if the program and its libraries keep them; else\n"
	"16 KB of each are copied (8 KB with --light), to be unwound later.\n\n"
	"Examples:\n"
	"  perf introperf record -- ./program --its-option\n"
	"  perf introperf record -o slow.data -p 1234       (until Ctrl-C)\n"
	"  perf introperf record -p 1234 -- sleep 10\n"
	"  perf introperf record -a --light -- sleep 10\n"
	"  perf introperf record --dwarf --stack-size 32768 -- ./deep\n";

struct record {
	struct itp_target target;
	/* Owned by this. */
	char *output;
	gboolean is_light;
	gboolean is_full;
	gboolean wants_fp;
	gboolean wants_dwarf;
	int stack_bytes;
	int frequency_hz;
	gboolean is_machine;
	int pid;
};

static void record_release(struct record *record)
{
	g_strfreev(record->target.command);
	g_free(record->output);
}

static bool parse(struct record *record, char **arguments, GError **error)
{
	const GOptionEntry entries[] = {
		{ "pid", 'p', 0, G_OPTION_ARG_INT, &record->pid, "a process that runs", "PID" },
		{ "all-cpus", 'a', 0, G_OPTION_ARG_NONE, &record->is_machine, "the whole machine",
		  NULL },
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &record->output,
		  "the recording (perf.data)", "FILE" },
		{ "light", 0, 0, G_OPTION_ARG_NONE, &record->is_light, "no system calls", NULL },
		{ "full", 0, 0, G_OPTION_ARG_NONE, &record->is_full,
		  "page faults too, and a faster timer", NULL },
		{ "freq", 'F', 0, G_OPTION_ARG_INT, &record->frequency_hz,
		  "ticks of the timer in a second (997; 3989 with --full)", "N" },
		{ "fp", 0, 0, G_OPTION_ARG_NONE, &record->wants_fp,
		  "follow stacks by frame pointers", NULL },
		{ "dwarf", 0, 0, G_OPTION_ARG_NONE, &record->wants_dwarf,
		  "copy the top of each stack", NULL },
		{ "stack-size", 0, 0, G_OPTION_ARG_INT, &record->stack_bytes,
		  "how much of it, with --dwarf (16384)", "BYTES" },
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &record->target.command,
		  NULL, NULL },
		{ .long_name = NULL },
	};
	g_autoptr(GOptionContext) context = g_option_context_new("[[--] COMMAND…]");
	g_auto(GStrv) copy = g_strdupv(arguments);

	g_option_context_add_main_entries(context, entries, NULL);
	g_option_context_set_summary(context, summary);
	g_option_context_set_description(context, examples);
	/* What comes behind the command is the command's. */
	g_option_context_set_strict_posix(context, TRUE);
	g_set_prgname("perf introperf record");
	if (!g_option_context_parse_strv(context, &copy, error)) {
		return false;
	}
	record->target.pid = record->pid;
	record->target.is_machine = record->is_machine;
	return true;
}

static bool refuse(GError **error, const char *reason)
{
	g_set_error_literal(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, reason);
	return false;
}

static bool check(const struct record *record, GError **error)
{
	if (record->is_light && record->is_full) {
		return refuse(error, "--light and --full: choose one");
	}
	if (record->wants_fp && (record->wants_dwarf || record->stack_bytes != 0)) {
		return refuse(error, "--fp and --dwarf: choose one");
	}
	if (record->stack_bytes < 0 || record->stack_bytes > ITP_MAX_STACK_BYTES) {
		return refuse(error, "--stack-size: perf copies 1 to 65528 bytes");
	}
	if (record->frequency_hz < 0) {
		return refuse(error, "--freq: less than 0");
	}
	return itp_target_check(&record->target, error);
}

/* Prints why, when nobody has asked for it. */
static unsigned int choose_stack_bytes(const struct record *record, enum itp_preset preset)
{
	unsigned int stack_bytes = record->stack_bytes > 0 ? (unsigned int)record->stack_bytes :
							     itp_recipe_stack_bytes(preset);
	g_autofree char *frameless = NULL;
	g_autofree char *name = NULL;

	if (record->wants_fp || record->wants_dwarf || record->stack_bytes > 0) {
		return record->wants_fp ? 0 : stack_bytes;
	}
	frameless = itp_target_frameless(&record->target);
	if (!frameless) {
		itp_terminal_say("  (fp: all code that was looked at keeps frame pointers)\n");
		return 0;
	}
	name = g_path_get_basename(frameless);
	itp_terminal_say(
		"  (dwarf: %s keeps no frame pointers; --fp is much smaller and misses what calls "
		"such code)\n",
		name);
	return stack_bytes;
}

static struct itp_recipe choose_recipe(const struct record *record)
{
	enum itp_preset preset = record->is_light ? ITP_PRESET_LIGHT :
				 record->is_full  ? ITP_PRESET_FULL :
						    ITP_PRESET_USUAL;

	return (struct itp_recipe){ .preset = preset,
				    .frequency_hz = (unsigned int)record->frequency_hz,
				    .stack_bytes = choose_stack_bytes(record, preset),
				    .output = record->output ? record->output : DEFAULT_OUTPUT };
}

/* perf did write it, rather than leave an older one. */
static bool is_new(const char *path, const struct stat *before)
{
	struct stat now;

	return stat(path, &now) == 0 &&
	       (now.st_ino != before->st_ino || now.st_mtim.tv_sec != before->st_mtim.tv_sec ||
		now.st_mtim.tv_nsec != before->st_mtim.tv_nsec);
}

/* As perf ended, which has the status of the program that it has started. */
static int exit_code(const struct itp_perf_end *end)
{
	if (end->is_interrupted) {
		return ITP_EXIT_FINE;
	}
	return WIFSIGNALED(end->status) ? SIGNAL_STATUS + WTERMSIG(end->status) :
					  WEXITSTATUS(end->status);
}

static int run(const struct record *record, GError **error)
{
	const struct itp_recipe recipe = choose_recipe(record);
	g_auto(GStrv) command = itp_recipe_command(&recipe, &record->target);
	g_autofree char *text = itp_recipe_text(command);
	struct stat before = { 0 };
	struct itp_perf_end end;

	itp_terminal_say("%s\n", text);
	/* root is not refused, and a trial takes as long as a short recording. */
	if (geteuid() != 0 && !itp_perf_try(command, error)) {
		return ITP_EXIT_ERROR;
	}
	(void)stat(recipe.output, &before);
	if (!itp_perf_run(command, &end, error)) {
		return ITP_EXIT_ERROR;
	}
	if (!is_new(recipe.output, &before)) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
			    "%s: perf record has written nothing; it says above why",
			    recipe.output);
		return ITP_EXIT_ERROR;
	}
	if (!itp_quality_print(&recipe, error)) {
		if (exit_code(&end) != 0) {
			g_prefix_error(error, "perf record ended with exit status %d; ",
				       exit_code(&end));
		}
		return ITP_EXIT_ERROR;
	}
	return exit_code(&end);
}

int itp_record_run(char **arguments)
{
	struct record record = { 0 };
	GError *error = NULL;
	int code = ITP_EXIT_ERROR;

	if (parse(&record, arguments, &error) && check(&record, &error)) {
		code = run(&record, &error);
	}
	if (error) {
		itp_complain("%s", error->message);
		g_error_free(error);
	}
	record_release(&record);
	return code;
}

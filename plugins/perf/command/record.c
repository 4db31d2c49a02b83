/* SPDX-License-Identifier: MIT */
/*
 * See introperf.h: record, from the command line to the verdict on the recording.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "plugins/perf/command/budget.h"
#include "plugins/perf/command/introperf.h"
#include "plugins/perf/command/perf-run.h"
#include "plugins/perf/command/quality.h"
#include "plugins/terminal/terminal.h"

#define DEFAULT_OUTPUT "perf.data"
#define SIGNAL_STATUS 128
/* Of perf itself. */
#define PERF_FAILED 255
/* A disk without it is full. */
#define ROOM_BYTES (1024 * 1024)

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
	"  perf introperf record --overhead 5% -p 1234 -- sleep 10\n"
	"  perf introperf record --dwarf --stack-size 32768 -- ./deep\n";

struct record {
	struct itp_target target;
	/* Owned by this. */
	char *output;
	gboolean is_light;
	gboolean is_full;
	/* Owned by this; NULL when it does not matter. */
	char *overhead;
	/* What it says, as a share. */
	double limit;
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
	g_free(record->target.started);
	g_free(record->output);
	g_free(record->overhead);
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
		{ "overhead", 0, 0, G_OPTION_ARG_STRING, &record->overhead,
		  "choose what stays below this share of CPU time, such as 5%", "N%" },
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

static bool check(struct record *record, GError **error)
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
	return (!record->overhead || itp_overhead_parse(record->overhead, &record->limit, error)) &&
	       itp_target_check(&record->target, error);
}

/* What keeps no frame pointers, if anybody is to know. Prints what follows from it, unless that is
 * left to a budget. Owned by the caller. */
static char *find_frameless(const struct record *record)
{
	g_autofree char *frameless = NULL;
	g_autofree char *name = NULL;

	if (record->wants_fp || record->wants_dwarf || record->stack_bytes > 0) {
		return NULL;
	}
	frameless = itp_target_frameless(&record->target);
	name = frameless ? g_path_get_basename(frameless) : NULL;
	if (record->overhead) {
		return g_steal_pointer(&name);
	}
	if (name) {
		itp_terminal_say("  (dwarf: %s keeps no frame pointers; --fp is much smaller and "
				 "misses what calls such code)\n",
				 name);
	} else {
		itp_terminal_say("  (fp: all code that was looked at keeps frame pointers)\n");
	}
	return g_steal_pointer(&name);
}

static enum itp_preset preset_of(const struct record *record)
{
	return record->is_light ? ITP_PRESET_LIGHT :
	       record->is_full  ? ITP_PRESET_FULL :
				  ITP_PRESET_USUAL;
}

/* With a budget, a program may be started, see itp_budget_choose(). */
static bool choose_recipe(struct record *record, struct itp_held *held,
			  struct itp_recipe *ret_recipe, GError **error)
{
	g_autofree char *frameless = find_frameless(record);
	bool wants_copies = record->wants_dwarf || record->stack_bytes > 0;
	const struct itp_overhead_wishes wishes = {
		.limit = record->limit,
		.has_preset = record->is_light || record->is_full,
		.preset = preset_of(record),
		.frequency_hz = (unsigned int)record->frequency_hz,
		.wants_fp = record->wants_fp,
		.wants_dwarf = wants_copies,
		.stack_bytes = (unsigned int)record->stack_bytes,
		.is_frameless = frameless != NULL,
	};
	struct itp_recipe recipe = {
		.preset = wishes.preset,
		.frequency_hz = wishes.frequency_hz,
	};

	if (record->overhead) {
		if (!itp_budget_choose(&wishes, &record->target, held, &recipe, error)) {
			return false;
		}
	} else if (wants_copies || wishes.is_frameless) {
		recipe.stack_bytes = wishes.stack_bytes > 0 ? wishes.stack_bytes :
							      itp_recipe_stack_bytes(recipe.preset);
	}
	recipe.output = record->output ? record->output : DEFAULT_OUTPUT;
	*ret_recipe = recipe;
	return true;
}

/* perf did write it, rather than leave an older one. */
static bool is_new(const char *path, const struct stat *before)
{
	struct stat now;

	return stat(path, &now) == 0 &&
	       (now.st_ino != before->st_ino || now.st_mtim.tv_sec != before->st_mtim.tv_sec ||
		now.st_mtim.tv_nsec != before->st_mtim.tv_nsec);
}

static int status_code(int status)
{
	return WIFSIGNALED(status) ? SIGNAL_STATUS + WTERMSIG(status) : WEXITSTATUS(status);
}

/* As perf ended, which has the status of the program that it has started; or as that of the
 * program that we have started. */
static int exit_code(const struct itp_perf_end *end, int held_status)
{
	int code = status_code(end->status);

	if (end->is_interrupted) {
		return ITP_EXIT_FINE;
	}
	return code != 0 ? code : status_code(held_status);
}

/* Until perf has ended, and with it what was held. */
static bool run_perf(const struct itp_recipe *recipe, const struct itp_target *target,
		     struct itp_held *held, int *ret_code, GError **error)
{
	g_auto(GStrv) command = itp_recipe_command(recipe, target);
	g_autofree char *text = itp_recipe_text(command);
	struct stat before = { 0 };
	struct itp_perf_end end;

	itp_terminal_say("%s\n", text);
	/* root is not refused, and a trial takes as long as a short recording. */
	if (geteuid() != 0 && !itp_perf_try(command, error)) {
		return false;
	}
	(void)stat(recipe->output, &before);
	if (!itp_perf_run(command, &end, error)) {
		return false;
	}
	*ret_code = exit_code(&end, itp_held_end(held));
	if (!is_new(recipe->output, &before)) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
			    "%s: perf record has written nothing; it says above why",
			    recipe->output);
		return false;
	}
	return true;
}

/* Nothing more can be written to the end of a file. */
static bool is_disk_full(const char *path)
{
	int file = open(path, O_WRONLY | O_CLOEXEC);
	struct stat status;
	int code = 0;

	if (file >= 0 && fstat(file, &status) == 0) {
		code = posix_fallocate(file, status.st_size, ROOM_BYTES);
		if (code == 0) {
			code = ftruncate(file, status.st_size);
		}
	}
	if (file >= 0) {
		close(file);
	}
	return code == ENOSPC || code == EDQUOT || code == EFBIG;
}

/* What is wrong with a recording that cannot be read. A file without its end that also takes the
 * last room on a disk helps nobody. */
static void explain(const char *path, const struct itp_target *target, int code, GError **error)
{
	if (is_disk_full(path)) {
		g_unlink(path);
		g_clear_error(error);
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOSPC,
			    "%s: the disk is full; what was recorded is removed: make room, or "
			    "record less (--light, --fp)",
			    path);
	} else if (code == PERF_FAILED && target->started) {
		g_unlink(path);
		itp_budget_explain_end(target, error);
	} else if (code != 0) {
		g_prefix_error(error, "perf record ended with exit status %d; ", code);
	}
}

static int run(struct record *record, GError **error)
{
	struct itp_held held = { .pid = 0 };
	struct itp_recipe recipe;
	int code = ITP_EXIT_ERROR;
	bool is_recorded = choose_recipe(record, &held, &recipe, error) &&
			   run_perf(&recipe, &record->target, &held, &code, error);

	itp_held_end(&held);
	if (!is_recorded) {
		return ITP_EXIT_ERROR;
	}
	if (!itp_quality_print(&recipe, error)) {
		explain(recipe.output, &record->target, code, error);
		return ITP_EXIT_ERROR;
	}
	return code;
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

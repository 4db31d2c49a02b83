/* SPDX-License-Identifier: MIT */
/*
 * See program.h: record, from the command line to the verdict on the recording.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "plugins/perf/command/awaited.h"
#include "plugins/perf/command/familiar.h"
#include "plugins/perf/command/options.h"
#include "plugins/perf/command/program.h"
#include "plugins/perf/command/quality.h"
#include "plugins/perf/command/words.h"
#include "plugins/perf/record/bpf-run.h"
#include "plugins/perf/record/claim.h"
#include "plugins/perf/record/descendants.h"
#include "plugins/perf/record/perf-run.h"
#include "plugins/perf/record/record-options.h"
#include "plugins/perf/record/speed-meter.h"
#include "terminal/terminal.h"

#define DEFAULT_OUTPUT "perf.data"
#define SIGNAL_STATUS 128
/* Room below which a disk is full, in bytes. */
#define ROOM_BYTES (1024 * 1024)

static const char summary[] =
	"Record system calls, switches, wakeups and a timer, each with its stack: by programs in\n"
	"the kernel where it lets them, else by perf record.";

static const char examples[] =
	"Programs in the kernel follow stacks by unwind tables. perf follows frame pointers if the\n"
	"program and its libraries keep them; else 16 KB of each stack are copied, to be unwound\n"
	"later.\n\n"
	"Examples:\n"
	"  perf introperf record -- ./program --its-option\n"
	"  perf introperf record -o slow.data -p 1234       (until Ctrl-C)\n"
	"  perf introperf record -p 1234 -- sleep 10\n"
	"  perf introperf record --wait-for nginx -- sleep 10\n"
	"  perf introperf record -a --light -- sleep 10\n"
	"  perf introperf record --overhead 5% -p 1234 -- sleep 10\n"
	"  perf introperf record --dwarf --stack-size 32768 -- ./deep\n";

struct record {
	struct itp_record_options options;
	/* Owned by this. */
	char *output;
	/* The whole command. Owned by this. */
	char **typed;
};

static void record_release(struct record *record)
{
	itp_record_options_release(&record->options);
	g_free(record->output);
	g_strfreev(record->typed);
}

/* The file is looked at afterwards. */
static bool check_output(const struct record *record, GError **error)
{
	if (g_strcmp0(record->output, "-") == 0) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "-o -: a recording is looked at when it is done; name a file");
		return false;
	}
	return true;
}

static bool parse_record(struct record *record, char **arguments, GError **error)
{
	const GOptionEntry entries[] = {
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &record->output,
		  "the recording (perf.data)", "FILE" },
		{ "quiet", 'q', 0, G_OPTION_ARG_NONE, &record->options.is_quiet,
		  "say only what is wrong", NULL },
		{ "verbose", 'v', 0, G_OPTION_ARG_NONE, &record->options.is_verbose,
		  "perf says more of what it does", NULL },
		{ .long_name = NULL },
	};
	g_autoptr(GOptionContext) context = g_option_context_new("[[--] COMMAND…]");
	struct itp_options options = { .familiar = { .command = ITP_PERF_COMMAND_RECORD } };
	GOptionGroup *group = g_option_group_new(NULL, NULL, NULL, &options, NULL);

	g_option_group_add_entries(group, entries);
	itp_record_options_add_entries(group, &record->options);
	itp_record_options_add_own_entries(group, &record->options);
	itp_familiar_add_entries(group, options.familiar.command);
	g_option_context_set_main_group(context, group);
	g_option_context_set_summary(context, summary);
	g_option_context_set_description(context, examples);
	/* Options behind the command are the command's. */
	g_option_context_set_strict_posix(context, TRUE);
	g_set_prgname("perf introperf record");
	return itp_words_parse(context, arguments, error) && check_output(record, error) &&
	       itp_record_options_check(&record->options, error);
}

/* True when perf did write it, rather than leave an older one. */
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

/* Status as perf's, which has the status of the program started by it; or as that of the program
 * started here. */
static int exit_code(const struct itp_perf_end *end, int held_status)
{
	int code = status_code(end->status);

	if (end->is_interrupted) {
		return ITP_EXIT_FINE;
	}
	return code != 0 ? code : status_code(held_status);
}

static bool run_perf_once(const struct itp_recipe *recipe, const struct itp_target *target,
			  struct itp_perf_end *ret_end, GError **error)
{
	g_auto(GStrv) command = itp_recipe_command(recipe, target);
	g_autofree char *text = itp_recipe_text(command);

	if (!recipe->is_quiet) {
		itp_terminal_say("%s", text);
	}
	return itp_perf_try(command, error) && itp_perf_run(command, ret_end, error);
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

/* Leaves out ended processes of a user. */
static bool leave_out_ended_of_user(struct itp_target *target)
{
	g_autofree char *before = g_strdup(target->pids);

	return itp_target_find_user(target, NULL) && !g_str_equal(before, target->pids);
}

/* True when perf has begun to record: it writes the head of the file when it has opened all
 * events. */
static bool has_begun(const char *path, const struct stat *before)
{
	struct stat now;

	return is_new(path, before) && stat(path, &now) == 0 && now.st_size > 0;
}

/* True when perf has failed because processes or threads of the target had ended; they are then
 * left out. It fails in other words and with other statuses for one process than for several, and
 * has the status of the command if it records. A file written until a disk was full is not to be
 * replaced; the file there `before` is not even to be looked at. */
static bool leave_out_ended(const struct itp_recipe *recipe, const struct stat *before,
			    struct itp_target *target, const struct itp_held *held,
			    const struct itp_perf_end *end)
{
	char **list = target->started ? &target->started : &target->pids;
	g_autofree char *left = NULL;

	if (end->is_interrupted || !WIFEXITED(end->status) || WEXITSTATUS(end->status) == 0 ||
	    has_begun(recipe->output, before) ||
	    (is_new(recipe->output, before) && is_disk_full(recipe->output))) {
		return false;
	}
	if (target->user) {
		return leave_out_ended_of_user(target);
	}
	if (!*list) {
		return false;
	}
	left = target->started ? itp_held_survivors(held, *list) : itp_living(*list);
	if (!left || left[0] == '\0' || g_str_equal(left, *list)) {
		return false;
	}
	g_free(*list);
	*list = g_steal_pointer(&left);
	return true;
}

/* Explains why perf has written nothing. With -q it does not say that a process has ended. */
static bool explain_nothing(const struct itp_recipe *recipe, const struct itp_target *target,
			    GError **error)
{
	if (target->pids && !target->user && !itp_target_check(target, "record", error)) {
		return false;
	}
	return itp_perf_explain_nothing(recipe->output, recipe->is_quiet, error);
}

/* Runs perf to its end. Again while processes or threads of the target end before perf, which takes
 * long to begin on a busy machine, finds them: it then records none of them. Each time there are
 * fewer. */
static bool run_perf(const struct itp_recipe *recipe, struct itp_target *target,
		     const struct itp_held *held, struct itp_perf_end *ret_end, GError **error)
{
	struct stat before = { 0 };

	(void)stat(recipe->output, &before);
	do {
		if (!run_perf_once(recipe, target, ret_end, error)) {
			return false;
		}
	} while (leave_out_ended(recipe, &before, target, held, ret_end));
	if (!is_new(recipe->output, &before)) {
		return explain_nothing(recipe, target, error);
	}
	return true;
}

/* Explains an unreadable recording. A file without its end that also takes the last room on a disk
 * helps nobody. */
static void explain_recording(const char *path, const struct itp_target *target, int code,
			      GError **error)
{
	if (is_disk_full(path)) {
		g_unlink(path);
		g_clear_error(error);
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOSPC,
			    "%s: the disk is full; what was recorded is removed: make room, or "
			    "record less (--light, --fp)",
			    path);
	} else if (code == ITP_PERF_FAILED && target->started) {
		g_unlink(path);
		itp_overhead_explain_end(target, error);
	} else if (code != 0) {
		g_prefix_error(error, "perf record ended with exit status %d; ", code);
	}
}

/* True when this user may have a thread that runs before all others. */
static bool may_be_first(void)
{
	const struct sched_param first = { .sched_priority = 1 };
	const struct sched_param usual = { .sched_priority = 0 };

	return sched_setscheduler(0, SCHED_FIFO, &first) == 0 &&
	       sched_setscheduler(0, SCHED_OTHER, &usual) == 0;
}

/* True when the recipe is merely the usual one, and can be tried. */
static bool is_open_to_rehearsal(const struct itp_record_options *options,
				 const struct itp_recipe *recipe)
{
	return recipe->stack_bytes > 0 && options->wishes.stack_bytes == 0 && !options->overhead &&
	       !options->wishes.has_preset && (options->target.pids || options->target.is_machine);
}

/* Tells what it costs programs that run anyway, before it does: nginx needs so much
 * (doc/overhead.md). */
static void warn_of_price(const struct itp_record_options *options, const struct itp_recipe *recipe)
{
	if (!options->is_quiet && !options->overhead && recipe->preset >= ITP_PRESET_USUAL &&
	    (options->target.pids || options->target.is_machine)) {
		itp_terminal_say(
			"  (what does little but system calls needs up to 6 times its CPU time "
			"meanwhile; --overhead 5%% takes less)");
	}
}

static int record_by_perf(struct record *record, const char *output, GError **error)
{
	struct itp_target *target = &record->options.target;
	struct itp_held held = { .pid = 0 };
	struct itp_speed_meter *meter = NULL;
	struct itp_recipe recipe;
	struct itp_perf_end end;
	bool is_recorded = itp_record_options_choose(&record->options, &held, &recipe, error);
	int held_status;
	int code;

	if (is_recorded) {
		recipe.is_first = recipe.stack_bytes > 0 && may_be_first();
		if (is_open_to_rehearsal(&record->options, &recipe)) {
			itp_quality_rehearse(target, &recipe);
		}
		recipe.output = output;
		warn_of_price(&record->options, &recipe);
		meter = itp_speed_meter_begin();
		is_recorded = run_perf(&recipe, target, &held, &end, error);
	}
	itp_speed_meter_end(meter, is_recorded ? output : NULL);
	held_status = itp_held_end(&held);
	if (!is_recorded) {
		return ITP_EXIT_ERROR;
	}
	code = exit_code(&end, held_status);
	if (!itp_quality_print(&recipe, target, error)) {
		explain_recording(recipe.output, target, code, error);
		return ITP_EXIT_ERROR;
	}
	return code;
}

/* False with an error where the kernel has not let it begin, and perf can be tried. */
static bool record_by_bpf(struct record *record, const char *output, int *ret_code, GError **error)
{
	struct itp_held held = { .pid = 0 };
	struct itp_record_bpf_end end;
	struct itp_recipe recipe;
	const bool is_recorded = itp_record_bpf_run(&record->options, output, record->typed, &held,
						    &recipe, &end, error);
	const int held_status = itp_held_end(&held);

	*ret_code = ITP_EXIT_ERROR;
	if (!end.has_begun) {
		if (record->options.is_bpf) {
			g_prefix_error(error, "--bpf: ");
		}
		/* A file that cannot be written is no refusal of the kernel's. */
		return (*error)->domain == G_FILE_ERROR;
	}
	if (!is_recorded) {
		if (is_disk_full(output)) {
			explain_recording(output, &record->options.target, 0, error);
		}
	} else if (itp_quality_print(&recipe, &record->options.target, error)) {
		*ret_code = end.is_interrupted ? ITP_EXIT_FINE : status_code(held_status);
	}
	return true;
}

/* Names the processes to perf that programs in the kernel find by themselves. */
static void take_descendants(struct record *record)
{
	g_autofree char *pids = g_strdup(record->options.target.pids);
	g_autofree char *said = itp_target_take_descendants(&record->options.target);

	if (said && !record->options.is_quiet) {
		itp_complain("-p %s: %s", pids, said);
	}
}

/* By programs in the kernel, which cost least, or by perf where these cannot be or were not
 * wanted. */
static int record_by_any(struct record *record, const char *output, GError **error)
{
	GError *refusal = NULL;
	int code;

	if (itp_record_options_want_bpf(&record->options)) {
		if (record_by_bpf(record, output, &code, &refusal) || record->options.is_bpf) {
			if (refusal) {
				g_propagate_error(error, refusal);
			}
			return code;
		}
		if (!record->options.is_quiet) {
			itp_terminal_say("  (perf, which costs more: %s)", refusal->message);
		}
		g_error_free(refusal);
	}
	take_descendants(record);
	return record_by_perf(record, output, error);
}

static int run_record(struct record *record, GError **error)
{
	const char *output = record->output ? record->output : DEFAULT_OUTPUT;
	int code = ITP_EXIT_ERROR;
	int claim;

	if (itp_claim(output, &claim, error)) {
		code = itp_target_await(&record->options.target, record->options.is_quiet) ?
			       record_by_any(record, output, error) :
			       ITP_EXIT_INTERRUPTED;
	}
	if (claim >= 0) {
		close(claim);
	}
	return code;
}

int itp_record_run(char **arguments)
{
	struct record record = { .typed = g_strdupv(arguments) };
	GError *error = NULL;
	int code = ITP_EXIT_ERROR;

	if (parse_record(&record, arguments, &error)) {
		code = run_record(&record, &error);
	}
	if (error) {
		itp_complain("%s", error->message);
		g_error_free(error);
	}
	record_release(&record);
	return code;
}

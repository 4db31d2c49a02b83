/* SPDX-License-Identifier: MIT */
/*
 * See record-options.h.
 */
#include "plugins/perf/record/record-options.h"

#include <stdlib.h>

#include "plugins/perf/record/like.h"
#include "terminal/terminal.h"

#define NO_LIMIT "none"
#define FREQUENCY_FILE "/proc/sys/kernel/perf_event_max_sample_rate"

void itp_record_options_release(struct itp_record_options *options)
{
	g_free(options->target.pids);
	g_free(options->target.cpus);
	g_free(options->target.user);
	g_free(options->target.awaited);
	g_free(options->tids);
	g_free(options->frequency);
	g_free(options->call_graph);
	g_strfreev(options->events);
	g_strfreev(options->target.command);
	g_free(options->target.started);
	g_free(options->overhead);
	g_free(options->like);
	itp_probes_free(options->probes);
	g_strfreev(options->counted);
}

void itp_record_options_add_entries(GOptionGroup *group, struct itp_record_options *options)
{
	const GOptionEntry entries[] = {
		{ "pid", 'p', 0, G_OPTION_ARG_STRING, &options->target.pids,
		  "processes that run, with commas between", "PID" },
		{ "all-cpus", 'a', 0, G_OPTION_ARG_NONE, &options->target.is_machine,
		  "the whole machine", NULL },
		{ "tid", 't', 0, G_OPTION_ARG_STRING, &options->tids,
		  "threads that run, with commas between", "TID" },
		{ "uid", 'u', 0, G_OPTION_ARG_STRING, &options->target.user,
		  "all processes that run of a user", "USER" },
		{ "cpu", 'C', 0, G_OPTION_ARG_STRING, &options->target.cpus,
		  "what runs on these CPUs, as 0,2-3", "CPUS" },
		{ "event", 'e', 0, G_OPTION_ARG_STRING_ARRAY, &options->events,
		  "one event more, with its stack (several)", "EVENT" },
		{ "light", 0, 0, G_OPTION_ARG_NONE, &options->is_light,
		  "no system calls and wakeups", NULL },
		{ "full", 0, 0, G_OPTION_ARG_NONE, &options->is_full,
		  "page faults too, and a faster timer", NULL },
		{ "overhead", 0, 0, G_OPTION_ARG_STRING, &options->overhead,
		  "stay below this share of CPU time (5%), or none", "N%" },
		{ "like", 0, 0, G_OPTION_ARG_FILENAME, &options->like,
		  "choose what this recording has chosen", "FILE" },
		{ "freq", 'F', 0, G_OPTION_ARG_STRING, &options->frequency,
		  "ticks of the timer in a second, or max (997; 3989 with --full)", "N" },
		{ "fp", 0, 0, G_OPTION_ARG_NONE, &options->wishes.wants_fp,
		  "follow stacks by frame pointers", NULL },
		{ "dwarf", 0, 0, G_OPTION_ARG_NONE, &options->wishes.wants_dwarf,
		  "copy the top of each stack", NULL },
		{ "call-graph", 0, 0, G_OPTION_ARG_STRING, &options->call_graph,
		  "fp or dwarf[,BYTES], as in perf: --fp, --dwarf, --stack-size", "HOW" },
		{ "callchains", 'g', 0, G_OPTION_ARG_NONE, &options->follows_stacks,
		  "as in perf; stacks are recorded anyway", NULL },
		{ "stack-size", 0, 0, G_OPTION_ARG_INT, &options->wishes.stack_bytes,
		  "how much of it, with --dwarf (16384)", "BYTES" },
		{ "count", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->counted,
		  "count the calls of this function; may be given again", "F" },
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->target.command,
		  NULL, NULL },
		{ "bpf", 0, 0, G_OPTION_ARG_NONE, &options->is_bpf,
		  "record with programs in the kernel, or not at all", NULL },
		{ "no-bpf", 0, 0, G_OPTION_ARG_NONE, &options->is_perf,
		  "record with perf, at several times the cost", NULL },
		{ .long_name = NULL },
	};

	g_option_group_add_entries(group, entries);
}

void itp_record_options_add_own_entries(GOptionGroup *group, struct itp_record_options *options)
{
	const GOptionEntry entries[] = {
		{ "wait-for", 0, 0, G_OPTION_ARG_STRING, &options->target.awaited,
		  "a program that may begin later, as with -p when it does", "NAME" },
		{ .long_name = NULL },
	};

	g_option_group_add_entries(group, entries);
}

static bool refuse(GError **error, const char *reason)
{
	g_set_error_literal(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, reason);
	return false;
}

/* Highest frequency of a timer that the kernel allows, in hertz; 0 when unknown. */
static int highest_frequency(void)
{
	g_autofree char *text = NULL;

	return g_file_get_contents(FREQUENCY_FILE, &text, NULL, NULL) ? atoi(text) : 0;
}

static bool read_frequency(struct itp_record_options *options, GError **error)
{
	guint64 number;

	if (!options->frequency) {
		return true;
	}
	if (g_str_equal(options->frequency, "max")) {
		options->wishes.frequency_hz = highest_frequency();
		return options->wishes.frequency_hz > 0 ||
		       refuse(error, "-F max: " FREQUENCY_FILE " cannot be read");
	}
	if (!g_ascii_string_to_unsigned(options->frequency, 10, 1, G_MAXINT, &number, NULL)) {
		return refuse(error, "-F: ticks in a second, as 997, or max");
	}
	options->wishes.frequency_hz = (int)number;
	return true;
}

/* Reads --call-graph: "fp", "dwarf" or "dwarf,BYTES". */
static bool read_call_graph(struct itp_record_options *options, GError **error)
{
	g_auto(GStrv) words = NULL;
	guint64 bytes;

	if (!options->call_graph) {
		return true;
	}
	words = g_strsplit(options->call_graph, ",", 2);
	if (g_strcmp0(words[0], "lbr") == 0) {
		return refuse(error, "--call-graph lbr: the processor notes branches for its own "
				     "events alone, not for system calls and switches; leave it "
				     "out, or say fp or dwarf,BYTES");
	}
	if (g_strcmp0(words[0], "dwarf") == 0) {
		options->wishes.wants_dwarf = true;
		if (!words[1]) {
			return true;
		}
		options->wishes.stack_bytes =
			g_ascii_string_to_unsigned(words[1], 10, 1, G_MAXINT, &bytes, NULL) ?
				(int)bytes :
				-1;
		return true;
	}
	options->wishes.wants_fp = true;
	return g_str_equal(options->call_graph, "fp") ||
	       refuse(error, "--call-graph: fp, dwarf or dwarf,BYTES");
}

static bool read_target(struct itp_record_options *options, GError **error)
{
	struct itp_target *target = &options->target;

	if ((target->pids != NULL) + (options->tids != NULL) + (target->user != NULL) > 1) {
		return refuse(error, "-p, -t and -u: choose one");
	}
	if (target->awaited &&
	    (target->pids || options->tids || target->user || target->is_machine || target->cpus)) {
		return refuse(error,
			      "--wait-for names the process; leave out -p, -t, -u, -a and -C");
	}
	if (g_strcmp0(target->awaited, "") == 0) {
		return refuse(error, "--wait-for: the name of a program, as nginx");
	}
	if (options->tids) {
		target->pids = g_steal_pointer(&options->tids);
		target->is_threads = true;
	}
	if (target->cpus && (target->pids || target->user)) {
		return refuse(error, "-C: processes and threads are recorded on all CPUs");
	}
	if (target->cpus && options->overhead) {
		return refuse(error, "-C: --overhead is for all CPUs");
	}
	target->is_machine |= target->cpus != NULL;
	return !target->user || itp_target_find_user(target, error);
}

/* Option that only perf can follow: "--fp"; NULL without any. */
static const char *perf_option(const struct itp_record_options *options)
{
	const struct itp_overhead_wishes *wishes = &options->wishes;

	return options->is_perf                           ? "--no-bpf" :
	       options->target.is_threads                 ? "-t" :
	       options->target.cpus                       ? "-C" :
	       options->events                            ? "-e" :
	       options->counted                           ? "--count" :
	       wishes->wants_fp                           ? "--fp" :
	       wishes->wants_dwarf || wishes->stack_bytes ? "--dwarf" :
							    NULL;
}

bool itp_record_options_want_bpf(const struct itp_record_options *options)
{
	return !perf_option(options);
}

static bool check_bpf(const struct itp_record_options *options, GError **error)
{
	const char *other = perf_option(options);

	if (options->is_bpf && other) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "--bpf and %s: choose one", other);
		return false;
	}
	return true;
}

/* Choices by hand would make the recordings differ. */
static bool read_like(struct itp_record_options *options, GError **error)
{
	const struct itp_overhead_wishes *wishes = &options->wishes;

	if (!options->like) {
		return true;
	}
	if (options->is_light || options->is_full || options->is_bpf || options->is_perf ||
	    options->overhead || options->frequency || options->call_graph || wishes->wants_fp ||
	    wishes->wants_dwarf || wishes->stack_bytes != 0) {
		return refuse(error, "--like: what is recorded is chosen by the recording alone");
	}
	return itp_like_read(options->like, options, error);
}

bool itp_record_options_check(struct itp_record_options *options, GError **error)
{
	struct itp_overhead_wishes *wishes = &options->wishes;

	if (!read_like(options, error) || !read_frequency(options, error) ||
	    !read_call_graph(options, error) || !read_target(options, error)) {
		return false;
	}
	if (options->is_light && options->is_full) {
		return refuse(error, "--light and --full: choose one");
	}
	if (wishes->wants_fp && (wishes->wants_dwarf || wishes->stack_bytes != 0)) {
		return refuse(error, "--fp and --dwarf: choose one");
	}
	if (wishes->stack_bytes < 0 || wishes->stack_bytes > ITP_MAX_STACK_BYTES) {
		return refuse(error, "--stack-size: perf copies 1 to 65528 bytes");
	}
	if (!check_bpf(options, error)) {
		return false;
	}
	if (!wishes->has_preset) {
		wishes->has_preset = options->is_light || options->is_full;
		wishes->preset = options->is_light ? ITP_PRESET_LIGHT :
				 options->is_full  ? ITP_PRESET_FULL :
						     ITP_PRESET_USUAL;
	}
	wishes->wants_dwarf = wishes->wants_dwarf || wishes->stack_bytes > 0;
	if (g_strcmp0(options->overhead, NO_LIMIT) == 0) {
		options->is_unbounded = true;
		g_clear_pointer(&options->overhead, g_free);
	}
	return (!options->overhead ||
		itp_overhead_parse(options->overhead, &wishes->limit, error)) &&
	       itp_target_check(&options->target, "record", error);
}

/* True when some code keeps no frame pointers, and no option has chosen. Reports the choice, unless
 * left to --overhead. */
static bool is_frameless(const struct itp_record_options *options)
{
	g_autofree char *name = NULL;

	if (options->wishes.wants_fp || options->wishes.wants_dwarf) {
		return false;
	}
	name = itp_target_frameless(&options->target);
	if (options->overhead || options->is_quiet) {
		return name != NULL;
	}
	if (name) {
		itp_terminal_say("  (dwarf: %s keeps no frame pointers; --fp is much smaller and "
				 "misses what calls such code)",
				 name);
	} else {
		itp_terminal_say("  (fp: all code that was looked at keeps frame pointers)");
	}
	return name != NULL;
}

bool itp_record_options_choose(struct itp_record_options *options, struct itp_held *held,
			       struct itp_recipe *ret_recipe, GError **error)
{
	struct itp_overhead_wishes *wishes = &options->wishes;
	struct itp_recipe recipe = { .preset = wishes->preset,
				     .frequency_hz = wishes->frequency_hz };

	wishes->is_quiet = options->is_quiet;

	wishes->is_frameless = is_frameless(options);
	if (wishes->wants_dwarf || wishes->is_frameless) {
		recipe.stack_bytes = wishes->stack_bytes > 0 ? wishes->stack_bytes :
							       ITP_STACK_BYTES;
	}
	if (options->overhead &&
	    !itp_overhead_run(wishes, &options->target, held, &recipe, error)) {
		return false;
	}
	recipe.events = options->events;
	recipe.is_quiet = options->is_quiet;
	recipe.is_verbose = options->is_verbose;
	if (options->counted) {
		options->probes = itp_probes_new(options->counted, &options->target, error);
		if (!options->probes) {
			return false;
		}
		recipe.probes = itp_probes_events(options->probes);
	}
	*ret_recipe = recipe;
	return true;
}

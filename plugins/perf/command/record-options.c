/* SPDX-License-Identifier: MIT */
/*
 * See record-options.h.
 */
#include "plugins/perf/command/record-options.h"

#include "terminal/terminal.h"

void itp_record_options_release(struct itp_record_options *options)
{
	g_free(options->target.pids);
	g_strfreev(options->target.command);
	g_free(options->target.started);
	g_free(options->overhead);
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
		{ "light", 0, 0, G_OPTION_ARG_NONE, &options->is_light,
		  "no system calls and wakeups", NULL },
		{ "full", 0, 0, G_OPTION_ARG_NONE, &options->is_full,
		  "page faults too, and a faster timer", NULL },
		{ "overhead", 0, 0, G_OPTION_ARG_STRING, &options->overhead,
		  "choose what stays below this share of CPU time, such as 5%", "N%" },
		{ "freq", 'F', 0, G_OPTION_ARG_INT, &options->wishes.frequency_hz,
		  "ticks of the timer in a second (997; 3989 with --full)", "N" },
		{ "fp", 0, 0, G_OPTION_ARG_NONE, &options->wishes.wants_fp,
		  "follow stacks by frame pointers", NULL },
		{ "dwarf", 0, 0, G_OPTION_ARG_NONE, &options->wishes.wants_dwarf,
		  "copy the top of each stack", NULL },
		{ "stack-size", 0, 0, G_OPTION_ARG_INT, &options->wishes.stack_bytes,
		  "how much of it, with --dwarf (16384)", "BYTES" },
		{ "count", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->counted,
		  "count the calls of this function; may be given again", "F" },
		{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->target.command,
		  NULL, NULL },
		{ .long_name = NULL },
	};

	g_option_group_add_entries(group, entries);
}

static bool refuse(GError **error, const char *reason)
{
	g_set_error_literal(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, reason);
	return false;
}

bool itp_record_options_check(struct itp_record_options *options, GError **error)
{
	struct itp_overhead_wishes *wishes = &options->wishes;

	if (options->is_light && options->is_full) {
		return refuse(error, "--light and --full: choose one");
	}
	if (wishes->wants_fp && (wishes->wants_dwarf || wishes->stack_bytes != 0)) {
		return refuse(error, "--fp and --dwarf: choose one");
	}
	if (wishes->stack_bytes < 0 || wishes->stack_bytes > ITP_MAX_STACK_BYTES) {
		return refuse(error, "--stack-size: perf copies 1 to 65528 bytes");
	}
	if (wishes->frequency_hz < 0) {
		return refuse(error, "--freq: less than 0");
	}
	wishes->has_preset = options->is_light || options->is_full;
	wishes->preset = options->is_light ? ITP_PRESET_LIGHT :
			 options->is_full  ? ITP_PRESET_FULL :
					     ITP_PRESET_USUAL;
	wishes->wants_dwarf = wishes->wants_dwarf || wishes->stack_bytes > 0;
	return (!options->overhead ||
		itp_overhead_parse(options->overhead, &wishes->limit, error)) &&
	       itp_target_check(&options->target, "record", error);
}

/* Whether some code keeps no frame pointers, if anybody is to know. Says what follows from it,
 * unless that is left to --overhead. */
static bool is_frameless(const struct itp_record_options *options)
{
	g_autofree char *name = NULL;

	if (options->wishes.wants_fp || options->wishes.wants_dwarf) {
		return false;
	}
	name = itp_target_frameless(&options->target);
	if (options->overhead) {
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

	wishes->is_frameless = is_frameless(options);
	if (wishes->wants_dwarf || wishes->is_frameless) {
		recipe.stack_bytes = wishes->stack_bytes > 0 ? wishes->stack_bytes :
							       ITP_STACK_BYTES;
	}
	if (options->overhead &&
	    !itp_overhead_run(wishes, &options->target, held, &recipe, error)) {
		return false;
	}
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

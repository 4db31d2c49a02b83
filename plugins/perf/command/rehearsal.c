/* SPDX-License-Identifier: MIT */
/*
 * See rehearsal.h.
 */
#include "plugins/perf/command/rehearsal.h"

#include <unistd.h>

#include <glib/gstdio.h>

#include "plugins/perf/command/perf-run.h"
#include "plugins/perf/command/quality.h"
#include "terminal/terminal.h"

#define REHEARSAL_S "0.3"
#define LOST_MOST 0.01
/* Smaller ones end before the root of most programs' stacks. */
#define LEAST_STACK_BYTES 4096

/* Share of the events that are lost; 0 when it cannot be known. */
static double lost_share(const struct itp_target *target, const struct itp_recipe *recipe)
{
	char *wait[] = { "sleep", REHEARSAL_S, NULL };
	struct itp_target short_target = *target;
	struct itp_recipe rehearsal = *recipe;
	struct itp_quality quality = { .made = { .named = 0 } };
	const struct itp_infer_counts *counts = &quality.counts;
	g_autofree char *path = NULL;
	g_autofree char *said = NULL;
	g_auto(GStrv) command = NULL;
	int file = g_file_open_tmp("introperf-XXXXXX", &path, NULL);

	if (file < 0) {
		return 0;
	}
	close(file);
	rehearsal.output = path;
	short_target.command = wait;
	command = itp_recipe_command(&rehearsal, &short_target);
	said = itp_perf_listen(command, NULL);
	if (said) {
		(void)itp_quality_count(path, &quality);
	}
	g_unlink(path);
	return counts->lost_events > 0 ? (double)counts->lost_events /
						 (double)(counts->stacks + counts->lost_events) :
					 0;
}

static void ask_for_less(struct itp_recipe *recipe)
{
	if (recipe->stack_bytes / 2 >= LEAST_STACK_BYTES) {
		recipe->stack_bytes /= 2;
	} else {
		recipe->preset = ITP_PRESET_LIGHT;
		recipe->stack_bytes = ITP_STACK_BYTES;
	}
}

void itp_rehearsal_fit(const struct itp_target *target, struct itp_recipe *recipe)
{
	const unsigned int wanted_bytes = recipe->stack_bytes;

	while (recipe->preset >= ITP_PRESET_USUAL && lost_share(target, recipe) > LOST_MOST) {
		ask_for_less(recipe);
	}
	if (recipe->preset < ITP_PRESET_USUAL) {
		itp_terminal_say("  (--light: perf does not keep up with this many system calls)");
	} else if (recipe->stack_bytes < wanted_bytes) {
		itp_terminal_say("  (--stack-size %u: perf does not keep up with larger copies)",
				 recipe->stack_bytes);
	}
}

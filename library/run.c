/* SPDX-License-Identifier: MIT */
/*
 * A run: its events go through the core as they come, and become a profile.
 */
#include "library/library.h"

#include "common/base/watched.h"

G_STATIC_ASSERT((int)INTROPERF_SYSCALL_ENTER == (int)ITP_EVENT_SYSCALL_ENTER);
G_STATIC_ASSERT((int)INTROPERF_SAMPLE == (int)ITP_EVENT_SAMPLE);
G_STATIC_ASSERT((int)INTROPERF_END == (int)ITP_EVENT_END);
G_STATIC_ASSERT(INTROPERF_MAX_DEPTH == ITP_MAX_STACK_DEPTH);

struct introperf_run *introperf_run_new(struct introperf *introperf, const char *name,
					enum introperf_role role)
{
	/* Nobody can read code that is said to be nowhere. */
	const struct itp_analysis_options options = {
		.infer = { .continuity = ITP_CONTINUITY_CALL_SITE },
		.normalize = ITP_NORMALIZE_DEFAULTS,
		.tree = introperf->tree,
	};
	struct introperf_run *run = g_new0(struct introperf_run, 1);

	run->introperf = introperf;
	run->role = role;
	run->analysis = itp_analysis_new(name, &options, introperf->functions);
	run->frames = g_array_new(FALSE, FALSE, sizeof(struct itp_frame));
	g_ptr_array_add(introperf->runs, run);
	return run;
}

void itp_library_run_free(gpointer data)
{
	struct introperf_run *run = data;

	itp_analysis_free(run->analysis);
	itp_profile_free(run->profile);
	g_array_unref(run->frames);
	g_free(run);
}

/* The frames of the event as the core has them. */
static void take_frames(struct introperf_run *run, const struct introperf_event *event)
{
	g_array_set_size(run->frames, 0);
	for (size_t i = 0; i < event->frame_count; i++) {
		const struct itp_frame frame = {
			.address = event->frames[i].address,
			.function = event->frames[i].function,
			.is_exact = i + 1 == event->frame_count,
		};

		g_array_append_val(run->frames, frame);
	}
}

/* The number of lost events is -1 at least: introperf.h has no smaller one, and the core means a
 * cut by -2. Arguments of other kinds are taken as they are. */
static int64_t argument_of(const struct introperf_event *event)
{
	return event->kind == INTROPERF_LOSS ? MAX(event->argument, ITP_LOSS_UNKNOWN) :
					       event->argument;
}

int introperf_run_feed(struct introperf_run *run, const struct introperf_event *event)
{
	struct itp_stack_event core = {
		.kind = (enum itp_event_kind)event->kind,
		.time_ns = event->time_ns,
		.pid = event->pid,
		.tid = event->tid,
		.cpu = -1,
		.comm = event->name ? event->name : "",
		.argument = argument_of(event),
		.tick_ns = event->kind == INTROPERF_SAMPLE ? MAX(event->argument, 0) : 0,
		.callee = event->kind == INTROPERF_SWITCH_OUT ? INTROPERF_UNKNOWN : event->callee,
		.frame_count = event->frame_count,
		.complete = !event->is_cut,
		.end = event->is_cut ? ITP_STACK_END_UNKNOWN : ITP_STACK_END_ROOT,
	};

	if (!run->analysis) {
		return INTROPERF_ERROR_FINISHED;
	}
	if ((unsigned int)event->kind > INTROPERF_END) {
		return INTROPERF_ERROR_UNKNOWN_KIND;
	}
	if (event->frame_count > INTROPERF_MAX_DEPTH) {
		return INTROPERF_ERROR_LIMIT;
	}
	if (event->kind == INTROPERF_SAMPLE && event->argument <= 0) {
		itp_analysis_watch(run->analysis, ITP_WATCHED_BY_HOST);
	}
	take_frames(run, event);
	core.frames = (const struct itp_frame *)(void *)run->frames->data;
	return itp_analysis_push(run->analysis, &core);
}

int introperf_run_feed_folded(struct introperf_run *run, const struct introperf_event *event,
			      const char *module, const char *stack)
{
	g_auto(GStrv) names = g_strsplit(stack, ";", -1);
	g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(struct introperf_frame));
	struct introperf_event whole = *event;

	for (size_t i = 0; names[i]; i++) {
		if (names[i][0] != '\0') {
			const struct introperf_frame frame = {
				.function = introperf_function(run->introperf, names[i], module,
							       INTROPERF_USER),
			};

			g_array_append_val(frames, frame);
		}
	}
	whole.frames = (const struct introperf_frame *)(void *)frames->data;
	whole.frame_count = frames->len;
	return introperf_run_feed(run, &whole);
}

int introperf_run_finish(struct introperf_run *run)
{
	struct itp_profile_source source;
	bool is_whole;

	if (!run->analysis) {
		return INTROPERF_ERROR_FINISHED;
	}
	is_whole = itp_analysis_finish(run->analysis, &source, NULL);
	run->profile = itp_analysis_take_profile(run->analysis);
	g_clear_pointer(&run->analysis, itp_analysis_free);
	/* Nothing else fails while the core calls back: a call was too deep. */
	return is_whole ? INTROPERF_OK : INTROPERF_ERROR_LIMIT;
}

/* SPDX-License-Identifier: MIT */
/*
 * A run: its events go through the core as they come, and become a profile.
 */
#include "library/library.h"

#include "common/base/context-function.h"
#include "common/infer/kept.h"

G_STATIC_ASSERT((int)INTROPERF_SYSCALL_ENTER == (int)ITP_EVENT_SYSCALL_ENTER);
G_STATIC_ASSERT((int)INTROPERF_SAMPLE == (int)ITP_EVENT_SAMPLE);
G_STATIC_ASSERT((int)INTROPERF_END == (int)ITP_EVENT_END);
G_STATIC_ASSERT(INTROPERF_MAX_DEPTH == ITP_MAX_STACK_DEPTH);

static void on_instance(const struct itp_instance *instance, void *data)
{
	struct introperf_run *run = data;
	int error;

	itp_asked_add(run->asked, instance);
	error = itp_normalizer_push(run->normalizer, instance);

	if (run->failure == 0) {
		run->failure = error;
	}
}

static void on_share(const struct itp_share *share, void *data)
{
	const struct introperf_run *run = data;

	itp_normalizer_push_share(run->normalizer, share);
}

static const struct itp_function *function_of(const void *data, uint32_t node)
{
	const struct introperf *introperf = data;

	return itp_context_function(introperf->tree, introperf->functions, node);
}

static uint32_t parent_of(const void *data, uint32_t node)
{
	return itp_context_tree_get(((const struct introperf *)data)->tree, node)->parent;
}

struct introperf_run *introperf_run_new(struct introperf *introperf, const char *name,
					enum introperf_role role)
{
	/* Nobody can read code that is said to be nowhere. */
	const struct itp_infer_options options = { .continuity = ITP_CONTINUITY_CALL_SITE };
	const struct itp_node_lookup lookup = { .function_of = function_of,
						.parent_of = parent_of,
						.data = introperf };
	struct introperf_run *run = g_new0(struct introperf_run, 1);

	run->introperf = introperf;
	run->role = role;
	run->profile = itp_profile_new(name);
	run->asked = itp_asked_new(introperf->tree, introperf->functions);
	run->infer =
		itp_infer_new(&options, introperf->functions, introperf->tree, on_instance, run);
	itp_asked_set_infer(run->asked, run->infer);
	run->normalizer = itp_normalizer_new(ITP_ESTIMATE_BEST, run->profile, &lookup);
	run->frames = g_array_new(FALSE, FALSE, sizeof(struct itp_frame));
	g_ptr_array_add(introperf->runs, run);
	return run;
}

static void forget_events(struct introperf_run *run)
{
	g_clear_pointer(&run->infer, itp_infer_free);
	g_clear_pointer(&run->asked, itp_asked_free);
	g_clear_pointer(&run->normalizer, itp_normalizer_free);
}

void itp_library_run_free(gpointer data)
{
	struct introperf_run *run = data;

	forget_events(run);
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
	int error;

	if (!run->infer) {
		return INTROPERF_ERROR_FINISHED;
	}
	if ((unsigned int)event->kind > INTROPERF_END) {
		return INTROPERF_ERROR_UNKNOWN_KIND;
	}
	if (event->frame_count > INTROPERF_MAX_DEPTH) {
		return INTROPERF_ERROR_LIMIT;
	}
	run->has_own_stacks |= event->kind == INTROPERF_SAMPLE && event->argument <= 0;
	take_frames(run, event);
	core.frames = (const struct itp_frame *)(void *)run->frames->data;
	error = itp_infer_push(run->infer, &core);
	return error != 0 ? error : run->failure;
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
	struct itp_workload *workload = &run->profile->workload;

	if (!run->infer) {
		return INTROPERF_ERROR_FINISHED;
	}
	itp_infer_finish(run->infer);
	itp_infer_tell_shares(run->infer, on_share, run);
	itp_normalizer_conclude(run->normalizer);
	itp_wakers_merge(run->profile->wakers, itp_infer_wakers(run->infer));
	workload->counts = *itp_infer_counts(run->infer);
	workload->counts.watched |= run->has_own_stacks ? ITP_WATCHED_BY_HOST : 0;
	workload->complete = itp_infer_counts_are_whole(&workload->counts);
	itp_profile_keep_watched(run->profile, parent_of, run->introperf);
	forget_events(run);
	return run->failure;
}

/* SPDX-License-Identifier: MIT */
/*
 * See conclude.h.
 */
#include "common/engine/conclude.h"

#include "common/base/failure.h"

static bool look(const struct itp_progress *progress, void *data)
{
	const struct itp_conclusion *conclusion = data;
	const struct itp_recordings_watch *watch = &conclusion->watch;

	return !itp_interrupt_take(conclusion->interrupt) &&
	       (!watch->progress || watch->progress(progress, watch->data));
}

static void tell(const char *text, void *data)
{
	const struct itp_recordings_watch *watch = &((struct itp_conclusion *)data)->watch;

	watch->tell(text, watch->data);
}

/* Returns the failure of the recordings, or NULL. Owned by the caller. Bases of an interrupted
 * suspect are read all the same. */
static GError *read_recordings(struct itp_conclusion *conclusion)
{
	const struct itp_recordings_watch watch = { .progress = look,
						    .tell = tell,
						    .data = conclusion };
	GError *failure = NULL;

	if (!itp_recordings_read(conclusion->recordings, &watch, &failure)) {
		conclusion->is_interrupted |= !failure;
	}
	if (conclusion->watch.progress) {
		conclusion->watch.progress(NULL, conclusion->watch.data);
	}
	itp_recordings_add_profiles(conclusion->recordings, conclusion->profiles);
	conclusion->is_interrupted |= itp_interrupt_has_ended_early(conclusion->interrupt);
	return failure;
}

enum itp_outcome itp_conclude(struct itp_conclusion *conclusion, GError **error)
{
	g_autoptr(GError) failure = read_recordings(conclusion);
	const struct itp_result_input input = { .profiles = conclusion->profiles,
						.failure = failure,
						.is_interrupted = conclusion->is_interrupted };
	GError *reason = NULL;
	bool done = itp_result_run(conclusion->result, &input, conclusion->interrupt, &reason);
	bool is_interrupted = conclusion->is_interrupted ||
			      itp_interrupt_has_ended_early(conclusion->interrupt);

	if (done && !is_interrupted) {
		return ITP_OUTCOME_DONE;
	}
	/* Further errors may follow from the interrupt. */
	if (is_interrupted || !reason) {
		g_clear_error(&reason);
		itp_failure_set(error, "interrupted before all was read");
		return ITP_OUTCOME_INTERRUPTED;
	}
	g_propagate_error(error, reason);
	return ITP_OUTCOME_FAILED;
}

/* SPDX-License-Identifier: MIT */
/*
 * See through.h.
 */
#include "plugins/perf/command/through.h"

#include "common/base/failure.h"
#include "common/engine/memory-profile.h"
#include "common/engine/write.h"
#include "common/render/through/through.h"
#include "terminal/terminal.h"

#define MIN_WIDTH 60

/* Reason why nothing was found; NULL where unclear. */
static const char *reason_for_nothing(const struct itp_through *through)
{
	const struct itp_traffic *traffic = itp_through_traffic(through);

	return traffic->calls == 0   ? "it has no system calls with their arguments" :
	       traffic->wakeups == 0 ? "it has no wakeups, which tell what is connected with what" :
				       NULL;
}

bool itp_through_show(const struct itp_recordings *recordings, const char *path, guint top,
		      bool is_jsonl, GError **error)
{
	const struct itp_terminal terminal = itp_terminal_of_output(true, ITP_COLOR_NEVER);
	g_autoptr(GArray) profiles = g_array_new(FALSE, FALSE, sizeof(struct itp_memory_profile));
	const struct itp_through *through = itp_recordings_through(recordings, 0);
	struct itp_through_page page = { .path = path,
					 .through = through,
					 .top = top,
					 .width = MAX(terminal.columns, MIN_WIDTH) };
	g_autoptr(GString) text = g_string_new(NULL);
	const struct itp_memory_profile *profile;
	const struct itp_workload *workload;

	itp_recordings_add_profiles(recordings, profiles);
	profile = &g_array_index(profiles, struct itp_memory_profile, 0);
	workload = &profile->source.profile->workload;
	page.clock = profile->clock;
	page.is_complete = workload->complete;
	page.lost_events = workload->counts.lost_events;
	if (itp_through_hops(through)->roots->len == 0) {
		const char *reason = reason_for_nothing(through);

		itp_failure_set(error, "%s: no request was seen to be taken and answered%s%s", path,
				reason ? ": " : "", reason ? reason : "");
		return false;
	}
	if (is_jsonl) {
		itp_render_through_jsonl(&page, text);
	} else {
		itp_render_through_text(&page, text);
	}
	return itp_write(NULL, text, error);
}

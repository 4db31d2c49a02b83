/* SPDX-License-Identifier: MIT */
/*
 * See watched.h.
 */
#include "common/base/watched.h"

#include <glib.h>

/* Kinds of events that show a thread as often as it does something that takes time. */
#define SHOWS_LATENCIES \
	(ITP_WATCHED_SWITCHES | ITP_WATCHED_CALLS | ITP_WATCHED_FUNCTIONS | ITP_WATCHED_BY_HOST)

static const struct {
	uint32_t bit;
	const char *name;
} kinds[] = {
	{ ITP_WATCHED_TICKS, "ticks" },         { ITP_WATCHED_SWITCHES, "switches" },
	{ ITP_WATCHED_WAKEUPS, "wakeups" },     { ITP_WATCHED_CALLS, "system-calls" },
	{ ITP_WATCHED_FUNCTIONS, "functions" }, { ITP_WATCHED_BY_HOST, "host" },
};

uint32_t itp_watched_by(const struct itp_stack_event *event)
{
	if (event->kind == ITP_EVENT_WAKEUP) {
		return ITP_WATCHED_WAKEUPS;
	}
	if (event->frame_count == 0) {
		return 0;
	}
	switch (event->kind) {
	case ITP_EVENT_SAMPLE:
		return event->argument > 0 ? ITP_WATCHED_TICKS : 0;
	case ITP_EVENT_SWITCH_OUT:
		return ITP_WATCHED_SWITCHES;
	case ITP_EVENT_SYSCALL_ENTER:
	case ITP_EVENT_SYSCALL_EXIT:
		return ITP_WATCHED_CALLS;
	case ITP_EVENT_FUNCTION_ENTRY:
	case ITP_EVENT_FUNCTION_EXIT:
		return ITP_WATCHED_FUNCTIONS;
	default:
		return 0;
	}
}

uint32_t itp_watched_both(uint32_t watched, uint32_t other)
{
	if (watched == 0 || other == 0) {
		return watched | other;
	}
	return watched & other;
}

bool itp_watched_shows_latencies(uint32_t watched)
{
	return watched == 0 || (watched & SHOWS_LATENCIES) != 0;
}

char *itp_watched_text(uint32_t watched)
{
	GString *text = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		if (watched & kinds[i].bit) {
			g_string_append_printf(text, "%s%s", text->len > 0 ? " " : "",
					       kinds[i].name);
		}
	}
	return g_string_free(text, FALSE);
}

uint32_t itp_watched_parse(const char *text)
{
	g_auto(GStrv) names = g_strsplit(text, " ", -1);
	uint32_t watched = ITP_WATCHED_TOLD;

	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		if (g_strv_contains((const char *const *)names, kinds[i].name)) {
			watched |= kinds[i].bit;
		}
	}
	return watched;
}

/* SPDX-License-Identifier: MIT */
/*
 * Stretches in an array. When it is full, those of its older half become one of two each, named
 * after one of them by a chance that is as great as its part: many of them tell shares still.
 */
#include "common/infer/activity.h"

#include <glib.h>
#include <stdbool.h>

#include "common/base/function-table.h"

#define MAX_STRETCHES 64

const struct itp_doing itp_doing_unknown = { .process = ITP_FUNCTION_UNKNOWN };

struct stretch {
	int64_t end_ns;
	struct itp_doing doing;
};

struct itp_activity {
	int64_t begin_ns;
	/* Seeds the chance; the same input gives the same result. */
	uint64_t chance;
	uint32_t count;
	struct stretch stretches[MAX_STRETCHES];
};

struct itp_activity *itp_activity_new(int64_t begin_ns)
{
	struct itp_activity *activity = g_new(struct itp_activity, 1);

	activity->chance = 1;
	itp_activity_forget(activity, begin_ns);
	return activity;
}

void itp_activity_free(struct itp_activity *activity)
{
	g_free(activity);
}

void itp_activity_forget(struct itp_activity *activity, int64_t time_ns)
{
	activity->begin_ns = time_ns;
	activity->count = 0;
}

static int64_t end_of(const struct itp_activity *activity)
{
	return activity->count > 0 ? activity->stretches[activity->count - 1].end_ns :
				     activity->begin_ns;
}

/* A number below `limit`: Knuth's congruential generator, whose upper bits are the good ones. */
static int64_t draw(struct itp_activity *activity, int64_t limit)
{
	activity->chance =
		activity->chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (int64_t)((activity->chance >> 16) % (uint64_t)limit);
}

static void make_coarser(struct itp_activity *activity)
{
	int64_t begin_ns = activity->begin_ns;
	struct stretch *stretches = activity->stretches;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < MAX_STRETCHES / 2; i += 2) {
		int64_t first_ns = stretches[i].end_ns - begin_ns;
		int64_t both_ns = stretches[i + 1].end_ns - begin_ns;
		bool is_first = draw(activity, both_ns) < first_ns;
		struct stretch chosen = stretches[is_first ? i : i + 1];

		begin_ns = stretches[i + 1].end_ns;
		chosen.end_ns = begin_ns;
		stretches[kept++] = chosen;
	}
	for (uint32_t i = MAX_STRETCHES / 2; i < MAX_STRETCHES; i++) {
		stretches[kept++] = stretches[i];
	}
	activity->count = kept;
}

static bool is_same(const struct itp_doing *a, const struct itp_doing *b)
{
	return a->process == b->process && a->function == b->function && a->node == b->node &&
	       a->keeper == b->keeper;
}

void itp_activity_add(struct itp_activity *activity, int64_t end_ns, const struct itp_doing *doing)
{
	struct stretch *last = activity->count > 0 ? &activity->stretches[activity->count - 1] :
						     NULL;

	if (end_ns <= end_of(activity)) {
		return;
	}
	if (last && is_same(&last->doing, doing)) {
		last->end_ns = end_ns;
		return;
	}
	if (activity->count == MAX_STRETCHES) {
		make_coarser(activity);
	}
	activity->stretches[activity->count++] =
		(struct stretch){ .end_ns = end_ns, .doing = *doing };
}

void itp_activity_each(const struct itp_activity *activity, int64_t begin_ns, int64_t end_ns,
		       itp_activity_visit *visit, void *data)
{
	int64_t from_ns = MAX(begin_ns, activity->begin_ns);

	for (uint32_t i = 0; i < activity->count && from_ns < end_ns; i++) {
		const struct stretch *stretch = &activity->stretches[i];
		int64_t until_ns = MIN(stretch->end_ns, end_ns);

		if (until_ns <= from_ns) {
			continue;
		}
		if (stretch->doing.process != ITP_FUNCTION_UNKNOWN) {
			visit(until_ns, until_ns - from_ns, &stretch->doing, data);
		}
		from_ns = until_ns;
	}
}

/* SPDX-License-Identifier: MIT */
/*
 * See rests.h.
 */
#include "common/unit/rests.h"

#include <glib.h>

struct rest {
	int64_t begin_ns;
	/* INT64_MAX: not over yet. */
	int64_t end_ns;
};

struct itp_rests {
	/* struct rest, in the order of time. Owned by this. */
	GArray *list;
};

struct itp_rests *itp_rests_new(void)
{
	struct itp_rests *rests = g_new0(struct itp_rests, 1);

	rests->list = g_array_new(FALSE, FALSE, sizeof(struct rest));
	return rests;
}

void itp_rests_free(struct itp_rests *rests)
{
	g_array_unref(rests->list);
	g_free(rests);
}

static struct rest *get(const struct itp_rests *rests, guint i)
{
	return &g_array_index(rests->list, struct rest, i);
}

static bool is_resting(const struct itp_rests *rests)
{
	return rests->list->len > 0 && get(rests, rests->list->len - 1)->end_ns == INT64_MAX;
}

void itp_rests_watch(struct itp_rests *rests, bool is_watched, int64_t time_ns)
{
	const struct rest rest = { .begin_ns = time_ns, .end_ns = INT64_MAX };

	if (is_watched && is_resting(rests)) {
		get(rests, rests->list->len - 1)->end_ns = time_ns;
	} else if (!is_watched && !is_resting(rests)) {
		g_array_append_val(rests->list, rest);
	}
}

/* Number of rests begun before `time_ns`. */
static guint begun_before(const struct itp_rests *rests, int64_t time_ns)
{
	guint begin = 0;
	guint end = rests->list->len;

	while (begin < end) {
		const guint middle = begin + (end - begin) / 2;

		if (get(rests, middle)->begin_ns < time_ns) {
			begin = middle + 1;
		} else {
			end = middle;
		}
	}
	return begin;
}

bool itp_rests_meet(const struct itp_rests *rests, int64_t begin_ns, int64_t end_ns)
{
	const guint begun = begun_before(rests, end_ns);

	return begun > 0 && get(rests, begun - 1)->end_ns > begin_ns;
}

/* SPDX-License-Identifier: MIT */
/*
 * See nested.h. Symptoms are looked at in the order of their begins, so that earlier symptoms are
 * known to stay or not. Those that stay and have not ended are kept at hand.
 */
#include "common/wait/nested.h"

#include "common/base/order.h"

/* Divisor of a symptom: part of another is one with more than a 2nd of it held up by the same. */
#define HELD_PART 2

/* A symptom; its path is made for the first comparison with another symptom. */
struct span {
	struct itp_symptom symptom;
	/* Index in the list. */
	guint place;
	/* struct itp_link, NULL before its first use; and for each link the index of the wait that
	 * it is behind, or its own without any. Owned by this. */
	GArray *path;
	guint *above;
};

static void clear_span(gpointer data)
{
	struct span *span = data;

	g_clear_pointer(&span->path, g_array_unref);
	g_clear_pointer(&span->above, g_free);
}

static gint compare_spans(gconstpointer a, gconstpointer b)
{
	const struct span *left = a;
	const struct span *right = b;
	gint order = ITP_ORDER(left->symptom.begin_ns, right->symptom.begin_ns);

	return order ?: ITP_ORDER(left->place, right->place);
}

static GArray *spans_of(const GArray *symptoms)
{
	GArray *spans = g_array_new(FALSE, FALSE, sizeof(struct span));

	g_array_set_clear_func(spans, clear_span);
	for (guint i = 0; i < symptoms->len; i++) {
		const struct span span = {
			.symptom = g_array_index(symptoms, struct itp_symptom, i),
			.place = i,
		};

		g_array_append_val(spans, span);
	}
	g_array_sort(spans, compare_spans);
	return spans;
}

static const struct itp_link *link_at(const GArray *path, guint i)
{
	return &g_array_index(path, struct itp_link, i);
}

static guint *find_above(const GArray *path)
{
	guint *above = g_new(guint, path->len + 1);
	/* Last link by depth. */
	guint last[ITP_MAX_WAIT_DEPTH + 1] = { 0 };

	for (guint i = 0; i < path->len; i++) {
		uint32_t depth = link_at(path, i)->depth;

		above[i] = depth > 0 ? last[depth - 1] : i;
		last[depth] = i;
	}
	return above;
}

static void find_path(struct span *span, const struct itp_history *history)
{
	if (!span->path) {
		span->path = itp_critical_path(history, &span->symptom);
		span->above = find_above(span->path);
	}
}

/* First link from `i` on that ends after `time_ns` and holds up by itself; the length without
 * any. */
static guint next_held(const GArray *path, guint i, int64_t time_ns)
{
	while (i < path->len &&
	       (link_at(path, i)->is_followed || link_at(path, i)->stretch.end_ns <= time_ns)) {
		i++;
	}
	return i;
}

/* Link that holds up by itself and begins at or before `time_ns`, near it, or the first link: links
 * are in the order of their begins. */
static guint find_link(const GArray *path, int64_t time_ns)
{
	guint low = 0;
	guint high = path->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (link_at(path, middle)->stretch.begin_ns <= time_ns) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	while (low > 0 && (low == path->len || link_at(path, low)->is_followed ||
			   link_at(path, low)->stretch.begin_ns > time_ns)) {
		low--;
	}
	return low;
}

/* Time for which the same thread held up both, from link `i` of `left` and `k` of `right` on. */
static int64_t held_by_same(const GArray *left, guint i, const GArray *right, guint k)
{
	int64_t same_ns = 0;
	int64_t time_ns = INT64_MIN;

	for (;;) {
		const struct itp_stretch *a;
		const struct itp_stretch *b;

		i = next_held(left, i, time_ns);
		k = next_held(right, k, time_ns);
		if (i == left->len || k == right->len) {
			return same_ns;
		}
		a = &link_at(left, i)->stretch;
		b = &link_at(right, k)->stretch;
		time_ns = MIN(a->end_ns, b->end_ns);
		if (a->tid == b->tid) {
			same_ns += MAX(time_ns - MAX(a->begin_ns, b->begin_ns), 0);
		}
	}
}

static bool is_meanwhile(const struct itp_stretch *stretch, const struct itp_symptom *symptom)
{
	return stretch->tid == symptom->tid && stretch->begin_ns < symptom->end_ns &&
	       stretch->end_ns > symptom->begin_ns;
}

/* True if link `i`, the waits above it, or the links behind it lead through the thread of the
 * symptom during the symptom. */
static bool leads_through(const struct span *span, guint i, const struct itp_symptom *symptom)
{
	const GArray *path = span->path;

	for (guint k = i; k < path->len && span->above[k] != k; k = span->above[k]) {
		if (is_meanwhile(&link_at(path, span->above[k])->stretch, symptom)) {
			return true;
		}
	}
	for (; i < path->len && link_at(path, i)->stretch.begin_ns < symptom->end_ns; i++) {
		if (is_meanwhile(&link_at(path, i)->stretch, symptom)) {
			return true;
		}
	}
	return false;
}

static bool is_part_of(struct span *part, struct span *whole, const struct itp_history *history)
{
	const struct itp_symptom *symptom = &part->symptom;
	guint first;

	if (whole->symptom.has_begun_before || whole->symptom.tid == symptom->tid ||
	    whole->symptom.begin_ns >= symptom->begin_ns) {
		return false;
	}
	find_path(whole, history);
	first = find_link(whole->path, symptom->begin_ns);
	if (!leads_through(whole, first, symptom)) {
		return false;
	}
	find_path(part, history);
	return held_by_same(whole->path, first, part->path, 0) >
	       (symptom->end_ns - symptom->begin_ns) / HELD_PART;
}

/* True if the symptom is part of any of `open` (struct span *). Symptoms that ended before its
 * begin leave `open`. */
static bool is_part(struct span *span, GPtrArray *open, const struct itp_history *history)
{
	guint kept = 0;
	bool is_part = false;

	for (guint i = 0; i < open->len; i++) {
		struct span *other = g_ptr_array_index(open, i);

		if (other->symptom.end_ns <= span->symptom.begin_ns) {
			clear_span(other);
			continue;
		}
		g_ptr_array_index(open, kept++) = other;
		is_part = is_part || is_part_of(span, other, history);
	}
	g_ptr_array_set_size(open, (gint)kept);
	return is_part;
}

static void keep_staying(GArray *symptoms, const bool *is_part)
{
	guint kept = 0;

	for (guint i = 0; i < symptoms->len; i++) {
		if (!is_part[i]) {
			g_array_index(symptoms, struct itp_symptom, kept++) =
				g_array_index(symptoms, struct itp_symptom, i);
		}
	}
	g_array_set_size(symptoms, kept);
}

guint itp_symptoms_leave_out_parts(GArray *symptoms, const struct itp_history *history)
{
	const guint count = symptoms->len;
	g_autoptr(GArray) spans = spans_of(symptoms);
	g_autoptr(GPtrArray) open = g_ptr_array_new();
	g_autofree bool *parts = g_new0(bool, count + 1);

	for (guint i = 0; i < count; i++) {
		struct span *span = &g_array_index(spans, struct span, i);

		parts[span->place] = is_part(span, open, history);
		if (parts[span->place]) {
			clear_span(span);
		} else {
			g_ptr_array_add(open, span);
		}
	}
	keep_staying(symptoms, parts);
	return count - symptoms->len;
}

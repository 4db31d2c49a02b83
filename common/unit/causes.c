/* SPDX-License-Identifier: MIT */
/*
 * See causes.h.
 */
#include "common/unit/causes.h"

#include <glib.h>

#include "common/base/hash.h"

/* Number of a thread's latest wakeups kept: wakeups of others are told a little later than their
 * own wakeups of this thread. */
#define WAKES_KNOWN 16
/* Most threads in a chain. A request of a web page goes through a handful. */
#define CHAIN_MOST 16

/* Number of threads beyond which ended ones are dropped, half a kilobyte each: threads woken by an
 * ended thread are told behind its end. */
#define THREADS_KEPT 4096

struct wake {
	int32_t waker;
	int64_t time_ns;
};

struct answer {
	int64_t begin_ns;
	int64_t end_ns;
};

/* Rings of the latest wakeups and answers; the next entry is at the count modulo WAKES_KNOWN. */
struct thread {
	struct wake wakes[WAKES_KNOWN];
	guint wake_count;
	struct answer answers[WAKES_KNOWN];
	guint answer_count;
};

struct itp_causes {
	/* struct thread by tid. Owned by this. */
	GHashTable *threads;
};

struct itp_causes *itp_causes_new(void)
{
	struct itp_causes *causes = g_new0(struct itp_causes, 1);

	causes->threads = g_hash_table_new_full(itp_hash_number, NULL, NULL, g_free);
	return causes;
}

void itp_causes_free(struct itp_causes *causes)
{
	g_hash_table_unref(causes->threads);
	g_free(causes);
}

static struct thread *find_thread_causes(const struct itp_causes *causes, int32_t tid)
{
	return g_hash_table_lookup(causes->threads, GINT_TO_POINTER(tid));
}

static struct thread *thread_with_causes(struct itp_causes *causes, int32_t tid)
{
	struct thread *thread = find_thread_causes(causes, tid);

	if (!thread) {
		thread = g_new0(struct thread, 1);
		g_hash_table_insert(causes->threads, GINT_TO_POINTER(tid), thread);
	}
	return thread;
}

void itp_causes_wake(struct itp_causes *causes, int32_t tid, int32_t waker, int64_t time_ns)
{
	struct thread *thread = thread_with_causes(causes, tid);

	thread->wakes[thread->wake_count++ % WAKES_KNOWN] = (struct wake){ waker, time_ns };
}

void itp_causes_answer(struct itp_causes *causes, int32_t tid, int64_t begin_ns, int64_t end_ns)
{
	struct thread *thread = thread_with_causes(causes, tid);

	thread->answers[thread->answer_count++ % WAKES_KNOWN] = (struct answer){ begin_ns, end_ns };
}

/* Latest known wakeup until `time_ns`; NULL for none. */
static const struct wake *latest_wake(const struct thread *thread, int64_t time_ns)
{
	const guint known = MIN(thread->wake_count, WAKES_KNOWN);

	for (guint i = 1; i <= known; i++) {
		const struct wake *wake = &thread->wakes[(thread->wake_count - i) % WAKES_KNOWN];

		if (wake->time_ns <= time_ns) {
			return wake;
		}
	}
	return NULL;
}

static bool has_answered_at(const struct thread *thread, int64_t time_ns)
{
	const guint known = MIN(thread->answer_count, WAKES_KNOWN);

	for (guint i = 0; i < known; i++) {
		if (thread->answers[i].begin_ns <= time_ns &&
		    time_ns <= thread->answers[i].end_ns) {
			return true;
		}
	}
	return false;
}

bool itp_causes_is_own(const struct itp_causes *causes, int32_t tid, int64_t since_ns,
		       int64_t end_ns)
{
	const struct thread *own = find_thread_causes(causes, tid);
	const struct wake *wake = own ? latest_wake(own, end_ns) : NULL;

	for (int i = 0; i < CHAIN_MOST && wake && wake->waker != 0; i++) {
		const struct thread *waker = find_thread_causes(causes, wake->waker);
		const int64_t time_ns = wake->time_ns;

		if (wake->waker == tid) {
			return time_ns >= since_ns && !has_answered_at(own, time_ns);
		}
		if (time_ns < since_ns) {
			return false;
		}
		wake = waker ? latest_wake(waker, time_ns) : NULL;
	}
	return false;
}

void itp_causes_forget(struct itp_causes *causes, int32_t tid)
{
	if (g_hash_table_size(causes->threads) > THREADS_KEPT) {
		g_hash_table_remove(causes->threads, GINT_TO_POINTER(tid));
	}
}

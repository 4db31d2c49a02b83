/* SPDX-License-Identifier: MIT */
/*
 * Waits that last as long as a timer of TCP: lengths of these timers, and how waits for them are
 * recognized.
 *
 * A timer of TCP runs on no thread, so the kernel's network ends such a wait. Other waits of the
 * same calls last otherwise: a request's begin is waited for until a client has made it, and the
 * first calls of a connection are acknowledged at once. So waits that the network ended are looked
 * at by themselves, and calls of the octave with most of the time.
 */
#include "common/rank/waited-out.h"

#include <math.h>
#include <string.h>

/* Least number of waits of about the same length: fewer may be chance. */
#define CALLS_LEAST 5
/* Largest standard deviation, as a part of the mean. Random lengths within an octave deviate by
 * 0.19; a timer checked every 4 ms makes 40 to 44 ms, 0.03. */
#define DEVIATION_MOST 0.1
/* Largest delay as a part of the timer's time: it runs out late, and never early. */
#define LATE_MOST 0.2

/* Times of TCP's timers in nanoseconds. Linux, include/net/tcp.h: TCP_DELACK_MIN, TCP_RTO_MIN and
 * TCP_TIMEOUT_INIT, the same from 2.6.37 to 6.18. */
#define DELAYED_ACK_NS (40 * INT64_C(1000000))
#define RETRANSMISSION_NS (200 * INT64_C(1000000))
#define SYN_RETRANSMISSION_NS INT64_C(1000000000)

static const struct itp_waited_out timers[] = {
	{ DELAYED_ACK_NS, "before it acknowledges what came", "delayed ACK" },
	{ RETRANSMISSION_NS, "before it sends again what got lost", "retransmission" },
	{ SYN_RETRANSMISSION_NS, "before it asks again for a connection", "SYN retransmission" },
};

/* Count, sum and sum of squares of latencies. */
struct sums {
	double count;
	double sum_ns;
	double squares_ns2;
};

static bool is_network(const struct itp_ranking *ranking, uint32_t process)
{
	return process != ITP_FUNCTION_UNKNOWN &&
	       strcmp(itp_function_table_get(ranking->functions, process)->name,
		      ITP_REASON_PREFIX "network") == 0;
}

/* Middle of a bucket of the histogram, in nanoseconds. */
static double middle_ns(size_t bucket)
{
	return bucket == 0 ? 0 : 1.5 * ldexp(1, (int)bucket - 1);
}

static size_t find_heaviest_octave(const struct itp_node_stats *stats)
{
	size_t heaviest = 0;

	for (size_t i = 1; i < ITP_HISTOGRAM_BUCKETS; i++) {
		if (stats->histogram[i] * middle_ns(i) >
		    stats->histogram[heaviest] * middle_ns(heaviest)) {
			heaviest = i;
		}
	}
	return heaviest;
}

/* Sums of the octave's calls: all calls, less the others by the middles of their buckets. */
static struct sums sum_octave(const struct itp_node_stats *stats, size_t octave)
{
	struct sums sums = {
		.sum_ns = (double)stats->total_ns,
		.squares_ns2 =
			ldexp((double)stats->square_sum_high, 64) + (double)stats->square_sum_low,
	};

	for (size_t i = 0; i < ITP_HISTOGRAM_BUCKETS; i++) {
		double count = (double)stats->histogram[i];

		if (i == octave) {
			sums.count = count;
		} else {
			sums.sum_ns -= count * middle_ns(i);
			sums.squares_ns2 -= count * middle_ns(i) * middle_ns(i);
		}
	}
	return sums;
}

/* Sums of the path's waits that the kernel's network ended; none in profiles of versions that kept
 * no squares. */
static struct sums sum_network(const struct itp_ranking *ranking,
			       const struct itp_ranked_path *path)
{
	const GArray *wakers = path->waited_for[ITP_WAKER_WOKE];
	struct sums sums = { .count = 0 };

	for (guint i = 0; i < wakers->len; i++) {
		const struct itp_waker *waker = &g_array_index(wakers, struct itp_waker, i);

		if (waker->square_us2 > 0 && is_network(ranking, waker->process)) {
			sums.count += (double)waker->count;
			sums.sum_ns += (double)waker->blocked_ns;
			sums.squares_ns2 += (double)waker->square_us2 * ITP_NS2_PER_US2;
		}
	}
	return sums;
}

static const struct itp_waited_out *find_timer(struct sums sums)
{
	double mean_ns = sums.sum_ns / sums.count;
	double variance_ns2 = MAX(sums.squares_ns2 / sums.count - mean_ns * mean_ns, 0);

	if (sums.count < CALLS_LEAST) {
		return NULL;
	}
	if (sqrt(variance_ns2) > DEVIATION_MOST * mean_ns) {
		return NULL;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(timers); i++) {
		double time_ns = (double)timers[i].time_ns;

		if (mean_ns >= time_ns && mean_ns <= (1 + LATE_MOST) * time_ns) {
			return &timers[i];
		}
	}
	return NULL;
}

/* Frame of the path's system call, if the kernel's TCP is below it; NULL otherwise. */
static const struct itp_ranked_frame *find_call(const struct itp_ranking *ranking,
						const struct itp_ranked_path *path)
{
	const struct itp_ranked_frame *call = NULL;

	for (uint32_t i = 0; i < path->frame_count; i++) {
		const struct itp_ranked_frame *frame = &path->frames[i];
		const struct itp_function *function =
			itp_function_table_get(ranking->functions, frame->function);

		if (frame->function == path->syscall) {
			call = frame;
		} else if (call && function->layer == ITP_LAYER_KERNEL &&
			   g_str_has_prefix(function->name, "tcp_")) {
			return call;
		}
	}
	return NULL;
}

const struct itp_waited_out *itp_waited_out_find(const struct itp_ranking *ranking,
						 const struct itp_ranked_path *path)
{
	const struct itp_ranked_frame *call =
		path->syscall != ITP_FUNCTION_UNKNOWN ? find_call(ranking, path) : NULL;
	const struct itp_waited_out *timer;

	if (!call) {
		return NULL;
	}
	timer = find_timer(sum_network(ranking, path));
	return timer ? timer :
		       find_timer(sum_octave(call->suspect, find_heaviest_octave(call->suspect)));
}

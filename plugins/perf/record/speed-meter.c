/* SPDX-License-Identifier: MIT */
/*
 * See speed-meter.h. The clock is read without a system call: clocks of a recorded thread take
 * longer. It goes on while the thread waits for a CPU or for an interrupt, and the first
 * computation finds cold caches, so each measurement is the fastest of three.
 */
#define _GNU_SOURCE /* CPU_SET(), sched_setaffinity() */
#include "plugins/perf/record/speed-meter.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

#include <glib.h>

#include "common/perf-data/speeds.h"
#include "plugins/perf/record/computation.h"

#define NS_PER_S INT64_C(1000000000)
#define DISTANCE_US (25 * 1000)
#define REPEATS 3

struct itp_speed_meter {
	pthread_t thread;
	GMutex mutex;
	GCond changed;
	bool is_over;
	/* struct itp_speed. Owned by this. */
	GArray *speeds;
	uint64_t sum;
	cpu_set_t cpus;
	int cpu;
};

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* ---- Measurement ---- */

static int64_t compute(struct itp_speed_meter *meter)
{
	int64_t begin_ns = now_ns();

	meter->sum = itp_compute(meter->sum);
	return now_ns() - begin_ns;
}

static void measure(struct itp_speed_meter *meter)
{
	struct itp_speed speed = { .time_ns = now_ns(), .computed_ns = UINT64_MAX };

	for (size_t i = 0; i < REPEATS; i++) {
		speed.computed_ns = MIN(speed.computed_ns, (uint64_t)compute(meter));
	}
	g_array_append_val(meter->speeds, speed);
}

/* ---- The thread ---- */

/* Goes to the next CPU on which it may run. */
static void change_cpu(struct itp_speed_meter *meter)
{
	cpu_set_t one;

	do {
		meter->cpu = (meter->cpu + 1) % CPU_SETSIZE;
	} while (!CPU_ISSET(meter->cpu, &meter->cpus));
	CPU_ZERO(&one);
	CPU_SET(meter->cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static void *run(void *data)
{
	struct itp_speed_meter *meter = data;

	g_mutex_lock(&meter->mutex);
	while (!meter->is_over && meter->speeds->len < ITP_SPEEDS_MOST) {
		g_mutex_unlock(&meter->mutex);
		change_cpu(meter);
		measure(meter);
		g_mutex_lock(&meter->mutex);
		if (!meter->is_over) {
			g_cond_wait_until(&meter->changed, &meter->mutex,
					  g_get_monotonic_time() + DISTANCE_US);
		}
	}
	g_mutex_unlock(&meter->mutex);
	return NULL;
}

static void meter_free(struct itp_speed_meter *meter)
{
	g_array_unref(meter->speeds);
	g_mutex_clear(&meter->mutex);
	g_cond_clear(&meter->changed);
	g_free(meter);
}

/* Signals are for the recording thread. */
static bool start_thread(struct itp_speed_meter *meter)
{
	sigset_t all;
	sigset_t before;
	bool is_started;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	is_started = pthread_create(&meter->thread, NULL, run, meter) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return is_started;
}

struct itp_speed_meter *itp_speed_meter_begin(void)
{
	struct itp_speed_meter *meter = g_new0(struct itp_speed_meter, 1);

	g_mutex_init(&meter->mutex);
	g_cond_init(&meter->changed);
	meter->speeds = g_array_new(FALSE, FALSE, sizeof(struct itp_speed));
	if (sched_getaffinity(0, sizeof(meter->cpus), &meter->cpus) != 0 ||
	    CPU_COUNT(&meter->cpus) == 0 || !start_thread(meter)) {
		meter_free(meter);
		return NULL;
	}
	return meter;
}

void itp_speed_meter_end(struct itp_speed_meter *meter, const char *path)
{
	if (!meter) {
		return;
	}
	g_mutex_lock(&meter->mutex);
	meter->is_over = true;
	g_cond_signal(&meter->changed);
	g_mutex_unlock(&meter->mutex);
	pthread_join(meter->thread, NULL);
	if (path) {
		(void)itp_perf_speeds_append(path, itp_perf_speeds_meter("thread"),
					     (const struct itp_speed *)(void *)meter->speeds->data,
					     meter->speeds->len);
	}
	meter_free(meter);
}

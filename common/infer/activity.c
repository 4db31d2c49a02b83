/* SPDX-License-Identifier: MIT */
/*
 * Stretches in an array. When it is full, each two of its older half become one, named after either
 * by a chance as great as its part: over many of them the shares stay right. And a ring of runs for
 * each CPU.
 */
#include "common/infer/activity.h"

#include <glib.h>

#include "common/base/function-table.h"

#define MAX_STRETCHES 64

const struct itp_doing itp_doing_unknown = { .process = ITP_FUNCTION_UNKNOWN };

struct stretch {
	int64_t end_ns;
	struct itp_doing doing;
};

struct itp_activity {
	int64_t begin_ns;
	/* Seed of the chance; equal input gives equal results. */
	uint64_t chance;
	uint32_t count;
	struct stretch stretches[MAX_STRETCHES];
};

#define CPUS_MOST 4096
/* Runs kept of a CPU. A thread that waited for longer than so many runs is not told of the first
 * ones. */
#define RUNS_KEPT 64

struct run {
	uint32_t process;
	int64_t begin_ns;
	int64_t end_ns;
};

struct cpu {
	struct run runs[RUNS_KEPT];
	/* Number of runs so far. */
	uint64_t count;
	/* The last run goes on. */
	bool is_open;
};

struct itp_cpu_runs {
	/* struct cpu *, NULL before the first run. Owned by this. */
	GPtrArray *cpus;
};

/* ---- Doings of threads ---- */

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

/* Number below `limit`: Knuth's congruential generator, whose upper bits are the good ones. */
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

static bool is_same_doing(const struct itp_doing *a, const struct itp_doing *b)
{
	return a->process == b->process && a->function == b->function && a->node == b->node &&
	       a->keeper == b->keeper && a->keeper_process == b->keeper_process &&
	       a->is_queued == b->is_queued;
}

void itp_activity_add(struct itp_activity *activity, int64_t end_ns, const struct itp_doing *doing)
{
	struct stretch *last = activity->count > 0 ? &activity->stretches[activity->count - 1] :
						     NULL;

	if (end_ns <= end_of(activity)) {
		return;
	}
	if (last && is_same_doing(&last->doing, doing)) {
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

/* ---- Runs on CPUs ---- */

struct itp_cpu_runs *itp_cpu_runs_new(void)
{
	struct itp_cpu_runs *runs = g_new0(struct itp_cpu_runs, 1);

	runs->cpus = g_ptr_array_new_with_free_func(g_free);
	return runs;
}

void itp_cpu_runs_free(struct itp_cpu_runs *runs)
{
	g_ptr_array_unref(runs->cpus);
	g_free(runs);
}

static struct cpu *cpu_at(const struct itp_cpu_runs *runs, int32_t cpu)
{
	return cpu >= 0 && (guint)cpu < runs->cpus->len ? runs->cpus->pdata[cpu] : NULL;
}

static struct run *last_run(struct cpu *cpu)
{
	return &cpu->runs[(cpu->count - 1) % RUNS_KEPT];
}

void itp_cpu_runs_end(struct itp_cpu_runs *runs, int32_t cpu, int64_t time_ns)
{
	struct cpu *known = cpu_at(runs, cpu);

	if (known && known->is_open) {
		last_run(known)->end_ns = time_ns;
		known->is_open = false;
	}
}

void itp_cpu_runs_begin(struct itp_cpu_runs *runs, int32_t cpu, uint32_t process, int64_t time_ns)
{
	struct cpu *known;

	if (cpu < 0 || cpu >= CPUS_MOST) {
		return;
	}
	itp_cpu_runs_end(runs, cpu, time_ns);
	if ((guint)cpu >= runs->cpus->len) {
		g_ptr_array_set_size(runs->cpus, cpu + 1);
	}
	if (!runs->cpus->pdata[cpu]) {
		runs->cpus->pdata[cpu] = g_new0(struct cpu, 1);
	}
	known = runs->cpus->pdata[cpu];
	known->count++;
	known->is_open = true;
	*last_run(known) = (struct run){ .process = process, .begin_ns = time_ns };
}

void itp_cpu_runs_correct(struct itp_cpu_runs *runs, int32_t cpu, uint32_t process, int64_t time_ns)
{
	struct cpu *known = cpu_at(runs, cpu);

	if (process == ITP_FUNCTION_UNKNOWN) {
		if (known && known->is_open) {
			known->count--;
			known->is_open = false;
		}
	} else if (known && known->is_open) {
		last_run(known)->process = process;
	} else {
		itp_cpu_runs_begin(runs, cpu, process,
				   known && known->count > 0 ?
					   MAX(time_ns, last_run(known)->end_ns) :
					   time_ns);
	}
}

void itp_cpu_runs_lose(struct itp_cpu_runs *runs)
{
	g_ptr_array_set_size(runs->cpus, 0);
}

void itp_cpu_runs_tell(const struct itp_cpu_runs *runs, int32_t cpu, int64_t begin_ns,
		       int64_t end_ns, itp_cpu_run_func tell, void *data)
{
	const struct cpu *known = cpu_at(runs, cpu);

	for (uint64_t i = 0; known && i < MIN(known->count, RUNS_KEPT); i++) {
		const struct run *run = &known->runs[(known->count - 1 - i) % RUNS_KEPT];
		bool is_open = i == 0 && known->is_open;
		int64_t from_ns = MAX(run->begin_ns, begin_ns);
		int64_t until_ns = is_open ? end_ns : MIN(run->end_ns, end_ns);

		if (until_ns > from_ns) {
			tell(run->process, until_ns - from_ns, data);
		}
		if (run->begin_ns <= begin_ns) {
			return;
		}
	}
}

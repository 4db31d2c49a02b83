/* SPDX-License-Identifier: MIT */
/*
 * A ring of runs for each CPU.
 */
#include "common/infer/cpu-runs.h"

#include <stdbool.h>

#include <glib.h>

#define CPUS_MOST 4096
/* A thread that waited for longer than so many others ran is not told of the first ones. */
#define RUNS_KEPT 64

struct run {
	uint32_t process;
	int64_t begin_ns;
	int64_t end_ns;
};

struct cpu {
	struct run runs[RUNS_KEPT];
	/* How many there were. */
	uint64_t count;
	/* The last one goes on. */
	bool is_open;
};

struct itp_cpu_runs {
	/* struct cpu *, NULL before the first run. Owned by this. */
	GPtrArray *cpus;
};

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

/* SPDX-License-Identifier: MIT */
/*
 * See kernel.h.
 */
#include "plugins/perf/guard/kernel.h"

#include <errno.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "guard.skel.h"
#include "plugins/perf/bpf/price.h"
#include "plugins/perf/bpf/refusal.h"
#include "plugins/perf/guard/attaching.h"

struct itp_guard_kernel {
	struct itp_guard_kernel_options options;
	/* By loop. Owned by this. */
	struct itp_guard_loop_shapes *shapes;
	guint type_count;
	int cpu_count;
	/* All owned by this. */
	struct itp_guard_bpf *programs;
	struct itp_guard_attaching *attaching;
	struct ring_buffer *ring;
	double price_ns;
};

/* ---- Told before the programs run ---- */

static bool has_looks(const struct itp_guard_loop *loop)
{
	for (guint i = 0; i < loop->contexts->len; i++) {
		if (itp_guard_context_at(loop, i)->is_look) {
			return true;
		}
	}
	return false;
}

static void set_shapes(struct itp_guard_kernel *kernel)
{
	const struct itp_guard_file *file = kernel->options.file;

	kernel->shapes = g_new0(struct itp_guard_loop_shapes, file->loops->len);
	for (guint i = 0; i < file->loops->len; i++) {
		const struct itp_guard_loop *loop = itp_guard_loop_at(file, i);
		const uint64_t seen = itp_guard_probes_seen(kernel->options.probes, loop);
		struct itp_guard_loop_shapes *shapes = &kernel->shapes[i];

		shapes->first_type = kernel->type_count;
		shapes->type_count = loop->types->len;
		shapes->has_looks = has_looks(loop);
		for (guint k = 0; k < loop->types->len; k++) {
			shapes->types[k] = itp_guard_shape_of(itp_guard_type_at(loop, k), seen);
		}
		kernel->type_count += loop->types->len;
	}
}

static bool is_for_signals(const char *call)
{
	return g_str_has_prefix(call, "rt_sig") || g_str_equal(call, "pause");
}

/* True when `call` waits for events of descriptors: kinds of poll and select. */
static bool is_for_events(const char *call)
{
	return strstr(call, "poll") || strstr(call, "select");
}

static uint8_t purpose_of(const char *call)
{
	return is_for_signals(call) ? ITP_GUARD_CALL_FOR_SIGNALS :
	       is_for_events(call)  ? ITP_GUARD_CALL_FOR_EVENTS :
				      0;
}

static void set_calls(struct itp_guard_kernel *kernel, const GPtrArray *names, uint8_t use)
{
	for (guint i = 0; i < names->len; i++) {
		const char *name = g_ptr_array_index(names, i);
		const int64_t number = itp_syscall_names_number(kernel->options.names, name);

		if (number >= 0 && number < ITP_GUARD_CALLS) {
			kernel->programs->rodata->calls[number] |= use | purpose_of(name);
		}
	}
}

static void set_up(struct itp_guard_kernel *kernel)
{
	const struct itp_guard_probes *probes = kernel->options.probes;

	set_shapes(kernel);
	set_calls(kernel, probes->ending, ITP_GUARD_CALL_WAITS);
	set_calls(kernel, probes->telling, ITP_GUARD_CALL_TELLS);
	kernel->programs->rodata->tells_all_execs = kernel->options.tells_all_execs;
	bpf_map__set_max_entries(kernel->programs->maps.loops, kernel->options.file->loops->len);
	bpf_map__set_max_entries(kernel->programs->maps.counts, kernel->type_count);
}

static void tell_shapes_of(struct itp_guard_kernel *kernel, uint32_t loop)
{
	bpf_map__update_elem(kernel->programs->maps.loops, &loop, sizeof(loop),
			     &kernel->shapes[loop], sizeof(kernel->shapes[loop]), BPF_ANY);
}

static void tell_shapes(struct itp_guard_kernel *kernel)
{
	for (uint32_t i = 0; i < kernel->options.file->loops->len; i++) {
		tell_shapes_of(kernel, i);
	}
}

void itp_guard_kernel_limit(struct itp_guard_kernel *kernel, guint loop, guint type,
			    int64_t limit_ns)
{
	kernel->shapes[loop].types[type].limit_ns = limit_ns;
	tell_shapes_of(kernel, loop);
}

/* ---- Records ---- */

static int take_record(void *data, void *record, size_t size)
{
	const struct itp_guard_kernel *kernel = data;

	if (size >= sizeof(struct itp_guard_record)) {
		kernel->options.on_record(record, kernel->options.data);
	}
	return 0;
}

int itp_guard_kernel_fd(const struct itp_guard_kernel *kernel)
{
	return ring_buffer__epoll_fd(kernel->ring);
}

void itp_guard_kernel_take(struct itp_guard_kernel *kernel)
{
	ring_buffer__consume(kernel->ring);
}

double itp_guard_kernel_look_around(struct itp_guard_kernel *kernel)
{
	const double begin_ns = itp_bpf_cpu_time_ns();
	const int file = itp_guard_attaching_look(kernel->attaching);
	char nothing[64];

	if (file >= 0) {
		while (read(file, nothing, sizeof(nothing)) > 0) {
		}
		close(file);
	}
	return itp_bpf_cpu_time_ns() - begin_ns;
}

/* ---- Watching ---- */

bool itp_guard_kernel_watch(struct itp_guard_kernel *kernel, GError **error)
{
	const bool done = itp_guard_attaching_watch(kernel->attaching, error);

	/* Threads are heard of from here on. */
	kernel->programs->bss->window_ns = (uint64_t)g_get_monotonic_time() * 1000;
	return done;
}

void itp_guard_kernel_rest(struct itp_guard_kernel *kernel)
{
	kernel->programs->bss->window_ns = 0;
	itp_guard_attaching_rest(kernel->attaching);
}

void itp_guard_kernel_await(struct itp_guard_kernel *kernel, int32_t tid)
{
	const uint32_t one = 1;

	bpf_map__update_elem(kernel->programs->maps.awaited, &tid, sizeof(tid), &one, sizeof(one),
			     BPF_ANY);
	itp_guard_attaching_watch_wakeups(kernel->attaching, true);
}

void itp_guard_kernel_await_none(struct itp_guard_kernel *kernel)
{
	itp_guard_attaching_watch_wakeups(kernel->attaching, false);
}

void itp_guard_kernel_time_looks(struct itp_guard_kernel *kernel, bool is_on)
{
	kernel->programs->bss->is_timing = is_on;
}

double itp_guard_kernel_price_ns(const struct itp_guard_kernel *kernel)
{
	return kernel->price_ns;
}

bool itp_guard_kernel_has_lasting(struct itp_guard_kernel *kernel, int64_t older_ns)
{
	struct itp_guard_totals before;
	struct itp_guard_totals after;

	kernel->programs->bss->lasting_ns = (uint64_t)older_ns;
	itp_guard_kernel_totals(kernel, &before);
	itp_guard_kernel_look_around(kernel);
	itp_guard_kernel_totals(kernel, &after);
	return after.lasting > before.lasting;
}

/* ---- From the beginning to the end ---- */

static bool explain_load(int code, GError **error)
{
	return itp_bpf_refuse_load(error, "guards", "the guard's programs cannot be loaded", code);
}

static bool load_programs(struct itp_guard_kernel *kernel, GError **error)
{
	int code;

	kernel->programs = itp_guard_bpf__open();
	if (!kernel->programs) {
		return explain_load(errno, error);
	}
	set_up(kernel);
	code = itp_guard_bpf__load(kernel->programs);
	if (code != 0) {
		return explain_load(-code, error);
	}
	tell_shapes(kernel);
	kernel->ring = ring_buffer__new(bpf_map__fd(kernel->programs->maps.records), take_record,
					kernel, NULL);
	return kernel->ring || itp_bpf_refuse(error, "the guard's records cannot be read", errno);
}

static bool attach(struct itp_guard_kernel *kernel, GError **error)
{
	kernel->attaching = itp_guard_attaching_new(kernel->programs, kernel->options.hertz, error);
	if (!kernel->attaching) {
		return false;
	}
	kernel->price_ns = itp_guard_attaching_price_ns(kernel->attaching);
	return itp_guard_kernel_watch(kernel, error);
}

struct itp_guard_kernel *itp_guard_kernel_new(const struct itp_guard_kernel_options *options,
					      GError **error)
{
	struct itp_guard_kernel *kernel = g_new0(struct itp_guard_kernel, 1);

	itp_bpf_be_silent();
	kernel->options = *options;
	kernel->cpu_count = libbpf_num_possible_cpus();
	if (!load_programs(kernel, error) || !attach(kernel, error)) {
		itp_guard_kernel_free(kernel);
		return NULL;
	}
	return kernel;
}

void itp_guard_kernel_free(struct itp_guard_kernel *kernel)
{
	if (!kernel) {
		return;
	}
	itp_guard_attaching_free(kernel->attaching);
	ring_buffer__free(kernel->ring);
	itp_guard_bpf__destroy(kernel->programs);
	g_free(kernel->shapes);
	g_free(kernel);
}

/* ---- Told while the programs run ---- */

bool itp_guard_kernel_add(struct itp_guard_kernel *kernel, int32_t pid, uint32_t image)
{
	return bpf_map__update_elem(kernel->programs->maps.processes, &pid, sizeof(pid), &image,
				    sizeof(image), BPF_ANY) == 0;
}

void itp_guard_kernel_remove(struct itp_guard_kernel *kernel, int32_t pid)
{
	bpf_map__delete_elem(kernel->programs->maps.processes, &pid, sizeof(pid), 0);
}

void itp_guard_kernel_answer_wait(struct itp_guard_kernel *kernel,
				  const struct itp_guard_wait_key *key, uint32_t answer)
{
	bpf_map__update_elem(kernel->programs->maps.waits, key, sizeof(*key), &answer,
			     sizeof(answer), BPF_ANY);
}

void itp_guard_kernel_answer_context(struct itp_guard_kernel *kernel,
				     const struct itp_guard_context_key *key, uint32_t answer)
{
	bpf_map__update_elem(kernel->programs->maps.contexts, key, sizeof(*key), &answer,
			     sizeof(answer), BPF_ANY);
}

void itp_guard_kernel_leave_open(struct itp_guard_kernel *kernel,
				 const struct itp_guard_wait_key *wait,
				 const struct itp_guard_context_key *context)
{
	bpf_map__delete_elem(kernel->programs->maps.waits, wait, sizeof(*wait), 0);
	bpf_map__delete_elem(kernel->programs->maps.contexts, context, sizeof(*context), 0);
}

/* ---- Counts ---- */

static void add_counts(struct itp_guard_counted *sum, const struct itp_guard_counts *counts)
{
	sum->units += counts->units;
	sum->total_ns += counts->total_ns;
	sum->cpu_wait_ns += counts->cpu_wait_ns;
	sum->late += counts->late;
	sum->max_ns = MAX(sum->max_ns, counts->max_ns);
	for (guint i = 0; i < ITP_GUARD_BUCKETS; i++) {
		sum->buckets[i] += counts->buckets[i];
	}
}

void itp_guard_kernel_counts(const struct itp_guard_kernel *kernel, guint loop, guint type,
			     struct itp_guard_counted *ret_counts)
{
	const uint32_t number = kernel->shapes[loop].first_type + type;
	g_autofree struct itp_guard_counts *all =
		g_new0(struct itp_guard_counts, kernel->cpu_count);

	*ret_counts = (struct itp_guard_counted){ 0 };
	bpf_map__lookup_elem(kernel->programs->maps.counts, &number, sizeof(number), all,
			     sizeof(*all) * (size_t)kernel->cpu_count, 0);
	for (int i = 0; i < kernel->cpu_count; i++) {
		add_counts(ret_counts, &all[i]);
	}
}

void itp_guard_kernel_totals(const struct itp_guard_kernel *kernel,
			     struct itp_guard_totals *ret_totals)
{
	const uint32_t zero = 0;
	g_autofree struct itp_guard_totals *all =
		g_new0(struct itp_guard_totals, kernel->cpu_count);

	*ret_totals = (struct itp_guard_totals){ 0 };
	bpf_map__lookup_elem(kernel->programs->maps.totals, &zero, sizeof(zero), all,
			     sizeof(*all) * (size_t)kernel->cpu_count, 0);
	for (int i = 0; i < kernel->cpu_count; i++) {
		ret_totals->learning += all[i].learning;
		ret_totals->questions += all[i].questions;
		ret_totals->lost += all[i].lost;
		ret_totals->calls += all[i].calls;
		ret_totals->hits += all[i].hits;
		ret_totals->timed_hits += all[i].timed_hits;
		ret_totals->timed_ns += all[i].timed_ns;
		ret_totals->ticks += all[i].ticks;
		ret_totals->lasting += all[i].lasting;
	}
}

const struct itp_guard_loop_shapes *itp_guard_kernel_shapes(const struct itp_guard_kernel *kernel,
							    guint loop)
{
	return &kernel->shapes[loop];
}

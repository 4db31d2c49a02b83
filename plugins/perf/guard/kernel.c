/* SPDX-License-Identifier: MIT */
/*
 * See kernel.h.
 */
#include "plugins/perf/guard/kernel.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "guard.skel.h"
#include "messages/failure.h"
#include "terminal/terminal.h"

#define BTF_FILE "/sys/kernel/btf/vmlinux"
#define TRACING_EVENTS "/sys/kernel/tracing/events"
#define LOCKDOWN_FILE "/sys/kernel/security/lockdown"

struct itp_guard_kernel {
	struct itp_guard_kernel_options options;
	/* By loop. Owned by this. */
	struct itp_guard_loop_shapes *shapes;
	guint type_count;
	int cpu_count;
	/* All owned by this; the links are struct bpf_link *. */
	struct itp_guard_bpf *programs;
	GPtrArray *links;
	struct bpf_link *looks;
	struct ring_buffer *ring;
};

static int be_silent(enum libbpf_print_level level, const char *format, va_list arguments)
{
	(void)level;
	(void)format;
	(void)arguments;
	return 0;
}

/* ---- What is told before ---- */

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

static void set_calls(struct itp_guard_kernel *kernel, const GPtrArray *names, uint8_t use)
{
	for (guint i = 0; i < names->len; i++) {
		const int64_t number = itp_syscall_names_number(kernel->options.names,
								g_ptr_array_index(names, i));

		if (number >= 0 && number < ITP_GUARD_CALLS) {
			kernel->programs->rodata->calls[number] |= use;
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

/* ---- Attaching ---- */

static bool refuse(GError **error, const char *what, int code)
{
	if (code == EPERM || code == EACCES) {
		itp_failure_set(error,
				"%s: the kernel does not allow it: run as root, or with the "
				"capabilities CAP_BPF and CAP_PERFMON",
				what);
	} else {
		itp_failure_set(error, "%s: %s", what, g_strerror(code));
	}
	return false;
}

static bool keep(struct itp_guard_kernel *kernel, struct bpf_link *link, const char *what,
		 GError **error)
{
	if (!link) {
		return refuse(error, what, errno);
	}
	g_ptr_array_add(kernel->links, link);
	return true;
}

static bool attach_call(struct itp_guard_kernel *kernel, struct bpf_program *program,
			const char *way, const char *call, GError **error)
{
	g_autofree char *name = g_strdup_printf("sys_%s_%s", way, call);
	g_autofree char *what = g_strdup_printf("syscalls:%s cannot be watched", name);

	return keep(kernel, bpf_program__attach_tracepoint(program, "syscalls", name), what, error);
}

/* Only those that matter, which costs other system calls least. */
static bool attach_some_calls(struct itp_guard_kernel *kernel, GError **error)
{
	const struct itp_guard_probes *probes = kernel->options.probes;
	bool done = true;

	for (guint i = 0; done && i < probes->ending->len; i++) {
		const char *call = g_ptr_array_index(probes->ending, i);

		done = attach_call(kernel, kernel->programs->progs.on_exit, "exit", call, error) &&
		       attach_call(kernel, kernel->programs->progs.on_enter, "enter", call, error);
	}
	for (guint i = 0; done && i < probes->telling->len; i++) {
		done = attach_call(kernel, kernel->programs->progs.on_enter, "enter",
				   g_ptr_array_index(probes->telling, i), error);
	}
	return done;
}

static bool attach_raw(struct itp_guard_kernel *kernel, struct bpf_program *program,
		       const char *name, GError **error)
{
	g_autofree char *what = g_strdup_printf("%s cannot be watched", name);

	return keep(kernel, bpf_program__attach_raw_tracepoint(program, name), what, error);
}

/* What tracepoints there are is told in a directory that may be closed to all but root. */
static bool attach_calls(struct itp_guard_kernel *kernel, GError **error)
{
	if (access(TRACING_EVENTS, X_OK) == 0) {
		return attach_some_calls(kernel, error);
	}
	itp_terminal_say("introperf: " TRACING_EVENTS
			 " may not be read: all system calls are looked "
			 "at, which costs more");
	return attach_raw(kernel, kernel->programs->progs.on_any_exit, "sys_exit", error) &&
	       attach_raw(kernel, kernel->programs->progs.on_any_enter, "sys_enter", error);
}

static bool attach_tick(struct itp_guard_kernel *kernel, int cpu, GError **error)
{
	struct perf_event_attr event = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(event),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_freq = kernel->options.hertz,
		.freq = 1,
	};
	const int file =
		(int)syscall(SYS_perf_event_open, &event, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	/* Not all CPUs that there may be are there. */
	if (file < 0) {
		return errno == ENODEV || refuse(error, "the timer cannot be set", errno);
	}
	return keep(kernel, bpf_program__attach_perf_event(kernel->programs->progs.on_tick, file),
		    "the timer cannot be used", error);
}

static bool attach_ticks(struct itp_guard_kernel *kernel, GError **error)
{
	bool done = true;

	for (int cpu = 0; done && cpu < kernel->cpu_count; cpu++) {
		done = attach_tick(kernel, cpu, error);
	}
	return done;
}

static bool attach_all(struct itp_guard_kernel *kernel, GError **error)
{
	const struct itp_guard_bpf *programs = kernel->programs;

	if (!attach_raw(kernel, programs->progs.on_fork, "sched_process_fork", error) ||
	    !attach_raw(kernel, programs->progs.on_exec, "sched_process_exec", error) ||
	    !attach_raw(kernel, programs->progs.on_end, "sched_process_exit", error) ||
	    !attach_calls(kernel, error) || !attach_ticks(kernel, error)) {
		return false;
	}
	kernel->looks = bpf_program__attach_iter(programs->progs.look_around, NULL);
	return keep(kernel, kernel->looks, "threads cannot be looked at", error);
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

void itp_guard_kernel_look_around(struct itp_guard_kernel *kernel)
{
	const int file = bpf_iter_create(bpf_link__fd(kernel->looks));
	char nothing[64];

	if (file >= 0) {
		while (read(file, nothing, sizeof(nothing)) > 0) {
		}
		close(file);
	}
}

/* ---- From the beginning to the end ---- */

/* What a kernel that refuses may lack; its own word where that is nothing known. */
static bool explain_load(int code, GError **error)
{
	g_autofree char *lockdown = NULL;

	if (access(BTF_FILE, R_OK) != 0) {
		itp_failure_set(
			error, "the kernel does not say how its structures look (" BTF_FILE
			       "), without which guards cannot be: it needs CONFIG_DEBUG_INFO_BTF");
		return false;
	}
	if (g_file_get_contents(LOCKDOWN_FILE, &lockdown, NULL, NULL) &&
	    strstr(lockdown, "[confidentiality]")) {
		itp_failure_set(error, "the kernel is locked down (" LOCKDOWN_FILE
				       ": confidentiality), and lets nobody guard");
		return false;
	}
	if (code == ENOSYS) {
		itp_failure_set(error, "the kernel has no BPF, without which guards cannot be");
		return false;
	}
	return refuse(error, "the guard's programs cannot be loaded", code);
}

static bool load(struct itp_guard_kernel *kernel, GError **error)
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
	return kernel->ring || refuse(error, "the guard's records cannot be read", errno);
}

static void destroy_link(gpointer link)
{
	bpf_link__destroy(link);
}

struct itp_guard_kernel *itp_guard_kernel_new(const struct itp_guard_kernel_options *options,
					      GError **error)
{
	struct itp_guard_kernel *kernel = g_new0(struct itp_guard_kernel, 1);

	libbpf_set_print(be_silent);
	kernel->options = *options;
	kernel->cpu_count = libbpf_num_possible_cpus();
	kernel->links = g_ptr_array_new_with_free_func(destroy_link);
	if (!load(kernel, error) || !attach_all(kernel, error)) {
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
	g_ptr_array_unref(kernel->links);
	ring_buffer__free(kernel->ring);
	itp_guard_bpf__destroy(kernel->programs);
	g_free(kernel->shapes);
	g_free(kernel);
}

/* ---- What is told later ---- */

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

/* ---- What was counted ---- */

static void add_counts(struct itp_guard_counts *sum, const struct itp_guard_counts *counts)
{
	sum->units += counts->units;
	sum->total_ns += counts->total_ns;
	sum->late += counts->late;
	sum->max_ns = MAX(sum->max_ns, counts->max_ns);
	for (guint i = 0; i < ITP_GUARD_BUCKETS; i++) {
		sum->buckets[i] += counts->buckets[i];
	}
}

void itp_guard_kernel_counts(const struct itp_guard_kernel *kernel, guint loop, guint type,
			     struct itp_guard_counts *ret_counts)
{
	const uint32_t number = kernel->shapes[loop].first_type + type;
	g_autofree struct itp_guard_counts *all =
		g_new0(struct itp_guard_counts, kernel->cpu_count);

	*ret_counts = (struct itp_guard_counts){ 0 };
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
	}
}

const struct itp_guard_loop_shapes *itp_guard_kernel_shapes(const struct itp_guard_kernel *kernel,
							    guint loop)
{
	return &kernel->shapes[loop];
}

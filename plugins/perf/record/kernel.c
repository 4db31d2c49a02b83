/* SPDX-License-Identifier: MIT */
/*
 * See kernel.h. Tables are written without system calls: their maps are mapped into this process.
 */
#include "plugins/perf/record/kernel.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "plugins/perf/bpf/refusal.h"
#include "record.skel.h"

#define NS_PER_S 1000000000
/* Alignment of a map's elements, in bytes. */
#define ELEMENT_BYTES 8
/* Functions of a program whose code is told. */
#define PROGRAM_FUNCTIONS_MOST 256

struct table {
	/* Mapped memory; NULL for none. Owned by this. */
	uint8_t *begin;
	size_t element_bytes;
	size_t bytes;
};

struct itp_recorder_kernel {
	struct itp_recorder_kernel_options options;
	/* All owned by this. */
	struct itp_record_bpf *programs;
	struct ring_buffer *ring;
	struct ring_buffer *copy_ring;
	/* Descriptor ready at each wakeup of the ring of copies, and not before, as that is nearly
	 * never empty. */
	int wakeups;
	struct table images;
	struct table rows;
	struct table index;
	struct table steps;
	/* struct bpf_link *: of all programs but on_enter and on_exit, and of these two. Owned by
	 * this. */
	GPtrArray *links;
	GPtrArray *call_links;
	/* Receiver of records, during itp_recorder_kernel_take(). Weak. */
	void (*take)(void *data, const void *record, size_t bytes);
	void *data;
};

/* ---- Tables ---- */

static bool map_table(struct table *table, const struct bpf_map *map, GError **error)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *begin;

	table->element_bytes =
		(bpf_map__value_size(map) + ELEMENT_BYTES - 1) / ELEMENT_BYTES * ELEMENT_BYTES;
	table->bytes = (table->element_bytes * bpf_map__max_entries(map) + page - 1) / page * page;
	begin = mmap(NULL, table->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(map), 0);
	if (begin == MAP_FAILED) {
		return itp_bpf_refuse(error, "the recorder's tables cannot be mapped", errno);
	}
	table->begin = begin;
	return true;
}

static bool map_tables(struct itp_recorder_kernel *kernel, GError **error)
{
	return map_table(&kernel->images, kernel->programs->maps.images, error) &&
	       map_table(&kernel->rows, kernel->programs->maps.rows, error) &&
	       map_table(&kernel->index, kernel->programs->maps.row_index, error) &&
	       map_table(&kernel->steps, kernel->programs->maps.steps, error);
}

static void unmap_table(struct table *table)
{
	if (table->begin) {
		munmap(table->begin, table->bytes);
	}
}

static void *element(const struct table *table, uint32_t number)
{
	return table->begin + table->element_bytes * number;
}

struct itp_record_image *itp_recorder_kernel_image(struct itp_recorder_kernel *kernel,
						   uint32_t number)
{
	return element(&kernel->images, number % ITP_RECORD_IMAGES);
}

void itp_recorder_kernel_set_rows(struct itp_recorder_kernel *kernel, uint32_t first,
				  const struct itp_step_row *rows, uint32_t count)
{
	memcpy(element(&kernel->rows, first), rows, count * sizeof(*rows));
}

void itp_recorder_kernel_set_index(struct itp_recorder_kernel *kernel, uint32_t place, uint32_t row)
{
	memcpy(element(&kernel->index, place), &row, sizeof(row));
}

void itp_recorder_kernel_set_step(struct itp_recorder_kernel *kernel, uint32_t number,
				  const struct itp_step *step)
{
	memcpy(element(&kernel->steps, number), step, sizeof(*step));
}

/* ---- Processes ---- */

static void note_change(struct itp_recorder_kernel *kernel)
{
	__atomic_add_fetch(&kernel->programs->data->version, 1, __ATOMIC_SEQ_CST);
}

bool itp_recorder_kernel_add(struct itp_recorder_kernel *kernel, int32_t pid)
{
	const uint32_t none = 0;

	return bpf_map__update_elem(kernel->programs->maps.processes, &pid, sizeof(pid), &none,
				    sizeof(none), BPF_ANY) == 0;
}

void itp_recorder_kernel_set_space(struct itp_recorder_kernel *kernel, int32_t pid, uint32_t image,
				   uint32_t execs)
{
	const struct itp_record_of_process space = { .image = image, .execs = execs };

	bpf_map__update_elem(kernel->programs->maps.spaces, &pid, sizeof(pid), &space,
			     sizeof(space), BPF_ANY);
	note_change(kernel);
}

/* ---- Records ---- */

static int take_record(void *data, void *record, size_t bytes)
{
	const struct itp_recorder_kernel *kernel = data;

	kernel->take(kernel->data, record, bytes);
	return 0;
}

size_t itp_recorder_kernel_take(struct itp_recorder_kernel *kernel,
				void (*take)(void *data, const void *record, size_t bytes),
				void *data)
{
	struct epoll_event event;
	int copies;
	int count;

	(void)epoll_wait(kernel->wakeups, &event, 1, 0);
	kernel->take = take;
	kernel->data = data;
	copies = ring_buffer__consume(kernel->copy_ring);
	count = ring_buffer__consume(kernel->ring);
	return (size_t)MAX(copies, 0) + (size_t)MAX(count, 0);
}

void itp_recorder_kernel_take_copies(struct itp_recorder_kernel *kernel)
{
	(void)ring_buffer__consume(kernel->copy_ring);
}

uint32_t itp_recorder_kernel_ring_bytes(void)
{
	const uint32_t cpu_count = (uint32_t)g_get_num_processors();
	uint32_t bytes = ITP_RECORD_RING_LEAST_BYTES;

	while (bytes / ITP_RECORD_RING_CPU_BYTES < cpu_count &&
	       bytes < ITP_RECORD_RING_MOST_BYTES) {
		bytes *= 2;
	}
	return bytes;
}

static bool open_ring(struct itp_recorder_kernel *kernel, const struct bpf_map *map,
		      struct ring_buffer **ret_ring, GError **error)
{
	*ret_ring = ring_buffer__new(bpf_map__fd(map), take_record, kernel, NULL);
	return *ret_ring || itp_bpf_refuse(error, "the recorder's records cannot be read", errno);
}

/* Has each page of the ring used once. What was written is nothing to take. */
static void use_ring(struct itp_recorder_kernel *kernel)
{
	LIBBPF_OPTS(bpf_test_run_opts, options);

	(void)bpf_prog_test_run_opts(bpf_program__fd(kernel->programs->progs.use_ring), &options);
	(void)ring_buffer__consume(kernel->ring);
}

static bool open_wakeups(struct itp_recorder_kernel *kernel, GError **error)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };

	kernel->wakeups = epoll_create1(EPOLL_CLOEXEC);
	return (kernel->wakeups >= 0 &&
		epoll_ctl(kernel->wakeups, EPOLL_CTL_ADD,
			  bpf_map__fd(kernel->programs->maps.copy_records), &event) == 0) ||
	       itp_bpf_refuse(error, "the recorder's records cannot be waited for", errno);
}

int itp_recorder_kernel_file(const struct itp_recorder_kernel *kernel)
{
	return kernel->wakeups;
}

static void add_totals(struct itp_record_totals *sum, const struct itp_record_totals *part)
{
	for (guint i = 0; i < ITP_RECORD_COSTS; i++) {
		sum->runs[i].runs += part->runs[i].runs;
		sum->runs[i].timed_runs += part->runs[i].timed_runs;
		sum->runs[i].timed_ns += part->runs[i].timed_ns;
	}
	sum->ticks += part->ticks;
	sum->lost += part->lost;
	sum->stacks += part->stacks;
	sum->remembered += part->remembered;
	sum->walked += part->walked;
	sum->kernel_stacks += part->kernel_stacks;
	sum->kernel_remembered += part->kernel_remembered;
	for (guint i = 0; i < ITP_RECORD_REASONS; i++) {
		sum->copied[i] += part->copied[i];
	}
}

struct itp_record_totals itp_recorder_kernel_totals(const struct itp_recorder_kernel *kernel)
{
	const guint cpu_count = (guint)libbpf_num_possible_cpus();
	g_autofree struct itp_record_totals *all = g_new0(struct itp_record_totals, cpu_count);
	struct itp_record_totals sum = { 0 };
	const uint32_t zero = 0;

	bpf_map__lookup_elem(kernel->programs->maps.totals, &zero, sizeof(zero), all,
			     sizeof(*all) * cpu_count, 0);
	for (guint i = 0; i < cpu_count; i++) {
		add_totals(&sum, &all[i]);
	}
	return sum;
}

/* ---- Attaching ---- */

static bool keep(GPtrArray *links, struct bpf_link *link, const char *what, GError **error)
{
	g_autofree char *text = NULL;

	if (!link) {
		text = g_strdup_printf("%s cannot be recorded", what);
		return itp_bpf_refuse(error, text, errno);
	}
	g_ptr_array_add(links, link);
	return true;
}

static bool attach(GPtrArray *links, struct bpf_program *program, const char *name, GError **error)
{
	return keep(links, bpf_program__attach_raw_tracepoint(program, name), name, error);
}

/* Attaches to a tracepoint that newer kernels have. */
static bool attach_if_there(GPtrArray *links, struct bpf_program *program, const char *name,
			    GError **error)
{
	struct bpf_link *link = bpf_program__attach_raw_tracepoint(program, name);

	return (!link && errno == ENOENT) || keep(links, link, name, error);
}

static bool attach_tick(struct itp_recorder_kernel *kernel, int cpu, GError **error)
{
	struct perf_event_attr event = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(event),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = NS_PER_S / kernel->options.hertz,
	};
	const int file =
		(int)syscall(SYS_perf_event_open, &event, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	/* Some possible CPUs are absent. */
	if (file < 0) {
		return errno == ENODEV || itp_bpf_refuse(error, "the timer cannot be set", errno);
	}
	return keep(kernel->links,
		    bpf_program__attach_perf_event(kernel->programs->progs.on_tick, file),
		    "the timer", error);
}

static bool attach_ticks(struct itp_recorder_kernel *kernel, GError **error)
{
	const int cpu_count = libbpf_num_possible_cpus();
	bool done = true;

	for (int cpu = 0; done && cpu < cpu_count; cpu++) {
		done = attach_tick(kernel, cpu, error);
	}
	return done;
}

bool itp_recorder_kernel_follow(struct itp_recorder_kernel *kernel, GError **error)
{
	const struct itp_record_bpf *programs = kernel->programs;

	return attach(kernel->links, programs->progs.on_fork, "sched_process_fork", error) &&
	       attach(kernel->links, programs->progs.on_exec, "sched_process_exec", error) &&
	       attach_if_there(kernel->links, programs->progs.on_enter, "sched_prepare_exec",
			       error) &&
	       attach(kernel->links, programs->progs.on_enter, "sched_process_exit", error) &&
	       attach(kernel->links, programs->progs.on_end, "sched_process_exit", error);
}

bool itp_recorder_kernel_begin(struct itp_recorder_kernel *kernel, GError **error)
{
	const struct itp_record_bpf *programs = kernel->programs;

	return attach(kernel->links, programs->progs.on_switch, "sched_switch", error) &&
	       (kernel->options.is_light ||
		attach(kernel->links, programs->progs.on_waking, "sched_waking", error)) &&
	       (!kernel->options.is_full ||
		(attach(kernel->links, programs->progs.on_waking_new, "sched_wakeup_new", error) &&
		 attach(kernel->links, programs->progs.on_fault, "page_fault_user", error))) &&
	       attach_ticks(kernel, error);
}

void itp_recorder_kernel_note_interpreter(struct itp_recorder_kernel *kernel)
{
	__atomic_store_n(&kernel->programs->bss->has_interpreters, true, __ATOMIC_SEQ_CST);
}

static void note_window(struct itp_recorder_kernel *kernel)
{
	__atomic_add_fetch(&kernel->programs->data->window, 1, __ATOMIC_SEQ_CST);
}

bool itp_recorder_kernel_watch_calls(struct itp_recorder_kernel *kernel, GError **error)
{
	const struct itp_record_bpf *programs = kernel->programs;

	note_window(kernel);
	return attach(kernel->call_links, programs->progs.on_exit, "sys_exit", error) &&
	       attach(kernel->call_links, programs->progs.on_enter, "sys_enter", error);
}

void itp_recorder_kernel_watch_until(struct itp_recorder_kernel *kernel, int64_t time_ns)
{
	__atomic_store_n(&kernel->programs->bss->until_ns, (uint64_t)time_ns, __ATOMIC_SEQ_CST);
}

/* Detaches in the reverse order, so that begun calls end. */
void itp_recorder_kernel_leave_calls(struct itp_recorder_kernel *kernel)
{
	while (kernel->call_links->len > 0) {
		g_ptr_array_remove_index(kernel->call_links, kernel->call_links->len - 1);
	}
	note_window(kernel);
}

bool itp_recorder_kernel_look_around(struct itp_recorder_kernel *kernel, bool is_end,
				     GError **error)
{
	struct bpf_link *link = bpf_program__attach_iter(kernel->programs->progs.look_around, NULL);
	const int file = link ? bpf_iter_create(bpf_link__fd(link)) : -1;
	const int code = errno;
	char nothing;

	__atomic_store_n(&kernel->programs->bss->is_ending, is_end, __ATOMIC_SEQ_CST);
	while (file >= 0 && read(file, &nothing, sizeof(nothing)) < 0 && errno == EINTR) {
	}
	if (file >= 0) {
		close(file);
	}
	bpf_link__destroy(link);
	return file >= 0 || itp_bpf_refuse(error, "waiting threads cannot be noted", code);
}

void itp_recorder_kernel_end(struct itp_recorder_kernel *kernel)
{
	itp_recorder_kernel_leave_calls(kernel);
	g_ptr_array_set_size(kernel->links, 0);
}

/* ---- From the beginning to the end ---- */

/* Leaves out programs that itp_recorder_kernel_begin() attaches to nothing: the kernel's check of
 * each takes tens of milliseconds. */
static void choose_programs(const struct itp_recorder_kernel *kernel)
{
	const struct itp_record_bpf *programs = kernel->programs;

	bpf_program__set_autoload(programs->progs.on_waking, !kernel->options.is_light);
	bpf_program__set_autoload(programs->progs.on_waking_new, kernel->options.is_full);
	bpf_program__set_autoload(programs->progs.on_fault, kernel->options.is_full);
	bpf_program__set_autoload(programs->progs.look_around, kernel->options.has_waiting);
}

static bool load(struct itp_recorder_kernel *kernel, GError **error)
{
	const char *what = "the recorder's programs cannot be loaded";
	int code;

	kernel->programs = itp_record_bpf__open();
	if (!kernel->programs) {
		return itp_bpf_refuse_load(error, "recordings by BPF", what, errno);
	}
	kernel->programs->rodata->is_machine = kernel->options.is_machine;
	kernel->programs->rodata->recorder_pid = (uint32_t)getpid();
	kernel->programs->rodata->reader_pid = (uint32_t)kernel->options.reader;
	kernel->programs->rodata->interrupts_begin = kernel->options.interrupts.begin;
	kernel->programs->rodata->interrupts_end = kernel->options.interrupts.end;
	kernel->programs->rodata->waiting_pid = (uint32_t)kernel->options.waiting_pid;
	bpf_map__set_max_entries(kernel->programs->maps.records, itp_recorder_kernel_ring_bytes());
	choose_programs(kernel);
	code = itp_record_bpf__load(kernel->programs);
	if (code != 0) {
		return itp_bpf_refuse_load(error, "recordings by BPF", what, -code);
	}
	if (!open_ring(kernel, kernel->programs->maps.records, &kernel->ring, error)) {
		return false;
	}
	use_ring(kernel);
	return open_ring(kernel, kernel->programs->maps.copy_records, &kernel->copy_ring, error) &&
	       open_wakeups(kernel, error) && map_tables(kernel, error);
}

static void tell_program(const struct bpf_program *program, itp_recorder_tell_code *tell,
			 void *data)
{
	uint64_t begins[PROGRAM_FUNCTIONS_MOST] = { 0 };
	uint32_t lengths[PROGRAM_FUNCTIONS_MOST] = { 0 };
	struct bpf_prog_info info = {
		.nr_jited_ksyms = PROGRAM_FUNCTIONS_MOST,
		.jited_ksyms = (uintptr_t)begins,
		.nr_jited_func_lens = PROGRAM_FUNCTIONS_MOST,
		.jited_func_lens = (uintptr_t)lengths,
	};
	uint32_t size = sizeof(info);

	if (bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &size) != 0) {
		return;
	}
	for (uint32_t i = 0; i < MIN(info.nr_jited_ksyms, PROGRAM_FUNCTIONS_MOST); i++) {
		if (begins[i] != 0 && lengths[i] != 0) {
			tell(data, bpf_program__name(program), begins[i], lengths[i]);
		}
	}
}

void itp_recorder_kernel_tell_code(const struct itp_recorder_kernel *kernel,
				   itp_recorder_tell_code *tell, void *data)
{
	struct bpf_program *program = NULL;

	while ((program = bpf_object__next_program(kernel->programs->obj, program))) {
		if (bpf_program__fd(program) >= 0) {
			tell_program(program, tell, data);
		}
	}
}

static void destroy_link(gpointer link)
{
	bpf_link__destroy(link);
}

struct itp_recorder_kernel *itp_recorder_kernel_new(
	const struct itp_recorder_kernel_options *options, GError **error)
{
	struct itp_recorder_kernel *kernel = g_new0(struct itp_recorder_kernel, 1);

	itp_bpf_be_silent();
	kernel->options = *options;
	kernel->wakeups = -1;
	kernel->links = g_ptr_array_new_with_free_func(destroy_link);
	kernel->call_links = g_ptr_array_new_with_free_func(destroy_link);
	if (!load(kernel, error)) {
		itp_recorder_kernel_free(kernel);
		return NULL;
	}
	return kernel;
}

void itp_recorder_kernel_free(struct itp_recorder_kernel *kernel)
{
	if (!kernel) {
		return;
	}
	g_ptr_array_unref(kernel->call_links);
	g_ptr_array_unref(kernel->links);
	unmap_table(&kernel->images);
	unmap_table(&kernel->rows);
	unmap_table(&kernel->index);
	unmap_table(&kernel->steps);
	if (kernel->wakeups >= 0) {
		close(kernel->wakeups);
	}
	ring_buffer__free(kernel->copy_ring);
	ring_buffer__free(kernel->ring);
	itp_record_bpf__destroy(kernel->programs);
	g_free(kernel);
}

/* SPDX-License-Identifier: MIT */
/*
 * See processes.h. Build ids of files are compared when a file is first seen mapped.
 */
#include "plugins/perf/guard/processes.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "common/base/failure.h"
#include "common/base/hash.h"
#include "common/elf/image.h"

#define DELETED " (deleted)"
/* Trust in a map, in microseconds: it is read again for unexplained stacks, soon after a program
 * has begun and has loaded its libraries, but not for each stack of a program that cannot be
 * followed. */
#define TRUST_LEAST_US 1000
#define TRUST_MOST_US G_USEC_PER_SEC

struct itp_guard_processes {
	/* Weak. */
	const struct itp_guard_file *file;
	/* All owned by this: struct itp_guard_process by pid; sources of names. */
	GHashTable *list;
	struct itp_function_table *functions;
	struct itp_symbolizer *symbolizer;
	struct itp_syscall_names *calls;
	struct itp_user_stacks *stacks;
	struct itp_callchain *chain;
	/* Process of stacks that are not guarded. */
	struct itp_process stranger;
	uint32_t images;
};

static void free_guarded_process(gpointer data)
{
	struct itp_guard_process *process = data;

	itp_address_space_unref(process->stacks.space);
	g_free(process);
}

struct itp_guard_processes *itp_guard_processes_new(const struct itp_guard_file *file)
{
	struct itp_guard_processes *processes = g_new0(struct itp_guard_processes, 1);
	struct utsname name;
	const struct itp_symbolizer_options options = {
		.os_release = uname(&name) == 0 ? name.release : NULL,
		.demangle = true,
		.is_monotonic = true,
	};

	processes->file = file;
	processes->list = g_hash_table_new_full(itp_hash_number, NULL, NULL, free_guarded_process);
	processes->functions = itp_function_table_new();
	processes->symbolizer = itp_symbolizer_new(&options, processes->functions);
	processes->calls = itp_syscall_names_new(name.machine, processes->functions);
	processes->stacks = itp_user_stacks_new(name.machine);
	processes->chain = g_new0(struct itp_callchain, 1);
	processes->stranger.space = itp_address_space_new();
	processes->stranger.is_user = true;
	return processes;
}

void itp_guard_processes_free(struct itp_guard_processes *processes)
{
	if (!processes) {
		return;
	}
	g_hash_table_unref(processes->list);
	itp_user_stacks_free(processes->stacks);
	itp_syscall_names_free(processes->calls);
	itp_symbolizer_free(processes->symbolizer);
	itp_function_table_free(processes->functions);
	itp_address_space_unref(processes->stranger.space);
	g_free(processes->chain);
	g_free(processes);
}

/* ---- Maps ---- */

/* Reads a line of executable memory; false for other lines. The path is a part of the line. */
static bool read_line(char *line, int32_t pid, struct itp_map_request *ret_request)
{
	struct itp_map_request request = { .extent = ITP_MAP_RANGE, .pid = pid };
	unsigned long start;
	unsigned long end;
	unsigned long offset;
	char access[5];
	int path_at = 0;

	if (sscanf(line, "%lx-%lx %4s %lx %*s %*s %n", &start, &end, access, &offset, &path_at) !=
		    4 ||
	    access[2] != 'x') {
		return false;
	}
	request.start = start;
	request.length = end - start;
	request.offset = offset;
	request.is_private = access[3] == 'p';
	request.path = path_at > 0 ? line + path_at : "";
	*ret_request = request;
	return true;
}

/* The build id of a file; "" for none. Owned by the caller. */
static char *build_id_of(const char *path)
{
	struct itp_elf_image image;
	char *build_id;

	if (itp_elf_image_look(&image, path) < 0) {
		return g_strdup("");
	}
	build_id = g_strdup(image.build_id);
	itp_elf_image_release(&image);
	return build_id;
}

static bool is_of_guards(const struct itp_guard_processes *processes, const char *name)
{
	for (guint i = 0; i < processes->file->modules->len; i++) {
		if (g_str_equal(g_array_index(processes->file->modules, struct itp_guard_module, i)
					.name,
				name)) {
			return true;
		}
	}
	return false;
}

/* True when the build was trained, perhaps as one of several of its name. */
static bool is_trained(const struct itp_guard_processes *processes, const char *name,
		       const char *build_id)
{
	for (guint i = 0; i < processes->file->modules->len; i++) {
		const struct itp_guard_module *module =
			&g_array_index(processes->file->modules, struct itp_guard_module, i);

		if (g_str_equal(module->name, name) &&
		    (module->build_id[0] == '\0' || g_str_equal(module->build_id, build_id))) {
			return true;
		}
	}
	return false;
}

/* True when the guards allow the file at `path` to be mapped. */
static bool check_module(const struct itp_guard_processes *processes, int32_t pid, const char *path,
			 GError **error)
{
	g_autofree char *name = g_path_get_basename(path);
	g_autofree char *build_id = NULL;

	if (g_str_has_suffix(name, DELETED)) {
		name[strlen(name) - strlen(DELETED)] = '\0';
		if (path[0] == '/' && is_of_guards(processes, name)) {
			itp_failure_set(error,
					"process %d: %s was replaced since it started: start it "
					"anew, or train again",
					pid, name);
			return false;
		}
	}
	if (path[0] != '/' || !is_of_guards(processes, name)) {
		return true;
	}
	build_id = build_id_of(path);
	if (!is_trained(processes, name, build_id)) {
		itp_failure_set(error,
				"process %d: its %s is another build (%s) than the guards are for: "
				"record it and train again",
				pid, name, build_id[0] ? build_id : "without an id");
		return false;
	}
	return true;
}

/* "nginx" of "nginx!main". */
static bool is_module_of(const char *function, const char *name)
{
	const size_t length = strlen(name);

	return strncmp(function, name, length) == 0 && function[length] == '!';
}

static bool has_loop(const struct itp_guard_processes *processes, const char *path)
{
	g_autofree char *name = g_path_get_basename(path);

	for (guint i = 0; i < processes->file->loops->len; i++) {
		if (is_module_of(itp_guard_loop_at(processes->file, i)->function, name)) {
			return true;
		}
	}
	return false;
}

/* True when the mapped files may be guarded; *ret_has_loop: true when any has a loop. */
static bool check_lines(const struct itp_guard_processes *processes, int32_t pid, char **lines,
			bool *ret_has_loop, GError **error)
{
	struct itp_map_request request;

	*ret_has_loop = false;
	for (size_t i = 0; lines[i]; i++) {
		if (read_line(lines[i], pid, &request)) {
			if (!check_module(processes, pid, request.path, error)) {
				return false;
			}
			*ret_has_loop |= has_loop(processes, request.path);
		}
	}
	return true;
}

static void map_lines(struct itp_guard_processes *processes, struct itp_guard_process *process,
		      char **lines)
{
	struct itp_address_space *space = itp_address_space_new();
	struct itp_map_request request;

	for (size_t i = 0; lines[i]; i++) {
		if (read_line(lines[i], process->pid, &request)) {
			itp_symbolizer_map(processes->symbolizer, &space, &request);
		}
	}
	itp_address_space_unref(process->stacks.space);
	process->stacks.space = space;
}

/* Text of a process's map; NULL for none. A zombie has an empty map. */
static char *map_text(int32_t pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/maps", pid);
	g_autofree char *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) && text[0] != '\0' ?
		       g_steal_pointer(&text) :
		       NULL;
}

bool itp_guard_is_process(int32_t pid)
{
	g_autofree char *text = map_text(pid);

	return text != NULL;
}

/* Reads the map anew; keeps the former map on error. */
static bool read_map(struct itp_guard_processes *processes, struct itp_guard_process *process,
		     bool needs_loop, GError **error)
{
	g_autofree char *text = map_text(process->pid);
	g_auto(GStrv) lines = NULL;
	bool is_there;

	process->read_us = g_get_monotonic_time();
	if (!text) {
		itp_failure_set(error, "process %d: there is none, or it may not be looked at",
				process->pid);
		return false;
	}
	lines = g_strsplit(text, "\n", -1);
	if (!check_lines(processes, process->pid, lines, &is_there, error)) {
		return false;
	}
	if (needs_loop && !is_there) {
		itp_failure_set(error,
				"process %d: it has none of the loops that the guards are for",
				process->pid);
		return false;
	}
	map_lines(processes, process, lines);
	return true;
}

/* ---- The list ---- */

static struct itp_guard_process *make_process(int32_t pid, uint32_t image,
					      struct itp_address_space *space)
{
	struct itp_guard_process *process = g_new0(struct itp_guard_process, 1);

	process->pid = pid;
	process->image = image;
	process->trust_us = TRUST_LEAST_US;
	process->stacks.pid = pid;
	process->stacks.space = space;
	process->stacks.is_user = true;
	return process;
}

struct itp_guard_process *itp_guard_processes_add(struct itp_guard_processes *processes,
						  int32_t pid, bool needs_loop, GError **error)
{
	struct itp_guard_process *process =
		make_process(pid, ++processes->images, itp_address_space_new());

	if (!read_map(processes, process, needs_loop, error)) {
		free_guarded_process(process);
		return NULL;
	}
	g_hash_table_insert(processes->list, GINT_TO_POINTER(pid), process);
	return process;
}

void itp_guard_processes_fork(struct itp_guard_processes *processes, int32_t pid,
			      int32_t parent_pid)
{
	const struct itp_guard_process *parent = itp_guard_processes_find(processes, parent_pid);

	if (parent) {
		g_hash_table_insert(processes->list, GINT_TO_POINTER(pid),
				    make_process(pid, parent->image,
						 itp_address_space_ref(parent->stacks.space)));
	}
}

void itp_guard_processes_remove(struct itp_guard_processes *processes, int32_t pid)
{
	g_hash_table_remove(processes->list, GINT_TO_POINTER(pid));
}

struct itp_guard_process *itp_guard_processes_find(const struct itp_guard_processes *processes,
						   int32_t pid)
{
	return g_hash_table_lookup(processes->list, GINT_TO_POINTER(pid));
}

guint itp_guard_processes_count(const struct itp_guard_processes *processes)
{
	return g_hash_table_size(processes->list);
}

struct itp_function_table *itp_guard_processes_functions(
	const struct itp_guard_processes *processes)
{
	return processes->functions;
}

struct itp_syscall_names *itp_guard_processes_calls(const struct itp_guard_processes *processes)
{
	return processes->calls;
}

/* ---- Stacks ---- */

static void resolve_snapshot(struct itp_guard_processes *processes, struct itp_process *process,
			     const struct itp_guard_snapshot *snapshot)
{
	uint64_t addresses[ITP_GUARD_KERNEL_FRAMES + 1] = { (uint64_t)PERF_CONTEXT_KERNEL };
	const uint32_t count = MIN(snapshot->kernel_count, ITP_GUARD_KERNEL_FRAMES);
	const struct itp_bytes chain = { (const uint8_t *)addresses,
					 count > 0 ? (count + 1) * sizeof(addresses[0]) : 0 };
	const struct itp_user_state user = {
		.is_present = process != &processes->stranger,
		.register_mask = ITP_BPF_REGISTER_MASK,
		.registers = { (const uint8_t *)snapshot->registers, sizeof(snapshot->registers) },
		.stack = { snapshot->stack, MIN(snapshot->stack_bytes, ITP_GUARD_STACK_BYTES) },
		.stack_room = ITP_GUARD_STACK_BYTES,
	};
	const struct itp_callchain_input input = {
		.chain = &chain,
		.part = ITP_CHAIN_USER,
		.begins_with_return = true,
		.process = process,
		.user = &user,
		.stacks = processes->stacks,
	};

	memcpy(addresses + 1, snapshot->kernel, count * sizeof(addresses[0]));
	itp_callchain_resolve(processes->chain, processes->symbolizer, &input);
}

const struct itp_callchain *itp_guard_processes_resolve(struct itp_guard_processes *processes,
							const struct itp_guard_snapshot *snapshot)
{
	struct itp_guard_process *process =
		itp_guard_processes_find(processes, snapshot->record.pid);

	resolve_snapshot(processes, process ? &process->stacks : &processes->stranger, snapshot);
	return processes->chain;
}

/* Reads the map anew; a process that has ended meanwhile keeps its former map. False with an error
 * when a mapped file may not be guarded. */
static bool renew_map(struct itp_guard_processes *processes, struct itp_guard_process *process,
		      GError **error)
{
	GError *reason = NULL;

	process->trust_us = MIN(2 * process->trust_us, TRUST_MOST_US);
	if (read_map(processes, process, false, &reason)) {
		return true;
	}
	if (itp_guard_is_process(process->pid)) {
		g_propagate_error(error, reason);
		return false;
	}
	g_error_free(reason);
	return true;
}

/* The copy of the stack ends before its root, whatever is mapped. */
static bool is_short(const struct itp_callchain *chain)
{
	return chain->end == ITP_STACK_END_DEPTH || chain->end == ITP_STACK_END_SHORT_COPY;
}

GArray *itp_guard_processes_stack(struct itp_guard_processes *processes,
				  struct itp_guard_process *process,
				  const struct itp_guard_snapshot *snapshot,
				  enum itp_stack_end *ret_end, GError **error)
{
	const struct itp_callchain *chain = processes->chain;
	GArray *stack;

	resolve_snapshot(processes, &process->stacks, snapshot);
	if (chain->end != ITP_STACK_END_ROOT && !is_short(chain) &&
	    g_get_monotonic_time() - process->read_us > process->trust_us) {
		if (!renew_map(processes, process, error)) {
			return NULL;
		}
		resolve_snapshot(processes, &process->stacks, snapshot);
	}
	*ret_end = is_short(chain) ? ITP_STACK_END_DEPTH : chain->end;
	stack = g_array_sized_new(FALSE, FALSE, sizeof(uint32_t), (guint)chain->count + 1);
	for (size_t i = 0; i < chain->count; i++) {
		g_array_append_val(stack, chain->frames[i].function);
	}
	if (snapshot->record.call >= 0) {
		const uint32_t call =
			itp_syscall_names_function(processes->calls, snapshot->record.call);
		guint at = 0;

		while (at < stack->len && itp_function_table_get(processes->functions,
								 g_array_index(stack, uint32_t, at))
							  ->layer == ITP_LAYER_USER) {
			at++;
		}
		g_array_insert_val(stack, at, call);
	}
	return stack;
}

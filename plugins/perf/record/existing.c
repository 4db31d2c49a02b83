/* SPDX-License-Identifier: MIT */
/*
 * See existing.h.
 */
#include "plugins/perf/record/existing.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "plugins/perf/record/record-bpf.h"
#include "plugins/perf/record/sideband.h"

#define KERNEL_NAME "[kernel.kallsyms]_text"
/* Alignment of records, in bytes. */
#define WORD_BYTES 8
/* Words of a stack that are read: as many as a copy of it has. */
#define STACK_WORDS (ITP_RECORD_COPY_BYTES / WORD_BYTES)

/* ---- Records ---- */

struct record {
	struct perf_event_header header;
	/* Whole record, with its header. Freed by tell_and_free(). */
	GByteArray *body;
};

static void begin_record(struct record *record, uint32_t type, uint16_t misc)
{
	record->header = (struct perf_event_header){ .type = type, .misc = misc };
	record->body = g_byte_array_new();
	g_byte_array_append(record->body, (const guint8 *)&record->header, sizeof(record->header));
}

static void add(struct record *record, const void *bytes, size_t size)
{
	g_byte_array_append(record->body, bytes, (guint)size);
}

static void add_u32(struct record *record, uint32_t number)
{
	add(record, &number, sizeof(number));
}

static void add_u64(struct record *record, uint64_t number)
{
	add(record, &number, sizeof(number));
}

/* Adds the text with its NUL, up to a multiple of a word. */
static void add_text(struct record *record, const char *text)
{
	const uint8_t zeros[WORD_BYTES] = { 0 };

	add(record, text, strlen(text));
	add(record, zeros, WORD_BYTES - strlen(text) % WORD_BYTES);
}

/* Hands out the record, with time 0 and id 0 as for all existing things. */
static void tell_and_free(struct record *record, itp_recorder_tell *tell, void *data)
{
	const struct itp_recorder_trailer trailer = { 0 };

	add(record, &trailer, sizeof(trailer));
	record->header.size = (uint16_t)record->body->len;
	memcpy(record->body->data, &record->header, sizeof(record->header));
	tell(data, (struct perf_event_header *)record->body->data);
	g_byte_array_unref(record->body);
}

/* ---- The kernel ---- */

void itp_recorder_existing_kernel(const struct itp_recorder_kernel_text *text,
				  itp_recorder_tell *tell, void *data)
{
	struct record record;

	if (text->begin == 0 || text->end <= text->begin) {
		return;
	}
	begin_record(&record, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);
	add_u32(&record, UINT32_MAX);
	add_u32(&record, 0);
	add_u64(&record, text->begin);
	add_u64(&record, text->end - text->begin);
	add_u64(&record, text->begin);
	add_text(&record, KERNEL_NAME);
	tell_and_free(&record, tell, data);
}

void itp_recorder_existing_program(const char *name, uint64_t begin, uint32_t length,
				   itp_recorder_tell *tell, void *data)
{
	const uint16_t type_and_flags[] = { PERF_RECORD_KSYMBOL_TYPE_BPF, 0 };
	struct record record;

	begin_record(&record, PERF_RECORD_KSYMBOL, 0);
	add_u64(&record, begin);
	add_u32(&record, length);
	add(&record, type_and_flags, sizeof(type_and_flags));
	add_text(&record, name);
	tell_and_free(&record, tell, data);
}

/* ---- Processes ---- */

static void tell_name(int32_t pid, const char *tid, itp_recorder_tell *tell, void *data)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/task/%s/comm", pid, tid);
	g_autofree char *name = NULL;
	struct record record;

	if (!g_file_get_contents(path, &name, NULL, NULL)) {
		return;
	}
	begin_record(&record, PERF_RECORD_COMM, 0);
	add_u32(&record, (uint32_t)pid);
	add_u32(&record, (uint32_t)atoi(tid));
	add_text(&record, g_strchomp(name));
	tell_and_free(&record, tell, data);
}

/* Tells the mapping of a line of /proc/PID/maps, if executable. */
static void tell_mapping(int32_t pid, const char *line, itp_recorder_tell *tell, void *data)
{
	struct record record;
	unsigned long inode;
	unsigned int major;
	unsigned int minor;
	unsigned long start;
	unsigned long end;
	unsigned long offset;
	char access[5];
	int path_at = 0;

	if (sscanf(line, "%lx-%lx %4s %lx %x:%x %lu %n", &start, &end, access, &offset, &major,
		   &minor, &inode, &path_at) != 7 ||
	    access[2] != 'x') {
		return;
	}
	begin_record(&record, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER);
	add_u32(&record, (uint32_t)pid);
	add_u32(&record, (uint32_t)pid);
	add_u64(&record, start);
	add_u64(&record, end - start);
	add_u64(&record, offset);
	add_u32(&record, major);
	add_u32(&record, minor);
	add_u64(&record, inode);
	add_u64(&record, 0);
	add_u32(&record, PROT_READ | PROT_EXEC);
	add_u32(&record, access[3] == 'p' ? MAP_PRIVATE : MAP_SHARED);
	add_text(&record, line[path_at] ? line + path_at : "//anon");
	tell_and_free(&record, tell, data);
}

static void tell_mappings(int32_t pid, itp_recorder_tell *tell, void *data)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/maps", pid);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL)) {
		return;
	}
	lines = g_strsplit(text, "\n", -1);
	for (guint i = 0; lines[i]; i++) {
		tell_mapping(pid, lines[i], tell, data);
	}
}

void itp_recorder_existing_process(int32_t pid, itp_recorder_tell *tell, void *data)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/task", pid);
	g_autoptr(GDir) threads = g_dir_open(path, 0, NULL);
	const char *tid;

	while (threads && (tid = g_dir_read_name(threads))) {
		tell_name(pid, tid, tell, data);
	}
	tell_mappings(pid, tell, data);
}

void itp_recorder_existing_group(uint64_t number, const char *path, itp_recorder_tell *tell,
				 void *data)
{
	struct record record;

	begin_record(&record, PERF_RECORD_CGROUP, 0);
	add_u64(&record, number);
	add_text(&record, path);
	tell_and_free(&record, tell, data);
}

/* Reads a number like 0x7ffe00. */
static bool read_address(const char *text, uint64_t *ret_address)
{
	return g_str_has_prefix(text, "0x") &&
	       g_ascii_string_to_unsigned(text + 2, 16, 0, UINT64_MAX, ret_address, NULL);
}

/* Registers of a waiting thread: the last words of its line are its stack pointer and its program
 * counter. False for one that runs. */
static bool find_stack(int32_t pid, const char *tid, uint64_t *ret_sp, uint64_t *ret_pc)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/task/%s/syscall", pid, tid);
	g_autofree char *text = NULL;
	g_auto(GStrv) words = NULL;
	guint count;

	if (!g_file_get_contents(path, &text, NULL, NULL)) {
		return false;
	}
	words = g_strsplit(g_strstrip(text), " ", -1);
	count = g_strv_length(words);
	return count > 2 && read_address(words[count - 2], ret_sp) &&
	       read_address(words[count - 1], ret_pc);
}

void itp_recorder_existing_stacks(int32_t pid, itp_recorder_tell_words *tell, void *data)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/task", pid);
	g_autofree char *memory = g_strdup_printf("/proc/%d/mem", pid);
	g_autoptr(GDir) threads = g_dir_open(path, 0, NULL);
	const int file = open(memory, O_RDONLY | O_CLOEXEC);
	uint64_t words[STACK_WORDS];
	const char *tid;
	uint64_t sp;

	while (file >= 0 && threads && (tid = g_dir_read_name(threads))) {
		if (find_stack(pid, tid, &sp, &words[0])) {
			const ssize_t bytes =
				pread(file, words + 1, sizeof(words) - WORD_BYTES, (off_t)sp);

			tell(data, words, 1 + (guint)MAX(bytes, 0) / WORD_BYTES);
		}
	}
	if (file >= 0) {
		close(file);
	}
}

/* Threads of the kernel have no memory. */
static bool has_memory(const char *pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%s/statm", pid);
	g_autofree char *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) && text[0] != '0';
}

GArray *itp_recorder_existing_pids(void)
{
	GArray *pids = g_array_new(FALSE, FALSE, sizeof(int32_t));
	g_autoptr(GDir) processes = g_dir_open("/proc", 0, NULL);
	const char *name;

	while (processes && (name = g_dir_read_name(processes))) {
		const int32_t pid = atoi(name);

		if (pid > 0 && pid != getpid() && has_memory(name)) {
			g_array_append_val(pids, pid);
		}
	}
	return pids;
}

/* Appends the child processes of all threads of `pid`. */
static void add_children(GArray *pids, int32_t pid)
{
	g_autofree char *tasks = g_strdup_printf("/proc/%d/task", pid);
	g_autoptr(GDir) threads = g_dir_open(tasks, 0, NULL);
	const char *tid;

	while (threads && (tid = g_dir_read_name(threads))) {
		g_autofree char *path = g_build_filename(tasks, tid, "children", NULL);
		g_autofree char *text = NULL;
		g_auto(GStrv) children = NULL;

		if (g_file_get_contents(path, &text, NULL, NULL)) {
			children = g_strsplit(g_strstrip(text), " ", -1);
		}
		for (guint i = 0; children && children[i]; i++) {
			const int32_t child = atoi(children[i]);

			if (child > 0) {
				g_array_append_val(pids, child);
			}
		}
	}
}

GArray *itp_recorder_existing_tree(int32_t pid)
{
	GArray *pids = g_array_new(FALSE, FALSE, sizeof(int32_t));

	g_array_append_val(pids, pid);
	for (guint i = 0; i < pids->len; i++) {
		add_children(pids, g_array_index(pids, int32_t, i));
	}
	return pids;
}

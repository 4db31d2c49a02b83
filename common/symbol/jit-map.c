/* SPDX-License-Identifier: MIT */
/*
 * Lines sorted by their first address, each with the reach of all lines before it.
 *
 * Python's trampoline on x86-64 is
 *
 *      sub  $8, %rsp
 *      call *%rcx
 *      add  $8, %rsp
 *      ret
 *
 * with an endbr64 before it in builds for such machines. On arm64 it keeps a frame pointer.
 */
#include "common/symbol/jit-map.h"

#include "common/base/input-file.h"
#include "common/base/order.h"

#include <string.h>
#include <unistd.h>

/* A million functions with names of 60 bytes. */
#define MAX_BYTES (64 * 1024 * 1024)
/* Most lines before an address that are searched for a function around it. */
#define MOST_BEFORE 4096
/* A function is called soon after its line was written, perhaps before that is known. */
#define LINES_AHEAD 8

struct code {
	struct itp_symbol function;
	/* Line in the file. */
	uint32_t line;
	/* End of all code up to here. */
	uint64_t reach;
};

struct itp_jit_map {
	/* Text of the file, with all names. Owned by this. */
	char *text;
	/* struct code. Owned by this. */
	GArray *codes;
	/* A line that had been written when the map was last asked, if any told. */
	uint32_t written;
	bool is_written_known;
};

/* Bytes of the file when opened, terminated. */
static char *read_text(int fd, size_t bytes)
{
	g_autofree char *text = g_malloc(bytes + 1);
	ssize_t got = 0;
	size_t size = 0;

	while (size < bytes && (got = read(fd, text + size, bytes - size)) > 0) {
		size += (size_t)got;
	}
	if (got < 0) {
		return NULL;
	}
	text[size] = '\0';
	return g_steal_pointer(&text);
}

/* Rest of the line behind a number, or NULL. */
static char *skip_number(const char *line, uint64_t *ret_number)
{
	char *end;

	*ret_number = g_ascii_strtoull(line, &end, 16);
	return end != line && (*end == ' ' || *end == '\t') ? end + 1 : NULL;
}

/* `line` is terminated; others than functions are passed over. */
static void add_line(struct itp_jit_map *map, char *line)
{
	struct code code = { .line = map->codes->len,
			     .function = { .binding = ITP_BINDING_GLOBAL, .is_sized = true } };
	uint64_t size = 0;
	char *rest = skip_number(line, &code.function.start);
	char *name = rest ? skip_number(rest, &size) : NULL;

	if (!name || g_strchomp(name)[0] == '\0' || size == 0 ||
	    size > UINT64_MAX - code.function.start) {
		return;
	}
	code.function.end = code.function.start + size;
	code.function.name = name;
	code.function.name_length = (uint32_t)strlen(name);
	g_array_append_val(map->codes, code);
}

static struct code *code_at(const struct itp_jit_map *map, guint i)
{
	return &g_array_index(map->codes, struct code, i);
}

static gint compare_codes(gconstpointer a, gconstpointer b)
{
	const struct code *left = a;
	const struct code *right = b;

	if (left->function.start != right->function.start) {
		return left->function.start < right->function.start ? -1 : 1;
	}
	return (left->line > right->line) - (left->line < right->line);
}

static void sort(struct itp_jit_map *map)
{
	uint64_t reach = 0;

	g_array_sort(map->codes, compare_codes);
	for (guint i = 0; i < map->codes->len; i++) {
		reach = MAX(reach, code_at(map, i)->function.end);
		code_at(map, i)->reach = reach;
	}
}

struct itp_jit_map *itp_jit_map_new(const char *root, const char *path)
{
	size_t bytes;
	int fd = itp_trusted_file_open(root, path, MAX_BYTES, &bytes);
	struct itp_jit_map *map;
	char *text;
	char *line;
	char *next;

	if (fd < 0) {
		return NULL;
	}
	text = read_text(fd, bytes);
	close(fd);
	if (!text) {
		return NULL;
	}
	map = g_new0(struct itp_jit_map, 1);
	map->text = text;
	map->codes = g_array_new(FALSE, FALSE, sizeof(struct code));
	for (line = text; line; line = next) {
		next = strchr(line, '\n');
		if (next) {
			*next++ = '\0';
		}
		add_line(map, line);
	}
	sort(map);
	return map;
}

/* Number in the innermost namespace, where there are several: "NSpid:\t4711\t1" → 1; else 0. */
static int32_t innermost_pid(const char *status)
{
	const char *line = strstr(status, "\nNSpid:");
	g_auto(GStrv) lines = g_strsplit(line ? line + 1 : "", "\n", 2);
	g_auto(GStrv) numbers = g_strsplit(lines[0] ? lines[0] : "", "\t", -1);
	guint count = g_strv_length(numbers);

	/* The first word is the key. */
	return count > 2 ? (int32_t)g_ascii_strtoull(numbers[count - 1], NULL, 10) : 0;
}

struct itp_jit_map *itp_jit_map_new_of_process(int32_t pid)
{
	g_autofree char *status_path = g_strdup_printf("/proc/%" G_GINT32_FORMAT "/status", pid);
	g_autofree char *root = g_strdup_printf("/proc/%" G_GINT32_FORMAT "/root", pid);
	g_autofree char *status = NULL;
	g_autofree char *path = NULL;
	int32_t inner;

	if (!g_file_get_contents(status_path, &status, NULL, NULL)) {
		return NULL;
	}
	inner = innermost_pid(status);
	path = g_strdup_printf("/tmp/perf-%" G_GINT32_FORMAT ".map", inner);
	return inner > 0 ? itp_jit_map_new(root, path) : NULL;
}

void itp_jit_map_free(struct itp_jit_map *map)
{
	if (!map) {
		return;
	}
	g_array_free(map->codes, TRUE);
	g_free(map->text);
	g_free(map);
}

/* Present function of two at an address: the last already written, else the first of all. Until
 * anything tells how far the file was written, names for the very same code count as written. */
static const struct code *later(const struct itp_jit_map *map, const struct code *a,
				const struct code *b)
{
	const struct code *last = a->line > b->line ? a : b;

	if (!map->is_written_known && a->function.start == b->function.start &&
	    a->function.end == b->function.end) {
		return last;
	}
	return last->line <= map->written + LINES_AHEAD ? last : last == a ? b : a;
}

const struct itp_symbol *itp_jit_map_find(struct itp_jit_map *map, uint64_t address,
					  bool *ret_is_only)
{
	const struct code *found = NULL;
	guint begun = itp_count_up_to(map->codes, offsetof(struct code, function.start), address);
	guint last = begun > MOST_BEFORE ? begun - MOST_BEFORE : 0;

	*ret_is_only = true;
	for (guint i = begun; i > last && code_at(map, i - 1)->reach > address; i--) {
		const struct code *code = code_at(map, i - 1);

		if (code->function.end > address) {
			*ret_is_only = !found;
			found = found ? later(map, found, code) : code;
		}
	}
	if (found && *ret_is_only) {
		map->written = MAX(map->written, found->line);
		map->is_written_known = true;
	}
	return found ? &found->function : NULL;
}

/* ---- Unwind rules ---- */

#define PYTHON_PREFIX "py::"
#define TRAMPOLINE_BYTES 11
#define ENDBR_BYTES 4
/* Code in which the stack pointer is down by 8: from the call on, until it is back. */
#define LOWERED_BEGIN 4
#define LOWERED_END 10

/* DWARF numbers. */
#define RBX 3
#define RBP 6
#define RSP 7
#define R12 12
#define R13 13
#define R14 14
#define R15 15
#define RIP 16

#define KEPT                                                                     \
	(ITP_REGISTER_BIT(RBX) | ITP_REGISTER_BIT(RBP) | ITP_REGISTER_BIT(R12) | \
	 ITP_REGISTER_BIT(R13) | ITP_REGISTER_BIT(R14) | ITP_REGISTER_BIT(R15))

/* Row of an unwind table: the CFA, so many bytes above the stack pointer, and the return address
 * right below it. */
#define ROW(bytes)                                                                    \
	{                                                                             \
		.kept = KEPT,                                                         \
		.cfa = { .kind = ITP_CFI_REGISTER, .source = RSP, .value = (bytes) }, \
		.return_register = RIP, .is_simple = true, .rule_count = 1,           \
		.rules = {                                                            \
			[0] = { .kind = ITP_CFI_SAVED, .target = RIP, .value = -8 },  \
		},                                                                    \
	}

static const struct itp_cfi_row at_rest = ROW(8);
static const struct itp_cfi_row lowered = ROW(16);

const struct itp_cfi_row *itp_made_code_row(const struct itp_symbol *function, uint64_t address)
{
	uint64_t size = function->end - function->start;
	uint64_t begin = function->start + (size == TRAMPOLINE_BYTES ? 0 : ENDBR_BYTES);

	if ((size != TRAMPOLINE_BYTES && size != TRAMPOLINE_BYTES + ENDBR_BYTES) ||
	    function->name_length < strlen(PYTHON_PREFIX) ||
	    strncmp(function->name, PYTHON_PREFIX, strlen(PYTHON_PREFIX)) != 0) {
		return NULL;
	}
	return address >= begin + LOWERED_BEGIN && address < begin + LOWERED_END ? &lowered :
										   &at_rest;
}

/* SPDX-License-Identifier: MIT */
/*
 * A cursor over the mapped file, and a tree of the functions present at its place.
 *
 * Records hold more than names and places (code, line numbers, unwind tables): the rest is passed
 * over. The first record that contradicts itself ends the dump: a killed process leaves half a
 * record.
 */
#include "common/symbol/jit-dump.h"

#include "common/base/input-file.h"
#include "common/elf/bytes.h"
#include "common/elf/file-map.h"
#include "common/symbol/jit-map.h"
#include "common/symbol/symbol-table.h"

#include <string.h>
#include <unistd.h>

/* Hundreds of megabytes, code included, are usual for a large program. */
#define MAX_BYTES ((size_t)4 * 1024 * 1024 * 1024)

/* Further functions are dropped. */
#define MAX_FUNCTIONS 1000000

/* Step in which memory is given back, in bytes. */
#define FORGET_BYTES (1024u * 1024)

/* "JiTD", little endian. */
#define DUMP_MAGIC 0x4a695444
#define DUMP_VERSION 1

/* Magic, version, size, machine, padding, pid, timestamp, flags. */
#define HEADER_BYTES 40
#define HEADER_FLAGS 32
/* Times are the CPU's time stamp counter. */
#define FLAG_ARCH_TIMESTAMP 1

/* Size of the blocks of names, in bytes. */
#define NAMES_BYTES (16u * 1024)

/* Id, size, timestamp. */
#define PREFIX_BYTES 16

/* pid, tid, vma; then address, size, index, name. */
#define LOAD_BYTES 40
#define LOAD_ADDRESS 16
#define LOAD_SIZE 24
/* pid, tid, vma; then old address, new address, size, index. */
#define MOVE_BYTES 48
#define MOVE_OLD 16
#define MOVE_NEW 24
#define MOVE_SIZE 32

enum record_id {
	CODE_LOAD = 0,
	CODE_MOVE = 1,
};

struct code {
	uint64_t start;
	/* Behind the last byte. */
	uint64_t end;
	/* In the dump's names. */
	const char *name;
	/* Function id, ITP_FUNCTION_UNKNOWN until looked up. */
	uint32_t function;
};

struct itp_jit_dump {
	/* Mapped dump. Owned by this. */
	struct itp_file_map file;
	/* Names of functions. Owned by this. */
	GStringChunk *names;
	/* Records not read yet. */
	struct itp_bytes rest;
	/* End of the memory given back, in bytes from the begin. */
	uint64_t forgotten;
	/* struct code, none overlapping another, as key and value. Owned by this. */
	GTree *codes;
	/* Weak. */
	struct itp_function_table *table;
	uint32_t generation;
	bool has_times;
	bool demangle;
};

bool itp_jit_dump_is_path(const char *path)
{
	g_autofree char *name = g_path_get_basename(path);
	size_t digits;

	if (!g_str_has_prefix(name, "jit-")) {
		return false;
	}
	digits = strspn(name + strlen("jit-"), "0123456789");
	return digits > 0 && g_str_equal(name + strlen("jit-") + digits, ".dump");
}

/* Equal ranges are neither before nor behind each other: the order finds overlaps too. */
static gint compare_codes(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct code *left = a;
	const struct code *right = b;

	(void)data;
	return left->end <= right->start ? -1 : left->start >= right->end;
}

/* Leaves the records behind the header in `rest`. */
static bool read_header(struct itp_jit_dump *dump)
{
	const uint8_t *header = itp_bytes_take(&dump->rest, HEADER_BYTES);
	uint32_t header_bytes;

	if (!header || itp_load_u32(header) != DUMP_MAGIC ||
	    itp_load_u32(header + 4) != DUMP_VERSION) {
		return false;
	}
	if (itp_load_u64(header + HEADER_FLAGS) & FLAG_ARCH_TIMESTAMP) {
		dump->has_times = false;
	}
	header_bytes = itp_load_u32(header + 8);
	return header_bytes >= HEADER_BYTES &&
	       itp_bytes_take(&dump->rest, header_bytes - HEADER_BYTES);
}

static bool open_dump(struct itp_file_map *file, const char *root, const char *path)
{
	size_t size;
	int fd = itp_trusted_file_open(root, path, MAX_BYTES, &size);

	if (fd >= 0 && size == 0) {
		close(fd);
		return false;
	}
	return fd >= 0 && itp_file_map_init(file, fd) == 0;
}

struct itp_jit_dump *itp_jit_dump_new(const char *path, const struct itp_jit_dump_options *options,
				      struct itp_function_table *functions)
{
	struct itp_file_map file;
	struct itp_jit_dump *dump;

	if (!open_dump(&file, options->root, path)) {
		return NULL;
	}
	dump = g_new(struct itp_jit_dump, 1);
	*dump = (struct itp_jit_dump){
		.file = file,
		.names = g_string_chunk_new(NAMES_BYTES),
		.rest = file.bytes,
		.codes = g_tree_new_full(compare_codes, NULL, NULL, g_free),
		.table = functions,
		.has_times = options->has_times,
		.demangle = options->demangle,
	};
	if (!read_header(dump)) {
		g_clear_pointer(&dump, itp_jit_dump_free);
	}
	return dump;
}

void itp_jit_dump_free(struct itp_jit_dump *dump)
{
	if (!dump) {
		return;
	}
	g_tree_destroy(dump->codes);
	g_string_chunk_free(dump->names);
	itp_file_map_release(&dump->file);
	g_free(dump);
}

/* Adds code in place of older code there. */
static void add_code(struct itp_jit_dump *dump, uint64_t start, uint64_t size, const char *name)
{
	struct code range = { .start = start, .end = start + size, .name = name };
	struct code *code;

	if (size == 0 || size > UINT64_MAX - start) {
		return;
	}
	while ((code = g_tree_lookup(dump->codes, &range)) != NULL) {
		g_tree_remove(dump->codes, code);
	}
	if (g_tree_nnodes(dump->codes) < MAX_FUNCTIONS) {
		code = g_new(struct code, 1);
		*code = range;
		g_tree_insert(dump->codes, code, code);
	}
	dump->generation++;
}

static void load_code(struct itp_jit_dump *dump, struct itp_bytes *body)
{
	const uint8_t *fixed = itp_bytes_take(body, LOAD_BYTES);
	const char *name = fixed ? itp_bytes_string(body) : NULL;

	if (name && name[0] != '\0') {
		add_code(dump, itp_load_u64(fixed + LOAD_ADDRESS), itp_load_u64(fixed + LOAD_SIZE),
			 g_string_chunk_insert_const(dump->names, name));
	}
}

static void move_code(struct itp_jit_dump *dump, struct itp_bytes *body)
{
	const uint8_t *fixed = itp_bytes_take(body, MOVE_BYTES);
	struct code old = { .start = fixed ? itp_load_u64(fixed + MOVE_OLD) : 0 };
	const struct code *code;
	const char *name;

	old.end = old.start + 1;
	code = fixed ? g_tree_lookup(dump->codes, &old) : NULL;
	if (code) {
		name = code->name;
		/* Code of a dump without times counts at any time, at its old place too. */
		if (dump->has_times) {
			g_tree_remove(dump->codes, &old);
		}
		add_code(dump, itp_load_u64(fixed + MOVE_NEW), itp_load_u64(fixed + MOVE_SIZE),
			 name);
	}
}

/* Next record if written until `time_ns`: true with its id and the bytes behind its prefix. */
static bool take_record(struct itp_jit_dump *dump, uint64_t time_ns, uint32_t *ret_id,
			struct itp_bytes *ret_body)
{
	struct itp_bytes rest = dump->rest;
	const uint8_t *prefix = itp_bytes_take(&rest, PREFIX_BYTES);
	uint32_t size;

	if (!prefix || (dump->has_times && itp_load_u64(prefix + 8) > time_ns)) {
		return false;
	}
	size = itp_load_u32(prefix + 4);
	*ret_id = itp_load_u32(prefix);
	if (size < PREFIX_BYTES || !itp_bytes_take(&dump->rest, size)) {
		dump->rest.size = 0;
		return false;
	}
	*ret_body = rest;
	ret_body->size = size - PREFIX_BYTES;
	return true;
}

/* Gives back the memory of records already read. */
static void forget_read(struct itp_jit_dump *dump)
{
	uint64_t offset =
		(uint64_t)(dump->rest.data - dump->file.bytes.data) / FORGET_BYTES * FORGET_BYTES;

	if (offset > dump->forgotten) {
		itp_file_map_forget(&dump->file, dump->forgotten, offset);
		dump->forgotten = offset;
	}
}

void itp_jit_dump_advance(struct itp_jit_dump *dump, uint64_t time_ns)
{
	struct itp_bytes body;
	uint32_t id;

	while (take_record(dump, time_ns, &id, &body)) {
		if (id == CODE_LOAD) {
			load_code(dump, &body);
		} else if (id == CODE_MOVE) {
			move_code(dump, &body);
		}
		forget_read(dump);
	}
}

bool itp_jit_dump_is_changed(const struct itp_jit_dump *dump)
{
	return itp_file_map_has_changed(&dump->file);
}

uint32_t itp_jit_dump_generation(const struct itp_jit_dump *dump)
{
	return dump->generation;
}

static uint32_t intern_jit_function(struct itp_jit_dump *dump, const char *name)
{
	g_autofree char *readable = dump->demangle ? itp_demangle(name) : NULL;
	g_autofree char *valid = g_utf8_make_valid(readable ? readable : name, -1);
	const struct itp_function function = {
		.name = valid,
		.module = ITP_JIT_MODULE,
		.build_id = "",
		.layer = ITP_LAYER_USER,
	};

	return itp_function_table_intern(dump->table, &function);
}

static struct code *code_at(const struct itp_jit_dump *dump, uint64_t address)
{
	const struct code place = { .start = address, .end = address + 1 };

	return g_tree_lookup(dump->codes, &place);
}

bool itp_jit_dump_find(struct itp_jit_dump *dump, uint64_t address, uint32_t *ret_function)
{
	struct code *code = code_at(dump, address);

	if (!code) {
		return false;
	}
	if (code->function == ITP_FUNCTION_UNKNOWN) {
		code->function = intern_jit_function(dump, code->name);
	}
	*ret_function = code->function;
	return true;
}

const struct itp_cfi_row *itp_jit_dump_row(struct itp_jit_dump *dump, uint64_t address)
{
	const struct code *code = code_at(dump, address);
	const struct itp_symbol symbol = {
		.start = code ? code->start : 0,
		.end = code ? code->end : 0,
		.name = code ? code->name : "",
		.name_length = code ? (uint32_t)strlen(code->name) : 0,
	};

	return code ? itp_made_code_row(&symbol, address) : NULL;
}

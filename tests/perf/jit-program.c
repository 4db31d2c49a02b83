/* SPDX-License-Identifier: MIT */
/*
 * A program to record that makes its own code, as a just-in-time compiler does, and tells perf of
 * it in DIRECTORY/jit-PID.dump:
 *
 *   jit-program DIRECTORY
 *
 * Runs first_function; second_function, which is put over it; and second_function again, moved
 * elsewhere. Each is called by outer_function, and calls the kernel. Exits with 77 on machines
 * whose code it does not know.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CODE_BYTES 20
#define PAGE_BYTES 4096

/* How often each function runs. */
#define CALLS 5

typedef void function(void);

enum record_id {
	CODE_LOAD = 0,
	CODE_MOVE = 1,
	CODE_CLOSE = 3,
};

struct header {
	uint32_t magic;
	uint32_t version;
	uint32_t total_bytes;
	uint32_t machine;
	uint32_t padding;
	uint32_t pid;
	uint64_t timestamp;
	uint64_t flags;
};

struct record {
	uint32_t id;
	uint32_t total_bytes;
	uint64_t timestamp;
};

struct load {
	struct record record;
	uint32_t pid;
	uint32_t tid;
	uint64_t vma;
	uint64_t address;
	uint64_t size;
	uint64_t index;
};

struct move {
	struct record record;
	uint32_t pid;
	uint32_t tid;
	uint64_t vma;
	uint64_t old_address;
	uint64_t new_address;
	uint64_t size;
	uint64_t index;
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void append(int dump, const void *bytes, size_t size)
{
	if (write(dump, bytes, size) != (ssize_t)size) {
		exit(1);
	}
}

static int open_dump(const char *directory)
{
	const struct header header = {
		.magic = 0x4a695444,
		.version = 1,
		.total_bytes = sizeof(header),
		.machine = EM_X86_64,
		.pid = (uint32_t)getpid(),
		.timestamp = now_ns(),
	};
	char path[PAGE_BYTES];
	int dump;

	snprintf(path, sizeof(path), "%s/jit-%d.dump", directory, getpid());
	dump = open(path, O_CREAT | O_TRUNC | O_RDWR, 0600);
	if (dump < 0) {
		exit(1);
	}
	append(dump, &header, sizeof(header));
	/* This is what perf sees of it. */
	if (mmap(NULL, PAGE_BYTES, PROT_READ | PROT_EXEC, MAP_PRIVATE, dump, 0) == MAP_FAILED) {
		exit(1);
	}
	return dump;
}

/* push %rbp; mov %rsp,%rbp; movabs $callee,%rax; call *%rax; pop %rbp; ret */
static function *write_code(uint8_t *memory, function *callee)
{
	static const uint8_t code[CODE_BYTES] = { 0x55, 0x48,        0x89, 0xe5, 0x48,
						  0xb8, [14] = 0xff, 0xd0, 0x5d, 0xc3 };
	uintptr_t address = (uintptr_t)callee;

	memcpy(memory, code, sizeof(code));
	memcpy(memory + 6, &address, sizeof(address));
	return (function *)(uintptr_t)memory;
}

static void tell_load(int dump, const char *name, uint64_t index, const uint8_t *memory)
{
	const struct load load = {
		.record = { .id = CODE_LOAD,
			    .total_bytes = (uint32_t)(sizeof(load) + strlen(name) + 1 + CODE_BYTES),
			    .timestamp = now_ns() },
		.pid = (uint32_t)getpid(),
		.tid = (uint32_t)getpid(),
		.vma = (uintptr_t)memory,
		.address = (uintptr_t)memory,
		.size = CODE_BYTES,
		.index = index,
	};

	append(dump, &load, sizeof(load));
	append(dump, name, strlen(name) + 1);
	append(dump, memory, CODE_BYTES);
}

static void tell_move(int dump, uint64_t index, const uint8_t *from, const uint8_t *to)
{
	const struct move move = {
		.record = { .id = CODE_MOVE, .total_bytes = sizeof(move), .timestamp = now_ns() },
		.pid = (uint32_t)getpid(),
		.tid = (uint32_t)getpid(),
		.vma = (uintptr_t)to,
		.old_address = (uintptr_t)from,
		.new_address = (uintptr_t)to,
		.size = CODE_BYTES,
		.index = index,
	};

	append(dump, &move, sizeof(move));
}

/* A system call, so that there is a stack to record. */
static void call_kernel(void)
{
	struct stat status;

	if (stat("/", &status) != 0) {
		exit(1);
	}
}

/* The kernel's times and ours are too close otherwise for a stack to lie between two records. */
static void run(function *outer)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	for (int i = 0; i < CALLS; i++) {
		outer();
	}
	nanosleep(&pause, NULL);
}

int main(int argc, char **argv)
{
	uint8_t *inner;
	uint8_t *moved;
	function *outer;
	int dump;

	if (argc != 2) {
		return 2;
	}
#ifndef __x86_64__
	return 77;
#endif
	inner = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (inner == MAP_FAILED) {
		return 1;
	}
	moved = inner + 1024;
	dump = open_dump(argv[1]);
	outer = write_code(inner + 2048, write_code(inner, call_kernel));
	tell_load(dump, "first_function", 1, inner);
	tell_load(dump, "outer_function", 2, inner + 2048);
	run(outer);
	write_code(inner, call_kernel);
	tell_load(dump, "second_function", 3, inner);
	run(outer);
	write_code(inner + 2048, write_code(moved, call_kernel));
	tell_move(dump, 3, inner, moved);
	run(outer);
	append(dump,
	       &(struct record){ .id = CODE_CLOSE,
				 .total_bytes = sizeof(struct record),
				 .timestamp = now_ns() },
	       sizeof(struct record));
	return 0;
}

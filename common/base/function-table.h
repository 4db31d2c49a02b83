/* SPDX-License-Identifier: MIT */
/*
 * Functions as small dense numbers.
 *
 * A function is a name in a module. Ids count from 0 in the order of first use, so they index
 * arrays; id 0 is ITP_FUNCTION_UNKNOWN and always there. Whoever sends functions elsewhere
 * sends those from the last size on. Symbol look-up is not done here (see common/symbol).
 */
#ifndef ITP_BASE_FUNCTION_TABLE_H
#define ITP_BASE_FUNCTION_TABLE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Kind of a function. The numbers are part of the message contract. */
enum itp_layer {
	ITP_LAYER_USER = 0,
	ITP_LAYER_KERNEL = 1,
	/* Frame `syscall:NAME` of a system call. */
	ITP_LAYER_SYSCALL = 2,
	/* Root of a process' contexts. */
	ITP_LAYER_PROCESS = 3,
};

#define ITP_LAYER_COUNT 4

#define ITP_FUNCTION_UNKNOWN 0
/* Name of ITP_FUNCTION_UNKNOWN (layer user). */
#define ITP_UNKNOWN_NAME "[unknown]"

/* Stand-in for the recorder: its contexts hold the time taken by recording (layer kernel). */
#define ITP_RECORDER_NAME "[recorder]"
/* Names of functions of introperf's own programs in the kernel begin so. */
#define ITP_RECORDER_CODE_PREFIX "introperf_recorder_"
/* Stand-in for a thread's unknown doings from a loss until the next sight of it (layer kernel). */
#define ITP_LOST_NAME "[lost]"
/* Stand-in for missing frames between a process and its stack's outermost frame (layer user). */
#define ITP_UNKNOWN_CALLERS_NAME "[unknown callers]"
/* Stand-in for code that a program has made for itself, all of it or missing frames in it (layer
 * user, of no file). */
#define ITP_MADE_CODE_NAME "[made code]"

/* Prefix in names of system calls: "syscall:read". */
#define ITP_SYSCALL_PREFIX "syscall:"
/* Prefix in names of kernel parts that end a wait: "kernel:timer". */
#define ITP_REASON_PREFIX "kernel:"
/* Name of time among the processes that end a wait: a timer. */
#define ITP_TIMER_NAME ITP_REASON_PREFIX "timer"
/* Name of a control group's CPU quota among the processes that had a CPU while a thread waited for
 * one. */
#define ITP_QUOTA_NAME ITP_REASON_PREFIX "cpu-quota"

/* Suffix in names of functions compiled into their callers: "take (inlined)". */
#define ITP_INLINED_SUFFIX " (inlined)"

/* Modules of code in memory and in no file; the second for code surely compiled there: its maker
 * has described it, or writes it through a second mapping. The third for functions that CPython
 * interprets, which the recorder has named in a file of its own. */
#define ITP_ANONYMOUS_MODULE "[anon]"
#define ITP_JIT_MODULE "[jit]"
#define ITP_PYTHON_MODULE "[python]"

struct itp_function {
	/* Owned by the table. Never NULL. */
	const char *name;
	/* File name of the module without its directory, `[kernel]`, or `[NAME]` for kernel
	 * modules, "" where there is none. Owned by the table. */
	const char *module;
	/* Hexadecimal, "" when not known. Owned by the table. */
	const char *build_id;
	enum itp_layer layer;
	/* Build of a recorded module, kept even where functions of all builds are merged. Not part
	 * of the key. Set and owned by the table. */
	const char *recorded_build_id;
	/* File with the module's code on this machine, "" or NULL without any. Not part of the key.
	 * Owned by the table. */
	const char *file;
	/* Handler's frame: stands on code interrupted anywhere by a signal, an interrupt or an
	 * exception, not on a caller's call. */
	bool is_signal_frame;
	/* Code of Go's compiler, known where its file is read. Not part of the key: the first word
	 * counts. */
	bool is_go;
	/* Switches to another stack without its caller, and calls a function there:
	 * runtime.systemstack of Go, called by Go code alone. Set by the table, by the name. */
	bool leaves_stack;
	/* First function of a stack, always: _start of a program, or runtime.mcall of Go, which
	 * goes on on another stack and never comes back. Set by the table, by the name. */
	bool begins_stack;
	/* Module in a directory of the system's libraries. Not part of the key: the first word
	 * counts. */
	bool is_system;
	/* Compiled into its callers: set by the table, by the name, or where only such are left
	 * (itp_function_table_set_inlined()). Not part of the key. */
	bool is_inlined;
	/* `name` was made up from the place of the function, or of just the address. Not part of
	 * the key: the first word counts. */
	bool is_unnamed;
	/* Names of the functions that it stands for, of which it is one, each in a line:
	 * "sort\nmerge"; of others "" or NULL. Not part of what a function is: the first one
	 * counts. Owned by the table. */
	const char *choices;
};

struct itp_function_table;

struct itp_function_table *itp_function_table_new(void);
void itp_function_table_free(struct itp_function_table *table);

/* Id of the function equal to `function` in the first four members, made when new. Strings are
 * copied. */
uint32_t itp_function_table_intern(struct itp_function_table *table,
				   const struct itp_function *function);

/* Sets the build of a function merged from all builds; the first build set stays. */
void itp_function_table_tell_build(struct itp_function_table *table, uint32_t id,
				   const char *build_id);

/* Sets whether a function was seen in its callers' code alone. */
void itp_function_table_set_inlined(struct itp_function_table *table, uint32_t id, bool is_inlined);

/* Id of a function without code: one of the three stand-ins, or the root of a process. */
uint32_t itp_function_table_intern_stand_in(struct itp_function_table *table, const char *name,
					    enum itp_layer layer);

/* Id of the function for the system call `call`: "read". */
uint32_t itp_function_table_intern_syscall(struct itp_function_table *table, const char *call);

/* Function of an `id` below the size. The result stays where it is until the table is freed. */
const struct itp_function *itp_function_table_get(const struct itp_function_table *table,
						  uint32_t id);

uint32_t itp_function_table_size(const struct itp_function_table *table);

/* Below, at or above 0, as strcmp(): by name, module, layer and build. */
int itp_function_compare(const struct itp_function_table *table, uint32_t a, uint32_t b);

/* Name of the system call behind a function: "read"; NULL for any other function. */
const char *itp_function_syscall(const struct itp_function *function);

/* True when a function's code is in no file ([anon], [jit]). */
bool itp_function_is_in_no_file(const struct itp_function *function);

/* Name as people read it: with ITP_INLINED_SUFFIX behind an inlined function's. Owned by the
 * caller. */
char *itp_function_shown_name(const struct itp_function *function);

/* Whether `function` is one of those that `choice` stands for. */
bool itp_function_may_be(const struct itp_function *choice, const struct itp_function *function);

/* Whether it is the dynamic loader's, as of ld-linux-x86-64.so.2. */
bool itp_function_is_of_loader(const struct itp_function *function);

/* Whether it is code in no file without a name, as a compiler makes it at run time: an address,
 * which is another one as soon as that compiles the function again. */
bool itp_function_is_nameless_code(const struct itp_function *function);

/* True when a user's word `typed` means the function shown as `shown`: its whole name, its name
 * without types of parameters, or, in C++, Rust and Go, its name also without types of templates
 * and results, and without namespaces or the path of a package. */
bool itp_name_is_meant(const char *shown, const char *typed);

#endif

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

/* What kind of thing a function is. The numbers are part of the message contract. */
enum itp_layer {
	ITP_LAYER_USER = 0,
	ITP_LAYER_KERNEL = 1,
	/* The frame `syscall:NAME` that stands for a system call. */
	ITP_LAYER_SYSCALL = 2,
	/* The root under which the contexts of a process hang. */
	ITP_LAYER_PROCESS = 3,
};

#define ITP_LAYER_COUNT 4

#define ITP_FUNCTION_UNKNOWN 0
/* The name of ITP_FUNCTION_UNKNOWN, whose layer is user. */
#define ITP_UNKNOWN_NAME "[unknown]"

/* The function that stands for the recorder, in whose contexts is the time that recording took
 * (layer kernel). */
#define ITP_RECORDER_NAME "[recorder]"
/* The function that stands for what a thread did from a loss until it was seen again (layer
 * kernel). */
#define ITP_LOST_NAME "[lost]"
/* The function that stands for what a stack does not show between its process and its outermost
 * frame (layer user). */
#define ITP_UNKNOWN_CALLERS_NAME "[unknown callers]"

/* What the names of functions begin with that stand for a system call. */
#define ITP_SYSCALL_PREFIX "syscall:"
/* And those of processes that stand for what in the kernel ends a wait, as "kernel:timer". */
#define ITP_REASON_PREFIX "kernel:"
/* Name of a control group's CPU quota among the processes that had a CPU while a thread waited for
 * one. */
#define ITP_QUOTA_NAME ITP_REASON_PREFIX "cpu-quota"

/* The module of code in memory that is no file's; and of what surely was compiled there: its maker
 * has told what it is, or writes it through a second mapping. */
#define ITP_ANONYMOUS_MODULE "[anon]"
#define ITP_JIT_MODULE "[jit]"

struct itp_function {
	/* Owned by the table. Never NULL. */
	const char *name;
	/* File name of the module without its directory, `[kernel]` or `[NAME]` for kernel
	 * modules, "" where there is none. Owned by the table. */
	const char *module;
	/* Hexadecimal, "" when not known. Owned by the table. */
	const char *build_id;
	enum itp_layer layer;
	/* The build of one that was recorded, also where functions of all builds are one. Not part
	 * of what a function is. Set by the table, and owned by it. */
	const char *recorded_build_id;
	/* Where the module's code can be read on this machine, "" or NULL where it cannot. Not part
	 * of what a function is, as below. Owned by the table. */
	const char *file;
	/* Its frames stand on one that a signal, or in the kernel an interrupt or an exception,
	 * interrupted anywhere, not on a caller's. */
	bool is_signal_frame;
	/* Go's compiler has made it, which is known where its file is read. Not part of what a
	 * function is: the first one counts. */
	bool is_go;
	/* It goes to another stack, on which its caller is not, and calls something there: as
	 * runtime.systemstack of Go, which Go code alone calls. Set by the table, by the name. */
	bool leaves_stack;
	/* The module lies where the libraries of a system do. Not part of what a function is: the
	 * first one counts. */
	bool is_system;
	/* `name` was made up from the place where the function, or just the address, lies. Not part
	 * of what a function is: the first one counts. */
	bool is_unnamed;
	/* Names of the functions that it stands for, of which it is one, each in a line:
	 * "sort\nmerge"; of others "" or NULL. Not part of what a function is: the first one
	 * counts. Owned by the table. */
	const char *choices;
};

struct itp_function_table;

struct itp_function_table *itp_function_table_new(void);
void itp_function_table_free(struct itp_function_table *table);

/* Id of the function that equals `function` in the first four members, made when it is new. The
 * strings are copied. */
uint32_t itp_function_table_intern(struct itp_function_table *table,
				   const struct itp_function *function);

/* Tells the build of a function that stands for those of all builds; the first that is told stays.
 */
void itp_function_table_tell_build(struct itp_function_table *table, uint32_t id,
				   const char *build_id);

/* Id of one of the three, which have no code, or of the root of a process. */
uint32_t itp_function_table_intern_stand_in(struct itp_function_table *table, const char *name,
					    enum itp_layer layer);

/* Id of the function that stands for the system call `call`. */
uint32_t itp_function_table_intern_syscall(struct itp_function_table *table, const char *call);

/* `id` must be below the size. The result stays where it is until the table is freed. */
const struct itp_function *itp_function_table_get(const struct itp_function_table *table,
						  uint32_t id);

uint32_t itp_function_table_size(const struct itp_function_table *table);

/* Below, at or above 0, as strcmp(): by name, module, layer and build. */
int itp_function_compare(const struct itp_function_table *table, uint32_t a, uint32_t b);

/* The name of the system call that the function stands for; NULL where it stands for none. */
const char *itp_function_syscall(const struct itp_function *function);

/* Whether it stands for a system call that waits for nothing but time. */
bool itp_function_is_sleep(const struct itp_function *function);

/* Whether it stands for a system call that waits for a process of the caller's making to end. */
bool itp_function_awaits_child(const struct itp_function *function);
/* Whether it is a system call that waits for any event and has no other use, as epoll_wait(). */
bool itp_function_awaits_any_event(const struct itp_function *function);

/* Whether its module is one of the two that stand for code in no file. */
bool itp_function_is_in_no_file(const struct itp_function *function);

/* Whether `function` is one of those that `choice` stands for. */
bool itp_function_may_be(const struct itp_function *choice, const struct itp_function *function);

/* Whether it is the dynamic loader's, as of ld-linux-x86-64.so.2. */
bool itp_function_is_of_loader(const struct itp_function *function);

/* Whether it is code in no file without a name, as a compiler makes it at run time: an address,
 * which is another one as soon as that compiles the function again. */
bool itp_function_is_nameless_code(const struct itp_function *function);

/* Whether a user who types `typed` means the function that is shown as `shown`: by its name, by
 * that without the types of its parameters, or of C++, Rust and Go by what is left without those of
 * templates and results, and without namespaces or the path of a package. */
bool itp_name_is_meant(const char *shown, const char *typed);

#endif

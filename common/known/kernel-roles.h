/* SPDX-License-Identifier: MIT */
/*
 * Roles of kernel functions on the way between user mode and a system call, of interrupts, and of
 * whoever records: by their names, x86-64 and arm64, kernels 4.x to 6.x.
 *
 * Stacks are rewritten by common/infer/boundary.h.
 */
#ifndef ITP_KNOWN_KERNEL_ROLES_H
#define ITP_KNOWN_KERNEL_ROLES_H

#include <stdbool.h>

enum itp_kernel_role {
	/* Nobody has asked yet. */
	ITP_KERNEL_ROLE_NOT_KNOWN_YET = 0,
	ITP_KERNEL_ROLE_ORDINARY,
	/* On the way between user mode and a system call: says nothing about the program. */
	ITP_KERNEL_ROLE_DROPPED,
	/* Dropped as well: on the way into the system call, and on the way out. */
	ITP_KERNEL_ROLE_ENTERING,
	ITP_KERNEL_ROLE_LEAVING,
	/* Tracer at work: with its callees, it is on the stack only because of the recording. */
	ITP_KERNEL_ROLE_TRACER,
	/* Tracer as it follows tasks, and may have to wait for that. */
	ITP_KERNEL_ROLE_UPKEEP,
	/* Entry of an interrupt: with its callees, not part of the thread. */
	ITP_KERNEL_ROLE_INTERRUPT,
	/* Entry of a software interrupt: as above, but the thread may have caused it. */
	ITP_KERNEL_ROLE_SOFTIRQ,
	/* Entry of a probe: the function below has not begun for those who count its calls. */
	ITP_KERNEL_ROLE_PROBE,
	/* Entry of an exception, such as a page fault, caused by the thread itself. */
	ITP_KERNEL_ROLE_EXCEPTION,
	/* Kernel's function for a system call, which tells the call by its name. */
	ITP_KERNEL_ROLE_SYSCALL_HANDLER,
};

/* Role of a kernel's function, ITP_KERNEL_ROLE_ORDINARY for most. *ret_rest is the end of the name
 * that the pattern leaves open: of ITP_KERNEL_ROLE_SYSCALL_HANDLER the system call, "read" for
 * "__x64_sys_read". */
enum itp_kernel_role itp_kernel_role_of(const char *name, const char **ret_rest);

/* True for the mapping in which the kernel carries out instructions replaced by a probe. */
bool itp_kernel_role_is_probed_code(const char *module);

/* True for a function by which the kernel is entered from itself, at any place: of interrupts and
 * exceptions. Asked for symbols (common/symbol/kernel.h). */
bool itp_kernel_role_is_entry(const char *name);

/* True for a function between a tracepoint and the recorder's program in the kernel, and for the
 * entry of an interrupt. Asked by that recorder (plugins/perf/record/kernel-text.h). */
bool itp_kernel_role_is_tracing(const char *name);
bool itp_kernel_role_is_interrupt(const char *name);

#endif

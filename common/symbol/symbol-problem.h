/* SPDX-License-Identifier: MIT */
/*
 * Why functions of a module or of the kernel have no names, as plain records.
 *
 * The core collects them, one for each module; the host says them to a person.
 */
#ifndef ITP_SYMBOL_SYMBOL_PROBLEM_H
#define ITP_SYMBOL_SYMBOL_PROBLEM_H

enum itp_symbol_problem {
	ITP_SYMBOLS_FINE = 0,
	/* There is no file at the module's path, nor one with its build id elsewhere. */
	ITP_SYMBOLS_MISSING,
	/* The file at the path was built anew after it was recorded. */
	ITP_SYMBOLS_OTHER_BUILD,
	/* The file is no ELF file, is damaged, or may not be read. */
	ITP_SYMBOLS_UNUSABLE,
	/* The file, or that of its names, has become shorter while it was read. */
	ITP_SYMBOLS_CHANGED,
	/* The file in which a process says what code it makes is not there, is another user's, or
	 * is none. */
	ITP_SYMBOLS_NO_JIT_DUMP,
	/* kallsyms shows zeros in place of addresses. */
	ITP_SYMBOLS_KERNEL_HIDDEN,
	/* No kallsyms of the recorded kernel is at hand. */
	ITP_SYMBOLS_KERNEL_MISSING,
	/* The copy of the kernel's memory was made under another boot. */
	ITP_SYMBOLS_KERNEL_OTHER_BOOT,
};

struct itp_symbol_warning {
	enum itp_symbol_problem problem;
	/* The file that was looked for, the module's as recorded or kallsyms. Weak. */
	const char *path;
	/* The recorded build id and that of the file; "" when not known. Weak. */
	const char *build_id;
	const char *found_build_id;
};

/* The record and what it points to are valid during the call. */
typedef void (*itp_symbol_warning_function)(const struct itp_symbol_warning *warning, void *data);

#endif

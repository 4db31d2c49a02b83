/* SPDX-License-Identifier: MIT */
/*
 * Function ids of system calls, made on first use and kept in an array by number.
 */
#include "common/symbol/syscall-names.h"

#include "common/base/memory.h"

#include <limits.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stdlib.h>

/* Real numbers are below; others are looked up each time. */
#define KEPT_NUMBERS 1024

struct itp_syscall_names {
	uint32_t arch;
	/* Weak. */
	struct itp_function_table *table;
	/* ITP_FUNCTION_UNKNOWN where not asked for yet. */
	uint32_t functions[KEPT_NUMBERS];
};

struct arch_name {
	const char *machine;
	uint32_t arch;
};

static const struct arch_name arch_names[] = {
	{ "x86_64", SCMP_ARCH_X86_64 },   { "aarch64", SCMP_ARCH_AARCH64 },
	{ "i386", SCMP_ARCH_X86 },        { "i486", SCMP_ARCH_X86 },
	{ "i586", SCMP_ARCH_X86 },        { "i686", SCMP_ARCH_X86 },
	{ "armv6l", SCMP_ARCH_ARM },      { "armv7l", SCMP_ARCH_ARM },
	{ "armv8l", SCMP_ARCH_ARM },      { "ppc64le", SCMP_ARCH_PPC64LE },
	{ "riscv64", SCMP_ARCH_RISCV64 },
};

static uint32_t arch_of(const char *machine)
{
	for (size_t i = 0; machine && i < G_N_ELEMENTS(arch_names); i++) {
		if (g_str_equal(arch_names[i].machine, machine)) {
			return arch_names[i].arch;
		}
	}
	return SCMP_ARCH_X86_64;
}

struct itp_syscall_names *itp_syscall_names_new(const char *arch,
						struct itp_function_table *functions)
{
	struct itp_syscall_names *names = g_new0(struct itp_syscall_names, 1);

	names->arch = arch_of(arch);
	names->table = functions;
	return names;
}

void itp_syscall_names_free(struct itp_syscall_names *names)
{
	g_free(names);
}

static uint32_t intern(struct itp_syscall_names *names, int64_t number)
{
	/* Negative numbers are libseccomp's own pseudo calls. */
	bool is_number = number >= 0 && number <= INT_MAX;
	g_autofree char *name = NULL;
	char *call;

	itp_memory_begin();
	call = is_number ? seccomp_syscall_resolve_num_arch(names->arch, (int)number) : NULL;
	itp_memory_end();
	name = call ? g_strdup(call) : g_strdup_printf("%" G_GINT64_FORMAT, number);
	free(call);
	return itp_function_table_intern_syscall(names->table, name);
}

uint32_t itp_syscall_names_function(struct itp_syscall_names *names, int64_t number)
{
	bool is_kept = number >= 0 && number < KEPT_NUMBERS;

	if (!is_kept) {
		return intern(names, number);
	}
	if (names->functions[number] == ITP_FUNCTION_UNKNOWN) {
		names->functions[number] = intern(names, number);
	}
	return names->functions[number];
}

int64_t itp_syscall_names_number(const struct itp_syscall_names *names, const char *name)
{
	int number = seccomp_syscall_resolve_name_arch(names->arch, name);

	return number >= 0 ? number : -1;
}

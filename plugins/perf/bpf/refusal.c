/* SPDX-License-Identifier: MIT */
/*
 * See refusal.h.
 */
#include "plugins/perf/bpf/refusal.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "common/base/failure.h"

#define BTF_FILE "/sys/kernel/btf/vmlinux"
#define LOCKDOWN_FILE "/sys/kernel/security/lockdown"

static int say_nothing(enum libbpf_print_level level, const char *format, va_list arguments)
{
	(void)level;
	(void)format;
	(void)arguments;
	return 0;
}

void itp_bpf_be_silent(void)
{
	libbpf_set_print(say_nothing);
}

bool itp_bpf_refuse(GError **error, const char *what, int code)
{
	if (code == EPERM || code == EACCES) {
		itp_failure_set(error,
				"%s: the kernel does not allow it: run as root, or with the "
				"capabilities CAP_BPF and CAP_PERFMON",
				what);
	} else {
		itp_failure_set(error, "%s: %s", what, g_strerror(code));
	}
	return false;
}

bool itp_bpf_refuse_load(GError **error, const char *who, const char *what, int code)
{
	g_autofree char *lockdown = NULL;

	if (access(BTF_FILE, R_OK) != 0) {
		itp_failure_set(error,
				"the kernel does not say how its structures look (" BTF_FILE
				"), without which %s cannot be: it needs CONFIG_DEBUG_INFO_BTF",
				who);
		return false;
	}
	if (g_file_get_contents(LOCKDOWN_FILE, &lockdown, NULL, NULL) &&
	    strstr(lockdown, "[confidentiality]")) {
		itp_failure_set(error,
				"the kernel is locked down (" LOCKDOWN_FILE
				": confidentiality), so that %s cannot be",
				who);
		return false;
	}
	if (code == ENOSYS) {
		itp_failure_set(error, "the kernel has no BPF, without which %s cannot be", who);
		return false;
	}
	return itp_bpf_refuse(error, what, code);
}

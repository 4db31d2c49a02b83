/* SPDX-License-Identifier: MIT */
/*
 * See kernel-roles.h.
 */
#include "common/known/kernel-roles.h"

#include <glib.h>
#include <string.h>

#include "common/base/function-table.h"

struct pattern {
	/* Whole name, or its beginning when it ends with '*'. */
	const char *name;
	enum itp_kernel_role role;
};

/* Mapping in which the kernel carries out instructions replaced by a probe. */
#define PROBED_CODE "[uprobes]"

/* x86-64 and arm64, kernels 4.x to 6.x. The first match counts. */
static const struct pattern patterns[] = {
	{ "entry_SYSCALL_*", ITP_KERNEL_ROLE_DROPPED },
	{ "entry_SYSENTER_*", ITP_KERNEL_ROLE_DROPPED },
	{ "entry_INT80_*", ITP_KERNEL_ROLE_DROPPED },
	{ "do_syscall_*", ITP_KERNEL_ROLE_DROPPED },
	{ "do_fast_syscall_32", ITP_KERNEL_ROLE_DROPPED },
	{ "__do_fast_syscall_32", ITP_KERNEL_ROLE_DROPPED },
	{ "do_int80_*", ITP_KERNEL_ROLE_DROPPED },
	{ "x64_sys_call", ITP_KERNEL_ROLE_DROPPED },
	{ "ia32_sys_call", ITP_KERNEL_ROLE_DROPPED },
	{ "x32_sys_call", ITP_KERNEL_ROLE_DROPPED },
	{ "el0t_64_sync*", ITP_KERNEL_ROLE_DROPPED },
	{ "el0_svc*", ITP_KERNEL_ROLE_DROPPED },
	{ "do_el0_svc*", ITP_KERNEL_ROLE_DROPPED },
	{ "invoke_syscall*", ITP_KERNEL_ROLE_DROPPED },
	{ "syscall_trace_enter*", ITP_KERNEL_ROLE_ENTERING },
	{ "syscall_trace_*", ITP_KERNEL_ROLE_DROPPED },
	{ "syscall_enter_from_user_*", ITP_KERNEL_ROLE_ENTERING },
	{ "syscall_entry_event_probe", ITP_KERNEL_ROLE_TRACER },
	{ "syscall_exit_event_probe", ITP_KERNEL_ROLE_TRACER },
	{ "syscall_exit_*", ITP_KERNEL_ROLE_LEAVING },
	{ "syscall_slow_exit_work", ITP_KERNEL_ROLE_LEAVING },
	{ "exit_to_user_mode_*", ITP_KERNEL_ROLE_LEAVING },
	{ "trace_hardirqs_*", ITP_KERNEL_ROLE_DROPPED },
	/* Thunks by which functions return. */
	{ "__x86_return_thunk", ITP_KERNEL_ROLE_DROPPED },
	{ "its_return_thunk", ITP_KERNEL_ROLE_DROPPED },
	{ "srso_return_thunk", ITP_KERNEL_ROLE_DROPPED },
	{ "srso_alias_return_thunk", ITP_KERNEL_ROLE_DROPPED },
	{ "retbleed_return_thunk", ITP_KERNEL_ROLE_DROPPED },
	{ "call_depth_return_thunk", ITP_KERNEL_ROLE_DROPPED },
	{ "__traceiter_*", ITP_KERNEL_ROLE_TRACER },
	{ "trace_event_raw_event_*", ITP_KERNEL_ROLE_TRACER },
	{ "perf_trace_*", ITP_KERNEL_ROLE_TRACER },
	{ "perf_syscall_*", ITP_KERNEL_ROLE_TRACER },
	{ "perf_tp_event*", ITP_KERNEL_ROLE_TRACER },
	{ "perf_swevent_*", ITP_KERNEL_ROLE_TRACER },
	{ "perf_event_task_*", ITP_KERNEL_ROLE_TRACER },
	{ "__perf_event_task_*", ITP_KERNEL_ROLE_TRACER },
	{ "perf_event_init_task", ITP_KERNEL_ROLE_UPKEEP },
	{ "perf_event_exit_task", ITP_KERNEL_ROLE_UPKEEP },
	{ "perf_event_free_task", ITP_KERNEL_ROLE_UPKEEP },
	{ "perf_event_exec", ITP_KERNEL_ROLE_UPKEEP },
	{ "perf_event_fork", ITP_KERNEL_ROLE_UPKEEP },
	{ "perf_event_comm*", ITP_KERNEL_ROLE_UPKEEP },
	{ "perf_event_mmap*", ITP_KERNEL_ROLE_UPKEEP },
	{ "perf_event_namespaces*", ITP_KERNEL_ROLE_UPKEEP },
	{ "uprobe_*", ITP_KERNEL_ROLE_UPKEEP },
	{ ITP_RECORDER_CODE_PREFIX "*", ITP_KERNEL_ROLE_TRACER },
	{ "__bpf_trace_*", ITP_KERNEL_ROLE_TRACER },
	{ "bpf_trace_run*", ITP_KERNEL_ROLE_TRACER },
	{ "lttng_*", ITP_KERNEL_ROLE_TRACER },
	{ "__event_probe__*", ITP_KERNEL_ROLE_TRACER },
	{ "asm_sysvec_*", ITP_KERNEL_ROLE_INTERRUPT },
	{ "sysvec_*", ITP_KERNEL_ROLE_INTERRUPT },
	{ "asm_common_interrupt", ITP_KERNEL_ROLE_INTERRUPT },
	{ "common_interrupt*", ITP_KERNEL_ROLE_INTERRUPT },
	{ "asm_exc_nmi", ITP_KERNEL_ROLE_INTERRUPT },
	{ "asm_exc_int3", ITP_KERNEL_ROLE_PROBE },
	/* Behind a probe. */
	{ "asm_exc_debug", ITP_KERNEL_ROLE_INTERRUPT },
	{ "el0_dbg*", ITP_KERNEL_ROLE_PROBE },
	{ "el0_brk64*", ITP_KERNEL_ROLE_PROBE },
	{ "asm_exc_*", ITP_KERNEL_ROLE_EXCEPTION },
	{ "apic_timer_interrupt", ITP_KERNEL_ROLE_INTERRUPT },
	{ "ret_from_intr", ITP_KERNEL_ROLE_INTERRUPT },
	{ "handle_softirqs*", ITP_KERNEL_ROLE_SOFTIRQ },
	{ "__do_softirq", ITP_KERNEL_ROLE_SOFTIRQ },
	{ "__softirqentry_text_start", ITP_KERNEL_ROLE_SOFTIRQ },
	{ "do_softirq*", ITP_KERNEL_ROLE_SOFTIRQ },
	{ "irq_exit*", ITP_KERNEL_ROLE_INTERRUPT },
	{ "__irq_exit_rcu", ITP_KERNEL_ROLE_INTERRUPT },
	{ "el1h_64_irq*", ITP_KERNEL_ROLE_INTERRUPT },
	{ "el1h_64_fiq*", ITP_KERNEL_ROLE_INTERRUPT },
	{ "el0t_64_irq*", ITP_KERNEL_ROLE_INTERRUPT },
	{ "el0t_64_fiq*", ITP_KERNEL_ROLE_INTERRUPT },
	{ "el0t_32_irq*", ITP_KERNEL_ROLE_INTERRUPT },
	{ "call_on_irq_stack", ITP_KERNEL_ROLE_SOFTIRQ },
	{ "__x64_sys_*", ITP_KERNEL_ROLE_SYSCALL_HANDLER },
	{ "__ia32_sys_*", ITP_KERNEL_ROLE_SYSCALL_HANDLER },
	{ "__arm64_sys_*", ITP_KERNEL_ROLE_SYSCALL_HANDLER },
	{ "__do_sys_*", ITP_KERNEL_ROLE_SYSCALL_HANDLER },
	{ "__se_sys_*", ITP_KERNEL_ROLE_SYSCALL_HANDLER },
};

/* Begins of names of functions by which the kernel is entered from itself. */
static const char *const entries[] = {
	"asm_sysvec_",   "asm_exc_", "asm_common_interrupt", "el1h_64_", "apic_timer_interrupt",
	"ret_from_intr", NULL
};

/* Begins of names of functions; a number may follow: bpf_trace_run4. */
static const char *const tracing[] = { "bpf_trace_run", "__bpf_trace_sched_",
				       "__traceiter_sched_switch", "__traceiter_sched_waking",
				       NULL };

/* Length of the fixed part of `pattern`, 0 when it does not match `name`. */
static size_t matched_length(const char *pattern, const char *name)
{
	size_t length = strlen(pattern);

	if (pattern[length - 1] == '*') {
		return strncmp(pattern, name, length - 1) == 0 ? length - 1 : 0;
	}
	return g_str_equal(pattern, name) ? length : 0;
}

enum itp_kernel_role itp_kernel_role_of(const char *name, const char **ret_rest)
{
	for (size_t i = 0; i < G_N_ELEMENTS(patterns); i++) {
		size_t fixed = matched_length(patterns[i].name, name);

		if (fixed > 0) {
			*ret_rest = name + fixed;
			return patterns[i].role;
		}
	}
	*ret_rest = "";
	return ITP_KERNEL_ROLE_ORDINARY;
}

bool itp_kernel_role_is_probed_code(const char *module)
{
	return g_str_equal(module, PROBED_CODE);
}

static bool has_prefix(const char *name, const char *const *prefixes)
{
	for (size_t i = 0; prefixes[i]; i++) {
		if (g_str_has_prefix(name, prefixes[i])) {
			return true;
		}
	}
	return false;
}

bool itp_kernel_role_is_entry(const char *name)
{
	return has_prefix(name, entries);
}

bool itp_kernel_role_is_tracing(const char *name)
{
	return has_prefix(name, tracing);
}

bool itp_kernel_role_is_interrupt(const char *name)
{
	return strcmp(name, "asm_common_interrupt") == 0 ||
	       strcmp(name, "asm_spurious_interrupt") == 0 || g_str_has_prefix(name, "asm_sysvec_");
}

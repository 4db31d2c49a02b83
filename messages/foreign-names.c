/* SPDX-License-Identifier: MIT */
/* See foreign-names.h. */
#include "messages/foreign-names.h"

#include "common/engine/symbol-warnings.h"
#include "terminal/terminal.h"

/* Function of a thread's process at `address`; NULL without a mapping, or with unknown contents. */
static const struct itp_function *find_user(struct itp_foreign_memory *memory,
					    const struct itp_function_table *functions, int32_t tid,
					    uint64_t address)
{
	const struct itp_task *task = tid > 0 ? itp_tasks_find(memory->tasks, tid) : NULL;
	const struct itp_function *function;
	uint64_t slide;
	uint32_t id;

	if (!task) {
		return NULL;
	}
	itp_foreign_memory_prepare(memory, task->process);
	id = itp_symbolizer_user(memory->symbolizer, task->process->space, address, &slide);
	if (id == ITP_FUNCTION_UNMAPPED || id == ITP_FUNCTION_UNKNOWN) {
		return NULL;
	}
	function = itp_function_table_get(functions, id);
	return function->module[0] == '\0' ? NULL : function;
}

const struct itp_function *itp_foreign_names_find(struct itp_foreign_memory *memory,
						  const struct itp_function_table *functions,
						  int32_t tid, uint64_t address, bool is_return)
{
	const struct itp_function *function;
	uint64_t inside = address - is_return;
	uint64_t slide;

	/* The kernel has the upper half of all addresses. */
	if (address > INT64_MAX) {
		return itp_function_table_get(
			functions,
			itp_symbolizer_kernel_function(memory->symbolizer, inside, &slide));
	}
	function = find_user(memory, functions, tid, inside);
	memory->unnamed_addresses += !function;
	return function;
}

struct warning_place {
	const char *component;
	const char *trace_name;
};

static void print_warning(const struct itp_symbol_warning *warning, void *data)
{
	const struct warning_place *place = data;
	g_autofree char *text = itp_symbol_warning_text(warning);

	itp_terminal_say("%s: %s: warning: %s", place->component, place->trace_name, text);
}

void itp_foreign_names_warn(const struct itp_foreign_memory *memory, const char *component,
			    const char *trace_name)
{
	struct warning_place place = { .component = component, .trace_name = trace_name };

	itp_symbolizer_warnings(memory->symbolizer, print_warning, &place);
	if (memory->unmapped_processes + memory->unmapped_functions > 0) {
		itp_terminal_say(
			"%s: %s: warning: the trace does not say what was mapped where (whole "
			"processes: %" G_GUINT64_FORMAT ", single functions: %" G_GUINT64_FORMAT
			"); this is shown by address (parameter \"maps\" names saved "
			"/proc/PID/maps files)",
			component, trace_name, memory->unmapped_processes,
			memory->unmapped_functions);
	}
	if (memory->unnamed_addresses > 0) {
		itp_terminal_say("%s: %s: warning: nothing is known to lie at %" G_GUINT64_FORMAT
				 " of the addresses",
				 component, trace_name, memory->unnamed_addresses);
	}
}

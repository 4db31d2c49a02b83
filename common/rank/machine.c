/* SPDX-License-Identifier: MIT */
/*
 * See machine.h.
 */
#include "common/rank/machine.h"

#include <glib.h>
#include <string.h>

/* Memory that is no file's. */
#define ANONYMOUS "[anon]"

static const struct itp_machine machines[] = {
	{ .name = "Java",
	  .files = { "libjvm.so" },
	  .for_frames = "java -XX:+PreserveFramePointer",
	  .for_names = "java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit" },
	{ .name = "Node.js",
	  .files = { "node", "nodejs", "libnode.so*" },
	  .interpreter = "Builtins_InterpreterEntryTrampoline",
	  .for_names = "node --perf-basic-prof" },
	{ .name = "Python",
	  .files = { "python3*", "libpython3*" },
	  .interpreter = "_PyEval_EvalFrameDefault",
	  .for_names = "python3 -X perf (from 3.12 on)" },
	{ .name = ".NET",
	  .files = { "libcoreclr.so" },
	  .for_names = "DOTNET_PerfMapEnabled=1 in the environment" },
	{ .name = "Erlang", .files = { "beam.smp" }, .for_names = "erl +JPperf true" },
};

static const struct itp_machine *machine_of(const char *module)
{
	for (size_t i = 0; i < G_N_ELEMENTS(machines); i++) {
		const char *const *files = machines[i].files;

		for (size_t j = 0; j < G_N_ELEMENTS(machines[i].files) && files[j]; j++) {
			if (g_pattern_match_simple(files[j], module)) {
				return &machines[i];
			}
		}
	}
	return NULL;
}

void itp_machine_code_add(struct itp_machine_code *code, const struct itp_function *function,
			  uint64_t count)
{
	if (function->layer != ITP_LAYER_USER || count == 0) {
		return;
	}
	if (strcmp(function->module, ANONYMOUS) == 0) {
		*(function->is_unnamed ? &code->unnamed : &code->named) += count;
		return;
	}
	if (!code->machine) {
		code->machine = machine_of(function->module);
	}
	if (code->machine && g_strcmp0(function->name, code->machine->interpreter) == 0) {
		code->interpreted += count;
	}
}

bool itp_machine_code_is_mute(const struct itp_machine_code *code)
{
	return code->machine && code->unnamed + code->interpreted > 0 &&
	       (code->named == 0 || code->unnamed > code->named);
}

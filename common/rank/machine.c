/* SPDX-License-Identifier: MIT */
/*
 * See machine.h.
 */
#include "common/rank/machine.h"

#include "common/base/patterns.h"

#include <string.h>

/* Shell patterns of functions that machines make for themselves, or of what comes with a language.
 */
static const char *const parts[] = {
	/* V8 and Node.js. */
	"Builtin:*",
	"BytecodeHandler:*",
	"Stub:*",
	"Handler:*",
	"RegExp:*",
	"* node:*",
	/* HotSpot. */
	"Interpreter",
	"StubRoutines*",
	"* stub",
	"*_stub",
	"* adapters",
	"*Blob",
	"native signature handlers",
	"resolve_*call",
	"_*_Java",
	/* CPython. */
	"py::*:<frozen *",
	"py::*/lib/python3*",
	/* Mono: what comes with it in C#, as TYPE:METHOD (TYPES), and the ways into its own. */
	"System.*:* (*",
	"Mono.*:* (*",
	"(wrapper *",
	NULL,
};

/* Shell patterns of the modules of BEAM, and of Erlang's libraries that work for a program. */
static const char *const erlang_modules[] = {
	"global",   "erts_*", "erlang",   "init", "erl_*",   "prim_*", "lists", "maps",
	"string",   "binary", "unicode*", "io",   "io_lib*", "file*",  "gen",   "gen_*",
	"proc_lib", "dict",   "orddict",  "ets",  "re",      NULL,
};

static const char *const java_packages[] = { "java.", "javax.", "jdk.", "sun.", "com.sun.", NULL };

static const struct itp_machine machines[] = {
	{ .name = "Java",
	  .files = { "libjvm.so", "libjli.so", "libjava.so", "libnio.so", "java" },
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
	{ .name = "Mono",
	  .files = { "mono", "mono-sgen*", "libmono*.so*", "mscorlib.dll.so", "System*.dll.so" },
	  .for_names = "mono --jitmap" },
	{ .name = "Erlang", .files = { "beam.smp" }, .for_names = "erl +JPperf true" },
};

G_STATIC_ASSERT(G_N_ELEMENTS(machines) == ITP_MACHINE_COUNT);

/* ITP_MACHINE_COUNT for none. */
static size_t machine_of(const char *module)
{
	for (size_t i = 0; i < ITP_MACHINE_COUNT; i++) {
		if (itp_patterns_match(machines[i].files, module)) {
			return i;
		}
	}
	return ITP_MACHINE_COUNT;
}

bool itp_machine_is_file(const char *module)
{
	return machine_of(module) < ITP_MACHINE_COUNT;
}

/* Java's "TYPE PACKAGE.CLASS.METHOD(TYPES)". */
static bool is_of_java(const char *name)
{
	const char *end = strchr(name, '(');
	const char *begin = end;

	while (begin && begin > name && begin[-1] != ' ') {
		begin--;
	}
	for (size_t i = 0; begin && java_packages[i]; i++) {
		if (g_str_has_prefix(begin, java_packages[i])) {
			return true;
		}
	}
	return false;
}

/* Erlang's "MODULE:FUNCTION/ARITY", or "global::NAME" of BEAM itself, which have no blanks. */
static bool is_of_erlang(const char *name)
{
	const char *begin = name + (name[0] == '$');
	const char *end = strchr(begin, ':');
	g_autofree char *module = end && !strchr(begin, ' ') ? g_strndup(begin, end - begin) : NULL;

	return module && itp_patterns_match(erlang_modules, module);
}

bool itp_machine_runs(const struct itp_function *function)
{
	size_t machine = machine_of(function->module);

	return itp_function_is_in_no_file(function) ||
	       (machine < ITP_MACHINE_COUNT &&
		g_strcmp0(function->name, machines[machine].interpreter) == 0);
}

bool itp_machine_is_made(const struct itp_function *function)
{
	return !function->is_unnamed && itp_function_is_in_no_file(function) &&
	       !itp_patterns_match(parts, function->name) && !is_of_java(function->name) &&
	       !is_of_erlang(function->name);
}

void itp_machine_code_add(struct itp_machine_code *code, const struct itp_function *function,
			  uint64_t count)
{
	size_t machine;

	if (function->layer != ITP_LAYER_USER || count == 0) {
		return;
	}
	if (strcmp(function->module, ITP_ANONYMOUS_MODULE) == 0) {
		*(function->is_unnamed ? &code->unnamed : &code->named) += count;
		return;
	}
	machine = machine_of(function->module);
	if (machine < ITP_MACHINE_COUNT) {
		code->machines[machine] += count;
		code->interpreters[machine] +=
			g_strcmp0(function->name, machines[machine].interpreter) == 0 ? count : 0;
	}
}

/* ITP_MACHINE_COUNT for none. */
static size_t main_of(const struct itp_machine_code *code)
{
	size_t most = 0;

	for (size_t i = 1; i < ITP_MACHINE_COUNT; i++) {
		most = code->machines[i] > code->machines[most] ? i : most;
	}
	return code->machines[most] > 0 ? most : ITP_MACHINE_COUNT;
}

const struct itp_machine *itp_machine_code_main(const struct itp_machine_code *code)
{
	size_t machine = main_of(code);

	return machine < ITP_MACHINE_COUNT ? &machines[machine] : NULL;
}

bool itp_machine_code_is_mute(const struct itp_machine_code *code)
{
	size_t machine = main_of(code);

	return machine < ITP_MACHINE_COUNT && code->unnamed + code->interpreters[machine] > 0 &&
	       (code->named == 0 || code->unnamed > code->named);
}

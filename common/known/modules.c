/* SPDX-License-Identifier: MIT */
/*
 * Lists of modules, of functions and of machines.
 */
#include "common/known/modules.h"

#include <string.h>

#include "common/base/hash.h"
#include "common/base/patterns.h"

/* Most names in an error. */
#define TOLD_NAMES 8

const char *const itp_module_kind_names[] = {
	[ITP_MODULE_PROGRAM] = "program",         [ITP_MODULE_PLUGIN] = "plug-in",
	[ITP_MODULE_LIBRARY] = "library",         [ITP_MODULE_SYSTEM_LIBRARY] = "system library",
	[ITP_MODULE_INTERPRETER] = "interpreter", [ITP_MODULE_RUNTIME] = "runtime",
	[ITP_MODULE_KERNEL] = "kernel",
};

/* Shell patterns of module names. */
static const char *const runtimes[] = {
	/* Pseudo modules: vdso, anonymous memory. */
	"",
	"[*]",
	/* C libraries and loaders. */
	"libc.so*",
	"libc-?.??.so",
	"libm.so*",
	"libdl.so*",
	"librt.so*",
	"libpthread*.so*",
	"libresolv.so*",
	"libnss_*.so*",
	"ld-linux*.so*",
	"ld-?.??.so",
	"ld64.so*",
	"ld-musl-*.so*",
	"libc.musl-*.so*",
	/* Language runtimes and allocators. */
	"libgcc_s.so*",
	"libgfortran.so*",
	"libquadmath.so*",
	"libgnat*.so*",
	"libobjc.so*",
	"libstdc++.so*",
	"libc++*.so*",
	"libgomp.so*",
	"libgo.so*",
	"libjemalloc.so*",
	"libtcmalloc*.so*",
	NULL,
};

static const char *const interpreters[] = {
	"libpython*.so*",
	"libperl.so*",
	"libruby*.so*",
	NULL,
};

/* Shell patterns of functions that come with a language and are part of the program's file: of C++
 * and Rust, and the packages of Go without the name of a server in front. */
static const char *const runtime_functions[] = {
	"std::*",    "__gnu_cxx::*", "core::*",       "alloc::*",  "<std::*",   "<core::*",
	"<alloc::*", "hashbrown::*", "<hashbrown::*", "runtime.*", "runtime/*", "internal/*",
	"syscall.*", "reflect.*",    "sync.*",        "sync/*",    "net.*",     "net/*",
	"regexp.*",  "regexp/*",     "bufio.*",       "bytes.*",   "strings.*", "strconv.*",
	"sort.*",    "slices.*",     "maps.*",        "fmt.*",     "io.*",      "io/*",
	"os.*",      "os/*",         "time.*",        "context.*", "errors.*",  "encoding/*",
	"crypto/*",  "compress/*",   "hash/*",        "math.*",    "math/*",    "unicode/*",
	"log.*",     "log/*",        "crosscall*",    NULL,
};

static const char *const event_loops[] = {
	"libevent*.so*", "libev.so*",  "libuv.so*",     "libglib-2.0.so*",
	"libapr-1.so*",  "libQt*.so*", "libtevent.so*", "libsystemd*.so*",
	"liburing.so*",  "libaio.so*", "libverto.so*",  "libdbus*.so*",
	"libisc*.so*",   NULL,
};

/* Modules through which others wake: C libraries and C++'s. */
static const char *const go_between_modules[] = {
	"libc.so*",        "libc-?.??.so",  "libpthread*.so*", "librt.so*", "ld-musl-*.so*",
	"libc.musl-*.so*", "libstdc++.so*", "libc++*.so*",     "[vdso]",    NULL,
};

/* Shell patterns of functions that machines make for themselves, or that come with a language. */
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
	/* Mono: its own classes in C#, as TYPE:METHOD (TYPES), and the ways into its own code. */
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
	  .for_names = "python3 -X perf (from 3.12 on), or a recording by programs in the kernel "
		       "(3.11 and 3.13)" },
	{ .name = ".NET",
	  .files = { "libcoreclr.so" },
	  .for_names = "DOTNET_PerfMapEnabled=1 in the environment" },
	{ .name = "Mono",
	  .files = { "mono", "mono-sgen*", "libmono*.so*", "mscorlib.dll.so", "System*.dll.so" },
	  .for_names = "mono --jitmap" },
	{ .name = "Erlang", .files = { "beam.smp" }, .for_names = "erl +JPperf true" },
	/* Nothing gives these names: their own functions are all there is to see. */
	{ .name = "Perl",
	  .files = { "perl", "libperl.so*" },
	  .interpreter = "Perl_runops_standard",
	  .is_shown = true },
	{ .name = "Ruby",
	  .files = { "ruby*", "libruby*.so*" },
	  .interpreter = "vm_exec_core",
	  .is_shown = true },
	{ .name = "PHP",
	  .files = { "php*", "libphp*.so*" },
	  .interpreter = "execute_ex",
	  .is_shown = true },
};

G_STATIC_ASSERT(G_N_ELEMENTS(machines) == ITP_MACHINE_COUNT);

/* ---- Machines ---- */

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
	size_t machine = machine_of(module);

	return machine < ITP_MACHINE_COUNT && !machines[machine].is_shown;
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

/* Erlang's "MODULE:FUNCTION/ARITY", or BEAM's own "global::NAME", without blanks. */
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

/* True for a function of the program in no file: it has a name, and is part neither of the machine
 * nor of the libraries of its language. */
static bool is_made_function(const struct itp_function *function)
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
	if (itp_function_is_in_no_file(function)) {
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

void itp_machine_code_lose(struct itp_machine_code *code, const struct itp_function *function,
			   uint64_t count)
{
	if (function->layer == ITP_LAYER_USER) {
		*(itp_function_is_in_no_file(function) ? &code->lost_in_made :
							 &code->lost_in_files) += count;
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

const struct itp_machine *itp_machine_code_loser(const struct itp_machine_code *code)
{
	const struct itp_machine *machine = itp_machine_code_main(code);

	return machine && machine->for_frames && code->lost_in_made >= code->lost_in_files ?
		       machine :
		       NULL;
}

bool itp_machine_code_is_mute(const struct itp_machine_code *code)
{
	size_t machine = main_of(code);

	return machine < ITP_MACHINE_COUNT && code->unnamed + code->interpreters[machine] > 0 &&
	       (code->named == 0 || code->unnamed > code->named);
}

/* ---- Modules ---- */

/* Files of programs and libraries, in the order of their functions: "shop, libc.so.6, …". Owned by
 * the caller. */
static char *list_modules(const struct itp_function_table *functions)
{
	g_autoptr(GHashTable) told = g_hash_table_new(itp_hash_text, g_str_equal);
	GString *list = g_string_new(NULL);

	for (uint32_t id = 1; id < itp_function_table_size(functions); id++) {
		const struct itp_function *function = itp_function_table_get(functions, id);

		if (function->layer == ITP_LAYER_USER && function->module[0] != '\0' &&
		    g_hash_table_size(told) <= TOLD_NAMES &&
		    g_hash_table_add(told, (gpointer)function->module)) {
			g_string_append_printf(
				list, "%s%s", list->len > 0 ? ", " : "",
				g_hash_table_size(told) > TOLD_NAMES ? "\u2026" : function->module);
		}
	}
	return g_string_free(list, FALSE);
}

static bool check_patterns(const char *parameter, const char *const *patterns,
			   const struct itp_function_table *functions, GError **error)
{
	uint32_t size = itp_function_table_size(functions);

	for (size_t i = 0; patterns && patterns[i]; i++) {
		uint32_t id = 1;

		while (id < size &&
		       !itp_pattern_matches(patterns[i],
					    itp_function_table_get(functions, id)->module)) {
			id++;
		}
		if (id >= size) {
			g_autofree char *modules = list_modules(functions);

			g_set_error(
				error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
				"parameter \"%s\": \"%s\" matches no module of the inputs, which "
				"are %s; it is a shell pattern, as \"libshop*.so*\"",
				parameter, patterns[i], modules);
			return false;
		}
	}
	return true;
}

bool itp_module_kinds_check(const struct itp_module_kinds *kinds,
			    const struct itp_function_table *functions, GError **error)
{
	return check_patterns("own-modules", kinds->own, functions, error) &&
	       check_patterns("runtime-modules", kinds->runtime, functions, error);
}

bool itp_module_is_event_loop(const struct itp_function *function)
{
	return function->layer == ITP_LAYER_USER &&
	       itp_patterns_match(event_loops, function->module);
}

bool itp_module_is_go_between(const struct itp_function *function)
{
	return itp_patterns_match(go_between_modules, function->module);
}

static enum itp_module_kind library_kind(const struct itp_function *function)
{
	if (!g_str_has_prefix(function->module, "lib")) {
		return ITP_MODULE_PLUGIN;
	}
	return function->is_system ? ITP_MODULE_SYSTEM_LIBRARY : ITP_MODULE_LIBRARY;
}

enum itp_module_kind itp_module_kind_of(const struct itp_module_kinds *kinds,
					const struct itp_function *function)
{
	const char *module = function->module;
	bool is_own = kinds && itp_patterns_match(kinds->own, module);

	if (function->layer != ITP_LAYER_USER) {
		return ITP_MODULE_KERNEL;
	}
	if (!is_own && !function->is_unnamed && itp_function_is_in_no_file(function)) {
		return is_made_function(function) ? ITP_MODULE_PROGRAM : ITP_MODULE_RUNTIME;
	}
	if (!is_own && function->is_inlined && function->is_system) {
		return ITP_MODULE_RUNTIME;
	}
	if (!is_own && (itp_machine_is_file(module) || itp_patterns_match(runtimes, module) ||
			itp_patterns_match(runtime_functions, function->name) ||
			(kinds && itp_patterns_match(kinds->runtime, module)))) {
		return ITP_MODULE_RUNTIME;
	}
	if (!is_own && itp_patterns_match(interpreters, module)) {
		return ITP_MODULE_INTERPRETER;
	}
	if (!g_str_has_suffix(module, ".so") && !strstr(module, ".so.")) {
		return ITP_MODULE_PROGRAM;
	}
	return is_own && g_str_has_prefix(module, "lib") ? ITP_MODULE_LIBRARY :
							   library_kind(function);
}

uint8_t *itp_module_kinds_new(const struct itp_module_kinds *kinds,
			      const struct itp_function_table *functions)
{
	uint32_t size = itp_function_table_size(functions);
	uint8_t *result = g_new(uint8_t, size);

	for (uint32_t id = 0; id < size; id++) {
		result[id] =
			(uint8_t)itp_module_kind_of(kinds, itp_function_table_get(functions, id));
	}
	return result;
}

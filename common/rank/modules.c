/* SPDX-License-Identifier: MIT */
/*
 * Lists of modules.
 */
#include "common/rank/modules.h"

#include "common/base/patterns.h"
#include "common/rank/machine.h"

#include <glib.h>
#include <string.h>

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
 * and Rust, and the packages of Go that do not have the name of a server before them. */
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
			g_set_error(
				error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
				"parameter \"%s\": \"%s\" matches no module of the inputs; it is a shell pattern, "
				"as \"libshop*.so*\"",
				parameter, patterns[i]);
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
	if (!is_own && itp_machine_is_made(function)) {
		return ITP_MODULE_PROGRAM;
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

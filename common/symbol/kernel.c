/* SPDX-License-Identifier: MIT */
/*
 * Choosing the kernel's symbols, and looking them up.
 *
 * The file is read when the first kernel address is met: by then the recording has told all that
 * it knows about its kernel.
 */
#include "common/symbol/kernel.h"

#include "common/symbol/build-id.h"
#include "common/symbol/kallsyms.h"
#include "common/symbol/module.h"

#include <sys/utsname.h>

#define RUNNING_KALLSYMS "/proc/kallsyms"

struct itp_kernel {
	/* NULL when not given. Owned by this. */
	char *path;
	/* NULL when not recorded. Owned by this. */
	char *os_release;
	/* "" when not known. Owned by this. */
	char *build_id;
	/* As recorded; 0 when not known. */
	uint64_t text_start;
	uint64_t text_length;
	/* Weak. */
	struct itp_function_table *table;
	/* NULL until loaded, and after that if there are none. Owned by this. */
	struct itp_kallsyms *kallsyms;
	/* Recorded addresses minus the file's, for the kernel proper. */
	uint64_t distance;
	bool is_loaded;
	bool is_hidden;
};

struct itp_kernel *itp_kernel_new(const char *kallsyms, const char *os_release,
				  struct itp_function_table *functions)
{
	struct itp_kernel *kernel = g_new0(struct itp_kernel, 1);

	kernel->path = g_strdup(kallsyms);
	kernel->os_release = g_strdup(os_release);
	kernel->build_id = g_strdup("");
	kernel->table = functions;
	return kernel;
}

void itp_kernel_free(struct itp_kernel *kernel)
{
	if (!kernel) {
		return;
	}
	itp_kallsyms_free(kernel->kallsyms);
	g_free(kernel->path);
	g_free(kernel->os_release);
	g_free(kernel->build_id);
	g_free(kernel);
}

void itp_kernel_set_text(struct itp_kernel *kernel, uint64_t start, uint64_t length)
{
	if (!kernel->is_loaded) {
		kernel->text_start = start;
		kernel->text_length = length;
	}
}

void itp_kernel_set_build_id(struct itp_kernel *kernel, const char *build_id)
{
	if (!kernel->is_loaded) {
		g_free(kernel->build_id);
		kernel->build_id = g_strdup(build_id);
	}
}

static bool lies_in_place(const struct itp_kernel *kernel, const struct itp_kallsyms *kallsyms)
{
	return kernel->text_length != 0 && kernel->text_start == kallsyms->text_start &&
	       kernel->text_length == kallsyms->text_end - kallsyms->text_start;
}

/* The recording is of this machine's kernel. Without its release the place and length of the
 * kernel's text must do: another build hardly has the same. */
static bool is_running_kernel(const struct itp_kernel *kernel, const struct itp_kallsyms *kallsyms)
{
	g_autofree char *build_id = itp_build_id_running_kernel();
	struct utsname name;

	if (build_id && !itp_build_id_may_equal(build_id, kernel->build_id)) {
		return false;
	}
	if (kernel->os_release) {
		return uname(&name) == 0 && g_str_equal(name.release, kernel->os_release);
	}
	return lies_in_place(kernel, kallsyms);
}

bool itp_kernel_is_running(const struct itp_kernel *kernel)
{
	enum itp_error error;
	struct itp_kallsyms *kallsyms = itp_kallsyms_new(RUNNING_KALLSYMS, &error);
	bool is_running = kallsyms && lies_in_place(kernel, kallsyms) &&
			  is_running_kernel(kernel, kallsyms);

	itp_kallsyms_free(kallsyms);
	return is_running;
}

static void load(struct itp_kernel *kernel)
{
	enum itp_error error;

	kernel->is_loaded = true;
	kernel->kallsyms = itp_kallsyms_new(kernel->path ? kernel->path : RUNNING_KALLSYMS, &error);
	if (!kernel->kallsyms) {
		return;
	}
	kernel->is_hidden = kernel->kallsyms->hidden;
	if (kernel->is_hidden || kernel->kallsyms->table.symbols->len == 0 ||
	    (!kernel->path && !is_running_kernel(kernel, kernel->kallsyms))) {
		g_clear_pointer(&kernel->kallsyms, itp_kallsyms_free);
		return;
	}
	if (kernel->text_start != 0 && kernel->kallsyms->text_start != 0) {
		kernel->distance = kernel->text_start - kernel->kallsyms->text_start;
	}
}

static uint32_t intern(struct itp_kernel *kernel, const char *name, const char *module,
		       bool is_unnamed)
{
	g_autofree char *valid = g_utf8_make_valid(module, -1);
	const struct itp_function function = {
		.name = name,
		.module = valid,
		.build_id = kernel->build_id,
		.layer = ITP_LAYER_KERNEL,
		.is_unnamed = is_unnamed,
	};

	return itp_function_table_intern(kernel->table, &function);
}

uint32_t itp_kernel_function(struct itp_kernel *kernel, uint64_t address)
{
	const struct itp_symbol *symbol = NULL;
	const char *module = "[kernel]";
	bool in_text = address - kernel->text_start < kernel->text_length;
	g_autofree char *name = NULL;

	if (!kernel->is_loaded) {
		load(kernel);
	}
	/* Modules of another boot are somewhere, but not at that distance. */
	if (kernel->kallsyms && (kernel->distance == 0 || in_text)) {
		symbol = itp_kallsyms_find(kernel->kallsyms, address - kernel->distance, &module);
	}
	if (symbol) {
		name = g_utf8_make_valid(symbol->name, (gssize)symbol->name_length);
		return intern(kernel, name, module, false);
	}
	name = g_strdup_printf("[kernel]+0x%" G_GINT64_MODIFIER "x",
			       in_text ? address - kernel->text_start : address);
	return intern(kernel, name, module, true);
}

bool itp_kernel_symbols_hidden(const struct itp_kernel *kernel)
{
	return kernel->is_hidden;
}

bool itp_kernel_symbols_missing(const struct itp_kernel *kernel)
{
	return kernel->is_loaded && !kernel->kallsyms;
}

bool itp_kernel_warning(const struct itp_kernel *kernel, struct itp_symbol_warning *ret_warning)
{
	*ret_warning = (struct itp_symbol_warning){
		.problem = kernel->is_hidden ? ITP_SYMBOLS_KERNEL_HIDDEN :
					       ITP_SYMBOLS_KERNEL_MISSING,
		.path = kernel->path ? kernel->path : RUNNING_KALLSYMS,
		.build_id = kernel->build_id,
		.found_build_id = "",
	};
	return itp_kernel_symbols_missing(kernel);
}

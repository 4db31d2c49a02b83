/* SPDX-License-Identifier: MIT */
/*
 * Choosing the kernel's symbols, and looking them up; and function ids of system calls, made on
 * first use and kept in an array by number.
 *
 * The file is read when the first kernel address is met: by then the recording has told everything
 * about its kernel.
 */
#include "common/symbol/kernel.h"

#include "common/base/memory.h"
#include "common/elf/section.h"
#include "common/known/kernel-roles.h"
#include "common/symbol/elf-symbols.h"
#include "common/symbol/kernel-image.h"
#include "common/symbol/module.h"

#include <limits.h>
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#define RUNNING_KALLSYMS "/proc/kallsyms"

struct itp_kernel {
	/* Path of kallsyms, NULL when unknown. Owned by this. */
	char *path;
	/* By the user. */
	bool is_path_named;
	/* Release of the recorded kernel, NULL when not recorded. Owned by this. */
	char *os_release;
	/* Build id, "" when unknown. Owned by this. */
	char *build_id;
	/* Begin and length of the text as recorded; 0 when unknown. */
	uint64_t text_start;
	uint64_t text_length;
	/* Function and its address in place of the text's; NULL when unknown. Owned by this. */
	char *known_function;
	uint64_t known_address;
	/* Weak. */
	struct itp_function_table *table;
	/* Symbols, NULL until loaded, and after that if there are none. Owned by this. */
	struct itp_kallsyms *kallsyms;
	/* Recorded addresses minus the file's, for the kernel proper. */
	uint64_t distance;
	/* File with the code, NULL without one. Owned by this. */
	char *image;
	/* Begin of the file's text, or 0 for a copy of memory. */
	uint64_t image_text;
	/* Names in the file with the code where there is no kallsyms, else NULL. Owned by this. */
	struct itp_elf_symbols *symbols;
	/* The file is a copy of the memory of another boot. */
	bool is_other_boot;
	bool is_loaded;
	bool is_hidden;
};

/* Real numbers are below; others are looked up each time. */
#define KEPT_NUMBERS 1024

struct itp_syscall_names {
	uint32_t arch;
	/* Weak. */
	struct itp_function_table *table;
	/* Ids of functions, ITP_FUNCTION_UNKNOWN until asked for. */
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

/* ---- Functions ---- */

struct itp_kernel *itp_kernel_new(const char *kallsyms, const char *os_release,
				  struct itp_function_table *functions)
{
	struct itp_kernel *kernel = g_new0(struct itp_kernel, 1);

	kernel->path = g_strdup(kallsyms);
	kernel->is_path_named = kallsyms != NULL;
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
	itp_elf_symbols_free(kernel->symbols);
	g_free(kernel->image);
	g_free(kernel->path);
	g_free(kernel->os_release);
	g_free(kernel->build_id);
	g_free(kernel->known_function);
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

void itp_kernel_set_function(struct itp_kernel *kernel, const char *name, uint64_t address)
{
	if (!kernel->is_loaded) {
		g_free(kernel->known_function);
		kernel->known_function = g_strdup(name);
		kernel->known_address = address;
	}
}

/* Checks that the image at `path` is the recorded kernel's. */
static int check_image(const struct itp_kernel *kernel, const struct itp_elf_image *image)
{
	if (!itp_kernel_image_is(image)) {
		return ITP_ERROR_NOT_KERNEL;
	}
	/* A copy of memory has no build id; its place is known later. */
	if (itp_kernel_image_is_memory(image)) {
		return 0;
	}
	return kernel->build_id[0] != '\0' && image->build_id[0] != '\0' &&
			       itp_build_id_may_equal(kernel->build_id, image->build_id) ?
		       0 :
		       ITP_ERROR_OTHER_KERNEL;
}

int itp_kernel_set_image(struct itp_kernel *kernel, const char *path)
{
	struct itp_elf_image image;
	int error = itp_elf_image_init(&image, path);

	if (error != 0) {
		return error == ITP_ERROR_IO || error == ITP_ERROR_CHANGED ? error :
									     ITP_ERROR_NOT_KERNEL;
	}
	error = check_image(kernel, &image);
	if (error == 0) {
		bool is_memory = itp_kernel_image_is_memory(&image);

		g_free(kernel->image);
		kernel->image = g_canonicalize_filename(path, NULL);
		kernel->image_text = is_memory ? 0 : itp_kernel_image_text(&image);
		if (is_memory && !kernel->path) {
			kernel->path = itp_kernel_image_kallsyms(path);
		}
	}
	itp_elf_image_release(&image);
	return error;
}

static bool lies_in_place(const struct itp_kernel *kernel, const struct itp_kallsyms *kallsyms)
{
	return kernel->text_length != 0 && kernel->text_start == kallsyms->text_start &&
	       kernel->text_length == kallsyms->text_end - kallsyms->text_start;
}

/* True when the recording is of this machine's kernel. Without its release, place and length of the
 * kernel's text must do: another build hardly shares both. */
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
	struct itp_kallsyms *kallsyms = itp_kallsyms_new(RUNNING_KALLSYMS, false, &error);
	bool is_running = kallsyms && lies_in_place(kernel, kallsyms) &&
			  is_running_kernel(kernel, kallsyms);

	itp_kallsyms_free(kallsyms);
	return is_running;
}

/* Finds out where the text begins. A name may occur several times: an occurrence at the known place
 * leaves nothing to be moved. */
static void place_text(struct itp_kernel *kernel)
{
	const GArray *symbols = kernel->kallsyms->table.symbols;
	const char *name = kernel->known_function;
	uint64_t length = kernel->kallsyms->text_end - kernel->kallsyms->text_start;
	bool found = false;

	for (guint i = 0; i < symbols->len; i++) {
		const struct itp_symbol *symbol = &g_array_index(symbols, struct itp_symbol, i);

		if (symbol->name_length == strlen(name) &&
		    memcmp(symbol->name, name, symbol->name_length) == 0 &&
		    (!found || symbol->start == kernel->known_address)) {
			found = true;
			kernel->text_start = kernel->kallsyms->text_start + kernel->known_address -
					     symbol->start;
			kernel->text_length = length;
		}
	}
}

static void load_kallsyms(struct itp_kernel *kernel)
{
	enum itp_error error;

	kernel->kallsyms = itp_kallsyms_new(kernel->path ? kernel->path : RUNNING_KALLSYMS,
					    kernel->is_path_named, &error);
	if (!kernel->kallsyms) {
		return;
	}
	kernel->is_hidden = kernel->kallsyms->hidden;
	if (kernel->is_hidden || kernel->kallsyms->table.symbols->len == 0 ||
	    (!kernel->path && !is_running_kernel(kernel, kernel->kallsyms))) {
		g_clear_pointer(&kernel->kallsyms, itp_kallsyms_free);
		return;
	}
	if (kernel->text_start == 0 && kernel->known_function &&
	    kernel->kallsyms->text_start != 0) {
		place_text(kernel);
	}
	if (kernel->text_start != 0 && kernel->kallsyms->text_start != 0) {
		kernel->distance = kernel->text_start - kernel->kallsyms->text_start;
		if (kernel->text_length == 0) {
			kernel->text_length =
				kernel->kallsyms->text_end - kernel->kallsyms->text_start;
		}
	}
}

/* True for a copy of memory whose symbols put the kernel at another place. */
static bool is_copy_of_other_boot(const struct itp_kernel *kernel)
{
	g_autofree char *path = itp_kernel_image_kallsyms(kernel->image);
	enum itp_error error;
	struct itp_kallsyms *kallsyms = itp_kallsyms_new(path, false, &error);
	bool is_other = !kallsyms || kallsyms->text_start != kernel->text_start;

	itp_kallsyms_free(kallsyms);
	return is_other;
}

static void load_symbols(struct itp_kernel *kernel)
{
	enum itp_error error;

	kernel->is_loaded = true;
	load_kallsyms(kernel);
	kernel->is_other_boot = kernel->image && kernel->image_text == 0 &&
				is_copy_of_other_boot(kernel);
	if (kernel->image && !kernel->kallsyms && kernel->image_text != 0) {
		kernel->symbols = itp_elf_symbols_new(kernel->image, &error);
	}
}

static bool is_in_text(const struct itp_kernel *kernel, uint64_t address)
{
	return address - kernel->text_start < kernel->text_length;
}

/* True when the file has the code at `address`: an image has none of modules. */
static bool has_code(const struct itp_kernel *kernel, uint64_t address)
{
	return kernel->image && !kernel->is_other_boot &&
	       (kernel->image_text == 0 || is_in_text(kernel, address));
}

uint64_t itp_kernel_slide(const struct itp_kernel *kernel, uint64_t address)
{
	return kernel->image_text != 0 && has_code(kernel, address) ?
		       kernel->text_start - kernel->image_text :
		       0;
}

/* True for modules in /proc/kallsyms that come and go while a kernel runs: BPF programs, and
 * tracers of functions. */
static bool comes_and_goes(const char *module)
{
	return g_str_equal(module, "[bpf]") || g_str_has_prefix(module, "[__builtin__");
}

/* NULL when the function at `address` has no name. *ret_module is weak, and stays
 * as it is then. */
static const struct itp_symbol *find_symbol(const struct itp_kernel *kernel, uint64_t address,
					    const char **ret_module)
{
	/* Modules of another boot are elsewhere, and not at the text's distance. */
	if (kernel->kallsyms && (kernel->distance == 0 || is_in_text(kernel, address))) {
		const char *module;
		const struct itp_symbol *symbol =
			itp_kallsyms_find(kernel->kallsyms, address - kernel->distance, &module);

		if (!symbol || (!kernel->path && comes_and_goes(module))) {
			return NULL;
		}
		*ret_module = module;
		return symbol;
	}
	if (kernel->symbols && has_code(kernel, address)) {
		return itp_symbol_table_find(&kernel->symbols->table,
					     address - itp_kernel_slide(kernel, address));
	}
	return NULL;
}

uint32_t itp_kernel_function(struct itp_kernel *kernel, uint64_t address)
{
	struct itp_function function = { .build_id = kernel->build_id, .layer = ITP_LAYER_KERNEL };
	const char *symbol_module = "[kernel]";
	const struct itp_symbol *symbol;
	g_autofree char *module = NULL;
	g_autofree char *name = NULL;

	if (!kernel->is_loaded) {
		load_symbols(kernel);
	}
	symbol = find_symbol(kernel, address, &symbol_module);
	if (symbol) {
		name = g_utf8_make_valid(symbol->name, (gssize)symbol->name_length);
		itp_symbol_strip_part(name);
	} else {
		name = g_strdup_printf("[kernel]+0x%" G_GINT64_MODIFIER "x",
				       is_in_text(kernel, address) ? address - kernel->text_start :
								     address);
	}
	module = g_utf8_make_valid(symbol_module, -1);
	function.name = name;
	function.module = module;
	function.is_unnamed = !symbol;
	function.is_signal_frame = itp_kernel_role_is_entry(name);
	function.file = has_code(kernel, address) ? kernel->image : "";
	return itp_function_table_intern(kernel->table, &function);
}

bool itp_kernel_symbols_hidden(const struct itp_kernel *kernel)
{
	return kernel->is_hidden;
}

bool itp_kernel_symbols_missing(const struct itp_kernel *kernel)
{
	return kernel->is_loaded && !kernel->kallsyms && !kernel->symbols;
}

bool itp_kernel_warning(const struct itp_kernel *kernel, struct itp_symbol_warning *ret_warning)
{
	bool is_missing = itp_kernel_symbols_missing(kernel);

	*ret_warning = (struct itp_symbol_warning){
		.problem = !is_missing       ? ITP_SYMBOLS_KERNEL_OTHER_BOOT :
			   kernel->is_hidden ? ITP_SYMBOLS_KERNEL_HIDDEN :
					       ITP_SYMBOLS_KERNEL_MISSING,
		.path = !is_missing  ? kernel->image :
			kernel->path ? kernel->path :
				       RUNNING_KALLSYMS,
		.build_id = kernel->build_id,
		.found_build_id = "",
	};
	return is_missing || kernel->is_other_boot;
}

/* ---- System calls ---- */

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

static uint32_t intern_syscall(struct itp_syscall_names *names, int64_t number)
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
		return intern_syscall(names, number);
	}
	if (names->functions[number] == ITP_FUNCTION_UNKNOWN) {
		names->functions[number] = intern_syscall(names, number);
	}
	return names->functions[number];
}

int64_t itp_syscall_names_number(const struct itp_syscall_names *names, const char *name)
{
	int number = seccomp_syscall_resolve_name_arch(names->arch, name);

	return number >= 0 ? number : -1;
}

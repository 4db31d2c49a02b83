/* SPDX-License-Identifier: MIT */
/*
 * Modules: names for offsets in a file.
 *
 * A function without a symbol is named after its begin, or, in a file that cannot be used, each
 * address after itself: "MODULE+0xOFFSET".
 */
#include "common/symbol/module.h"

#include "common/base/memory.h"

#include "common/elf/section.h"
#include "common/symbol/elf-symbols.h"
#include "common/symbol/inlines.h"
#include "common/symbol/jit-dump.h"
#include "common/symbol/jit-map.h"
#include "common/unwind/cfi.h"

#include <string.h>

#define VDSO "[vdso]"
/* Suffix of the kernel for files that are in no directory. */
#define DELETED " (deleted)"

/* Look-ups after which the memory of mapped files is given back. */
#define FORGET_LOOK_UPS 32

struct itp_module {
	/* Path as recorded. Owned by this. */
	char *path;
	/* Root of the files, NULL for this machine. Owned by this. */
	char *symfs;
	/* Shown name. Owned by this. */
	char *name;
	/* Build id, the recorded one until the file is read. Owned by this. */
	char *build_id;
	/* Debug link as recorded; without a name when unknown. */
	struct itp_debug_link debug_link;
	/* Name in the debug link. Owned by this. */
	char *debug_name;
	/* Build id of another build's file at `path`; NULL without one. Owned by this. */
	char *found_build_id;
	/* Weak. */
	struct itp_function_table *table;
	/* Weak, may be NULL. */
	struct itp_debuginfod *debuginfod;
	/* Symbols, NULL until loaded, and after that if the file cannot be used. Owned by this. */
	struct itp_elf_symbols *symbols;
	/* Path of the file of `symbols`; NULL without one. Owned by this. */
	char *file;
	/* Path of the separate debug file that names came from; NULL without any. Owned by this. */
	char *debug_file;
	/* Inlined functions; NULL until asked for, without debug data, and where they are not
	 * wanted. Owned by this. */
	struct itp_inlines *inlines;
	/* Map of functions in memory without a file, in place of `symbols`. Owned by this. */
	struct itp_jit_map *jit_map;
	uint64_t mapped_bytes;
	struct itp_mapped_file mapped;
	uint32_t look_up_count;
	int32_t pid;
	bool is_system;
	bool is_running_kernel;
	bool demangle;
	/* The file's names were not read yet: stacks are unwound without them. */
	bool awaits_names;
	/* Inlined functions are wanted, and their debug data was not looked for yet. */
	bool awaits_inlines;
	bool is_loaded;
	/* A caller has asked a question answered by the file alone. */
	bool is_needed;
	enum itp_symbol_problem problem;
};

/* Directories of the system's libraries, without their subdirectories. */
static const char *const system_directories[] = {
	"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/lib/*-linux-*", "/usr/lib/*-linux-*", NULL,
};

/* True for "…/x86_64-linux-gnu", false for "…/x86_64-linux-gnu/modules". */
static bool is_system_directory(const char *directory)
{
	for (size_t i = 0; system_directories[i]; i++) {
		const char *name = strrchr(directory, '/');
		const char *pattern = strrchr(system_directories[i], '/');
		size_t parent_length = (size_t)(pattern - system_directories[i]);

		if (name && (size_t)(name - directory) == parent_length &&
		    strncmp(directory, system_directories[i], parent_length) == 0 &&
		    g_pattern_match_simple(pattern, name)) {
			return true;
		}
	}
	return false;
}

static bool is_system(const char *path)
{
	g_autofree char *directory = g_path_get_dirname(path);

	return is_system_directory(directory);
}

/* False for the kernel's names of memory that is no file: "[vdso]", "//anon", "anon_inode:…". */
static bool is_file(const char *path)
{
	return path[0] == '/' && path[1] != '/' && !itp_module_is_anonymous(path);
}

bool itp_module_is_anonymous(const char *path)
{
	static const char *const prefixes[] = { "//anon",        "/anon_hugepage", "/dev/zero",
						ITP_MEMORY_FILE, "/SYSV",          "[anon",
						"anon_inode:",   "[heap]",         "[stack" };

	for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++) {
		if (g_str_has_prefix(path, prefixes[i])) {
			return true;
		}
	}
	return false;
}

const char *itp_module_path(const struct itp_module *module)
{
	return module->path;
}

bool itp_module_is_memory(const struct itp_module *module)
{
	return itp_module_is_anonymous(module->path);
}

/* Files of perf inject --jit, a file for each function, numbered by process and function: all are a
 * single module, so that recordings can be compared. */
static bool is_jitted(const char *name)
{
	bool result;

	itp_memory_begin();
	result = g_regex_match_simple("^jitted-[0-9]+-[0-9]+\\.so$", name, 0, 0);
	itp_memory_end();
	return result;
}

/* Name without the kernel's note on deleted files. */
static char *without_deleted(const char *name)
{
	size_t length = strlen(name);

	return g_strndup(name, length - (g_str_has_suffix(name, DELETED) ? strlen(DELETED) : 0));
}

/* Code is written to a file in memory where it is mapped a second time, and shared. */
static char *shown_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (g_str_has_prefix(path, ITP_MEMORY_FILE)) {
		return g_strdup(ITP_JIT_MODULE);
	}
	if (g_str_has_prefix(path, &ITP_MEMORY_FILE[1])) {
		return without_deleted(path);
	}

	if (g_str_has_prefix(path, "//")) {
		return g_strdup_printf("[%s]", path + 2);
	}
	if (slash && is_jitted(slash + 1)) {
		return g_strdup(ITP_JIT_MODULE);
	}
	return slash && slash[1] != '\0' ? without_deleted(slash + 1) : g_strdup(path);
}

struct itp_module *itp_module_new(const struct itp_module_origin *origin,
				  struct itp_function_table *functions)
{
	struct itp_module *module = g_new0(struct itp_module, 1);
	g_autofree char *name = shown_name(origin->path);

	/* Messages and JSON want UTF-8; file names need not be. */
	module->name = g_utf8_make_valid(name, -1);
	module->path = g_strdup(origin->path);
	module->symfs = g_strdup(origin->symfs);
	module->build_id = g_strdup(origin->build_id);
	if (origin->debug_link) {
		module->debug_name = g_strdup(origin->debug_link->name);
		module->debug_link = (struct itp_debug_link){
			.name = module->debug_name,
			.checksum = origin->debug_link->checksum,
		};
	}
	module->table = functions;
	module->debuginfod = origin->debuginfod;
	module->mapped_bytes = origin->mapped_bytes;
	module->pid = origin->pid;
	module->mapped = origin->mapped;
	module->is_system = is_system(origin->path);
	module->is_running_kernel = origin->is_running_kernel;
	module->demangle = origin->demangle;
	module->awaits_inlines = origin->inlines;
	return module;
}

void itp_module_free(struct itp_module *module)
{
	if (!module) {
		return;
	}
	itp_inlines_free(module->inlines);
	itp_elf_symbols_free(module->symbols);
	itp_jit_map_free(module->jit_map);
	g_free(module->path);
	g_free(module->symfs);
	g_free(module->name);
	g_free(module->build_id);
	g_free(module->debug_name);
	g_free(module->found_build_id);
	g_free(module->file);
	g_free(module->debug_file);
	g_free(module);
}

static struct itp_symbol_files files_of(const struct itp_module *module)
{
	return (struct itp_symbol_files){
		.symfs = module->symfs,
		.path = module->path,
		.build_id = module->build_id,
		.debug_link = module->debug_name ? &module->debug_link : NULL,
		.mapped = module->mapped,
		.debuginfod = module->debuginfod,
	};
}

static bool open_names(struct itp_module *module, struct itp_elf_image *names, const char *path)
{
	int error = itp_elf_image_init(names, path);

	if (error == ITP_ERROR_CHANGED) {
		module->problem = ITP_SYMBOLS_CHANGED;
	}
	return error == 0;
}

/* Adds names stripped from the file: they may lie elsewhere, or packed in the file itself, and only
 * otherwise on a server. */
static void add_names(struct itp_module *module)
{
	const struct itp_elf_image *image = &module->symbols->image;
	const struct itp_symbol_files files = files_of(module);
	g_autofree char *path = NULL;
	g_autofree char *fetched = NULL;
	struct itp_elf_image names;

	if (itp_elf_has_symbol_table(image)) {
		return;
	}
	path = itp_symbol_files_debug(&files, image);
	if (path && open_names(module, &names, path)) {
		module->debug_file = g_steal_pointer(&path);
	} else if (itp_elf_unpack_debugdata(image, &names) != 0) {
		fetched = itp_symbol_files_fetch_debug(&files, image);
		if (!fetched || !open_names(module, &names, fetched)) {
			return;
		}
		module->debug_file = g_steal_pointer(&fetched);
	}
	itp_elf_symbols_take_names(module->symbols, &names);
}

/* Reads the names of an opened file, once. */
static void read_names(struct itp_module *module)
{
	if (module->awaits_names) {
		module->awaits_names = false;
		itp_elf_symbols_read(module->symbols);
		add_names(module);
		itp_elf_symbols_forget(module->symbols);
	}
}

static void load_file(struct itp_module *module)
{
	const struct itp_symbol_files files = files_of(module);
	g_autofree char *path =
		itp_symbol_files_module(&files, &module->problem, &module->found_build_id);
	enum itp_error error;

	module->symbols = path ? itp_elf_symbols_open(path, &error) : NULL;
	if (!module->symbols) {
		if (path && error == ITP_ERROR_CHANGED) {
			module->problem = ITP_SYMBOLS_CHANGED;
		}
		return;
	}
	module->file = g_canonicalize_filename(path, NULL);
	module->awaits_names = true;
	if (module->symbols->image.build_id[0] != '\0') {
		g_free(module->build_id);
		module->build_id = g_strdup(module->symbols->image.build_id);
	}
}

/* Loads the vdso. Without a recorded build id, the kernel, which brings it, must be the same. */
static void load_vdso(struct itp_module *module)
{
	g_autofree char *path = NULL;
	enum itp_error error;

	if (module->build_id[0] != '\0' || module->is_running_kernel) {
		module->symbols = itp_elf_symbols_new_vdso(module->mapped_bytes, module->build_id);
	}
	if (module->symbols) {
		return;
	}
	path = itp_symbol_files_cached(module->symfs, module->build_id, "vdso");
	module->symbols = path ? itp_elf_symbols_new(path, &error) : NULL;
}

static void load_jit_map(struct itp_module *module)
{
	g_autofree char *path = g_strdup_printf("/tmp/perf-%" G_GINT32_FORMAT ".map", module->pid);

	if (module->mapped.pid > 0) {
		module->jit_map = itp_jit_map_new_of_process(module->mapped.pid);
	}
	if (!module->jit_map) {
		module->jit_map = itp_jit_map_new(module->symfs, path);
	}
}

/* Opens what the module is read from, once; names of a file are read by read_names(). */
static void load_module(struct itp_module *module)
{
	if (module->is_loaded) {
		return;
	}
	module->is_loaded = true;
	if (is_file(module->path)) {
		load_file(module);
	} else if (g_str_equal(module->path, VDSO)) {
		load_vdso(module);
	} else if (itp_module_is_anonymous(module->path)) {
		load_jit_map(module);
	}
}

/* The module's file for a question that it alone answers. */
static const struct itp_elf_symbols *needed_file(struct itp_module *module)
{
	module->is_needed = true;
	load_module(module);
	return module->symbols;
}

bool itp_module_warning(const struct itp_module *module, struct itp_symbol_warning *ret_warning)
{
	bool has_changed = module->symbols && itp_elf_symbols_have_changed(module->symbols);

	*ret_warning = (struct itp_symbol_warning){
		.problem = has_changed ? ITP_SYMBOLS_CHANGED : module->problem,
		.path = module->path,
		.build_id = module->build_id,
		.found_build_id = module->found_build_id ? module->found_build_id : "",
	};
	return module->is_needed && ret_warning->problem != ITP_SYMBOLS_FINE;
}

/* A function of the module; its name and what is known of its code are the caller's. */
static uint32_t intern_function(struct itp_module *module, struct itp_function *function)
{
	g_autofree char *name = g_utf8_make_valid(function->name, -1);

	function->name = name;
	function->module = module->name;
	/* A JIT compiler writes a file for each function: its build id tells nothing. */
	function->build_id = itp_function_is_in_no_file(function) ? "" : module->build_id;
	function->layer = ITP_LAYER_USER;
	function->file = module->file;
	function->is_system |= module->is_system;
	return itp_function_table_intern(module->table, function);
}

/* Id of a function without a name; `facts` are the known facts of its code. */
static uint32_t intern_unnamed(struct itp_module *module, uint64_t place,
			       const struct itp_function *facts)
{
	g_autofree char *name = g_strdup_printf("%s%s0x%" G_GINT64_MODIFIER "x", module->name,
						module->name[0] != '\0' ? "+" : "", place);
	struct itp_function function = *facts;

	function.name = name;
	function.is_unnamed = true;
	return intern_function(module, &function);
}

/* Id of a named function; `name` is not terminated, `facts` are the known facts of its code. */
static uint32_t intern_named(struct itp_module *module, const char *name, size_t length,
			     const struct itp_function *facts)
{
	g_autofree char *symbol = g_strndup(name, length);
	g_autofree char *readable = NULL;
	struct itp_function function = *facts;

	itp_symbol_strip_part(symbol);
	readable = module->demangle ? itp_demangle(symbol) : NULL;
	function.name = readable ? readable : symbol;
	return intern_function(module, &function);
}

/* Symbol given to the code at `address` by the process itself; NULL without any. */
static const struct itp_symbol *made_symbol(const struct itp_module *module, uint64_t address,
					    bool *ret_is_lasting)
{
	*ret_is_lasting = true;
	return module->jit_map ? itp_jit_map_find(module->jit_map, address, ret_is_lasting) : NULL;
}

static uint32_t jit_function(struct itp_module *module, uint64_t address, bool *ret_is_lasting)
{
	const struct itp_symbol *symbol = made_symbol(module, address, ret_is_lasting);
	const struct itp_function nothing = { .name = NULL };

	return symbol ? intern_named(module, symbol->name, symbol->name_length, &nothing) :
			intern_unnamed(module, address, &nothing);
}

/* ---- Inlined functions ---- */

static bool has_debug_data(const struct itp_elf_image *image)
{
	return image->elf && itp_elf_section(image, ".debug_info").size > 0;
}

/* Debug data that are at hand: a debug file that was not needed for names is not fetched. */
static struct itp_debug_data *open_debug_data(const struct itp_module *module)
{
	const struct itp_symbol_files files = files_of(module);
	const struct itp_elf_image *image = &module->symbols->image;
	g_autofree char *path = NULL;

	if (has_debug_data(image)) {
		return itp_debug_data_new(&files, module->file);
	}
	if (module->debug_file) {
		return has_debug_data(&module->symbols->names) ?
			       itp_debug_data_new(&files, module->debug_file) :
			       NULL;
	}
	path = itp_elf_has_symbol_table(image) ? itp_symbol_files_debug(&files, image) : NULL;
	return path ? itp_debug_data_new(&files, path) : NULL;
}

static uint64_t code_begin(const struct itp_elf_image *image)
{
	uint64_t begin = UINT64_MAX;

	for (guint i = 0; i < image->segments->len; i++) {
		const GElf_Phdr *segment = &g_array_index(image->segments, GElf_Phdr, i);

		if (segment->p_type == PT_LOAD && segment->p_flags & PF_X) {
			begin = MIN(begin, segment->p_vaddr);
		}
	}
	return begin;
}

/* An itp_inlines_name_func. */
static uint32_t intern_inlined(void *data, const struct itp_inlined_name *name)
{
	struct itp_module *module = data;
	g_autofree char *readable = module->demangle ? itp_demangle(name->symbol) : NULL;
	g_autofree char *shown =
		g_strconcat(readable ? readable : name->symbol, ITP_INLINED_SUFFIX, NULL);
	struct itp_function function = { .name = shown, .is_system = name->is_system };

	return intern_function(module, &function);
}

static void open_inlines(struct itp_module *module)
{
	struct itp_debug_data *debug_data;

	read_names(module);
	debug_data = open_debug_data(module);
	if (debug_data) {
		module->inlines = itp_inlines_new(debug_data, code_begin(&module->symbols->image),
						  intern_inlined, module);
	}
}

const struct itp_inlined_chain *itp_module_inlined(struct itp_module *module, uint64_t offset)
{
	const struct itp_inlined_chain *chain = NULL;
	uint64_t vaddr;

	if (module->awaits_inlines && module->symbols && module->file && !module->is_system) {
		open_inlines(module);
	}
	module->awaits_inlines = false;
	if (module->inlines && itp_elf_image_vaddr(&module->symbols->image, offset, &vaddr)) {
		chain = itp_inlines_find(module->inlines, vaddr);
		if (module->look_up_count % FORGET_LOOK_UPS == 0) {
			itp_inlines_forget(module->inlines);
		}
	}
	return chain;
}

/* ---- Functions ---- */

static bool is_signal_frame(const struct itp_module *module, uint64_t vaddr)
{
	bool is_lasting;
	const struct itp_cfi_row *row =
		module->symbols->cfi ? itp_cfi_find(module->symbols->cfi, vaddr, &is_lasting) :
				       NULL;

	return row && row->is_signal_frame;
}

uint32_t itp_module_function_at(struct itp_module *module, uint64_t vaddr)
{
	struct itp_elf_function found = itp_elf_symbols_find(module->symbols, vaddr);
	const struct itp_function facts = { .is_signal_frame = is_signal_frame(module, vaddr),
					    .is_go = found.is_go };
	uint32_t function = found.name ?
				    intern_named(module, found.name, found.name_length, &facts) :
				    intern_unnamed(module, found.start, &facts);

	if (++module->look_up_count % FORGET_LOOK_UPS == 0) {
		itp_elf_symbols_forget(module->symbols);
	}
	return function;
}

uint32_t itp_module_function(struct itp_module *module, uint64_t offset, bool *ret_is_lasting)
{
	const struct itp_function nothing = { .name = NULL };
	uint64_t vaddr;

	*ret_is_lasting = true;
	if (!itp_module_symbols(module)) {
		return jit_function(module, offset, ret_is_lasting);
	}
	return itp_elf_image_vaddr(&module->symbols->image, offset, &vaddr) ?
		       itp_module_function_at(module, vaddr) :
		       intern_unnamed(module, offset, &nothing);
}

uint64_t itp_module_address(const struct itp_module *module, uint64_t offset)
{
	uint64_t vaddr = offset;

	if (module->symbols) {
		itp_elf_image_vaddr(&module->symbols->image, offset, &vaddr);
	}
	return vaddr;
}

/* Address of the file's begin in memory, as in its symbol table. */
static uint64_t first_vaddr(const struct itp_elf_image *image)
{
	const GElf_Phdr *first = itp_elf_image_segment(image, PT_LOAD);

	return first ? first->p_vaddr & ~ITP_PAGE_MASK : 0;
}

bool itp_module_code(struct itp_module *module, guint number, struct itp_module_code *ret_code)
{
	const struct itp_elf_symbols *symbols = needed_file(module);

	for (guint i = 0; symbols && i < symbols->image.segments->len; i++) {
		const GElf_Phdr *segment = &g_array_index(symbols->image.segments, GElf_Phdr, i);
		uint64_t offset = segment->p_offset & ~ITP_PAGE_MASK;

		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) || number-- > 0) {
			continue;
		}
		*ret_code = (struct itp_module_code){
			.offset = offset,
			.length = (segment->p_offset + segment->p_filesz - offset + ITP_PAGE_MASK) &
				  ~ITP_PAGE_MASK,
			.distance =
				(segment->p_vaddr & ~ITP_PAGE_MASK) - first_vaddr(&symbols->image),
		};
		return true;
	}
	return false;
}

const struct itp_elf_symbols *itp_module_symbols(struct itp_module *module)
{
	(void)needed_file(module);
	read_names(module);
	return module->symbols;
}

const struct itp_elf_image *itp_module_image(struct itp_module *module)
{
	if (!module->debuginfod) {
		load_module(module);
	}
	return module->symbols ? &module->symbols->image : NULL;
}

const struct itp_elf_symbols *itp_module_peek(struct itp_module *module)
{
	(void)itp_module_image(module);
	read_names(module);
	return module->symbols;
}

const struct itp_cfi_row *itp_module_made_row(struct itp_module *module, uint64_t address)
{
	const struct itp_symbol *function;
	bool is_lasting;

	if (!itp_module_is_memory(module)) {
		return NULL;
	}
	load_module(module);
	function = made_symbol(module, address, &is_lasting);
	return function ? itp_made_code_row(function, address) : NULL;
}

struct itp_cfi *itp_module_cfi(struct itp_module *module, uint64_t offset, uint64_t *ret_vaddr)
{
	const struct itp_elf_symbols *symbols = needed_file(module);

	if (!symbols || !itp_elf_image_vaddr(&symbols->image, offset, ret_vaddr)) {
		return NULL;
	}
	if (symbols->has_named_beginnings) {
		read_names(module);
	}
	return symbols->cfi;
}

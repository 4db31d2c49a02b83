/* SPDX-License-Identifier: MIT */
/*
 * Two caches before the real look-ups.
 *
 * The first is a fixed table indexed by a hash of address and layout, whose entries displace one
 * another; it answers nearly all questions. The second knows every place ever looked up, by module
 * and offset, so that new processes with old files are cheap too.
 */
#include "common/symbol/symbolizer.h"

#include "common/base/hash.h"
#include "common/symbol/jit-dump.h"

#include <string.h>
#include <sys/utsname.h>

/* 256 KiB: stays in the second-level cache. */
#define RECENT_BITS 13

/* Layout of the kernel's addresses; 0 is the layout of empty address spaces and of unused
 * entries. */
#define KERNEL_LAYOUT 1

/* Most bytes of code of which only the beginning is known. */
#define MAX_GUESSED_BYTES (UINT64_C(256) << 20)

/* Pieces of moved code that follow one another: 2 GiB in huge pages that were moved one by one. */
#define MAX_MOVED_PIECES 1024

struct recent {
	uint64_t address;
	uint64_t slide;
	/* Weak, may be NULL. */
	const struct itp_inlined_chain *inlined;
	uint32_t layout;
	uint32_t function;
};

struct place {
	/* The module, NULL for the kernel. Weak. */
	struct itp_module *module;
	uint64_t offset;
	/* Weak, may be NULL. */
	const struct itp_inlined_chain *inlined;
	uint32_t function;
};

struct itp_symbolizer {
	/* Root of the files, NULL for this machine. Owned by this. */
	char *symfs;
	/* Weak. */
	struct itp_function_table *table;
	/* Weak, may be NULL. */
	struct itp_debuginfod *debuginfod;
	/* Owned by this. */
	struct itp_kernel *kernel;
	/* Owned by this. */
	struct itp_kernel_programs *programs;
	/* struct itp_module by path and build id. Owned by this. */
	GHashTable *modules;
	/* Recorded build ids by path. Owned by this. */
	GHashTable *build_ids;
	/* struct itp_jit_dump by path, NULL for a missing file. Owned by this. */
	GHashTable *jit_dumps;
	/* Set of struct place. Owned by this. */
	GHashTable *places;
	uint32_t last_layout;
	bool is_running_kernel;
	/* The recording is of this machine. */
	bool is_recorded_here;
	int64_t recorded_s;
	bool demangle;
	bool inlines;
	bool is_monotonic;
	struct recent recent[1u << RECENT_BITS];
};

static guint place_hash(gconstpointer key)
{
	const struct place *place = key;

	return itp_hash_number(GSIZE_TO_POINTER(place->offset ^ (uintptr_t)place->module));
}

static gboolean place_equal(gconstpointer a, gconstpointer b)
{
	const struct place *left = a;
	const struct place *right = b;

	return left->module == right->module && left->offset == right->offset;
}

static void free_module(gpointer module)
{
	itp_module_free(module);
}

static void free_jit_dump(gpointer dump)
{
	itp_jit_dump_free(dump);
}

static bool is_running_release(const char *os_release)
{
	struct utsname name;

	return os_release && uname(&name) == 0 && strcmp(name.release, os_release) == 0;
}

/* Files of another machine have other numbers. */
static bool is_recorded_here(const struct itp_symbolizer_options *options)
{
	struct utsname name;

	return !options->symfs && options->hostname && uname(&name) == 0 &&
	       strcmp(name.nodename, options->hostname) == 0 &&
	       is_running_release(options->os_release);
}

struct itp_symbolizer *itp_symbolizer_new(const struct itp_symbolizer_options *options,
					  struct itp_function_table *functions)
{
	struct itp_symbolizer *symbolizer = g_new0(struct itp_symbolizer, 1);

	symbolizer->symfs = g_strdup(options->symfs);
	symbolizer->table = functions;
	symbolizer->debuginfod = options->debuginfod;
	symbolizer->kernel = itp_kernel_new(options->kallsyms, options->os_release, functions);
	symbolizer->programs = itp_kernel_programs_new(functions);
	symbolizer->modules =
		g_hash_table_new_full(itp_hash_text, g_str_equal, g_free, free_module);
	symbolizer->build_ids = g_hash_table_new_full(itp_hash_text, g_str_equal, g_free, g_free);
	symbolizer->jit_dumps =
		g_hash_table_new_full(itp_hash_text, g_str_equal, g_free, free_jit_dump);
	symbolizer->places = g_hash_table_new_full(place_hash, place_equal, g_free, NULL);
	symbolizer->last_layout = KERNEL_LAYOUT;
	symbolizer->is_running_kernel = is_running_release(options->os_release);
	symbolizer->is_recorded_here = is_recorded_here(options);
	symbolizer->recorded_s = options->recorded_s;
	symbolizer->demangle = options->demangle;
	symbolizer->inlines = options->inlines;
	symbolizer->is_monotonic = options->is_monotonic;
	return symbolizer;
}

void itp_symbolizer_free(struct itp_symbolizer *symbolizer)
{
	if (!symbolizer) {
		return;
	}
	g_hash_table_destroy(symbolizer->places);
	g_hash_table_destroy(symbolizer->modules);
	g_hash_table_destroy(symbolizer->build_ids);
	g_hash_table_destroy(symbolizer->jit_dumps);
	itp_kernel_programs_free(symbolizer->programs);
	itp_kernel_free(symbolizer->kernel);
	g_free(symbolizer->symfs);
	g_free(symbolizer);
}

void itp_symbolizer_set_build_id(struct itp_symbolizer *symbolizer, const char *path,
				 const char *build_id)
{
	g_hash_table_insert(symbolizer->build_ids, g_strdup(path), g_strdup(build_id));
}

struct itp_kernel *itp_symbolizer_kernel(struct itp_symbolizer *symbolizer)
{
	return symbolizer->kernel;
}

struct itp_kernel_programs *itp_symbolizer_programs(struct itp_symbolizer *symbolizer)
{
	return symbolizer->programs;
}

static struct itp_module *module_of(struct itp_symbolizer *symbolizer,
				    const struct itp_map_request *request)
{
	bool is_anonymous = itp_module_is_anonymous(request->path);
	const char *build_id = request->build_id;
	const uint64_t inode = symbolizer->is_recorded_here && !is_anonymous ? request->inode : 0;
	g_autofree char *key = NULL;
	struct itp_module *module;

	if (!build_id) {
		build_id = g_hash_table_lookup(symbolizer->build_ids, request->path);
	}
	if (!build_id) {
		build_id = "";
	}
	/* The name of memory without a file stands for other memory in every process, and a path
	 * for other files in every container. */
	key = g_strdup_printf("%s %" G_GUINT32_FORMAT " %" G_GINT32_FORMAT " %" G_GUINT64_FORMAT
			      " %s",
			      build_id, request->debug_link ? request->debug_link->checksum : 0,
			      is_anonymous ? request->pid : 0, inode, request->path);
	module = g_hash_table_lookup(symbolizer->modules, key);
	if (!module) {
		const struct itp_module_origin origin = {
			.path = request->path,
			.build_id = build_id,
			.debug_link = request->debug_link,
			.symfs = symbolizer->symfs,
			.debuginfod = symbolizer->debuginfod,
			.pid = request->pid,
			.mapped = { .inode = inode,
				    .pid = symbolizer->is_recorded_here ? request->pid : 0,
				    .recorded_s = symbolizer->recorded_s },
			.mapped_bytes = request->extent == ITP_MAP_RANGE ? request->length : 0,
			.is_running_kernel = symbolizer->is_running_kernel,
			.demangle = symbolizer->demangle,
			.inlines = symbolizer->inlines,
		};

		module = itp_module_new(&origin, symbolizer->table);
		g_hash_table_insert(symbolizer->modules, g_steal_pointer(&key), module);
	}
	return module;
}

struct itp_module *itp_symbolizer_module(struct itp_symbolizer *symbolizer, const char *path)
{
	const struct itp_map_request request = { .path = path, .pid = -1 };

	return module_of(symbolizer, &request);
}

/* Dump at `path`, which is looked at once; NULL when there is none. */
static struct itp_jit_dump *jit_dump_of(struct itp_symbolizer *symbolizer, const char *path)
{
	const struct itp_jit_dump_options options = { .root = symbolizer->symfs,
						      .has_times = symbolizer->is_monotonic,
						      .demangle = symbolizer->demangle };
	gpointer dump;

	if (!g_hash_table_lookup_extended(symbolizer->jit_dumps, path, NULL, &dump)) {
		dump = itp_jit_dump_new(path, &options, symbolizer->table);
		g_hash_table_insert(symbolizer->jit_dumps, g_strdup(path), dump);
	}
	return dump;
}

/* Maps a range; `image` is the address of the whole file's begin, 0 when unknown. */
static void map_range(struct itp_symbolizer *symbolizer, struct itp_address_space **space,
		      struct itp_module *module, const struct itp_map_request *range,
		      uint64_t image)
{
	const struct itp_mapping mapping = {
		.start = range->start,
		.end = range->length > UINT64_MAX - range->start ? UINT64_MAX :
								   range->start + range->length,
		.offset = itp_module_is_anonymous(range->path) ? range->start : range->offset,
		.image = image,
		.module = module,
		.is_byte_code = range->is_byte_code,
	};

	itp_address_space_map(space, &mapping, ++symbolizer->last_layout);
}

/* Where memory without a file begins that reaches from there to `end`, in pieces that follow one
 * another; `end` when there is none. */
static uint64_t memory_begin(struct itp_address_space *space, uint64_t end)
{
	uint64_t begin = end;

	for (guint i = 0; i < MAX_MOVED_PIECES; i++) {
		const struct itp_mapping *mapping = itp_address_space_find(space, begin - 1);

		if (!mapping || !itp_module_is_memory(mapping->module)) {
			break;
		}
		begin = mapping->start;
	}
	return begin;
}

/* The part of a file that lies behind such memory, from that at `address` on; NULL for none. */
static const struct itp_mapping *next_file(struct itp_address_space *space, uint64_t address)
{
	const struct itp_mapping *mapping = itp_address_space_find(space, address);

	for (guint i = 0; mapping && itp_module_is_memory(mapping->module); i++) {
		mapping = i < MAX_MOVED_PIECES ? itp_address_space_find(space, mapping->end) : NULL;
	}
	return mapping;
}

/* Where the file's code begins of which `part` is mapped, as the file tells; the part's own
 * beginning where that is not at hand. */
static uint64_t code_begin(const struct itp_mapping *part)
{
	struct itp_module_code code;

	for (guint i = 0; itp_module_image(part->module) && itp_module_code(part->module, i, &code);
	     i++) {
		if (part->offset >= code.offset && part->offset - code.offset < code.length) {
			return part->start - (part->offset - code.offset);
		}
	}
	return part->start;
}

/* Code that a program has moved to other pages, as to huge ones, is the file's still: memory
 * between two parts of one file that are as far from each other in the file, or in front of a part,
 * just told of, of a file whose code begins earlier. A part whose beginning was mapped over later
 * need not be there any more: nobody tells when a library goes. */
static void restore_moved(struct itp_symbolizer *symbolizer, struct itp_address_space **space,
			  uint64_t address)
{
	const struct itp_mapping *above = next_file(*space, address);
	const uint64_t begin = above ? memory_begin(*space, above->start) : 0;
	const struct itp_mapping *below = begin > 0 ? itp_address_space_find(*space, begin - 1) :
						      NULL;
	struct itp_mapping moved;

	if (!above || begin == above->start) {
		return;
	}
	moved = *above;
	moved.end = above->start;
	moved.start = above->start;
	if (below && below->module == above->module &&
	    above->start - below->start == above->offset - below->offset) {
		moved.start = begin;
	} else if (above->start == address) {
		moved.start = MAX(begin, code_begin(above));
	}
	moved.offset = above->offset - (above->start - moved.start);
	itp_address_space_map(space, &moved, ++symbolizer->last_layout);
}

/* Of several parts it could be any. Then, as without the file, it is as long as it can be. */
static void map_code(struct itp_symbolizer *symbolizer, struct itp_address_space **space,
		     struct itp_module *module, const struct itp_map_request *request)
{
	struct itp_map_request range = *request;
	struct itp_module_code code;
	struct itp_module_code other;

	range.offset = 0;
	range.length = MIN(itp_address_space_room(*space, range.start), MAX_GUESSED_BYTES);
	if (itp_module_code(module, 0, &code) && !itp_module_code(module, 1, &other)) {
		range.offset = code.offset;
		range.length = code.length;
	}
	map_range(symbolizer, space, module, &range, 0);
}

static void map_image(struct itp_symbolizer *symbolizer, struct itp_address_space **space,
		      struct itp_module *module, const struct itp_map_request *request)
{
	struct itp_map_request range = *request;
	struct itp_module_code code;
	guint number = 0;

	for (; itp_module_code(module, number, &code); number++) {
		range.start = request->start + code.distance;
		range.offset = code.offset;
		range.length = code.length;
		map_range(symbolizer, space, module, &range, request->start);
	}
	if (number == 0) {
		range.offset = 0;
		map_range(symbolizer, space, module, &range, request->start);
	}
}

/* Path of the request's file. Programs can be started from a file in memory: loaders map it as
 * private, while code made there is written through another mapping. Without the slash it is a file
 * that cannot be read, with known places. */
static const char *path_of_request(const struct itp_map_request *request)
{
	return request->path +
	       (request->is_private && g_str_has_prefix(request->path, ITP_MEMORY_FILE) ? 1 : 0);
}

void itp_symbolizer_map(struct itp_symbolizer *symbolizer, struct itp_address_space **space,
			const struct itp_map_request *asked)
{
	struct itp_map_request request = *asked;
	struct itp_module *module;

	request.path = path_of_request(asked);
	module = module_of(symbolizer, &request);
	switch (request.extent) {
	case ITP_MAP_RANGE:
		map_range(symbolizer, space, module, &request, 0);
		restore_moved(symbolizer, space, request.start);
		break;
	case ITP_MAP_CODE:
		map_code(symbolizer, space, module, &request);
		break;
	case ITP_MAP_IMAGE:
		map_image(symbolizer, space, module, &request);
		break;
	}
	if (itp_jit_dump_is_path(request.path)) {
		itp_address_space_set_jit(space, jit_dump_of(symbolizer, request.path));
	}
}

void itp_symbolizer_unmap(struct itp_symbolizer *symbolizer, struct itp_address_space **space,
			  uint64_t start)
{
	itp_address_space_unmap(space, start, ++symbolizer->last_layout);
}

void itp_symbolizer_advance(struct itp_symbolizer *symbolizer, struct itp_address_space *space,
			    uint64_t time_ns)
{
	struct itp_jit_dump *dump = itp_address_space_jit(space);

	if (!dump) {
		return;
	}
	itp_jit_dump_advance(dump, time_ns);
	if (itp_address_space_renew(space, itp_jit_dump_generation(dump),
				    symbolizer->last_layout + 1)) {
		symbolizer->last_layout++;
	}
}

static struct recent *recent_entry(struct itp_symbolizer *symbolizer, uint32_t layout,
				   uint64_t address)
{
	uint64_t mixed = (address + ((uint64_t)layout << 40)) * UINT64_C(0x9e3779b97f4a7c15);

	return &symbolizer->recent[mixed >> (64 - RECENT_BITS)];
}

/* Functions at a place; `*ret_is_lasting` tells whether later look-ups give the same. */
static struct place find_functions(struct itp_symbolizer *symbolizer, struct itp_module *module,
				   uint64_t offset, bool *ret_is_lasting)
{
	struct place key = { .module = module, .offset = offset };
	const struct place *place = g_hash_table_lookup(symbolizer->places, &key);

	*ret_is_lasting = true;
	if (place) {
		return *place;
	}
	key.function = module ? itp_module_function(module, offset, ret_is_lasting) :
				itp_kernel_function(symbolizer->kernel, offset);
	key.inlined = module ? itp_module_inlined(module, offset) : NULL;
	if (*ret_is_lasting) {
		g_hash_table_add(symbolizer->places, g_memdup2(&key, sizeof(key)));
	}
	return key;
}

/* False once a file was mapped over such code. */
static bool is_jit_code(const struct itp_address_space *space, const struct itp_mapping *mapping,
			uint64_t address, uint32_t *ret_function)
{
	struct itp_jit_dump *dump = itp_address_space_jit(space);

	return dump && (!mapping || itp_module_is_memory(mapping->module)) &&
	       itp_jit_dump_find(dump, address, ret_function);
}

static struct recent look_up_address(struct itp_symbolizer *symbolizer,
				     struct itp_address_space *space, uint64_t address,
				     bool *ret_is_lasting)
{
	const struct itp_mapping *mapping = itp_address_space_find(space, address);
	struct recent found = {
		.address = address,
		.layout = itp_address_space_layout(space),
		.function = ITP_FUNCTION_UNMAPPED,
	};

	*ret_is_lasting = true;
	if (!is_jit_code(space, mapping, address, &found.function) && mapping) {
		uint64_t offset = address - mapping->start + mapping->offset;
		struct place place =
			find_functions(symbolizer, mapping->module, offset, ret_is_lasting);

		found.function = place.function;
		found.inlined = place.inlined;
		found.slide = address - itp_module_address(mapping->module, offset);
	}
	return found;
}

uint32_t itp_symbolizer_user(struct itp_symbolizer *symbolizer, struct itp_address_space *space,
			     uint64_t address, uint64_t *ret_slide)
{
	uint32_t layout = itp_address_space_layout(space);
	struct recent *recent = recent_entry(symbolizer, layout, address);
	struct recent found = *recent;
	bool is_lasting;

	if (found.address != address || found.layout != layout) {
		if (itp_address_space_is_empty(space)) {
			*ret_slide = 0;
			return ITP_FUNCTION_UNKNOWN;
		}
		found = look_up_address(symbolizer, space, address, &is_lasting);
		if (is_lasting) {
			*recent = found;
		}
	}
	*ret_slide = found.slide;
	return found.function;
}

const struct itp_inlined_chain *itp_symbolizer_inlined(struct itp_symbolizer *symbolizer,
						       const struct itp_address_space *space,
						       uint64_t address)
{
	const uint32_t layout = itp_address_space_layout(space);
	const struct recent *recent;

	if (!symbolizer->inlines) {
		return NULL;
	}
	recent = recent_entry(symbolizer, layout, address);
	return recent->address == address && recent->layout == layout ? recent->inlined : NULL;
}

uint32_t itp_symbolizer_kernel_function(struct itp_symbolizer *symbolizer, uint64_t address,
					uint64_t *ret_slide)
{
	struct recent *recent = recent_entry(symbolizer, KERNEL_LAYOUT, address);
	uint32_t function;
	bool is_lasting;

	/* Not kept beside the others: another program may be there soon. */
	if (itp_kernel_programs_find(symbolizer->programs, address, &function)) {
		*ret_slide = 0;
		return function;
	}
	if (recent->address != address || recent->layout != KERNEL_LAYOUT) {
		*recent = (struct recent){
			.address = address,
			.layout = KERNEL_LAYOUT,
			.function = find_functions(symbolizer, NULL, address, &is_lasting).function,
			.slide = itp_kernel_slide(symbolizer->kernel, address),
		};
	}
	*ret_slide = recent->slide;
	return recent->function;
}

bool itp_symbolizer_is_interruption(const struct itp_symbolizer *symbolizer, uint32_t function)
{
	return itp_function_table_get(symbolizer->table, function)->is_signal_frame;
}

bool itp_symbolizer_may_call(const struct itp_symbolizer *symbolizer, uint32_t caller,
			     uint32_t callee)
{
	const struct itp_function *called = itp_function_table_get(symbolizer->table, callee);

	return !called->leaves_stack || !called->is_go ||
	       itp_function_table_get(symbolizer->table, caller)->is_go;
}

static gint compare_warnings(gconstpointer a, gconstpointer b)
{
	const struct itp_symbol_warning *left = a;
	const struct itp_symbol_warning *right = b;
	int order = strcmp(left->path, right->path);

	return order != 0 ? order : strcmp(left->build_id, right->build_id);
}

static void add_jit_warnings(const struct itp_symbolizer *symbolizer, GArray *warnings)
{
	struct itp_symbol_warning warning = { .build_id = "", .found_build_id = "" };
	GHashTableIter iterator;
	gpointer path;
	gpointer dump;

	g_hash_table_iter_init(&iterator, symbolizer->jit_dumps);
	while (g_hash_table_iter_next(&iterator, &path, &dump)) {
		warning.path = path;
		warning.problem = dump ? ITP_SYMBOLS_CHANGED : ITP_SYMBOLS_NO_JIT_DUMP;
		if (!dump || itp_jit_dump_is_changed(dump)) {
			g_array_append_val(warnings, warning);
		}
	}
}

/* True for two warnings about a single file: it may have several build ids, or none, and is missing
 * once. */
static bool is_same_warning(const struct itp_symbol_warning *left,
			    const struct itp_symbol_warning *right)
{
	return left->problem == right->problem && left->problem != ITP_SYMBOLS_OTHER_BUILD &&
	       g_str_equal(left->path, right->path);
}

void itp_symbolizer_warnings(const struct itp_symbolizer *symbolizer,
			     itp_symbol_warning_function function, void *data)
{
	g_autoptr(GArray) warnings = g_array_new(FALSE, FALSE, sizeof(struct itp_symbol_warning));
	struct itp_symbol_warning warning;
	GHashTableIter iterator;
	gpointer module;

	if (itp_kernel_warning(symbolizer->kernel, &warning)) {
		function(&warning, data);
	}
	g_hash_table_iter_init(&iterator, symbolizer->modules);
	while (g_hash_table_iter_next(&iterator, NULL, &module)) {
		if (itp_module_warning(module, &warning)) {
			g_array_append_val(warnings, warning);
		}
	}
	add_jit_warnings(symbolizer, warnings);
	g_array_sort(warnings, compare_warnings);
	for (guint i = 0; i < warnings->len; i++) {
		const struct itp_symbol_warning *next =
			&g_array_index(warnings, struct itp_symbol_warning, i);

		if (i == 0 || !is_same_warning(next - 1, next)) {
			function(next, data);
		}
	}
}

static void note_change(const struct itp_symbol_warning *warning, void *data)
{
	bool *is_changed = data;

	*is_changed |= warning->problem == ITP_SYMBOLS_CHANGED;
}

bool itp_symbolizer_has_changes(const struct itp_symbolizer *symbolizer)
{
	bool is_changed = false;

	itp_symbolizer_warnings(symbolizer, note_change, &is_changed);
	return is_changed;
}

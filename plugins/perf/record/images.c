/* SPDX-License-Identifier: MIT */
/*
 * See images.h.
 */
#include "plugins/perf/record/images.h"

#include <string.h>

#include "common/control-flow/stack-depth.h"
#include "common/symbol/module.h"
#include "plugins/perf/record/interpreters.h"

struct itp_recorder_images {
	/* Weak. */
	struct itp_recorder_kernel *kernel;
	/* Steps of all tables, owned by this; and their number in the kernel. */
	struct itp_steps *steps;
	guint known_steps;
	/* struct loaded by struct itp_module. Owned by this. */
	GHashTable *loaded;
	/* Rows and index entries in the kernel. */
	uint32_t row_count;
	uint32_t index_count;
	/* Number of loaded files, now and when each image was last completed. */
	guint load_count;
	guint told_counts[ITP_RECORD_IMAGES];
};

/* A file's table in the kernel. */
struct loaded {
	/* Address of the file from which rows count. */
	uint64_t base;
	/* Place of the first index entry. */
	uint32_t index;
	/* Number of buckets, 0 without a table. */
	uint32_t buckets;
};

struct itp_recorder_images *itp_recorder_images_new(struct itp_recorder_kernel *kernel)
{
	struct itp_recorder_images *images = g_new0(struct itp_recorder_images, 1);

	images->kernel = kernel;
	images->steps = itp_steps_new();
	images->loaded = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	return images;
}

void itp_recorder_images_free(struct itp_recorder_images *images)
{
	if (!images) {
		return;
	}
	itp_steps_free(images->steps);
	g_hash_table_unref(images->loaded);
	g_free(images);
}

static void tell_steps(struct itp_recorder_images *images)
{
	for (; images->known_steps < itp_steps_count(images->steps); images->known_steps++) {
		itp_recorder_kernel_set_step(images->kernel, images->known_steps,
					     itp_steps_get(images->steps, images->known_steps));
	}
}

static bool has_room(const struct itp_recorder_images *images, const struct itp_step_table *table)
{
	return table->rows->len <= ITP_RECORD_ROWS - images->row_count &&
	       table->index->len <= ITP_RECORD_INDEX - images->index_count;
}

/* Adds a table to the kernel's; the index there counts rows of all files. */
static void tell_table(struct itp_recorder_images *images, const struct itp_step_table *table)
{
	const struct itp_step_row *rows = &g_array_index(table->rows, struct itp_step_row, 0);

	itp_recorder_kernel_set_rows(images->kernel, images->row_count, rows, table->rows->len);
	for (guint i = 0; i < table->index->len; i++) {
		itp_recorder_kernel_set_index(images->kernel, images->index_count + i,
					      images->row_count +
						      g_array_index(table->index, uint32_t, i));
	}
	images->row_count += table->rows->len;
	images->index_count += table->index->len;
}

/* NULL for a file without rules. */
static struct itp_step_table *make_table(struct itp_recorder_images *images, struct itp_cfi *cfi)
{
	struct itp_stack_depth *depth = cfi ? itp_stack_depth_new(cfi) : NULL;
	struct itp_step_table *table = NULL;

	if (cfi) {
		table = itp_step_table_new(cfi, images->steps, depth ? itp_stack_depth_tell : NULL,
					   depth);
	}
	itp_stack_depth_free(depth);
	return table;
}

static void load(struct itp_recorder_images *images, const struct itp_mapping *mapping)
{
	struct loaded *loaded = g_new0(struct loaded, 1);
	uint64_t vaddr;
	struct itp_cfi *cfi = itp_module_cfi(mapping->module, mapping->offset, &vaddr);
	struct itp_step_table *table = make_table(images, cfi);

	g_hash_table_insert(images->loaded, mapping->module, loaded);
	images->load_count++;
	if (table && has_room(images, table)) {
		loaded->base = table->base;
		loaded->index = images->index_count;
		loaded->buckets = table->index->len - 1;
		tell_table(images, table);
	}
	tell_steps(images);
	itp_step_table_free(table);
}

/* Completes a mapping with its file's table, perhaps while a program in the kernel reads both:
 * `buckets`, written last, makes the rest valid. */
static void complete_mapping(struct itp_recorder_images *images,
			     struct itp_record_mapping *completed,
			     const struct itp_mapping *mapping)
{
	const struct loaded *loaded = g_hash_table_lookup(images->loaded, mapping->module);
	uint64_t vaddr;

	if (completed->buckets == 0 && loaded && loaded->buckets > 0 &&
	    itp_module_cfi(mapping->module, mapping->offset, &vaddr)) {
		completed->base = mapping->start - vaddr + loaded->base;
		completed->index = loaded->index;
		__atomic_store_n(&completed->buckets, loaded->buckets, __ATOMIC_SEQ_CST);
	}
}

/* Files of interpreters have names with "python"; to look into a file takes time. */
static bool may_interpret(const struct itp_mapping *mapping)
{
	const char *path = itp_module_path(mapping->module);
	const char *slash = strrchr(path, '/');

	return slash &&
	       (g_str_has_prefix(slash, "/python") || g_str_has_prefix(slash, "/libpython"));
}

/* Mapping of the first file of an interpreter, from `*next` on, which is set behind it; NULL behind
 * the last. */
static const struct itp_mapping *next_interpreter(const struct itp_address_space *space,
						  uint32_t *next)
{
	const struct itp_mapping *mapping;

	while ((mapping = itp_address_space_get(space, (*next)++))) {
		if (may_interpret(mapping)) {
			return mapping;
		}
	}
	return NULL;
}

static void find_interpreter(const struct itp_recorder_images *images,
			     struct itp_record_image *image, const struct itp_address_space *space)
{
	const struct itp_mapping *mapping;
	uint32_t next = 0;

	while ((mapping = next_interpreter(space, &next))) {
		if (itp_recorder_interpreter_find(mapping, &image->interpreter)) {
			itp_recorder_kernel_note_interpreter(images->kernel);
			return;
		}
	}
	image->interpreter = (struct itp_record_interpreter){ .runtime = 0 };
}

/* True for a process that makes code with frames of another kind: CPython's for profilers, with
 * rules of its own (itp_made_code_row()). */
static bool makes_ruled_code(const struct itp_address_space *space)
{
	uint32_t next = 0;

	return next_interpreter(space, &next) != NULL;
}

/* Tells an image. Mappings beyond ITP_RECORD_MAPPINGS are left out: stacks through them are copied.
 */
static void tell_image(struct itp_recorder_images *images, const struct itp_address_space *space,
		       uint32_t number)
{
	struct itp_record_image *image = itp_recorder_kernel_image(images->kernel, number);
	const struct itp_mapping *mapping;
	uint32_t count = 0;
	bool has_rules;

	if (image->number == number) {
		return;
	}
	has_rules = makes_ruled_code(space);
	__atomic_store_n(&image->number, ITP_RECORD_NO_IMAGE, __ATOMIC_SEQ_CST);
	while (count < ITP_RECORD_MAPPINGS && (mapping = itp_address_space_get(space, count))) {
		image->mappings[count] =
			(struct itp_record_mapping){ .begin = mapping->start, .end = mapping->end };
		if (itp_module_is_memory(mapping->module) && !has_rules) {
			image->mappings[count].buckets = ITP_RECORD_MADE_CODE;
		}
		complete_mapping(images, &image->mappings[count], mapping);
		count++;
	}
	image->count = count;
	find_interpreter(images, image, space);
	images->told_counts[number % ITP_RECORD_IMAGES] = images->load_count;
	__atomic_store_n(&image->number, number, __ATOMIC_SEQ_CST);
}

void itp_recorder_images_need(struct itp_recorder_images *images, struct itp_address_space *space,
			      const uint64_t *frames, guint count)
{
	const uint32_t number = itp_address_space_layout(space);
	struct itp_record_image *image = itp_recorder_kernel_image(images->kernel, number);
	guint *told_count = &images->told_counts[number % ITP_RECORD_IMAGES];

	for (guint i = 0; i < count; i++) {
		const struct itp_mapping *mapping = itp_address_space_find(space, frames[i] - 1);

		if (mapping && !g_hash_table_contains(images->loaded, mapping->module)) {
			load(images, mapping);
		}
	}
	if (image->number != number || *told_count == images->load_count) {
		return;
	}
	for (uint32_t i = 0; i < image->count; i++) {
		complete_mapping(images, &image->mappings[i], itp_address_space_get(space, i));
	}
	*told_count = images->load_count;
}

void itp_recorder_images_tell(struct itp_recorder_images *images, const struct itp_process *process,
			      uint32_t execs)
{
	const uint32_t number = itp_address_space_layout(process->space);

	if (number != ITP_RECORD_NO_IMAGE) {
		tell_image(images, process->space, number);
		itp_recorder_kernel_set_space(images->kernel, process->pid, number, execs);
	}
}

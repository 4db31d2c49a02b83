/* SPDX-License-Identifier: MIT */
/*
 * See images.h.
 */
#include "plugins/perf/record/images.h"

#include "common/base/hash.h"
#include "common/symbol/module.h"
#include "common/unwind/step-table.h"

struct itp_recorder_images {
	/* Weak. */
	struct itp_recorder_kernel *kernel;
	/* Owned by this; and how many of them the kernel knows. */
	struct itp_steps *steps;
	guint known_steps;
	/* struct itp_module → struct loaded. Owned by this. */
	GHashTable *loaded;
	uint32_t row_count;
	uint32_t index_count;
};

/* A file's table in the kernel. */
struct loaded {
	/* Of the file's own addresses. */
	uint64_t base;
	uint32_t index;
	/* 0 when it has none. */
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

/* The index counts rows of all files. */
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

/* `cfi` is the module's. */
static const struct loaded *load(struct itp_recorder_images *images, struct itp_module *module,
				 struct itp_cfi *cfi)
{
	struct loaded *loaded = g_hash_table_lookup(images->loaded, module);
	struct itp_step_table *table;

	if (loaded) {
		return loaded;
	}
	loaded = g_new0(struct loaded, 1);
	g_hash_table_insert(images->loaded, module, loaded);
	table = itp_step_table_new(cfi, images->steps);
	if (table && has_room(images, table)) {
		loaded->base = table->base;
		loaded->index = images->index_count;
		loaded->buckets = table->index->len - 1;
		tell_table(images, table);
	}
	tell_steps(images);
	itp_step_table_free(table);
	return loaded;
}

static void add_mapping(struct itp_recorder_images *images, struct itp_record_image *image,
			const struct itp_mapping *mapping)
{
	struct itp_record_mapping *added = &image->mappings[image->count++];
	const struct loaded *loaded;
	struct itp_cfi *cfi;
	uint64_t vaddr;

	*added = (struct itp_record_mapping){ .begin = mapping->start, .end = mapping->end };
	cfi = itp_module_cfi(mapping->module, mapping->offset, &vaddr);
	if (cfi) {
		loaded = load(images, mapping->module, cfi);
		added->base = mapping->start - vaddr + loaded->base;
		added->index = loaded->index;
		added->buckets = loaded->buckets;
	}
}

/* A process with more mappings than fit lacks the last ones, through which stacks are copied. */
static void tell_image(struct itp_recorder_images *images, const struct itp_address_space *space,
		       uint32_t number)
{
	struct itp_record_image *image = itp_recorder_kernel_image(images->kernel, number);
	const struct itp_mapping *mapping;

	if (image->number == number) {
		return;
	}
	__atomic_store_n(&image->number, ITP_RECORD_NO_IMAGE, __ATOMIC_SEQ_CST);
	image->count = 0;
	for (uint32_t i = 0; i < ITP_RECORD_MAPPINGS; i++) {
		mapping = itp_address_space_get(space, i);
		if (!mapping) {
			break;
		}
		add_mapping(images, image, mapping);
	}
	__atomic_store_n(&image->number, number, __ATOMIC_SEQ_CST);
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

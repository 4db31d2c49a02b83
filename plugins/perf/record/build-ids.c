/* SPDX-License-Identifier: MIT */
/*
 * See build-ids.h.
 */
#include "plugins/perf/record/build-ids.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/hash.h"
#include "common/elf/image.h"
#include "common/perf-data/mapping.h"

/* Bytes of an argument, of which the kernel takes 128 KiB. */
#define LIST_BYTES 100000

/* A PERF_RECORD_MMAP2; in place of the file's numbers, a length and the build id. */
struct mapping {
	struct perf_event_header header;
	uint32_t pid;
	uint32_t tid;
	uint64_t start;
	uint64_t length;
	uint64_t offset;
	union {
		struct {
			uint32_t major;
			uint32_t minor;
			uint64_t inode;
			uint64_t generation;
		} file;
		struct {
			uint8_t size;
			uint8_t unused[3];
			uint8_t bytes[ITP_BUILD_ID_MOST];
		} build_id;
	} u;
	uint32_t protection;
	uint32_t flags;
	char path[];
};

struct known {
	uint64_t inode;
	uint8_t size;
	uint8_t bytes[ITP_BUILD_ID_MOST];
};

struct itp_recorder_build_ids {
	/* Path → struct known. Owned by this. */
	GHashTable *known;
};

struct itp_recorder_build_ids *itp_recorder_build_ids_new(void)
{
	struct itp_recorder_build_ids *ids = g_new0(struct itp_recorder_build_ids, 1);

	ids->known = g_hash_table_new_full(itp_hash_text, g_str_equal, g_free, g_free);
	return ids;
}

void itp_recorder_build_ids_free(struct itp_recorder_build_ids *ids)
{
	if (!ids) {
		return;
	}
	g_hash_table_unref(ids->known);
	g_free(ids);
}

static struct known read_file(const char *path)
{
	struct known known = { 0 };
	struct itp_elf_image image;
	struct stat status;

	if (stat(path, &status) != 0 || itp_elf_image_look(&image, path) < 0) {
		return known;
	}
	known.inode = status.st_ino;
	while (known.size < ITP_BUILD_ID_MOST && image.build_id[2 * known.size] != '\0') {
		const char *text = image.build_id + 2 * known.size;

		known.bytes[known.size++] = (uint8_t)(g_ascii_xdigit_value(text[0]) << 4 |
						      g_ascii_xdigit_value(text[1]));
	}
	itp_elf_image_release(&image);
	return known;
}

static const struct known *look_up(struct itp_recorder_build_ids *ids, const char *path,
				   uint64_t inode)
{
	struct known *known = g_hash_table_lookup(ids->known, path);

	if (!known || known->inode != inode) {
		const struct known read = read_file(path);

		known = g_memdup2(&read, sizeof(read));
		g_hash_table_insert(ids->known, g_strdup(path), known);
	}
	return known->inode == inode && known->size > 0 ? known : NULL;
}

void itp_recorder_build_ids_add(struct itp_recorder_build_ids *ids,
				struct perf_event_header *record)
{
	struct mapping *mapping = (struct mapping *)record;
	const struct known *known;

	if (record->type != PERF_RECORD_MMAP2 || record->misc & ITP_MISC_MMAP_BUILD_ID ||
	    record->size <= sizeof(*mapping) || !(mapping->protection & PROT_EXEC) ||
	    mapping->path[0] != '/') {
		return;
	}
	known = look_up(ids, mapping->path, mapping->u.file.inode);
	if (known) {
		memset(&mapping->u, 0, sizeof(mapping->u));
		mapping->u.build_id.size = known->size;
		memcpy(mapping->u.build_id.bytes, known->bytes, known->size);
		record->misc |= ITP_MISC_MMAP_BUILD_ID;
	}
}

void itp_recorder_build_ids_note(struct itp_recorder_build_ids *ids, const char *path)
{
	look_up(ids, path, 0);
}

/* ---- perf's cache ---- */

static bool is_cached(const struct known *known)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *path = NULL;

	for (guint i = 0; i < known->size; i++) {
		g_string_append_printf(text, "%02x", known->bytes[i]);
	}
	path = g_strdup_printf("%s/.debug/.build-id/%.2s/%s", g_get_home_dir(), text->str,
			       text->str + MIN(text->len, 2));
	return access(path, F_OK) == 0;
}

void itp_recorder_build_ids_keep(const struct itp_recorder_build_ids *ids)
{
	const GSpawnFlags flags = G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL |
				  G_SPAWN_STDERR_TO_DEV_NULL;
	g_autoptr(GString) list = g_string_new("--add=");
	const size_t head = list->len;
	GHashTableIter iter;
	gpointer path;
	gpointer known;

	g_hash_table_iter_init(&iter, ids->known);
	while (g_hash_table_iter_next(&iter, &path, &known)) {
		/* A comma divides files there. */
		if (((const struct known *)known)->size > 0 && !is_cached(known) &&
		    !strchr(path, ',') && list->len + strlen(path) < LIST_BYTES) {
			g_string_append_printf(list, "%s%s", list->len > head ? "," : "",
					       (const char *)path);
		}
	}
	if (list->len > head) {
		g_spawn_sync(NULL, (char *[]){ "perf", "buildid-cache", list->str, NULL }, NULL,
			     flags, NULL, NULL, NULL, NULL, NULL, NULL);
	}
}

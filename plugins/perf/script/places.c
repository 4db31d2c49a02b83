/* SPDX-License-Identifier: MIT */
/*
 * See places.h. A place is known as what addresses exceed offsets in the file by.
 */
#include "plugins/perf/script/places.h"

#include "common/base/hash.h"
#include "common/symbol/elf-symbols.h"
#include "plugins/perf/script/returns.h"

#define PAGE_MASK UINT64_C(4095)

/* Searching for a file needs few addresses, and gives up after many. */
#define MIN_RETURNS 2
#define MAX_RETURNS 64

/* A file in a process. */
struct place {
	uint64_t slide;
	bool is_known;
	/* uint64_t, as long as it is not: addresses that calls return to, each once. NULL as long
	 * as there are none. Owned by this. */
	GArray *returns;
	/* How many of them were searched for. */
	guint searched;
};

struct itp_places {
	/* Weak. */
	struct itp_symbolizer *symbolizer;
	/* GHashTable of struct place by path, by pid. Owned by this. */
	GHashTable *processes;
};

static void free_place(gpointer data)
{
	struct place *place = data;

	g_clear_pointer(&place->returns, g_array_unref);
	g_free(place);
}

struct itp_places *itp_places_new(struct itp_symbolizer *symbolizer)
{
	struct itp_places *places = g_new0(struct itp_places, 1);

	places->symbolizer = symbolizer;
	places->processes = g_hash_table_new_full(itp_hash_number, NULL, NULL,
						  (GDestroyNotify)g_hash_table_unref);
	return places;
}

void itp_places_free(struct itp_places *places)
{
	if (!places) {
		return;
	}
	g_hash_table_unref(places->processes);
	g_free(places);
}

void itp_places_forget(struct itp_places *places, int32_t pid)
{
	g_hash_table_remove(places->processes, GINT_TO_POINTER(pid));
}

static GHashTable *files_of(struct itp_places *places, int32_t pid)
{
	GHashTable *files = g_hash_table_lookup(places->processes, GINT_TO_POINTER(pid));

	if (!files) {
		files = g_hash_table_new_full(itp_hash_text, g_str_equal, g_free, free_place);
		g_hash_table_insert(places->processes, GINT_TO_POINTER(pid), files);
	}
	return files;
}

static struct place *place_of(struct itp_places *places, int32_t pid, const char *path)
{
	GHashTable *files = files_of(places, pid);
	struct place *place = g_hash_table_lookup(files, path);

	if (!place) {
		place = g_new0(struct place, 1);
		g_hash_table_insert(files, g_strdup(path), place);
	}
	return place;
}

static void learn(struct itp_places *places, int32_t pid, const char *path, uint64_t slide)
{
	struct place *place = place_of(places, pid, path);

	place->slide = slide;
	place->is_known = true;
	g_clear_pointer(&place->returns, g_array_unref);
}

static const struct itp_elf_image *image_of(struct itp_places *places, const char *path)
{
	const struct itp_elf_symbols *symbols =
		itp_module_symbols(itp_symbolizer_module(places->symbolizer, path));

	return symbols ? &symbols->image : NULL;
}

/* Offset in the file of what its loader puts at `vaddr`. */
static bool offset_of(const struct itp_elf_image *image, uint64_t vaddr, uint64_t *ret_offset)
{
	const GElf_Phdr *segment = itp_elf_image_loaded(image, vaddr);

	if (segment) {
		*ret_offset = vaddr - segment->p_vaddr + segment->p_offset;
	}
	return segment != NULL;
}

/* A file with one part that is code: memory of that length is this part. */
void itp_places_learn_map(struct itp_places *places, int32_t pid, const struct itp_script_map *map)
{
	struct itp_module *module;
	struct itp_module_code code;
	struct itp_module_code other;

	if (!map->path || map->path[0] != '/') {
		return;
	}
	if (map->has_offset) {
		learn(places, pid, map->path, map->start - map->offset);
		return;
	}
	module = itp_symbolizer_module(places->symbolizer, map->path);
	if (itp_module_code(module, 0, &code) && !itp_module_code(module, 1, &other) &&
	    code.length == map->end - map->start) {
		learn(places, pid, map->path, map->start - code.offset);
	}
}

/* A function that is shorter than a page holds one address with the last digits of `ip`. */
static void learn_by_name(struct itp_places *places, int32_t pid, uint64_t ip,
			  const struct itp_script_frame *frame)
{
	const struct itp_elf_symbols *symbols =
		itp_module_symbols(itp_symbolizer_module(places->symbolizer, frame->path));
	const struct itp_symbol *symbol =
		symbols ? itp_symbol_table_find_name(&symbols->table, frame->symbol) : NULL;
	uint64_t vaddr;
	uint64_t offset;

	if (!symbol || symbol->end - symbol->start > PAGE_MASK) {
		return;
	}
	vaddr = symbol->start + ((ip - symbol->start) & PAGE_MASK);
	if (vaddr <= symbol->end && offset_of(&symbols->image, vaddr, &offset)) {
		learn(places, pid, frame->path, ip - offset);
	}
}

void itp_places_learn_frame(struct itp_places *places, int32_t pid, uint64_t ip,
			    const struct itp_script_frame *frame)
{
	if (!frame->path) {
		return;
	}
	if (frame->has_place) {
		learn(places, pid, frame->path, ip - frame->symbol_start - frame->symbol_offset);
	} else if (frame->symbol) {
		learn_by_name(places, pid, ip, frame);
	}
}

void itp_places_learn_entry(struct itp_places *places, int32_t pid, const char *path, uint64_t ip)
{
	const struct itp_elf_image *image = image_of(places, path);
	GElf_Ehdr header;
	uint64_t offset;

	if (image && gelf_getehdr(image->elf, &header) &&
	    ((header.e_entry ^ ip) & PAGE_MASK) == 0 && offset_of(image, header.e_entry, &offset)) {
		learn(places, pid, path, ip - offset);
	}
}

void itp_places_learn_return(struct itp_places *places, int32_t pid, const char *path,
			     uint64_t address)
{
	struct place *place = place_of(places, pid, path);

	if (place->is_known) {
		return;
	}
	if (!place->returns) {
		place->returns = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	}
	for (guint i = 0; i < place->returns->len; i++) {
		if (g_array_index(place->returns, uint64_t, i) == address) {
			return;
		}
	}
	if (place->returns->len < MAX_RETURNS) {
		g_array_append_val(place->returns, address);
	}
}

static void search(struct itp_places *places, const char *path, struct place *place)
{
	const struct itp_elf_image *image = image_of(places, path);
	uint64_t slide;
	uint64_t offset;

	place->searched = place->returns->len;
	if (!image) {
		return;
	}
	switch (itp_returns_search(image, (const uint64_t *)(const void *)place->returns->data,
				   place->returns->len, &slide)) {
	case ITP_RETURNS_FOUND:
		if (offset_of(image, g_array_index(place->returns, uint64_t, 0) - slide, &offset)) {
			place->slide = g_array_index(place->returns, uint64_t, 0) - offset;
			place->is_known = true;
			g_clear_pointer(&place->returns, g_array_unref);
		}
		break;
	case ITP_RETURNS_WRONG:
		g_array_set_size(place->returns, 0);
		place->searched = 0;
		break;
	case ITP_RETURNS_AMBIGUOUS:
		break;
	}
}

bool itp_places_find(struct itp_places *places, int32_t pid, const char *path, uint64_t address,
		     uint64_t *ret_offset)
{
	struct place *place = g_hash_table_lookup(files_of(places, pid), path);

	if (!place) {
		return false;
	}
	if (!place->is_known && place->returns && place->returns->len >= MIN_RETURNS &&
	    place->returns->len > place->searched) {
		search(places, path, place);
	}
	if (place->is_known) {
		*ret_offset = address - place->slide;
	}
	return place->is_known;
}

/* SPDX-License-Identifier: MIT */
/*
 * See places.h. A place is known as what addresses exceed offsets in the file by.
 */
#include "plugins/perf/script/places.h"

#include "common/base/hash.h"
#include "common/symbol/elf-symbols.h"
#include "common/unwind/call-site.h"

#define PAGE_BYTES 4096u
#define PAGE_MASK ((uint64_t)PAGE_BYTES - 1)

/* Searching for a file needs few addresses, and gives up after many. */
#define MIN_RETURNS 2
#define MAX_RETURNS 64

/* A file in a process. */
struct place {
	uint64_t slide;
	bool is_known;
	/* uint64_t, while the place is unknown: return addresses, each once. Owned by this. */
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

	g_array_unref(place->returns);
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

static struct place *place_of_file(struct itp_places *places, int32_t pid, const char *path)
{
	GHashTable *files = files_of(places, pid);
	struct place *place = g_hash_table_lookup(files, path);

	if (!place) {
		place = g_new0(struct place, 1);
		place->returns = g_array_new(FALSE, FALSE, sizeof(uint64_t));
		g_hash_table_insert(files, g_strdup(path), place);
	}
	return place;
}

static void learn_slide(struct itp_places *places, int32_t pid, const char *path, uint64_t slide)
{
	struct place *place = place_of_file(places, pid, path);

	place->slide = slide;
	place->is_known = true;
}

static const struct itp_elf_image *image_of(struct itp_places *places, const char *path)
{
	const struct itp_elf_symbols *symbols =
		itp_module_symbols(itp_symbolizer_module(places->symbolizer, path));

	return symbols ? &symbols->image : NULL;
}

/* Offset in the file of its byte at `vaddr` in memory. */
static bool offset_of(const struct itp_elf_image *image, uint64_t vaddr, uint64_t *ret_offset)
{
	const GElf_Phdr *segment = itp_elf_image_loaded(image, vaddr);

	if (segment) {
		*ret_offset = vaddr - segment->p_vaddr + segment->p_offset;
	}
	return segment != NULL;
}

/* In a file with a single part of code, memory of its length is this part. */
void itp_places_learn_map(struct itp_places *places, int32_t pid, const struct itp_script_map *map)
{
	struct itp_module *module;
	struct itp_module_code code;
	struct itp_module_code other;

	if (!map->path || map->path[0] != '/') {
		return;
	}
	if (map->has_offset) {
		learn_slide(places, pid, map->path, map->start - map->offset);
		return;
	}
	module = itp_symbolizer_module(places->symbolizer, map->path);
	if (itp_module_code(module, 0, &code) && !itp_module_code(module, 1, &other) &&
	    code.length == map->end - map->start) {
		learn_slide(places, pid, map->path, map->start - code.offset);
	}
}

/* A function shorter than a page holds a single address with the last digits of `ip`. */
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
		learn_slide(places, pid, frame->path, ip - offset);
	}
}

void itp_places_learn_frame(struct itp_places *places, int32_t pid, uint64_t ip,
			    const struct itp_script_frame *frame)
{
	if (!frame->path) {
		return;
	}
	if (frame->has_place) {
		learn_slide(places, pid, frame->path,
			    ip - frame->symbol_start - frame->symbol_offset);
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
		learn_slide(places, pid, path, ip - offset);
	}
}

void itp_places_learn_return(struct itp_places *places, int32_t pid, const char *path,
			     uint64_t address)
{
	const struct place *place = place_of_file(places, pid, path);

	if (place->is_known || place->returns->len == MAX_RETURNS) {
		return;
	}
	for (guint i = 0; i < place->returns->len; i++) {
		if (g_array_index(place->returns, uint64_t, i) == address) {
			return;
		}
	}
	g_array_append_val(place->returns, address);
}

static bool is_code(const GElf_Phdr *segment)
{
	return segment && segment->p_type == PT_LOAD && (segment->p_flags & PF_X);
}

static bool follows_call(const struct itp_elf_image *image, uint64_t vaddr)
{
	const GElf_Phdr *segment = itp_elf_image_loaded(image, vaddr);
	struct itp_unwind_code code;
	struct itp_bytes bytes;
	uint64_t target;

	if (!is_code(segment)) {
		return false;
	}
	bytes = itp_elf_image_contents(image, segment);
	code = (struct itp_unwind_code){ .bytes = bytes.data,
					 .begin = segment->p_vaddr,
					 .end = segment->p_vaddr + bytes.size };
	return (itp_call_site_target(&code, vaddr, &target) &&
		is_code(itp_elf_image_loaded(image, target))) ||
	       itp_call_site_is_indirect(&code, vaddr);
}

static bool can_lie(const struct itp_elf_image *image, const uint64_t *addresses, size_t count,
		    uint64_t slide)
{
	for (size_t i = 0; i < count; i++) {
		if (!follows_call(image, addresses[i] - slide)) {
			return false;
		}
	}
	return true;
}

size_t itp_places_count(const struct itp_elf_image *image, const uint64_t *addresses, size_t count,
			uint64_t *ret_slide)
{
	size_t found = 0;
	GElf_Ehdr header;

	if (count == 0 || !gelf_getehdr(image->elf, &header) || header.e_machine != EM_X86_64) {
		return SIZE_MAX;
	}
	for (guint i = 0; i < image->segments->len; i++) {
		const GElf_Phdr *segment = &g_array_index(image->segments, GElf_Phdr, i);
		uint64_t first = (segment->p_vaddr & ~PAGE_MASK) + (addresses[0] & PAGE_MASK);

		for (uint64_t distance = 0; is_code(segment) && distance <= segment->p_filesz;
		     distance += PAGE_BYTES) {
			uint64_t slide = addresses[0] - first - distance;

			if (can_lie(image, addresses, count, slide)) {
				*ret_slide = slide;
				found++;
			}
		}
	}
	return found;
}

/* Searches by return addresses, when there are new ones. */
static void search(struct itp_places *places, const char *path, struct place *place)
{
	const uint64_t *returns = (const uint64_t *)(const void *)place->returns->data;
	const guint count = place->returns->len;
	const struct itp_elf_image *image =
		count >= MIN_RETURNS && count > place->searched ? image_of(places, path) : NULL;
	uint64_t slide;
	uint64_t offset;
	size_t found;

	if (!image) {
		return;
	}
	place->searched = count;
	found = itp_places_count(image, returns, count, &slide);
	if (found == 0) {
		/* A return address among them is no call's. */
		g_array_set_size(place->returns, 0);
		place->searched = 0;
	} else if (found == 1 && offset_of(image, returns[0] - slide, &offset)) {
		place->slide = returns[0] - offset;
		place->is_known = true;
	}
}

bool itp_places_find(struct itp_places *places, int32_t pid, const char *path, uint64_t address,
		     uint64_t *ret_offset)
{
	struct place *place = g_hash_table_lookup(files_of(places, pid), path);

	if (place && !place->is_known) {
		search(places, path, place);
	}
	if (!place || !place->is_known) {
		return false;
	}
	*ret_offset = address - place->slide;
	return true;
}

/* SPDX-License-Identifier: MIT */
/*
 * catalogue LIBRARY…: what the albums of photo libraries hold. A library is a property list: its
 * dictionary Photos has a dictionary for each photo, by the photo's name.
 */
#include <plist/plist.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ALBUMS 512

typedef struct {
	char *name;
	uint64_t photos;
	uint64_t bytes;
	char *largest; /* the name of the photo */
	uint64_t largest_bytes;
} album_t;

static album_t albums[MAX_ALBUMS];
static size_t album_count;

static plist_t read_library(const char *path)
{
	FILE *file = fopen(path, "rb");
	plist_t library = NULL;
	char *text;
	long length;

	if (!file || fseek(file, 0, SEEK_END) || (length = ftell(file)) < 0) {
		perror(path);
		exit(1);
	}
	rewind(file);
	text = malloc((size_t)length + 1);
	if (!text || fread(text, 1, (size_t)length, file) != (size_t)length) {
		perror(path);
		exit(1);
	}
	text[length] = '\0';
	fclose(file);
	plist_from_memory(text, (uint32_t)length, &library);
	free(text);
	if (!library) {
		fprintf(stderr, "%s: no property list\n", path);
		exit(1);
	}
	return library;
}

static album_t *find_album(const char *name)
{
	size_t i;

	for (i = 0; i < album_count; i++) {
		if (strcmp(albums[i].name, name) == 0) {
			return &albums[i];
		}
	}
	if (album_count == MAX_ALBUMS) {
		fprintf(stderr, "too many albums\n");
		exit(1);
	}
	albums[album_count].name = strdup(name);
	return &albums[album_count++];
}

static void add_photo(const char *name, plist_t photo)
{
	plist_t title = plist_dict_get_item(photo, "Album");
	plist_t size = plist_dict_get_item(photo, "Size");
	album_t *album;
	uint64_t bytes = 0;

	if (!title || !size) {
		fprintf(stderr, "photo %s has no album or no size\n", name);
		return;
	}
	album = find_album(plist_get_string_ptr(title, NULL));
	plist_get_uint_val(size, &bytes);
	album->photos++;
	album->bytes += bytes;
	if (bytes > album->largest_bytes) {
		free(album->largest);
		album->largest = strdup(name);
		album->largest_bytes = bytes;
	}
}

static void add_library(plist_t library)
{
	plist_t photos = plist_dict_get_item(library, "Photos");
	plist_dict_iter iterator = NULL;
	plist_t photo = NULL;
	char *name = NULL;

	plist_dict_new_iter(photos, &iterator);
	for (;;) {
		plist_dict_next_item(photos, iterator, &name, &photo);
		if (!photo) {
			break;
		}
		add_photo(name, photo);
		free(name);
	}
	free(iterator);
}

static void print_albums(void)
{
	size_t i;

	for (i = 0; i < album_count; i++) {
		printf("%s: %llu photos, %llu bytes, the largest is %s\n", albums[i].name,
		       (unsigned long long)albums[i].photos, (unsigned long long)albums[i].bytes,
		       albums[i].largest ? albums[i].largest : "none");
	}
}

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		plist_t library = read_library(argv[i]);

		add_library(library);
		plist_free(library);
	}
	print_albums();
	return 0;
}

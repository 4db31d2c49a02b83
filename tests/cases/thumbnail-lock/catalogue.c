/* SPDX-License-Identifier: MIT */
/* catalogue keep|release: four threads show pages with small pictures, of which a cache makes and
 * keeps some. While it makes one it keeps its lock, or releases it. */
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define THREADS 4
#define PAGES 2000
#define PICTURES_A_PAGE 6
#define PICTURES 4000
#define SIDE 512
#define SMALL 32

struct picture {
	guint8 pixels[SMALL * SMALL];
};

static GMutex lock;
static GHashTable *cache;
static bool keeps;
static gint next_page;
static gint shown;

/* The picture as it comes from the archive. */
static void load(guint number, guint8 *pixels)
{
	guint32 noise = number * 2654435761u + 1;

	for (size_t i = 0; i < SIDE * SIDE; i++) {
		noise ^= noise << 13;
		noise ^= noise >> 17;
		noise ^= noise << 5;
		pixels[i] = (guint8)(noise >> 24);
	}
}

static struct picture *__attribute__((noinline)) shrink(guint number)
{
	struct picture *small = g_new(struct picture, 1);
	guint8 *pixels = g_malloc(SIDE * SIDE);
	int step = SIDE / SMALL;

	load(number, pixels);
	for (int y = 0; y < SMALL; y++) {
		for (int x = 0; x < SMALL; x++) {
			guint sum = 0;

			for (int i = 0; i < step * step; i++) {
				sum += pixels[(y * step + i / step) * SIDE + x * step + i % step];
			}
			small->pixels[y * SMALL + x] = (guint8)(sum / (guint)(step * step));
		}
	}
	g_free(pixels);
	return small;
}

static void __attribute__((noinline)) thumbnail_of(guint number, struct picture *copy)
{
	struct picture *found;

	g_mutex_lock(&lock);
	found = g_hash_table_lookup(cache, GUINT_TO_POINTER(number + 1));
	if (!found) {
		if (!keeps) {
			g_mutex_unlock(&lock);
		}
		found = shrink(number);
		if (!keeps) {
			g_mutex_lock(&lock);
		}
		g_hash_table_replace(cache, GUINT_TO_POINTER(number + 1), found);
	}
	*copy = *found;
	g_mutex_unlock(&lock);
}

/* A page is laid out with its pictures. */
static guint show(guint page)
{
	char line[200];
	struct picture picture;
	guint sum = 0;

	for (guint i = 0; i < PICTURES_A_PAGE; i++) {
		thumbnail_of((page * 7919 + i * i * 31) % PICTURES, &picture);
		sum += picture.pixels[i];
	}
	for (guint i = 0; i < 300; i++) {
		g_snprintf(line, sizeof(line), "<img class=\"article\" alt=\"%u\" title=\"%u\">",
			   page, i);
		sum += (guint)strlen(line);
	}
	return sum;
}

static gpointer work(gpointer data)
{
	guint sum = 0;
	gint page;

	(void)data;
	while ((page = g_atomic_int_add(&next_page, 1)) < PAGES) {
		sum += show((guint)page);
		g_atomic_int_inc(&shown);
	}
	return GUINT_TO_POINTER(sum);
}

int main(int argc, char **argv)
{
	GThread *threads[THREADS];

	keeps = argc > 1 && strcmp(argv[1], "keep") == 0;
	cache = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	for (int i = 0; i < THREADS; i++) {
		threads[i] = g_thread_new("show", work, NULL);
	}
	for (int i = 0; i < THREADS; i++) {
		g_thread_join(threads[i]);
	}
	printf("%d pages\n", shown);
	return 0;
}

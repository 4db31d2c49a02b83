/* SPDX-License-Identifier: MIT */
/*
 * scanner short|long: scans mails for words that are listed, in a pool of threads. For a counter of
 * the mails a lock is needed, which is given back at once, or when the mail was scanned.
 */
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define WORKERS 3
#define MAILS 3600
#define MAIL_WORDS 1200
#define WORDS 400

static GMutex statistics_lock;
static unsigned int mail_count;
static gint hit_count;
static char *words[WORDS];

static char *write_mail(unsigned int number)
{
	GString *text = g_string_new(NULL);

	for (unsigned int i = 0; i < MAIL_WORDS; i++) {
		g_string_append_printf(text, "word%u ", (number * 31 + i * 7919) % 50021);
	}
	return g_string_free(text, FALSE);
}

static unsigned int count_words(const char *text)
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < WORDS; i++) {
		const char *found = text;

		while ((found = strstr(found, words[i]))) {
			count++;
			found++;
		}
	}
	return count;
}

static unsigned int scan(const char *mail)
{
	g_autofree char *text = g_ascii_strup(mail, -1);

	return count_words(text);
}

static void handle_mail(gpointer mail, gpointer holds_long)
{
	unsigned int hits;

	g_mutex_lock(&statistics_lock);
	mail_count++;
	if (!holds_long) {
		g_mutex_unlock(&statistics_lock);
	}
	hits = scan(mail);
	if (holds_long) {
		g_mutex_unlock(&statistics_lock);
	}
	g_atomic_int_add(&hit_count, (gint)hits);
	g_free(mail);
}

int main(int argc, char **argv)
{
	bool holds_long = argc > 1 && strcmp(argv[1], "long") == 0;
	GThreadPool *pool =
		g_thread_pool_new(handle_mail, GINT_TO_POINTER(holds_long), WORKERS, TRUE, NULL);

	for (unsigned int i = 0; i < WORDS; i++) {
		words[i] = g_strdup_printf("WORD%u ", i * 113);
	}
	for (unsigned int i = 0; i < MAILS; i++) {
		g_thread_pool_push(pool, write_mail(i), NULL);
	}
	g_thread_pool_free(pool, FALSE, TRUE);
	printf("%u mails, %d hits\n", mail_count, hit_count);
	return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * letters: looks for words in letters, and notes for each letter what was found. With LONG_SECTION
 * a note is made, and sent to the archive, within the critical section.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	LETTERS = 34000,
	LENGTH = 9000
};

static char *list;
static size_t list_size;

static void write_letter(char *letter, unsigned number)
{
	for (unsigned i = 0; i < LENGTH; i++) {
		letter[i] = i % 8 == 7 ? ' ' : (char)('a' + (number * 7919 + i * i) % 26);
	}
	letter[LENGTH] = '\0';
}

__attribute__((noinline)) static unsigned count_words(const char *letter)
{
	static const char *const words[] = { "ab", "qu", "zx", "th", "ou", "io" };
	unsigned count = 0;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		for (const char *at = letter; (at = strstr(at, words[i])); at++) {
			count++;
		}
	}
	return count;
}

/* The archive answers after a while. */
__attribute__((noinline)) static int send_to_archive(const char *note)
{
	const struct timespec answer = { .tv_nsec = 60000 };

	nanosleep(&answer, NULL);
	return note[0] != '\0';
}

static void append(const char *note)
{
	size_t length = strlen(note);

	list = realloc(list, list_size + length + 1);
	if (!list) {
		exit(1);
	}
	memcpy(list + list_size, note, length + 1);
	list_size += length;
}

__attribute__((noinline)) static int note_letter(unsigned number, unsigned count)
{
	char note[80];
	int sent;

#ifdef LONG_SECTION
#pragma omp critical
	{
		snprintf(note, sizeof(note), "letter %u: %u words\n", number, count);
		sent = send_to_archive(note);
		append(note);
	}
#else
	snprintf(note, sizeof(note), "letter %u: %u words\n", number, count);
	sent = send_to_archive(note);
#pragma omp critical
	append(note);
#endif
	return sent;
}

int main(void)
{
	unsigned noted = 0;

#pragma omp parallel for schedule(dynamic) reduction(+ : noted)
	for (unsigned number = 0; number < LETTERS; number++) {
		char letter[LENGTH + 1];

		write_letter(letter, number);
		noted += (unsigned)note_letter(number, count_words(letter));
	}
	printf("%u letters, %zu bytes\n", noted, list_size);
	return 0;
}

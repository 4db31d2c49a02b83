/* SPDX-License-Identifier: MIT */
/*
 * meters buffer|none LOG: sorts the readings of meters in four threads, and notes what each has
 * come to in a log, which has a buffer or none.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 4
#define METERS 9000
#define READINGS 600

static FILE *notes;

static int compare(const void *a, const void *b)
{
	return *(const unsigned int *)a > *(const unsigned int *)b ? 1 : -1;
}

static unsigned int median(unsigned int meter)
{
	unsigned int readings[READINGS];

	for (unsigned int i = 0; i < READINGS; i++) {
		readings[i] = (meter * 31 + i * 7919) % 99991;
	}
	qsort(readings, READINGS, sizeof(readings[0]), compare);
	return readings[READINGS / 2];
}

__attribute__((noinline)) static void note(unsigned int meter, unsigned int value)
{
	for (unsigned int i = 0; i < 6; i++) {
		fprintf(notes, "meter %u of house %u, hour %u: %u kWh\n", meter, meter % 700, i,
			value + i);
	}
}

static void *work(void *first)
{
	for (unsigned int i = *(unsigned int *)first; i < METERS; i += THREADS) {
		note(i, median(i));
	}
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned int numbers[THREADS];
	pthread_t threads[THREADS];

	notes = argc > 2 ? fopen(argv[2], "w") : NULL;
	if (!notes) {
		fprintf(stderr, "usage: meters buffer|none LOG\n");
		return 1;
	}
	if (strcmp(argv[1], "none") == 0) {
		setvbuf(notes, NULL, _IONBF, 0);
	}
	for (unsigned int i = 0; i < THREADS; i++) {
		numbers[i] = i;
		pthread_create(&threads[i], NULL, work, &numbers[i]);
	}
	for (unsigned int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
	}
	fclose(notes);
	printf("%d meters\n", METERS);
	return 0;
}

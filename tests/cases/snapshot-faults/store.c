/* SPDX-License-Identifier: MIT */
/* store SNAPSHOTS: a store of prices that are changed four million times, and written so often. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define PRICES (24 * 1024 * 1024)
#define CHANGES 4000000
#define HISTORY 12

static int *prices;
static int history[HISTORY];

static void fill(void)
{
	for (long i = 0; i < PRICES; i++) {
		prices[i] = (int)(i * 31 % 9973);
	}
}

static void __attribute__((noinline)) change_price(long article, int by)
{
	prices[article] += by;
}

/* What the changes of a customer come to. */
static int __attribute__((noinline)) average(void)
{
	int sum = 0;

	for (int i = 0; i < HISTORY; i++) {
		sum += history[i] / (i + 1);
	}
	return sum / HISTORY;
}

/* The child has the prices as they are now; it writes a part of them, and ends. */
static pid_t __attribute__((noinline)) save_snapshot(int number)
{
	pid_t child = fork();
	FILE *file;

	if (child != 0) {
		return child;
	}
	file = fopen("snapshot", "w");
	fprintf(file, "%d\n", number);
	for (long i = 0; file && i < PRICES; i += 4099) {
		fprintf(file, "%ld %d\n", i, prices[i]);
	}
	_exit(!file || fclose(file) != 0);
}

int main(int argc, char **argv)
{
	int snapshots = argc > 1 ? atoi(argv[1]) : 1;
	pid_t child = 0;
	long sum = 0;

	prices = malloc(PRICES * sizeof(*prices));
	if (!prices) {
		return 1;
	}
	fill();
	for (long i = 0; i < CHANGES; i++) {
		if (i % (CHANGES / snapshots) == 0) {
			if (child > 0) {
				waitpid(child, NULL, 0);
			}
			child = save_snapshot((int)i);
		}
		change_price(i * 7919 % PRICES, (int)(i % 7) - 3);
		history[i % HISTORY] = (int)i;
		sum += average();
	}
	waitpid(child, NULL, 0);
	printf("%d changes, %ld\n", CHANGES, sum);
	return 0;
}

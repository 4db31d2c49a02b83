/* SPDX-License-Identifier: MIT */
/* Prints a web server's log, whose times are seconds since 1970, with local times, for people. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))

struct visit {
	time_t when;
	const char *address;
	long bytes;
	const char *path;
};

static long visits_of_hour[24];
static long bytes_of_hour[24];

/* Takes a line apart, in place; 0 where it is none of a visit. */
static NOINLINE int parse_visit(char *line, struct visit *visit)
{
	char *rest;

	visit->when = strtol(line, &rest, 10);
	if (rest == line || *rest != ' ')
		return 0;
	visit->address = ++rest;
	rest = strchr(rest, ' ');
	if (!rest)
		return 0;
	*rest++ = 0;
	visit->bytes = strtol(rest, &rest, 10);
	if (*rest != ' ')
		return 0;
	visit->path = rest + 1;
	return 1;
}

static char *two_digits(char *to, int number)
{
	*to++ = '0' + number / 10 % 10;
	*to++ = '0' + number % 10;
	return to;
}

/* 2023-11-14 22:13:20; returns the hour. */
static NOINLINE int format_time(char *to, time_t when)
{
	const struct tm *local = localtime(&when);
	int year = local->tm_year + 1900;

	to = two_digits(to, year / 100);
	to = two_digits(to, year);
	*to++ = '-';
	to = two_digits(to, local->tm_mon + 1);
	*to++ = '-';
	to = two_digits(to, local->tm_mday);
	*to++ = ' ';
	to = two_digits(to, local->tm_hour);
	*to++ = ':';
	to = two_digits(to, local->tm_min);
	*to++ = ':';
	to = two_digits(to, local->tm_sec);
	*to = 0;
	return local->tm_hour;
}

/* 731 B, 12.3 KB, 4.5 MB */
static NOINLINE void format_size(char *to, size_t room, long bytes)
{
	if (bytes < 1000)
		snprintf(to, room, "%ld B", bytes);
	else if (bytes < 1000000)
		snprintf(to, room, "%.1f KB", bytes / 1e3);
	else
		snprintf(to, room, "%.1f MB", bytes / 1e6);
}

/* A path without what comes after its question mark. */
static NOINLINE void shorten_path(char *to, size_t room, const char *path)
{
	size_t length = strcspn(path, "?\n");

	if (length >= room)
		length = room - 1;
	memcpy(to, path, length);
	to[length] = 0;
}

/* A number for an address, from which nobody finds the address again. */
static NOINLINE unsigned long hide_address(const char *address)
{
	unsigned long hidden = 5381;

	for (int round = 0; round < 8; round++)
		for (const char *c = address; *c; c++)
			hidden = (hidden * 33 + *c) % 4294967291;
	return hidden;
}

static NOINLINE void count_visit(int hour, long bytes)
{
	visits_of_hour[hour]++;
	bytes_of_hour[hour] += bytes;
}

static void print_hours(void)
{
	for (int hour = 0; hour < 24; hour++)
		printf("%02d h: %ld visits, %ld bytes\n", hour, visits_of_hour[hour],
		       bytes_of_hour[hour]);
}

int main(int argc, char **argv)
{
	FILE *from = argc == 3 ? fopen(argv[1], "r") : NULL;
	FILE *to = argc == 3 ? fopen(argv[2], "w") : NULL;
	char line[1000], stamp[32], size[32], path[200];
	struct visit visit;
	long lines = 0;

	if (!from || !to) {
		fprintf(stderr, "use: stamps LOG OUTPUT\n");
		return 1;
	}
	while (fgets(line, sizeof line, from)) {
		if (!parse_visit(line, &visit))
			continue;
		int hour = format_time(stamp, visit.when);
		format_size(size, sizeof size, visit.bytes);
		shorten_path(path, sizeof path, visit.path);
		fprintf(to, "%s %10lu %10s %s\n", stamp, hide_address(visit.address), size, path);
		count_visit(hour, visit.bytes);
		lines++;
	}
	print_hours();
	printf("%ld lines\n", lines);
	return fclose(to) != 0;
}

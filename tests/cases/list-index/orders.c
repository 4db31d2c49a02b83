/* SPDX-License-Identifier: MIT */
/* orders next|number TIMES FILE: reads the orders of a file so often, as of so many shops, and adds
 * up their totals, which are asked for one after the other; once by their numbers, if so told. */
#include "cJSON.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = malloc(8 << 20);
	size_t length = 0;

	if (!file || !text) {
		exit(1);
	}
	length = fread(text, 1, (8 << 20) - 1, file);
	text[length] = '\0';
	fclose(file);
	return text;
}

static long cents_of(const cJSON *order)
{
	return (long)cJSON_GetNumberValue(cJSON_GetObjectItem(order, "cents"));
}

static long __attribute__((noinline)) total_of_orders(const cJSON *orders, bool by_number)
{
	const cJSON *order;
	long total = 0;

	if (!by_number) {
		cJSON_ArrayForEach(order, orders)
		{
			total += cents_of(order);
		}
		return total;
	}
	for (int i = 0; i < cJSON_GetArraySize(orders); i++) {
		total += cents_of(cJSON_GetArrayItem(orders, i));
	}
	return total;
}

int main(int argc, char **argv)
{
	int times = argc > 3 ? atoi(argv[2]) : 0;
	char *text = argc > 3 ? read_file(argv[3]) : NULL;
	long total = 0;
	int count = 0;

	for (int i = 0; i < times; i++) {
		cJSON *orders = cJSON_Parse(text);
		char *copy = cJSON_PrintUnformatted(orders);

		count = cJSON_GetArraySize(orders);
		total += total_of_orders(orders, i == 0 && strcmp(argv[1], "number") == 0);
		total += (long)strlen(copy);
		free(copy);
		cJSON_Delete(orders);
	}
	printf("%d orders, %ld\n", count, total);
	free(text);
	return 0;
}

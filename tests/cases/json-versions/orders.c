/* SPDX-License-Identifier: MIT */
/*
 * orders INPUT OUTPUT: turns lines "number;customer;item;cents" into an array of objects, and that
 * into JSON, checks what came out by reading it again, and writes it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cJSON.h"

#define LINE_BYTES 256
#define CHECKS 30

static cJSON *parse_line(char *line)
{
	cJSON *order = cJSON_CreateObject();
	char *rest = NULL;
	const char *number = strtok_r(line, ";\n", &rest);
	const char *customer = strtok_r(NULL, ";\n", &rest);
	const char *item = strtok_r(NULL, ";\n", &rest);
	const char *cents = strtok_r(NULL, ";\n", &rest);

	cJSON_AddNumberToObject(order, "number", atoi(number ? number : "0"));
	cJSON_AddNumberToObject(order, "customer", atoi(customer ? customer : "0"));
	cJSON_AddStringToObject(order, "item", item ? item : "");
	cJSON_AddNumberToObject(order, "cents", atoi(cents ? cents : "0"));
	return order;
}

static cJSON *read_orders(const char *path)
{
	cJSON *orders = cJSON_CreateArray();
	FILE *file = fopen(path, "r");
	char line[LINE_BYTES];

	while (file && fgets(line, sizeof(line), file)) {
		cJSON_AddItemToArray(orders, parse_line(line));
	}
	if (file) {
		fclose(file);
	}
	return orders;
}

static int check(const char *text)
{
	int count = 0;

	for (int i = 0; i < CHECKS; i++) {
		cJSON *again = cJSON_Parse(text);

		count = cJSON_GetArraySize(again);
		cJSON_Delete(again);
	}
	return count;
}

int main(int argc, char **argv)
{
	cJSON *orders = argc > 2 ? read_orders(argv[1]) : NULL;
	char *text = orders ? cJSON_Print(orders) : NULL;
	FILE *output = text ? fopen(argv[2], "w") : NULL;

	if (!output) {
		fprintf(stderr, "usage: orders INPUT OUTPUT\n");
		return 1;
	}
	printf("%d orders\n", check(text));
	fputs(text, output);
	fclose(output);
	free(text);
	cJSON_Delete(orders);
	return 0;
}

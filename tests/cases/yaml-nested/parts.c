/* SPDX-License-Identifier: MIT */
/*
 * parts FILE: counts the parts, which are the scalars of a file in YAML.
 */
#include <stdbool.h>
#include <stdio.h>

#include <yaml.h>

static bool count_parts(FILE *file, unsigned long *ret_count)
{
	yaml_parser_t parser;
	yaml_event_t event;
	bool is_end = false;
	bool is_fine = yaml_parser_initialize(&parser);

	yaml_parser_set_input_file(&parser, file);
	while (is_fine && !is_end) {
		is_fine = yaml_parser_parse(&parser, &event);
		if (is_fine) {
			*ret_count += event.type == YAML_SCALAR_EVENT;
			is_end = event.type == YAML_STREAM_END_EVENT;
			yaml_event_delete(&event);
		}
	}
	yaml_parser_delete(&parser);
	return is_fine;
}

int main(int argc, char **argv)
{
	FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
	unsigned long count = 0;

	if (!file || !count_parts(file, &count)) {
		fprintf(stderr, "parts: no file of parts\n");
		return 1;
	}
	fclose(file);
	printf("%lu parts\n", count);
	return 0;
}

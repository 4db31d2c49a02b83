/* SPDX-License-Identifier: MIT */
/*
 * A program of slower.c, "parse": makes JSON, reads it into a tree, sums it up and prints it.
 */
#define _GNU_SOURCE /* mempcpy() */
#include "slower.h"

#include <stdlib.h>
#include <string.h>

#define RECORDS 1000
#define RECORD_LONGEST 200
#define RECORD_NODES 16

enum kind {
	OBJECT,
	ARRAY,
	STRING,
	NUMBER,
	WORD
};

struct string {
	const char *text;
	uint32_t length;
	uint32_t hash;
};

static struct node {
	enum kind kind;
	/* The next of the same parent and the first child, 0 for none. */
	uint32_t next;
	uint32_t child;
	struct string key;
	struct string string;
	double number;
} nodes[ROOM(RECORDS) * RECORD_NODES];

static uint32_t node_count;
static uint32_t roots[ROOM(RECORDS)];
static char json[RECORDS * RECORD_LONGEST];
static char *records[RECORDS];
static char printed[RECORDS * RECORD_LONGEST];

NOINLINE static void make_json(void)
{
	char *to = json;

	for (unsigned int i = 0; i < RECORDS; i++) {
		records[i] = to;
		to = put_number(put_text(to, "{\"id\": "), i);
		to = put_number(put_text(to, ", \"name\": \"the \\\"new\\\" item "), next() % 4096);
		to = put_number(put_text(to, "\", \"tags\": [\"a"), next() % 100);
		to = put_number(put_text(to, "\", \"b\"], \"at\": {\"x\": "), next() % 1000);
		to = put_number(put_text(to, "."), next() % 100);
		to = put_number(put_text(to, ", \"y\": -"), next() % 1000);
		to = put_text(to, i % 3 ? "}, \"is_new\": true}\n" : "}, \"is_new\": false}\n");
	}
	*to = '\0';
	done();
}

static const char *skip_space(const char *at)
{
	while (*at == ' ' || *at == '\n' || *at == ',' || *at == ':') {
		at++;
	}
	return at;
}

/* A string and a hash of it, by which equal ones could be kept once. */
static const char *parse_string(const char *at, struct string *string)
{
	string->text = ++at;
	string->hash = 2166136261U;
	for (; *at != '"'; at++) {
		if (*at == '\\') {
			at++;
		}
		string->hash = (string->hash ^ (unsigned char)*at) * 16777619;
	}
	string->length = (uint32_t)(at - string->text);
	return at + 1;
}

static const char *parse_number(const char *at, double *number)
{
	char *end;

	*number = strtod(at, &end);
	return end;
}

static const char *parse_value(const char *at);

static const char *parse_children(const char *at, struct node *parent)
{
	char end = *at++ == '{' ? '}' : ']';
	uint32_t *place = &parent->child;

	while (*(at = skip_space(at)) != end) {
		struct string key = { 0 };

		if (end == '}') {
			at = skip_space(parse_string(at, &key));
		}
		*place = node_count;
		place = &nodes[node_count].next;
		nodes[node_count].key = key;
		at = parse_value(at);
	}
	*place = 0;
	return at + 1;
}

static const char *parse_value(const char *at)
{
	struct node *node = &nodes[node_count++];

	switch (*at) {
	case '{':
	case '[':
		node->kind = *at == '{' ? OBJECT : ARRAY;
		return parse_children(at, node);
	case '"':
		node->kind = STRING;
		return parse_string(at, &node->string);
	case '-':
	case '0' ... '9':
		node->kind = NUMBER;
		return parse_number(at, &node->number);
	default:
		node->kind = WORD;
		node->string.text = at;
		while (*at >= 'a' && *at <= 'z') {
			at++;
		}
		node->string.length = (uint32_t)(at - node->string.text);
		return at;
	}
}

NOINLINE static void work_parse(void)
{
	node_count = 1;
	for (unsigned int i = 0; i < more(RECORDS); i++) {
		roots[i] = node_count;
		nodes[node_count].next = 0;
		nodes[node_count].key.text = NULL;
		parse_value(records[i % RECORDS]);
	}
	sink += node_count;
	done();
}

/* Without spaces, and with whole numbers. */
static char *print_node(char *to, const struct node *node)
{
	if (node->key.text) {
		*to++ = '"';
		to = mempcpy(to, node->key.text, node->key.length);
		to = put_text(to, "\":");
	}
	switch (node->kind) {
	case OBJECT:
	case ARRAY:
		*to++ = node->kind == OBJECT ? '{' : '[';
		for (uint32_t child = node->child; child > 0; child = nodes[child].next) {
			to = print_node(to, &nodes[child]);
			*to++ = ',';
		}
		*to++ = node->kind == OBJECT ? '}' : ']';
		return to;
	case NUMBER:
		if (node->number < 0) {
			*to++ = '-';
		}
		to = put_number(to, (uint32_t)(node->number < 0 ? -node->number : node->number));
		return to;
	case STRING:
		*to++ = '"';
		for (uint32_t i = 0; i < node->string.length; i++) {
			*to++ = node->string.text[i];
		}
		*to++ = '"';
		return to;
	default:
		return mempcpy(to, node->string.text, node->string.length);
	}
}

NOINLINE static void print_json(void)
{
	char *to = printed;

	for (unsigned int i = 0; i < RECORDS; i++) {
		to = print_node(to, &nodes[roots[i]]);
		*to++ = '\n';
	}
	sink += (uint64_t)(to - printed);
	done();
}

/* The sum of all numbers with that key below a node. */
static double sum_of(const struct node *node, const char *key)
{
	double sum = 0;

	if (node->kind == NUMBER && strncmp(node->key.text, key, node->key.length) == 0) {
		sum = node->number;
	}
	if (node->kind == OBJECT || node->kind == ARRAY) {
		for (uint32_t child = node->child; child > 0; child = nodes[child].next) {
			sum += sum_of(&nodes[child], key);
		}
	}
	return sum;
}

NOINLINE static void sum_up(void)
{
	static const char *const keys[] = { "id", "x", "y" };
	double sum = 0;

	for (unsigned int k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
		for (unsigned int i = 0; i < RECORDS; i++) {
			sum += sum_of(&nodes[roots[i]], keys[k]);
		}
	}
	sink += (uint64_t)(int64_t)sum;
	done();
}

static void handle_parse(unsigned int round)
{
	make_json();
	look_up_if_due(round);
	answer();
	sum_up();
	print_json();
	done();
}

const struct program parse_program = {
	.name = "parse",
	.rounds = 1700,
	.wait = WAIT_POLL,
	.handle = handle_parse,
	.work = work_parse,
};

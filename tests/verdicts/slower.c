/* SPDX-License-Identifier: MIT */
/*
 * Ten small programs in one, of which one function can be made slower by a known part, and which
 * can wait in a function of their own that they call at no other time:
 *
 *     slower PROGRAM PERCENT [PIECES MILLISECONDS]
 *
 * The function is always answer(). It takes about half of the CPU time of a run, which is some 1 s;
 * three or more other functions share the rest. None of the programs is of a kind that slowed.c
 * has: they compress text, parse JSON, align sequences, interpret bytecode, blur an image, keep
 * values in a log, parse requests in a child, compute powers of large numbers, match lines with a
 * backtracker, and play the game of life on two threads.
 */
#define _GNU_SOURCE /* pthread_cond_clockwait() */
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))
#define PERCENT_MOST 60
/* Room for so many and the most percent of them. */
#define ROOM(count) ((count) * (100 + PERCENT_MOST) / 100)

enum wait {
	SLEEP,
	POLL,
	SELECT,
	FUTEX,
	CONDITION
};

struct program {
	const char *name;
	unsigned int rounds;
	enum wait wait;
	void (*prepare)(void);
	/* One round, of which a part is answer(). */
	void (*handle)(unsigned int round);
	/* What answer() does. */
	void (*work)(void);
};

static const struct program *program;
static unsigned int slower_percent;
static unsigned int pieces;
static unsigned int milliseconds;
static volatile uint64_t sink;
/* State of the random numbers of all but answer(). */
static uint32_t seed = 1;
/* Nobody writes to it. */
static int quiet[2];

/* What else ran before it, so that none of it is the last call of its caller. */
static void done(void)
{
	__asm__ volatile("");
}

static void check(bool is_right)
{
	if (!is_right) {
		exit(EXIT_FAILURE);
	}
}

/* `count` and so many percent more. */
static unsigned int more(unsigned int count)
{
	return count * (100 + slower_percent) / 100;
}

static uint32_t next(void)
{
	seed = seed * 1664525 + 1013904223;
	return seed >> 8;
}

static char *put_text(char *to, const char *text)
{
	while (*text) {
		*to++ = *text++;
	}
	return to;
}

static char *put_number(char *to, uint32_t number)
{
	char digits[10];
	unsigned int count = 0;

	do {
		digits[count++] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	while (count > 0) {
		*to++ = digits[--count];
	}
	return to;
}

/* ---- The function that is made slower, and the new wait ---- */

NOINLINE static void answer(void)
{
	program->work();
	done();
}

static void wait_for_condition(const struct timespec *time)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += time->tv_sec;
	until.tv_nsec += time->tv_nsec;
	if (until.tv_nsec >= 1000000000L) {
		until.tv_nsec -= 1000000000L;
		until.tv_sec++;
	}
	pthread_mutex_lock(&mutex);
	while (pthread_cond_clockwait(&never, &mutex, CLOCK_MONOTONIC, &until) != ETIMEDOUT) {
	}
	pthread_mutex_unlock(&mutex);
}

NOINLINE static void look_up(void)
{
	struct timespec time = { .tv_sec = milliseconds / 1000,
				 .tv_nsec = milliseconds % 1000 * 1000000L };
	struct pollfd polled = { .fd = quiet[0], .events = POLLIN };
	uint32_t word = 0;

	switch (program->wait) {
	case SLEEP:
		nanosleep(&time, NULL);
		break;
	case POLL:
		poll(&polled, 1, (int)milliseconds);
		break;
	case SELECT:
		pselect(0, NULL, NULL, NULL, &time, NULL);
		break;
	case FUTEX:
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &time, NULL, 0);
		break;
	case CONDITION:
		wait_for_condition(&time);
		break;
	}
	done();
}

/* Evenly spread: so many waits as are due up to this round. */
static void look_up_if_due(unsigned int round)
{
	static unsigned int waited;

	while (waited < (round + 1) * pieces / program->rounds) {
		waited++;
		look_up();
	}
}

/* ---- compress: finds repetitions in text, and unpacks it again ---- */

#define PLAIN 40960
#define PLAIN_MOST ROOM(PLAIN)
#define WORDS 512
#define PLAIN_BLOCK 2048
#define POSITIONS 1024
#define CHAIN 8
#define MATCH_LEAST 4
#define MATCH_MOST 255
#define SECTIONS 64

static char words[WORDS][8];
static unsigned char plain[PLAIN_MOST + 4];
static unsigned char unpacked[PLAIN + MATCH_MOST];

/* A distance of 0 is for a literal. */
static struct token {
	uint16_t distance;
	uint8_t length;
	uint8_t literal;
} tokens[PLAIN_MOST];

/* Positions are counted from 1, 0 is for none. */
static uint32_t latest[POSITIONS];
static uint32_t earlier[PLAIN_MOST];

static void prepare_compress(void)
{
	for (unsigned int i = 0; i < WORDS; i++) {
		unsigned int length = 2 + next() % 6;

		for (unsigned int k = 0; k < length; k++) {
			words[i][k] = (k + i) % 2 ? "aeiou"[next() % 5] :
						    "bcdflmnprst"[next() % 11];
		}
	}
}

NOINLINE static void make_plain(void)
{
	for (unsigned int at = 0; at < PLAIN_MOST;) {
		unsigned int choice = next() % WORDS;
		const char *word = words[choice * (next() % WORDS) / WORDS];

		while (*word && at < PLAIN_MOST) {
			plain[at++] = (unsigned char)*word++;
		}
		if (at < PLAIN_MOST) {
			plain[at++] = next() % 12 ? ' ' : '\n';
		}
	}
	done();
}

static uint32_t *latest_like(uint32_t at)
{
	uint32_t bytes = plain[at] | (uint32_t)plain[at + 1] << 8 | (uint32_t)plain[at + 2] << 16;

	return &latest[bytes * 2654435761U >> 22];
}

static unsigned int find_match(uint32_t at, uint32_t end, uint32_t *distance)
{
	uint32_t candidate = *latest_like(at);
	unsigned int longest = 0;

	for (unsigned int i = 0; i < CHAIN && candidate > 0; i++) {
		const unsigned char *old = plain + candidate - 1;
		unsigned int length = 0;

		while (at + length < end && length < MATCH_MOST &&
		       old[length] == plain[at + length]) {
			length++;
		}
		if (length > longest) {
			longest = length;
			*distance = at + 1 - candidate;
		}
		candidate = earlier[candidate - 1];
	}
	return longest;
}

static struct token *compress_block(uint32_t at, uint32_t end, struct token *token)
{
	memset(latest, 0, sizeof(latest));
	for (; at < end; token++) {
		uint32_t distance = 0;
		unsigned int length = find_match(at, end, &distance);

		if (length < MATCH_LEAST) {
			length = 1;
			distance = 0;
		}
		token->distance = (uint16_t)distance;
		token->length = (uint8_t)length;
		token->literal = plain[at];
		for (; length > 0; length--, at++) {
			uint32_t *like = latest_like(at);

			earlier[at] = *like;
			*like = at + 1;
		}
	}
	return token;
}

/* Blocks that know nothing of each other, so that each takes as long. */
NOINLINE static void work_compress(void)
{
	uint32_t end = more(PLAIN);
	struct token *token = tokens;

	for (uint32_t at = 0; at < end; at += PLAIN_BLOCK) {
		uint32_t left = end - at;

		token = compress_block(at, at + (left < PLAIN_BLOCK ? left : PLAIN_BLOCK), token);
	}
	sink += (uint64_t)(token - tokens);
	done();
}

NOINLINE static void unpack(void)
{
	const struct token *token = tokens;

	for (unsigned int at = 0; at < PLAIN; token++) {
		if (token->distance == 0) {
			unpacked[at++] = token->literal;
			continue;
		}
		for (unsigned int i = 0; i < token->length; i++, at++) {
			unpacked[at] = unpacked[at - token->distance];
		}
	}
	check(memcmp(plain, unpacked, PLAIN) == 0);
	done();
}

/* That of Adler. */
NOINLINE static void sum_bytes(void)
{
	uint32_t low = 1;
	uint32_t high = 0;

	for (unsigned int i = 0; i < PLAIN; i++) {
		low = (low + unpacked[i]) % 65521;
		high = (high + low) % 65521;
	}
	sink += high << 16 | low;
	done();
}

/* The bits that a Huffman code needs for each section of the text. */
NOINLINE static void measure_codes(void)
{
	for (unsigned int section = 0; section < SECTIONS; section++) {
		const unsigned char *bytes = unpacked + section * (PLAIN / SECTIONS);
		uint32_t counts[256] = { 0 };
		uint64_t bits = 0;

		for (unsigned int i = 0; i < PLAIN / SECTIONS; i++) {
			counts[bytes[i]]++;
		}
		for (;;) {
			int least = -1;
			int second = -1;

			for (int i = 0; i < 256; i++) {
				if (counts[i] > 0 && (least < 0 || counts[i] < counts[least])) {
					second = least;
					least = i;
				} else if (counts[i] > 0 &&
					   (second < 0 || counts[i] < counts[second])) {
					second = i;
				}
			}
			if (second < 0) {
				break;
			}
			counts[least] += counts[second];
			counts[second] = 0;
			bits += counts[least];
		}
		sink += bits;
	}
	done();
}

static void handle_compress(unsigned int round)
{
	make_plain();
	answer();
	unpack();
	sum_bytes();
	look_up_if_due(round);
	measure_codes();
	done();
}

/* ---- parse: makes JSON, reads it into a tree, sums it up and prints it ---- */

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

/* ---- align: short parts of a genome with those of a mutated one ---- */

#define GENOME 262144
#define READS 100
#define READ 62
#define WORD_BASES 8

static unsigned char genome[GENOME];
static unsigned char mutated[GENOME];
static uint32_t word_counts[1U << 2 * WORD_BASES];
static uint8_t directions[READ + 1][READ + 1];

static void prepare_align(void)
{
	for (unsigned int i = 0; i < GENOME; i++) {
		genome[i] = (unsigned char)(next() % 4);
	}
}

/* The mutated genome is a copy with one base in ten that is other, missing or new. */
NOINLINE static void mutate(void)
{
	unsigned int from = 0;

	for (unsigned int to = 0; to < GENOME; to++) {
		uint32_t choice = next() % 40;

		if (choice == 0 && from + 1 < GENOME) {
			from++;
		}
		mutated[to] = choice > 3 ? genome[from] : (unsigned char)(choice & 3);
		if (choice != 1 && from + 1 < GENOME) {
			from++;
		}
	}
	done();
}

NOINLINE static void count_words(void)
{
	uint32_t word = 0;
	uint32_t most = 0;

	memset(word_counts, 0, sizeof(word_counts));
	for (unsigned int i = 0; i < GENOME; i++) {
		uint32_t count;

		word = (word << 2 | mutated[i]) & ((1U << 2 * WORD_BASES) - 1);
		count = ++word_counts[word];
		most = count > most ? count : most;
	}
	sink += most;
	done();
}

/* The other strand, with some bases of the mutated one. */
NOINLINE static void complement(void)
{
	static const unsigned char others[] = { 3, 2, 1, 0 };
	unsigned int last = GENOME - 1;

	for (unsigned int i = 0; i < last; i++, last--) {
		unsigned char base = genome[i];

		genome[i] = others[i % 7 ? genome[last] : mutated[i]];
		genome[last] = others[last % 5 ? base : mutated[last]];
	}
	done();
}

static uint64_t trace_back(void)
{
	unsigned int i = READ;
	unsigned int k = READ;
	uint64_t gaps = 0;

	while (i > 0 && k > 0) {
		uint8_t direction = directions[i][k];

		i -= direction != 2;
		k -= direction != 1;
		gaps += direction > 0;
	}
	return gaps + i + k;
}

static uint32_t align_read(const unsigned char *left, const unsigned char *right)
{
	static uint32_t costs[2][READ + 1];

	for (uint32_t k = 0; k <= READ; k++) {
		costs[0][k] = k;
	}
	for (uint32_t i = 1; i <= READ; i++) {
		const uint32_t *above = costs[(i - 1) % 2];
		uint32_t *row = costs[i % 2];

		row[0] = i;
		for (uint32_t k = 1; k <= READ; k++) {
			uint32_t cost = above[k - 1] + (left[i - 1] != right[k - 1]);
			uint8_t direction = 0;

			if (above[k] + 1 < cost) {
				cost = above[k] + 1;
				direction = 1;
			}
			if (row[k - 1] + 1 < cost) {
				cost = row[k - 1] + 1;
				direction = 2;
			}
			row[k] = cost;
			directions[i][k] = direction;
		}
	}
	return costs[READ % 2][READ];
}

NOINLINE static void work_align(void)
{
	for (unsigned int i = 0; i < more(READS); i++) {
		unsigned int place = i % READS * (GENOME / READS);

		sink += align_read(genome + place, mutated + place) + trace_back();
	}
	done();
}

static void handle_align(unsigned int round)
{
	mutate();
	count_words();
	answer();
	complement();
	look_up_if_due(round);
	done();
}

/* ---- interpret: assembles, folds, lists and runs the functions of a stack machine ---- */

#define FUNCTIONS 200
#define FUNCTION_LONGEST 24
#define STEPS 22
#define NEAR 40
#define SOURCE (FUNCTIONS * FUNCTION_LONGEST * 16)

enum operation {
	PUSH,
	LOAD,
	STORE,
	ADD,
	SUBTRACT,
	MULTIPLY,
	XOR,
	SHIFT,
	BRANCH,
	HALT
};

static const char *const operations[] = { "push",     "load", "store", "add",    "subtract",
					  "multiply", "xor",  "shift", "branch", "halt" };

static char source[SOURCE];
static char listing[SOURCE * 2];

static struct instruction {
	enum operation operation;
	uint32_t operand;
} code[FUNCTIONS * FUNCTION_LONGEST];

static uint32_t function_starts[FUNCTIONS + 1];

/* Each function is a loop over variable 0 that changes variable 1 by constants of its own. */
static void prepare_interpret(void)
{
	char *to = source;

	for (unsigned int i = 0; i < FUNCTIONS; i++) {
		to += sprintf(to, "push %d\nstore 0\npush 1\nstore 1\n", STEPS);
		to += sprintf(to, "load 1\npush %u\nmultiply\nload 0\nadd\n", 31 + i % 50 * 2);
		to += sprintf(to, "push %u\nxor\nload 1\npush 3\nshift\nadd\nstore 1\n", i * 7919);
		to += sprintf(to, "load 0\npush 1\nsubtract\nstore 0\nload 0\nbranch 4\nhalt\n");
	}
}

NOINLINE static void assemble(void)
{
	const char *at = source;
	uint32_t count = 0;
	uint32_t function = 0;

	while (*at) {
		const char *end = strchrnul(at, '\n');
		size_t length = strcspn(at, " \n");
		unsigned int operation = 0;

		while (strncmp(operations[operation], at, length) != 0 ||
		       operations[operation][length] != '\0') {
			operation++;
		}
		code[count].operation = operation;
		code[count].operand = at[length] == ' ' ? (uint32_t)atoi(at + length + 1) : 0;
		if (count == 0 || code[count - 1].operation == HALT) {
			function_starts[function++] = count;
		}
		count++;
		at = *end ? end + 1 : end;
	}
	function_starts[function] = count;
	done();
}

/* Functions that are alike but for what they push, among those that are near. */
NOINLINE static void find_alike(void)
{
	uint64_t alike = 0;
	uint64_t others = 0;

	for (unsigned int i = 0; i < FUNCTIONS; i++) {
		for (unsigned int k = i + 1; k < FUNCTIONS && k <= i + NEAR; k++) {
			const struct instruction *a = code + function_starts[i];
			const struct instruction *b = code + function_starts[k];

			for (; a->operation == b->operation && a->operation != HALT; a++, b++) {
				others += a->operand != b->operand;
			}
			alike += a->operation == b->operation;
		}
	}
	sink += alike + others;
	done();
}

NOINLINE static void list(void)
{
	char *to = listing;

	for (uint32_t i = 0; i < function_starts[FUNCTIONS]; i++) {
		to = put_number(to, i);
		*to++ = '\t';
		to = put_text(to, operations[code[i].operation]);
		*to++ = ' ';
		to = put_number(to, code[i].operand);
		*to++ = '\n';
	}
	sink += (uint64_t)(to - listing);
	done();
}

static uint32_t run(const struct instruction *function)
{
	const struct instruction *at = function;
	uint32_t variables[2] = { 0 };
	uint32_t stack[8];
	uint32_t *top = stack;

	for (;; at++) {
		switch (at->operation) {
		case PUSH:
			*++top = at->operand;
			break;
		case LOAD:
			*++top = variables[at->operand];
			break;
		case STORE:
			variables[at->operand] = *top--;
			break;
		case ADD:
			top--;
			*top += top[1];
			break;
		case SUBTRACT:
			top--;
			*top -= top[1];
			break;
		case MULTIPLY:
			top--;
			*top *= top[1];
			break;
		case XOR:
			top--;
			*top ^= top[1];
			break;
		case SHIFT:
			top--;
			*top >>= top[1];
			break;
		case BRANCH:
			if (*top-- > 0) {
				at = function + at->operand - 1;
			}
			break;
		case HALT:
			return variables[1];
		}
	}
}

NOINLINE static void work_interpret(void)
{
	for (unsigned int i = 0; i < more(FUNCTIONS); i++) {
		sink += run(code + function_starts[i % FUNCTIONS]);
	}
	done();
}

static void handle_interpret(unsigned int round)
{
	assemble();
	find_alike();
	look_up_if_due(round);
	list();
	answer();
	done();
}

/* ---- image: draws, blurs, spreads the contrast, looks for edges, and shrinks ---- */

#define WIDTH 320
#define HEIGHT 200

static uint8_t drawn[HEIGHT][WIDTH];
static uint8_t blurred[HEIGHT][WIDTH];
static uint8_t spread[HEIGHT][WIDTH];
static uint8_t shrunk[HEIGHT / 3][WIDTH / 3];

NOINLINE static void draw(unsigned int round)
{
	for (unsigned int y = 0; y < HEIGHT; y++) {
		for (unsigned int x = 0; x < WIDTH; x++) {
			unsigned int value = (x * x + y * y + round * 64) >> 7;

			drawn[y][x] = (uint8_t)((value & 127) + (next() & 63));
		}
	}
	done();
}

static uint8_t blur_at(unsigned int x, unsigned int y)
{
	static const unsigned int weights[] = { 1, 2, 1 };
	unsigned int sum = 0;

	for (unsigned int i = 0; i < 3; i++) {
		const uint8_t *row = drawn[(y + i + HEIGHT - 1) % HEIGHT] + x - 1;

		for (unsigned int k = 0; k < 3; k++) {
			sum += weights[i] * weights[k] * row[k];
		}
	}
	return (uint8_t)(sum >> 4);
}

NOINLINE static void work_image(void)
{
	for (unsigned int i = 0; i < more(HEIGHT); i++) {
		unsigned int y = i % HEIGHT;

		for (unsigned int x = 1; x < WIDTH - 1; x++) {
			blurred[y][x] = blur_at(x, y);
		}
	}
	sink += blurred[HEIGHT / 2][WIDTH / 2];
	done();
}

NOINLINE static void spread_contrast(void)
{
	uint32_t counts[256] = { 0 };
	uint8_t levels[256];
	uint32_t sum = 0;

	for (unsigned int y = 0; y < HEIGHT; y++) {
		for (unsigned int x = 0; x < WIDTH; x++) {
			counts[blurred[y][x]]++;
		}
	}
	for (unsigned int i = 0; i < 256; i++) {
		sum += counts[i];
		levels[i] = (uint8_t)((uint64_t)sum * 255 / (HEIGHT * WIDTH));
	}
	for (unsigned int y = 0; y < HEIGHT; y++) {
		for (unsigned int x = 0; x < WIDTH; x++) {
			spread[y][x] = levels[blurred[y][x]];
		}
	}
	done();
}

NOINLINE static void find_edges(void)
{
	uint64_t count = 0;

	for (unsigned int y = 1; y < HEIGHT - 1; y++) {
		const uint8_t *above = spread[y - 1];
		const uint8_t *here = spread[y];
		const uint8_t *below = spread[y + 1];

		for (unsigned int x = 1; x < WIDTH - 1; x++) {
			int across = above[x + 1] + 2 * here[x + 1] + below[x + 1] - above[x - 1] -
				     2 * here[x - 1] - below[x - 1];
			int down = below[x - 1] + 2 * below[x] + below[x + 1] - above[x - 1] -
				   2 * above[x] - above[x + 1];

			count += across * across + down * down > 40000;
		}
	}
	sink += count;
	done();
}

NOINLINE static void shrink(void)
{
	for (unsigned int y = 0; y < HEIGHT / 3; y++) {
		for (unsigned int x = 0; x < WIDTH / 3; x++) {
			unsigned int sum = 0;

			for (unsigned int i = 0; i < 9; i++) {
				sum += spread[3 * y + i / 3][3 * x + i % 3];
			}
			shrunk[y][x] = (uint8_t)(sum / 9);
		}
	}
	sink += shrunk[7][7];
	done();
}

static void handle_image(unsigned int round)
{
	draw(round);
	answer();
	spread_contrast();
	look_up_if_due(round);
	find_edges();
	shrink();
	done();
}

/* ---- store: values by key, in a log that goes round ---- */

#define PAYLOAD 496
#define SLOTS 8192
#define KEYS 4096
#define PUTS 60
#define GETS 400
#define SCANNED 128
#define SCANS 8

struct record {
	uint32_t key;
	uint32_t version;
	uint64_t sum;
	unsigned char payload[PAYLOAD];
};

static int log_file;
static uint32_t version;
/* The slot of each key. */
static uint32_t slots[KEYS];

static uint64_t sum_of_payload(const struct record *record)
{
	uint64_t sum = record->key;

	for (unsigned int i = 0; i < PAYLOAD; i++) {
		sum = (sum ^ record->payload[i]) * 1099511628211U;
	}
	return sum;
}

NOINLINE static void make_value(struct record *record)
{
	uint32_t state = record->version;

	for (unsigned int i = 0; i < PAYLOAD; i++) {
		state ^= state << 13;
		state ^= state >> 17;
		state ^= state << 5;
		record->payload[i] = (unsigned char)('a' + state % 26);
	}
	record->sum = sum_of_payload(record);
	done();
}

NOINLINE static void put(uint32_t key)
{
	struct record record = { .key = key, .version = version };
	uint32_t slot = version++ % SLOTS;

	make_value(&record);
	if (slot == 0) {
		check(lseek(log_file, 0, SEEK_SET) == 0);
	}
	check(write(log_file, &record, sizeof(record)) == sizeof(record));
	slots[key] = slot;
	done();
}

static void prepare_store(void)
{
	char name[] = "slower-XXXXXX";

	log_file = mkstemp(name);
	check(log_file >= 0 && unlink(name) == 0);
	for (unsigned int i = 0; i < SLOTS; i++) {
		put(i % KEYS);
	}
}

/* A record that another has taken the slot of has a wrong key, which is no error. */
static bool get(uint32_t key)
{
	struct record record;
	off_t offset = (off_t)slots[key] * (off_t)sizeof(record);

	check(pread(log_file, &record, sizeof(record), offset) == sizeof(record));
	return record.key == key && sum_of_payload(&record) == record.sum;
}

NOINLINE static void work_store(void)
{
	uint32_t state = version;
	uint64_t found = 0;

	for (unsigned int i = 0; i < more(GETS); i++) {
		state = state * 1664525 + 1013904223;
		found += get((state >> 8) % KEYS);
	}
	sink += found;
	done();
}

NOINLINE static void scan(void)
{
	static struct record scanned[SCANNED];
	uint64_t letters = 0;

	for (unsigned int i = 0; i < SCANS; i++) {
		unsigned int first = (version / PUTS * SCANS + i) * SCANNED % SLOTS;

		check(pread(log_file, scanned, sizeof(scanned),
			    (off_t)first * (off_t)sizeof(scanned[0])) > 0);
		for (unsigned int k = 0; k < SCANNED; k++) {
			if (slots[scanned[k].key] != first + k) {
				continue;
			}
			for (unsigned int n = 0; n < PAYLOAD; n++) {
				letters += scanned[k].payload[n] == 'e';
			}
		}
	}
	sink += letters;
	done();
}

static void handle_store(unsigned int round)
{
	for (unsigned int i = 0; i < PUTS; i++) {
		put(next() % KEYS);
	}
	answer();
	look_up_if_due(round);
	scan();
	done();
}

/* ---- serve: a child that parses requests and replies ---- */

#define REQUESTS 500
#define REQUEST_LONGEST 400
#define HEADERS 8

static const char *const header_names[HEADERS] = { "Host",       "User-Agent",
						   "Accept",     "Accept-Encoding",
						   "Cookie",     "Content-Length",
						   "Connection", "X-Request" };

static struct request {
	const char *method;
	char path[128];
	unsigned int parameters;
	const char *headers[HEADERS];
	/* Of all headers, by which an equal request is known. */
	uint32_t hash;
	/* Characters that no header may have. */
	unsigned int wrong;
} requests[ROOM(REQUESTS)];

static char stream[REQUESTS * REQUEST_LONGEST];
static char *heads[REQUESTS];
static int peer;

static bool read_all(void *to, size_t size)
{
	for (size_t at = 0; at < size;) {
		ssize_t count = read(peer, (char *)to + at, size - at);

		if (count <= 0) {
			return false;
		}
		at += (size_t)count;
	}
	return true;
}

static void write_all(const void *from, size_t size)
{
	for (size_t at = 0; at < size;) {
		ssize_t count = write(peer, (const char *)from + at, size - at);

		check(count > 0);
		at += (size_t)count;
	}
}

NOINLINE static bool receive(void)
{
	uint32_t size;

	if (!read_all(&size, sizeof(size)) || !read_all(stream, size)) {
		return false;
	}
	stream[size] = '\0';
	return true;
}

NOINLINE static void deliver(const char *end)
{
	uint32_t size = (uint32_t)(end - stream);

	write_all(&size, sizeof(size));
	write_all(stream, size);
	done();
}

NOINLINE static char *make_requests(void)
{
	char *to = stream;

	for (unsigned int i = 0; i < REQUESTS; i++) {
		to = stpcpy(to, i % 4 ? "GET /shop/item%20" : "POST /cart/add%2F");
		to = put_number(to, next() % 10000);
		to = stpcpy(to, "?colour=dark%2Dblue&size=");
		to = put_number(to, next() % 50);
		to = stpcpy(to, " HTTP/1.1\r\nHost: www.example.org\r\n"
				"User-agent: slower/1.0 (Linux)\r\nAccept: text/html, */*\r\n"
				"Connection: keep-alive\r\nCookie: session=");
		for (unsigned int k = 0; k < 4; k++) {
			to = put_number(to, next());
		}
		to = stpcpy(to, "\r\nX-Request: ");
		to = put_number(to, i);
		to = stpcpy(to, "\r\n\r\n");
	}
	return to;
}

/* Where each request begins. */
NOINLINE static void split_requests(void)
{
	char *at = stream;

	for (unsigned int i = 0; i < REQUESTS; i++) {
		heads[i] = at;
		at = strstr(at, "\r\n\r\n");
		check(at != NULL);
		at += 4;
	}
	done();
}

static unsigned int hex_digit(char digit)
{
	return digit <= '9' ? (unsigned int)digit - '0' : ((unsigned int)digit | 32) - 'a' + 10;
}

static const char *parse_path(const char *at, struct request *request)
{
	char *to = request->path;

	request->parameters = 0;
	for (; *at != ' '; at++) {
		request->parameters += *at == '=';
		if (*at == '%') {
			*to++ = (char)(hex_digit(at[1]) << 4 | hex_digit(at[2]));
			at += 2;
		} else {
			*to++ = *at;
		}
	}
	*to = '\0';
	return at;
}

static const char *parse_header(const char *at, struct request *request)
{
	for (unsigned int i = 0; i < HEADERS; i++) {
		size_t length = strlen(header_names[i]);

		if (strncasecmp(at, header_names[i], length) == 0 && at[length] == ':') {
			request->headers[i] = at + length + 2;
			break;
		}
	}
	for (; *at != '\r'; at++) {
		request->hash = (request->hash ^ (unsigned char)*at) * 16777619;
		request->wrong += *at < ' ' || *at > '~';
	}
	return at + 2;
}

static void parse_request(const char *at, struct request *request)
{
	memset(request->headers, 0, sizeof(request->headers));
	request->method = at;
	request->hash = 2166136261U;
	request->wrong = 0;
	at = strchr(parse_path(strchr(at, ' ') + 1, request), '\n') + 1;
	while (*at != '\r') {
		at = parse_header(at, request);
	}
}

NOINLINE static void work_serve(void)
{
	for (unsigned int i = 0; i < more(REQUESTS); i++) {
		parse_request(heads[i % REQUESTS], &requests[i]);
	}
	sink += requests[REQUESTS / 2].hash;
	done();
}

/* Over the requests, which are parsed: none of what it prints comes from there but the paths. */
NOINLINE static char *print_replies(void)
{
	static char body[512];
	char *to = stream;

	for (unsigned int i = 0; i < REQUESTS; i++) {
		char *end = put_text(body, "<p>");

		for (const char *path = requests[i].path; *path; path++) {
			if (*path == '&') {
				end = put_text(end, "&amp;");
			} else {
				*end++ = *path;
			}
		}
		end = put_text(end, "</p>\n");
		to = put_text(to, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ");
		to = put_number(to, (uint32_t)(end - body));
		to = put_text(to, "\r\n\r\n");
		to = mempcpy(to, body, (size_t)(end - body));
	}
	return to;
}

NOINLINE static void check_replies(void)
{
	const char *at = stream;
	uint64_t sum = 0;

	for (unsigned int i = 0; i < REQUESTS; i++) {
		const char *length = strstr(at, "Content-Length: ") + 16;
		const char *body = strstr(length, "\r\n\r\n") + 4;

		check(strncmp(at, "HTTP/1.1 200", 12) == 0);
		at = body + atoi(length);
		for (; body < at; body++) {
			sum = sum * 31 + (unsigned char)*body;
		}
	}
	sink += sum;
	done();
}

static void serve(void)
{
	/* The parent closes it when all are done. */
	for (unsigned int round = 0; receive(); round++) {
		split_requests();
		answer();
		look_up_if_due(round);
		deliver(print_replies());
	}
	exit(EXIT_SUCCESS);
}

static void prepare_serve(void)
{
	int peers[2];

	check(socketpair(AF_UNIX, SOCK_STREAM, 0, peers) == 0);
	if (fork() == 0) {
		close(peers[0]);
		peer = peers[1];
		serve();
	}
	close(peers[1]);
	peer = peers[0];
}

static void handle_serve(unsigned int round)
{
	deliver(make_requests());
	check(receive());
	check_replies();
	if (round + 1 == program->rounds) {
		close(peer);
		wait(NULL);
	}
	done();
}

/* ---- power: powers of large numbers modulo another, and what goes with it ---- */

#define LIMBS 32
#define BITS 400
#define PRIMES 100000
#define PRODUCT 320
#define ENCODED 196608

static uint32_t modulus[LIMBS];
/* The negative inverse of its lowest limb. */
static uint32_t inverse;
static uint32_t base[LIMBS];
static uint8_t composite[PRIMES];
static uint32_t product[PRODUCT];
static char decimal[PRODUCT * 10 + 10];
static char encoded[ENCODED / 3 * 4];

static uint32_t next_limb(void)
{
	uint32_t high = next() << 8;

	return high | (next() & 255);
}

static void prepare_power(void)
{
	for (unsigned int i = 0; i < LIMBS; i++) {
		modulus[i] = next_limb();
		base[i] = next_limb();
	}
	modulus[0] |= 1;
	modulus[LIMBS - 1] |= 1U << 31;
	inverse = 1;
	for (unsigned int i = 0; i < 5; i++) {
		inverse *= 2 - modulus[0] * inverse;
	}
	inverse = -inverse;
}

/* Both factors and the result are in the form of Montgomery. */
static void multiply(uint32_t *to, const uint32_t *a, const uint32_t *b)
{
	uint32_t sum[LIMBS + 2] = { 0 };

	for (unsigned int i = 0; i < LIMBS; i++) {
		uint64_t carry = 0;
		uint32_t factor;

		for (unsigned int k = 0; k < LIMBS; k++) {
			carry += (uint64_t)a[k] * b[i] + sum[k];
			sum[k] = (uint32_t)carry;
			carry >>= 32;
		}
		carry += sum[LIMBS];
		sum[LIMBS] = (uint32_t)carry;
		sum[LIMBS + 1] = (uint32_t)(carry >> 32);
		factor = sum[0] * inverse;
		carry = ((uint64_t)factor * modulus[0] + sum[0]) >> 32;
		for (unsigned int k = 1; k < LIMBS; k++) {
			carry += (uint64_t)factor * modulus[k] + sum[k];
			sum[k - 1] = (uint32_t)carry;
			carry >>= 32;
		}
		carry += sum[LIMBS];
		sum[LIMBS - 1] = (uint32_t)carry;
		sum[LIMBS] = sum[LIMBS + 1] + (uint32_t)(carry >> 32);
	}
	if (sum[LIMBS] > 0) {
		int64_t borrow = 0;

		for (unsigned int k = 0; k < LIMBS; k++) {
			borrow += (int64_t)sum[k] - modulus[k];
			sum[k] = (uint32_t)borrow;
			borrow >>= 32;
		}
	}
	memcpy(to, sum, LIMBS * sizeof(to[0]));
}

/* One in four bits of the exponent is set, always the same, so that all of them take as long. */
NOINLINE static void work_power(void)
{
	uint32_t power[LIMBS];

	memcpy(power, base, sizeof(power));
	for (unsigned int i = 0; i < more(BITS); i++) {
		multiply(power, power, power);
		if (i % 4 == 0) {
			multiply(power, power, base);
		}
	}
	sink += power[3];
	done();
}

NOINLINE static void sieve(void)
{
	uint64_t sum = 0;

	memset(composite, 0, sizeof(composite));
	for (unsigned int i = 2; i < PRIMES; i++) {
		if (composite[i]) {
			continue;
		}
		sum += i;
		for (unsigned int k = 2 * i; k < PRIMES; k += i) {
			composite[k] = 1;
		}
	}
	sink += sum;
	done();
}

/* Nine digits at a time, the last ones first. */
NOINLINE static void print_decimal(void)
{
	unsigned int limbs = PRODUCT;
	char *to = decimal;

	for (unsigned int i = 0; i < PRODUCT; i++) {
		product[i] = base[i % LIMBS] + i;
	}
	while (limbs > 0) {
		uint64_t rest = 0;

		for (unsigned int i = limbs; i-- > 0;) {
			rest = rest << 32 | product[i];
			product[i] = (uint32_t)(rest / 1000000000);
			rest %= 1000000000;
		}
		to = put_number(to, (uint32_t)rest);
		while (limbs > 0 && product[limbs - 1] == 0) {
			limbs--;
		}
	}
	sink += (uint64_t)(to - decimal);
	done();
}

NOINLINE static void encode(void)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	char *to = encoded;

	for (unsigned int i = 0; i < ENCODED; i += 3) {
		const uint8_t *from = composite + i % (PRIMES - 3);
		uint32_t bytes = (uint32_t)from[0] << 16 | (uint32_t)from[1] << 8 | from[2];

		bytes ^= base[i % LIMBS];
		for (int shift = 18; shift >= 0; shift -= 6) {
			*to++ = digits[bytes >> shift & 63];
		}
	}
	sink += (unsigned char)encoded[ENCODED / 2];
	done();
}

static void handle_power(unsigned int round)
{
	base[round % LIMBS] ^= next_limb();
	sieve();
	answer();
	print_decimal();
	look_up_if_due(round);
	encode();
	done();
}

/* ---- match: lines of a log, and patterns that are tried by going back ---- */

#define LINES 1500
#define LINE_LONGEST 96
#define MATCHED 240
#define PATTERN_LONGEST 24

static char lines[LINES][LINE_LONGEST];

static const char *const patterns[] = { "user [a-z]*[0-9] .*failed", "[0-9]*ms .*e.*e.*timeout",
					"^.*[a-z]=[0-9]*7$" };

#define PATTERNS (sizeof(patterns) / sizeof(patterns[0]))

/* One character, or any number of them, of a set. */
static struct atom {
	bool is_set[128];
	bool is_repeated;
	bool is_end;
	bool is_last;
} atoms[PATTERNS][PATTERN_LONGEST];

static const char *prepare_set(const char *at, struct atom *atom)
{
	if (*at == '[') {
		for (at++; *at != ']'; at += 3) {
			memset(atom->is_set + at[0], true, (size_t)(at[2] - at[0] + 1));
		}
	} else if (*at == '.') {
		memset(atom->is_set + 1, true, sizeof(atom->is_set) - 1);
	} else if (*at == '$') {
		atom->is_end = true;
	} else {
		atom->is_set[(unsigned char)*at] = true;
	}
	return at + 1;
}

static void prepare_match(void)
{
	for (unsigned int i = 0; i < PATTERNS; i++) {
		const char *at = patterns[i] + (patterns[i][0] == '^');
		struct atom *atom = atoms[i];

		for (; *at; atom++) {
			at = prepare_set(at, atom);
			if (*at == '*') {
				atom->is_repeated = true;
				at++;
			}
		}
		atom->is_last = true;
	}
}

NOINLINE static void make_lines(void)
{
	static const char *const ends[] = { "logged in", "failed", "timeout", "session closed" };

	for (unsigned int i = 0; i < LINES; i++) {
		snprintf(lines[i], sizeof(lines[i]),
			 "%02u:%02u:%02u %ums host%u: user %s%u %s id=%u", next() % 24, next() % 60,
			 next() % 60, next() % 5000, next() % 20, i % 3 ? "peter" : "anne",
			 next() % 30, ends[next() % 4], next() % 100000);
	}
	done();
}

static bool match_here(const struct atom *atom, const char *at)
{
	if (atom->is_last) {
		return true;
	}
	if (atom->is_end) {
		return *at == '\0';
	}
	if (!atom->is_set[(unsigned char)*at]) {
		return atom->is_repeated && match_here(atom + 1, at);
	}
	if (!atom->is_repeated) {
		return match_here(atom + 1, at + 1);
	}
	/* As many as there are first. */
	return match_here(atom, at + 1) || match_here(atom + 1, at);
}

static bool match(unsigned int pattern, const char *line)
{
	if (patterns[pattern][0] == '^') {
		return match_here(atoms[pattern], line);
	}
	for (; *line; line++) {
		if (match_here(atoms[pattern], line)) {
			return true;
		}
	}
	return false;
}

NOINLINE static void work_match(void)
{
	uint64_t count = 0;

	for (unsigned int i = 0; i < more(MATCHED); i++) {
		for (unsigned int k = 0; k < PATTERNS; k++) {
			count += match(k, lines[i % MATCHED]);
		}
	}
	sink += count;
	done();
}

NOINLINE static void split_fields(void)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < LINES; i++) {
		char line[LINE_LONGEST];
		char *rest = NULL;

		strcpy(line, lines[i]);
		for (char *field = strtok_r(line, " :=", &rest); field;
		     field = strtok_r(NULL, " :=", &rest)) {
			sum += strtoul(field, NULL, 10) + strlen(field);
		}
	}
	sink += sum;
	done();
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

NOINLINE static void sort_lines(void)
{
	static const char *sorted[LINES];

	for (unsigned int i = 0; i < LINES; i++) {
		sorted[i] = lines[i];
	}
	qsort(sorted, LINES, sizeof(sorted[0]), compare_lines);
	sink += (unsigned char)sorted[LINES / 2][7];
	done();
}

static void handle_match(unsigned int round)
{
	make_lines();
	split_fields();
	answer();
	sort_lines();
	look_up_if_due(round);
	done();
}

/* ---- life: two threads that meet at a barrier ---- */

#define COLUMNS 256
#define HALF 100
#define ROWS (2 * HALF)
#define STIRRED 20000

static uint8_t fields[2][ROWS][COLUMNS];
static unsigned int generation;
static pthread_barrier_t barrier;
static pthread_t helper;
static __thread unsigned int first_row;
static char shown[ROWS * (COLUMNS + 1)];
static uint32_t waiting_cells[ROWS * COLUMNS];
static bool is_counted[ROWS * COLUMNS];

NOINLINE static void work_life(void)
{
	uint64_t living = 0;

	for (unsigned int i = 0; i < more(HALF); i++) {
		unsigned int y = first_row + i % HALF;
		const uint8_t *above = fields[generation % 2][(y + ROWS - 1) % ROWS];
		const uint8_t *here = fields[generation % 2][y];
		const uint8_t *below = fields[generation % 2][(y + 1) % ROWS];
		uint8_t *to = fields[(generation + 1) % 2][y];

		for (unsigned int x = 0; x < COLUMNS; x++) {
			unsigned int left = (x + COLUMNS - 1) % COLUMNS;
			unsigned int right = (x + 1) % COLUMNS;
			unsigned int count = above[left] + above[x] + above[right] + here[left] +
					     here[right] + below[left] + below[x] + below[right];

			to[x] = count == 3 || (count == 2 && here[x]);
			living += to[x];
		}
	}
	/* Both threads at once. */
	__atomic_fetch_add(&sink, living, __ATOMIC_RELAXED);
	done();
}

static void *help(void *unused)
{
	(void)unused;
	first_row = HALF;
	for (unsigned int i = 0; i < program->rounds; i++) {
		pthread_barrier_wait(&barrier);
		answer();
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

static void prepare_life(void)
{
	pthread_barrier_init(&barrier, NULL, 2);
	check(pthread_create(&helper, NULL, help, NULL) == 0);
}

NOINLINE static void stir(void)
{
	for (unsigned int i = 0; i < STIRRED; i++) {
		uint32_t place = next();

		fields[generation % 2][place % ROWS][(place >> 8) % COLUMNS] ^= place % 7 == 0;
	}
	done();
}

/* Runs of cells that are dead (b) or alive (o). */
NOINLINE static void show(void)
{
	char *to = shown;

	for (unsigned int y = 0; y < ROWS; y++) {
		const uint8_t *row = fields[generation % 2][y];
		unsigned int first = 0;

		for (unsigned int x = 1; x <= COLUMNS; x++) {
			if (x < COLUMNS && row[x] == row[first]) {
				continue;
			}
			if (x - first > 1) {
				to = put_number(to, x - first);
			}
			*to++ = row[first] ? 'o' : 'b';
			first = x;
		}
		*to++ = '$';
	}
	sink += (uint64_t)(to - shown);
	done();
}

/* The groups of cells that touch each other, in one half and from there. */
NOINLINE static void count_groups(void)
{
	const uint8_t *cells = fields[generation % 2][0];
	uint32_t first = generation / 2 % 2 * HALF * COLUMNS;
	uint64_t groups = 0;

	memset(is_counted, false, sizeof(is_counted));
	for (uint32_t i = first; i < first + HALF * COLUMNS; i++) {
		uint32_t waiting = 0;

		if (!cells[i] || is_counted[i]) {
			continue;
		}
		groups++;
		is_counted[i] = true;
		waiting_cells[waiting++] = i;
		while (waiting > 0) {
			static const int steps[] = { -COLUMNS, -1, 1, COLUMNS };
			uint32_t at = waiting_cells[--waiting];

			for (unsigned int k = 0; k < 4; k++) {
				uint32_t to = (at + (uint32_t)steps[k] + ROWS * COLUMNS) %
					      (ROWS * COLUMNS);

				if (cells[to] && !is_counted[to]) {
					is_counted[to] = true;
					waiting_cells[waiting++] = to;
				}
			}
		}
	}
	sink += groups;
	done();
}

static void handle_life(unsigned int round)
{
	stir();
	pthread_barrier_wait(&barrier);
	answer();
	pthread_barrier_wait(&barrier);
	generation++;
	look_up_if_due(round);
	show();
	count_groups();
	if (round + 1 == program->rounds) {
		pthread_join(helper, NULL);
	}
	done();
}

/* ---- Which there are ---- */

static const struct program programs[] = {
	{ "compress", 720, SLEEP, prepare_compress, handle_compress, work_compress },
	{ "parse", 1700, POLL, NULL, handle_parse, work_parse },
	{ "align", 300, SELECT, prepare_align, handle_align, work_align },
	{ "interpret", 1000, FUTEX, prepare_interpret, handle_interpret, work_interpret },
	{ "image", 1450, CONDITION, NULL, handle_image, work_image },
	{ "store", 930, SLEEP, prepare_store, handle_store, work_store },
	{ "serve", 2050, POLL, prepare_serve, handle_serve, work_serve },
	{ "power", 560, SELECT, prepare_power, handle_power, work_power },
	{ "match", 340, FUTEX, prepare_match, handle_match, work_match },
	{ "life", 1400, CONDITION, prepare_life, handle_life, work_life },
};

int main(int argc, char **argv)
{
	if (argc < 3) {
		return EXIT_FAILURE;
	}
	for (unsigned int i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		if (strcmp(programs[i].name, argv[1]) == 0) {
			program = &programs[i];
		}
	}
	slower_percent = (unsigned int)atoi(argv[2]);
	if (!program || slower_percent > PERCENT_MOST || pipe(quiet) != 0) {
		return EXIT_FAILURE;
	}
	if (argc > 4) {
		pieces = (unsigned int)atoi(argv[3]);
		milliseconds = (unsigned int)atoi(argv[4]);
	}
	if (program->prepare) {
		program->prepare();
	}
	for (unsigned int round = 0; round < program->rounds; round++) {
		program->handle(round);
	}
	return EXIT_SUCCESS;
}

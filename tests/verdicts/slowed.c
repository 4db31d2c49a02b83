/* SPDX-License-Identifier: MIT */
/*
 * Twenty small programs in one, of which one function can be made slower by a known part, and
 * which can wait in a function of their own that they call at no other time:
 *
 *     slowed PROGRAM PERCENT [PIECES MILLISECONDS]
 *
 * The function is always answer(), so that who looks for it needs one name. It takes some 0.4 s of
 * CPU time of about twice as much. What else a program does differs: it computes, walks through
 * memory, sorts, allocates, reads files, hands work to a thread or to a process; and those that
 * came later look keys up in a tree, format text, hand pieces of work to two threads, send text
 * through a filter, and map memory that they touch once; or sum text up by a table, search in it,
 * keep a heap in order, copy memory, and make system calls.
 */
#define _GNU_SOURCE /* memmem() */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))
#define ROUNDS 300
/* What there is room for. */
#define PERCENT_MOST 60
#define TABLE (1U << 21)
#define MATRIX 96
#define TEXT 65536
#define KEYS 20000
#define BRANCHES 150000
#define PIECES 8
#define BLOCK 4096
#define BLOCKS 8
#define PAGE 4096
#define COPY 65536

static volatile uint64_t sink;
static uint32_t table[TABLE];
static double matrix[3][MATRIX][MATRIX];
static char text[TEXT];
static uint32_t keys[KEYS];
static uint32_t sums[256];
static int file;

/* A search tree: the numbers of smaller and of larger ones, 0 for none. */
static struct branch {
	uint32_t key;
	uint32_t children[2];
} branches[BRANCHES + 1];

/* Ends a function, so that no call before it is made by a jump. */
static void done(void)
{
	__asm__ volatile("");
}

/* `count` and so many percent more. */
static unsigned int more(unsigned int count, unsigned int percent)
{
	return count * (100 + percent) / 100;
}

static uint32_t next(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

/* ---- What programs do beside it ---- */

NOINLINE static void compute(unsigned int steps)
{
	uint64_t sum = sink;

	for (unsigned int i = 0; i < steps; i++) {
		sum = sum * 31 + i;
	}
	sink = sum;
}

NOINLINE static void walk(unsigned int steps)
{
	uint32_t state = (uint32_t)sink | 1;
	uint64_t sum = 0;

	for (unsigned int i = 0; i < steps; i++) {
		sum += table[next(&state) % TABLE]++;
	}
	sink = sum + state;
}

NOINLINE static void print(void)
{
	char line[64];
	int length = snprintf(line, sizeof(line), "%llu\n", (unsigned long long)sink);

	if (write(file, line, (size_t)length) != length) {
		exit(EXIT_FAILURE);
	}
	done();
}

/* ---- The new wait ---- */

NOINLINE static void look_up(unsigned int milliseconds)
{
	struct timespec time = { .tv_sec = milliseconds / 1000,
				 .tv_nsec = milliseconds % 1000 * 1000000L };

	switch (milliseconds % 3) {
	case 0:
		nanosleep(&time, NULL);
		break;
	case 1:
		poll(NULL, 0, (int)milliseconds);
		break;
	default:
		pselect(0, NULL, NULL, NULL, &time, NULL);
	}
	done();
}

/* ---- Where they spend their time ---- */

NOINLINE static void answer_matrix(unsigned int percent)
{
	for (unsigned int i = 0; i < more(7 * MATRIX, percent); i++) {
		for (unsigned int j = 0; j < MATRIX; j++) {
			double sum = 0;

			for (unsigned int k = 0; k < MATRIX; k++) {
				sum += matrix[0][i % MATRIX][k] * matrix[1][k][j];
			}
			matrix[2][i % MATRIX][j] = sum;
		}
	}
	sink += (uint64_t)matrix[2][1][1];
	done();
}

NOINLINE static void answer_hash(unsigned int percent)
{
	walk(more(330000, percent));
	done();
}

static int compare(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a;
	uint32_t right = *(const uint32_t *)b;

	return (left > right) - (left < right);
}

NOINLINE static void answer_sort(unsigned int percent)
{
	uint32_t state = (uint32_t)sink | 1;

	for (unsigned int i = 0; i < more(2 * KEYS, percent); i++) {
		keys[i % KEYS] = next(&state);
	}
	qsort(keys, more(3 * KEYS / 5, percent), sizeof(keys[0]), compare);
	sink += keys[KEYS / 2];
	done();
}

NOINLINE static void answer_text(unsigned int percent)
{
	unsigned int words[256] = { 0 };

	for (unsigned int i = 0; i < more(48 * TEXT, percent); i++) {
		words[(unsigned char)text[i % TEXT]]++;
	}
	sink += words[7];
	done();
}

struct item {
	struct item *next;
	uint32_t value[12];
};

NOINLINE static void answer_list(unsigned int percent)
{
	struct item *first = NULL;

	for (unsigned int i = 0; i < more(75000, percent); i++) {
		struct item *item = malloc(sizeof(*item));

		item->next = first;
		item->value[i % 12] = i;
		first = item;
	}
	while (first) {
		struct item *item = first;

		first = item->next;
		sink += item->value[3];
		free(item);
	}
	done();
}

NOINLINE static void answer_file(unsigned int percent)
{
	static char page[16384];
	int input = open("text", O_RDONLY);

	for (unsigned int i = 0; i < more(420, percent); i++) {
		if (pread(input, page, sizeof(page), i % 64 * 4096) < 0) {
			exit(EXIT_FAILURE);
		}
		for (unsigned int k = 0; k < sizeof(page); k += 8) {
			sink += (unsigned char)page[k];
		}
	}
	close(input);
	done();
}

NOINLINE static void answer_tree(unsigned int percent)
{
	uint32_t state = (uint32_t)sink | 1;

	for (unsigned int i = 0; i < more(5000, percent); i++) {
		uint32_t key = next(&state);
		uint32_t at = 1;

		while (at > 0 && branches[at].key != key) {
			sink += branches[at].key;
			at = branches[at].children[key > branches[at].key];
		}
	}
	done();
}

NOINLINE static void answer_format(unsigned int percent)
{
	char line[64];

	for (unsigned int i = 0; i < more(6000, percent); i++) {
		snprintf(line, sizeof(line), "%u %x %s", i, i * 7919, "fields");
		sink += strtoul(line, NULL, 10) + strlen(line);
	}
	done();
}

NOINLINE static void answer_map(unsigned int percent)
{
	size_t size = (size_t)more(1500, percent) * PAGE;
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED) {
		exit(EXIT_FAILURE);
	}
	for (size_t i = 0; i < size; i += PAGE) {
		memory[i] = (char)i;
	}
	sink += (uint64_t)memory[size / 2];
	munmap(memory, size);
	done();
}

NOINLINE static void answer_crc(unsigned int percent)
{
	uint32_t sum = (uint32_t)sink;

	for (unsigned int i = 0; i < more(8 * TEXT, percent); i++) {
		sum = sums[(sum ^ (unsigned char)text[i % TEXT]) & 255] ^ sum >> 8;
	}
	sink += sum;
	done();
}

NOINLINE static void answer_search(unsigned int percent)
{
	for (unsigned int i = 0; i < more(80, percent); i++) {
		const char needle[] = { 'n', 'e', 'e', 'd', (char)i, 'l', 'e' };

		sink += memmem(text, TEXT, needle, sizeof(needle)) != NULL;
	}
	done();
}

/* The smallest key becomes a larger one, which sinks to its place. */
NOINLINE static void answer_heap(unsigned int percent)
{
	uint32_t state = (uint32_t)sink | 1;

	for (unsigned int i = 0; i < more(18000, percent); i++) {
		uint32_t key = keys[0] + next(&state) % TEXT;
		unsigned int at = 0;
		unsigned int child;

		while ((child = 2 * at + 1) < KEYS - 1) {
			child += keys[child + 1] < keys[child];
			if (keys[child] >= key) {
				break;
			}
			keys[at] = keys[child];
			at = child;
		}
		keys[at] = key;
	}
	sink += keys[0];
	done();
}

NOINLINE static void answer_copy(unsigned int percent)
{
	const unsigned int blocks = sizeof(table) / COPY / 2;
	char *bytes = (char *)table;

	for (unsigned int i = 0; i < more(200, percent); i++) {
		memcpy(bytes + (size_t)(i % blocks) * COPY,
		       bytes + (size_t)(blocks + i % blocks) * COPY, COPY);
	}
	sink += table[1];
	done();
}

NOINLINE static void answer_stat(unsigned int percent)
{
	struct stat status;

	for (unsigned int i = 0; i < more(600, percent); i++) {
		sink += (uint64_t)fstat(file, &status);
	}
	done();
}

NOINLINE static void answer(const char *program, unsigned int percent)
{
	if (strcmp(program, "matrix") == 0) {
		answer_matrix(percent);
	} else if (strcmp(program, "hash") == 0 || strcmp(program, "thread") == 0) {
		answer_hash(percent);
	} else if (strcmp(program, "sort") == 0) {
		answer_sort(percent);
	} else if (strcmp(program, "text") == 0 || strcmp(program, "server") == 0) {
		answer_text(percent);
	} else if (strcmp(program, "list") == 0) {
		answer_list(percent);
	} else if (strcmp(program, "file") == 0) {
		answer_file(percent);
	} else if (strcmp(program, "tree") == 0) {
		answer_tree(percent);
	} else if (strcmp(program, "format") == 0) {
		answer_format(percent);
	} else if (strcmp(program, "map") == 0) {
		answer_map(percent);
	} else if (strcmp(program, "crc") == 0) {
		answer_crc(percent);
	} else if (strcmp(program, "search") == 0) {
		answer_search(percent);
	} else if (strcmp(program, "heap") == 0) {
		answer_heap(percent);
	} else if (strcmp(program, "copy") == 0) {
		answer_copy(percent);
	} else if (strcmp(program, "stat") == 0) {
		answer_stat(percent);
	} else if (strcmp(program, "pool") == 0) {
		compute(more(2000000 / PIECES, percent));
	} else if (strcmp(program, "filter") == 0) {
		compute(more(2000000 / BLOCKS, percent));
	} else {
		compute(more(2000000, percent));
	}
	done();
}

/* ---- Who does it ---- */

static const char *program;
static unsigned int slower_percent;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned int asked;
static unsigned int taken;
static unsigned int answered;

static void *serve_thread(void *unused)
{
	(void)unused;
	for (unsigned int i = 1; i <= ROUNDS; i++) {
		pthread_mutex_lock(&mutex);
		while (asked < i) {
			pthread_cond_wait(&changed, &mutex);
		}
		pthread_mutex_unlock(&mutex);
		answer(program, slower_percent);
		pthread_mutex_lock(&mutex);
		answered = i;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

NOINLINE static void ask_thread(void)
{
	pthread_mutex_lock(&mutex);
	asked++;
	pthread_cond_broadcast(&changed);
	while (answered < asked) {
		pthread_cond_wait(&changed, &mutex);
	}
	pthread_mutex_unlock(&mutex);
}

/* Takes one piece after the other; `asked` are those that there were, `answered` those done. */
static void *serve_pool(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&mutex);
	for (;;) {
		while (taken == asked) {
			pthread_cond_wait(&changed, &mutex);
		}
		taken++;
		pthread_mutex_unlock(&mutex);
		answer(program, slower_percent);
		pthread_mutex_lock(&mutex);
		answered++;
		pthread_cond_broadcast(&changed);
	}
	return NULL;
}

NOINLINE static void ask_pool(void)
{
	pthread_mutex_lock(&mutex);
	asked += PIECES;
	pthread_cond_broadcast(&changed);
	while (answered < asked) {
		pthread_cond_wait(&changed, &mutex);
	}
	pthread_mutex_unlock(&mutex);
}

static bool read_all(int from, char *bytes, size_t size)
{
	ssize_t count = 1;

	for (size_t done = 0; done < size && count > 0; done += (size_t)count) {
		count = read(from, bytes + done, size - done);
	}
	return count > 0;
}

/* Each block comes back when it has gone through answer(). */
static void serve_filter(int peer)
{
	char block[BLOCK];

	while (read_all(peer, block, sizeof(block))) {
		answer(program, slower_percent);
		if (write(peer, block, sizeof(block)) != sizeof(block)) {
			break;
		}
	}
	exit(EXIT_SUCCESS);
}

NOINLINE static void ask_filter(int peer)
{
	static char blocks[BLOCKS * BLOCK];

	for (unsigned int i = 0; i < BLOCKS; i++) {
		if (write(peer, blocks + i * BLOCK, BLOCK) != BLOCK) {
			exit(EXIT_FAILURE);
		}
		compute(20000);
	}
	if (!read_all(peer, blocks, sizeof(blocks))) {
		exit(EXIT_FAILURE);
	}
	done();
}

static void serve_process(int peer)
{
	char byte;

	while (read(peer, &byte, 1) == 1) {
		answer(program, slower_percent);
		if (write(peer, &byte, 1) != 1) {
			break;
		}
	}
	exit(EXIT_SUCCESS);
}

NOINLINE static void ask_process(int peer)
{
	char byte = 0;

	if (write(peer, &byte, 1) != 1 || read(peer, &byte, 1) != 1) {
		exit(EXIT_FAILURE);
	}
	done();
}

/* One round: its own work, quiet programs without a system call, and the answer. */
NOINLINE static void handle(int peer)
{
	bool is_quiet = strcmp(program, "quiet") == 0 || strcmp(program, "hash") == 0 ||
			strcmp(program, "matrix") == 0;

	compute(600000);
	if (!is_quiet) {
		print();
	}
	walk(40000);
	if (strcmp(program, "thread") == 0) {
		ask_thread();
	} else if (strcmp(program, "pool") == 0) {
		ask_pool();
	} else if (strcmp(program, "filter") == 0) {
		ask_filter(peer);
	} else if (peer >= 0) {
		ask_process(peer);
	} else {
		answer(program, slower_percent);
	}
	if (strcmp(program, "pause") == 0) {
		usleep(500);
	}
	done();
}

static void fill(void)
{
	uint32_t state = 1;

	for (unsigned int i = 0; i < TEXT; i++) {
		text[i] = (char)next(&state);
	}
	for (unsigned int i = 0; i < 256; i++) {
		sums[i] = next(&state) * 2654435761U;
	}
	for (unsigned int i = 0; i < MATRIX; i++) {
		for (unsigned int k = 0; k < MATRIX; k++) {
			matrix[0][i][k] = next(&state) % 100;
			matrix[1][i][k] = next(&state) % 100;
		}
	}
}

/* Random keys in the order in which they come. */
static void plant(void)
{
	uint32_t state = 1;

	for (uint32_t i = 1; i <= BRANCHES; i++) {
		uint32_t at = 1;
		uint32_t *place = NULL;

		branches[i].key = next(&state);
		while (i > 1 && at > 0) {
			place = &branches[at].children[branches[i].key > branches[at].key];
			at = *place;
		}
		if (place) {
			*place = i;
		}
	}
}

static int start_process(void (*serve)(int peer))
{
	int peers[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, peers) != 0) {
		exit(EXIT_FAILURE);
	}
	if (fork() == 0) {
		close(peers[0]);
		serve(peers[1]);
	}
	close(peers[1]);
	return peers[0];
}

int main(int argc, char **argv)
{
	unsigned int pieces = argc > 4 ? (unsigned int)atoi(argv[3]) : 0;
	pthread_t thread;
	int peer = -1;

	if (argc < 3) {
		return EXIT_FAILURE;
	}
	program = argv[1];
	slower_percent = (unsigned int)atoi(argv[2]);
	if (slower_percent > PERCENT_MOST) {
		return EXIT_FAILURE;
	}
	file = open("/dev/null", O_WRONLY);
	fill();
	if (strcmp(program, "thread") == 0) {
		pthread_create(&thread, NULL, serve_thread, NULL);
	} else if (strcmp(program, "server") == 0) {
		peer = start_process(serve_process);
	} else if (strcmp(program, "filter") == 0) {
		peer = start_process(serve_filter);
	} else if (strcmp(program, "pool") == 0) {
		pthread_create(&thread, NULL, serve_pool, NULL);
		pthread_create(&thread, NULL, serve_pool, NULL);
	} else if (strcmp(program, "tree") == 0) {
		plant();
	}
	for (unsigned int i = 0; i < ROUNDS; i++) {
		handle(peer);
		/* Evenly spread. */
		if ((i + 1) * pieces / ROUNDS > i * pieces / ROUNDS) {
			look_up((unsigned int)atoi(argv[4]));
		}
	}
	if (peer >= 0) {
		close(peer);
		wait(NULL);
	}
	return EXIT_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/*
 * A small web shop without a network: the program that scripts/demo traces.
 *
 * Two workers serve requests from a fixed generator: parse, route, handle, render, write a line
 * of an access log. Every page that shows a price asks price_of(), which reads the price list
 * again when it is old, under a lock: a symbolic link that names its owner.
 *
 * With --stale-lock the shop finds locks that a crashed shop left behind. Nothing fails and nothing
 * is logged: take_price_lock() tries again and again, until it is sure that the owner is gone. That
 * is the slow run, and the function that a person should be shown.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WORKER_COUNT 2
#define PRODUCT_COUNT 600
#define CACHE_SLOTS 64
#define CART_SIZE 6
#define PAGE_BYTES 8192
/* A price list is good for so many requests of its worker. */
#define PRICE_LIST_AGE 3
#define LOCK_ATTEMPTS 5
#define LOCK_PAUSE_NS 500000
/* Above any process id that Linux hands out. */
#define PID_OF_NOBODY 4194305

struct product {
	char name[32];
	char text[160];
};

struct cache_slot {
	uint32_t key;
	size_t length;
	char page[PAGE_BYTES];
};

struct worker {
	unsigned int request_count;
	uint32_t random;
	int access_log;
	int price_list;
	/* Requests until the price list must be read again. */
	unsigned int price_list_left;
	char price_list_path[64];
	char lock_path[64];
	uint32_t prices[PRODUCT_COUNT];
	struct cache_slot cache[CACHE_SLOTS];
};

struct request {
	char line[96];
	char path[48];
	unsigned int item;
	unsigned int user;
};

struct page {
	size_t length;
	char text[PAGE_BYTES];
};

typedef void (*handler)(struct worker *worker, const struct request *request, struct page *page);

static struct product products[PRODUCT_COUNT];

static uint32_t next_random(uint32_t *state)
{
	*state = *state * UINT32_C(1664525) + UINT32_C(1013904223);
	return *state >> 8;
}

static void __attribute__((format(printf, 2, 3))) print(struct page *page, const char *format, ...)
{
	size_t room = sizeof(page->text) - page->length;
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(page->text + page->length, room, format, arguments);
	va_end(arguments);
	if (length > 0) {
		page->length += (size_t)length < room ? (size_t)length : room - 1;
	}
}

/*
 * The price list and its lock. C libraries are built without frame pointers, so a stack taken in
 * one of their system calls misses the function that called the library: those are small helpers
 * here, and what matters is one call further up.
 */

static void pause_ns(long duration_ns)
{
	struct timespec duration = { .tv_nsec = duration_ns };

	nanosleep(&duration, NULL);
}

/* Whether the process that the lock names still runs. */
static bool owner_is_alive(const char *lock_path)
{
	char owner[16] = "";

	if (readlink(lock_path, owner, sizeof(owner) - 1) < 0) {
		return false;
	}
	return kill((pid_t)atoi(owner), 0) == 0 || errno == EPERM;
}

static bool make_lock(const char *lock_path)
{
	char self[16];

	snprintf(self, sizeof(self), "%d", getpid());
	return symlink(self, lock_path) == 0;
}

static bool take_price_lock(const struct worker *worker)
{
	for (int attempt = 0; attempt < LOCK_ATTEMPTS; attempt++) {
		if (make_lock(worker->lock_path)) {
			return true;
		}
		if (owner_is_alive(worker->lock_path)) {
			attempt = 0;
		}
		pause_ns(LOCK_PAUSE_NS);
	}
	/* The owner is gone. Its lock is not ours to remove. */
	return false;
}

static void read_price_list(struct worker *worker)
{
	char text[PRODUCT_COUNT * 8 + 1];
	ssize_t length = pread(worker->price_list, text, sizeof(text) - 1, 0);
	char *rest = text;

	text[length < 0 ? 0 : length] = '\0';
	for (size_t i = 0; i < PRODUCT_COUNT; i++) {
		worker->prices[i] = (uint32_t)strtoul(rest, &rest, 10);
	}
}

static void refresh_prices(struct worker *worker)
{
	bool locked = take_price_lock(worker);

	read_price_list(worker);
	if (locked) {
		unlink(worker->lock_path);
	}
}

static uint32_t price_of(struct worker *worker, unsigned int item)
{
	if (worker->price_list_left == 0) {
		refresh_prices(worker);
		worker->price_list_left = PRICE_LIST_AGE;
	}
	return worker->prices[item % PRODUCT_COUNT];
}

/* Pages. */

static uint32_t hash(const char *text, size_t length)
{
	uint32_t value = UINT32_C(2166136261);

	for (size_t i = 0; i < length; i++) {
		value = (value ^ (unsigned char)text[i]) * UINT32_C(16777619);
	}
	return value;
}

static bool page_from_cache(const struct worker *worker, uint32_t key, struct page *page)
{
	const struct cache_slot *slot = &worker->cache[key % CACHE_SLOTS];

	if (slot->length == 0 || slot->key != key) {
		return false;
	}
	memcpy(page->text, slot->page, slot->length);
	page->length = slot->length;
	return true;
}

static void page_into_cache(struct worker *worker, uint32_t key, const struct page *page)
{
	struct cache_slot *slot = &worker->cache[key % CACHE_SLOTS];

	memcpy(slot->page, page->text, page->length);
	slot->length = page->length;
	slot->key = key;
}

static void render_head(struct page *page, const char *title)
{
	print(page, "<html><head><title>%s</title></head><body><h1>%s</h1>\n", title, title);
}

static void render_product(struct page *page, unsigned int item)
{
	const struct product *product = &products[item % PRODUCT_COUNT];

	print(page, "<h2>%s</h2><p>%s</p>\n", product->name, product->text);
}

static unsigned int score(const struct product *product, const char *word)
{
	unsigned int hits = 0;

	for (const char *at = product->text; at[1] != '\0'; at++) {
		if (at[0] == word[0] && at[1] == word[1]) {
			hits++;
		}
	}
	return hits;
}

static unsigned int search_products(const char *word)
{
	unsigned int best = 0;
	unsigned int best_score = 0;

	for (unsigned int i = 0; i < PRODUCT_COUNT; i++) {
		unsigned int hits = score(&products[i], word);

		if (hits > best_score) {
			best = i;
			best_score = hits;
		}
	}
	return best;
}

/* What goes well with an article: the one that says most often what this one begins with. */
static void render_related(struct page *page, unsigned int item)
{
	const char *text = products[item % PRODUCT_COUNT].text;
	char word[] = { text[0], text[1], '\0' };

	print(page, "<i>See also</i>");
	render_product(page, search_products(word));
}

static uint64_t cart_total(struct worker *worker, const struct request *request)
{
	uint64_t total = 0;

	for (unsigned int i = 0; i < CART_SIZE; i++) {
		total += price_of(worker, request->item + i * request->user);
	}
	return total;
}

static void handle_product(struct worker *worker, const struct request *request, struct page *page)
{
	render_head(page, "Product");
	render_product(page, request->item);
	print(page, "<b>%u</b>", price_of(worker, request->item));
	render_related(page, request->item);
}

static void handle_search(struct worker *worker, const struct request *request, struct page *page)
{
	char word[] = { (char)('a' + request->item % 26), (char)('a' + request->user % 8), '\0' };
	uint32_t key = hash(word, strlen(word));

	if (page_from_cache(worker, key, page)) {
		return;
	}
	render_head(page, "Search");
	render_product(page, search_products(word));
	page_into_cache(worker, key, page);
}

static void handle_cart(struct worker *worker, const struct request *request, struct page *page)
{
	render_head(page, "Cart");
	for (unsigned int i = 0; i < CART_SIZE; i++) {
		render_product(page, request->item + i * request->user);
	}
	print(page, "<b>%llu</b>", (unsigned long long)cart_total(worker, request));
}

static void handle_checkout(struct worker *worker, const struct request *request, struct page *page)
{
	uint64_t total = cart_total(worker, request);

	render_head(page, "Thank you");
	print(page, "<p>Order %08x over %llu</p>", hash(request->line, strlen(request->line)),
	      (unsigned long long)total);
	render_related(page, request->item);
}

static void handle_unknown(struct worker *worker, const struct request *request, struct page *page)
{
	(void)worker;
	render_head(page, "Not found");
	print(page, "<p>%s</p>", request->path);
}

/* Requests. */

static void next_request(struct worker *worker, struct request *request)
{
	static const char *const paths[] = { "search",  "search", "product", "product",
					     "product", "cart",   "checkout" };
	size_t path_count = sizeof(paths) / sizeof(paths[0]);

	snprintf(request->line, sizeof(request->line), "GET /%s/%u?user=%u HTTP/1.1",
		 paths[next_random(&worker->random) % path_count],
		 next_random(&worker->random) % PRODUCT_COUNT, next_random(&worker->random) % 40);
}

static bool parse_request(struct request *request)
{
	return sscanf(request->line, "GET /%47[a-z]/%u?user=%u", request->path, &request->item,
		      &request->user) == 3;
}

static handler route(const struct request *request)
{
	static const struct {
		const char *path;
		handler handle;
	} routes[] = {
		{ "product", handle_product },
		{ "search", handle_search },
		{ "cart", handle_cart },
		{ "checkout", handle_checkout },
	};

	for (size_t i = 0; i < sizeof(routes) / sizeof(routes[0]); i++) {
		if (strcmp(request->path, routes[i].path) == 0) {
			return routes[i].handle;
		}
	}
	return handle_unknown;
}

static void log_access(const struct worker *worker, const struct request *request,
		       const struct page *page)
{
	char line[160];
	int length = snprintf(line, sizeof(line), "%s 200 %zu %08x\n", request->line, page->length,
			      hash(page->text, page->length));

	if (write(worker->access_log, line, (size_t)length) < 0) {
		perror("shop: access log");
	}
}

static void serve_request(struct worker *worker)
{
	struct request request;
	struct page page = { .length = 0 };

	next_request(worker, &request);
	if (parse_request(&request)) {
		route (&request)(worker, &request, &page);
	}
	log_access(worker, &request, &page);
	if (worker->price_list_left > 0) {
		worker->price_list_left--;
	}
}

static void *run_worker(void *data)
{
	struct worker *worker = data;

	for (unsigned int i = 0; i < worker->request_count; i++) {
		serve_request(worker);
	}
	return NULL;
}

/* Start and end. */

static void fill_products(void)
{
	uint32_t random = 7;

	for (unsigned int i = 0; i < PRODUCT_COUNT; i++) {
		struct product *product = &products[i];

		snprintf(product->name, sizeof(product->name), "Article %u", i);
		for (size_t j = 0; j + 1 < sizeof(product->text); j++) {
			product->text[j] = (char)('a' + next_random(&random) % 26);
		}
	}
}

static int open_price_list(struct worker *worker)
{
	char text[PRODUCT_COUNT * 8];
	uint32_t random = 11;
	char *end = text;

	for (unsigned int i = 0; i < PRODUCT_COUNT; i++) {
		end += sprintf(end, "%u\n", 100 + next_random(&random) % 90000);
	}
	worker->price_list = open(worker->price_list_path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	return write(worker->price_list, text, (size_t)(end - text)) < 0 ? -1 : 0;
}

static int open_shop(struct worker *worker, unsigned int id, unsigned int request_count,
		     bool stale_lock)
{
	char owner[16];

	worker->request_count = request_count / WORKER_COUNT;
	worker->random = 1 + id;
	snprintf(worker->price_list_path, sizeof(worker->price_list_path), "prices-%u", id);
	snprintf(worker->lock_path, sizeof(worker->lock_path), "prices-%u.lock", id);
	snprintf(owner, sizeof(owner), "%d", PID_OF_NOBODY);
	unlink(worker->lock_path);
	if (stale_lock && symlink(owner, worker->lock_path) < 0) {
		return -1;
	}
	worker->access_log = open("/dev/null", O_WRONLY | O_CLOEXEC);
	return worker->access_log < 0 ? -1 : open_price_list(worker);
}

static void close_shop(struct worker *worker)
{
	close(worker->access_log);
	close(worker->price_list);
	unlink(worker->price_list_path);
	unlink(worker->lock_path);
}

/* The main thread is a worker itself. */
static int run_shop(unsigned int request_count, bool stale_lock)
{
	static struct worker workers[WORKER_COUNT];
	pthread_t thread;

	fill_products();
	for (unsigned int i = 0; i < WORKER_COUNT; i++) {
		if (open_shop(&workers[i], i, request_count, stale_lock) < 0) {
			perror("shop");
			return 1;
		}
	}
	if (pthread_create(&thread, NULL, run_worker, &workers[1]) != 0) {
		return 1;
	}
	run_worker(&workers[0]);
	pthread_join(thread, NULL);
	for (unsigned int i = 0; i < WORKER_COUNT; i++) {
		close_shop(&workers[i]);
	}
	return 0;
}

int main(int argc, char **argv)
{
	unsigned int request_count = 3000;
	bool stale_lock = false;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--stale-lock") == 0) {
			stale_lock = true;
		} else if (sscanf(argv[i], "--requests=%u", &request_count) != 1) {
			fprintf(stderr, "usage: shop [--requests=N] [--stale-lock]\n");
			return 2;
		}
	}
	return run_shop(request_count, stale_lock);
}

/* SPDX-License-Identifier: MIT */
/* stock copied|held: clerks book orders in a stock that they share, and a list of it is kept. */

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	items = 120000,
	clerks = 3,
	orders = 500,
	positions = 3000
};

struct item {
	int number;
	int amount;
	int price; // in cents
	char name[36];
};

struct stock {
	int file;
	struct item *items;
	atomic_int *closed;
	int copies; // for lists, instead of the lock
	struct item *copy;
};

static void set_lock(const struct stock *stock, short type)
{
	struct flock lock = { .l_type = type, .l_whence = SEEK_SET };
	if (fcntl(stock->file, F_SETLKW, &lock)) {
		perror("lock");
		exit(1);
	}
}

static unsigned next(unsigned *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

static void open_stock(struct stock *stock)
{
	size_t size = items * sizeof(struct item);
	unsigned state = 1;
	stock->file = open("stock.data", O_RDWR | O_CREAT, 0600);
	if (stock->file < 0 || ftruncate(stock->file, (off_t)size)) {
		perror("stock.data");
		exit(1);
	}
	stock->items = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, stock->file, 0);
	stock->closed = mmap(NULL, sizeof(atomic_int), PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	stock->copy = malloc(size);
	if (stock->items == MAP_FAILED || stock->closed == MAP_FAILED || !stock->copy) {
		perror("memory");
		exit(1);
	}
	for (int i = 0; i < items; i++) {
		struct item *item = &stock->items[i];
		item->number = i;
		item->amount = 100 + (int)(next(&state) % 10000);
		item->price = 50 + (int)(next(&state) % 100000);
		snprintf(item->name, sizeof item->name, "article %u", next(&state) % 1000000);
	}
}

static int compare_values(const void *left, const void *right)
{
	const struct item *a = *(const struct item *const *)left;
	const struct item *b = *(const struct item *const *)right;
	long difference = (long)b->amount * b->price - (long)a->amount * a->price;
	return difference ? (difference > 0) - (difference < 0) : a->number - b->number;
}

static __attribute__((noinline)) void print_list(const struct item *list)
{
	static const struct item *order[items];
	static char buffer[1 << 18];
	FILE *file = fopen("list.new", "w");
	if (!file) {
		perror("list.new");
		exit(1);
	}
	for (int i = 0; i < items; i++) {
		order[i] = &list[i];
	}
	qsort(order, items, sizeof *order, compare_values);
	setvbuf(file, buffer, _IOFBF, sizeof buffer);
	for (int i = 0; i < items; i++) {
		fprintf(file, "%6d %-36s %8d %10.2f\n", order[i]->number, order[i]->name,
			order[i]->amount, order[i]->price / 100.);
	}
	fclose(file);
}

static __attribute__((noinline)) void report_stock(struct stock *stock)
{
	const struct item *list = stock->items;
	set_lock(stock, F_RDLCK);
	if (stock->copies) {
		memcpy(stock->copy, stock->items, items * sizeof(struct item));
		set_lock(stock, F_UNLCK);
		list = stock->copy;
	}
	print_list(list);
	if (!stock->copies) {
		set_lock(stock, F_UNLCK);
	}
	rename("list.new", "list");
}

static void keep_list(struct stock *stock)
{
	const struct timespec pause = { .tv_nsec = 10000000 };
	while (!atomic_load(stock->closed)) {
		report_stock(stock);
		nanosleep(&pause, NULL);
	}
}

static __attribute__((noinline)) void write_invoice(FILE *file, const struct stock *stock,
						    const int *numbers)
{
	long sum = 0;
	for (int i = 0; i < positions; i++) {
		const struct item *item = &stock->items[numbers[i]];
		fprintf(file, "%4d %-36s %10.2f\n", i + 1, item->name, item->price / 100.);
		sum += item->price;
	}
	fprintf(file, "sum %10.2f\n", (double)sum / 100);
	rewind(file); // only the last one is kept
}

static __attribute__((noinline)) void book_order(struct stock *stock, const int *numbers)
{
	set_lock(stock, F_WRLCK);
	for (int i = 0; i < positions; i++) {
		stock->items[numbers[i]].amount--;
	}
	set_lock(stock, F_UNLCK);
}

static void serve_orders(struct stock *stock, int clerk)
{
	unsigned state = (unsigned)clerk;
	int numbers[positions];
	static char text[positions * 80];
	FILE *file = fmemopen(text, sizeof text, "w");
	for (int order = 0; order < orders; order++) {
		for (int i = 0; i < positions; i++) {
			numbers[i] = (int)(next(&state) % items);
		}
		write_invoice(file, stock, numbers);
		book_order(stock, numbers);
	}
	fclose(file);
}

int main(int argc, char **argv)
{
	struct stock stock = { .copies = argc > 1 && !strcmp(argv[1], "copied") };
	pid_t started[clerks + 1];
	long sum = 0;
	open_stock(&stock);
	for (int i = 0; i <= clerks; i++) {
		started[i] = fork();
		if (!started[i]) {
			if (i < clerks) {
				serve_orders(&stock, i + 1);
			} else {
				keep_list(&stock);
			}
			_exit(0);
		}
	}
	for (int i = 0; i <= clerks; i++) {
		atomic_store(stock.closed, i == clerks);
		waitpid(started[i], NULL, 0);
	}
	for (int i = 0; i < items; i++) {
		sum += stock.items[i].amount;
	}
	printf("in stock: %ld\n", sum);
	return 0;
}

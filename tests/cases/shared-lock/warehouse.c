/* SPDX-License-Identifier: MIT */
/*
 * warehouse FILE: three processes plan in which order to fetch the articles of orders, and book
 * them in the file, which they lock for that. Until they are done, a fourth takes stock, with a
 * pause after each time: it copies the file, and makes a list of what is worth most in each aisle.
 * With LOCKED_LIST it unlocks the file when the list is made.
 */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	ARTICLES = 60000,
	AISLES = 40,
	PICKERS = 3,
	ORDERS = 1000,
	PLACES = 150
};

struct article {
	unsigned number, aisle, pieces, booked;
	double price;
};

static int compare_values(const void *a, const void *b)
{
	const struct article *x = a, *y = b;
	double difference = y->price * y->pieces - x->price * x->pieces;

	if (x->aisle != y->aisle)
		return x->aisle < y->aisle ? -1 : 1;
	if (difference != 0)
		return difference < 0 ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

static void write_list(const struct article *articles)
{
	double sums[AISLES] = { 0 };
	FILE *list = fopen("list", "w");

	if (!list)
		exit(1);
	for (unsigned i = 0; i < ARTICLES; i++) {
		sums[articles[i].aisle] += articles[i].price * articles[i].pieces;
		if (i == 0 || articles[i].aisle != articles[i - 1].aisle)
			fprintf(list, "aisle %u: most in article %u, %u pieces\n",
				articles[i].aisle, articles[i].number, articles[i].pieces);
	}
	for (unsigned i = 0; i < AISLES; i++)
		fprintf(list, "aisle %u: %.2f\n", i, sums[i]);
	fclose(list);
}

struct stock {
	int file;
	struct article *articles;
};

static struct stock open_stock(const char *name)
{
	struct stock stock = { .file = open(name, O_RDWR | O_CLOEXEC) };

	if (stock.file < 0)
		exit(1);
	stock.articles = mmap(NULL, ARTICLES * sizeof(struct article), PROT_READ | PROT_WRITE,
			      MAP_SHARED, stock.file, 0);
	if (stock.articles == MAP_FAILED)
		exit(1);
	return stock;
}

static void lock(const struct stock *stock, int operation)
{
	if (flock(stock->file, operation) != 0)
		exit(1);
}

__attribute__((noinline)) static void take_stock(const struct stock *stock, struct article *copy)
{
	lock(stock, LOCK_SH);
	memcpy(copy, stock->articles, ARTICLES * sizeof(*copy));
#ifndef LOCKED_LIST
	lock(stock, LOCK_UN);
#endif
	qsort(copy, ARTICLES, sizeof(*copy), compare_values);
	write_list(copy);
#ifdef LOCKED_LIST
	lock(stock, LOCK_UN);
#endif
}

__attribute__((noinline)) static void book(const struct stock *stock, const unsigned *way)
{
	lock(stock, LOCK_EX);
	for (unsigned i = 0; i < PLACES; i++) {
		struct article *article = &stock->articles[way[i]];

		article->pieces -= article->pieces > 0;
		article->booked++;
	}
	lock(stock, LOCK_UN);
}

static unsigned distance(unsigned a, unsigned b)
{
	unsigned aisles = (unsigned)abs((int)(a % AISLES) - (int)(b % AISLES));

	return aisles == 0 ? (unsigned)abs((int)a - (int)b) / AISLES :
			     aisles * 20 + (a + b) / AISLES % 100;
}

/* Parts of the way are turned round as long as that makes it shorter. */
__attribute__((noinline)) static void plan_way(unsigned *way)
{
	for (int shorter = 1; shorter;) {
		shorter = 0;
		for (unsigned i = 0; i + 2 < PLACES; i++) {
			for (unsigned j = i + 2; j + 1 < PLACES; j++) {
				if (distance(way[i], way[j]) + distance(way[i + 1], way[j + 1]) >=
				    distance(way[i], way[i + 1]) + distance(way[j], way[j + 1]))
					continue;
				for (unsigned k = i + 1, l = j; k < l; k++, l--) {
					unsigned other = way[k];

					way[k] = way[l];
					way[l] = other;
				}
				shorter = 1;
			}
		}
	}
}

static void pick(const char *name, unsigned picker)
{
	const struct stock stock = open_stock(name);

	for (unsigned order = 0; order < ORDERS; order++) {
		unsigned way[PLACES];

		for (unsigned i = 0; i < PLACES; i++)
			way[i] = (picker * 7919 + order * 104729 + i * i * 611953) % ARTICLES;
		plan_way(way);
		book(&stock, way);
	}
}

static void make_stock(const char *name)
{
	FILE *file = fopen(name, "w");

	if (!file)
		exit(1);
	for (unsigned i = 0; i < ARTICLES; i++) {
		struct article article = { i, i % AISLES, 100 + i * 31 % 77, 0,
					   i * 7919 % 9973 / 100.0 };

		fwrite(&article, sizeof(article), 1, file);
	}
	fclose(file);
}

int main(int argc, char **argv)
{
	unsigned left = PICKERS;
	struct article *copy;
	struct stock stock;

	if (argc != 2)
		return 2;
	make_stock(argv[1]);
	stock = open_stock(argv[1]);
	copy = malloc(ARTICLES * sizeof(*copy));
	if (!copy)
		return 1;
	for (unsigned picker = 0; picker < PICKERS; picker++) {
		if (fork() == 0) {
			pick(argv[1], picker);
			return 0;
		}
	}
	while (left > 0) {
		take_stock(&stock, copy);
		usleep(3000);
		while (left > 0 && waitpid(-1, NULL, WNOHANG) > 0)
			left--;
	}
	printf("%d orders\n", PICKERS * ORDERS);
	return 0;
}

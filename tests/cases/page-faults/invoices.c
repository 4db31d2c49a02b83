/* SPDX-License-Identifier: MIT */
/*
 * invoices make PRICES                       makes a price list
 * invoices write PRICES DISCOUNTS ORDERS     writes the invoices of these orders to "invoices.txt"
 *
 * DISCOUNTS has lines "GROUP ARTICLE PERCENT". ORDERS has "order NUMBER GROUP", and then a line
 * "ARTICLE QUANTITY" for each position.
 */

#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	ARTICLES = 500000,
	GROUPS = 12,
	BUFFER = 1 << 20
};

struct price {
	uint64_t cents;
	uint32_t weight;
	uint32_t tax; /* per cent */
};

struct discount {
	uint32_t article;
	uint32_t percent;
};

static struct discounts {
	struct discount *list;
	size_t count;
} discounts[GROUPS];

static int price_file;
static struct price *prices; /* as the present group pays them */
static int present_group = -1;

static FILE *open_file(const char *name, const char *mode)
{
	FILE *file = fopen(name, mode);
	if (file == NULL)
		err(1, "%s", name);
	setvbuf(file, malloc(BUFFER), _IOFBF, BUFFER);
	return file;
}

static void make_prices(const char *name)
{
	FILE *file = open_file(name, "w");
	for (uint64_t i = 0; i < ARTICLES; i++) {
		const struct price price = { .cents = 100 + i * 7919 % 99991,
					     .weight = 10 + i % 5000,
					     .tax = i % 3 ? 19 : 7 };
		fwrite(&price, sizeof price, 1, file);
	}
	if (fclose(file) != 0)
		err(1, "%s", name);
}

static void read_discounts(const char *name)
{
	unsigned group, article, percent;

	FILE *file = open_file(name, "r");
	while (fscanf(file, "%u %u %u", &group, &article, &percent) == 3) {
		if (group >= GROUPS || article >= ARTICLES)
			errx(1, "%s: no such group or article", name);
		struct discounts *of = &discounts[group];
		if ((of->count & (of->count - 1)) == 0)
			of->list = realloc(of->list, 2 * (of->count + 1) * sizeof *of->list);
		if (of->list == NULL)
			err(1, NULL);
		of->list[of->count++] = (struct discount){ article, percent };
	}
	fclose(file);
}

/* The price list as this group pays it: the file's, with the group's discounts put in. */
__attribute__((noinline)) static void switch_group(int group)
{
	const size_t size = ARTICLES * sizeof *prices;

	if (prices != NULL)
		munmap(prices, size);
	prices = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, price_file, 0);
	if (prices == MAP_FAILED)
		err(1, "the price list");
	for (size_t i = 0; i < discounts[group].count; i++) {
		const struct discount *discount = &discounts[group].list[i];
		struct price *price = &prices[discount->article];
		price->cents -= price->cents * discount->percent / 100;
	}
	present_group = group;
}

/* One line of an invoice; returns what it costs with the tax. */
__attribute__((noinline)) static uint64_t write_position(FILE *invoices, unsigned article,
							 unsigned quantity)
{
	const struct price *price = &prices[article % ARTICLES];
	const uint64_t net = price->cents * quantity;
	const uint64_t gross = net + (net * price->tax + 50) / 100;
	fprintf(invoices, "%6u %3u x %llu.%02llu = %llu.%02llu, %u g\n", article, quantity,
		(unsigned long long)price->cents / 100, (unsigned long long)price->cents % 100,
		(unsigned long long)gross / 100, (unsigned long long)gross % 100,
		price->weight * quantity);
	return gross;
}

static void write_invoices(const char *name)
{
	char line[200];
	uint64_t total = 0;
	long orders = 0;

	FILE *file = open_file(name, "r");
	FILE *invoices = open_file("invoices.txt", "w");
	while (fgets(line, sizeof line, file) != NULL) {
		unsigned first, second;
		if (sscanf(line, "order %u %u", &first, &second) == 2) {
			if ((int)second != present_group)
				switch_group((int)(second % GROUPS));
			fprintf(invoices, "\nInvoice of order %u\n", first);
			orders++;
		} else if (prices != NULL && sscanf(line, "%u %u", &first, &second) == 2) {
			total += write_position(invoices, first, second);
		}
	}
	fclose(file);
	if (fclose(invoices) != 0)
		err(1, "invoices.txt");
	printf("%ld orders, %llu cents\n", orders, (unsigned long long)total);
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "make") == 0) {
		make_prices(argv[2]);
	} else if (argc == 5 && strcmp(argv[1], "write") == 0) {
		price_file = open(argv[2], O_RDONLY);
		if (price_file < 0)
			err(1, "%s", argv[2]);
		read_discounts(argv[3]);
		write_invoices(argv[4]);
	} else {
		errx(2, "usage: invoices make PRICES | write PRICES DISCOUNTS ORDERS");
	}
}

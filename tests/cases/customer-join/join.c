/* SPDX-License-Identifier: MIT */
/* Adds up a list of orders by regions and by classes of customers, which a second list tells. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
#define BUCKETS 1048576
#define REGIONS 40
#define CLASSES 5

struct customer {
	struct customer *next;
	unsigned id;
	int region;
	int class;
	char name[28];
	long orders;
	long spent;
	long discounts;
	char notes[24]; /* for the office */
};

struct order {
	unsigned customer;
	long cents;
	long pieces;
};

static struct customer *buckets[BUCKETS];
static long region_totals[REGIONS], class_totals[CLASSES];
static long taxes, reductions;

static NOINLINE void add_customer(unsigned id, int region, int class, const char *name)
{
	struct customer *customer = calloc(1, sizeof *customer);

	if (!customer)
		abort();
	customer->id = id;
	customer->region = region % REGIONS;
	customer->class = class % CLASSES;
	strncpy(customer->name, name, sizeof customer->name - 1);
	customer->next = buckets[id % BUCKETS];
	buckets[id % BUCKETS] = customer;
}

static NOINLINE int read_customers(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[200], *rest;

	if (!file)
		return 0;
	while (fgets(line, sizeof line, file)) {
		unsigned id = strtoul(line, &rest, 10);
		int region = strtol(rest, &rest, 10);
		int class = strtol(rest, &rest, 10);

		rest[strcspn(rest, "\n")] = 0;
		add_customer(id, region, class, rest + (*rest == ' '));
	}
	fclose(file);
	return 1;
}

/* The customer of that number, whose counters are brought up to date; NULL where there is none. */
static NOINLINE struct customer *find_customer(unsigned id, long cents)
{
	struct customer *customer = buckets[id % BUCKETS];

	while (customer && customer->id != id)
		customer = customer->next;
	if (customer) {
		customer->orders++;
		customer->spent += cents;
	}
	return customer;
}

static NOINLINE int parse_order(const char *line, struct order *order)
{
	char *rest;

	order->customer = strtoul(line, &rest, 10);
	order->cents = strtol(rest, &rest, 10);
	order->pieces = strtol(rest, &rest, 10);
	return *rest == '\n' && order->pieces > 0;
}

/* Number that tells whether all lines of a list have come, in whatever order. */
static NOINLINE unsigned long sum_up(const char *line)
{
	unsigned long sum = 1;

	for (; *line != '\n'; line++) {
		sum = (sum * 256 + *line) % 1000003;
		sum = sum * sum % 998244353;
	}
	return sum;
}

/* Many pieces are cheaper, and so are they for good customers. */
static NOINLINE long reduce_price(const struct order *order, const struct customer *customer)
{
	long percent = customer->class;

	for (long step = 2; step <= order->pieces; step *= 2)
		percent++;
	return order->cents * percent / 100;
}

static NOINLINE void count_order(const struct order *order, struct customer *customer)
{
	long less = reduce_price(order, customer);
	long price = order->cents * order->pieces - less;

	region_totals[customer->region] += price;
	class_totals[customer->class] += price;
	customer->discounts += less;
	reductions += less;
	taxes += price * 19 / 119;
}

static NOINLINE void print_totals(void)
{
	for (int i = 0; i < REGIONS; i++)
		printf("region %d: %ld\n", i, region_totals[i]);
	for (int i = 0; i < CLASSES; i++)
		printf("class %d: %ld\n", i, class_totals[i]);
	printf("taxes %ld, reductions %ld\n", taxes, reductions);
}

int main(int argc, char **argv)
{
	unsigned long sum = 0;
	long orders = 0, unknown = 0;
	struct order order;
	char line[200];
	FILE *file;

	if (argc != 3 || !read_customers(argv[1]) || !(file = fopen(argv[2], "r"))) {
		fprintf(stderr, "use: join CUSTOMERS ORDERS\n");
		return 1;
	}
	while (fgets(line, sizeof line, file)) {
		struct customer *customer;

		if (!parse_order(line, &order))
			continue;
		orders++;
		sum += sum_up(line);
		customer = find_customer(order.customer, order.cents * order.pieces);
		if (customer)
			count_order(&order, customer);
		else
			unknown++;
	}
	print_totals();
	printf("%ld orders, %ld unknown, sum %lu\n", orders, unknown, sum);
	return 0;
}

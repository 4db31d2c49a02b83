/* SPDX-License-Identifier: MIT */
/*
 * The program of the recipes: a server that takes orders from a pipe, one a millisecond.
 *
 *     cc -O1 -g -fno-omit-frame-pointer -fno-inline -fno-optimize-sibling-calls -pthread \
 *        -o orders orders.c
 *     orders COUNT [TROUBLE]
 *
 * TROUBLE is one of these, else the server behaves:
 *
 *     rates    each fiftieth order fetches rates, for which it waits 20 ms
 *     audit    another thread keeps the journal locked, 10 ms each time
 *     stuck    each of the two keeps a lock that the other one waits for
 *
 * With -DVERSION=2 it looks for prices one by one rather than by their number.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PRICES 1000000
#ifndef VERSION
#define VERSION 1
#endif

static volatile uint32_t prices[PRICES];
static pthread_mutex_t journal_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t price_lock = PTHREAD_MUTEX_INITIALIZER;
static int orders[2];
static int order_count;
static const char *trouble = "";
static volatile bool is_over;

/* In no stack, so that stacks tell who waits. */
#define PAUSE_US(us) nanosleep(&(struct timespec){ .tv_nsec = (us)*1000L }, NULL)

static uint32_t parse_order(uint32_t order)
{
	for (int i = 0; i < 40000; i++) {
		order = order * 1664525 + 1013904223;
	}
	return order % PRICES;
}

static uint32_t price_of(uint32_t item)
{
	uint32_t i = VERSION == 1 ? item : 0;

	while (prices[i] != item) {
		i++;
	}
	return prices[i];
}

static void fetch_rates(void)
{
	PAUSE_US(20000);
}

static void write_journal(uint32_t order, uint32_t price)
{
	char line[64];
	int length = snprintf(line, sizeof(line), "%u %u\n", order, price);

	pthread_mutex_lock(&journal_lock);
	if (write(STDOUT_FILENO, line, (size_t)length) != length) {
		abort();
	}
	pthread_mutex_unlock(&journal_lock);
}

/* The journal is to have the price of its time. */
static void write_price(uint32_t order, uint32_t item)
{
	pthread_mutex_lock(&price_lock);
	write_journal(order, price_of(item));
	pthread_mutex_unlock(&price_lock);
}

static void handle_order(uint32_t order)
{
	uint32_t item = parse_order(order);

	if (strcmp(trouble, "rates") == 0 && order % 50 == 49) {
		fetch_rates();
	}
	if (strcmp(trouble, "stuck") == 0) {
		write_price(order, item);
	} else {
		write_journal(order, price_of(item));
	}
}

static void *serve(void *data)
{
	uint32_t order;

	while (read(orders[0], &order, sizeof(order)) == sizeof(order)) {
		handle_order(order);
	}
	is_over = true;
	return data;
}

static void audit_journal(void)
{
	pthread_mutex_lock(&journal_lock);
	PAUSE_US(strcmp(trouble, "audit") == 0 ? 10000 : 10);
	if (strcmp(trouble, "stuck") == 0) {
		PAUSE_US(10000);
		pthread_mutex_lock(&price_lock);
		pthread_mutex_unlock(&price_lock);
	}
	pthread_mutex_unlock(&journal_lock);
}

static void *audit(void *data)
{
	while (!is_over) {
		PAUSE_US(15000);
		audit_journal();
	}
	return data;
}

static void send_orders(void)
{
	for (uint32_t order = 0; order < (uint32_t)order_count; order++) {
		PAUSE_US(1000);
		if (write(orders[1], &order, sizeof(order)) != sizeof(order)) {
			abort();
		}
	}
	close(orders[1]);
}

int main(int argc, char *argv[])
{
	pthread_t server;
	pthread_t auditor;

	order_count = argc > 1 ? atoi(argv[1]) : 500;
	trouble = argc > 2 ? argv[2] : "";
	for (uint32_t i = 0; i < PRICES; i++) {
		prices[i] = i;
	}
	if (pipe(orders) != 0) {
		return 1;
	}
	pthread_create(&server, NULL, serve, NULL);
	pthread_create(&auditor, NULL, audit, NULL);
	send_orders();
	pthread_join(server, NULL);
	pthread_join(auditor, NULL);
	return 0;
}

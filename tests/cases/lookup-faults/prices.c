/* SPDX-License-Identifier: MIT */
/*
 * prices make|find DIRECTORY: makes a database of articles and their prices, or looks up the prices
 * of many orders and prints their sum.
 */
#include <lmdb.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define MAP_BYTES (512UL << 20)
#define ARTICLES 60000
#define ARTICLE_BYTES 2500
#define ORDERS 1200

static MDB_env *open_database(const char *directory, unsigned int flags)
{
	MDB_env *database = NULL;

	if (mdb_env_create(&database) != 0 || mdb_env_set_mapsize(database, MAP_BYTES) != 0 ||
	    mdb_env_open(database, directory, flags, 0644) != 0) {
		fprintf(stderr, "prices: no database in %s\n", directory);
		return NULL;
	}
	return database;
}

static int make(const char *directory)
{
	MDB_env *database = open_database(directory, 0);
	char text[ARTICLE_BYTES] = "";
	MDB_txn *transaction;
	MDB_dbi table;

	if (!database || mdb_txn_begin(database, NULL, 0, &transaction) != 0 ||
	    mdb_dbi_open(transaction, NULL, MDB_INTEGERKEY, &table) != 0) {
		return 1;
	}
	for (uint32_t i = 0; i < ARTICLES; i++) {
		MDB_val key = { sizeof(i), &i };
		MDB_val value = { sizeof(text), text };

		snprintf(text, sizeof(text), "%u", i * 7919U % 99991);
		mdb_put(transaction, table, &key, &value, MDB_APPEND);
	}
	mdb_txn_commit(transaction);
	mdb_env_close(database);
	return 0;
}

__attribute__((noinline)) static unsigned int find_price(MDB_txn *transaction, MDB_dbi table,
							 uint32_t article)
{
	MDB_val key = { sizeof(article), &article };
	MDB_val value;
	unsigned int price = 0;

	if (mdb_get(transaction, table, &key, &value) == 0) {
		sscanf(value.mv_data, "%u", &price);
	}
	return price;
}

static unsigned int discount(unsigned int price, uint32_t order)
{
	unsigned int best = price;

	for (unsigned int i = 0; i < 400000; i++) {
		unsigned int offer = price - price * ((order + i) % 31) / 100;

		best = offer < best ? offer : best;
	}
	return best;
}

static int find(const char *directory)
{
	MDB_env *database = open_database(directory, MDB_RDONLY);
	uint64_t sum = 0;
	uint32_t order = 1;
	MDB_txn *transaction;
	MDB_dbi table;

	if (!database || mdb_txn_begin(database, NULL, MDB_RDONLY, &transaction) != 0 ||
	    mdb_dbi_open(transaction, NULL, MDB_INTEGERKEY, &table) != 0) {
		return 1;
	}
	for (uint32_t i = 0; i < ORDERS; i++) {
		order = order * 1103515245U + 12345U;
		sum += discount(find_price(transaction, table, (order >> 8) % ARTICLES), order);
	}
	printf("sum %lu\n", (unsigned long)sum);
	mdb_txn_abort(transaction);
	mdb_env_close(database);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: prices make|find DIRECTORY\n");
		return 1;
	}
	return strcmp(argv[1], "make") == 0 ? make(argv[2]) : find(argv[2]);
}

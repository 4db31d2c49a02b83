/* SPDX-License-Identifier: MIT */
/* ledger each|day BOOKINGS LINES: reads so many lines of a journal, which it makes up, and puts
 * bookings into a database: each in a transaction, or a hundred in one. */
#include "lmdb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long __attribute__((noinline)) read_journal(long lines)
{
	long sum = 0;
	char line[100];

	for (long i = 0; i < lines; i++) {
		snprintf(line, sizeof(line), "booking;%ld;%ld;EUR", i, i * 7919 % 99991);
		sum += strtol(strchr(line, ';') + 1, NULL, 10);
	}
	return sum;
}

static void check(int error)
{
	if (error != 0) {
		fprintf(stderr, "%s\n", mdb_strerror(error));
		exit(1);
	}
}

static void put(MDB_txn *transaction, MDB_dbi ledger, int number)
{
	char text[80];
	MDB_val key = { sizeof(number), &number };
	MDB_val value = { 0, text };

	value.mv_size = (size_t)snprintf(text, sizeof(text), "account %d: %d", number % 97,
					 number * 31 % 9973);
	check(mdb_put(transaction, ledger, &key, &value, 0));
}

static void __attribute__((noinline)) save_bookings(MDB_env *environment, int count, int at_once)
{
	MDB_txn *transaction = NULL;
	MDB_dbi ledger = 0;

	for (int i = 0; i < count; i++) {
		if (!transaction) {
			check(mdb_txn_begin(environment, NULL, 0, &transaction));
			check(mdb_dbi_open(transaction, NULL, 0, &ledger));
		}
		put(transaction, ledger, i);
		if ((i + 1) % at_once == 0) {
			check(mdb_txn_commit(transaction));
			transaction = NULL;
		}
	}
	if (transaction) {
		check(mdb_txn_commit(transaction));
	}
}

int main(int argc, char **argv)
{
	MDB_env *environment;
	long sum;

	if (argc < 4) {
		return 2;
	}
	check(mdb_env_create(&environment));
	check(mdb_env_set_mapsize(environment, 64 << 20));
	check(mdb_env_open(environment, "ledger.mdb", MDB_NOSUBDIR, 0600));
	sum = read_journal(atol(argv[3]));
	save_bookings(environment, atoi(argv[2]), strcmp(argv[1], "each") == 0 ? 1 : 100);
	mdb_env_close(environment);
	printf("%s bookings, %ld\n", argv[2], sum);
	return 0;
}

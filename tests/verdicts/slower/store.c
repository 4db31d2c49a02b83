/* SPDX-License-Identifier: MIT */
/*
 * A program of slower.c, "store": values by key, in a log that goes round.
 */
#include "slower.h"

#include <stdlib.h>
#include <unistd.h>

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

const struct program store_program = {
	.name = "store",
	.rounds = 930,
	.wait = WAIT_SLEEP,
	.prepare = prepare_store,
	.handle = handle_store,
	.work = work_store,
};

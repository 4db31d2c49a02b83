#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What held up the slowest calls of a path, from thread to thread and from process to process, in
# recordings of programs whose waits are known.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_recording

# A thread holds a lock while it computes, for longer than it does anything else; handle() wants it.
# And another process answers what ask() asks, after it has computed.
cat >waits.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 40

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned long sink;
static int sockets[2];

/* By the thread's own time, as the machine may be busy. */
__attribute__((noinline)) static void compute(long ms)
{
	struct timespec now;
	long until;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	until = now.tv_sec * 1000000 + now.tv_nsec / 1000 + ms * 1000;
	do {
		for (unsigned long i = 0; i < 100000; i++) {
			sink += i * i;
		}
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while (now.tv_sec * 1000000 + now.tv_nsec / 1000 < until);
}

__attribute__((noinline)) static void rebuild_index(void)
{
	compute(5);
	sink++;
}

/* The lock is taken when the other thread has said that it will want it. */
static void *maintain(void *unused)
{
	char byte = 0;

	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&table);
		if (write(sockets[1], &byte, 1) != 1) {
			abort();
		}
		rebuild_index();
		pthread_mutex_unlock(&table);
		if (read(sockets[1], &byte, 1) != 1) {
			abort();
		}
	}
	return unused;
}

__attribute__((noinline)) static void handle(void)
{
	pthread_mutex_lock(&table);
	sink++;
	pthread_mutex_unlock(&table);
}

static void wait_for_a_lock(void)
{
	pthread_t thread;
	char byte;

	pthread_create(&thread, NULL, maintain, NULL);
	for (int i = 0; i < ROUNDS; i++) {
		if (read(sockets[0], &byte, 1) != 1) {
			abort();
		}
		handle();
		if (write(sockets[0], &byte, 1) != 1) {
			abort();
		}
	}
	pthread_join(thread, NULL);
}

__attribute__((noinline)) static void answer(void)
{
	compute(5);
	sink++;
}

__attribute__((noinline)) static void ask(void)
{
	char byte = 0;

	if (write(sockets[0], &byte, 1) != 1 || read(sockets[0], &byte, 1) != 1) {
		abort();
	}
	sink++;
}

static void wait_for_a_process(void)
{
	char byte;

	if (fork() == 0) {
		close(sockets[0]);
		while (read(sockets[1], &byte, 1) == 1) {
			answer();
			if (write(sockets[1], &byte, 1) != 1) {
				abort();
			}
		}
		_exit(0);
	}
	for (int i = 0; i < ROUNDS; i++) {
		ask();
	}
}

int main(int count, char **arguments)
{
	if (count < 2 || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) {
		return 1;
	}
	if (strcmp(arguments[1], "lock") == 0) {
		wait_for_a_lock();
	} else {
		wait_for_a_process();
	}
	return 0;
}
END
${CC:-cc} -O1 -g -fno-omit-frame-pointer -pthread -o waits waits.c || exit 99

# steps FILE FUNCTION prints what held up the slowest calls of the path of FUNCTION, a line for each
# step: "FUNCTION END", and of the second on the part of the waiting that the function had, in %.
steps() {
	local rank
	rank=$(introperf report --format jsonl --top 0 "$1" 2>errors.txt | python3 -c '
import json, sys
for row in map(json.loads, sys.stdin):
    if row["type"] == "path" and row["culprit"] is not None and \
            row["frames"][row["culprit"]]["function"] == sys.argv[1]:
        print(row["rank"])
        break' "$2")
	introperf report --format jsonl --path "${rank:-1}" "$1" 2>errors.txt | tee detail.jsonl | python3 -c '
import json, sys
for row in map(json.loads, sys.stdin):
    if row["type"] == "detail":
        for i, step in enumerate(row["suspect"]["held_up_by"]):
            part = 100 * step["inside_ns"] / step["span_ns"]
            print(step["function"], step["end"], "most" if i == 0 or part > 50 else int(part))'
	introperf report --path "${rank:-1}" "$1" >path.txt 2>errors.txt
}

# second_place FILE FUNCTION prints what the ranking itself names for the path of FUNCTION: what mostly
# ran while it waited, at the end of the chain.
second_place() {
	introperf report --format jsonl --top 0 "$1" 2>errors.txt | python3 -c '
import json, sys
for row in map(json.loads, sys.stdin):
    if row["type"] == "path" and row["culprit"] is not None and \
            row["frames"][row["culprit"]]["function"] == sys.argv[1]:
        print(row["meanwhile"][0]["function"])' "$2"
}

introperf record --overhead none -o lock.data -- ./waits lock >record.log 2>&1 || skip_all "perf may not record here"
is "who waits for a lock is held up by what its holder computes" "$(steps lock.data handle)" \
	"handle followed most
compute ran most"
is "and the ranking names that as a second place to look" "$(second_place lock.data handle)" compute
like "which the text says" "$(tr -s '\n ' ' ' <path.txt)" \
	"What held up its 8 slowest calls.*: handle .* blocked, mostly in futex.* meanwhile compute below rebuild_index \(thread"

introperf report --html page.html lock.data >/dev/null 2>errors.txt
like "and the page" "$(cat page.html)" '"held_up":\["What held up its 8 slowest calls, [^]]*meanwhile compute below rebuild_index'
introperf record --overhead none -o process.data -- ./waits process >record.log 2>&1 || exit 99
is "who waits for another process by what that one computes" "$(steps process.data ask)" \
	"ask followed most
compute ran most"

is "which the ranking names, too" "$(second_place process.data ask)" compute

introperf report --save saved.ipp process.data >/dev/null 2>errors.txt
is "a saved profile does not tell it" \
	"$(introperf report --format jsonl --path 1 saved.ipp 2>errors.txt | python3 -c '
import json, sys
print([row["suspect"]["held_up_by"] for row in map(json.loads, sys.stdin) if row["type"] == "detail"])')" \
	"[None]"
is "but the second place" "$(second_place saved.ipp ask)" compute

done_testing

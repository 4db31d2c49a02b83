#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What limits the throughput of programs of the kind that wPerf (OSDI 2018) is about: a log that all
# write under one lock, a single thread that makes all durable, a queue that is too short. What limits
# each of them was written down, below, before it was ranked: write_line, sync_pages and store_batch.
# A thread that compacts waits for as long as the program runs, and nobody waits for it.
#
# In recordings of these, by=function had __schedule first in all three, for 59 to 96 % of the time,
# then compute or the C library's functions that wait, and none of the three functions among the first
# four: a function that sleeps in the C library has hardly any time of its own. By the length of its
# own waits write_line, with 0.5 s, came behind compact, with 1.4 s. perf report had the kernel's
# tracing and __schedule first for the tracepoints, and compute for the timer.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_recording

cat >limits.c <<'CODE'
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WORKERS 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static volatile unsigned long sink;
static int rounds;
static int room;
static int queued;
static int flushed;
static bool is_over;

/* By the thread's own time, as the machine may be busy. */
__attribute__((noinline)) static void compute(long us)
{
	struct timespec now;
	long until;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	until = now.tv_sec * 1000000 + now.tv_nsec / 1000 + us;
	do {
		for (unsigned long i = 0; i < 10000; i++) {
			sink += i * i;
		}
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while (now.tv_sec * 1000000 + now.tv_nsec / 1000 < until);
}

/* A device that needs so long: no function, so that results name who uses it. */
#define use_device(us) (nanosleep(&(struct timespec){ .tv_nsec = (us) * 1000L }, NULL), sink++)

/* Waits longer than all others, and nobody for it. */
static void *compact(void *unused)
{
	while (!is_over) {
		use_device(10000);
	}
	return unused;
}

/* ---- A log that all write under one lock ---- */

__attribute__((noinline)) static void write_line(void)
{
	use_device(1000);
	sink++;
}

__attribute__((noinline)) static void log_line(void)
{
	pthread_mutex_lock(&lock);
	write_line();
	pthread_mutex_unlock(&lock);
}

__attribute__((noinline)) static void handle_request(void)
{
	compute(300);
	log_line();
	sink++;
}

static void *work(void *unused)
{
	for (int i = 0; i < rounds; i++) {
		handle_request();
	}
	return unused;
}

/* ---- One thread that makes all durable ---- */

__attribute__((noinline)) static void sync_pages(void)
{
	/* Who sleeps beside the work of others and hardly computes waits for work, by the rules. */
	compute(300);
	use_device(3000);
	sink++;
}

static void *flush(void *unused)
{
	pthread_mutex_lock(&lock);
	while (!is_over) {
		int upto = queued;

		if (upto == flushed) {
			pthread_cond_wait(&changed, &lock);
			continue;
		}
		pthread_mutex_unlock(&lock);
		sync_pages();
		pthread_mutex_lock(&lock);
		flushed = upto;
		pthread_cond_broadcast(&changed);
	}
	pthread_mutex_unlock(&lock);
	return unused;
}

__attribute__((noinline)) static void commit(void)
{
	int mine;

	pthread_mutex_lock(&lock);
	mine = ++queued;
	pthread_cond_broadcast(&changed);
	while (flushed < mine) {
		pthread_cond_wait(&changed, &lock);
	}
	pthread_mutex_unlock(&lock);
}

static void *update(void *unused)
{
	for (int i = 0; i < rounds; i++) {
		compute(200);
		commit();
	}
	return unused;
}

/* ---- A queue that is too short for what is stored in one go ---- */

__attribute__((noinline)) static void store_batch(void)
{
	use_device(2000);
	sink++;
}

static void *store(void *unused)
{
	pthread_mutex_lock(&lock);
	while (!is_over) {
		if (queued == 0) {
			pthread_cond_wait(&changed, &lock);
			continue;
		}
		queued = 0;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
		store_batch();
		pthread_mutex_lock(&lock);
	}
	pthread_mutex_unlock(&lock);
	return unused;
}

__attribute__((noinline)) static void put_item(void)
{
	pthread_mutex_lock(&lock);
	while (queued == room) {
		pthread_cond_wait(&changed, &lock);
	}
	queued++;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void *receive(void *unused)
{
	for (int i = 0; i < rounds; i++) {
		compute(100);
		put_item();
	}
	return unused;
}

/* limits log|flush|queue ROUNDS [ROOM] */
int main(int count, char **arguments)
{
	bool is_log = count > 2 && strcmp(arguments[1], "log") == 0;
	bool is_flush = count > 2 && strcmp(arguments[1], "flush") == 0;
	pthread_t background[2];
	pthread_t workers[WORKERS];

	if (count < 3) {
		return 1;
	}
	rounds = atoi(arguments[2]);
	room = count > 3 ? atoi(arguments[3]) : 1;
	pthread_create(&background[0], NULL, compact, NULL);
	pthread_create(&background[1], NULL, is_log ? compact : is_flush ? flush : store, NULL);
	for (int i = 0; i < WORKERS; i++) {
		pthread_create(&workers[i], NULL,
			       is_log	? work :
			       is_flush ? update :
					  receive,
			       NULL);
	}
	for (int i = 0; i < WORKERS; i++) {
		pthread_join(workers[i], NULL);
	}
	pthread_mutex_lock(&lock);
	is_over = true;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	pthread_join(background[0], NULL);
	pthread_join(background[1], NULL);
	return 0;
}
CODE
${CC:-cc} -O1 -g -fno-omit-frame-pointer -pthread -o limits limits.c || exit 99

# rows FILE prints the functions by what they hold up, one a line: "FUNCTION HELD WAITS", in ns.
rows() {
	introperf report --by wait --format jsonl --top 0 "$@" 2>errors.txt | python3 -c '
import json, sys
for row in map(json.loads, sys.stdin):
    if row["type"] == "wait":
        print(row["function"], row["held_ns"], row["wait_ns"])'
}

# check MODE FUNCTION: it is what limits the program, and not what compacts.
check() {
	introperf record --no-bpf -o "$1.data" -- ./limits "$1" 60 >record.log 2>&1 || exit 99
	rows "$1.data" >rows.txt
	is "$1: what limits it comes first" "$(head -n 1 rows.txt | cut -d ' ' -f 1)" "$2"
	is "$1: the thread that compacts holds up nobody" \
		"$(awk '$1 == "compact" { print $2, ($3 > 0 ? "waits" : "does not") }' rows.txt)" \
		"0 waits"
	introperf report --by wait "$1.data" >"$1.txt" 2>errors.txt
	ok "$1: the text is at most 80 columns wide" \
		test "$(LC_ALL=C.UTF-8 wc -L <"$1.txt")" -le 80
}

introperf record --no-bpf -o log.data -- ./limits log 5 >record.log 2>&1 || skip_all "perf may not record here"

check log write_line
like "a logging lock: the knot is those who log" "$(cat log.txt)" \
	"Throughput is limited by: write_line \(work ×4\)\."
like "and they are held up where they want the lock" "$(cat log.txt)" \
	"by work ×4; held up in: log_line "
is "though the thread that compacts waits for longer than what limits it" \
	"$(awk '{ waits[$1] = $3 } END { print (waits["compact"] > waits["write_line"]) }' rows.txt)" 1

check flush sync_pages
# Whether the flusher waits for the others now and then, which makes them part of it, depends on how
# busy the machine is.
like "a single flusher: it is the knot, or a part of it" "$(cat flush.txt)" \
	"Throughput is limited by: sync_pages \(flush\)( ⇄ commit \(update ×4\))?\."

check queue store_batch
like "a queue too short: so is who takes from it" "$(cat queue.txt)" \
	"Throughput is limited by: store_batch \(store\)( ⇄ put_item \(receive ×4\))?\."
like "and its end is where threads are held up" "$(cat queue.txt)" "by store; held up in: put_item "

introperf record --no-bpf -o long.data -- ./limits queue 60 60 >record.log 2>&1 || exit 99
is "diff: what holds up more than with a long queue" \
	"$(introperf diff --by wait --format jsonl --top 1 long.data queue.data 2>errors.txt | python3 -c '
import json, sys
print([(row["function"], row["ranked_ns"] == row["held_ns"] - row["base_held_ns"],
        row["ranked_ns"] > 0) for row in map(json.loads, sys.stdin) if row["type"] == "wait"])')" \
	"[('store_batch', True, True)]"
is "parts of what is held up sum to it" \
	"$(introperf report --by wait --format jsonl --top 0 queue.data 2>errors.txt | python3 -c '
import json, sys
hows = ["ran", "ready", "waited", "kernel", "slept", "unseen", "unknown"]
print(all(row["held_ns"] == sum(row[how + "_ns"] for how in hows) ==
          sum(part["held_ns"] for part in row["held_by"])
          for row in map(json.loads, sys.stdin) if row["type"] == "wait"))')" "True"
is "the same bytes each time" "$(rows queue.data | sha256sum)" "$(rows queue.data | sha256sum)"
like "CSV has them too" "$(introperf report --by wait --format csv --top 1 queue.data 2>errors.txt)" \
	",store_batch,limits,"
is "what a pattern leaves out is no row" "$(rows --focus '^put_item$' queue.data | cut -d ' ' -f 1)" \
	"put_item"

introperf record --light -o light.data -- ./limits log 10 >record.log 2>&1 || exit 99
like "a recording without wakeups says so" "$(introperf report --by wait light.data 2>errors.txt)" \
	"The recording has no wakeups: who waited for whom is not known\."

advice='"wait" needs what each thread did when, which is kept only where perf introperf report or diff reads recordings of perf itself: use these, on the recordings instead of saved profiles'
introperf report --save saved.profile queue.data >/dev/null 2>errors.txt
complains "a saved profile does not know it" 1 "--by: $advice" report --by wait saved.profile
complains "nor do both sides where one is saved" 1 "--by: $advice" \
	diff --by wait saved.profile queue.data
complains "nor does what is live, which is said before anything is recorded" 1 "--by: $advice" \
	top --by wait -- sleep 60
complains "another metric makes no sense" 1 \
	'--metric: what waits are ranked by is what they hold up; leave it out' \
	report --by wait --metric total queue.data
fails_with "nor does a graph" "sink.introperf.rank: parameter \"by\": $advice" \
	queue.data "${profile[@]}" "${rank[@]}" --params='by="wait"'

done_testing

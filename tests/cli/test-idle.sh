#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Whose loss waits are, in recordings of programs whose truth was written down before they were ranked:
# a server that is attached to, a machine on which other things go on for as long as the recording
# lasts, and requests that pass through a thread and a process.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_recording

cat >idlers.c <<'CODE'
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PART __attribute__((noinline))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static volatile unsigned long sink;
static int asked;
static int done;
static volatile bool is_over;

/* No function, so that results name who naps. */
#define nap(ms) \
	(nanosleep(&(struct timespec){ .tv_sec = (ms) / 1000, .tv_nsec = (ms) % 1000 * 1000000L }, NULL), sink++)

PART static void compute(int millions)
{
	for (long i = 0; i < millions * 1000000L; i++) {
		sink += i;
	}
}

/* Who looks after something every now and then, until it is told to end. */
PART static void *watch_clock(void *ms)
{
	while (!is_over) {
		nap(*(int *)ms);
	}
	return NULL;
}

PART static void await(const int *number, int least)
{
	while (*number < least) {
		pthread_cond_wait(&changed, &lock);
		sink++;
	}
}

PART static void count(int *number)
{
	pthread_mutex_lock(&lock);
	++*number;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

/* ---- A server, whose clients wait for its pool ---- */

PART static void fetch_item(void)
{
	nap(5);
}

PART static void *work(void *unused)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		await(&asked, done + 1);
		pthread_mutex_unlock(&lock);
		fetch_item();
		count(&done);
	}
	return unused;
}

PART static void ask_pool(void)
{
	int mine;

	count(&asked);
	pthread_mutex_lock(&lock);
	mine = asked;
	await(&done, mine);
	pthread_mutex_unlock(&lock);
}

static struct sockaddr_un address(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	strcpy(address.sun_path, "socket");
	return address;
}

PART static void serve(bool fetches)
{
	static int naps_ms[] = { 150, 250 };
	struct sockaddr_un at = address();
	int listener = socket(AF_UNIX, SOCK_STREAM, 0);
	int client;
	char byte;
	pthread_t id;

	pthread_create(&id, NULL, watch_clock, &naps_ms[0]);
	pthread_create(&id, NULL, watch_clock, &naps_ms[1]);
	pthread_create(&id, NULL, work, NULL);
	bind(listener, (struct sockaddr *)&at, sizeof(at));
	listen(listener, 5);
	while ((client = accept(listener, NULL, NULL)) >= 0) {
		while (read(client, &byte, 1) == 1) {
			if (fetches) {
				ask_pool();
			}
			write(client, &byte, 1);
		}
		close(client);
	}
}

static int ask(int count)
{
	struct sockaddr_un at = address();
	int server = socket(AF_UNIX, SOCK_STREAM, 0);
	char byte = 0;

	connect(server, (struct sockaddr *)&at, sizeof(at));
	for (int i = 0; i < count; i++) {
		if (write(server, &byte, 1) != 1 || read(server, &byte, 1) != 1) {
			return 1;
		}
	}
	return 0;
}

/* ---- A job beside others ---- */

PART static void settle(int rounds)
{
	for (int i = 0; i < rounds * 100; i++) {
		compute(1);
		nap(1);
	}
}

PART static void do_other_job(void)
{
	for (unsigned long i = 0;; i++) {
		sink += i;
	}
}

/* ---- Requests through a thread and a process ---- */

static int to_child[2];
static int from_child[2];

PART static void think(void)
{
	nap(10);
}

PART static void think_in_child(void)
{
	char byte;

	close(to_child[1]);
	while (read(to_child[0], &byte, 1) == 1) {
		think();
		write(from_child[1], &byte, 1);
	}
	_exit(0);
}

PART static void *relay(void *requests)
{
	char byte = 0;

	for (int i = 1; i <= *(int *)requests; i++) {
		pthread_mutex_lock(&lock);
		await(&asked, i);
		pthread_mutex_unlock(&lock);
		write(to_child[1], &byte, 1);
		read(from_child[0], &byte, 1);
		count(&done);
	}
	return NULL;
}

PART static void request(int number)
{
	count(&asked);
	pthread_mutex_lock(&lock);
	await(&done, number);
	pthread_mutex_unlock(&lock);
}

static int pass_on(int requests)
{
	int ms = 7;
	pthread_t relayer;
	pthread_t watcher;

	if (pipe(to_child) != 0 || pipe(from_child) != 0) {
		return 1;
	}
	if (fork() == 0) {
		think_in_child();
	}
	pthread_create(&relayer, NULL, relay, &requests);
	pthread_create(&watcher, NULL, watch_clock, &ms);
	for (int i = 1; i <= requests; i++) {
		request(i);
	}
	pthread_join(relayer, NULL);
	is_over = true;
	pthread_join(watcher, NULL);
	close(to_child[1]);
	wait(NULL);
	return 0;
}

/* ---- A thread that is told to end, and two that do the same ---- */

PART static void write_page(void)
{
	nap(11);
}

/* `ms` after the watcher was told to end somebody waits for that. */
static int print(int ms)
{
	int watch_ms = 3;
	pthread_t watcher;

	pthread_create(&watcher, NULL, watch_clock, &watch_ms);
	for (int i = 0; i < 30; i++) {
		write_page();
	}
	is_over = true;
	nap(ms);
	pthread_join(watcher, NULL);
	return 0;
}

PART static void *print_part(void *pages)
{
	for (int i = 0; i < *(int *)pages; i++) {
		write_page();
	}
	return NULL;
}

/* The second part is done before anybody waits for that. */
static int print_both(int pages)
{
	int more = pages + 10;
	pthread_t second;

	pthread_create(&second, NULL, print_part, &pages);
	print_part(&more);
	pthread_join(second, NULL);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int number = argc > 2 ? atoi(argv[2]) : 0;

	if (strcmp(what, "serve") == 0) {
		serve(number);
	} else if (strcmp(what, "ask") == 0) {
		return ask(number);
	} else if (strcmp(what, "settle") == 0) {
		settle(number);
	} else if (strcmp(what, "other") == 0) {
		do_other_job();
	} else if (strcmp(what, "watch") == 0) {
		watch_clock(&number);
	} else if (strcmp(what, "print") == 0) {
		return print(number);
	} else if (strcmp(what, "both") == 0) {
		return print_both(number);
	} else {
		return pass_on(number);
	}
	return 0;
}
CODE
gcc -O2 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls idlers.c -o idlers -lpthread \
	2>log.txt || skip_all "gcc failed: $(head -n 1 log.txt)"

# Prints of the rows that are sure or likely their rank and culprit; and what is idle.
cat >rows.py <<'CODE'
import json, sys
rows = [json.loads(line) for line in sys.stdin]
for row in rows:
    if row["type"] == "path":
        names = [frame["function"] for frame in row["frames"]]
        print(row["verdict"], row["rank"], names[row["culprit"]] if row["culprit"] is not None else "?", *names)
    elif row["type"] == "idle":
        print("idle", row["function"], row["syscall"])
CODE
rows() {
	introperf "$@" --format jsonl --top 0 2>errors.txt | python3 rows.py
}

# attach FILE FETCHES records a server that is there already, while a client asks: with fetches for half a second at
# least, in which both watchers wake.
attach() {
	local server
	rm -f socket
	./idlers serve "$2" &
	server=$!
	wait_until test -S socket
	introperf record --overhead none -o "$1" -p $server -- ./idlers ask 100 >log.txt 2>&1 ||
		skip_all "nothing can be recorded: $(head -n 1 log.txt)"
	kill $server
	wait $server 2>/dev/null
}
attach good.data 0
attach slow.data 1
rows diff good.data slow.data >attached.txt
like "of a server that is attached to, what its clients wait for comes first" \
	"$(head -n 1 attached.txt)" '^(sure|likely) 1 fetch_item .*work fetch_item'
unlike "and what slept all through a short base is no loss" \
	"$(grep -E '^(sure|likely)' attached.txt)" watch_clock
like "but idle" "$(cat attached.txt)" 'idle watch_clock syscall:clock_nanosleep'

./idlers watch 200 &
watcher=$!
./idlers other &
other=$!
# The other job may get more of the CPUs during one recording than during the next, where others are
# busy, and is then really slower or faster: once more.
for _ in 1 2 3 4; do
	introperf record --overhead none -a -o good.data -- ./idlers settle 1 >log.txt 2>&1
	introperf record --overhead none -a -o slow.data -- ./idlers settle 4 >log.txt 2>&1
	rows diff --comm idlers good.data slow.data >machine.txt
	rows diff good.data slow.data >all.txt
	grep -qE '^(sure|likely) 1 do_other_job' machine.txt || break
done
kill $watcher $other
wait $watcher $other 2>/dev/null
like "of a machine, what the command does comes first" "$(head -n 1 machine.txt)" \
	'^(sure|likely) 1 (settle|compute) '
unlike "and not what lasts as long as the recording" "$(grep -E '^(sure|likely)' machine.txt)" \
	watch_clock

# Whoever else is on the machine may really take more.
grep -E '^(sure|likely)' all.txt | grep -E ' (settle|watch_clock|do_other_job)( |$)' >ours.txt
like "so it is without a choice of processes" "$(cat ours.txt)" ' main settle'
unlike "and no sleeper at all" "$(cat ours.txt)" watch_clock

# The thread has ended before main() looks, or has not yet.
introperf record --overhead none -o good.data -- ./idlers print 0 >log.txt 2>&1
introperf record --overhead none -o slow.data -- ./idlers print 30 >log.txt 2>&1
rows diff good.data slow.data >told.txt
unlike "who was told to end is no loss, whether it has ended before anybody waits for that" \
	"$(grep -E '^(sure|likely)' told.txt)" watch_clock
like "nor in a run by itself" "$(rows report slow.data)" 'idle watch_clock syscall:clock_nanosleep'

introperf record --overhead none -o both.data -- ./idlers both 30 >log.txt 2>&1
rows report both.data >both.txt
unlike "who does what the first thread does is part of the command" "$(cat both.txt)" 'idle print_part'
like "with all of its waits" "$(introperf report --format jsonl both.data | sed -n 2p)" \
	'"cost_ns":(7[7-9]|[89][0-9]|1[0-9]{2})[0-9]{7},.*"function":"write_page"'

introperf record --overhead none -o chain.data -- ./idlers pass 50 >log.txt 2>&1
rows report chain.data >chain.txt
like "of a chain, who works at its end comes first" "$(head -n 1 chain.txt)" '^[a-z]* 1 think '
like "who looks after something until it is told to end is idle" "$(cat chain.txt)" \
	'idle watch_clock syscall:clock_nanosleep'
like "and who waits between is not" "$(cat chain.txt)" '^[a-z]* [0-9]+ [a-z_]+ .*relay read'
like "who works holds up most" "$(introperf report --by wait --top 1 --format jsonl chain.data |
	sed -n 2p)" '"function":"think"'
done_testing

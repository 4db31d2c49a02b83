#!/bin/bash
# SPDX-License-Identifier: MIT
#
# perf introperf units: the units of work of a program whose requests are known.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_recording

# A server gets 200 requests from another process, every fourth of which a worker thread has to do for
# it; the others it answers itself. And a file is read again and again, for which nobody waits.
cat >server.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>

#define REQUESTS 200

static int sockets[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int jobs;
static int is_over;
static volatile unsigned long sink;

__attribute__((noinline)) static void must(int holds)
{
	if (!holds) {
		abort();
	}
}

__attribute__((noinline)) static void compute(void)
{
	for (unsigned long i = 0; i < 200000; i++) {
		sink += i * i;
	}
}

__attribute__((noinline)) static void do_job(void)
{
	char byte = 'b';

	compute();
	must(write(sockets[1], &byte, 1) == 1);
	sink++;
}

__attribute__((noinline)) static int take_job(void)
{
	int has_job;

	pthread_mutex_lock(&lock);
	while (jobs == 0 && !is_over) {
		pthread_cond_wait(&changed, &lock);
	}
	has_job = jobs > 0;
	jobs -= has_job;
	pthread_mutex_unlock(&lock);
	return has_job;
}

__attribute__((noinline)) static void *work(void *unused)
{
	while (take_job()) {
		do_job();
	}
	return unused;
}

__attribute__((noinline)) static void hand_over(int last)
{
	pthread_mutex_lock(&lock);
	jobs += !last;
	is_over = last;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	sink++;
}

__attribute__((noinline)) static void answer(void)
{
	char byte = 'a';

	must(write(sockets[1], &byte, 1) == 1);
	sink++;
}

__attribute__((noinline)) static int handle(void)
{
	char byte;

	if (read(sockets[1], &byte, 1) != 1) {
		return 0;
	}
	if (byte == 'b') {
		hand_over(0);
	} else {
		answer();
	}
	return 1;
}

__attribute__((noinline)) static void wait_for_event(int events)
{
	struct epoll_event event;

	must(epoll_wait(events, &event, 1, -1) == 1);
	sink++;
}

__attribute__((noinline)) static void serve(void)
{
	struct epoll_event event = { .events = EPOLLIN };
	int events = epoll_create1(0);
	pthread_t thread;

	must(epoll_ctl(events, EPOLL_CTL_ADD, sockets[1], &event) == 0);
	pthread_create(&thread, NULL, work, NULL);
	do {
		wait_for_event(events);
	} while (handle());
	hand_over(1);
	pthread_join(thread, NULL);
}

__attribute__((noinline)) static void ask_all(void)
{
	const struct timespec pause = { 0, 1000000 };
	char byte;

	for (int i = 0; i < REQUESTS; i++) {
		byte = i % 4 == 3 ? 'b' : 'a';
		must(write(sockets[0], &byte, 1) == 1 && read(sockets[0], &byte, 1) == 1);
		nanosleep(&pause, NULL);
	}
}

__attribute__((noinline)) static void read_file(void)
{
	int file = open("/proc/self/exe", O_RDONLY);
	char block[100];

	for (int i = 0; i < 20; i++) {
		must(read(file, block, sizeof(block)) > 0);
	}
	close(file);
}

int main(void)
{
	must(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
	read_file();
	if (fork() == 0) {
		close(sockets[1]);
		ask_all();
		_exit(0);
	}
	close(sockets[0]);
	serve();
	return 0;
}
END
${CC:-cc} -O1 -g -fno-omit-frame-pointer -pthread -o server server.c || exit 99
introperf record -o server.data -- ./server >record.log 2>&1 || skip_all "perf may not record here"

# units prints, of JSON lines, for each type of units "LOOP WAIT COUNT TELLING…".
units() {
	python3 -c '
import json, sys
name = lambda text: text.split("!")[-1].replace("syscall:", "")
for row in map(json.loads, sys.stdin):
    if row["type"] == "unit_type":
        assert row["count"] >= 1 and row["min_ns"] <= row["median_ns"] * 1.02 <= row["max_ns"] * 1.04
        print(name(row["loop"][-1]), name(row["wait"][-1]), row["count"],
              *(name(path[-1]) for path in row["telling"]))'
}

introperf units --format jsonl server.data 2>errors.txt >units.jsonl
is "units are found" "$? $(cat errors.txt)" "0 "
units <units.jsonl >found.txt
like "each request that the server answers itself is one" "$(cat found.txt)" 'serve epoll_wait 1(49|50) answer'
like "each that it hands over is another" "$(cat found.txt)" 'serve epoll_wait (49|50) hand_over'
like "each job of the worker is one" "$(cat found.txt)" 'work futex (4[89]|50)'
is "a file is not waited for" "$(grep -c read_file found.txt)" 0
introperf units server.data >units.txt 2>errors.txt
text=$(tr -s '\n ' ' ' <units.txt)
like "the text tells loops" "$text" 'The loop of serve in server waits in epoll_wait: (199|20[0-2]) units of [1-4] types?,'
for name in answer hand_over; do
	like "and what tells types apart: $name" "$text" "only these call $name"
done

# Units as symptoms: those of the jobs wait for nobody, and compute.
introperf mine --symptom 'unit:work>1ns' --format jsonl server.data >mine.jsonl 2>errors.txt
wait_for=(-c filter.introperf.infer -c filter.introperf.wait --params='symptom="unit:work>1ns"')
graph server.data "${wait_for[@]}" -c sink.introperf.mine --params='format="jsonl"' >graph.jsonl
like "the units of a type are looked into" "$(cat mine.jsonl)" '"symptoms":(4[89]|50),'
like "and are of its functions" "$(cat mine.jsonl)" 'server!do_job'
same "also in a graph" mine.jsonl graph.jsonl
complains "no such type" 1 "--symptom: there is no unit:none>1ns in any of the recordings" \
	mine --symptom 'unit:none>1ns' server.data

introperf record -o true.data -- true >record.log 2>&1
complains "no loop" 1 "true.data: no loop that waits for events was seen to come round" units true.data
complains "no recording" 1 "none.data: No such file or directory" units none.data
complains "a format that there is not" 1 "--format: text or jsonl" units --format yaml server.data
complains "a cut that is none" 1 "--cut: how unlike types are, from 0 to 1" units --cut 2 server.data
complains "less than no types" 1 "--top: 0 is all, and less than none are none" units --top -1 server.data
head -c $(($(stat -c %s server.data) / 2)) server.data >cut.data
introperf units cut.data >units.txt 2>errors.txt
like "of a damaged recording what there is" "$? $(cat errors.txt) $(cat units.txt)" '^1 introperf: .*cut\.data'

done_testing

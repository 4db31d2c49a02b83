#!/bin/bash
# SPDX-License-Identifier: MIT
#
# perf introperf record: parts of stacks in the kernel, which are mostly remembered rather than followed, are
# those that perf follows at the same switches and wakeups.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_bpf_recording

# Two threads that wake each other in turn, by connections (which end in a softirq, with a stack of its own), pipes
# and a condition; in between they sleep, from calls of different depth in the kernel.
cat >turns.c <<'END'
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int times;
static int client, server;
static int there[2], back[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int turn;
static int sink;

static void connect_both(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 1) != 0 ||
	    getsockname(listener, (struct sockaddr *)&address, &size) != 0) {
		exit(1);
	}
	client = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(client, (struct sockaddr *)&address, size) != 0) {
		exit(1);
	}
	server = accept(listener, NULL, NULL);
}

static void wait_for(int file, int by_epoll)
{
	struct epoll_event event = { .events = EPOLLIN };
	struct pollfd one = { .fd = file, .events = POLLIN };
	int set;

	if (!by_epoll) {
		poll(&one, 1, -1);
		return;
	}
	set = epoll_create1(0);
	epoll_ctl(set, EPOLL_CTL_ADD, file, &event);
	epoll_wait(set, &event, 1, -1);
	close(set);
}

static void answer(int from, int to, int i)
{
	char byte;

	if (i % 3 > 0) {
		wait_for(from, i % 3 == 1);
	}
	if (read(from, &byte, 1) != 1 || write(to, &byte, 1) != 1) {
		exit(1);
	}
}

static void ask(int to, int from, int i)
{
	char byte = 'a';

	if (i % 5 == 0) {
		nanosleep(&(struct timespec){ .tv_nsec = 200000 }, NULL);
	}
	if (write(to, &byte, 1) != 1) {
		exit(1);
	}
	answer(from, sink, i);
}

static void take_turns(int own)
{
	for (int i = 0; i < times; i++) {
		pthread_mutex_lock(&mutex);
		while (turn != own) {
			pthread_cond_wait(&condition, &mutex);
		}
		turn = !own;
		pthread_cond_signal(&condition);
		pthread_mutex_unlock(&mutex);
	}
}

static void *other(void *unused)
{
	for (int i = 0; i < times; i++) {
		answer(server, server, i);
		answer(there[0], back[1], i);
	}
	take_turns(1);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	times = argc > 1 ? atoi(argv[1]) : 1;
	sink = open("/dev/null", O_WRONLY);
	connect_both();
	if (pipe(there) != 0 || pipe(back) != 0) {
		return 1;
	}
	pthread_create(&thread, NULL, other, NULL);
	for (int i = 0; i < times; i++) {
		ask(client, client, i);
		ask(there[1], back[0], i);
	}
	take_turns(0);
	pthread_join(thread, NULL);
	return 0;
}
END
${CC:-cc} -O1 -g -fno-omit-frame-pointer -o turns turns.c -pthread || exit 99

introperf record --overhead none -v -o bpf.data -- perf record -q -g -k CLOCK_MONOTONIC -e sched:sched_switch \
	-e sched:sched_waking -o perf.data -- ./turns 300 >said.txt 2>&1
is "both recorders succeed" $? 0
like "most parts in the kernel are remembered" "$(cat said.txt)" 'of their parts in the kernel: [1-9][0-9]{3,} remembered'

# kernel_parts FILE: each switch and wakeup of the program, and the functions in the kernel, from the one with the
# tracepoint on.
kernel_parts() {
	perf script -i "$1" --no-inline --comm turns -F event,ip,sym 2>errors.txt | awk '
		function finish() { if (event != "") { print event line } event = line = "" }
		/sched_switch:|sched_waking:/ { finish(); event = $1; has_begun = 0; next }
		/^[^ \t]|^ *[a-z-]+:|[a-z_]+:[a-z_]+: *$/ { finish(); next }
		event != "" && $1 ~ /^ffff/ {
			if ($2 == "__schedule" || $2 == "try_to_wake_up") { has_begun = 1 }
			if (has_begun) { line = line " " $2 }
		}
		END { finish() }'
}
kernel_parts bpf.data >bpf.txt
kernel_parts perf.data >perf.txt
is "all but a few are the same" "$(python3 - bpf.txt perf.txt <<'PYTHON'
import collections, sys
one, other = (collections.Counter(open(path)) for path in sys.argv[1:])
shared = sum((one & other).values())
most = max(sum(one.values()), sum(other.values()))
print(most >= 2000, shared >= 0.995 * most or (shared, most, (one - other).most_common(3), (other - one).most_common(3)))
PYTHON
)" "True True"
like "those of a connection that wakes end in a softirq" "$(grep -c 'sched_waking.*tcp_v4_rcv.*do_softirq.*tcp_sendmsg' bpf.txt)" '^[3-9][0-9][0-9]$'


# ---- The recorder itself ----

cat >asks.c <<'END'
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	for (int i = 0; i < 300000; i++) {
		syscall(SYS_getppid);
	}
	return 0;
}
END
"${CC:-cc}" -O1 -g -o asks asks.c
introperf record -q -o asks.data -- ./asks >log.txt 2>&1
introperf report --by function --top 0 --format jsonl asks.data >asks.jsonl 2>errors.txt
is "its programs in the kernel are none of the program's functions" \
	"$(grep '"type":"function"' asks.jsonl | grep -c '"function":"[^"]*bpf')" 0
ok "their time is told apart, which is a tenth at least of so many short calls" \
	test "$(python3 -c '
import json, sys
of = [row for row in map(json.loads, sys.stdin) if row["type"] == "summary"][0]["suspect"]
print(round(100 * of["recorder_ns"] / of["cpu_ns"]))' <asks.jsonl)" -ge 10

done_testing

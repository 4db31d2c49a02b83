#!/bin/bash
# SPDX-License-Identifier: MIT
#
# perf introperf record -p of a program that hangs: threads that wait from before the recording to its end,
# and those that begin to wait in it and are not heard of again.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_bpf_recording

# Two threads take two locks, each the other one first, as soon as a byte is read; the first thread waits
# for them, and a third one for a byte that nobody writes.
cat >hangs.c <<'END'
#include <pthread.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))

static pthread_mutex_t money = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t book = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static int nothing[2];

APART static void take(pthread_mutex_t *first, pthread_mutex_t *second)
{
	pthread_mutex_lock(first);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(second);
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
}

static void *pay(void *data)
{
	take(&money, &book);
	return data;
}

static void *refund(void *data)
{
	take(&book, &money);
	return data;
}

static void *listen_to_nobody(void *data)
{
	char byte;

	return read(nothing[0], &byte, 1) == 1 ? data : NULL;
}

int main(void)
{
	pthread_t threads[3];
	char byte;

	if (pipe(nothing) != 0 || pthread_barrier_init(&both, NULL, 2) != 0) {
		return 1;
	}
	pthread_create(&threads[2], NULL, listen_to_nobody, NULL);
	if (write(1, "r", 1) != 1 || read(0, &byte, 1) != 1) {
		return 1;
	}
	pthread_create(&threads[0], NULL, pay, NULL);
	pthread_create(&threads[1], NULL, refund, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
END
gcc -O1 -g -pthread -o hangs hangs.c || exit 99

# begin_program: runs it as $hanging, until it waits for the byte that is written to "go".
begin_program() {
	rm -f go ready.txt
	mkfifo go
	./hangs <>go >ready.txt &
	hanging=$!
	wait_until test -s ready.txt
}

# is_hung: both threads wait for a lock of the other one.
is_hung() {
	[ "$(grep -l futex /proc/"$hanging"/task/*/wchan 2>>log.txt | wc -l)" -eq 3 ]
}

end_program() {
	kill "$hanging"
	wait "$hanging" 2>>log.txt
}

# milliseconds FILE FUNCTION: how long it lasted, by all that called it.
milliseconds() {
	introperf report --by function --idle ranked --format jsonl --top 0 "$1" 2>errors.txt |
		sed -n "s/.*\"function\":\"$2\".*\"total_ns\":\\([0-9]*\\)[0-9]\\{6\\},.*/\\1/p" | head -n 1
}

begin_program
echo >go
wait_until is_hung
introperf record --bpf --overhead none -q -o hung.data -p "$hanging" -- sleep 1 >said.txt 2>&1
is "record -p of a program that hangs" "$? $(cat said.txt)" "0 "
text=$(introperf report hung.data 2>errors.txt | tr -s '\n ' ' ')
like "report tells where it hangs" "$text" '^hangs waits in take \(futex\): [0-9.]+ m?s of the '
like "two threads wait there" "$text" ' ≥2 .* hangs: (pay|refund) › take ◀ culprit › '
is "computing is not said to be missing" "$(grep -c 'back on a CPU' <<<"$text")" 0
both_ms=$(milliseconds hung.data take)
ok "they wait from the begin to the end: $both_ms ms" test "${both_ms:-0}" -ge 1900 -a "${both_ms:-0}" -le 20000
like "waits that began before have a number that is a least one" \
	"$(introperf report --path 1 hung.data 2>errors.txt | tr -s '\n ' ' ')" ' ≥1 '
is "perf script shows their stacks" "$(perf script -i hung.data 2>errors.txt | grep -c '[0-9a-f] take+')" 2
end_program

# The recording goes on for long after the last event.
begin_program
"$program" record --bpf --overhead none -q -o later.data -p "$hanging" >said.txt 2>&1 &
recorder=$!
wait_until test -s later.data
sleep 0.3
echo >go
wait_until is_hung
sleep 1
kill -INT "$recorder"
wait "$recorder"
is "what hangs while it is recorded" "$? $(cat said.txt)" "0 "
both_ms=$(milliseconds later.data take)
ok "waits until the recording ends: $both_ms ms" test "${both_ms:-0}" -ge 1900 -a "${both_ms:-0}" -le 20000
alone_ms=$(milliseconds later.data listen_to_nobody)
ok "as does who waits all the time: $alone_ms ms" test "${alone_ms:-0}" -ge 1200 -a "${alone_ms:-0}" -le 20000
end_program

# Light recordings have no system calls, and the same waits.
begin_program
echo >go
wait_until is_hung
introperf record --bpf --light -q -o light.data -p "$hanging" -- sleep 0.5 >said.txt 2>&1
is "a light recording" "$? $(cat said.txt)" "0 "
both_ms=$(milliseconds light.data take)
ok "has them, too: $both_ms ms" test "${both_ms:-0}" -ge 900 -a "${both_ms:-0}" -le 20000
end_program

# What has just been started waits for nobody.
introperf record --bpf --overhead none -q -o own.data -- sleep 0.2 >said.txt 2>&1
is "a command is recorded from its begin on" "$(perf script -i own.data -F event 2>errors.txt | grep -c introperf:in_call)" 0

done_testing

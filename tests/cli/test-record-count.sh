#!/bin/bash
# SPDX-License-Identifier: MIT
#
# How often functions were called: what is said of it without a count, and perf introperf record
# --count, which counts: by name, in libraries, of C++ and without names; what it leaves behind,
# however it ends; and that per= divides by nothing else.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_recording

# Four threads call process() as often, which computes and takes a lock, and one call in sixteen reads.
cat >threads.c <<'END'
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long calls;
static long work;
static volatile unsigned long sink;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) void spin(long n)
{
	for (long i = 0; i < n; i++) {
		sink += (unsigned long)(i * i);
	}
}

__attribute__((noinline)) void process(int file, long i)
{
	char byte;

	spin(work);
	if (i % 16 == 0 && pread(file, &byte, 1, 0) < 0) {
		abort();
	}
	pthread_mutex_lock(&lock);
	sink++;
	pthread_mutex_unlock(&lock);
}

__attribute__((noinline)) void fetch(int file)
{
	char byte;

	spin(work / 10);
	if (pread(file, &byte, 1, 0) < 0) {
		abort();
	}
	sink++;
}

/* Of two of the numbers the C library says no without asking the kernel. */
__attribute__((noinline)) int ask(int number)
{
	struct sigaction action;

	return sigaction(number, NULL, &action) == 0;
}

static void *worker(void *data)
{
	int file = open("/dev/zero", O_RDONLY);

	for (long i = 0; i < calls; i++) {
		process(file, i);
		fetch(file);
	}
	close(file);
	return data;
}

int main(int argc, char **argv)
{
	pthread_t threads[4];

	calls = atol(argv[1]);
	work = atol(argv[2]);
	for (int i = 1; i <= 40; i++) {
		sink += (unsigned long)ask(i);
	}
	for (int i = 0; i < 4; i++) {
		pthread_create(&threads[i], NULL, worker, NULL);
	}
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
	}
	return argc < 3;
}
END
gcc -O1 -fno-omit-frame-pointer -o threads threads.c -lpthread 2>log.txt ||
	skip_all "no C compiler: $(head -n 1 log.txt)"
calls=200

# records FILE WORK OPTION… records the program with these options.
records() {
	local file=$1 work=$2
	shift 2
	said=$(introperf record -o "$file" "$@" -- ./threads $((calls / 4)) "$work" 2>&1)
	status=$?
}

# field FILE FUNCTION KEY prints the key of the function's row.
field() {
	introperf report --by function --top 0 --format jsonl "$1" 2>>errors.txt |
		python3 -c '
import json, sys
for line in sys.stdin:
    row = json.loads(line)
    if row["type"] == "function" and row["function"] == sys.argv[1]:
        print(row[sys.argv[2]])' "$2" "$3"
}

# deltas FILE… prints of the differences, in which process() or what it calls is the culprit, the parts
# that are said to be due to more calls and to slower ones with the upper limit of calls, and whether
# all are more CPU time.
deltas() {
	introperf diff --top 0 --format jsonl "$@" 2>>errors.txt | python3 -c '
import json, sys
parts, delta_ns = set(), 0
for line in sys.stdin:
    row = json.loads(line)
    if row["type"] == "path" and row["culprit"] is not None:
        if row["frames"][row["culprit"]]["function"] in ("process", "spin"):
            parts.add((row["delta"]["more_calls_ns"], row["delta"]["slower_calls_ns"],
                       row["culprit_possible_calls"]))
            delta_ns += row["delta"]["cpu_ns"]
print(*parts, "more" if delta_ns > 0 else "less")'
}

# Without a count.
records good.data 10000
is "a recording without a count succeeds" "$status" 0
records slow.data 100000
is "calls of a function that computes have no upper limit" "$(field slow.data process possible_count)" \
	None
is "what is not known is not split" "$(deltas good.data slow.data)" "(0, 0, None) more"
introperf diff -v good.data slow.data >diff.txt 2>&1
unlike "nobody says that there were more calls" "$(grep -E ' (process|spin)$' diff.txt)" 'more calls|×'
like "the result says so" "$(cat diff.txt)" 'n/a, ≥: more calls may have'
for file in good.data slow.data; do
	complains "per= refuses to divide by calls that are not known ($file)" 1 \
		"--per: how often \"$file\" called process is not known, as calls may have come between two stacks; record with perf introperf record --count process" \
		report --per call:process "$file"
done
# Each call of fetch() makes a system call.
seen=$(field slow.data fetch count)
possible=$(field slow.data fetch possible_count)
broken=$(introperf report --format jsonl slow.data | tail -n 1 |
	python3 -c 'import json, sys; print(json.loads(sys.stdin.read())["broken_stacks"])')
if [ "$broken" -gt 0 ]; then
	diag "$broken stacks are broken"
fi
if [ "$(uname -m)" = x86_64 ]; then
	ok "calls that show each time lie between the limits" \
		[ "$seen" -le $calls -a "${possible/None/0}" -ge $calls ]
else
	skip "calls that show each time lie between the limits" "the code is read on x86-64"
fi

is "a function that a library may answer alone has no upper limit" \
	"$(field slow.data ask possible_count)" None

# Bad input, which needs no right to define a probe.
said=$(introperf record --fp --count nosuch -o x.data -- ./threads 1 1 2>&1)
status=$?
is "a function that is not there ends it" "$status" 1
like "and it is named, with the files" "$said" \
	'^introperf: --count nosuch: no such function in threads, libc\.so\.6'
said=$(introperf record --fp --count libnone.so:f -o x.data -- ./threads 1 1 2>&1)
like "a file that is not there is named" "$said" \
	'^introperf: --count libnone\.so:f: the target has no file libnone\.so, only threads, '
ok "nothing is recorded then" [ ! -e x.data ]

definitions=/sys/kernel/tracing/uprobe_events
[ -w $definitions ] || definitions=/sys/kernel/debug/tracing/uprobe_events
if [ ! -w $definitions ] || ! introperf record --fp --count main -o try.data -- ./threads 1 1 >log.txt 2>&1; then
	skip "counts" "probes may not be defined here: $(tail -n 1 log.txt)"
	done_testing
fi
# left PID prints what is left of the probes that process PID has defined.
left() {
	grep "introperf_$1_" $definitions
}
# mine prints those of recordings of this program.
mine() {
	grep -F "$tmp/threads:" $definitions
}

# What is counted is exact, whatever the stacks are.
for mode in --fp --dwarf; do
	records "good$mode.data" 10000 "$mode" --count process
	records "slow$mode.data" 100000 "$mode" --count process
	is "$mode: it succeeds" "$status" 0
	for file in good$mode.data slow$mode.data; do
		is "$file: each call is counted" \
			"$(field "$file" process count) $(field "$file" process possible_count)" \
			"$calls $calls"
	done
	introperf diff --per call:process --top 0 good$mode.data slow$mode.data >per.txt 2>&1
	like "$mode: per= divides by them" "$(cat per.txt)" "$calls calls of process"
	like "$mode: the slow run is slower for each call" \
		"$(deltas --per call:process good$mode.data slow$mode.data)" ' more$'
done
is "no probe is left" "$(mine)" ""

# Two functions, one of them in a library, and by address.
address=$(nm threads | sed -n 's/^0*\([0-9a-f]*\) T fetch$/\1/p')
records two.data 1000 --fp --count "threads+0x$address" --count libc.so.6:pread --count fetch
is "what is named twice is counted once" "$(field two.data fetch count)" $calls
is "functions of libraries are counted" "$(perf script -i two.data -F event 2>>errors.txt |
	grep -c pread)" $((calls + 4 * ((calls / 4 + 15) / 16)))
strip -o stripped threads
said=$(introperf record --fp --count "stripped+0x$address" -o stripped.data -- ./stripped $((calls / 4)) 1000 2>&1)
is "functions without a name are counted by their address" \
	"$(field stripped.data "stripped+0x$address" count)" $calls

# C++.
cat >shop.cc <<'END'
#include <cstdlib>
namespace shop
{
static volatile int sink;
struct cart {
	__attribute__((noinline)) void add(int n) { sink = sink + n; }
	__attribute__((noinline)) void add(double n) { sink = sink - (int)n; }
};
}
int main(int, char **argv)
{
	shop::cart cart;
	for (int i = 0; i < atoi(argv[1]); i++) {
		cart.add(i);
		if (i % 3 == 0) {
			cart.add(0.5 * i);
		}
	}
}
END
if g++ -O1 -fno-omit-frame-pointer -o shop shop.cc 2>log.txt; then
	introperf record --fp --count shop::cart::add -o shop.data -- ./shop 30 >log.txt 2>&1
	is "C++ functions are counted by their names" "$(field shop.data 'shop::cart::add(int)' count)" 30
	is "all that are called so are" "$(field shop.data 'shop::cart::add(double)' count)" 10
	like "per= takes the name as well" "$(introperf report --per call:shop::cart::add shop.data 2>&1)" \
		'40 calls'
	introperf record --fp --count 'shop::cart::add(double)' -o shop.data -- ./shop 30 >log.txt 2>&1
	is "one of them by its parameters" "$(perf script -i shop.data -F event 2>>errors.txt |
		grep -c introperf_)" 10
else
	skip "C++ functions are counted by their names" "no C++ compiler"
fi

# A probe that has no stack, as perf may be asked for; its calls are counted all the same.
echo "p:introperf_test_$$/process $tmp/threads:0x$(nm threads | sed -n 's/^0*\([0-9a-f]*\) T process$/\1/p')" >>$definitions
perf record -q -k CLOCK_MONOTONIC --switch-events --call-graph fp -e raw_syscalls:sys_enter,raw_syscalls:sys_exit \
	-e "introperf_test_$$:process/call-graph=no/" -e cpu-clock/freq=997/ -o bare.data \
	-- ./threads $((calls / 4)) 10000 >log.txt 2>&1
echo "-:introperf_test_$$/process" >>$definitions
is "calls without a stack are counted" \
	"$(field bare.data process count) $(field bare.data process possible_count)" "$calls $calls"

# A saved profile keeps what is known.
introperf report --save counted.profile good--fp.data >log.txt 2>&1
is "a profile keeps the count" "$(field counted.profile process count) $(field counted.profile process \
	possible_count)" "$calls $calls"

# However it ends.
for signal in INT TERM KILL; do
	LIBBABELTRACE2_NO_DLCLOSE=${ITP_PRELOAD:+1} "$program" record --fp --count process -o ended.data \
		-- ./threads 100000000 1000 >log.txt 2>&1 &
	pid=$!
	until [ -s ended.data ] && left $pid >/dev/null; do
		kill -0 $pid 2>/dev/null || break
		sleep 0.05
	done
	kill -$signal $pid
	wait $pid 2>/dev/null
	while left $pid >/dev/null && [ $signal = KILL ]; do
		sleep 0.05
	done
	is "$signal leaves no probe behind" "$(left $pid)" ""
	rm -f ended.data
done

# Side by side.
introperf record --fp --count process -o one.data -- ./threads $((calls / 4)) 100000 >one.txt 2>&1 &
pid=$!
introperf record --fp --count process -o other.data -- ./threads $((calls / 4)) 100000 >other.txt 2>&1
wait $pid
is "recordings side by side do not meet" \
	"$(field one.data process count) $(field other.data process count)" "$calls $calls"
is "and leave nothing behind" "$(mine)" ""
done_testing

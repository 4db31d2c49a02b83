#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Who wakes whom in a recording of the whole machine: a timer ends a sleep, and a shell that writes
# into a pipe the waiting of the one that reads from it.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"

command -v perf > "$tmp/which" || skip_all "perf is not installed"
cd "$tmp" || exit 99
# Names that nobody else's processes have.
cp "$(command -v sleep)" itp-sleeper && cp "$(command -v bash)" itp-writer &&
	cp "$(command -v cat)" itp-reader || exit 99

# record FILE OPTION… records half a second of a writer and a reader. On the first CPU, since there
# are kernels that record nothing that an idle CPU other than that does, such as to end a sleep.
record() {
	local file=$1
	shift
	# shellcheck disable=SC2016 # the inner shell expands
	perf record -q "$@" -m 16M -k CLOCK_MONOTONIC -e raw_syscalls:sys_enter,raw_syscalls:sys_exit \
		-e sched:sched_switch,sched:sched_waking --switch-events --call-graph fp -o "$file" -- \
		taskset -c 0 ./itp-writer -c \
		'{ for i in 1 2 3 4 5; do ./itp-sleeper 0.1; echo $i; done; } | ./itp-reader' \
		> record.log 2>&1 || skip_all "perf may not record here: $(head -n 1 record.log)"
}

# wakers FILE prints "WAITER WAKER" for all blocked time that a waker ended, and the share of it in
# what the waiter was blocked, in percent.
wakers() {
	graph "$1" "${profile[@]}" 2> errors.txt | awk '
	# The second argument is a local variable.
	function field(name, value) {
		match($0, "[{ ]" name " = (\"[^\"]*\"|[0-9]+)")
		value = substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 4)
		gsub("\"", "", value)
		return value }
	/ introperf:function: / { names[field("id")] = field("name") }
	/ introperf:node: / { parent = field("parent") + 0
		process[field("id")] = waiter = parent ? process[parent] : names[field("function")]
		blocked[waiter] += field("own_blocked_ns") }
	/ introperf:waker: / && field("role") == 0 { woken[process[field("node")] " " names[field("process")]] += \
		field("blocked_ns") }
	END { for (pair in woken) { waiter = substr(pair, 1, index(pair, " ") - 1)
		if (blocked[waiter] > 0)
			printf "%s %d\n", pair, 100 * woken[pair] / blocked[waiter] } }'
}

# share FILE WAITER WAKER prints it, or 0.
share() {
	wakers "$1" | awk -v waiter="$2" -v waker="$3" \
		'$1 == waiter && $2 == waker { share = $3 } END { print share + 0 }'
}

# most SENTENCE SHARE: it is more than three quarters.
most() {
	ok "$1 ($2 %)" test "$2" -gt 75
}

record all.data -a
most "sleeping is ended by a timer" "$(share all.data itp-sleeper kernel:timer)"
most "reading from a pipe by who writes" "$(share all.data itp-reader itp-writer)"
ok "waiting for a program by its end" \
	test "$(share all.data itp-writer itp-sleeper)" -gt 0

record own.data
most "among the threads of one command the same is known of the pipe" \
	"$(share own.data itp-reader itp-writer)"
is "and nothing of the timer" "$(share own.data itp-sleeper kernel:timer)" 0

# Two on one CPU: each has what the other waits for, and both come before the rest of a busy machine.
cp itp-writer itp-taker
cp itp-writer itp-loser
# shellcheck disable=SC2016 # the inner shell expands
perf record -q -m 16M -k CLOCK_MONOTONIC -e sched:sched_switch -e cpu-clock/freq=997/ --switch-events \
	--call-graph fp -o taken.data -- nice -n -15 taskset -c 0 sh -c './itp-taker -c "while :; do :; done" &
	./itp-loser -c "for ((i = 0; i < 300000; i++)); do :; done"; kill $!' >record.log 2>&1
# taker FILE prints who had the CPU longest while itp-loser waited, of those that belong to this
# test: on a busy machine others have it, too.
taker() {
	graph "$1" "${profile[@]}" "${rank[@]}" --params='format="jsonl",top=0' 2>errors.txt | python3 -c '
import json, sys
rows = [json.loads(line) for line in sys.stdin]
taken = {}
for row in rows:
    for taker in row["cpu_takers"] if row.get("process") == "itp-loser" else []:
        if taker["process"].startswith("itp-"):
            taken[taker["process"]] = taken.get(taker["process"], 0) + taker["runnable_ns"]
print(max(taken, key=taken.get, default="nobody"))'
}

is "who waits for a CPU is told who had it" "$(taker taken.data)" itp-taker
like "and so is the reader" "$(graph taken.data "${profile[@]}" "${rank[@]}" 2>errors.txt | tr '\n' ' ')" \
	'is waiting for a *CPU, taken by [^.]*itp-taker: [0-9]'

# The same, of which only one is recorded.
nice -n -15 taskset -c 0 ./itp-taker -c 'while :; do :; done' &
stranger=$!
perf record -q -m 16M -k CLOCK_MONOTONIC -e sched:sched_switch -e cpu-clock/freq=997/ --switch-events \
	--call-graph fp -o stranger.data -- nice -n -15 taskset -c 0 ./itp-loser -c \
	'for ((i = 0; i < 300000; i++)); do :; done' >record.log 2>&1
kill $stranger
is "a stranger that had it is named as well" "$(taker stranger.data)" itp-taker

done_testing

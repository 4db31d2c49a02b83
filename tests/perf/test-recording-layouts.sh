#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Records with perf, compressed and into a pipe: every sample that `perf script` shows is there.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"

build=${ITP_BUILD_DIR:-.}

command -v perf > "$tmp/which" || skip_all "perf is not installed"

# record OPTION…: to standard output or wherever the options say.
record() {
	perf record -q -k CLOCK_MONOTONIC \
		-e raw_syscalls:sys_enter,raw_syscalls:sys_exit,sched:sched_switch \
		-e cpu-clock/freq=997/ --call-graph fp "$@" \
		-- "$build/tests/perf/workload" 2> "$tmp/record.log"
}

# same_stacks WHAT FILE
same_stacks() {
	ok "$1: the recording is read to its end" \
		sh -c "'$build/tests/perf/dump-stacks' '$2' > '$tmp/ours.txt'"
	ok "$1: there are stacks" test "$(wc -l < "$tmp/ours.txt")" -gt 200
	cut -d ' ' -f 1,2 "$tmp/ours.txt" | sort > "$tmp/ours.times"
	# Out of a pipe perf shows the stacks too, whatever the fields that were asked for.
	perf script -i "$2" --ns -F tid,time 2> "$tmp/script.log" |
		awk '$2 ~ /^[0-9]+\.[0-9]+:$/ { sub(":", "", $2); print $1 " " $2 }' |
		sort > "$tmp/theirs.times"
	ok "$1: perf script shows the same threads and times" \
		cmp "$tmp/ours.times" "$tmp/theirs.times"
	ok "$1: functions of the program are named" grep -q work_ "$tmp/ours.txt"
}

record -o "$tmp/plain.data" > "$tmp/record.out" ||
	skip_all "perf may not record here: $(head -n 1 "$tmp/record.log")"
if record -z -o "$tmp/packed.data" > "$tmp/record.out"; then
	same_stacks "compressed" "$tmp/packed.data"
else
	skip "a compressed recording" "this perf cannot compress"
fi
if record -o - > "$tmp/pipe.data"; then
	same_stacks "pipe" "$tmp/pipe.data"
else
	skip "a recording into a pipe" "this perf cannot write to a pipe"
fi

# last_second ARGUMENT…: the time of the last event, in seconds of its clock.
last_second() {
	graph --clock-seconds "$@" 2> "$tmp/clock.log" | sed -n '$s/^\[\([0-9]*\)\..*/\1/p'
}

# now SENTENCE ARGUMENT…: the last event was a moment ago, in seconds since 1970.
now() {
	local sentence=$1 age
	shift
	age=$(($(date +%s) - $(last_second "$@")))
	ok "$sentence" test "$age" -ge 0 -a "$age" -lt 600
}

perf record -q -e cpu-clock/freq=997/ --call-graph fp -o "$tmp/other.data" \
	-- "$build/tests/perf/workload" > "$tmp/record.out" 2> "$tmp/record.log"
now "a recording made with -k has times of day" "$tmp/plain.data"
now "so has one through a pipe" "$tmp/pipe.data"
now "clock=wall asks for them" -c source.introperf.perf \
	--params="inputs=\"$tmp/plain.data\",clock=\"wall\""
ok "a recording made without has not" \
	test "$(last_second "$tmp/other.data")" -lt 1000000000
ok "both in one graph keep the times of their clocks" \
	test "$(last_second "$tmp/plain.data" "$tmp/other.data")" -lt 1000000000
fails_with "clock=wall refuses a recording made without -k" \
	"source.introperf.perf: $tmp/other.data: parameter \"clock\": the recording does not tell the \
time of day; record with \`perf record -k CLOCK_MONOTONIC\`" \
	-c source.introperf.perf --params="inputs=\"$tmp/other.data\",clock=\"wall\""
done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A recording with another kind of stack for each event: copies of the stack where system calls
# begin, none where they end, frame pointers elsewhere, which lead past the callers of the C library.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"

build=${ITP_BUILD_DIR:-.}
data=$tmp/perf.data
command -v perf > "$tmp/which" || skip_all "perf is not installed"

# mixed PROGRAM STACK…: records it; enter, exit, switch and timer have these stacks.
mixed() {
	perf record -q -m 16M -o "$data" -e "raw_syscalls:sys_enter/$2/" \
		-e "raw_syscalls:sys_exit/$3/" -e "sched:sched_switch/$4/" \
		-e "cpu-clock/period=200000,$5/" -- "$build/tests/perf/$1" > "$tmp/record.log" 2>&1 ||
		skip_all "perf may not record here: $(head -n 1 "$tmp/record.log")"
}

# Where the procedure linkage table begins, without the last digit. Its code is no function's: the first
# entry has a neighbour's name in perf, the others are execl@plt and the like.
plt=$(readelf -SW "$build/tests/perf/workload" |
	sed -n 's/^.* \.plt  *PROGBITS  *0*\([0-9a-f]*\)0 .*/\1/p')

# theirs EVENT: thread, time, and names in the program of each stack of an event; k for a frame of the
# kernel, whose functions have several names. In code that keeps no frame pointers, as the dynamic linker's,
# anything may be taken for one: what is in no function is no frame.
theirs() {
	perf script -i "$data" --no-inline --ns -F event,tid,time,ip,sym,dso 2> "$tmp/script.log" |
		awk -v event="$1" -v plt="$plt" '
		function finish() { if (line != "" && frames > 0) { print line } line = ""; frames = 0 }
		/^ *[0-9]+ +[0-9]+\.[0-9]+:/ {
			finish()
			if (index($3, event) == 1) { sub(":", "", $2); line = $1 " " $2 }
			next
		}
		line != "" && NF > 1 {
			frames++
			if ($NF ~ /kernel/) { line = line " k" }
			if ($NF ~ /\/workload\)$/ && $2 != "[unknown]") { line = line " " ($1 ~ "^" plt ".$" || $2 ~ /@plt$/ ? "workload+0x" plt "0" : $2) }
		}
		END { finish() }'
}

# same_stacks SENTENCE EVENT: what perf has of each stack of the event is in it, in this order. Some
# of those that it unwinds it ends too early.
same_stacks() {
	local differing tid time

	theirs "$2" > "$tmp/theirs.txt"
	ok "$1: there are some" test -s "$tmp/theirs.txt"
	differing=$(awk '
		FNR == NR { ours[$1, $2] = $0; next }
		{
			count = split(ours[$1, $2], frame, " ")
			k = 0
			for (i = 1; i <= count; i++) { k += frame[i] == $(k + 1) }
			if (k != NF) { print ours[$1, $2]; print }
		}' "$tmp/ours.txt" "$tmp/theirs.txt")
	is "$1: they are as perf has them" "$differing" ""
	if [ -n "$differing" ]; then
		read -r tid time _ <<<"$differing"
		diag "$(grep "^$tid $time " "$tmp/stacks.txt")"
		diag "$(perf script -i "$data" --ns --show-mmap-events 2>/dev/null | grep -A 8 "$tid .*$time\|$tid .*MMAP")"
	fi
}

mixed workload call-graph=dwarf,stack-size=8192 call-graph=no call-graph=fp call-graph=fp,max-stack=4
ok "the recording is read to its end" \
	sh -c "'$build/tests/perf/dump-stacks' '$data' > '$tmp/stacks.txt'"
awk '{
	line = $1 " " $2
	for (i = 3; i <= NF; i++) {
		if ($i ~ /@\[kernel\]$/) { line = line " k" }
		if ($i ~ /@workload$/) { sub(/@.*/, "", $i); line = line " " $i }
	}
	print line
}' "$tmp/stacks.txt" > "$tmp/ours.txt"
same_stacks "copies of the stack where system calls begin" raw_syscalls:sys_enter
same_stacks "frame pointers at switches" sched:sched_switch
same_stacks "frame pointers, as many as one event has, at the timer's ticks" cpu-clock
is "where system calls end there are none" "$(theirs raw_syscalls:sys_exit)" ""
is "nothing else has a stack" "$(wc -l < "$tmp/ours.txt")" \
	"$({ theirs raw_syscalls:sys_enter; theirs sched:sched_switch; theirs cpu-clock; } | wc -l)"

# Frame pointers lead from the C library past the function that called it, and past what is between.
# The callers of a sleep, the outermost first, are those that the copies of the stack show.
callers=$(grep -m 1 'syscall_trace_enter@.* work_sleep@' "$tmp/stacks.txt" | tr ' ' '\n' |
	sed -n '/\[kernel\]/d; s/@.*//p' | sed '/^work_request$/q' | tac | tr '\n' ' ')
like "copies of the stack show who sleeps" "$callers" '^work_request work_sleep [^ ]'

# slept: nanoseconds of sleep with these callers, and of all sleep, in one line.
slept() {
	graph "$data" "${profile[@]}" "${rank[@]}" --params='format="jsonl",top=0' \
		2> "$tmp/result.log" | /usr/bin/python3 -c '
import json, sys
mine = every = 0
for record in map(json.loads, sys.stdin):
    names = [frame["function"] for frame in record.get("frames", [])]
    if record["type"] == "path" and "syscall:clock_nanosleep" in names:
        every += record["cost_ns"]
        mine += record["cost_ns"] if sys.argv[1] in " ".join(names) + " " else 0
print(mine, every)' "$1"
}

for exit in call-graph=fp call-graph=no; do
	mixed workload call-graph=dwarf,stack-size=8192 $exit call-graph=fp call-graph=fp
	read -r mine every <<< "$(slept "$callers")"
	ok "exits with $exit: the program has slept" test "$every" -gt 10000000
	ok "exits with $exit: all of that is sleep of these callers" \
		test $((mine * 100)) -ge $((every * 99))
done
done_testing

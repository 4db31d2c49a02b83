#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Records with perf, in every layout and with every field that it can write here: each sample that
# `perf script` shows is there.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"

build=${ITP_BUILD_DIR:-.}
begin=$(date +%s)

command -v perf > "$tmp/which" || skip_all "perf is not installed"

# record OPTION…: to standard output or wherever the options say; of $program, if that is set.
record() {
	perf record -q --call-graph fp "$@" -- "${program:-$build/tests/perf/workload}" \
		2> "$tmp/record.log"
}

# begin NAME OPTION…: to NAME.data, in the background, because perf sleeps most of the time.
begin() {
	local name=$1
	shift
	record -o "$tmp/$name.data" "$@" > "$tmp/$name.out" || rm -f "$tmp/$name.data" &
}

# have SENTENCE NAME: the recording was made.
have() {
	[ -s "$tmp/$2.data" ] || { skip "$1" "this perf or kernel cannot record it"; false; }
}

usual=(-k CLOCK_MONOTONIC -e raw_syscalls:sys_enter -e raw_syscalls:sys_exit -e sched:sched_switch
	-e cpu-clock/freq=997/)
syscalls=(-e raw_syscalls:sys_enter -e cpu-clock)
cp "$build/tests/perf/workload" "$tmp/program"

record "${usual[@]}" -o "$tmp/plain.data" > "$tmp/record.out" ||
	skip_all "perf may not record here: $(head -n 1 "$tmp/record.log")"
begin packed "${usual[@]}" -z
begin parts "${usual[@]}" --threads
begin packed-parts "${usual[@]}" --threads=core -z
{ record "${usual[@]}" -o - || : > "$tmp/pipe.data"; } > "$tmp/pipe.data" &
begin group -e '{raw_syscalls:sys_enter,page-faults,cpu-clock}:S'
begin fields -e cpu-clock -e page-faults -d --phys-data --data-page-size --code-page-size \
	--sample-cpu -P -W -I --sample-identifier
begin records --namespaces --all-cgroups --switch-events -s --tail-synthesize "${syscalls[@]}"
begin overwritten --overwrite "${syscalls[@]}"
begin throttled -c 20000 -e cpu-clock
program=$tmp/program begin header -N "${syscalls[@]}"
program=$tmp/program begin mappings --buildid-mmap "${syscalls[@]}"
wait

# same_stacks WHAT NAME [group]
same_stacks() {
	local data=$tmp/$2.data
	have "$1" "$2" || return
	ok "$1: the recording is read to its end" \
		sh -c "'$build/tests/perf/dump-stacks' '$data' > '$tmp/ours.txt'"
	ok "$1: there are stacks" test "$(wc -l < "$tmp/ours.txt")" -gt 10
	cut -d ' ' -f 1,2 "$tmp/ours.txt" | sort > "$tmp/ours.times"
	# Out of a pipe perf shows the stacks too, whatever the fields that were asked for. Of a group
	# that is read at once it shows one for each event that it read.
	perf script -i "$data" --ns -F tid,time 2> "$tmp/script.log" |
		awk '$2 ~ /^[0-9]+\.[0-9]+:$/ { sub(":", "", $2); print $1 " " $2 }' |
		sort ${3:+-u} > "$tmp/theirs.times"
	ok "$1: perf script shows the same threads and times" \
		cmp "$tmp/ours.times" "$tmp/theirs.times"
	ok "$1: functions of the program are named" grep -q work_ "$tmp/ours.txt"
	unlike "$1: no record is skipped" "$(graph "$data" -c sink.utils.dummy 2>&1)" 'skipped'
}
same_stacks "compressed" packed
same_stacks "pipe" pipe
same_stacks "a directory, written by several threads" parts
same_stacks "a compressed directory" packed-parts
same_stacks "a group that is read at once" group group
same_stacks "addresses, pages, weights, periods, registers, identifiers" fields
same_stacks "namespaces, control groups, switches, counts of threads, told at the end" records
same_stacks "buffers that are overwritten" overwritten
same_stacks "a timer that is throttled" throttled

# What perf report counts for each thread, of the events that have stacks.
per_thread="a directory: perf report counts as many samples of each thread"
if have "$per_thread" parts; then
	is "$per_thread" "$(perf report -i "$tmp/parts.data" --stdio --no-children -g none -n -s pid \
		2> "$tmp/report.log" | awk '/^ *[0-9]/ { sub(/:.*/, "", $3); sum[$3] += $2 }
			END { for (tid in sum) print tid, sum[tid] }' | sort -n)" \
		"$("$build/tests/perf/dump-stacks" "$tmp/parts.data" | awk '{ count[$1]++ }
			END { for (tid in count) print tid, count[tid] }' | sort -n)"
	# A CPU on which nothing happened has an empty one.
	part=$(cd "$tmp/parts.data" && stat -c '%s %n' data.* | sort -n | tail -n 1 | cut -d ' ' -f 2)
	mv "$tmp/parts.data/$part" "$tmp/part"
	fails_with "a directory without one of its files: that is named, and what to do" \
		"source.introperf.perf: $tmp/parts.data/$part: this file of the recording is \
missing; copy the directory again as a whole" "$tmp/parts.data"
	head -c $(($(stat -c %s "$tmp/part") - 1)) "$tmp/part" > "$tmp/parts.data/$part"
	fails "$tmp/parts.data" -c sink.utils.dummy
	like "a directory with a file that was cut: that is named, and where" "$causes" \
		"parts.data/$part: the file is truncated at byte [0-9]+ of [0-9]+; what was read"
fi

# functions_of NAME: those of the program, without what perf put into its cache.
functions_of() {
	HOME=$tmp "$build/tests/perf/dump-stacks" "$tmp/$1.data" > "$tmp/ours.txt"
	cut -d ' ' -f 3- "$tmp/ours.txt" | tr ' ' '\n' | grep '@program$' | sort -u
}

for place in header mappings; do
	have "build ids in the $place" "$place" || continue
	like "build ids in the $place: the program's functions are named" \
		"$(functions_of "$place")" 'work_request@'
done
cp "$build/tests/perf/sleeping-filter" "$tmp/program"
for place in header mappings; do
	have "build ids in the $place, another build" "$place" || continue
	is "build ids in the $place: none is named after another build" \
		"$(functions_of "$place" | grep -v '^program+0x')" ""
	like "build ids in the $place: they have addresses instead" \
		"$(functions_of "$place")" 'program\+0x'
done

# stack_events NAME…: how many are in all of these recordings together.
stack_events() {
	graph "${@/%/.data}" 2> "$tmp/events.log" | grep -c 'introperf:stack:'
}
cd "$tmp" || exit 99
together=$(stack_events plain records overwritten)
apart=$(($(stack_events plain) + $(stack_events records) + $(stack_events overwritten)))
ok "several recordings in one command have events" test "$together" -gt 500
is "as many as each of them alone" "$together" "$apart"

# last_second ARGUMENT…: the time of the last event, in seconds of its clock.
last_second() {
	graph --clock-seconds "$@" 2> "$tmp/clock.log" | sed -n '$s/^\[\([0-9]*\)\..*/\1/p'
}

# now SENTENCE ARGUMENT…: the last event was during this test, in seconds since 1970.
now() {
	local sentence=$1 second
	shift
	second=$(last_second "$@")
	ok "$sentence" test "${second:-0}" -ge "$begin" -a "${second:-0}" -le "$(date +%s)"
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

#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The slowest calls of a recording: three sleeps, against what `perf script` prints of them, on the
# recording's own clock and by the time of day.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"

command -v perf > "$tmp/which" || skip_all "perf is not installed"
cd "$tmp" || exit 99
# A name that nobody else's processes have.
cp "$(command -v sleep)" itp-sleeper || exit 99

before=$(date +%s)
perf record -q -k CLOCK_MONOTONIC -e raw_syscalls:sys_enter,raw_syscalls:sys_exit \
	-e sched:sched_switch --switch-events --call-graph dwarf,4096 -m 16M -o perf.data -- \
	bash -c './itp-sleeper 0.04; ./itp-sleeper 0.12; ./itp-sleeper 0.08' > record.log 2>&1 ||
	skip_all "perf may not record here: $(head -n 1 record.log)"
after=$(date +%s)

# slowest PARAMS prints "TID BEGIN LATENCY" of the slow calls of clock_nanosleep, in their order.
slowest() {
	graph perf.data --params="$1" "${profile[@]}" 2> errors.txt | awk '
	function field(name, value) {
		match($0, "[{ ]" name " = (\"[^\"]*\"|[0-9]+)")
		value = substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 4)
		gsub("\"", "", value)
		return value }
	/ introperf:function: / { names[field("id")] = field("name") }
	/ introperf:node: / { node = field("id"); name = names[field("function")] }
	/ introperf:slowest: / && field("node") == node && name == "syscall:clock_nanosleep" {
		print field("tid"), field("begin_ns"), field("latency_ns") }'
}

# Other system calls may take as long on a busy machine.
clock_nanosleep=$(printf '#include <sys/syscall.h>\nSYS_clock_nanosleep\n' |
	${CC:-cc} -E -P - 2> errors.txt | tail -n 1)
# Integers of 64 bits are beyond awk; the seconds of a short recording are not.
perf script --ns -F comm,tid,time,event,trace -i perf.data 2> errors.txt | awk -v number="$clock_nanosleep" '
	$1 != "itp-sleeper" { next }
	{ sub(":", "", $3); split($3, time, "."); event = $4 }
	event ~ /sys_enter/ && $6 == number { begin[$2] = $3; seconds[$2] = time[1]; ns[$2] = time[2] }
	event ~ /sys_exit/ && $6 == number && $2 in begin {
		latency = (time[1] - seconds[$2]) * 1000000000 + time[2] - ns[$2]
		if (latency > 30000000) printf "%d %d%09d %d\n", $2, seconds[$2], ns[$2], latency }' |
	sort -k 3,3nr > wanted.txt

slowest 'clock="recording"' > got.txt
is "perf has seen three sleeps" "$(wc -l < wanted.txt)" 3
same "they are the slowest calls, with thread, time and latency" got.txt wanted.txt

slowest 'clock="wall"' | cut -d ' ' -f 2 | sed 's/.\{9\}$//' > seconds.txt
is "there is a time of day of each" "$(wc -l < seconds.txt)" 3
is "which is that of the recording" \
	"$(awk -v before="$before" -v after="$after" '$1 < before || $1 > after' seconds.txt)" ""

done_testing

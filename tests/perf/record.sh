# SPDX-License-Identifier: MIT
#
# For tests that record with perf: what introperf wants recorded of a program of the build, into
# $data. Sourced after tests/lib/tap.sh.
# shellcheck shell=bash
# shellcheck disable=SC2154 # $tmp comes from tap.sh

build=${ITP_BUILD_DIR:-.}
data=$tmp/perf.data

# record CALL-GRAPH PROGRAM; the test is skipped where perf may not record.
record() {
	command -v perf > "$tmp/which" || skip_all "perf is not installed"
	# On a busy machine perf may come late to what it has to write.
	perf record -q -m 16M -o "$data" -k CLOCK_MONOTONIC \
		-e raw_syscalls:sys_enter,raw_syscalls:sys_exit \
		-e sched:sched_switch,sched:sched_wakeup -e cpu-clock/freq=997/ \
		--switch-events --call-graph "$1" -- "$build/tests/perf/$2" > "$tmp/record.log" 2>&1 ||
		skip_all "perf may not record here: $(head -n 1 "$tmp/record.log")"
}

# record_started CALL-GRAPH PROGRAM records until the program's start is one instant, as those who
# are told of samples alone see it: no tick and no preemption before execve returns.
record_started() {
	local try

	for try in {1..20}; do
		record "$@"
		perf script -i "$data" -F event --show-task-events 2> "$tmp/log" |
			grep -A 1 -m 1 'COMM exec' | grep -q 'sys_exit' && return
	done
	diag "after $try recordings the program's start still takes time"
}

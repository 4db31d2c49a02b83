#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A program in a control group with a CPU quota: what it waited then is the quota's, and not of those
# who ran meanwhile. The kernel's own count of the time holds the number.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/perf-introperf.sh
. "$(dirname "$0")/../cli/perf-introperf.sh"

begin_recording

group=/sys/fs/cgroup/cpu/introperf-test.$$
mkdir "$group" 2>/dev/null || skip_all "no control groups of version 1 for the CPU"
trap 'rmdir "$group"; rm -rf "$tmp"' EXIT
echo 4000 >"$group/cpu.cfs_quota_us" 2>/dev/null || skip_all "no CPU quotas"
echo 100000 >"$group/cpu.cfs_period_us"

cat >spin.c <<'END'
#include <time.h>

static volatile unsigned long sink;

__attribute__((noinline)) void spin(void)
{
	for (int i = 0; i < 1000000; i++) {
		sink += (unsigned long)i;
	}
}

int main(void)
{
	while (clock() < CLOCKS_PER_SEC / 20) {
		spin();
	}
	return 0;
}
END
${CC:-cc} -O1 -g -fno-omit-frame-pointer -o spin spin.c || exit 99
cat >inside.sh <<'END'
echo $$ >"$1/tasks"
exec ./spin
END
perf record -q -m 16M -k CLOCK_MONOTONIC --switch-events -g -e raw_syscalls:sys_enter \
	-e sched:sched_switch,sched:sched_waking -e cpu-clock/freq=997/ -o slow.data sh inside.sh "$group" \
	>log.txt 2>&1 || skip_all "perf may not record here: $(head -n 1 log.txt)"
perf script -i slow.data --no-inline -F event,ip,sym 2>/dev/null |
	grep -A 1 __cond_resched | grep -q task_work_run ||
	skip_all "this kernel does not throttle where a stack shows it"
throttled_ns=$(awk '/^throttled_time / { print $2 }' "$group/cpu.stat")

introperf report slow.data >slow.txt 2>errors.txt
introperf report --format jsonl slow.data >slow.jsonl 2>errors.txt
like "a row says for how long the quota held it" "$(tr -s '\n ' ' ' <slow.txt)" \
	'held by its CPU quota for [0-9]'
like "and so does the sentence above" "$(tr -s '\n ' ' ' <slow.txt)" \
	'is waiting for a CPU, .*held by CPU quotas: >?[0-9]'
held_ns=$(head -n 1 slow.jsonl | python3 -c '
import json, sys
print(sum(taker["runnable_ns"] for taker in json.load(sys.stdin)["cpu_takers"]
          if taker["process"] == "kernel:cpu-quota"))')
# Then, others may run first.
ok "it is no less than the kernel counted ($held_ns of $throttled_ns ns)" \
	test "$held_ns" -ge $((throttled_ns * 8 / 10))

done_testing

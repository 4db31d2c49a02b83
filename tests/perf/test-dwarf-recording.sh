#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A program without frame pointers, recorded with copies of its stacks: the function that sleeps
# through the C library is in every stack of the sleep, and nearly every stack reaches its root.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

build=${ITP_BUILD_DIR:-.}
data=$tmp/perf.data

command -v perf > "$tmp/which" || skip_all "perf is not installed"
perf record -q -o "$data" -k CLOCK_MONOTONIC \
	-e raw_syscalls:sys_enter,raw_syscalls:sys_exit,sched:sched_switch,sched:sched_wakeup \
	-e cpu-clock/freq=997/ --switch-events --call-graph dwarf,8192 \
	-- "$build/tests/perf/sleeping-filter" > "$tmp/record.log" 2>&1 ||
	skip_all "perf may not record here: $(head -n 1 "$tmp/record.log")"

ok "the recording is read to its end" \
	sh -c "'$build/tests/perf/dump-stacks' '$data' > '$tmp/stacks.txt'"
grep -E 'do_nanosleep@\[kernel\]|hrtimer_nanosleep@\[kernel\]' "$tmp/stacks.txt" > "$tmp/sleeps.txt"
ok "there are stacks of the sleep" test "$(wc -l < "$tmp/sleeps.txt")" -ge 40
is "each of them shows the whole chain of callers" \
	"$(grep -vcE ' gzip_filter@sleeping-filter header_filter@sleeping-filter send_page@sleeping-filter main@' \
		"$tmp/sleeps.txt")" 0
ok "none lost its way through the C library" \
	test "$(grep -c ' _start@sleeping-filter$' "$tmp/sleeps.txt")" -eq \
	"$(wc -l < "$tmp/sleeps.txt")"
done_testing

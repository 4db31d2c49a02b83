#!/bin/bash
# SPDX-License-Identifier: MIT
#
# How fast the machine was while real programs were recorded: measured with perf and by BPF, told by
# diff, and left out by perf. Verdicts with it are tests/unit/test-machine-speed.c's.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

# The suspect's time for the same, as a part of the base's; "not measured" without such.
ratio() {
	introperf diff --format jsonl "$1" "$2" | grep -m 1 -oE '"machine_ratio":[0-9.]+' || echo "not measured"
}

begin_recording
introperf record -q --fp -o good.data -- sleep 1 >log.txt 2>&1
introperf record -q --fp -o slow.data -- sleep 1 >>log.txt 2>&1
perf record -q -k CLOCK_MONOTONIC -g -e raw_syscalls:sys_enter -e cpu-clock -o plain.data -- sleep 1 \
	>>log.txt 2>&1

like "both runs have measured" "$(ratio good.data slow.data)" '^"machine_ratio":[0-9]'
is "perf itself has not" "$(ratio good.data plain.data)" "not measured"
ok "perf reads the recording" perf script -i good.data
not_ok "and says nothing of what it does not know" grep -iE "unknown|feature|corrupt" \
	<(perf script -i good.data 2>&1 >/dev/null; perf report -i good.data --stdio 2>&1 >/dev/null)
introperf report --save saved.profile good.data >/dev/null 2>&1
like "a saved profile has it" "$(ratio saved.profile slow.data)" '^"machine_ratio":[0-9]'

# Programs in the kernel measure where recorded threads run, by another code.
counts='i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done'
introperf record --bpf -q -o bpf.data -- sh -c "$counts" >log.txt 2>&1
if grep -qE "built without|not allow|cannot be" log.txt; then
	skip "so have two that were recorded by BPF" "no BPF here"
	skip "but not one of each" "no BPF here"
else
	introperf record --bpf -q -o other.data -- sh -c "$counts" >>log.txt 2>&1
	like "so have two that were recorded by BPF" "$(ratio bpf.data other.data)" '^"machine_ratio":[0-9]'
	is "but not one of each" "$(ratio bpf.data slow.data)" "not measured"
fi

done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A recording whose perf was killed: it has no feature sections, so nothing but the kernel that runs
# here knows the formats of its tracepoints.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"

command -v perf > "$tmp/which" || skip_all "perf is not installed"
cd "$tmp" || exit 99

# A program that goes on until it is ended, and perf, which is killed while it records.
# shellcheck disable=SC2016 # the inner shell expands
sh -c 'while :; do sleep 0.001; done' &
program=$!
# Small buffers are written often.
perf record -q -m 4 --switch-events --call-graph fp -e raw_syscalls:sys_enter \
	-e raw_syscalls:sys_exit -e sched:sched_switch -e sched:sched_wakeup \
	-o killed.data -p "$program" 2> record.log &
recorder=$!
recorded_or_ended() {
	[ "$(stat -c %s killed.data || echo 0)" -gt 200000 ] || ! kill -0 "$recorder"
}
wait_until recorded_or_ended
kill -KILL "$recorder" 2> kill.log
kill "$program"
wait 2> wait.log
[ -s killed.data ] || skip_all "perf may not record here: $(head -n 1 record.log)"
is "the header tells no size of the data" \
	"$(od -An -v -t u8 -j 48 -N 8 killed.data | tr -d ' ')" 0

# kinds SENTENCE PARAMETER…: which kinds of events there are; errors go to errors.txt.
kinds() {
	graph -c source.introperf.perf --params='inputs="killed.data"' "$@" 2> errors.txt |
		sed -n 's/.*introperf:stack: { kind = ( "\([^"]*\)".*/\1/p' | sort -u | tr '\n' ' '
}

sentence="on the kernel that it was made on, system calls are system calls"
if [ -r /sys/kernel/tracing/events/raw_syscalls/sys_enter/format ] &&
	grep -q '^[0-9a-f]*[1-9a-f].* _text$' /proc/kallsyms; then
	like "$sentence" "$(kinds)" 'switch-out .*syscall-enter syscall-exit wakeup'
	unlike "nothing is said of formats" "$(cat errors.txt)" 'formats'
else
	skip "$sentence" "the kernel shows no formats or no addresses"
fi
like "the reading ends with an error, as it is cut" "$(cat errors.txt)" 'killed.data: the file is'
graph killed.data "${profile[@]}" "${rank[@]}" --params='format="jsonl"' > rank.jsonl 2> errors.txt
like "its result is incomplete" "$(tail -n 1 rank.jsonl)" '"complete": ?false'

warning='killed.data: warning: the recording was not finished and lacks the formats of its '
warning+='tracepoints, 4 in all;'
unlike "with symfs, this machine's kernel is not asked" "$(kinds --params='symfs="/"')" 'syscall'
is "that is said once" "$(grep -c "$warning" errors.txt)" 1

# kernel_at prints where the record says where the kernel's text is: in front of its name.
kernel_at() {
	echo $(($(grep -obaF '[kernel.kallsyms]_text' killed.data | head -n 1 | cut -d : -f 1) - 24))
}
# Other addresses, as after a boot with others; another length, as of another kernel.
for what in 18:address 10:length; do
	cp killed.data kept.data
	printf '\021' | dd of=killed.data bs=1 seek=$(($(kernel_at) + ${what%:*})) conv=notrunc \
		status=none
	unlike "with another ${what#*:} of the kernel's text, it is not either" \
		"$(kinds)" 'syscall'
	is "with another ${what#*:} of the kernel's text, that is said" \
		"$(grep -c "$warning" errors.txt)" 1
	mv kept.data killed.data
done
done_testing

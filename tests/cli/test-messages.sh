#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The messages between the components, as sink.text.pretty prints them.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"

enter_shop

# Names of the fields of event $1 in file $2, of its first occurrence.
fields() {
	grep -m1 "introperf:$1: " "$2" |
		sed -E 's/^[^{]*\{ //; s/"[^"]*"//g; s/\[[0-9]+\] =//g; s/container =//g; s/: *[^,}]*=//g' |
		grep -oE '[a-z_][a-z_0-9]* =' | tr -d ' =' | tr '\n' ' '
}

# Exits with 1 when an event uses a function that no event before it introduced.
# shellcheck disable=SC2317 # called through ok
introduced_first() {
	awk '
	/ introperf:function: / { match($0, /id = [0-9]+/)
		known[substr($0, RSTART + 5, RLENGTH - 5)] = 1 }
	/ introperf:stack: / { match($0, /functions = .*/)
		count = split(substr($0, RSTART), parts, /\] = /)
		for (i = 2; i <= count; i++) if (!((parts[i] + 0) in known)) exit 1 }
	/ introperf:(context|node|waker): / { match($0, /function = [0-9]+/)
		if (!(substr($0, RSTART + 11, RLENGTH - 11) in known)) exit 1 }
	/ introperf:waker: / { match($0, /process = [0-9]+/)
		if (!(substr($0, RSTART + 10, RLENGTH - 10) in known)) exit 1 }' "$1"
}

# Exits with 1 when a waker or a slow call comes before its context.
# shellcheck disable=SC2317 # called through ok
contexts_first() {
	awk '
	/ introperf:(context|node): / { match($0, /[{] id = [0-9]+/)
		known[substr($0, RSTART + 7, RLENGTH - 7)] = 1 }
	/ introperf:(waker|slowest): / { match($0, /node = [0-9]+/)
		if (!(substr($0, RSTART + 7, RLENGTH - 7) in known)) exit 1 }' "$1"
}

# Exits with 1 when a node comes before its parent.
# shellcheck disable=SC2317 # called through ok
parents_first() {
	awk '
	BEGIN { known[0] = 1 }
	/ introperf:(context|node): / {
		match($0, /parent = [0-9]+/)
		if (!(substr($0, RSTART + 9, RLENGTH - 9) in known)) exit 1
		match($0, /[{] id = [0-9]+/)
		known[substr($0, RSTART + 7, RLENGTH - 7)] = 1 }' "$1"
}

ok "a recording prints without naming the source" graph "${slow[@]}"
graph "${slow[@]}" >stacks.txt 2>/dev/null
graph "${slow[@]}" "${infer[@]}" >instances.txt 2>/dev/null
graph "${slow[@]}" "${profile[@]}" >nodes.txt 2>/dev/null

is "the fields of a stack" "$(fields stack stacks.txt)" \
	"kind pid tid cpu comm argument callee complete addresses functions end found_by filled \
words_known word_0 word_1 word_2 since_wake_ns tick_ns "
is "the fields of a function" "$(fields function stacks.txt)" \
	"id name module build_id layer unnamed file signal_frame system choices "
is "the fields of a context" "$(fields context instances.txt)" "id parent function "
is "the fields of an instance" "$(fields instance instances.txt)" \
	"node function pid tid depth begin_ns conservative_ns aggressive_ns lower_ns upper_ns \
cpu_ns blocked_ns runnable_ns flags best_begin_ns best_ns best_cpu_ns best_blocked_ns \
best_runnable_ns max_calls would_block words_known word_0 word_1 word_2 result has_result woke_ns window unseen_calls thread_name "
is "the fields of a node" "$(fields node nodes.txt)" \
	"id parent function count total_ns own_ns lower_ns upper_ns min_ns max_ns square_sum_high \
square_sum_low cpu_ns blocked_ns runnable_ns own_cpu_ns own_blocked_ns own_runnable_ns \
lost_count histogram max_count samples own_variance_us2 counted_count part_count shown_count count_variance \
wanted_ns life_ns passed_ns "
is "the fields of a waker" "$(fields waker nodes.txt)" "node process function count blocked_ns role \
square_us2 "
is "the fields of a slow call" "$(fields slowest nodes.txt)" \
	"node pid tid begin_ns latency_ns lower_ns upper_ns flags "
is "the fields of a workload" "$(fields workload nodes.txt)" \
	"name begin_ns end_ns threads events stacks broken_stacks interrupted_stacks losses \
lost_events cut complete options deep_stacks unwind_failures \
found_by_recorder found_by_rule found_by_expression found_by_frame_pointer period \
timer_samples unfollowed_stacks deep_chains short_copies completed_stacks filled_frames \
late_records misplaced_records tick_ns watched windows_ns rests_ns slowed_ns drawn_ns \
speeds speed_meters computed_ns computed_ns2 units commands blocked_ns drawn_windows "

for file in stacks instances nodes; do
	ok "$file: functions come before their first use" introduced_first $file.txt
done
for file in instances nodes; do
	ok "$file: parents come before their children" parents_first $file.txt
	ok "$file: contexts come before their wakers and slow calls" contexts_first $file.txt
	is "$file: one workload, at the end" \
		"$(grep -n introperf:workload: $file.txt | cut -d: -f1)" "$(wc -l <$file.txt)"
done
like "the workload tells the options that made it" "$(tail -1 nodes.txt)" \
	'options = "continuity=control-flow group-by=process estimate=best"'
like "and is called like the file" "$(tail -1 nodes.txt)" 'name = "slow.data"'
timer=$(sed -n 's/.*introperf:function: { id = \([0-9]*\), name = "kernel:timer".*/\1/p' nodes.txt)
like "a timer ended a sleep" "$(grep introperf:waker: nodes.txt)" "process = ${timer:-none},"
like "the timeline names the guilty function" "$(grep introperf:instance: instances.txt)" \
	'function = "take_price_lock", pid = [0-9]+'

like "a read tells its descriptor and how much it has read" \
	"$(grep 'introperf:instance: .*function = "syscall:read"' instances.txt)" \
	'words_known = 1, word_0 = [0-9], word_1 = [0-9]+, word_2 = [0-9]+, result = [1-9][0-9]*, has_result = 1'

graph "${slow[@]}" "${profile[@]}" >again.txt 2>/dev/null
same "two runs give the same messages" again.txt nodes.txt

graph "${slow[@]}" "${infer[@]}" --params='continuity="function",group-by="all"' \
	-c filter.introperf.normalize --params='estimate="aggressive"' >options.txt 2>/dev/null
like "other options are told too" "$(tail -1 options.txt)" \
	'"continuity=function group-by=all estimate=aggressive"'

# Without the lengths that sink.ctf.fs adds, the time since the line before, and the two strings
# that may be empty: Babeltrace 2.0 prints what the field held before in place of these.
plain() {
	sed -E 's/(__[a-z]+_len|[0-9a-f-]{36}-[a-z]+-len) = [0-9]+, //g; s/ \(\+[^)]*\)//; s/(module|build_id|file|thread_name|choices) = "[^"]*"//g' "$1"
}
for file in stacks instances nodes; do
	case $file in
	stacks) chain=() ;;
	instances) chain=("${infer[@]}") ;;
	nodes) chain=("${profile[@]}") ;;
	esac
	graph "${slow[@]}" "${chain[@]}" -c sink.ctf.fs --params="path=\"$file.ctf\"" >/dev/null 2>&1
	graph $file.ctf >back.txt 2>/dev/null
	is "$file: names and values survive sink.ctf.fs and source.ctf.fs" \
		"$(plain back.txt | md5sum)" "$(plain $file.txt | md5sum)"
done

# As sink.text.details of Babeltrace 2.0 says it; that of 2.1 says nothing of an origin that is not known.
epoch='Origin is Unix epoch: Yes' no_epoch='Origin is Unix epoch: No'
[ -z "$as_ctf_1" ] || epoch='Origin: Unix epoch' no_epoch='Offset from origin \(s\): 0'
details=$(graph "${slow[@]}" -c sink.text.details 2>/dev/null | head -140)
like "the clock of a recording that tells the time of day has the Unix epoch" "$details" \
	"$epoch"
like "the environment keeps the path" "$details" 'introperf_input: slow.data'
like "and the machine" "$details" 'architecture: x86_64'
like "the trace is called like the file" "$details" 'Trace .slow.data'

details=$(graph -c source.introperf.perf --params='inputs="slow.data",clock="recording"' \
	-c sink.text.details 2>/dev/null | head -140)
like "clock=recording keeps it from that" "$details" "$no_epoch"

details=$(graph "${good[@]}" -c sink.text.details 2>/dev/null | head -140)
like "the environment names the events" "$details" \
	'perf_events: raw_syscalls:sys_enter raw_syscalls:sys_exit sched:sched_switch'
like "and how stacks were recorded" "$details" 'perf_call_graph: fp'
like "and where" "$details" 'hostname: demo'

done_testing

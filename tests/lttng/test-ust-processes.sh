#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Traces by LTTng-UST of what is not one program in one piece: forks, libraries that come and go,
# exceptions, ends without exits, lost events; and one of them against a recording of perf.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"
# shellcheck source-path=SCRIPTDIR source=ust.sh
. "$(dirname "$0")/ust.sh"

sources=$ITP_SOURCE_DIR/tests/lttng
build=(gcc -O0 -g -finstrument-functions)
"${build[@]}" "$sources/processes.c" -o processes -ldl 2>/dev/null || skip_all "gcc failed"
"${build[@]}" -fPIC -shared -DHELPER=first_helper "$sources/plugin.c" -o first.so
"${build[@]}" -fPIC -shared -DHELPER=second_helper "$sources/plugin.c" -o second.so
"${build[@]}" "$sources/busy.c" -o busy

# instances TRACE FUNCTION prints "FLAGS" of each instance of it, without those about counts.
instances() {
	graph "$1" "${infer[@]}" 2>/dev/null |
		sed -n "s/.*introperf:instance.*function = \"$2\".* flags = \([0-9]*\),.*/\1/p" |
		awk '{ print $1 % 16 }' | sort | uniq -c | sed 's/^ *//'
}

export UST_PRELOAD="liblttng-ust-fork.so.1 liblttng-ust-dl.so.1"
places=$(record_program forked "" processes vpid vtid procname)
is "calls of both processes are counted, and those of libraries" \
	"$(calls forked/trace | grep -v ' 0x')" \
	'2 call_plugin 2 exact
5 child_work 1 exact
1 end_child 1
2 first_helper 4 exact
1 leave 2
1 main 1 exact
3 parent_work 2 exact
4 run_plugin 3 exact
2 second_helper 4 exact'
like "two processes were recorded" "$(graph forked/trace 2>/dev/null | grep -o 'vpid = [0-9]*' |
	sort -u | grep -c .)" '^2$'
is "of a call that never returned, the end is not known" "$(instances forked/trace leave)" "1 2"
graph forked/trace "${infer[@]}" 2>/dev/null | grep -o 'name = "run_plugin", module = "[^"]*"' >plugins.txt
is "each library has its own functions" "$(cat plugins.txt)" 'name = "run_plugin", module = "first.so"
name = "run_plugin", module = "second.so"'
if [ "$(sort -u <<<"$places" | grep -c .)" -eq 1 ]; then
	ok "although both lay at the same place" true
else
	skip "although both lay at the same place" "they did not"
fi
graph forked/trace -c filter.introperf.symbolize >named.txt 2>/dev/null
is "symbolize names what lies there at that time" \
	"$(grep func_entry named.txt | grep -o 'addr_symbol = { function = "\(first\|second\)_helper", module = "[^"]*" }' |
		sort | uniq -c | sed 's/^ *//')" \
	'2 addr_symbol = { function = "first_helper", module = "first.so" }
2 addr_symbol = { function = "second_helper", module = "second.so" }'
like "and call sites" "$(cat named.txt)" \
	'call_site_symbol = \{ function = "call_plugin", module = "processes" \}'
is "one at the very end of its function is not in the next one" \
	"$(grep func_entry named.txt | grep 'function = "leave"' | grep -o 'call_site_symbol = { function = "[^"]*"')" \
	'call_site_symbol = { function = "end_child"'
is "what runs where a library was has none of its names" \
	"$(calls forked/trace | sed -n 's/^\([0-9]*\) 0x\([0-9a-f]*\) 3 exact/0x\2 \1/p' |
		awk '{ calls += $2; print $1 } END { print calls }')" \
	"$(sort -u <<<"$places")
2"
is "symbolize has none for it, either" \
	"$(grep func_entry named.txt | grep -o 'addr_symbol = { function = "0x[0-9a-f]*", module = "[^"]*"' |
		grep -o '0x.*' | sort)" \
	"$(sed 's/$/", module = "[unknown]"/' <<<"$places" | sort)"
unset UST_PRELOAD

if gcc -O0 -g -finstrument-functions -c "$sources/through.c" 2>/dev/null &&
	g++ -O0 -g -finstrument-functions "$sources/throws.cc" through.o -o throws 2>/dev/null; then
	record_program thrown "" throws vpid vtid procname
	is "what exceptions leave without an exit ends with its caller" "$(calls thrown/trace)" \
		'3 handle() 2 exact
1 main 1 exact
3 outer() 2 exact
3 through_c 3
3 thrower() 4 exact'
else
	skip "what exceptions leave without an exit ends with its caller" "no g++"
fi

# Entries and exits that are made from a function trace are those that it had.
graph --clock-seconds --clock-gmt forked/trace 2>/dev/null | grep 'func_\(entry\|exit\)' >events.txt
graph --clock-seconds --clock-gmt forked/trace "${infer[@]}" --params='calls=yes' 2>/dev/null |
	grep 'func_\(entry\|exit\)' >made.txt
# Of main() of the child, only the exit was recorded, if at all; of end_child() and leave(), only the
# entries.
times() {
	sed -E 's/^\[([0-9.]*)\].*:func_(\w*):.* vtid = ([0-9]*),.*/\1 \2 \3/' "$1"
}
is "entries and exits come out as they went in" "$(times made.txt | grep -c entry)" \
	"$(times events.txt | grep -c entry)"
is "at the same times" "$(comm -23 <(times made.txt | sort) <(times events.txt | sort) | grep -c .)" 2

# Buffers that are too small.
export UST_CHANNEL="--subbuf-size=4096 --num-subbuf=2 --discard"
record_program lost "" busy vpid vtid procname
unset UST_CHANNEL
graph lost/trace -c sink.text.details --params='compact=yes,with-metadata=no' >details.txt 2>/dev/null
discarded=$(sed -n 's/.*Discarded events (\([0-9,]*\) events.*/\1/p' details.txt | tr -d , |
	awk '{ n += $1 } END { print n + 0 }')
like "the tracer has discarded events" "$discarded" '^[1-9]'
graph lost/trace "${profile[@]}" "${rank[@]}" --params='format="jsonl"' >lost.jsonl 2>/dev/null
summary=$(tail -n 1 lost.jsonl)
like "the result says how many" "$summary" "\"lost_events\":$discarded,"
like "and that it is not complete" "$summary" '"complete":false'
like "calls that were open then have no known end" "$(instances lost/trace main)" ' [67]$'
like "calls after it are exact again" "$(instances lost/trace tick)" '^[1-9][0-9]* 8$|
[1-9][0-9]* 8$'
graph lost/trace "${profile[@]}" "${rank[@]}" >lost.txt 2>/dev/null
like "for readers, too" "$(cat lost.txt)" 'lost'

# A recording of perf as base, whose instances are inferred, and a function trace of the same program
# under suspicion.
if perf record -q -m 8M -o inferred.data -k CLOCK_MONOTONIC --call-graph dwarf,4096 \
	-e raw_syscalls:sys_enter,raw_syscalls:sys_exit,sched:sched_switch ./processes \
	>/dev/null 2>&1; then
	graph inferred.data forked/trace "${profile[@]}" "${rank[@]}" \
		--params='base="inferred.data",root="^parent_work$",format="jsonl",by="function"' \
		>compared.jsonl 2>errors.txt
	like "a function trace can be compared with a recording" \
		"$(grep '"function":"parent_work"' compared.jsonl)" '"count":3,"base_count":3,'
else
	skip "a function trace can be compared with a recording" "perf may not record here"
fi

done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What filter.introperf.infer says about time, saved for other programs: instances, entries and exits
# of calls, and the input beside them.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"

enter_shop

# timeline INPUT… saves what a graph's beginning says about time in ./timeline.
timeline() {
	rm -rf timeline
	graph "$@" -c sink.ctf.fs --params="${as_ctf_1}path=\"timeline\"" >/dev/null 2>errors.txt ||
		diag "$(cat errors.txt)"
}

graph "${good[@]}" "${infer[@]}" >instances.txt 2>/dev/null
timeline "${good[@]}" "${infer[@]}"
# From CTF, Babeltrace 2.0 prints texts that are empty wrongly; a copy has them right.
graph timeline -c filter.introperf.symbolize 2>/dev/null >saved.txt
like "there are instances" "$(grep -c introperf:instance instances.txt)" '^[1-9][0-9]{3}$'
same "a saved timeline reads back as it was" saved.txt instances.txt
is "without being asked for, there are no calls" "$(ls timeline)" good.data

timeline "${good[@]}" "${infer[@]}" --params='calls=yes'
is "calls are a trace of their own" "$(ls timeline | tr '\n' ' ')" "good.data good.data-calls "
graph timeline/good.data -c filter.introperf.symbolize 2>/dev/null >saved.txt
same "beside the same instances" saved.txt instances.txt
graph --clock-seconds --clock-gmt timeline/good.data-calls >calls.txt 2>errors.txt
is "it can be read" "$? $(cat errors.txt)" "0 "

# Trace Compass looks for these.
for word in 'domain = "ust"' 'tracer_name = "lttng-ust"' 'tracer_major = 2' ' _vtid;' ' _vpid;' \
	' _procname;' ' _addr;' ' _call_site;' 'name = "lttng_ust_cyg_profile:func_entry"' \
	'name = "lttng_ust_cyg_profile:func_exit"'; do
	ok "its metadata has $word" grep -qaF "$word" timeline/good.data-calls/metadata
done

# As the manual page makes the names for it.
graph timeline/good.data-calls 2>/dev/null |
	sed -n 's/.*{ addr = 0x\([0-9A-F]*\), name = "\([^"]*\)".*/\1 t \2/p' | sort -u >names.txt
is "each address has one name" "$(cut -d' ' -f1 names.txt | sort | uniq -d)" ""
ok "there are names of functions" grep -q ' t take_price_lock$' names.txt

# pairs.py prints "TID FUNCTION BEGIN NANOSECONDS" for each pair of entry and exit, and what is wrong.
cat >pairs.py <<'PAIRS'
import re, sys
line_of = re.compile(
    r'\[(\d+)\.(\d+)\] .*:func_(entry|exit): \{ vpid = (\d+), vtid = (\d+), procname = "([^"]*)" \}, '
    r'\{ addr = (\w+), name = "([^"]*)", module = "[^"]*"(, call_site = \w+)? \}')
stacks, last, names = {}, 0, {}
for line in sys.stdin:
    seconds, fraction, kind, pid, tid, process, addr, name, site = line_of.match(line).groups()
    time = int(seconds) * 10**9 + int(fraction)
    stack = stacks.setdefault(tid, [])
    if time < last or names.setdefault(addr, name) != name or not process:
        print("wrong:", line, end="")
    last = time
    if kind == "entry":
        stack.append((addr, name, time))
    elif not stack or stack[-1][0] != addr:
        print("not nested:", line, end="")
    else:
        _, name, begin = stack.pop()
        print(tid, name, begin, time - begin)
for tid, stack in stacks.items():
    for call in stack:
        print("open:", tid, call)
PAIRS
sed 's/(+[^)]*) //' calls.txt | python3 pairs.py | sort >pairs.txt
sed -nE 's/.*:instance: .* function = "([^"]*)".* tid = ([0-9]+), depth = ([1-9][0-9]*), begin_ns = ([0-9]+), .*aggressive_ns = ([0-9]+),.*/\2 \1 \4 \5/p' \
	instances.txt | sort >wanted.txt
same "each call enters when it was first seen, and exits when it was first seen gone" \
	pairs.txt wanted.txt
like "threads have the name of their process" "$(head -n 1 calls.txt)" 'procname = "shop"'
like "a call tells where its caller goes on" "$(grep -m 1 'func_entry.*"take_price_lock"' calls.txt)" \
	'call_site = 0x[1-9A-F][0-9A-F]*'

graph timeline/good.data-calls "${infer[@]}" 2>/dev/null | grep introperf:instance >again.txt
is "read as a function trace, all calls are there again, and exact" \
	"$(grep -cE 'depth = [1-9].* flags = 24,' again.txt)" "$(grep -c . wanted.txt)"
graph "${good[@]}" "${infer[@]}" --params='calls=yes' -c filter.introperf.normalize "${rank[@]}" \
	>with.txt 2>&1
graph "${good[@]}" "${profile[@]}" "${rank[@]}" >without.txt 2>&1
same "calls do not change the ranking" with.txt without.txt

# The input beside what comes of it.
graph "${good[@]}" >plain.txt 2>/dev/null
graph "${good[@]}" "${infer[@]}" --params='pass-through=yes' >both.txt 2>/dev/null
sed 's/(+[^)]*)//' both.txt | grep -E 'introperf:(context|instance|waker|workload)' >results.txt
same "with pass-through, the results are the same" results.txt \
	<(sed 's/(+[^)]*)//' instances.txt | grep -E 'introperf:(context|instance|waker|workload)')
sed 's/(+[^)]*)//' both.txt | grep 'introperf:stack' >passed.txt
same "and all of the input is there too" passed.txt \
	<(sed 's/(+[^)]*)//' plain.txt | grep introperf:stack)
is "in the order of time" "$(sed -E 's/^\[([^]]*)\].*/\1/' both.txt | LC_ALL=C sort -c 2>&1)" ""
timeline "${good[@]}" "${infer[@]}" --params='pass-through=yes,calls=yes'
is "all of it can be saved" "$(ls timeline | wc -l)" 3
graph "${good[@]}" "${infer[@]}" --params='pass-through=yes' -c filter.introperf.normalize \
	"${rank[@]}" >with.txt 2>&1
same "and ranked as without" with.txt without.txt

# Events of other tracers, too.
if perf data convert -i good.data --to-ctf=good.ctf --all >/dev/null 2>&1; then
	graph good.ctf >plain.txt 2>/dev/null
	graph good.ctf "${infer[@]}" --params="$symbols,pass-through=yes" >both.txt 2>/dev/null
	same "events of other tracers pass as they are" \
		<(sed 's/(+[^)]*) //' both.txt | grep -v ' introperf:') \
		<(sed 's/(+[^)]*) //' plain.txt)
	like "beside what comes of them" "$(grep -c introperf:instance both.txt)" '^[1-9][0-9]{3}$'
	timeline good.ctf "${infer[@]}" --params="$symbols,pass-through=yes,calls=yes"
	graph timeline -c filter.introperf.symbolize 2>/dev/null | grep -c . >saved.txt
	like "all of that can be saved and read back" "$(cat saved.txt)" '^[1-9][0-9]{4}$'
else
	skip "events of other tracers pass as they are" "no perf that writes CTF"
fi

fails_with "a parameter of another type" \
	'filter.introperf.infer: parameter "calls": expected a boolean, got a string' \
	"${good[@]}" "${infer[@]}" --params='calls="yes"' "${rank[@]}"

done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
#
# filter.introperf.symbolize: names beside addresses, and everything else as it was.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"

perf data convert --help 2>&1 | grep -q -- --to-ctf || skip_all "no perf that writes CTF"
export BABELTRACE_PLUGIN_PATH=$ITP_SOURCE_DIR/tests/cli
export PYTHONDONTWRITEBYTECODE=1
enter_shop
symbolize=(-c filter.introperf.symbolize)
perf data convert -i good.data --to-ctf=good.ctf --all >/dev/null 2>&1

# without_symbols removes what the filter adds to what sink.text.pretty prints.
without_symbols() {
	local symbol='\{ function = "[^"]*", module = "[^"]*" \}'
	sed -E "s/, \w+_symbol = $symbol//g
		s/, \w+_symbols = \[( \[[0-9]+\] = $symbol,?)* \]//g"
}

graph good.ctf "${symbolize[@]}" --params="$symbols" >named.txt 2>errors.txt
is "the filter succeeds" "$?" 0
graph good.ctf >plain.txt 2>/dev/null
same "beside the names, all is as it was" <(without_symbols <named.txt) plain.txt
like "each address of a stack has the name of its function and module" \
	"$(grep ' id = 88,' named.txt | grep -m 1 take_price_lock)" \
	'perf_callchain_symbols = \[ \[0\] = \{ function = "\[marker\]", module = "\[kernel\]" \}, \[1\] = \{ function = "syscall_trace_enter", module = "\[kernel\]" \},.* \[4\] = \{ function = "\[marker\]", module = "\[user\]" \}, \[5\] = \{ function = "symlink", module = "libc.so.6" \}, \[6\] = \{ function = "take_price_lock", module = "shop" \}, \[7\] = \{ function = "refresh_prices", module = "shop" \},.*\{ function = "main", module = "shop" \}'
like "so has an address alone" "$(grep -m 1 sys_enter named.txt)" \
	'perf_ip_symbol = \{ function = "syscall_trace_enter", module = "\[kernel\]" \}'
like "what lies nowhere is shown as it is" "$(cat named.txt)" \
	'\{ function = "0x[0-9a-f]+", module = "\[unknown\]" \}'
like "and counted" "$(cat errors.txt)" \
	'^filter.introperf.symbolize: good.ctf: warning: nothing is known to lie at [1-9][0-9]* of the addresses$'

# As perf itself names them.
perf script -i good.data --symfs symfs --kallsyms kallsyms --no-inline -F ip,sym,dso 2>/dev/null |
	sed -n 's|^[[:blank:]]*[0-9a-f]* \([^ ]*\) (.*/shop)$|\1|p' | sort | uniq -c >perf.txt
sed 's/perf_ip_symbol = {[^}]*}//' named.txt | grep -o 'function = "[^"]*", module = "shop"' |
	cut -d'"' -f2 | sort | uniq -c >ours.txt
like "there are many names" "$(grep -c . perf.txt)" '^[1-9][0-9]$'
same "they are those of perf script, as often" ours.txt perf.txt

graph good.ctf "${symbolize[@]}" --params="$symbols" -c filter.introperf.symbolize \
	--params="$symbols" >twice.txt 2>/dev/null
same "names that are there are not added again" twice.txt named.txt
graph good.ctf "${symbolize[@]}" --params="$symbols" \
	-c sink.ctf.fs --params='path="named.ctf"' >/dev/null 2>&1
graph named.ctf 2>/dev/null | sed -E 's/, _\w+_len = [0-9]+//g' \
	>saved.txt
same "a saved copy reads back" saved.txt named.txt

for from in good.ctf named.ctf; do
	graph "$from" "${infer[@]}" --params="$symbols" -c filter.introperf.normalize "${rank[@]}" \
		--params='format="jsonl",top=1000' 2>/dev/null | sed 's/"name":"[^"]*"//' >"$from.jsonl"
done
graph good.ctf "${symbolize[@]}" "${infer[@]}" --params="$symbols" \
	-c filter.introperf.normalize "${rank[@]}" --params='format="jsonl",top=1000' 2>/dev/null |
	sed 's/"name":"[^"]*"//' >through.jsonl
like "there is a ranking" "$(cat good.ctf.jsonl)" '"type":"path"'
same "what comes out can be ranked like what goes in" through.jsonl good.ctf.jsonl
is "also from a saved copy" "$(grep -c . named.ctf.jsonl)" "$(grep -c . good.ctf.jsonl)"

begin=$(sed -n 's/^\[\([^]]*\)\].*/\1/p' plain.txt | sed -n 2000p)
# What was mapped before it is not known then.
graph --begin="$begin" good.ctf 2>/dev/null >plain.part.txt
graph --begin="$begin" good.ctf "${symbolize[@]}" --params="$symbols" 2>/dev/null >named.part.txt
same "a part of a trace is the same part" <(without_symbols <named.part.txt) plain.part.txt

# Our own stacks have numbers of functions.
graph "${good[@]}" >plain.txt 2>/dev/null
graph "${good[@]}" "${symbolize[@]}" >named.txt 2>/dev/null
same "beside the names, our own stacks are as they were" <(without_symbols <named.txt) plain.txt
like "they have names, root first" "$(grep -m 1 'syscall-enter.*"take_price_lock".*"symlink"' named.txt)" \
	'functions_symbols = \[.*\{ function = "main", module = "shop" \},.*\{ function = "take_price_lock", module = "shop" \}, \[[0-9]*\] = \{ function = "make_lock", module = "shop" \}, \[[0-9]*\] = \{ function = "symlink", module = "libc.so.6" \}'

# What is no trace with stacks passes as well.
graph slow.data "${infer[@]}" 2>/dev/null >instances.txt
graph slow.data "${infer[@]}" "${symbolize[@]}" 2>/dev/null >passed.txt
same "events without addresses pass" passed.txt instances.txt

if ! graph list-plugins 2>/dev/null | grep -q '^kinds:'; then
	skip "fields of all kinds pass" "Babeltrace finds no Python plugins (python3-bt2)"
	done_testing
fi

# kinds COMPONENT… prints messages and fields of all kinds behind these.
kinds() {
	local previous=s chain=(run --component=s:source.kinds.trace) connections=()
	local component
	for component in "$@" sink.text.details; do
		chain+=(--component="$component:$component")
		connections+=(--connect="$previous:${component//./\\.}")
		previous=${component//./\\.}
	done
	graph "${chain[@]}" "${connections[@]}" 2>errors.txt || cat errors.txt
}

# Where lengths and choices come from is not copied.
kinds | sed 's/ (with length field)/ (no length field)/; s/ (Length field path .*)//
	s/Variant (unsigned integer selector)/Variant (no selector)/; s/, Selector field path [^)]*)/)/
	s/\(low\|high\): \[[0-9, ]*\]:/\1:/' >plain.txt
kinds filter.introperf.symbolize >named.txt
like "there are messages of all types" "$(grep -c 'Stream beginning\|Packet end\|Discarded' plain.txt)" \
	'^[1-9]'
same "fields and messages of all kinds pass" named.txt plain.txt
like "fields of another type than addresses stay without a name" "$(cat named.txt)" \
	'callstack_user: no stack'
unlike "and get none" "$(cat named.txt)" _symbol

# A trace that comes into being while it is read: nothing yet, silence, streams that come and go.
live=(run --component=s:source.live.trace
	--params='steps=["begin","wait","begin","idle 1500","end","lose 2500","end"]')
details=(--component=o:sink.text.details --params=with-metadata=no)
graph "${live[@]}" "${details[@]}" --connect=s:o >plain.txt 2>errors.txt
is "a live trace can be read" "$?" 0
graph "${live[@]}" --component=y:filter.introperf.symbolize "${details[@]}" \
	--connect=s:y --connect=y:o >named.txt 2>errors.txt
same "live traces pass, with silence and streams that come and go" named.txt plain.txt
like "among them messages of no stream" "$(cat plain.txt)" 'Message iterator inactivity'

# changed WITHOUT makes a trace as LTTng's kernel tracer does, with that change.
changed() {
	rm -rf changed
	graph --component=s:source.lttng.kernel --params="perf=\"good.ctf\",without=\"$1\"" \
		--component=o:sink.ctf.fs --params="${as_ctf_1}path=\"changed\"" >/dev/null 2>errors.txt ||
		diag "$(cat errors.txt)"
}

changed tid
fails_with "a trace that does not tell threads is refused" 'filter.introperf.symbolize: kernel: event "sched_process_exec" does not tell its thread (tid); record with `lttng add-context --kernel --type=tid --type=pid --type=procname`' \
	changed "${symbolize[@]}" -c sink.utils.dummy
changed signed-stack
graph changed "${symbolize[@]}" >named.txt 2>errors.txt
is "addresses of another type get no names" "$? $(grep -c _symbols named.txt)" "0 0"
changed cut-stack
graph changed "${symbolize[@]}" --params="$symbols" 2>/dev/null | grep -m 1 -o 'callstack_user_symbols.*' >named.txt
like "where LTTng has cut a stack is said" "$(cat named.txt)" 'function = "\[marker\]", module = "\[unknown\]" \} \]'

fails_with "maps that are not there" \
	"filter.introperf.symbolize: parameter \"maps\": Failed to open file “nowhere”: No such file or directory" \
	good.ctf "${symbolize[@]}" --params='maps="nowhere"'
fails_with "an unknown parameter" \
	'filter.introperf.symbolize: unknown parameter "map"; known are symfs, kallsyms, maps' \
	good.ctf "${symbolize[@]}" --params='map="nowhere"'
fails_with "no input" 'filter.introperf.symbolize: input port "in" is not connected' \
	run --component=s:source.kinds.trace --component=d:sink.utils.dummy --connect=s:d \
	--component=i:filter.introperf.symbolize --component=o:sink.utils.dummy --connect=i:o

done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Every format of sink.introperf.export, opened by a program that it is for; what that reads is equal,
# to the nanosecond, to the JSON lines of a ranking of the same recording.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"

command -v python3 >/dev/null || skip_all "no python3"
here=$ITP_SOURCE_DIR/tests/export
speedscope=$ITP_BUILD_DIR/readers/node_modules/speedscope
enter_shop

# As the paper has them, without time moved from the scheduler to who waits.
rows='format="jsonl",by="function",method="paper",top=0,idle="ranked"'
graph "${slow[@]}" "${profile[@]}" "${rank[@]}" --params="$rows" >rows.jsonl 2>errors.txt
# A timeline has calls and nothing else: its sums are those of a profile that ticks of the timer do
# not correct.
calls=("${infer[@]}" --params='continuity="function"')
graph "${slow[@]}" "${calls[@]}" -c filter.introperf.normalize "${rank[@]}" --params="$rows" \
	>calls.jsonl 2>errors.txt
graph "${good[@]}" "${slow[@]}" "${profile[@]}" "${rank[@]}" --params="$rows,base=\"good.data\"" \
	>two.jsonl 2>>errors.txt
is "the numbers to compare with are there" "$(cat errors.txt)" ""

# export FILE PARAMS FILTER… exports the slow recording.
export_slow() {
	local file=$1 params=$2
	shift 2
	graph "${slow[@]}" "$@" -c sink.introperf.export --params="$params,output=\"$file\"" \
		>"$tmp/output.txt" 2>&1 || diag "$(cat "$tmp/output.txt")"
}

# file_build_id FILE
file_build_id() {
	readelf -n "$1" 2>/dev/null | sed -n 's/ *Build ID: //p'
}

export_two() {
	graph "${good[@]}" "${slow[@]}" "${profile[@]}" \
		-c sink.introperf.export --params="$2,base=\"good.data\",output=\"$1\"" \
		>"$tmp/output.txt" 2>&1 || diag "$(cat "$tmp/output.txt")"
}

export_slow tree.speedscope.json 'format="speedscope"' "${profile[@]}"
export_slow tree.folded 'format="folded"' "${profile[@]}"
export_slow tree.pprof 'format="pprof"' "${profile[@]}"
export_slow tree.callgrind 'format="callgrind"' "${profile[@]}"
export_slow calls.speedscope.json 'format="speedscope"' "${calls[@]}"
export_slow calls.json 'format="chrome"' "${calls[@]}"
export_slow calls.firefox.json 'format="firefox"' "${calls[@]}"
export_two two.folded 'format="folded2"'
export_two two.pprof 'format="pprof"'
export_two two.callgrind 'format="callgrind"'
export_two two.speedscope.json 'format="speedscope"'

# What programs of C++ are called by: functions that differ in their arguments are one.
is "names of trace events have no arguments, which come with the end of a call" \
	"$(python3 - calls.json <<-'EOF'
		import json, sys
		events = [e for e in json.load(open(sys.argv[1]))["traceEvents"] if e["ph"] != "M"]
		print(sum("(" in e["name"] for e in events), sum("args" in e for e in events if e["ph"] == "B"),
		      all(e["args"]["function"].startswith(e["name"]) for e in events if e["ph"] == "E"))
	EOF
	)" "0 0 True"

# In speedscope.

# opens FILE reads it into FILE.read.
opens() {
	node "$here/speedscope.js" "$speedscope" "$1" >"$1.read" 2>"$1.errors" ||
		diag "$(head -n 5 "$1.errors")"
}

# sums_of FILE names the rows that an exported file must agree with.
sums_of() {
	case $1 in
	calls.*) echo calls.jsonl ;;
	*) echo rows.jsonl ;;
	esac
}

for file in tree.speedscope.json tree.folded tree.pprof calls.speedscope.json calls.json; do
	if [ ! -d "$speedscope" ] || ! command -v node >/dev/null; then
		skip "speedscope reads our numbers in $file" "no node, or no speedscope from npm"
		continue
	fi
	opens "$file"
	is "speedscope reads our numbers in $file" \
		"$(python3 "$here/check.py" speedscope "$(sums_of "$file")" "$file.read")" ""
done
if [ -d "$speedscope" ] && command -v node >/dev/null; then
	opens two.speedscope.json
	is "speedscope reads both workloads" \
		"$(python3 "$here/check.py" two two.jsonl two.speedscope.json.read)" ""
	# Of a call graph it guesses the tree, and drops small parts of it.
	opens tree.callgrind
	is "speedscope reads the whole of a call graph" \
		"$(grep -o '"total":[0-9]*' tree.callgrind.read | head -n 1)" \
		"$(grep -o '"total":[0-9]*' tree.folded.read | head -n 1)"
	like "each thread is a profile of its own, named" \
		"$(cut -d, -f1 calls.speedscope.json.read | tr '\n' ' ')" \
		'^\{"name":"shop \(pid [0-9]+ \{"name":"shop \(pid [0-9]+ $'
	is "all events of a timeline are nested" \
		"$(grep -v 'Tried to end .* when .* was on the top of the stack. Ending' calls.json.errors)" ""
else
	skip "speedscope reads both workloads" "no node, or no speedscope from npm"
	skip "speedscope reads the whole of a call graph" "no node, or no speedscope from npm"
	skip "each thread is a profile of its own, named" "no node, or no speedscope from npm"
	skip "all events of a timeline are nested" "no node, or no speedscope from npm"
fi

# In callgrind_annotate.

# annotated FILE OPTION… prints all functions, own time first, then with what they call.
annotated() {
	callgrind_annotate --show-percs=no --threshold=100 "$1"
	callgrind_annotate --show-percs=no --threshold=100 --inclusive=yes "$1"
}
if command -v callgrind_annotate >/dev/null; then
	is "callgrind_annotate reads our numbers" \
		"$(annotated tree.callgrind | python3 "$here/check.py" callgrind rows.jsonl)" ""
	like "and both workloads" "$(callgrind_annotate --show-percs=no two.callgrind)" \
		'Events recorded:  ns base_ns'
else
	skip "callgrind_annotate reads our numbers" "no callgrind_annotate (package valgrind)"
	skip "and both workloads" "no callgrind_annotate (package valgrind)"
fi

# In pprof, where Go is.
if go tool pprof -help 2>&1 | grep -q unit; then
	is "pprof reads our numbers" \
		"$(go tool pprof -top -nodecount=1000000 -nodefraction=0 -unit=ns tree.pprof 2>/dev/null |
			awk '$1 ~ /^[0-9]+ns$/ { sum += $1 } END { printf "%d\n", sum }')" \
		"$(awk '{ sum += $NF } END { printf "%d\n", sum }' tree.folded)"
	is "it knows the program, by its build, and has each module once" \
		"$(go tool pprof -top tree.pprof 2>/dev/null | grep '^File: ')
$(go tool pprof -raw tree.pprof 2>/dev/null | awk '/^Mappings/ { getline; print $3, $4 }')
$(go tool pprof -raw tree.pprof 2>/dev/null | sed '1,/^Mappings/d' | awk '{ print $3 }' | sort | uniq -d)" \
		"File: shop
shop $(file_build_id symfs/tmp/introperf-demo/shop)
"
	is "and shows the difference from a base" \
		"$(go tool pprof -top -nodecount=1000000 -nodefraction=0 -unit=ns two.pprof 2>/dev/null |
			awk '$NF == "take_price_lock" { print $1 }')" \
		"$(grep '"function":"take_price_lock"' two.jsonl |
			sed 's/.*"own_ns":\([0-9]*\),"base_own_ns":\([0-9]*\).*/\1 \2/' |
			awk '{ print $1 - $2 "ns" }')"
else
	skip "pprof reads our numbers" "no go tool pprof"
	skip "it knows the program, by its build, and has each module once" "no go tool pprof"
	skip "and shows the difference from a base" "no go tool pprof"
fi

# Against the Firefox Profiler's types.
is "a profile for Firefox is what its version says, and has our numbers" \
	"$(python3 "$here/check.py" firefox calls.jsonl calls.firefox.json)" ""

# Text.
is "folded has a line for each context that took time" \
	"$(grep -cvE '^shop(;[^;]+)* [1-9][0-9]*$' tree.folded)" 0
is "folded2 has the base first" \
	"$(awk '{ base += $(NF - 1); suspect += $NF } END { printf "%d %d\n", base, suspect }' two.folded)" \
	"$(graph "${good[@]}" "${profile[@]}" -c sink.introperf.export |
		awk '{ sum += $NF } END { printf "%d ", sum }'
	awk '{ sum += $NF } END { printf "%d\n", sum }' tree.folded)"
is "without a format, there is folded text on standard output" \
	"$(graph "${slow[@]}" "${profile[@]}" -c sink.introperf.export)" "$(cat tree.folded)"
graph "${slow[@]}" "${profile[@]}" -c sink.introperf.export --params='format="pprof"' >piped.pprof
ok "binary goes to a pipe, and is the same each time" cmp tree.pprof piped.pprof

# A picture: what is called lies above its caller and is no wider, and all of a row are as wide as their
# time, to a pixel. Of two, what was added has another colour than what stayed.
export_slow flame.svg 'format="svg"' "${profile[@]}"
export_two two.svg 'format="svg"'
for file in flame.svg two.svg; do
	is "a flame graph is drawn to scale: $file" "$(python3 "$here/check.py" svg rows.jsonl $file 2>&1)" ""
done
ok "and shows a difference by colour" test "$(grep -o 'fill="#[0-9a-f]*"' two.svg | sort -u | wc -l)" -gt \
	"$(grep -o 'fill="#[0-9a-f]*"' flame.svg | sort -u | wc -l)"
like "which says how large it is" "$(cat two.svg)" '<title>pause_ns: 152 ms, 24 %; 152 ms more</title>'

# What is looked at.
is "a view is one here, too" \
	"$(graph "${slow[@]}" "${profile[@]}" -c sink.introperf.export --params='root="^price_of$",max-depth=1' |
		cut -d' ' -f1)" "shop;price_of"

# A window on the clock that `babeltrace2 --clock-seconds` shows: calls are cut to it.
from=$(graph "${slow[@]}" "${infer[@]}" --clock-seconds | sed -n 's/^\[\([0-9]*[.][0-9]*\)\].*/\1/p' | sed -n 5000p)
until=$(graph "${slow[@]}" "${infer[@]}" --clock-seconds | sed -n 's/^\[\([0-9]*[.][0-9]*\)\].*/\1/p' | sed -n 9000p)
export_slow window.json "format=\"chrome\",begin=\"$from\",end=\"$until\"" "${infer[@]}"
is "a window begins and ends where it should" "$(python3 - "$from" "$until" <<'PYTHON'
import json, sys
from decimal import Decimal
begin, end = (int(Decimal(time) * 10**9) for time in sys.argv[1:])
trace = json.load(open("window.json"))
times = [round(event["ts"] * 1000) for event in trace["traceEvents"]]
print(int(trace["otherData"]["begin_ns"]) - begin, max(times) - (end - begin), min(times))
PYTHON
)" "0 0 0"

done_testing

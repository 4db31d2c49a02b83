#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A wrong parameter is one clear error, and nothing is written.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"

enter_shop

# wrong SENTENCE CAUSE COMPONENT-CLASS PARAMETERS
wrong() {
	local class=$3 graph_arguments
	case $class in
	source.*) graph_arguments=(-c "$class" --params="$4" "${profile[@]}" "${rank[@]}") ;;
	filter.introperf.infer)
		graph_arguments=("${good[@]}" -c "$class" --params="$4" -c sink.text.pretty) ;;
	filter.*)
		graph_arguments=("${good[@]}" "${infer[@]}" -c "$class" --params="$4"
			-c sink.text.pretty) ;;
	*) graph_arguments=("${good[@]}" "${profile[@]}" -c "$class" --params="$4") ;;
	esac
	fails_with "$1" "$class: $2" "${graph_arguments[@]}"
}

wrong "an unknown name" 'unknown parameter "foo"; known are inputs, symfs, kallsyms, kernel, demangle, fill, inline, debuginfod, processes, clock, live' \
	source.introperf.perf 'inputs="good.data",foo=1'
wrong "an unknown name" 'unknown parameter "foo"; known are continuity, group-by, period, exclude-pid, symfs, kallsyms, maps, fill, inline, calls, stretches, pass-through' \
	filter.introperf.infer 'foo=1'
wrong "an unknown name" 'unknown parameter "foo"; known are estimate, latencies, period' \
	filter.introperf.normalize 'foo=1'
wrong "an unknown name" 'unknown parameter "foo"; known are symptom, scope' \
	filter.introperf.wait 'foo=1'
wrong "an unknown name" \
	'unknown parameter "foo"; known are base, output, top, min-cost, patterns, focus, ignore, order, similarity, linkage, cut, format, signatures, stacks, save-signatures' \
	sink.introperf.mine 'foo=1'
wrong "an unknown name" 'unknown parameter "foo"; known are cut, each, in, latencies' filter.introperf.unit 'foo=1'
wrong "a cut that is none" 'parameter "cut": "2" is not between 0 and 1' filter.introperf.unit 'cut=2'
wrong "units that are none" 'parameter "in": "call:serve" is not one of unit, unit:TYPE' \
	filter.introperf.unit 'in="call:serve"'
wrong "units that are told each and summed" \
	'parameter "each": what lies in units is summed by parameter "in"; leave out one of them' \
	filter.introperf.unit 'in="unit",each=yes'
wrong "a symptom that is none" \
	'parameter "symptom": "slow" is none; such are "call:F>100ms", "call:F" (the slowest hundredth), "process>2s", "process:F" (until its first call of F), "unit>5ms", "unit:TYPE"' \
	filter.introperf.wait 'symptom="slow"'
wrong "a scope that is none" 'parameter "scope": "all" is not one of path, graph' \
	filter.introperf.wait 'scope="all"'
wrong "a cut that is none" 'parameter "cut": "2" is not between 0 and 1' \
	sink.introperf.mine 'cut=2'
wrong "a cut that is no number" 'parameter "cut": expected a number, got a string' \
	sink.introperf.mine 'cut="much"'
wrong "a cost that is none" \
	'parameter "min-cost": "much" is not a time or a share, such as 30s or 1%' \
	sink.introperf.mine 'min-cost="much"'
wrong "an input without interests" \
	'no introperf:search events arrived; put filter.introperf.wait before this sink' \
	sink.introperf.mine 'top=1'
wrong "an unknown name" \
	'unknown parameter "foo"; known are format, color, path, metric, method, by, fold, percent-limit, explain, verbose, quiet, separator, fail-above, base, output, top, per, in, idle, min-count, spread, own-modules, runtime-modules, names, names-file, process, focus, ignore, hide, root, fold-recursion, max-depth, pair' \
	sink.introperf.rank 'foo=1'
wrong "of two unknown names the first in the alphabet" \
	'unknown parameter "bar"; known are estimate, latencies, period' filter.introperf.normalize 'foo=1,bar=2'

wrong "a metric that is none" \
	'parameter "metric": "ownn" is not one of own, total, count, each' \
	sink.introperf.rank 'metric="ownn"'
wrong "a format that is none" 'parameter "format": "xml" is not one of text, csv, jsonl, tree, json, markdown' \
	sink.introperf.rank 'format="xml"'
wrong "a method that is none" 'parameter "method": "mean" is not one of totals, paper' \
	sink.introperf.rank 'method="mean"'
wrong "a continuity that is none" \
	'parameter "continuity": "frame" is not one of function, call-site, control-flow' \
	filter.introperf.infer 'continuity="frame"'
wrong "a way to demangle that is none" \
	'parameter "demangle": "short" is not one of full, none' \
	source.introperf.perf 'inputs="good.data",demangle="short"'
wrong "a grouping that is none" \
	'parameter "group-by": "user" is not one of process, pid, tid, all, container' \
	filter.introperf.infer 'group-by="user"'
wrong "a number of a process that is none" \
	'parameter "exclude-pid": "perf" is no number of a process' \
	filter.introperf.infer 'exclude-pid="perf"'
wrong "an estimate that is none" \
	'parameter "estimate": "median" is not one of conservative, aggressive, best' \
	filter.introperf.normalize 'estimate="median"'

wrong "a string for an integer" 'parameter "top": expected an integer, got a string' \
	sink.introperf.rank 'top="x"'
wrong "a real number for an integer" \
	'parameter "top": expected an integer, got a real number' sink.introperf.rank 'top=1.5'
wrong "a negative integer" 'parameter "top": -1 is negative' sink.introperf.rank 'top=-1'
wrong "an integer for a choice" 'parameter "metric": expected a string, got an integer' \
	sink.introperf.rank 'metric=12'
wrong "an integer for a string" 'parameter "output": expected a string, got an integer' \
	sink.introperf.rank 'output=+3'
wrong "a map for a list of names" \
	'parameter "base": expected a string or an array of strings, got a map' \
	sink.introperf.rank 'base={a=1}'
wrong "an integer in a list of names" \
	'parameter "base": expected a string or an array of strings, got an integer' \
	sink.introperf.rank 'base=["good.data",7]'
wrong "an empty list" 'parameter "base": is empty' sink.introperf.rank 'base=[]'
wrong "a symfs that is no directory" 'parameter "symfs": nowhere: no such directory' \
	source.introperf.perf 'inputs="good.data",symfs="nowhere"'
wrong "kallsyms that cannot be read" \
	'parameter "kallsyms": nowhere: No such file or directory' \
	source.introperf.perf 'inputs="good.data",kallsyms="nowhere"'
wrong "a kernel that cannot be read" \
	'parameter "kernel": nowhere: No such file or directory' \
	source.introperf.perf 'inputs="good.data",kernel="nowhere"'
wrong "an empty string" 'parameter "symfs": is empty' \
	source.introperf.perf 'inputs="good.data",symfs=""'
wrong "no inputs" 'parameter "inputs" is missing: the perf.data file to read' \
	source.introperf.perf 'symfs="symfs"'

paths=$(graph "${good[@]}" "${profile[@]}" "${rank[@]}" --params='format="jsonl",top=1' 2>/dev/null |
	sed -n 's/.*"entries_found":\([0-9]*\).*/\1/p')
wrong "a path that is not there" \
	"parameter \"path\": there is no path $((paths + 1)); the ranking has $paths" \
	sink.introperf.rank "path=$((paths + 1)),top=1"
graph "${good[@]}" "${profile[@]}" "${rank[@]}" --params="path=$paths,top=1" >path.txt 2>/dev/null
like "the last path is there, whatever top says" "$(cat path.txt)" "
Path $paths of $paths: "
wrong "a path where functions are ranked" \
	'parameter "path": only paths have calls to show; leave out parameter "by"' \
	sink.introperf.rank 'path=1,by="function"'

for number in 2 +2; do
	graph "${slow[@]}" "${profile[@]}" "${rank[@]}" --params="format=\"csv\",top=$number" \
		>"two$number.csv" 2>/dev/null
	is "top=$number shows two paths" \
		"$(tail -n +2 "two$number.csv" | cut -d, -f10 | grep . | sort -u | tr '\n' ' ')" "1 2 "
done
same "a signed and an unsigned integer are the same" two2.csv two+2.csv

fails "${good[@]}" "${profile[@]}" "${rank[@]}" --params='output="missing/result.txt"'
like "a place that cannot be written to is an error" "$causes" \
	'^sink.introperf.rank: missing/result.txt: cannot write: No such file or directory$'

printf 'old\n' >result.txt
fails "${good[@]}" "${profile[@]}" "${rank[@]}" --params='output="result.txt",base="nobody"'
is "a failed run leaves the old output file alone" "$(cat result.txt)" "old"
is "and no temporary file beside it" "$(ls result.txt*)" "result.txt"
graph "${good[@]}" "${profile[@]}" "${rank[@]}" >expected.txt 2>/dev/null
graph "${good[@]}" "${profile[@]}" "${rank[@]}" --params='output="result.txt"' 2>/dev/null
same "output gets what standard output would" result.txt expected.txt
ln -s result.txt link.txt
graph "${good[@]}" "${profile[@]}" "${rank[@]}" --params='output="link.txt",top=1' 2>/dev/null
ok "a link stays a link" test -L link.txt
not_ok "and what it leads to is replaced" cmp -s result.txt expected.txt

fails "${good[@]}" "${profile[@]}" "${rank[@]}" --params='output="/dev/full"'
is "a full disk is an error" "$causes" \
	"sink.introperf.rank: /dev/full: cannot write: No space left on device"

done_testing

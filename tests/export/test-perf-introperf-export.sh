#!/bin/bash
# SPDX-License-Identifier: MIT
#
# perf introperf export: the same bytes as sink.introperf.export in a graph of babeltrace2.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/perf-introperf.sh
. "$(dirname "$0")/../cli/perf-introperf.sh"

enter_shop
files=(--symfs symfs --kallsyms kallsyms)

# same_as_graph FORMAT OPTION… compares the slow recording, exported by both; $filters are the graph's.
same_as_graph() {
	local format=$1
	shift
	introperf export "${files[@]}" --format "$format" "$@" -o program.out slow.data >errors.txt 2>&1 ||
		diag "$(cat errors.txt)"
	graph "${slow[@]}" "${filters[@]}" \
		-c sink.introperf.export --params="format=\"$format\",output=\"graph.out\"" >errors.txt 2>&1 ||
		diag "$(cat errors.txt)"
	ok "$format $* is that of babeltrace2" cmp program.out graph.out
	rm -f program.out graph.out
}

filters=("${profile[@]}")
for format in folded speedscope pprof callgrind; do
	same_as_graph "$format"
done
filters=("${infer[@]}")
for format in chrome firefox; do
	same_as_graph "$format"
done
same_as_graph speedscope --timeline

introperf export "${files[@]}" --format folded2 --base good.data slow.data >program.out 2>&1
graph "${good[@]}" "${slow[@]}" "${profile[@]}" -c sink.introperf.export \
	--params='format="folded2",base="good.data"' >graph.out
same "so are two recordings" program.out graph.out
introperf report "${files[@]}" --save slow.profile slow.data >errors.txt 2>&1
introperf export slow.profile >program.out 2>&1
graph "${slow[@]}" "${profile[@]}" -c sink.introperf.export >graph.out
same "so is a saved profile, in the first format" program.out graph.out
introperf export "${files[@]}" --root '^price_of$' --no-fold-recursion slow.data >program.out 2>&1
graph "${slow[@]}" "${profile[@]}" -c sink.introperf.export \
	--params='root="^price_of$",fold-recursion=no' >graph.out
same "so is a view" program.out graph.out

cp slow.data perf.data
is "without a file, it is perf.data" "$(introperf export "${files[@]}" | cksum)" \
	"$(introperf export "${files[@]}" slow.data | cksum)"

# wrong SENTENCE MESSAGE ARGUMENT…
wrong() {
	local sentence=$1 message=$2
	shift 2
	introperf export "$@" >output.txt 2>errors.txt
	is "$sentence" "$? $(cat errors.txt) $(wc -c <output.txt)" "1 introperf: $message 0"
}
wrong "a format that is none" \
	'--format: "x" is not one of folded, folded2, speedscope, pprof, firefox, chrome, callgrind, svg' \
	--format x slow.data
wrong "a timeline of a format that has none" '--timeline: "pprof" does not show single calls' \
	--format pprof --timeline slow.data
wrong "a file that is not there" 'nowhere.data: No such file or directory' nowhere.data
wrong "an option of another subcommand" "Unknown option --top: \`perf introperf export --help\` lists all" --top 3 slow.data
wrong "a full device" '/dev/full: cannot write: No space left on device' \
	"${files[@]}" -o /dev/full slow.data

# What the components say of their graph is said of options.
introperf report "${files[@]}" --save good.profile good.data >/dev/null 2>&1
complains "calls of a saved profile" 1 '--format: "chrome" shows single calls, and there are none in a saved profile; name the recording that it was made of' \
	export --format chrome good.profile
complains "a window for a profile" 1 '--begin: it is for single calls, which --timeline shows of a recording; a profile has no time' \
	export "${files[@]}" --format speedscope --begin 1 good.data
complains "a view for calls" 1 '--hide: it is for profiles, and --timeline shows single calls; leave out one of them' \
	export "${files[@]}" --format speedscope --timeline --hide x good.data
complains "a view for a format of calls" 1 '--hide: --format firefox shows single calls; it is for profiles' \
	export "${files[@]}" --format firefox --hide x good.data
complains "a window for a format without time" 1 '--begin: --format folded shows no time; chrome, firefox and speedscope do' \
	export "${files[@]}" --begin 1 good.data
complains "two values without a base" 1 '--base: --format folded2 compares; name the input that behaves' \
	export "${files[@]}" --format folded2 good.data
complains "a base for one value" 1 '--base: --format folded has no place for it; "folded2" has' \
	export "${files[@]}" --base good.data slow.data
complains "a window without inside" 1 '--end: "1" is not after --begin, "2"' \
	export "${files[@]}" --format chrome --begin 2 --end 1 good.data
: >empty
introperf export --symfs symfs --kallsyms empty -o out good.data 2>errors.txt
is "and so are warnings" "$(cat errors.txt)" \
	"introperf: good.data: warning: empty: no symbols of the recorded kernel; kernel functions are shown by address (give a copy of its /proc/kallsyms, made as root, by --kallsyms)"

done_testing

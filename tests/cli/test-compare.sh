#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Two recordings in one command: two workloads, of which `base` names one.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"

enter_shop

# compare BASE OUTPUT prints nothing; with the recordings in the usual order.
compare() {
	graph "${good[@]}" "${slow[@]}" "${profile[@]}" "${rank[@]}" \
		--params="base=$1,format=\"jsonl\"" >"$2" 2>errors.txt || cat errors.txt >>"$2"
}

compare '"good.data"' by-name.jsonl
like "the header names base and suspect" "$(head -1 by-name.jsonl)" \
	'"base": ?"good.data".*"suspect": ?"slow.data"'
like "the guilty function is in the first path" \
	"$(grep '"rank": *1,' by-name.jsonl | head -1)" '"function": ?"take_price_lock"'
like "the input was complete" "$(tail -1 by-name.jsonl)" '"complete": ?true'

compare "\"$PWD/good.data\"" by-path.jsonl
same "base may be an absolute path" by-path.jsonl by-name.jsonl
compare '"./good.data"' by-path.jsonl
same "or another way to the file" by-path.jsonl by-name.jsonl
compare '["good.data"]' by-list.jsonl
same "or an array" by-list.jsonl by-name.jsonl

graph "${slow[@]}" "${good[@]}" "${profile[@]}" "${rank[@]}" \
	--params='base="good.data",format="jsonl"' >turned.jsonl 2>/dev/null
same "the order of the inputs changes nothing" turned.jsonl by-name.jsonl

graph -c source.introperf.perf --params="inputs=[\"good.data\",\"slow.data\"],$symbols" \
	"${profile[@]}" "${rank[@]}" --params='base="good.data",format="jsonl"' >one.jsonl 2>/dev/null
same "one source with two inputs is the same" one.jsonl by-name.jsonl

mkdir old
cp good.data old/slow.data
graph old/slow.data --params="$symbols" "${slow[@]}" "${profile[@]}" "${rank[@]}" \
	--params='base="old/slow.data",format="csv"' >old.csv 2>/dev/null
graph "${good[@]}" "${slow[@]}" "${profile[@]}" "${rank[@]}" \
	--params='base="good.data",format="csv"' >new.csv 2>/dev/null
is "of two files with one name, a path chooses" "$(cut -d, -f4- old.csv)" "$(cut -d, -f4- new.csv)"

cp good.data again.data
graph "${good[@]}" again.data --params="$symbols" "${slow[@]}" "${profile[@]}" "${rank[@]}" \
	--params='base=["good.data","again.data"],format="jsonl"' >merged.jsonl 2>errors.txt
like "several bases are merged" "$(head -1 merged.jsonl)" '"again.data and 1 more"'

inputs='"good.data", "slow.data"'
fails_with "an unknown base" \
	"sink.introperf.rank: parameter \"base\": \"best.data\" names none of the inputs: $inputs" \
	"${good[@]}" "${slow[@]}" "${profile[@]}" "${rank[@]}" --params='base="best.data"'
fails_with "a base that is everything" \
	"sink.introperf.rank: parameter \"base\": names all inputs, so nothing is left to compare \
with it: $inputs" \
	"${good[@]}" "${slow[@]}" "${profile[@]}" "${rank[@]}" \
	--params='base=["good.data","slow.data"]'
fails_with "two inputs and no base" \
	"sink.introperf.rank: several inputs, of which parameter \"base\" must name those that \
behave: $inputs" \
	"${good[@]}" "${slow[@]}" "${profile[@]}" "${rank[@]}"

done_testing

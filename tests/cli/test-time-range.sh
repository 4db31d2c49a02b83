#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A part of a recording, chosen with babeltrace2's --begin and --end: the same events as in the
# whole, functions that were introduced before it included, and a result that says what it is.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"

enter_shop

# stacks ARGUMENT…: the stack events of the slow recording, a line each that begins with its time.
stacks() {
	graph "${slow[@]}" --clock-seconds --no-delta "$@" 2>/dev/null | grep introperf:stack
}

# events ARGUMENT…: how many events the result for the slow recording is made of.
events() {
	graph "${slow[@]}" "${profile[@]}" "${rank[@]}" --params='format="jsonl"' "$@" 2>/dev/null |
		sed -n 's/^{"type":"summary".*"suspect":.*"events":\([0-9]*\),.*/\1/p'
}

# within CONDITION: the events whose time fulfils it. Times have more digits than a floating point
# number, but equally many, so they are compared as text.
within() {
	awk -v from="[$from]" -v to="[$to]" '{ time = $1 "" } '"$1" whole.txt
}

stacks >whole.txt
# Two thirds of the events lie behind the first of these, one third behind the second.
lines=$(wc -l <whole.txt)
from=$(sed -n "$((lines / 3))s/^\[\([0-9.]*\)\].*/\1/p" whole.txt)
to=$(sed -n "$((lines * 2 / 3))s/^\[\([0-9.]*\)\].*/\1/p" whole.txt)

ok "there are times to choose" test -n "$from" -a -n "$to" -a "$lines" -gt 1000
within 'time >= from' >wanted.txt
stacks --begin="$from" >part.txt
same "--begin leaves the later events" part.txt wanted.txt
within 'time <= to' >wanted.txt
stacks --end="$to" >part.txt
same "--end leaves the earlier events" part.txt wanted.txt
within 'time >= from && time <= to' >wanted.txt
stacks --begin="$from" --end="$to" >part.txt
same "both leave those between" part.txt wanted.txt

is "a result is made of what is left by --begin" "$(events --begin="$from")" \
	"$(within 'time >= from' | wc -l)"
is "and by both" "$(events --begin="$from" --end="$to")" \
	"$(within 'time >= from && time <= to' | wc -l)"

graph "${slow[@]}" "${profile[@]}" "${rank[@]}" >whole.out 2>/dev/null
graph "${slow[@]}" "${profile[@]}" "${rank[@]}" --begin="$from" >part.out 2>errors.txt
culprit=$(sed -n 's/.* \([a-z_]*\) ◀ culprit.*/\1/p' whole.out | head -n 1)
ok "the whole has a culprit" test -n "$culprit"
like "functions from before the part have their names" "$(cat part.out)" "${culprit:-none}"
like "the result says that it is a part" "$(cat part.out)" 'only a part\s+chosen by time'
like "so does its end" "$(tail -n 2 part.out)" 'Input: a part chosen by time'
unlike "the whole does not" "$(cat whole.out)" 'part'
graph "${slow[@]}" "${profile[@]}" "${rank[@]}" --begin=1 >part.out 2>errors.txt
same "a part that begins before the recording is the whole" part.out whole.out

for range in --begin=2000000000 "--begin=1 --end=2"; do
	# shellcheck disable=SC2086 # words
	fails_with "a part without events is told as that: $range" \
		"filter.introperf.infer: there are no events: if --begin and --end choose a part of the input, it is empty, or lies elsewhere" \
		$range "${slow[@]}" "${profile[@]}" "${rank[@]}"
done

done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Traces that introperf did not write: read when their layout fits, refused when it does not.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"

cd "$tmp" || exit 99
export BABELTRACE_PLUGIN_PATH=$ITP_SOURCE_DIR/tests/cli
export PYTHONDONTWRITEBYTECODE=1
graph list-plugins 2>/dev/null | grep -q '^foreign:' ||
	skip_all "Babeltrace finds no Python plugins (python3-bt2)"

# spoiled HOW sets $source to a source whose trace is spoiled in that way. There is no muxer
# behind it, which would refuse some of them before we do.
spoiled() {
	chain=(run --component="s:source.foreign.trace" --params="spoil=\"$1\""
		--component="i:filter.introperf.infer" --component="n:filter.introperf.normalize"
		--component="r:sink.introperf.rank" --params='format="jsonl"'
		--connect=s:i --connect=i:n --connect=n:r)
}

spoiled nothing
graph "${chain[@]}" >result.txt 2>errors.txt
like "members in another order, wider and more of them are read" "$(cat result.txt)" \
	'"function": ?"main"'

# refused HOW CAUSE
refused() {
	spoiled "$1"
	fails_with "$1" "filter.introperf.infer: $2" "${chain[@]}"
}

refused event-name "$no_stacks"
refused no-payload 'foreign: event class "introperf:stack" has no payload'
refused missing-field 'foreign: event class "introperf:stack" lacks the field "tid"'
refused field-type 'foreign: event class "introperf:stack" has another type of field "tid"'
refused array-type 'foreign: event class "introperf:stack" has another type of field "addresses"'
refused unknown-kind 'foreign: event "introperf:stack": the value of field "kind" is not valid'
refused wide-pid 'foreign: event "introperf:stack": the value of field "pid" is not valid'
refused unequal-arrays \
	'foreign: event "introperf:stack": the value of field "functions" is not valid'
refused deep-stack \
	'foreign: event "introperf:stack": the value of field "addresses" is not valid'
refused filled 'foreign: event "introperf:stack": the value of field "filled" is not valid'
refused unknown-function \
	'foreign: function 8 is used but was not introduced; is the beginning of the trace missing?'
refused time-backwards \
	"foreign: at 900 ns: an event is older than its predecessor"
refused no-clock "foreign: its events carry no time"

spoiled node-only
fails_with "a node of another layout, passed on by the filters" \
	'sink.introperf.rank: event class "introperf:node" lacks the field "id"' "${chain[@]}"

done_testing

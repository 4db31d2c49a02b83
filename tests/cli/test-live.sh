#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Traces that come into being while they are read: interrupts, waiting, silence, streams that come
# and go, a profile for each period.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"

cd "$tmp" || exit 99
export BABELTRACE_PLUGIN_PATH=$ITP_SOURCE_DIR/tests/cli
export PYTHONDONTWRITEBYTECODE=1
graph list-plugins 2>/dev/null | grep -q '^live:' ||
	skip_all "Babeltrace finds no Python plugins (python3-bt2)"

# live STEPS [INFER-PARAMS [NORMALIZE-PARAMS [RANK-PARAMS]]] runs the chain over what the steps make,
# separated by commas: sets $status; the result is in result.txt.
live() {
	graph run --component=s:source.live.trace --params="steps=[\"${1//, /\",\"}\"]" \
		--component=i:filter.introperf.infer --params="${2:-group-by=\"process\"}" \
		--component=n:filter.introperf.normalize --params="${3:-estimate=\"best\"}" \
		--component=r:sink.introperf.rank --params="${4:-format=\"jsonl\",top=0}" \
		--connect=s:i --connect=i:n --connect=n:r >result.txt 2>errors.txt
	status=$?
}

# costs prints what each path of the result costs: "FUNCTION>FUNCTION COST".
costs() {
	sed -n 's/.*"type":"path".*"cost_ns":\([0-9-]*\).*/\1/p' result.txt
}

work="begin, enter 1000 main, enter 2000 handle, leave 5000, enter 6000 wait"

live "$work, interrupt, enter 7000 late, leave 9000, leave 9500, leave 9900, end"
is "an interrupted graph ends like one of babeltrace2" "$status" 2
like "what was read until then is ranked" "$(cat result.txt)" '"function":"handle".*"own_ns":3000'
unlike "what came later is not" "$(cat result.txt)" late
like "the result says so" "$(cat result.txt)" \
	'"complete":false,.*"ended_by_error":false,"interrupted":true'
is "nothing is an error" "$(cat errors.txt)" ""

live "$work, wait, wait, interrupt, wait" "" "" 'format="text"'
is "the same while it waits for more" "$status" 2
like "the text says so, too" "$(cat result.txt)" \
	'^INTERRUPTED: these are the results .*incomplete: not read'

live "begin, interrupt, end"
is "an interrupt before there was anything" "$status $(cat result.txt errors.txt)" "2 "

live "$work, wait, wait, leave 8000, leave 9000, end"
is "who waits gets all in the end" "$status" 0
like "and is told so" "$(cat result.txt)" '"complete":true,.*"interrupted":false'

done_testing

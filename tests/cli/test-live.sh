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

# rankings prints for each ranking of the result what it is of, and of each function its calls and
# its own latency.
rankings() {
	python3 - result.txt <<-'END'
		import json, sys

		for line in open(sys.argv[1], encoding="utf-8"):
		    row = json.loads(line)
		    if row["type"] == "header" and "period" in row:
		        print(row["period"], row["period_begin_ns"], row["period_end_ns"])
		    elif row["type"] == "header":
		        print("all", row.get("periods"))
		    elif row["type"] == "function":
		        print("  " + row["function"], row["count"], row["own_ns"])
	END
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

# A call counts in the period in which it ends, its time in those in which it passes.
life="begin, enter 1000 main, enter 2000 handle, leave 5000, enter 12000 wait, idle 25000, wait, \
idle 35000, leave 36000, enter 37000 handle, leave 39000, leave 39500, end"
functions='format="jsonl",by="function",top=0'
live "$life" 'period="10us"' "" "$functions"
is "a ranking for each period, and one of all" "$(rankings)" "1 0 9000
  main 0 6000
  handle 1 3000
2 9000 19000
  wait 0 8000
  main 0 2000
3 19000 29000
  wait 0 10000
  main 0 0
4 29000 38500
  wait 1 6000
  handle 1 2000
  main 1 1500
all 4
  wait 1 24000
  main 1 9500
  handle 2 5000"
live "$life" "" "" "$functions"
is "which is that without periods" "$(rankings)" "all None
  wait 1 24000
  main 1 9500
  handle 2 5000"

# Without the word of filter.introperf.infer, only what has ended is known.
live "$life" "" 'period="10us"' "$functions"
is "periods of normalize alone" "$(rankings)" "1 0 15000
  handle 1 3000
  main 0 0
3 25000 34500
  wait 1 24000
  main 1 9500
  handle 1 2000
all 3
  wait 1 24000
  main 1 9500
  handle 2 5000"
live "$life" 'period="3 events"' "" "$functions"
is "periods by number of events" "$(rankings | grep -v "^ ")" "1 0 4000
2 4000 36000
3 36000 38500
all 3"
live "$life" 'period="10us"' "" 'format="text"'
is "the text is one block behind the other" "$(grep -cE '^(Period [1-4], from|All 4 periods)' result.txt)" 5
live "$life" 'period="10us"' "" 'format="csv"'
is "lines of CSV are those of the whole" "$(grep -c '^schema' result.txt)" 1
live "$life" 'period="10us"' "" 'format="jsonl",output="last.jsonl"'
is "a file holds the last one" "$(grep -c '"type":"header"' last.jsonl) $(cat result.txt)" "1 "

# What is lost is lost in its period only.
live "begin, enter 1000 main, enter 2000 handle, leave 5000, lose 12000, enter 13000 handle, \
leave 15000, enter 21000 handle, leave 22000, idle 31000, interrupt, wait" 'period="10us"' "" \
	'format="text"'
is "each period says what is missing from it" \
	"$(grep -oE '^INTERRUPTED|^live|(in)?complete(: .*)?$' result.txt | paste -sd " ")" \
	"live incomplete: 7 events lost live complete live complete INTERRUPTED \
live incomplete: 7 events lost"

live "begin, enter 1000 main, lose 5000, enter 6000 main, leave 8000, enter 21000 main, leave 22000, \
end" 'period="10us"' "" 'format="text"'
is "also the last one, which nothing ends but the trace" \
	"$(grep -oE '^live|(in)?complete(: .*)?$' result.txt | paste -sd " ")" \
	"live incomplete: 7 events lost live complete live incomplete: 7 events lost"

live "begin, idle 12000, wait, idle 23000, wait, enter 31000 main, leave 34000, enter 38000 main, end" \
	'period="10us"' "" "$functions"
is "what comes before the first event has a length, too" "$(rankings)" "3 18000 26000
  main 2 3000
all 3
  main 2 3000"

# There may be no unit of work in a period.
live "$life" 'period="10us"' "" "$functions,per=\"call:handle\""
is "a period without a unit of work has no ranking" "$status $(rankings | grep -v '^ ' | paste -sd " ")" \
	"0 1 0 9000 4 29000 38500 all 4"

# What reads may be left out.
live "begin, enter 1000 main, as 2, enter 2000 reader, as 1, enter 3000 handle, as 2, leave 5000, \
as 1, leave 6000, leave 8000, end" 'exclude-pid=["2","3"]' "" "$functions"
is "a process that is left out is in no ranking" "$(rankings)" "all None
  main 1 4000
  handle 1 3000"

done_testing

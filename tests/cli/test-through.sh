#!/bin/bash
# SPDX-License-Identifier: MIT
#
# perf introperf units --through: requests of a client through a server to another one, which are known.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_recording
${CC:-cc} -O1 -g -fno-omit-frame-pointer -o chain "$ITP_SOURCE_DIR/tests/cli/through-chain.c" || exit 99

# followed LOG JSONL compares requests with those that the client knows: their order, and that each lies
# within the client's times, and its hops within one another. A server that has answered, and has lost its
# CPU, comes to its next wait after whoever asked has gone on: by as much as it waited for a CPU at most.
followed() {
	python3 - "$@" <<'PYTHON'
import json, sys
log = [tuple(map(int, line.split())) for line in open(sys.argv[1])]
rows = [json.loads(line) for line in open(sys.argv[2])]
requests = [row for row in rows if row["type"] == "through"]
wrong = abs(len(log) - len(requests))
for (_, begin, end), row in zip(log, requests):
    hops = row["hops"]
    own = [hop["clock_ns"] for hop in hops]
    wrong += not (row["complete"] and begin <= row["clock_ns"] and row["clock_ns"] + row["taken_ns"] <= end
                  and [hop["process"] for hop in hops] == ["client", "pages", "rows"]
                  and [hop["parent"] for hop in hops] == [None, 0, 1] and own == sorted(own)
                  and all(hop["taken_ns"] == hop["waits_ns"] + hop["own_ns"] for hop in hops)
                  and hops[1]["end_ns"] >= hops[2]["end_ns"] - hops[2]["own_runnable_ns"]
                  and hops[2]["own_ns"] >= 2000000)
route, summary = (next(row for row in rows if row["type"] == kind) for kind in ("through_route", "summary"))
print(len(log), "asked,", wrong, "wrong,", summary["followed"], "of", summary["requests"], "followed:",
      route["route"], route["count"], *(route["hops"][route["slowest"]][of] for of in ("function", "callers")))
PYTHON
}

for kind in sockets pipes; do
	introperf record --overhead none -o "$kind.data" -- ./chain "$kind" >"$kind.log" 2>record.log ||
		skip_all "perf may not record here"
	introperf units --through --format jsonl "$kind.data" >"$kind.jsonl" 2>errors.txt
	is "requests over $kind are followed" "$? $(cat errors.txt)" "0 "
	# Whether the compiler has put a caller into main is its own matter.
	is "each of them, through all three processes" \
		"$(followed "$kind.log" "$kind.jsonl" | sed "s/'[a-z_]* (inlined)', //")" \
		"50 asked, 0 wrong, 50 of 50 followed: client → pages → rows 50 fetch_row ['serve_rows', 'main']"
done

introperf units --through --top 1 sockets.data >through.txt 2>errors.txt
text=$(tr -s '\n ' ' ' <through.txt)
like "the text counts them" "$text" 'sockets\.data: 50 requests, 50 followed'
like "and tells where they were" "$text" 'rows ×1 [^×]* fetch_row ◀ slowest'
# On a busy machine, the slowest is one for which any of them waited for a CPU.
like "with its callers" "$text" 'most of it in (rows|pages|client): main › '
like "and the slowest" "$text" 'The slowest: client .* waiting for pages → pages .* waiting for rows → rows '

# The ranking by units says where the time of requests went.
introperf report --per unit sockets.data >per-unit.txt 2>errors.txt
like "a ranking by units tells where the time of requests went" "$(tr -s '\n ' ' ' <per-unit.txt)" \
	'50 requests through client → pages → rows, half of them in [^:]* or less: .*[0-9] % in rows \(fetch_row\)'
introperf report sockets.data >report.txt 2>errors.txt
is "another one does not" "$(grep -c 'requests through' report.txt)" 0
introperf diff --per unit --format jsonl sockets.data pipes.data >diff.jsonl 2>errors.txt
is "JSON lines have the routes of both workloads" "$(python3 - diff.jsonl <<'PYTHON'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
print(*((row["workload"], row["route"], row["count"]) for row in rows if row["type"] == "through_route"), rows[-1]["type"])
PYTHON
)" "('base', 'client → pages → rows', 50) ('suspect', 'client → pages → rows', 50) summary"

# Nothing to follow.
introperf record --light -o light.data -- ./chain >light.log 2>record.log
complains "a recording without system calls has none" 1 \
	"light.data: no request was seen to be taken and answered: it has no system calls with their arguments" \
	units --through light.data
complains "guards are about units" 1 "--through follows requests: --guards is about units" \
	units --through --guards some.guards sockets.data

python3 - sockets.jsonl <<'PYTHON' >pids.txt
import json, sys
row = next(row for row in map(json.loads, open(sys.argv[1])) if row["type"] == "through")
print(len({hop["pid"] for hop in row["hops"]}), len({hop["tid"] for hop in row["hops"]}))
PYTHON
is "hops name their processes and threads" "$(cat pids.txt)" "3 3"

done_testing

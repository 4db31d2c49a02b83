#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What sink.introperf.rank makes of a comparison: units of work, several runs, limits for scripts,
# and comparisons that make little sense.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"

enter_shop

for run in good slow; do
	declare -n recording=$run
	graph "${recording[@]}" "${profile[@]}" -c sink.ctf.fs --params="path=\"$run.profile\"" \
		>/dev/null 2>&1
done
both=(good.profile slow.profile "${rank[@]}")

# compare PARAMETERS prints good against slow as JSON lines.
compare() {
	graph "${both[@]}" --params="base=\"good.profile\",format=\"jsonl\"${1:+,$1}" 2>errors.txt ||
		cat errors.txt
}

# value FILE KEY prints the first number of that key.
value() {
	grep -o "\"$2\":-*[0-9.e+]*" "$1" | head -1 | cut -d: -f2
}

compare "" >plain.jsonl
like "the culprit of the first entry is the guilty function" \
	"$(sed -n 2p plain.jsonl | python3 -c 'import json,sys
path = json.loads(sys.stdin.read())
print(path["frames"][path["culprit"]]["function"], path["kind"], path["noise"])')" \
	'^pause_ns program False$'
is "which is in one entry" "$(python3 -c 'import json, sys
rows = [json.loads(line) for line in sys.stdin]
print(sum(row["frames"][row["culprit"]]["function"] == "pause_ns"
	for row in rows if row["type"] == "path" and row["culprit"] is not None))' <plain.jsonl)" 1

# ---- Units of work ----

like "a run is the unit" "$(head -1 plain.jsonl)" '"per":"run","suspect_units":1.0,"base_units":1.0'
compare 'per="call:syscall:pread64"' >calls.jsonl
is "the base is scaled to as many calls" \
	"$(python3 - plain.jsonl calls.jsonl <<'PYTHON'
import json, sys
plain, calls = ([json.loads(line) for line in open(name)] for name in sys.argv[1:])
factor = calls[0]["suspect_units"] / calls[0]["base_units"]
print(abs(calls[0]["base_own_ns"] - plain[0]["base_own_ns"] * factor) < 1000 + 1e-3 * plain[0]["base_own_ns"],
      calls[0]["suspect_own_ns"] == plain[0]["suspect_own_ns"])
PYTHON
)" "True True"
like "seconds are a unit" "$(compare 'per="second"' | head -1)" '"per":"second","suspect_units":0\.[0-9]'
like "a system call is a unit" "$(compare 'per="event:pread64"' | head -1)" \
	'"per":"event:pread64","suspect_units":[0-9]{2}'
fails_with "a unit that is none" \
	'sink.introperf.rank: parameter "per": "day" is not one of run, second, event:SYSTEM-CALL, call:FUNCTION, unit, unit:TYPE' \
	"${both[@]}" --params='base="good.profile",per="day"'
fails_with "a unit of which nobody knows the number" \
	'sink.introperf.rank: parameter "per": how often "slow.data" called serve_request is not known, as calls may have come between two stacks; record with perf introperf record --count serve_request' \
	"${both[@]}" --params='base="good.profile",per="call:serve_request"'
fails_with "a unit of which there is nothing" \
	'sink.introperf.rank: parameter "per": "slow.data" has nothing of nobody to divide its times by; there are event:symlink, event:clock_nanosleep, event:getpid, event:kill, event:readlink, event:write, event:pread64, event:mmap' \
	"${both[@]}" --params='base="good.profile",per="call:nobody"'

# ---- Several runs ----

cp good.data again.data
graph "${good[@]}" again.data --params="$symbols" "${slow[@]}" "${profile[@]}" "${rank[@]}" \
	--params='base=["good.data","again.data"],format="jsonl"' >runs.jsonl 2>errors.txt
like "two base runs" "$(head -1 runs.jsonl)" '"base_runs":2'
is "are as one on the average" "$(value runs.jsonl base_own_ns)" "$(value plain.jsonl base_own_ns)"

# ---- Limits ----

limit='sink.introperf.rank: slower than parameter "fail-above" allows'
# exceeds SENTENCE LIMIT CAUSE: the run fails with this cause, and has written its result.
exceeds() {
	fails "${both[@]}" --params="base=\"good.profile\",fail-above=$2"
	like "$1" "$status $causes" "^1 $limit: $3\$"
	ok "$1: the result is there" grep -q take_price_lock "$output"
}
exceeds "the whole is above a part" '"10%"' 'the whole: \+[0-9]+ ms \(limit 10%\)'
exceeds "and above a time" '"20ms"' 'the whole: \+[0-9]+ ms \(limit 20ms\)'
exceeds "a path is" '"path=5%"' 'pause_ns: \+[0-9]+ ms \(limit path=5%\)'
exceeds "a function is" '["take_price_lock=1ms","500s"]' \
	'take_price_lock: \+[0-9]+ ms \(limit take_price_lock=1ms\)'
ok "below a limit nothing fails" graph "${both[@]}" \
	--params='base="good.profile",fail-above=["9000%","path=10s","take_price_lock=10s"]'
ok "what may be chance is above no limit" graph "${both[@]}" \
	--params='base="good.profile",spread="100%",fail-above=["search_products=1%","score=1%"]'
exceeds "but a path that the base never took is no chance" '["5%"],spread="100%"' \
	'the whole: \+[0-9]+ ms \(limit 5%\)'
fails_with "a spread that is none" \
	'sink.introperf.rank: parameter "spread": "3" is not a percentage from "0%" to "100%"' \
	"${both[@]}" --params='base="good.profile",spread="3"'
fails_with "a limit that is none" \
	'sink.introperf.rank: parameter "fail-above": "fast" is no limit; such are "5%", "20ms", "path=5%", "FUNCTION=1.5s"' \
	"${both[@]}" --params='base="good.profile",fail-above="fast"'
fails_with "a limit without a base" \
	'sink.introperf.rank: parameter "fail-above": nothing to compare with; name the input that behaves as parameter "base"' \
	slow.profile "${rank[@]}" --params='fail-above="5%"'
fails "${both[@]}" --params='base="good.profile",fail-above="nobody=5%"'
is "a limit of a function that is not there" "$causes" \
	'sink.introperf.rank: parameter "fail-above": "nobody=5%": no function of the inputs has that name'

# ---- Comparisons that make little sense ----

graph "${both[@]}" --params='base="slow.profile",format="jsonl"' >swapped.jsonl 2>errors.txt
is "good and slow swapped: it got faster" \
	"$(python3 - swapped.jsonl <<'PYTHON'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
paths = [row for row in rows if row["type"] == "path"]
saved = min(paths, key=lambda row: row["cost_ns"])
print(rows[0]["suspect_own_ns"] < rows[0]["base_own_ns"], saved["frames"][saved["culprit"]]["function"])
PYTHON
)" "True pause_ns"
fails_with "the same recording twice" \
	'source.introperf.perf: good.data and ./good.data are the same recording; name each once' \
	"${good[@]}" ./good.data --params="$symbols" "${profile[@]}" "${rank[@]}" \
	--params='base="good.data"'
graph slow.profile "${rank[@]}" --params='format="jsonl"' >alone.jsonl 2>/dev/null
like "one recording is not doubted" "$(head -1 alone.jsonl)" '"doubts":\[\]'
like "nor are two of one program" "$(head -1 plain.jsonl)" '"doubts":\[\]'

if perf record -q -g -o empty.data -e dummy -- true >/dev/null 2>&1; then
	graph empty.data "${slow[@]}" "${profile[@]}" "${rank[@]}" --params='base="empty.data"' \
		>empty.txt 2>errors.txt
	like "a base without calls is doubted" "$(cat empty.txt errors.txt)" \
		'Doubtful comparison: the base holds no calls'
else
	skip "a base without calls is doubted" "perf cannot record here"
fi
if perf record -o other.data -q -e cpu-clock -g -- sleep 0.01 >/dev/null 2>&1; then
	graph other.data slow.data --params="$symbols" "${profile[@]}" "${rank[@]}" \
		--params='base="other.data",format="jsonl"' >other.jsonl 2>errors.txt
	like "another program is doubted" "$(head -1 other.jsonl)" '"doubts":\["(other-programs|base-empty)'
else
	skip "another program is doubted" "perf cannot record here"
fi
# ---- Waiting for work ----

# serve FILE PAUSE MICROSECONDS records a server that gets its requests after pauses of so many
# seconds, and takes so long to answer. They begin once it is there: else all may have come by then.
serve() {
	rm -f ready
	{ wait_until test -e ready && while read -r _; do sleep "$2"; printf x; done < <(seq 20); } |
		perf record -q -k CLOCK_MONOTONIC -e raw_syscalls:sys_enter,raw_syscalls:sys_exit \
			-e sched:sched_switch --switch-events --call-graph fp -o "$1" -- \
			sh -c ': >ready; exec "$@"' sh "$ITP_BUILD_DIR/tests/perf/server" "$3" >record.log 2>&1
}

# places TYPE FIELD prints that field of all rows of that type, or the function names of frames.
places() {
	python3 -c 'import json, sys
for row in map(json.loads, sys.stdin):
    if row["type"] == sys.argv[1] and row["process"] == "server":
        print(row[sys.argv[2]] if sys.argv[2] != "frames" else
              " ".join(frame["function"] for frame in row["frames"]))' "$@" <server.jsonl
}

if serve good-server.data 0.01 1000 && serve slow-server.data 0.05 20000; then
	graph good-server.data slow-server.data "${profile[@]}" "${rank[@]}" \
		--params='base="good-server.data",format="jsonl",top=0' >server.jsonl 2>errors.txt
	is "time that waits for work is apart" "$(places idle syscall)" syscall:epoll_wait
	is "and in no path, where the call may have its CPU time" "$(python3 -c 'import json
print(sum(frame["blocked_ns"] for row in map(json.loads, open("server.jsonl")) if row["type"] == "path"
          for frame in row["frames"] if frame["function"] == "syscall:epoll_wait"))')" 0
	like "work that takes longer comes first" "$(places path frames | head -1)" \
		' main .*syscall:clock_nanosleep'
else
	skip "time that waits for work is apart" "perf cannot record here"
fi
done_testing

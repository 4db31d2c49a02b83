#!/bin/bash
# SPDX-License-Identifier: MIT
#
# perf introperf units: the units of work of a program whose requests are known.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_recording

${CC:-cc} -O1 -g -fno-omit-frame-pointer -pthread -o server "$ITP_SOURCE_DIR/tests/cli/unit-server.c" || exit 99
introperf record --overhead none -o server.data -- ./server >record.log 2>&1 || skip_all "perf may not record here"

# units prints, of JSON lines, for each type of units "LOOP WAIT COUNT TELLING…".
units() {
	python3 -c '
import json, sys
name = lambda text: text.split("!")[-1].replace("syscall:", "")
for row in map(json.loads, sys.stdin):
    if row["type"] == "unit_type":
        assert row["count"] >= 1 and row["min_ns"] <= row["median_ns"] * 1.02 <= row["max_ns"] * 1.04
        print(name(row["loop"][-1]), name(row["wait"][-1]), row["count"],
              *(name(path[-1]) for path in row["telling"]))'
}

introperf units --format jsonl server.data 2>errors.txt >units.jsonl
is "units are found" "$? $(cat errors.txt)" "0 "
units <units.jsonl >found.txt
like "each request that the server answers itself is one" "$(cat found.txt)" 'serve epoll_wait 1(49|50) answer'
like "each that it hands over is another" "$(cat found.txt)" 'serve epoll_wait (49|50) hand_over'
like "each job of the worker is one" "$(cat found.txt)" 'work futex (4[89]|50)'
is "a file is not waited for" "$(grep -c read_file found.txt)" 0
introperf units server.data >units.txt 2>errors.txt
text=$(tr -s '\n ' ' ' <units.txt)
like "the text tells loops" "$text" 'The loop of serve in server waits in epoll_wait: (199|20[0-2]) units of [1-4] types?,'
for name in answer hand_over; do
	like "and what tells types apart: $name" "$text" "only these call $name"
done

like "with trees, in which time types were found" "$(introperf units --trees server.data 2>errors.txt | tail -n 1)" \
	'^The types were found in [0-9.]+ [nµm]?s\.$'
like "in JSON lines, too" "$(introperf units --trees --format jsonl server.data 2>errors.txt | head -n 1)" \
	'"types_took_ns":[0-9]+'
is "but not without, as each run takes another time" "$(grep -c types_took_ns units.jsonl)" 0

# Units as symptoms: those of the jobs wait for nobody, and compute.
introperf mine --symptom 'unit:work>1ns' --format jsonl server.data >mine.jsonl 2>errors.txt
wait_for=(-c filter.introperf.infer -c filter.introperf.wait --params='symptom="unit:work>1ns"')
graph server.data "${wait_for[@]}" -c sink.introperf.mine --params='format="jsonl"' >graph.jsonl
like "the units of a type are looked into" "$(cat mine.jsonl)" '"symptoms":(4[89]|50),'
like "and are of its functions" "$(cat mine.jsonl)" 'server!do_job'
same "also in a graph" mine.jsonl graph.jsonl
complains "no such type" 1 "--symptom: there is no unit:none>1ns in any of the recordings" \
	mine --symptom 'unit:none>1ns' server.data

# Twice as many requests, and requests that take longer.
introperf record --overhead none -o twice.data -- ./server 400 >record.log 2>&1
introperf record --overhead none -o slow.data -- ./server 200 8000000 >record.log 2>&1
# per_unit ARGUMENT…: the text of a comparison, in one line.
per_unit() {
	introperf diff "$@" 2>errors.txt | tr -s '\n ' ' '
}
text=$(per_unit --per unit:serve server.data twice.data)
like "work is counted by units" "$text" ' base server\.data [^c]* (199|20[0-2]) units of serve '
like "of both" "$text" 'suspect twice\.data .* (399|40[0-2]) units of serve '
like "and costs are of one" "$text" ' a unit of serve '
# good_total: of JSON lines, what all threads took in the good run.
good_total() {
	python3 -c 'import json, sys; print(json.loads(next(sys.stdin))["base_own_ns"])'
}
plain=$(introperf diff --format jsonl --top 0 server.data twice.data 2>errors.txt | good_total)
counted=$(introperf diff --per unit:serve --format jsonl --top 0 server.data twice.data 2>errors.txt | good_total)
like "the good run counts as if it had done as much: twice" "$((100 * counted / plain))" '^(19[6-9]|20[0-4])$'
like "a type may be named by what it calls" "$(per_unit --per unit:hand_over server.data twice.data)" \
	' (49|50) units of hand_over .* (99|100) units of hand_over '
like "else the loop counts that took most" "$(per_unit --per unit server.data twice.data)" \
	' a unit of ask_all in server '
text=$(per_unit --per unit:work server.data slow.data)
like "of units that take longer the culprit comes first" "$text" ' 1 \+.* server: work › do_job › compute ◀ culprit'
introperf diff --per unit:work --fail-above path=5% server.data slow.data >failed.txt 2>errors.txt
is "a limit holds for a unit" "$?" 3
introperf diff --per unit:none server.data twice.data >failed.txt 2>errors.txt
like "a type that there is not" "$? $(cat errors.txt)" \
	'^1 introperf: --per: "twice\.data" has no units of none; there are those of (.*, )?serve \((answer|hand_over)\)'
complains "units of a program that goes on" 1 \
	"--per: units of work are known at the end of a recording; here it is second, call:FUNCTION or event:NAME" \
	top --per unit -- true

# Both hosts, and saved profiles.
with_units=(-c filter.introperf.infer -c filter.introperf.unit -c filter.introperf.normalize)
# What it knows of requests, which a graph does not follow.
without_routes() { grep -v '"type":"through_route"'; }
introperf diff --per unit --format jsonl server.data twice.data 2>errors.txt | without_routes >program.txt
graph server.data twice.data "${with_units[@]}" "${rank[@]}" \
	--params='base="server.data",per="unit",format="jsonl"' >graph.txt 2>errors.txt
same "a graph counts the same" graph.txt program.txt
for name in server twice; do
	introperf report --per unit --save $name.profile $name.data >report.txt 2>&1
	records_of $name.profile >program-saved.txt 2>errors.txt
	records_of -- $name.data "${with_units[@]}" >graph-saved.txt
	same "$name: both save the same" graph-saved.txt program-saved.txt
done
like "with how long units took" "$(grep -c 'introperf:unit_latency' program-saved.txt)" '^[0-9]{2,}$'
introperf diff --per unit --format jsonl server.profile twice.profile >saved.txt 2>errors.txt
sed -i 's/\.data"/.profile"/g' program.txt
sed -i 's/\.data"/.profile"/g' saved.txt
same "saved profiles compare alike" saved.txt program.txt
introperf report --save plain.profile server.data >report.txt 2>&1
complains "a profile without units" 1 "--per: no units of work are known of \"server.data\": no loop that waits for events was seen to come round, or nobody looked for one when it was saved" \
	report --per unit plain.profile
graph server.data -c filter.introperf.infer -c filter.utils.trimmer -c filter.introperf.unit \
	-c filter.introperf.normalize "${rank[@]}" >graph.txt 2>errors.txt
like "units need to know what threads did" "$(tr -s '\n ' ' ' <errors.txt)" \
	'filter.introperf.unit: server.data: no introperf:stretch events in the input; put filter.introperf.infer right before this filter, or give it stretches=yes'

# A server that answers from so deep a stack that its answers are in no context.
${CC:-cc} -O1 -g -fno-omit-frame-pointer -o deep "$ITP_SOURCE_DIR/tests/cli/deep-server.c" || exit 99
introperf record --no-bpf -o deep.data -- ./deep 120 >record.log 2>&1
graph deep.data -c filter.introperf.infer -c filter.introperf.unit -c sink.text.pretty --params='color="never"' \
	>graph.txt 2>errors.txt
like "a graph tells system calls that are in no context" "$(grep -c 'introperf:unplaced: .* word_0 = ' graph.txt)" '^[0-9]{3,}$'
introperf units --format jsonl deep.data 2>errors.txt |
	sed -n 's/.*"unit_type".*"count":\([0-9]*\),.*"total_ns":\([0-9]*\),.*/\1 \2/p' | sort >program.txt
sed -n 's/.*introperf:unit: .* count = \([0-9]*\), total_ns = \([0-9]*\),.*/\1 \2/p' graph.txt | sort >graph-units.txt
same "and has units end with them, as the program has" graph-units.txt program.txt

# What the units of one type did, and nothing else.
introperf report --in unit:work --format tree server.data 2>errors.txt >tree.txt
text=$(tr -s '\n ' ' ' <tree.txt)
like "a profile of one type says so" "$text" 'all threads together in units of work'
like "is as long as its units" "$text" ' 100 % [0-9.]+ ms [^ ]+ [^ ]+ (4[89]|50) start_thread 100 % [0-9.]+ ms [^ ]+ (m|µ)?s (4[89]|50) work '
like "has their functions" "$text" ' do_job '
is "and no others" "$(grep -cwE 'serve|answer|ask_all' tree.txt)" 0
introperf report --in unit:hand_over --format tree server.data 2>errors.txt >tree.txt
like "types of one loop are apart" "$(cat tree.txt)" ' hand_over( |$)'
is "each has its own calls" "$(grep -cE 'answer|do_job' tree.txt)" 0
text=$(introperf diff --in unit:work server.data slow.data 2>errors.txt | tr -s '\n ' ' ')
like "what became slower in units of a type" "$text" ' 1 \+.* server: work › do_job › compute ◀ culprit'
introperf export --in unit:work --format folded -o folded.txt server.data 2>errors.txt
like "they are exported" "$(cat folded.txt)" ';work;do_job'
is "and nothing else" "$(grep -cv ';work' folded.txt)" 0
within=(-c filter.introperf.infer -c filter.introperf.unit)
for in in unit unit:work; do
	introperf report --in $in --format jsonl --top 0 server.data >program.txt 2>errors.txt
	graph server.data "${within[@]}" --params="in=\"$in\"" "${rank[@]}" \
		--params='format="jsonl",top=0' >graph.txt 2>errors.txt
	same "$in: a graph tells the same" graph.txt program.txt
	rm -f within.profile
	introperf report --in $in --latencies --save within.profile server.data >report.txt 2>&1
	records_of within.profile >program-saved.txt 2>errors.txt
	records_of -- server.data "${within[@]}" --params="in=\"$in\",latencies=yes" >graph-saved.txt
	same "$in: both save the same" graph-saved.txt program-saved.txt
done
introperf report --in unit:work --format jsonl within.profile >saved.txt 2>errors.txt
introperf report --in unit:work --format jsonl server.data >program.txt 2>errors.txt
sed -i 's/within\.profile/server.data/g' saved.txt
same "a saved one is of these units" saved.txt program.txt
complains "a saved one is of others" 1 '--in: "server.data" holds only calls in unit:work, not only calls in unit:serve; take its recording, or save another profile of that' \
	report --in unit:serve within.profile
complains "a saved one is of all" 1 '--in: "server.data" holds all calls, not only calls in unit:work; take its recording, or save another profile of that' \
	report --in unit:work plain.profile
complains "what is compared is of the same" 1 '--in: "server.data" holds only calls in unit:work, not all calls; take its recording, or save another profile of that' \
	diff within.profile server.data
introperf report --in unit:none --format jsonl server.data >report.txt 2>errors.txt
like "nothing of a type that there is not" "$? $(cat errors.txt report.txt)" \
	'^1 introperf: --in: "server\.data" has no units of none; there are those of [^;]*work[^;]*$'
fails server.data "${within[@]}" --params='in="unit:none"' "${rank[@]}"
like "nor in a graph" "$causes" '^filter.introperf.unit: parameter "in": "server\.data" has no units of none; there are those of '
complains "what is none" 1 '--in: "work" is not one of unit, unit:TYPE' report --in work server.data
complains "waits are not told by units" 1 "--in: what waits hold up is not told by units; leave out --by" \
	report --in unit --by wait server.data
complains "nor by other estimates" 1 "--in: units are told by the likeliest times; leave out --estimate" \
	report --in unit --estimate aggressive server.data
complains "nor while they are recorded" 1 \
	"--in: units of work are known at the end of a recording; record it, and have it reported" \
	top --in unit -- true

# Timelines have a row of units above that of each thread's calls.
introperf export --format chrome -o timeline.json server.data 2>errors.txt
graph server.data -c filter.introperf.infer -c filter.introperf.unit --params=each=yes -c sink.introperf.export \
	--params='format="chrome",output="graph.json"' 2>>errors.txt
same "also in a graph" graph.json timeline.json
ok "a timeline has units" python3 -c '
import collections, json
events = json.load(open("timeline.json"))["traceEvents"]
names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
order = {(e["pid"], e["tid"]): e["args"]["sort_index"] for e in events if e["name"] == "thread_sort_index"}
rows = {row for row in names if names[row] == "units of work"}
assert len(rows) == 3, rows
for pid, row in rows:
    assert order[pid, row] + 1 == order[pid, row & ~(1 << 30)]
begins = collections.Counter(e["name"] for e in events if (e["pid"], e["tid"]) in rows and e["ph"] == "B")
assert set(begins) == {"ask_all", "work", "answer", "hand_over"}, begins
assert 148 <= begins["answer"] <= 151 and 48 <= begins["work"] <= 51, begins
depth = collections.Counter()
for e in events:
    if e["ph"] in "BE" and (e["pid"], e["tid"]) in rows:
        depth[e["tid"]] += 1 if e["ph"] == "B" else -1
        assert depth[e["tid"]] in (0, 1)'
for format in firefox speedscope; do
	introperf export --timeline --format $format -o timeline.json server.data 2>errors.txt
	like "$format has them, too" "$(tr -s '\n ' ' ' <timeline.json)" 'units of work'
done

introperf record --overhead none -o true.data -- true >record.log 2>&1
complains "no loop" 1 "true.data: no loop that waits for events was seen to come round" units true.data
complains "no recording" 1 "none.data: No such file or directory" units none.data
complains "a format that there is not" 1 "--format: text or jsonl" units --format yaml server.data
complains "a cut that is none" 1 "--cut: how unlike types are, from 0 to 1" units --cut 2 server.data
complains "less than no types" 1 "--top: 0 is all, and less than none are none" units --top -1 server.data
head -c $(($(stat -c %s server.data) / 2)) server.data >cut.data
introperf units cut.data >units.txt 2>errors.txt
like "of a damaged recording what there is" "$? $(cat errors.txt) $(cat units.txt)" '^1 introperf: .*cut\.data'
head -c $(($(stat -c %s true.data) * 9 / 10)) true.data >cut.data
introperf units cut.data >units.txt 2>errors.txt
like "or that there is nothing" "$? $(grep truncated errors.txt) $(cat units.txt)" \
	'^1 introperf: cut\.data: the file is truncated at byte [0-9]+ of [0-9]+; nothing is reported of what was read until there: cut\.data: no loop that waits for events was seen to come round $'

# Guards are written like any result.
cp server.data kept.data
complains "guards are not written over their recording" 1 \
	"server.data: cannot write: this is the input server.data, which would be lost; name another file" \
	units --guards server.data server.data
same "which is as before" server.data kept.data
introperf units server.data >/dev/full 2>errors.txt
is "units to a full disk are an error" "$? $(cat errors.txt)" \
	"1 introperf: standard output: cannot write: No space left on device"
if mkdir small && mount -t tmpfs -o size=4k introperf small 2>mount.txt; then
	head -c 4096 /dev/zero >small/rest
	introperf units --guards small/new.guards server.data >units.txt 2>errors.txt
	is "guards on a full disk are an error about the file that was named, and leave nothing" \
		"$? $(cat errors.txt) $(ls -A small)" \
		"1 introperf: small/new.guards: cannot write: No space left on device rest"
	umount small
else
	skip "guards on a full disk are an error about the file that was named" "no tmpfs: $(cat mount.txt)"
fi

done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
#
# perf introperf mine: the causes of slow calls in recordings of a program of which they are known,
# what signatures say of them later, and what is said of files and options that are wrong.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_recording

# Each fourth call of handle() is slow, for the reason that it is told: it computes, or waits for a
# thread that does, or for time to pass.
cat >shop.c <<'END'
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>

#define CALLS 40

static sem_t asked;
static sem_t answered;
static volatile unsigned long sink;
static int is_over;

/* By the thread's own time, as the machine may be busy. */
__attribute__((noinline)) static void compute(long us)
{
	struct timespec now;
	long until;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	until = now.tv_sec * 1000000 + now.tv_nsec / 1000 + us;
	do {
		for (unsigned long i = 0; i < 200000; i++) {
			sink += i * i;
		}
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while (now.tv_sec * 1000000 + now.tv_nsec / 1000 < until);
}

__attribute__((noinline)) static void rebuild_index(void)
{
	compute(5000);
	sink++;
}

static void *work(void *unused)
{
	for (;;) {
		while (sem_wait(&asked) != 0) {
		}
		if (is_over) {
			return unused;
		}
		rebuild_index();
		sem_post(&answered);
	}
}

__attribute__((noinline)) static void wait_for_index(void)
{
	sem_post(&asked);
	while (sem_wait(&answered) != 0) {
	}
	sink++;
}

__attribute__((noinline)) static void pack(void)
{
	compute(5000);
	sink++;
}

__attribute__((noinline)) static void back_off(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
	sink++;
}

__attribute__((noinline)) static void handle(const char *reason, int i)
{
	compute(300);
	if (i % 4 != 0 || strcmp(reason, "none") == 0) {
		return;
	}
	if (strcmp(reason, "index") == 0) {
		wait_for_index();
	} else if (strcmp(reason, "pack") == 0) {
		pack();
	} else {
		back_off();
	}
	sink++;
}

int main(int count, char **arguments)
{
	pthread_t thread;

	sem_init(&asked, 0, 0);
	sem_init(&answered, 0, 0);
	pthread_create(&thread, NULL, work, NULL);
	for (int i = 0; i < CALLS; i++) {
		handle(count > 1 ? arguments[1] : "none", i);
		nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
	}
	is_over = 1;
	sem_post(&asked);
	pthread_join(thread, NULL);
	return 0;
}
END
${CC:-cc} -O1 -g -fno-omit-frame-pointer -pthread -o shop shop.c || exit 99
# Before others on a busy machine, program and recorder: else events are lost, and calls wait for a CPU.
for run in none index index-2 pack sleep; do
	nice -n -15 "$program" record --no-bpf -o $run.data -- ./shop "${run%-*}" >record.log 2>&1 ||
		skip_all "perf may not record here"
done

symptom=(--symptom 'call:handle>4ms')

# The page shows the clusters of the JSON lines, with their costs and functions.
browser_has_page() {
	local chromium chromedriver facts="a browser shows the page"

	chromium=$(command -v chromium) || { skip "$facts" "no chromium" && return; }
	chromedriver=$(command -v chromedriver) || { skip "$facts" "no chromedriver" && return; }
	/usr/bin/python3 -c 'import selenium' 2>/dev/null || { skip "$facts" "no python3-selenium" && return; }
	is "$facts" "$(PYTHONPATH=$ITP_SOURCE_DIR/tests/report timeout 120 /usr/bin/python3 -B \
		"$ITP_SOURCE_DIR/tests/report/mining.py" "$chromium" "$chromedriver" mined.html mined.jsonl)" \
		"the same"
}

# clusters FILE prints "KIND TRACES FUNCTION…" for the first cluster of each kind in JSON lines, with
# which of the program's functions that are causes its common part has. Waits for a CPU say something
# of the machine and not of the program: where it computes, or runs in the scheduler. So does what
# each call computes: on a busy machine usual calls are slow, too.
clusters() {
	python3 -c '
import json, sys
told = set()
for row in map(json.loads, open(sys.argv[1])):
    if row["type"] == "cluster" and row["kind"] not in told:
        names = [f.split("!")[1] for f in row["common"]]
        causes = [n for n in names if n in ("rebuild_index", "pack", "back_off", "wait_for_index")]
        is_usual = names[-1] == "__schedule" or (names[-1] == "compute" and not causes)
        if "compute" in names if row["kind"] == "waiting" else is_usual:
            continue
        told.add(row["kind"])
        print(row["kind"], row["traces"], *causes)' "$1"
}

introperf mine "${symptom[@]}" --format jsonl index.data index-2.data sleep.data >mined.jsonl 2>errors.txt
is "what the slow calls waited for is found, over threads" "$(clusters mined.jsonl)" \
	"waiting 1 back_off
running 2 wait_for_index rebuild_index"
is "the slow calls are counted" "$(python3 -c '
import json
row = json.loads(open("mined.jsonl").readline())
print(row["traces"], row["symptoms"] >= 25, row["calls"] > 100, 0.1 < row["cost_ns"] / 1e9 < 2)')" \
	"3 True True True"
ok "clusters sum to no more than was lost" python3 -c '
import json
rows = [json.loads(line) for line in open("mined.jsonl")]
for kind in "waiting", "running":
    covered = [row["covered_ns"] for row in rows if row["type"] == "cluster" and row["kind"] == kind]
    assert covered == sorted(covered) and covered[-1] <= rows[0]["cost_ns"], covered'

introperf mine "${symptom[@]}" --patterns maximal --format jsonl index.data index-2.data sleep.data \
	>maximal.jsonl 2>errors.txt
ok "maximal patterns are some of those that stacks of their own cost enough" python3 -c '
import json
def patterns(name):
    rows = map(json.loads, open(name))
    return {(row["kind"], *one["functions"])
            for row in rows if row["type"] == "cluster" for one in row["patterns"]}
maximal, own = patterns("maximal.jsonl"), patterns("mined.jsonl")
assert maximal and maximal < own, (maximal, own)'

introperf mine "${symptom[@]}" index.data index-2.data sleep.data >mined.txt 2>errors.txt
like "the text says what was looked for" "$(head -n 1 mined.txt)" \
	"^3 traces, [0-9]+ symptoms of [0-9]+ \(call:handle>4ms\), [0-9]+ ms lost$"
like "and what was found" "$(tr -s '\n ' ' ' <mined.txt)" "Running: .* (rebuild_index|with wait_for_index)"

introperf mine "${symptom[@]}" --format html -o mined.html index.data index-2.data sleep.data 2>errors.txt
is "there is a page, too" "$(head -c 15 mined.html)" "<!DOCTYPE html>"
ok "which holds the same" python3 -c '
import json, re
data = re.search(r"id=.data.>(.*?)</script>", open("mined.html").read(), re.S).group(1)
assert json.loads(data) == [json.loads(line) for line in open("mined.jsonl")]'
browser_has_page

introperf mine --symptom call:handle --focus '^pack$' --format jsonl --base none.data pack.data >focus.jsonl 2>errors.txt
is "good recordings stand beside the slow ones, and a focus leaves the rest out" "$(clusters focus.jsonl)
$(python3 -c '
import json
for row in map(json.loads, open("focus.jsonl")):
    if row["type"] == "cluster":
        print(row["base_cost_ns"])
        break')" "running 1 pack
0"

# What is known is told by name, and the rest is new.
introperf mine "${symptom[@]}" --save-signatures known.json index.data >saved.txt 2>errors.txt
introperf mine "${symptom[@]}" --signatures known.json --format jsonl index-2.data pack.data >later.jsonl 2>errors.txt
is "a cause that is known explains later traces" "$(python3 -c '
import collections, json
rows = [json.loads(line) for line in open("later.jsonl")]
known = collections.Counter()
for row in rows:
    for trace in row["traces"] if row["type"] == "signature" else []:
        known[trace["trace"]] += trace["cost_ns"]
print(sum(known.values()) > rows[0]["cost_ns"] / 5, known.most_common(1)[0][0])')" "True index-2.data"
is "and what is left is another" "$(clusters later.jsonl | grep running)" "running 1 pack"
sed -i 's/"name": "[^"]*"/"name": "the index, again"/' known.json
introperf mine "${symptom[@]}" --signatures known.json index-2.data >named.txt 2>errors.txt
like "by the name that people gave it" "$(cat named.txt)" "the index, again"

# ---- The database of stacks ----

paper=("${symptom[@]}" --similarity paper)
for order in "index pack sleep" "sleep index pack"; do
	for run in $order; do
		introperf mine "${paper[@]}" --stacks "${order%% *}-first.stacks" $run.data >grown.txt 2>errors.txt
	done
done
ok "a database of stacks is made, and grows by each recording" python3 -c '
import json
traces = json.load(open("index-first.stacks"))["traces"]
assert len(traces) == 3 and all(trace["stacks"] > 10 for trace in traces), traces'
same "in whichever order they come" index-first.stacks sleep-first.stacks
introperf mine "${paper[@]}" --stacks index-first.stacks index.data >grown.txt 2>errors.txt
same "and not by one that comes again" index-first.stacks sleep-first.stacks
introperf mine "${symptom[@]}" --stacks a.stacks index.data pack.data >grown.txt 2>errors.txt
introperf mine "${symptom[@]}" pack.data index.data >plain.txt 2>errors.txt
introperf mine "${symptom[@]}" --stacks b.stacks --stacks a.stacks sleep.data >grown.txt 2>errors.txt
same "further ones are added, whichever the similarity" b.stacks sleep-first.stacks
cp a.stacks changed.stacks
introperf mine "${symptom[@]}" --stacks a.stacks pack.data index.data >grown.txt 2>errors.txt
same "by default, it does not change the result" grown.txt plain.txt
sed -i 's/"stacks":[0-9]*,"in"/"stacks":1,"in"/' changed.stacks
cp changed.stacks before.stacks
complains "a damaged database" 1 \
	'--stacks: "changed.stacks" is damaged: trace 1 is not as it was written' \
	mine --stacks changed.stacks index.data
same "which is left as it is" changed.stacks before.stacks
head -c 300 a.stacks >half.stacks
introperf mine "${symptom[@]}" --stacks half.stacks index.data >half.txt 2>errors.txt
is "half a database is an error" $? 1
is "which says so in one line" "$(sed 's/line 1: .*/line 1/' errors.txt)" \
	'introperf: --stacks: "half.stacks" is no JSON: line 1'
complains "a database that is to be read and is not there" 1 \
	'--stacks: Failed to open file “none.stacks”: No such file or directory' \
	mine --stacks new.stacks --stacks none.stacks index.data
not_ok "nothing is made then" test -e new.stacks
# Two at once.
for run in index pack; do
	introperf mine "${symptom[@]}" --stacks both.stacks $run.data >"$run-both.txt" 2>errors.txt &
done
wait
same "two that grow it at once both do" both.stacks a.stacks

# ---- What is wrong ----

head -c 3000 index.data >damaged.data
introperf mine "${symptom[@]}" damaged.data index-2.data >partly.txt 2>errors.txt
is "a damaged file makes the status 1" $? 1
like "it is named" "$(cat errors.txt)" "damaged[.]data"
like "and counted, and the others are mined" "$(tr -s '\n ' ' ' <partly.txt)" "1 file damaged or not read; 1 trace with events lost.*rebuild_index"
perf record -q -m 16M -k CLOCK_MONOTONIC -e raw_syscalls:sys_enter,raw_syscalls:sys_exit -e sched:sched_switch \
	--switch-events --call-graph fp -o asleep.data -- ./shop index >record.log 2>&1 || exit 99
introperf mine --symptom process asleep.data >asleep.txt 2>errors.txt
is "a recording without wakeups is mined as it is" $? 0
like "and that is said" "$(cat errors.txt)" \
	'^introperf: [0-9]+ % of the lost time are waits of which asleep[.]data does not tell who ended them'
introperf mine "${symptom[@]}" asleep.data asleep.data >asleep.txt 2>errors.txt
like "once for all recordings" "$(cat errors.txt)" \
	'^introperf: [0-9]+ % of the lost time are waits of which 2 recordings, such as asleep[.]data, do not tell'
introperf mine "${symptom[@]}" sleep.data pack.data index.data >asleep.txt 2>errors.txt
is "but not where threads slept, computed, or were seen to be woken" "$(cat errors.txt)" ""
complains "a symptom that never happens" 1 \
	'--symptom: there is no call:nowhere in any of the recordings' \
	mine --symptom call:nowhere index.data
complains "one that is never so slow" 1 \
	'--symptom: none of 40 was slower than "call:handle>9s" says' \
	mine --symptom 'call:handle>9s' none.data
complains "a symptom that is none" 1 \
	'--symptom: "slow" is none; such are "call:F>100ms", "call:F" (the slowest hundredth), "process>2s", "process:F" (until its first call of F), "unit>5ms", "unit:TYPE"' \
	mine --symptom slow index.data
complains "a cost that is none" 1 '--min-cost: "much" is not a time or a share, such as 30s or 1%' \
	mine --min-cost much index.data
complains "a scope that is none" 1 '--scope: "all" is not one of path, graph' mine --scope all index.data
complains "a cut that is none" 1 '--cut: "2" is not between 0 and 1' mine --cut 2 index.data
complains "a negative number" 1 '--top: "-1" is not a whole number from 0 on' mine --top -1 index.data
echo '{ "signatures": 2, "list": [] }' >newer.json
complains "signatures of another version" 1 \
	'--signatures: "newer.json" holds no signatures of version 1' mine --signatures newer.json index.data
echo '{ "signatures": 1, "list": [ { "name": "x", "kind": "waiting", "patterns": [ [ 1 ] ] } ] }' >bad.json
complains "a signature that is none" 1 \
	'--signatures: "bad.json": signature 1 has a pattern that is no list of functions' \
	mine --signatures bad.json index.data
mkdir empty
introperf mine "${symptom[@]}" empty missing.data index.data >partly.txt 2>errors.txt
is "what is no recording makes the status 1" $? 1
is "and is named" "$(cat errors.txt)" \
	"introperf: empty: a directory without a recording of perf or a saved profile
introperf: missing.data: No such file or directory"
like "and counted" "$(head -n 2 partly.txt | tr -s '\n ' ' ')" "^1 trace, .*; 2 files damaged or not read"

# ---- Several at once ----

many=()
for i in $(seq 12); do
	many+=(index.data pack.data sleep.data)
done
introperf mine "${symptom[@]}" --each --format jsonl "${many[@]}" >several.jsonl 2>errors.txt
taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" \
	"${ITP_BUILD_DIR:?}/perf-introperf" mine "${symptom[@]}" --each --format jsonl "${many[@]}" >alone.jsonl 2>errors.txt
same "recordings that are read at once give what they give one by one" several.jsonl alone.jsonl

# ---- Interests, in Babeltrace's graphs ----

wait_for_handle=(-c filter.introperf.infer -c filter.introperf.wait --params='symptom="call:handle>4ms"')
mine=(-c sink.introperf.mine --params='format="jsonl"')
for run in index index-2 sleep none; do
	graph $run.data "${wait_for_handle[@]}" -c sink.ctf.fs --params="path=\"$run.interest\"" >graph.log 2>&1
done
graph index.data index-2.data sleep.data "${wait_for_handle[@]}" "${mine[@]}" >graph.jsonl 2>errors.txt
same "a graph finds what the command finds" graph.jsonl mined.jsonl
graph index.interest index-2.interest sleep.interest "${mine[@]}" >saved.jsonl 2>errors.txt
same "also of interests that were saved" saved.jsonl mined.jsonl
introperf mine --symptom 'call:handle>4ms' --format jsonl index.interest index-2.data sleep.interest >mixed.jsonl 2>errors.txt
same "and so does the command, of both" mixed.jsonl mined.jsonl
# each INPUT… prints the symptoms that mining these tells, without what held them up.
each() {
	introperf mine "${symptom[@]}" --each --format jsonl "$@" 2>errors.txt | python3 -c '
import json, sys
for row in map(json.loads, sys.stdin):
    if row["type"] == "symptom":
        print(row["trace"].split(".")[0], row["tid"], row["begin_ns"], row["cost_ns"])'
}
like "each symptom of saved interests is told" "$(each index.interest sleep.interest)" "^index .*sleep "
is "and is that of the recording" "$(each index.interest sleep.interest)" "$(each index.data sleep.data)"
for run in index none; do
	graph $run.data -c filter.introperf.infer -c filter.introperf.wait --params='symptom="call:handle>10s"' \
		-c sink.ctf.fs --params="path=\"$run.nothing\"" >graph.log 2>&1
done
is "of those in which nothing was slow, how many calls they have is known" \
	"$(introperf mine --symptom 'call:handle>10s' index.nothing none.nothing 2>&1)" \
	"$(introperf mine --symptom 'call:handle>10s' index.data none.data 2>&1)"
introperf mine index.interest sleep.interest >kept.txt 2>errors.txt
like "saved interests say of which symptom they are" "$(head -n 1 kept.txt)" \
	"^2 traces, [0-9]+ symptoms of [0-9]+ \(call:handle>4ms\), "
introperf mine --symptom process index.interest >kept.txt 2>errors.txt
like "also where another one is asked for" "$(tr -s '\n ' ' ' <kept.txt)" \
	"\(call:handle>4ms\), .* Saved interests keep the symptom of which they were made: call:handle>4ms in 1 trace, where --symptom asks for process[.]"
introperf mine --symptom process index.interest pack.data none.data >kept.txt 2>errors.txt
like "a mix is told" "$(tr -s '\n ' ' ' <kept.txt)" \
	"^3 traces, .* \(2 different symptoms\), .* Traces were searched for different symptoms, which are mined together: call:handle>4ms in 1 trace, process in 2 traces[.]"
introperf mine --symptom process --format jsonl index.interest pack.data none.data >kept.jsonl 2>errors.txt
is "to programs, too" "$(python3 -c '
import json
row = json.loads(open("kept.jsonl").readline())
print(row["symptom"], [(one["symptom"], one["traces"]) for one in row["searches"]])')" \
	"None [('call:handle>4ms', 1), ('process', 2)]"
graph index.interest index.data -c filter.introperf.infer -c filter.introperf.wait --params='symptom="process"' \
	"${mine[@]}" >kept.jsonl 2>errors.txt
is "and in a graph" "$(python3 -c '
import json
row = json.loads(open("kept.jsonl").readline())
print(row["symptom"], sorted(one["symptom"] for one in row["searches"]))')" \
	"None ['call:handle>4ms', 'process']"
ok "what is saved is small" test "$(du -sk index.interest | cut -f 1)" -lt 200
graph index.data -c filter.introperf.infer -c filter.introperf.wait "${mine[@]}" >graph-path.jsonl 2>errors.txt
introperf mine --format jsonl index.data >path.jsonl 2>errors.txt
same "where nobody says what is slow, both take the calls of path 1" graph-path.jsonl path.jsonl
graph index.data "${wait_for_handle[@]/%4ms\"/4ms\",scope=\"graph\"}" "${mine[@]}" >graph-scope.jsonl 2>errors.txt
introperf mine "${symptom[@]}" --scope graph --format jsonl index.data >scope.jsonl 2>errors.txt
same "and in the scope of the wait graph" graph-scope.jsonl scope.jsonl
graph pack.data none.data -c filter.introperf.infer -c filter.introperf.wait --params='symptom="call:handle"' \
	"${mine[@]}" --params='base="none.data"' >graph-base.jsonl 2>errors.txt
introperf mine --symptom call:handle --base none.data --format jsonl pack.data >base.jsonl 2>errors.txt
same "and against a good one" graph-base.jsonl base.jsonl

graph index.data "${wait_for_handle[@]}" -c sink.text.pretty >waits.txt 2>errors.txt
is "each symptom is told" "$(grep -c ' introperf:symptom: ' waits.txt)" \
	"$(python3 -c 'import json; print(json.loads(open("scope.jsonl").readline())["symptoms"])')"
ok "with its waits, most of which lead to the thread that was waited for" \
	test "$(grep -c ' introperf:wait: .* depth = 0, followed = 1,' waits.txt)" -ge 8
ok "functions and contexts come first" awk '
	BEGIN { contexts[0] = 1; functions[0] = 1 }
	/ introperf:function: / { match($0, /[{] id = [0-9]+/); functions[substr($0, RSTART + 7, RLENGTH - 7)] = 1 }
	/ introperf:context: / { match($0, /function = [0-9]+/)
		if (!(substr($0, RSTART + 11, RLENGTH - 11) in functions)) exit 1
		match($0, /parent = [0-9]+/)
		if (!(substr($0, RSTART + 9, RLENGTH - 9) in contexts)) exit 1
		match($0, /[{] id = [0-9]+/); contexts[substr($0, RSTART + 7, RLENGTH - 7)] = 1 }
	/ introperf:wait: / { match($0, / node = [0-9]+/)
		if (!(substr($0, RSTART + 8, RLENGTH - 8) in contexts)) exit 1 }
	/ introperf:interest: / { count++ }
	END { exit count == 0 }' waits.txt
fails_with "what threads did must be told" \
	'filter.introperf.wait: index.data: no introperf:stretch events in the input; put filter.introperf.infer right before this filter, or give it stretches=yes' \
	index.data -c filter.introperf.infer -c filter.utils.trimmer -c filter.introperf.wait "${mine[@]}"
graph index.data -c filter.introperf.infer --params=stretches=yes -c filter.utils.trimmer \
	-c filter.introperf.wait --params='symptom="call:handle>4ms"' "${mine[@]}" >told.jsonl 2>errors.txt
graph index.data "${wait_for_handle[@]}" "${mine[@]}" >one.jsonl 2>errors.txt
same "or is when infer is asked for it" told.jsonl one.jsonl

# An interest in which bytes were changed says so, or is read as another one, and ends in time.
cp -r sleep.interest changed.interest
stream=$(find changed.interest -type f ! -name metadata | head -n 1)
outcome=good
for i in $(seq 40); do
	cp "${stream/changed/sleep}" "$stream"
	# shellcheck disable=SC2059 # the format is the byte
	printf "\\x$(printf %02x $((i * 37 % 256)))" |
		dd of="$stream" bs=1 seek=$((200 + i * 53)) conv=notrunc status=none
	timeout 60 "${ITP_BUILD_DIR:?}/perf-introperf" mine changed.interest index.data >changed.txt 2>errors.txt
	[ $? -le 1 ] || outcome="status $? for byte $i: $(cat errors.txt)"
done
is "a damaged interest ends in an error, or in another result" "$outcome" good

# ---- No recording ----

complains "no recording" 1 'name the recordings: perf introperf mine RECORDING…' mine

done_testing

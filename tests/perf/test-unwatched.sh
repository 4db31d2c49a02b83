#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Recordings by plain perf, of a timer alone and of less: what nobody watched is not told, in any format,
# and what ticks tell is what `perf report` tells of the same recording.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/perf-introperf.sh
. "$(dirname "$0")/../cli/perf-introperf.sh"

begin_recording

# Computes for so many milliseconds of CPU time in first(), sleeps for a second, and computes in second().
cat >busy.c <<'END'
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;

static long cpu_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Each computes in itself, so that all stacks have it, with frame pointers alone. */
#define COMPUTE                                               \
	while (cpu_ms() < until_ms) {                         \
		for (int i = 0; i < 1000000; i++) {           \
			sink += (unsigned long)i;             \
		}                                             \
	}                                                     \
	sink++;

__attribute__((noinline)) void first(long until_ms)
{
	COMPUTE
}

__attribute__((noinline)) void second(long until_ms)
{
	COMPUTE
}

__attribute__((noinline)) void slumber(void)
{
	sleep(1);
	sink++;
}

int main(int argc, char **argv)
{
	long ms = argc > 1 ? atol(argv[1]) : 100;

	first(cpu_ms() + 100);
	slumber();
	second(cpu_ms() + ms);
	return 0;
}
END
${CC:-cc} -O1 -g -fno-omit-frame-pointer -o busy busy.c || exit 99

perf record -q -e cpu-clock -F 997 -g -o ticks.data ./busy >log.txt 2>&1 ||
	skip_all "perf may not record here: $(head -n 1 log.txt)"
perf record -q -e cpu-clock -F 997 -g -o slow.data ./busy 500 >log.txt 2>&1
perf record -q -e cpu-clock -c 1000000 -g -o fixed.data ./busy >log.txt 2>&1
perf record -q -e cpu-clock -F 997 --switch-events -g -o bare.data ./busy >log.txt 2>&1
perf record -q -e page-faults -c 1 -g -o faults.data ./busy >log.txt 2>&1
perf record -q -e cpu-clock -F 997 -e page-faults/period=1/ -g -o both.data ./busy >log.txt 2>&1
perf record -q -e sched:sched_switch -e cpu-clock/freq=997/ -g -o watched.data ./busy >log.txt 2>&1
perf record -q -e sched:sched_switch -g -o switches.data ./busy >log.txt 2>&1
perf record -q -e raw_syscalls:sys_enter,raw_syscalls:sys_exit -g -o calls.data ./busy >log.txt 2>&1
perf record -q -e cpu-clock -F 97 -a -g -o machine.data ./busy >log.txt 2>&1

# ours FILE FUNCTION: in how many ticks' stacks introperf has the function.
ours() {
	introperf report --by function --top 0 --format jsonl "$1" 2>errors.txt | python3 -c '
import json, sys
lines = [json.loads(line) for line in sys.stdin]
interval = lines[-1]["suspect"]["tick_interval_ns"]
print(next((round(line["total_ns"] / interval) for line in lines
            if line.get("function") == sys.argv[1]), 0))' "$2"
}

# theirs FILE FUNCTION: the same of perf report, which tells the share of all.
theirs() {
	perf report -i "$1" --stdio --children -g none --sort symbol --percentage absolute 2>errors.txt |
		awk -v name="$2" '
		/^# Samples: / { all = $3 }
		$4 == name { printf "%.0f\n", $1 / 100 * all; found = 1; exit }
		END { if (!found) print 0 }'
}

# differing FILE: ticks that found the recorder, or another one, at work, which are no function's here;
# and stacks that lack a function for perf, as the one that it called had no frame yet: here it is put in
# from the code, or because it was open before.
differing() {
	local lacking
	lacking=$(perf script -i "$1" -F ip,sym 2>errors.txt |
		awk 'BEGIN { RS = "" } / cpu_ms/ && !/ first/ && !/ second/ { n++ } END { print n + 0 }')
	introperf report --format jsonl "$1" 2>errors.txt | python3 -c '
import json, sys
end = json.loads(sys.stdin.readlines()[-1])["suspect"]
print(round(end["recorder_ns"] / end["tick_interval_ns"]), end["completed_stacks"] + int(sys.argv[1]))' "$lacking"
}

for file in ticks fixed bare slow; do
	read -r less more <<<"$(differing "$file.data")"
	for function in first second; do
		got=$(ours "$file.data" "$function")
		wanted=$(theirs "$file.data" "$function")
		ok "$file: as many ticks in $function as perf report has ($got of $wanted, +$more, -$less)" \
			test "$wanted" -gt 20 -a "$got" -le $((wanted + more)) -a "$got" -ge $((wanted - less))
	done
done

introperf report -v ticks.data >ticks.txt 2>errors.txt
like "the sum is CPU time, not how long the program lived" "$(cat ticks.txt)" \
	$'\n''Own CPU time of all threads together is [0-9.]+ ms'
like "the recording has only ticks, and is not complete" "$(cat ticks.txt)" $'  only ticks\n'
like "what is not known is said, and what would tell it" "$(cat ticks.txt)" \
	'Watched: ticks.data has only ticks, one each.1.0.ms of CPU'
like "with what helps" "$(tr -s '\n ' ' ' <ticks.txt)" 'perf introperf record tells that, too'
unlike "no bound, and no call" "$(cat ticks.txt)" 'really between|calls +each|≥|≤|[Ll]atenc'
introperf report --path 1 ticks.data >path.txt 2>errors.txt
unlike "nor in the detail of a path" "$(cat path.txt)" 'median|really between|  calls|unknown|[Ll]atenc'
unlike "nor in a tree" "$(introperf report --format tree ticks.data 2>errors.txt)" '  calls|[Ll]atenc'

introperf report --format jsonl ticks.data >ticks.jsonl 2>errors.txt
like "JSON lines: latencies are null" "$(grep '"type":"path"' ticks.jsonl | head -n 1)" \
	'"count":null,.*"upper_ns":null,.*"blocked_ns":null'
like "JSON lines say what was watched, and for how much a tick stands" "$(tail -n 1 ticks.jsonl)" \
	'"watched":\["ticks"\],"tick_interval_ns":1003009'
like "and that all times are CPU time" "$(head -n 1 ticks.jsonl)" '"times":"cpu"'
like "and are not complete" "$(tail -n 1 ticks.jsonl)" '"complete":false'
is "CSV: columns of calls and bounds are empty" "$(introperf report --format csv ticks.data 2>errors.txt |
	python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin))
print({row[name] for row in rows
       for name in ("count", "max_count", "upper_ns", "min_ns", "blocked_ns", "waits")},
      all(int(row["own_ns"]) == int(row["own_cpu_ns"]) for row in rows))')" "{''} True"

introperf report ticks.data >ticks.txt 2>errors.txt
graph ticks.data "${profile[@]}" "${rank[@]}" >graph.txt 2>errors.txt
is "a graph says the same" "$(sed "$asking" graph.txt)" "$(sed "$asking" ticks.txt)"
introperf report --save ticks.profile ticks.data >log.txt 2>&1
introperf report ticks.profile >saved.txt 2>errors.txt
is "so does a saved profile" "$(sed "$asking" saved.txt)" "$(sed "$asking" ticks.txt)"
graph ticks.data "${infer[@]}" -c sink.ctf.fs --params="${as_ctf_1}path=\"ticks.calls\"" >log.txt 2>&1
graph ticks.calls -c filter.introperf.normalize "${rank[@]}" >calls.txt 2>errors.txt
is "so does what a graph has saved of calls" "$(sed "$asking" calls.txt)" "$(sed "$asking" ticks.txt)"

introperf report --html ticks.html ticks.data >log.txt 2>&1
like "a page knows that there are no latencies" "$(grep -o '"has_latencies":[a-z]*' ticks.html)" \
	'"has_latencies":false'
introperf export --format speedscope -o ticks.speedscope ticks.data >log.txt 2>&1
like "a file for others says that it is CPU time" "$(head -n 1 ticks.speedscope)" \
	'"name":"ticks.data \(CPU time only\)"'
ok "its weights are as many ticks" python3 -c '
import json
profile = json.load(open("ticks.speedscope"))["profiles"][0]
assert all(round(weight / 1003009) * 1003009 == weight for weight in profile["weights"])'
not_ok "there is no timeline" introperf export --timeline --format chrome -o ticks.chrome ticks.data
like "and it is said why" "$(introperf export --timeline --format chrome -o ticks.chrome ticks.data 2>&1)" \
	'^introperf: ticks.data has no calls to show in time: '
like "no ranking by waits" "$(introperf report --by wait ticks.data 2>&1)" \
	'^introperf: --by: "wait" needs calls and their latencies'
like "nor by numbers of calls" "$(introperf report --metric count ticks.data 2>&1)" \
	'^introperf: --metric: "count" needs calls and their latencies'
like "source lines have ticks and what they stand for" \
	"$(introperf annotate -s second slow.data 2>errors.txt | head -n 2 | tr -s '\n ' ' ')" \
	': own CPU time [0-9.]+.ms \([0-9]+.ticks\); [0-9.]+.ms with all that it called'

introperf diff ticks.data slow.data >diff.txt 2>errors.txt
like "a comparison finds what takes more CPU time" "$(cat diff.txt)" \
	$'\n'' *1 +\+[34][0-9]{2} ms .* second'$'\n'
introperf diff ticks.data watched.data >mixed.txt 2>errors.txt
like "of a recording that has more, only CPU time is compared" "$(tr -s '\n ' ' ' <mixed.txt)" \
	'of watched.data, too, only CPU time is compared, as ticks.data tells no more'
unlike "so what the other slept is no difference" "$(cat mixed.txt)" 'slumber'

introperf report bare.data >bare.txt 2>errors.txt
like "switches without stacks tell nothing of where a thread waits" "$(cat bare.txt)" 'only ticks'
like "but of for how long" "$(tr -s '\n ' ' ' <bare.txt)" \
	'Its threads were blocked for 1\.[01][0-9]? s in all; where, switches without stacks do not tell\.'
unlike "of which ticks alone know nothing" "$(cat ticks.txt)" 'were blocked'
introperf report -v both.data >both.txt 2>errors.txt
like "page faults beside ticks add no time" "$(grep '^Own' both.txt)" \
	'^Own CPU time of all threads together is (1[5-9]|2[0-9])[0-9] ms'
like "page faults alone are refused" "$(introperf report faults.data 2>&1)" \
	'^introperf: faults.data: nothing in it tells where time went, '
not_ok "with an error" introperf report faults.data
fails_with "a graph refuses them, too" \
	"sink.introperf.rank: faults.data: nothing in it tells where time went, as neither ticks of a \
timer, switches nor system calls were recorded with stacks; record with perf introperf record" \
	faults.data "${profile[@]}" "${rank[@]}"

introperf report -v watched.data >watched.txt 2>errors.txt
like "with switches there are latencies" "$(cat watched.txt)" \
	'Own latency of all threads together is [1-9][0-9]*(\.[0-9]+)? s'
ok "a thread off the CPU waits where it left the CPU, and nowhere else" \
	sh -c "'$program' report --by function --top 0 --format jsonl watched.data 2>errors.txt | python3 -c '
import json, sys
blocked_ns = {}
for line in map(json.loads, sys.stdin):
    if line[\"type\"] == \"function\":
        blocked_ns[line[\"function\"]] = line[\"own_blocked_ns\"]
assert blocked_ns[\"do_nanosleep\"] >= 990e6
assert sum(blocked_ns.values()) - blocked_ns[\"do_nanosleep\"] < 50e6'"
like "and they are complete" "$(cat watched.txt)" $'(  complete|incomplete: .* lost)\n'
like "with system calls alone, nobody knows whether a thread waited" \
	"$(introperf report calls.data 2>errors.txt)" 'Waiting: calls.data has no stacks of switches'
unlike "with switches and ticks this is known" "$(cat watched.txt)" $'\nWaiting: '
like "with switches of a program alone, nobody knows when it was back" \
	"$(introperf report switches.data 2>errors.txt | tr -s '\n ' ' ')" \
	'Waiting: switches\.data does not tell when threads were back on a CPU: '

# Two CPUs cannot have more CPU time than twice as long as it lasted.
ok "the whole machine has no more CPU time than its CPUs" \
	sh -c "'$program' report --format jsonl machine.data 2>errors.txt | python3 -c '
import json, os, sys
lines = [json.loads(line) for line in sys.stdin]
end = lines[-1][\"suspect\"]
assert 0 < lines[0][\"suspect_own_ns\"] <= 1.1 * os.cpu_count() * (end[\"end_ns\"] - end[\"begin_ns\"])'"

done_testing

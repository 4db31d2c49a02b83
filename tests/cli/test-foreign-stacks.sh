#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Stacks that other tracers recorded: what `perf data convert --to-ctf --all` makes of a recording,
# and the same laid out as LTTng's kernel tracer does it, rank like the recording itself.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

perf data convert --help 2>&1 | grep -q -- --to-ctf || skip_all "no perf that writes CTF"
enter_shop

# ranking INPUT… prints the ranking of a graph's beginning, without the name of the trace. Idle waits are
# ranked, too: who waits for a thread's end is known by that, which CTF from perf does not have.
ranking() {
	graph "$@" -c filter.introperf.normalize "${rank[@]}" \
		--params='format="jsonl",top=1000,idle="ranked"' 2>errors.txt >ranking.jsonl || cat errors.txt
	sed 's/"\(name\|suspect\)":"[^"]*"/"\1":""/g' ranking.jsonl
}

# What CTF from perf does not have is taken from the recordings, too.
for run in good slow; do
	"$ITP_SOURCE_DIR/tests/cli/without-switches.py" "$run.data" "$run.plain.data"
	perf data convert -i "$run.data" --to-ctf="$run.ctf" --all >/dev/null 2>&1
	for continuity in control-flow call-site function; do
		ranking "$run.plain.data" --params="clock=\"recording\",$symbols" "${infer[@]}" \
			--params="continuity=\"$continuity\"" >"$run.$continuity.wanted"
		ranking "$run.ctf" "${infer[@]}" \
			--params="continuity=\"$continuity\",$symbols" >"$run.$continuity.got"
		same "perf's CTF of $run.data ranks like it with $continuity" \
			"$run.$continuity.got" "$run.$continuity.wanted"
	done
done
like "there are paths" "$(grep -c '"type":"path"' slow.control-flow.got)" '^[1-9]'
not_ok "continuity makes a difference" cmp -s slow.control-flow.got slow.function.got
ranking slow.data --params="clock=\"recording\",$symbols" "${infer[@]}" >whole.txt
calls() {
	grep -o '"calls":[0-9]*' "$1" | tail -n 1
}
is "switches on their own change no calls" "$(calls slow.control-flow.got)" "$(calls whole.txt)"

graph --clock-force-correlate good.ctf slow.ctf "${infer[@]}" --params="$symbols" \
	-c filter.introperf.normalize "${rank[@]}" --params='base="good.ctf",format="jsonl"' \
	>compared.txt 2>errors.txt
like "two of them can be compared" "$(sed -n 2p compared.txt)" '"function":"take_price_lock"'

introperf report --symfs symfs --kallsyms kallsyms --format jsonl --top 1000 good.ctf 2>errors.txt |
	sed 's/"\(name\|suspect\)":"[^"]*"/"\1":""/g' >reported.txt
same "and perf introperf reads them with the files of their machine" reported.txt good.control-flow.got
graph good.ctf "${infer[@]}" --params="$symbols" -c filter.introperf.normalize \
	-c sink.introperf.export --params='format="folded"' >folded.txt 2>errors.txt
introperf export --symfs symfs --kallsyms kallsyms --format folded good.ctf >exported.txt 2>errors.txt
same "and exports them so" exported.txt folded.txt

perf data convert -i good.data --to-ctf=bare.ctf >/dev/null 2>&1
graph bare.ctf "${profile[@]}" "${rank[@]}" --params='format="jsonl"' >bare.txt 2>errors.txt
like "without --all functions are shown by address" "$(cat bare.txt)" '"function":"0x[0-9a-f]{8,}"'
like "which is said" "$(cat errors.txt)" \
	'bare.ctf: warning: the trace does not say what was mapped where \(whole processes: [1-9]'

# is_convertible NAME [OPTION...]: NAME.ctf has the whole of NAME.data as it was, of the threads that
# the options of `perf script` choose. It does not tell what was lost, and what perf wrote late stands
# in it with later times, or the conversion gives it one.
is_convertible() {
	local name=$1

	shift
	grep -q '"losses":0' "$name.wanted" && ! grep -q '"late_records":[1-9]' "$name.wanted" &&
		perf script -i "$name.data" -F time --ns "$@" 2>/dev/null | tr -d ' .:' |
		sort -u >recorded.times &&
		babeltrace2 --clock-cycles --no-delta "$name.ctf" 2>/dev/null |
		sed -n 's/^\[0*\([0-9]*\)\] \(sched\|raw_syscalls\|cpu-clock\).*/\1/p' |
			sort -u >converted.times &&
		[ -s recorded.times ] && [ -z "$(comm -23 recorded.times converted.times)" ]
}

# Threads, forks and execs, of which the conversion says less than the recording.
if perf record -q -m 8M -o fresh.data -k CLOCK_MONOTONIC --call-graph fp \
	-e raw_syscalls:sys_enter,raw_syscalls:sys_exit,sched:sched_switch,sched:sched_wakeup \
	-e cpu-clock/freq=997/ -- sh -c 'for i in 1 2; do ls -lR /etc; (exec ls /) & wait; done
		/usr/bin/python3 -c "import threading; threading.Thread(target=print).start()"' \
	>/dev/null 2>&1; then
	perf data convert -i fresh.data --to-ctf=fresh.ctf --all >/dev/null 2>&1
	ranking fresh.data --params='clock="recording"' "${infer[@]}" >fresh.wanted
	ranking fresh.ctf "${infer[@]}" >fresh.got
	like "a recording is of several programs" \
		"$(grep -o '"process":"[^"]*"' fresh.wanted | sort -u | tr '\n' ' ')" \
		'"ls".*"python3[^"]*".*"sh"'
	if is_convertible fresh; then
		ok "it ranks the same as CTF" cmp fresh.got fresh.wanted
	else
		skip "it ranks the same as CTF" "perf lost events, or wrote some of them late"
	fi
else
	skip "a recording of several programs ranks the same as CTF" "perf may not record here"
fi

# The whole machine: switches from and to threads of which nothing else is known. Others' programs may
# have files that are gone, run before the beginning, and on at the end: also those of this test, where
# it runs several times at once.
own=o$$
cp "$(command -v ls)" $own-ls
cp "$(command -v sleep)" $own-sleep
# Of them alone, since how paths are put together depends on what else there is, and of others CTF tells
# less: what waits by design, for one.
rank_all=("${rank[@]}")
own_ranking() {
	local rank=("${rank_all[@]}" --params="process=[\"$own-*\"]")
	ranking "$@"
}
own_paths() {
	grep '^{"type":"path"' "$1" | sed 's/"rank":[0-9]*//g; s/"share[^,}]*//g; s/possible_c[^,}]*//g' | sort
}
machine_is_recorded() {
	perf record -q -a -m 8M -o machine.data -k CLOCK_MONOTONIC --call-graph fp \
		-e raw_syscalls:sys_enter,raw_syscalls:sys_exit,sched:sched_switch,sched:sched_wakeup \
		-- sh -c "for i in 1 2 3 4 5 6 7 8 9; do ./$own-sleep 0.01; ./$own-ls -lR /etc/ssl; done" \
		>/dev/null 2>&1 || return 1
	own_ranking machine.data --params='clock="recording"' "${infer[@]}" >machine.wanted
	rm -rf machine.ctf
	perf data convert -i machine.data --to-ctf=machine.ctf --all >/dev/null 2>&1
}
machine_is_convertible() {
	is_convertible machine --comms "$own-ls,$own-sleep"
}
tries=0
while machine_is_recorded && ! machine_is_convertible && [ $((++tries)) -lt 6 ]; do :; done
if [ -s machine.wanted ]; then
	own_ranking machine.ctf "${infer[@]}" >machine.got
	like "a recording of the whole machine is of our programs too" \
		"$(own_paths machine.wanted | grep -c .)" '^[1-9]'
	if machine_is_convertible; then
		same "they rank the same as CTF" <(own_paths machine.got) <(own_paths machine.wanted)
	else
		skip "they rank the same as CTF" "perf lost events, or wrote some of them late"
	fi
else
	skip "a recording of the whole machine ranks the same as CTF" "perf may not record here"
fi

fails_with "files that are not there" \
	'filter.introperf.infer: parameter "symfs": nowhere: no such directory' \
	good.ctf "${infer[@]}" --params='symfs="nowhere"' "${rank[@]}"
fails_with "symbols that are not there" \
	'filter.introperf.infer: parameter "kallsyms": nowhere: No such file or directory' \
	good.ctf "${infer[@]}" --params='kallsyms="nowhere"' "${rank[@]}"

# ---- As LTTng's kernel tracer ----

export BABELTRACE_PLUGIN_PATH=$ITP_SOURCE_DIR/tests/cli
export PYTHONDONTWRITEBYTECODE=1
if ! graph list-plugins 2>/dev/null | grep -q '^lttng:'; then
	skip "stacks as LTTng records them" "Babeltrace finds no Python plugins (python3-bt2)"
	done_testing
fi

# lttng RUN WITHOUT DIRECTORY makes a trace of a recording.
lttng() {
	graph --component=s:source.lttng.kernel --params="perf=\"$1.ctf\",without=\"$2\"" \
		--component=o:sink.ctf.fs --params="${as_ctf_1}path=\"$3\"" >/dev/null 2>errors.txt ||
		diag "$(cat errors.txt)"
}

# saved_maps RUN prints what the process of a recording mapped, as /proc/PID/maps shows it.
saved_maps() {
	perf script -i "$1.data" --show-mmap-events 2>/dev/null | python3 -c '
import re, sys
for line in sys.stdin:
    found = re.search(r"MMAP2 .*: \[0x(\w+)\(0x(\w+)\) @ (\w+) .*\]: (\S+) (.*)", line)
    if found:
        start, length, offset = (int(text, 16) for text in found.groups()[:3])
        print(f"{start:x}-{start + length:x} {found[4]} {offset:08x} fe:00 1    {found[5]}")'
}

# A trace of LTTng's is of the whole machine: who is not in it had no CPU.
known_takers() {
	python3 -c '
import json, sys
rows = [json.loads(line) for line in sys.stdin]
known = {row["process"] for row in rows if row["type"] == "path"}
for row in rows:
    if "cpu_takers" in row:
        row["cpu_takers"] = [taker for taker in row["cpu_takers"] if taker["process"] in known]
    print(json.dumps(row))' <"$1"
}

for run in good slow; do
	lttng "$run" "" "$run.lttng"
	saved_maps "$run" >"$run.maps"
	ranking "$run.lttng" "${infer[@]}" --params="$symbols,maps=\"$run.maps\"" >"$run.got"
	same "LTTng's layout of $run.data ranks like it" <(known_takers "$run.got") \
		<(known_takers "$run.control-flow.wanted")
done
# As LTTng writes from 2.15 on.
if [ -n "$as_ctf_1" ]; then
	graph good.lttng -c sink.ctf.fs --params='path="ctf-2"' >/dev/null 2>&1
	ranking ctf-2 "${infer[@]}" --params="$symbols,maps=\"good.maps\"" >again.txt
	same "in CTF 2 it ranks the same" again.txt good.got
else
	skip "in CTF 2 it ranks the same" "Babeltrace 2.0 reads CTF 1.8 only"
fi
like "stacks of LTTng are completed" "$(tail -n 1 good.got)" '"completed_stacks":[1-9]'
ranking good.lttng "${infer[@]}" --params="$symbols,maps=\"good.maps\",fill=\"none\"" >recorded.txt
like "unless nobody wants it" "$(tail -n 1 recorded.txt)" '"completed_stacks":0,"filled_frames":0'
pid=$(grep -o 'pid = [0-9]*' <(graph good.lttng 2>/dev/null | head -n 1) | head -n 1 | tr -dc 0-9)
ranking good.lttng "${infer[@]}" --params="$symbols,maps=[\"1=slow.maps\",\"$pid=good.maps\"]" \
	>good.got
same "a map can be that of one process" <(known_takers good.got) \
	<(known_takers good.control-flow.wanted)

# changed WITHOUT runs a trace with that change; its ranking is in result.txt.
changed() {
	rm -rf changed
	lttng good "$1" changed
	chain=(changed "${infer[@]}" --params="$symbols,maps=\"good.maps\""
		-c filter.introperf.normalize "${rank[@]}" --params='format="jsonl"')
	graph "${chain[@]}" >result.txt 2>errors.txt
	status=$?
}

# count KEY prints a number of the summary.
count() {
	grep -o "\"$1\":[0-9]*" result.txt | tail -n 1 | cut -d: -f2
}

for change in tid text-tid; do
	changed "$change"
	fails_with "no thread: $change" 'filter.introperf.infer: kernel: event "sched_process_exec" does not tell its thread (tid); record with `lttng add-context --kernel --type=tid --type=pid --type=procname`' \
		"${chain[@]}"
done
changed signed-stack
fails_with "stacks of another type" "filter.introperf.infer: $no_stacks" "${chain[@]}"
changed no-depth
is "stacks without addresses are no error" "$status $(count stacks)" "0 0"
changed cut-stack
like "stacks that LTTng has cut are known" "$status $(count deep_stacks)" '^0 [1-9][0-9]{3}$'
changed deep-stack
like "stacks as deep as LTTng's limit are taken for cut" "$status $(count deep_stacks)" \
	'^0 [1-9][0-9]{3}$'
changed callstack_user
like "without user stacks, all are broken" "$status $(count broken_stacks)" '^0 [1-9][0-9]{3}$'
for change in callstack_kernel procname pid; do
	changed "$change"
	like "without $change there is a ranking" "$status $(sed -n 2p result.txt)" \
		'^0 .*"type":"path"'
done
graph good.lttng "${infer[@]}" --params="$symbols" "${rank[@]}" >/dev/null 2>errors.txt
like "without maps it is said what is missing" "$(cat errors.txt)" \
	'kernel: warning: the trace does not say what was mapped where \(whole processes: 1, single functions: 0\)'

fails_with "maps that are not there" \
	"filter.introperf.infer: parameter \"maps\": Failed to open file “nowhere”: No such file or directory" \
	good.lttng "${infer[@]}" --params='maps="7=nowhere"' "${rank[@]}"
fails_with "maps that are none" \
	'filter.introperf.infer: parameter "maps": kallsyms: line 1 is not one of a /proc/PID/maps file' \
	good.lttng "${infer[@]}" --params='maps="kallsyms"' "${rank[@]}"

done_testing

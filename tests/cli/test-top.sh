#!/bin/bash
# SPDX-License-Identifier: MIT
#
# perf introperf top, and what it is made of: recordings that are read while perf makes them.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

cd "$tmp" || exit 99
command -v perf >/dev/null || skip_all "perf is not installed"
perf record -q -e raw_syscalls:sys_enter -o /dev/null -- true >log.txt 2>&1 ||
	skip_all "perf may not record here: $(head -n 1 log.txt)"

# A recording in pipes gives what it gives as a file.
perf record -q -k CLOCK_MONOTONIC --switch-events --call-graph fp -e raw_syscalls:sys_enter \
	-e sched:sched_switch -o - -- bash -c 'for i in {1..200}; do /bin/true; done' >pipe.data 2>log.txt
graph pipe.data "${profile[@]}" "${rank[@]}" --params='format="jsonl",top=0' 2>log.txt |
	sed 's/pipe\.data/live/g' >file.txt
# In pieces, as pipes deliver.
dd if=pipe.data bs=5000 status=none | graph run --component=s:source.introperf.perf \
	--params='inputs="-",live=yes' --component=i:filter.introperf.infer \
	--component=n:filter.introperf.normalize --component=r:sink.introperf.rank \
	--params='format="jsonl",top=0' --connect=s:i --connect=i:n --connect=n:r >grown.txt 2>log.txt
same "what comes bit by bit is what a file is" grown.txt file.txt

# What comes is copied, and the copy's disk may be full.
grow=(run --component=s:source.introperf.perf --params='inputs="-",live=yes'
	--component=d:sink.utils.dummy --connect=s:d)
no_room='it cannot be copied to a temporary file; the environment variable TMPDIR may name a directory with more room'
if mkdir small && mount -t tmpfs -o size=64k introperf small 2>mount.txt; then
	TMPDIR=small fails_with "a copy that has no room" \
		"source.introperf.perf: -: $no_room" \
		"${grow[@]}" <pipe.data
	umount small
else
	skip "a copy that has no room" "no tmpfs: $(cat mount.txt)"
fi

for params in 'inputs="pipe.data",live=yes' 'inputs=["-","pipe.data"],live=yes'; do
	fails_with "only standard input can grow: $params" \
		'source.introperf.perf: parameter "live": only standard input, "-", can be read while it is written, and nothing beside it' \
		run --component=s:source.introperf.perf --params="$params" \
		--component=d:sink.utils.dummy --connect=s:d </dev/null
done

# A program that goes to sleep: nothing happens any more, and it ends with its command.
introperf top --dwarf --period 1s --format jsonl -- sleep 5 >top.txt 2>errors.txt
is "top ends with its command" "$? $(cat errors.txt)" "0 "
like "while nothing happens, it shows where the program waits" \
	"$(grep -A 1 '"period":3' top.txt)" '"function":"syscall:clock_nanosleep".*"count":0'
like "all together has the whole" "$(tail -n 1 top.txt)" '"complete":true'

# In a terminal.
busy="while sleep 0.0$$; do :; done"
python3 "$ITP_SOURCE_DIR/tests/cli/in-terminal.py" 20 q "Period " 3 \
	"$program" top --fp --period 1s -- bash -c "$busy" >screen.txt
is "q ends it, and leaves the terminal as it was" "$(tail -n 1 screen.txt | sed 's/.*status/status/')" \
	"status 0 restored True"
home=$(printf '\033[H')
is "each ranking takes the place of the last one" \
	"$(grep -cF "${home}Period " screen.txt)" "$(grep -cF "Period " screen.txt)"
is "as much as the screen holds" \
	"$(awk -v home="$home" 'index($0, home "Period") { if (n > most) { most = n }; n = 0 }
		{ n++ } END { print (most <= 20) }' <(sed '/All .* periods/,$d' screen.txt))" 1
like "and the last one is that of all" "$(cat screen.txt)" 'All [0-9]+ periods together'
python3 "$ITP_SOURCE_DIR/tests/cli/in-terminal.py" 20 $'\003' "Period " 2 \
	"$program" top --fp --period 1s -- bash -c "$busy" >screen.txt
is "so does Ctrl-C" "$(tail -n 1 screen.txt | sed 's/.*status/status/')" "status 0 restored True"
is "nothing is left running" "$(pgrep -f "sleep 0.0$$")" ""

# Who reads too slowly makes perf lose events, and is told.
"$program" top --fp --format jsonl -- bash -c 'echo >begun
	dd if=/dev/zero of=/dev/null bs=1 count=300000 2>/dev/null; echo >done' >slow.txt 2>errors.txt &
slow=$!
for _ in {1..300}; do [ -e begun ] && break || sleep 0.1; done
kill -STOP "$slow"
for _ in {1..600}; do [ -e done ] && break || sleep 0.1; done
kill -CONT "$slow"
wait "$slow"
is "an analysis that is too slow ends well" "$?" 0
like "and says how much it has lost" "$(tail -n 1 slow.txt)" \
	'"complete":false,.*"lost_events":[1-9]'

complains "two presets" 1 "--light and --full, --fp and --dwarf: choose one" top --light --full -a
complains "a profile to be saved" 1 "--save: only of recordings" top --save x -a
complains "a period that is none" 1 \
	'--period: "soon" is no period; such are "10s", "500ms", "2min", "100000 events"' \
	top --fp --period soon -- sleep 60
done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
#
# perf introperf top, and what it is made of: recordings that are read while they are made, here by perf.
# Programs in the kernel are those of test-top-bpf.sh.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_recording

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

# A program that waits: nothing happens any more, and it ends with its command.
mkfifo never
exec {writer}<>never
introperf top --dwarf --period 500ms --format jsonl -- cat never >top.txt 2>errors.txt {writer}>&- &
wait_until grep -q '"period":6' top.txt
exec {writer}>&-
wait $!
is "top ends with its command" "$? $(cat errors.txt)" "0 "
like "while nothing happens, it shows where the program waits" \
	"$(grep -A 1 '"period":5' top.txt)" '"function":"syscall:read".*"count":0'
like "all together has the whole" "$(tail -n 1 top.txt)" '"complete":true'

# end_top ARGUMENT… interrupts the one that was started last, which has these.
end_top() {
	kill -INT "$(own_process "^$program top $*")"
	wait $!
}

# in_terminal SIZE STEP… -- ARGUMENT… runs top in a terminal, see in-terminal.py: what that got is in
# screen.txt.
in_terminal() {
	local arguments=("$@") i=0
	while [ "${arguments[i]}" != -- ]; do
		i=$((i + 1))
	done
	TERM=xterm python3 "$ITP_SOURCE_DIR/tests/cli/in-terminal.py" "${arguments[@]:0:i}" \
		-- "$program" top "${arguments[@]:i + 1}" >screen.txt
	if grep '^never came: ' screen.txt >never.txt; then
		tap_report 1 "a terminal gets what is waited for ($(cat never.txt))"
		diag "$(tail -n 12 screen.txt | cat -v)"
	fi
}

# ending prints the exit status, and whether the terminal is as it was.
ending() {
	tail -n 1 screen.txt | sed 's/.*status/status/'
}

# screens prints for each screen that was drawn its lines and its columns, and for each time that the
# screen was entered or left a word.
screens() {
	python3 - <<-'END'
		import re

		with open("screen.txt", encoding="utf-8") as file:
		    text = file.read()
		drawn = False
		for part in re.split("(\033\\[H(?!\033\\[J)|\033\\[[?]1049[hl])", text):
		    if part in ("\033[?1049h", "\033[?1049l"):
		        print("entered" if part[-1] == "h" else "left")
		        drawn = False
		    elif part == "\033[H":
		        drawn = True
		    elif drawn:
		        lines = re.sub("\033\\[[0-9;?]*[A-Za-z]", "", part).rstrip("\n").split("\n")
		        print(len(lines), max(map(len, lines)))
		        drawn = False
	END
}

busy="while sleep 0.0$$; do :; done"
top_busy=(--fp --period 1s -- bash -c "$busy")
in_terminal 14x100 "see=q ends" "see=Period " "see=Period " "see=Period " type=q -- "${top_busy[@]}"
is "q ends it, and leaves the terminal as it was" "$(ending)" "status 0 restored True"
is "the screen is another one, which it leaves" "$(screens | grep -v ' ' | paste -sd " ")" "entered left"
home=$(printf '\033[H')
is "each ranking takes the place of the last one" \
	"$(grep -cF "${home}Period " screen.txt)" "$(grep -cF "Period " screen.txt)"
is "as much as the screen holds" \
	"$(screens | awk 'NF == 2 && ($1 > 14 || $2 > 100)')" ""
like "which is not all" "$(screens)" '[[:space:]]14 [0-9]+'
like "the last one is that of all, where the prompt is" \
	"$(sed -n 's/.*\x1b\[?1049l//p' screen.txt)" '^All [0-9]+ periods together'
like "and all of it" "$(sed '1,/All .* periods/d' screen.txt)" ' Words: '
in_terminal 24x80 "see=Period " size=10x40 "see=Period " "see=Period " type=q -- "${top_busy[@]}"
is "it follows the size of the terminal" \
	"$(screens | sed -n '/left/q; p' | tail -n 1 | awk '{ print ($1 <= 10 && $2 <= 40) }')" 1
in_terminal 24x80 "see=Period " $'type=\x03' -- "${top_busy[@]}"
is "so does Ctrl-C" "$(ending)" "status 0 restored True"
in_terminal 24x80 "see=Period " "run=kill -TERM \$pid" -- "${top_busy[@]}"
is "so does SIGTERM" "$(ending) $(screens | grep left)" "status 0 restored True left"
in_terminal 24x80 "see=Period " $'type=\x1a' "see=$(printf '\033[?1049l')" state=T \
	"run=kill -CONT \$pid \$(pgrep -P \$pid)" "see=$(printf '\033[?1049h')" "see=Period " type=q \
	-- "${top_busy[@]}"
is "Ctrl-Z leaves the screen until one comes back" "$(ending) $(screens | grep -v ' ' | paste -sd " ")" \
	"status 0 restored True entered left entered left"
in_terminal 24x80 "see=Period " "run=kill -KILL \$(pgrep -P \$pid -x perf)" -- "${top_busy[@]}"
is "when perf is lost, that is an error" "$(ending) $(screens | grep left)" \
	"status 1 restored True left"
like "with what was read until then, and why" "$(cat screen.txt)" "All [0-9]+ periods together.*
introperf: perf record, or what it recorded, was ended by signal 9 \(Killed\); what came last may be missing"

for kind in -uTERM TERM=dumb; do
	mapfile -t command < <(printf '%s\n' 24x80 "see=Period 2," type=q -- env "$kind" "$program" top \
		"${top_busy[@]}")
	python3 "$ITP_SOURCE_DIR/tests/cli/in-terminal.py" "${command[@]}" >screen.txt
	is "a terminal that knows nothing gets one behind the other: $kind" \
		"$(ending) $(grep -c $'\033' screen.txt)" "status 0 restored True 0"
done

# What the program prints, on whatever stream, does not spoil the screen.
in_terminal 24x80 "see=Period " type=q -- --fp --period 1s -- \
	bash -c "echo said; echo told >&2; $busy"
is "what the program prints comes after the screen" \
	"$(sed -n '/1049l/,$p' screen.txt | grep -cE '(said|told)$') $(grep -cE '(said|told)$' screen.txt)" "2 2"
# What the program has begun may end after it.
none_left() {
	! pgrep -f "sleep 0.0$$"
}
ok "nothing is left running" wait_until none_left

# Who reads too slowly makes perf lose events, and is told.
"$program" top --fp --format jsonl -- bash -c 'echo >begun
	until [ -e stopped ]; do sleep 0.1; done
	dd if=/dev/zero of=/dev/null bs=1 count=300000 2>/dev/null; echo >done' >slow.txt 2>errors.txt &
slow=$!
wait_until test -e begun
kill -STOP "$slow"
echo >stopped
wait_until test -e done
kill -CONT "$slow"
wait "$slow"
is "an analysis that is too slow ends well" "$?" 0
like "and says how much it has lost" "$(tail -n 1 slow.txt)" \
	'"complete":false,.*"lost_events":[1-9]'


# What was not there in the good run comes first.
shop=$ITP_BUILD_DIR/demo/shop
introperf record --dwarf --light -o good.data -- "$shop" --requests=1000 >log.txt 2>&1
introperf report --save good.profile good.data >log.txt 2>&1
for base in good.data good.profile; do
	# So many waits that nobody can take them for chance.
	introperf top --dwarf --light --period 200ms --base $base --format jsonl --top 1 -- \
		"$shop" --requests=5000 --stale-lock >top.txt 2>errors.txt
	is "a live ranking against $base" "$? $(cat errors.txt)" "0 "
	is "every one is a comparison by the second" "$(grep -c '"type":"header"' top.txt)" \
		"$(grep '"type":"header"' top.txt | grep -cE '"base":"good[^}]*"per":"second"')"
	# Behind it comes what has become faster, in a last period that has just begun.
	like "what is slow now is on top" "$(grep '"type":"path","rank":1,' top.txt | tail -n 1)" \
		'"rank":1,.*"function":"pause_ns"[^}]*"base_own_ns":0,'
done
introperf record --dwarf -o asleep.data -- sleep 0.2 >log.txt 2>&1
introperf top --dwarf --period 500ms --base asleep.data --format jsonl --top 0 -- sleep 600 >top.txt 2>errors.txt &
# shellcheck disable=SC2317 # wait_until calls it
has_six_periods() {
	[ "$(grep -c '"type":"header"' top.txt)" -ge 6 ]
}
wait_until has_six_periods
end_top --dwarf --period 500ms --base
# On a busy machine sleep may have begun for longer than it slept: other rows may be above its own.
ok "what goes on is not gone" python3 -c '
import json, sys
periods, lengths_ns = [], []
for row in map(json.loads, open("top.txt")):
    if row["type"] == "header":
        periods.append([])
        lengths_ns.append(row.get("period_end_ns", 0) - row.get("period_begin_ns", 0))
    elif row["type"] == "path":
        periods[-1].append(max((frame["blocked_ns"] for frame in row["frames"]
                                if "clock_nanosleep" in frame["function"]), default=0))
sys.exit(not 0.9 * lengths_ns[4] < max(periods[4]) < 1.1 * lengths_ns[4])'
introperf record --fp -o calls.data -- "$shop" --requests=50 >log.txt 2>&1
introperf top --fp --base calls.data --per event:pread64 -- "$shop" --requests=50 >top.txt 2>errors.txt
like "another unit is as one wants" "$(cat top.txt)" '[Aa] system call pread64'
in_terminal 24x80 "see=has nothing of nobody" type=q -- --period 500ms \
	--base good.data --per call:nobody "${top_busy[@]}"
like "a unit that is not there is told at once, and in the end" "$(ending) $(cat screen.txt)" \
	'^status 1 restored True.*introperf: --per: "[a-z.]+" has nothing of nobody'
complains "no base" 1 "none.data: No such file or directory" top --base none.data -a
complains "what grows cannot be one" 1 '--base: name a file, not "-"' top --base - -a

# What the recording costs.
# It ends with the test at the latest.
bash -c "while [ -e begun ]; do for ((i = 0; i < 20000; i++)); do :; done; echo >/dev/null; done" &
busy_pid=$!
# As wide as what is chosen is long.
in_terminal 24x250 "see=ticks a second" type=q -- --no-bpf --overhead 50% -p $busy_pid
like "a budget goes with a process" "$(cat screen.txt)" 'about [0-9.<> ]+%, below 50 %: .* ticks a second'
introperf top --no-bpf --overhead 0.0001% -p $busy_pid >top.txt 2>errors.txt
like "too small a one is an error" "$? $(cat errors.txt)" \
	'^1 introperf: --overhead: the lowest that can be reached is about'
in_terminal 24x80 "see=dwarf,4096" type=q -- --stack-size 4096 -p $busy_pid

# Of the machine, all but itself.
introperf top -a --fp --light --period 500ms --group-by pid --top 0 --idle ranked --format jsonl >top.txt 2>errors.txt &
wait_until grep -q '"period":3' top.txt
top_pid=$(own_process "^$program top -a --fp --light --period 500ms --group-by pid")
perf_pid=$(pgrep -P "$top_pid" -x perf)
end_top -a --fp --light --period 500ms --group-by pid
like "the machine has what runs" "$(cat top.txt)" "\"process\":\"bash/$busy_pid\""
is "but not what looks at it" "$(grep -coE "\"process\":\"[^\"]*/($top_pid|$perf_pid)\"" top.txt)" 0
in_terminal 24x80 "see=common_pid != " type=q -- -a --fp
is "whose system calls are not even recorded" "$(ending)" "status 0 restored True"
kill $busy_pid
wait $busy_pid 2>/dev/null

# Ends that nobody asked for.
bash -c "$busy" &
process=$!
introperf top --fp --period 200ms -p $process >top.txt 2>errors.txt &
wait_until grep -q '^Period ' top.txt
kill $process
wait $!
is "top ends with its process, and says so" "$? $(cat errors.txt)" "0 introperf: process $process has ended"
bash -c "$busy" &
first=$!
bash -c "$busy" &
second=$!
rm top.txt # or its periods would be taken for this one's
introperf top --fp --period 200ms -p $first,$second >top.txt 2>errors.txt &
top_pid=$!
wait_until grep -q '^Period ' top.txt
kill $first
wait_until grep -q '^Period ' top.txt
kill $second
wait $top_pid
is "with the last of several, and says so" "$? $(cat errors.txt)" \
	"0 introperf: processes $first,$second have ended"
sleep 600 &
wait_until is_asleep $!
in_terminal 24x80 "see=nothing to be ranked" type=q -- --fp --period 500ms -p $!
is "a process that does nothing is no error" "$(ending) $(sed -n 's/.*1049l//p' screen.txt)" \
	"status 0 restored True introperf: nothing was recorded until now"
kill $!
introperf top --fp -- sh -c 'echo said; printf told >&2; exit 3' >top.txt 2>errors.txt
is "the program's status is not that of top, its words are passed on" "$? $(cat errors.txt)" "0 said
told"
unlike "what cannot be looked at again is not offered" "$(cat top.txt)" 'Calls of path'
mkdir bin
printf '#!/bin/sh\necho it may not >&2\nexit 255\n' >bin/perf
chmod +x bin/perf
PATH=$tmp/bin:$PATH introperf top -a --fp >top.txt 2>errors.txt
is "perf that fails is an error, which it explains" "$? $(cat top.txt errors.txt)" "1 it may not
introperf: perf record has failed; it says above why"
PATH=$tmp/bin:$PATH in_terminal 24x80 -- -a --fp
# What it says is either said before the screen is drawn or held until that goes.
like "in a terminal, too" "$(ending) $(perl -0pe 's/\e\[[?]1049h.*?\e\[[?]1049l//gs' screen.txt)" \
	'^status 1 restored True.*it may not
introperf: perf record has failed; it says above why'
mkdir none
env PATH="$tmp/none" "$program" top -a --fp >top.txt 2>errors.txt
like "that there is no perf is said" "$? $(cat errors.txt)" '^1 introperf: perf is not in PATH; install it'

done_testing

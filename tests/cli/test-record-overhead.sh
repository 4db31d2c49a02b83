#!/bin/bash
# SPDX-License-Identifier: MIT
#
# perf introperf record --overhead: what it measures and chooses for programs, processes and the
# machine, what it says, and that it runs a program once.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

command -v perf >/dev/null || skip_all "perf is not installed"
cd "$tmp" || exit 99
perf record -q -e raw_syscalls:sys_enter -o /dev/null -- true >log.txt 2>&1 ||
	skip_all "perf may not record here: $(head -n 1 log.txt)"

# records ARGUMENT…: what it says goes to $said, its exit status to $status.
records() {
	said=$(introperf record -o x.data "$@" 2>&1)
	status=$?
}

# busy SECONDS computes, with a system call and a child now and then.
cat >busy.sh <<'END'
echo run >>runs.txt
end=$((SECONDS + $1))
while [ $SECONDS -lt $end ]; do
	for ((i = 0; i < 20000; i++)); do :; done
	echo >/dev/null
done
exit 5
END

line='\(about [0-9.<> ]+%, below [0-9.]+ %: .* ticks a second; [0-9 ]+ events in a second of CPU time at [0-9.]+ .s'
records --overhead 20% -- bash busy.sh 10
is "the program runs once" "$(cat runs.txt)" run
is "its status is that of the recording" "$status" 5
like "it says what it chose and why" "$said" \
	"$line; the first half second was counted, not recorded\\)"
like "the rest was recorded" "$said" ' stacks, [0-9 ]+ events lost, .* → x\.data \]'
unlike "with system calls, which are few" "$said" 'no system calls'

# chosen LIMIT prints the share and the recipe for a process that goes on; or, when nothing is below,
# the lowest, with a minus.
bash busy.sh 300 &
pid=$!
chosen() {
	records --overhead "$1" "${@:2}" -p $pid -- sleep 0.1
	sed -nE -e 's/^  \(about ([0-9.<]+) %, below [^:]*: ([^;]*);.*/\1 \2/p' \
		-e 's/.* lowest that can be reached is about ([0-9.<]+) %, [^:]*: (.*)/-\1 \2/p' <<<"$said" |
		tr -d '<'
}
# What runs beside makes more or fewer switches from one time to the next.
for limit in 0.2% 1% 5% 50%; do
	choice=$(chosen $limit)
	diag "$limit: $choice"
	ok "$limit: it is below, or nothing is" awk -v got="${choice%% *}" -v limit="${limit%\%}" \
		'BEGIN { exit !(got > 0 ? got <= limit : -got >= limit) }'
done
like "a large limit gives much" "$(chosen 90%)" 'system calls and page faults \(--full\)'
like "what is fixed stays" "$(chosen 90% --light --fp -F 333)" \
	'no system calls \(--light\), stacks by frame pointers, 333 ticks a second'
records --overhead 0.0001% -p $pid -- sleep 0.1
is "too small a limit is an error" "$status" 1
like "which tells the lowest" "$said" \
	'^introperf: --overhead: the lowest that can be reached is about [0-9.<]+ %, give or take a fifth: only the timer, stacks by frame pointers, 97 ticks a second$'
records --overhead 0.0001% --light -p $pid -- sleep 0.1
like "of what may be chosen" "$said" ': no system calls \(--light\), stacks by frame pointers, 199 ticks a second$'
records --overhead 50% -a -- sleep 0.1
like "the machine is measured, too" "$said" "$line\\)"
kill $pid
wait $pid 2>/dev/null

# Of a program whose children come and go, some have ended when perf looks for them.
# shellcheck disable=SC2016 # for the program to expand
records --overhead 50% -- bash -c 'while [ $SECONDS -lt 4 ]; do sleep 0.01; done; exit 6'
is "children may come and go" "$status" 6
# shellcheck disable=SC2016
records --overhead 50% -- bash -c 'while [ $SECONDS -lt 4 ]; do sleep 0.2; done; exit 6'
is "at any pace" "$status" 6

sleep 60 &
pid=$!
records --overhead 5% -p $pid -- sleep 0.1
kill $pid
like "what does not run has no rates" "$said" '^introperf: --overhead: the target has not run '
rm -f x.data
records --overhead 5% -- true
is "a program that has ended cannot be recorded" "$status$(ls x.data 2>/dev/null)" 1
like "it says so in one line" "$said" '^introperf: --overhead: [^
]*ended[^
]*$'
complains "no share" 1 '--overhead: "many" is no share of CPU time such as 5%' \
	record --overhead many -- true

# Ctrl-C while it counts, and while it records.
for phase in counted recording; do
	rm -f x.data
	# What ignores SIGINT here is not to pass that on.
	timeout 120 env --default-signal=INT setsid "$program" record --overhead 50% -o x.data -- \
		bash -c "while :; do :; done; : loop$$" >said.txt 2>&1 &
	pid=$!
	for ((i = 0; i < 200; i++)); do
		case $phase in
		counted) pgrep -f "perf stat .* -p [0-9]+ .*sleep" >/dev/null && break ;;
		recording) [ -s x.data ] && break ;;
		esac
		sleep 0.05
	done
	sleep 0.3
	kill -INT -- "-$(pgrep -o -f "^$program record .*loop$$")"
	wait $pid
	is "Ctrl-C when $phase: nothing is left running" "$(pgrep -f "loop$$")" ""
done
like "the recording is kept" "$(cat said.txt)" ' → x\.data \]'

done_testing

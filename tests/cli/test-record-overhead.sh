#!/bin/bash
# SPDX-License-Identifier: MIT
#
# perf introperf record --no-bpf --overhead: what it measures and chooses for programs, processes and the
# machine, what it says, and that it runs a program once.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_recording

# perf_records: perf is there for what records runs, and waits for events of its program.
# shellcheck disable=SC2317 # wait_until calls it
perf_records() {
	[ -s x.data ] && has_begun "$(cat parent.txt)"
}

# records ARGUMENT…: what it says goes to $said, its exit status to $status. A program that is
# recorded finds begun.txt when perf is there. It does not look for perf itself, which would have
# more to record than it can write.
records() {
	local watcher
	rm -f x.data parent.txt begun.txt
	{ wait_until perf_records && touch begun.txt; } &
	watcher=$!
	said=$(introperf record --no-bpf -o x.data "$@" 2>&1)
	status=$?
	kill $watcher 2>/dev/null
	wait $watcher 2>/dev/null
}

# recorded_while COMMAND…: does it again and again until perf records, and then for a while.
# compute takes CPU time, with a system call. nap SECONDS is two children, one of which computes: bash
# itself makes thousands of system calls in a loop once it has had any.
cat >recorded-while.sh <<'END'
echo $PPID >parent.txt
recorded_while() {
	until [ -e begun.txt ] || [ $SECONDS -ge 300 ]; do "$@"; done
	for more in {1..20}; do "$@"; done
}
compute() {
	for ((i = 0; i < 20000; i++)); do :; done
	echo >/dev/null
}
nap() {
	sleep "$1"
	awk 'BEGIN { while (i < 300000) i++ }'
}
END
# Computes, with a system call now and then.
cat >busy.sh <<'END'
. ./recorded-while.sh
if [ "$1" = endless ]; then
	# It has no more to do than the test.
	while [ -e busy.sh ]; do compute; done
	exit
fi
echo run >>runs.txt
recorded_while compute
exit 5
END

line='\(about [0-9.<> ]+%, below [0-9.]+ %: .* ticks a second; [0-9 ]+ events in a second of CPU time at [0-9.]+ .s'
records --overhead 20% -- bash busy.sh
is "the program runs once" "$(cat runs.txt)" run
is "its status is that of the recording" "$status" 5
like "it says what it chose and why" "$said" \
	"$line; the first half second was counted, not recorded\\)"
like "the rest was recorded" "$said" ' stacks, [0-9 ]+ events lost, .* → x\.data \]'

# chosen LIMIT prints the share and the recipe for a process that goes on; or, when nothing is below,
# the lowest, with a minus.
bash busy.sh endless &
pid=$!
chosen() {
	records --overhead "$1" "${@:2}" -p $pid -- sleep 0.1
	sed -nE -e 's/^  \(about ([0-9.<]+) %, below [^:]*: ([^;]*);.*/\1 \2/p' \
		-e 's/.* lowest that can be reached is about ([0-9.<]+) %, [^:]*: (.*)/-\1 \2/p' <<<"$said" |
		tr -d '<'
}
# What runs beside makes more or fewer switches from one time to the next. It stays a fifth below.
for limit in 0.2% 1% 5% 50%; do
	choice=$(chosen $limit)
	diag "$limit: $choice"
	ok "$limit: it is below, or nothing is" awk -v got="${choice%% *}" -v limit="${limit%\%}" \
		'BEGIN { exit !(got > 0 ? got <= limit : -got >= 0.75 * limit) }'
done
unlike "system calls are recorded, as they are few" "$(chosen 20% --fp)" 'no system calls'
like "a large limit gives much" "$(chosen 90% --fp)" 'system calls and page faults \(--full\)'
like "what is fixed stays" "$(chosen 90% --light --fp -F 333)" \
	'no system calls \(--light\), stacks by frame pointers, 333 ticks a second'
# Copies may cost no more than can be measured.
records --overhead 0.0001% -p $pid -- sleep 0.1
is "too small a limit is an error" "$status" 1
like "which tells the lowest" "$said" \
	'^introperf: --overhead: the lowest that can be reached is about [0-9.<]+ %, give or take a fifth: only the timer, (stacks by frame pointers|[0-9]+ bytes of each stack), 97 ticks a second$'
records --overhead 0.0001% --light -p $pid -- sleep 0.1
like "of what may be chosen" "$said" ': no system calls \(--light\), (stacks by frame pointers|[0-9]+ bytes of each stack), 199 ticks a second$'
records --overhead 50% -a -- sleep 0.1
like "the machine is measured, too" "$said" "$line\\)"
kill $pid
wait $pid 2>/dev/null

# A thread may end between two events that perf opens for it, as one for each connection of a server
# does: it is none to count or to record, and the others are.
cat >threads.py <<'END'
import os
import threading
threading.Thread(target=threading.Event().wait, daemon=True).start()
while os.path.exists("busy.sh"):
    sum(range(1000))
    os.getpid()
END
# ends_meanwhile ARGUMENT… records it so.
ends_meanwhile() {
	ITP_ENDED=$(find "/proc/$pid/task" -mindepth 1 -maxdepth 1 ! -name "$pid" -printf '%f\n') \
		ASAN_OPTIONS=verify_asan_link_order=0 \
		LD_PRELOAD="${ITP_PRELOAD:+$ITP_PRELOAD:}$ITP_BUILD_DIR/tests/cli/.libs/ending.so" \
		records "$@" --fp -p "$pid" -- sleep 0.1
}
# shellcheck disable=SC2317 # wait_until calls it
has_two_threads() {
	[ "$(find "/proc/$pid/task" -mindepth 1 -maxdepth 1 | wc -l)" -eq 2 ]
}
if python3 --version >log.txt 2>&1; then
	python3 threads.py &
	pid=$!
	wait_until has_two_threads
	ends_meanwhile --overhead 90%
	is "a thread that ends meanwhile is no refusal" "$status" 0
	like "perf has passed it over" "$said" 'WARNING: Ignored open failure for pid'
	like "the events of the others are counted" "$said" "$line\\)"
	like "and recorded" "$said" '[1-9][0-9 ]* stacks, .* → x\.data \]'
	kill $pid
	wait $pid 2>/dev/null
else
	skip "a thread that ends meanwhile is no refusal" "no python3"
fi

# Of a program whose children come and go, some have ended when perf looks for them.
records --overhead 50% -- bash -c '. ./recorded-while.sh; recorded_while nap 0.01; exit 6'
like "children may come and go" "$status $said" '^6 '
records --overhead 50% -- bash -c '. ./recorded-while.sh; recorded_while nap 0.2; exit 6'
like "at any pace" "$status $said" '^6 '
# However many have: each time that perf is to begin, one more has ended.
mkdir late
cat >late/perf <<END
#!/bin/bash
case \$* in
stat*)
	"$(command -v perf)" "\$@" || exit
	until [ "\$(wc -l <children.txt)" -eq 5 ]; do sleep 0.05; done
	# Old enough to be recorded.
	sleep 0.3
	exit
	;;
record*' -p '*)
	echo "\${@: -1}" >>attempts.txt
	if read -r child <children.txt; then
		sed -i 1d children.txt
		kill "\$child"
		while [ -e "/proc/\$child" ]; do sleep 0.05; done
	fi
	;;
esac
exec "$(command -v perf)" "\$@"
END
chmod +x late/perf
cat >children.sh <<'END'
. ./recorded-while.sh
compute
for _ in {1..5}; do
	sleep 600 &
	echo $! >>children.txt
done
mkfifo nothing
# Not a loop: with children, each of its turns would be system calls.
rest_and_compute() {
	read -r -t 0.05 <>nothing
	: {1..20000}
}
recorded_while rest_and_compute
exit 6
END
PATH=$PWD/late:$PATH records --overhead 50% -- bash children.sh
like "however many end before perf begins" "$status $said" '^6 '
is "each time it is told which are left" "$(awk -F , '{ print NF }' attempts.txt)" "$(seq 6 -1 1)"

sleep 600 &
pid=$!
wait_until is_asleep $pid
records --overhead 5% -p $pid -- sleep 0.1
kill $pid
like "what does not run has no rates" "$said" '^introperf: --overhead: the target has not run '
records --overhead 5% -- true
is "a program that has ended cannot be recorded" "$status$(ls x.data 2>/dev/null)" 1
like "it says so in one line" "$said" '^introperf: --overhead: [^
]*ended[^
]*$'
complains "no share" 1 '--overhead: "many" is no share of CPU time such as 5%' \
	record --overhead many -- true

# runs_on waits until the program has run for some hundredths of a second more.
runs_on() {
	local loop
	wait_until pgrep -f "^bash -c .*loop$$" >/dev/null
	loop=$(pgrep -f "^bash -c .*loop$$")
	wait_until has_run "$loop" $(($(awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$loop/stat") + 20))
}

# Ctrl-C while it counts, and while it records.
for phase in counted recording; do
	rm -f x.data
	# What ignores SIGINT here is not to pass that on.
	timeout 600 env --default-signal=INT setsid "$program" record --no-bpf --overhead 50% -o x.data -- \
		bash -c "while :; do :; done; : loop$$" >said.txt 2>&1 &
	pid=$!
	case $phase in
	counted) wait_until pgrep -f "perf stat .* -p [0-9]+ .*sleep" >log.txt ;;
	recording)
		wait_until test -s x.data
		wait_until has_begun "$(pgrep -o -f "^$program record .*loop$$")"
		;;
	esac
	runs_on
	kill -INT -- "-$(pgrep -o -f "^$program record .*loop$$")"
	wait $pid
	is "Ctrl-C when $phase: nothing is left running" "$(pgrep -f "loop$$")" ""
done
like "the recording is kept" "$(cat said.txt)" ' → x\.data \]'

done_testing

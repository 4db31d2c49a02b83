# SPDX-License-Identifier: MIT
#
# For the tests of perf-introperf: the program that was built.
# Sourced after tests/lib/tap.sh and tests/cli/graph.sh.
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # $tmp comes from tap.sh; the rest is for the tests

# Not that of `perf introperf`.
program=$ITP_BUILD_DIR/perf-introperf

# begin_recording goes to the test's directory; the test is skipped where perf may not record.
begin_recording() {
	command -v perf >/dev/null || skip_all "perf is not installed"
	cd "$tmp" || exit 99
	perf record -q -e raw_syscalls:sys_enter -o /dev/null -- true >log.txt 2>&1 ||
		skip_all "perf may not record here: $(head -n 1 log.txt)"
}

# introperf ARGUMENT… runs the program, in at most five minutes.
introperf() {
	LIBBABELTRACE2_NO_DLCLOSE=${ITP_PRELOAD:+1} timeout 300 "$program" "$@"
}

# begin_bpf_recording does as begin_recording; the test is skipped, too, where programs in the kernel may not
# record.
begin_bpf_recording() {
	begin_recording
	introperf record --bpf --overhead none -q -o try.data -- sleep 0 >log.txt 2>&1
	grep -q "built without" log.txt && skip_all "built without"
	grep -qE "not allow|cannot be" log.txt && skip_all "no BPF here: $(head -n 1 log.txt)"
}

# preloaded ARGUMENT… does so with interrupting.c.
preloaded() {
	local preload=$ITP_BUILD_DIR/tests/cli/.libs/interrupting.so
	ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD="${ITP_PRELOAD:+$ITP_PRELOAD:}$preload" introperf "$@"
}

# records_of FILE prints the records of a file of saved profiles, and records_of -- ARGUMENT… those that a
# graph prints, in the same words: without times of messages and names of labels, and with functions and
# contexts numbered as they come.
records_of() {
	if [ "$1" = -- ]; then
		graph "${@:2}" 2>/dev/null | sed -E 's/^.* (introperf:[a-z_]+: )/\1/
			s/\( "[a-z-]+" : container = ([0-9]+) \)/\1/g'
	else
		python3 "$ITP_SOURCE_DIR/tests/lib/profile-text.py" "$1"
	fi | awk '
		function renumber(name, map,    word, id) {
			if (!match($0, "[{,] " name " = [0-9]+")) {
				return
			}
			word = id = substr($0, RSTART, RLENGTH)
			sub(/.* /, "", id)
			sub(/[0-9]+$/, "", word)
			if (!(id in map)) {
				map[id] = ++count[name]
			}
			$0 = substr($0, 1, RSTART - 1) word map[id] substr($0, RSTART + RLENGTH)
		}
		BEGIN { functions[0] = nodes[0] = 0 }
		/^introperf:function:/ { renumber("id", functions) }
		/^introperf:node:/ { renumber("id", nodes); renumber("parent", nodes); renumber("function", functions) }
		/^introperf:waker:/ { renumber("process", functions); renumber("function", functions) }
		/^introperf:(waker|slowest|latency):/ { renumber("node", nodes) }
		{ print }'
}

# facts_of PROFILE prints what it says of its recording. That of a graph is of CTF 1.8.
facts_of() {
	if [ -d "$1" ]; then
		sed -n '/^env {$/,/^};$/s/^\t//p' "$1"/*/metadata
	else
		python3 "$ITP_SOURCE_DIR/tests/lib/profile-text.py" --facts "$1" | grep ';$'
	fi
}

# own_process PATTERN prints those of this test whose command line is like that: others may run the same
# test.
own_process() {
	local pid
	for pid in $(pgrep -f "$1"); do
		[ "$(readlink "/proc/$pid/cwd")" != "$(pwd -P)" ] || echo "$pid"
	done
}

# is_asleep PID: the program `sleep` there has begun to sleep. Before that it is not yet that program,
# or runs, or waits for its files.
is_asleep() {
	grep -q ' (sleep) S ' "/proc/$1/stat"
}

# has_begun PID: the `perf record` that this program has started waits for what comes, so that all is
# recorded from now on.
has_begun() {
	grep -q poll "/proc/$(pgrep -P "$1" -x perf)/wchan"
}

# has_run PID TICKS: it has had so many hundredths of a second of CPU time.
has_run() {
	awk -v ticks="$2" '{ sub(/.*\) /, ""); exit !($12 + $13 >= ticks) }' "/proc/$1/stat"
}

# complains SENTENCE STATUS MESSAGE ARGUMENT…: it ends with this status, this one line on standard
# error, and no result.
complains() {
	local sentence=$1 status=$2 message=$3 got
	shift 3
	introperf "$@" >"$tmp/output.txt" 2>"$tmp/errors.txt"
	got=$?
	is "$sentence" "$(cat "$tmp/errors.txt")
exit status $got, $(wc -c <"$tmp/output.txt") bytes" "introperf: $message
exit status $status, 0 bytes"
}

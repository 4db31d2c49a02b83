# SPDX-License-Identifier: MIT
#
# For the tests of perf-introperf: the program that was built.
# Sourced after tests/lib/tap.sh and tests/cli/graph.sh.
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # $tmp comes from tap.sh; the rest is for the tests

# Not that of `perf introperf`.
program=$ITP_BUILD_DIR/perf-introperf

# introperf ARGUMENT… runs the program, in at most two minutes.
introperf() {
	LIBBABELTRACE2_NO_DLCLOSE=${ITP_PRELOAD:+1} timeout 120 "$program" "$@"
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

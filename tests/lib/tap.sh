# SPDX-License-Identifier: MIT
#
# TAP for shell tests. A test sources this file, makes its checks, and ends with done_testing.
#
#   ok "sentence" COMMAND…        the command succeeds; its output is shown when it does not
#   not_ok "sentence" COMMAND…    the command fails
#   is "sentence" GOT WANTED      the texts are equal; their difference is shown
#   like "sentence" TEXT REGEX    the text matches the extended regular expression
#   unlike "sentence" TEXT REGEX  it does not
#   same "sentence" FILE FILE     the files are equal; their difference is shown
#   skip "sentence" "reason"      one check that cannot be made here
#   skip_all "reason"             ends the test: none of it can be run here
#   diag TEXT                     a remark for the reader, on standard error
#   wait_until COMMAND…           goes on when the command succeeds; fails after five minutes
#
# A test waits for what it needs, however busy the machine is: never for a time by which that should
# have come. The five minutes are for what never comes.
#
# $tmp is a directory of this test's own, removed at its end. A test that stops before
# done_testing prints no plan, which every TAP reader takes as a failure.
# shellcheck shell=bash

set -u

# Programs of the distribution come first: its packages bring the modules that tests need, and where a
# version manager stands in for python3, each call takes a second.
export PATH=/usr/bin:$PATH

tap_count=0
tap_failures=0

tmp=$(mktemp -d "${TMPDIR:-/tmp}/introperf-test.XXXXXX") || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

diag() {
	printf '%s\n' "$*" | sed 's/^/# /' >&2
}

# tap_report STATUS SENTENCE
tap_report() {
	tap_count=$((tap_count + 1))
	if [ "$1" -eq 0 ]; then
		printf 'ok %d - %s\n' "$tap_count" "$2"
	else
		tap_failures=$((tap_failures + 1))
		printf 'not ok %d - %s\n' "$tap_count" "$2"
	fi
	return "$1"
}

ok() {
	local sentence=$1 output status
	shift
	output=$("$@" 2>&1)
	status=$?
	tap_report "$status" "$sentence" || diag "exit status $status of: $*
$output"
}

not_ok() {
	local sentence=$1 output
	shift
	if output=$("$@" 2>&1); then
		tap_report 1 "$sentence"
		diag "no failure of: $*
$output"
	else
		tap_report 0 "$sentence"
	fi
}

is() {
	if [ "$2" = "$3" ]; then
		tap_report 0 "$1"
	else
		tap_report 1 "$1"
		diag "$(diff -u --label got --label wanted <(printf '%s\n' "$2") <(printf '%s\n' "$3"))"
	fi
}

same() {
	local output
	output=$(diff -u "$2" "$3" 2>&1)
	tap_report $? "$1" || diag "$output"
}

like() {
	[[ $2 =~ $3 ]]
	tap_report $? "$1" || diag "no match of $3 in:
$2"
}

unlike() {
	! [[ $2 =~ $3 ]]
	tap_report $? "$1" || diag "a match of $3 in:
$2"
}

skip() {
	tap_count=$((tap_count + 1))
	printf 'ok %d - %s # SKIP %s\n' "$tap_count" "$1" "$2"
}

skip_all() {
	printf '1..0 # SKIP %s\n' "$*"
	exit 0
}

wait_until() {
	local end=$((SECONDS + 300))
	until "$@" 2>/dev/null; do
		if [ "$SECONDS" -ge "$end" ]; then
			diag "this never came: $*"
			return 1
		fi
		sleep 0.05
	done
}

done_testing() {
	printf '1..%d\n' "$tap_count"
	exit $((tap_failures > 0))
}

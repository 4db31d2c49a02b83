# SPDX-License-Identifier: MIT
#
# What the tests of control flow share. Sourced behind tap.sh.
# shellcheck shell=bash

here=${ITP_SOURCE_DIR:-$(dirname "$0")/../..}/tests/flow
ask=${ITP_BUILD_DIR:-.}/tests/flow/ask

# check WHAT FILE POINTS QUESTIONS
check() {
	local line
	while IFS= read -r line; do
		case $line in
		"ok - "*) tap_report 0 "$1: ${line#ok - }" ;;
		"not ok - "*) tap_report 1 "$1: ${line#not ok - }" ;;
		*) diag "$line" ;;
		esac
	done < <("$ask" "$2" "$3" "$4")
}

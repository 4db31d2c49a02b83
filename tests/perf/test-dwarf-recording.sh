#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A program without frame pointers, recorded with copies of its stacks: the function that sleeps
# through the C library is in every stack of the sleep, and nearly every stack reaches its root.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=record.sh
. "$(dirname "$0")/record.sh"

record dwarf,8192 sleeping-filter
ok "the recording is read to its end" \
	sh -c "'$build/tests/perf/dump-stacks' '$data' > '$tmp/stacks.txt'"
grep -E 'do_nanosleep@\[kernel\]|hrtimer_nanosleep@\[kernel\]' "$tmp/stacks.txt" > "$tmp/sleeps.txt"
ok "there are stacks of the sleep" test "$(wc -l < "$tmp/sleeps.txt")" -ge 40
is "each of them shows the whole chain of callers" \
	"$(grep -vcE ' gzip_filter@sleeping-filter header_filter@sleeping-filter send_page@sleeping-filter main@' \
		"$tmp/sleeps.txt")" 0
ok "none lost its way through the C library" \
	test "$(grep -c ' _start@sleeping-filter$' "$tmp/sleeps.txt")" -eq \
	"$(wc -l < "$tmp/sleeps.txt")"
done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Memory that runs out inside of the libraries used here, at one place of many: the result is that
# of an undisturbed run to the byte, or the run says so. Some places are tried each time, always
# the same; all of them, which takes half an hour, by
#
#     make check TESTS=tests/corrupt/test-failed-allocations.sh ITP_FAIL_ALL=1

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/perf-introperf.sh
. "$(dirname "$0")/../cli/perf-introperf.sh"

[ -z "${ITP_PRELOAD:-}" ] || skip_all "the sanitizers have an allocator of their own"
ldd "$program" 2>/dev/null | grep -q 'libc\.so\.6' || skip_all "the C library is not glibc"
preload=$ITP_BUILD_DIR/tests/corrupt/.libs/failing-memory.so
enter_shop
ulimit -c 0

# ranked LIBRARY [N] runs with the N-th allocation of LIBRARY failing, or counts them into
# count.txt.
ranked() {
	timeout 120 env LD_PRELOAD="$preload" ITP_FAIL_LIBRARY="$1" ITP_FAIL_AT="${2:-}" \
		ITP_FAIL_COUNT=count.txt "$program" report --format jsonl --top 0 \
		--symfs symfs --kallsyms kallsyms good.data </dev/null
}

# is_silent LIBRARY N: the result differs, and nothing tells.
is_silent() {
	local status
	ranked "$1" "$2" >result.jsonl 2>errors.txt
	status=$?
	[ "$status" -eq 124 ] ||
		{ [ "$status" -eq 0 ] && [ ! -s errors.txt ] && ! cmp -s result.jsonl wanted.jsonl; }
}

# silent LIBRARY STRIDE prints which ones are silent, of the first and each STRIDE-th.
silent() {
	local count at
	ranked "$1" >counted.jsonl 2>errors.txt
	count=$(cat count.txt)
	for ((at = 1; at <= count; at += $2)); do
		! is_silent "$1" $at || printf '%s ' $at
	done 2>/dev/null
	[ "$count" -gt 0 ] || printf 'none was counted'
}

introperf report --format jsonl --top 0 --symfs symfs --kallsyms kallsyms good.data >wanted.jsonl \
	2>errors.txt
ok "there is a result" grep -q '"type":"path"' wanted.jsonl
# Of each library one in so many.
while read -r library stride; do
	[ -z "${ITP_FAIL_ALL:-}" ] || stride=1
	is "what fails in $library is told" "$(silent "$library" "$stride")" ""
done <<'EOF'
libtraceevent.so 61
libelf.so 3
libpcre2-8.so 199
libc.so 71
perf-introperf 1
EOF
# They are given GLib's functions.
for library in libjansson.so libcapstone.so; do
	ranked $library >result.jsonl 2>errors.txt
	is "nothing of $library can fail without a word" "$(cat count.txt)" 0
done

done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A recording with frame pointers of a program that keeps them and a C library that does not: what
# has called the library is in every stack, whoever reads the recording, and is marked.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/perf-introperf.sh
. "$(dirname "$0")/../cli/perf-introperf.sh"

command -v perf >"$tmp/which" || skip_all "perf is not installed"
cd "$tmp" || exit 99
head -c 50 /dev/zero | perf record -q -k CLOCK_MONOTONIC -o fp.data --call-graph fp \
	-e raw_syscalls:sys_enter,raw_syscalls:sys_exit \
	-- "$ITP_BUILD_DIR/tests/perf/server" 10 >record.log 2>&1 ||
	skip_all "perf may not record here: $(head -n 1 record.log)"

# A C library that keeps frame pointers hides nothing, or what calls its shortest functions.
grep -qE '(wait_for_request|answer)@' <("$ITP_BUILD_DIR/tests/perf/dump-stacks" fp.data) &&
	skip_all "this C library keeps frame pointers"

waits() {
	"$ITP_BUILD_DIR/tests/perf/dump-stacks" "$@" fp.data | grep -cE "$pattern"
}
# From glibc 2.41 on all functions that may be cancelled make their system calls in one.
like_one='|__internal_syscall_cancel'
grep -q __internal_syscall_cancel <("$ITP_BUILD_DIR/tests/perf/dump-stacks" fp.data) || like_one=
pattern="(epoll_wait$like_one)@[^ ]* main@"
ok "as recorded, a stack lacks what has called the C library" test "$(waits)" -ge 50
pattern="(epoll_wait$like_one)@[^ ]* \\+wait_for_request@server main@"
ok "it is put in" test "$(waits -f)" -ge 50
pattern=" (read$like_one)@[^ ]* \\+wait_for_request@server main@"
ok "as for any call that it makes" test "$(waits -f)" -ge 50
pattern="(nanosleep$like_one)@[^ ]* \\+answer@server main@"
ok "and for any function" test "$(waits -f)" -ge 50

# count OPTION… prints how many stacks the result says were completed.
count() {
	"$@" | sed -n 's/.*"completed_stacks":\([0-9]*\),"filled_frames":\([0-9]*\).*/\1 \2/p'
}
read -r stacks frames < <(count introperf report fp.data --format jsonl)
ok "the result tells how many stacks were completed" test "${stacks:-0}" -ge 300
ok "and by how many frames" test "${frames:-0}" -ge "$stacks"
is "none are if nobody wants it" "$(count introperf report fp.data --format jsonl --fill none)" "0 0"
like "the text tells their share" "$(introperf report -v fp.data)" \
	'Stacks: [0-9.]+ % of fp\.data.s were completed from the code'
unlike "it says nothing without them" "$(introperf report fp.data --fill none)" 'completed'
like "a path shows what was put in" "$(introperf report fp.data --format jsonl)" \
	'"function":"answer"'

graph fp.data >stacks.txt
like "messages of stacks say how many frames were put in" \
	"$(grep 'introperf:stack' stacks.txt)" 'filled = [1-9]'
like "which have no address" "$(grep 'filled = 1,' stacks.txt)" \
	'addresses = [^}]*\] = 0x0, [^}]*functions'
graph fp.data "${infer[@]}" >instances.txt
flags() {
	sed -n "s/.*function = \"$1\".* flags = \([0-9]*\),.*/\1/p" instances.txt | sort -u
}
ok "instances of these say so, too" test $(($(flags answer | tail -1) & 128)) -eq 128
ok "and others do not" test $(($(flags main | tail -1) & 128)) -eq 0
introperf report fp.data --format jsonl --continuity function >paper.jsonl
unlike "the paper's rules see stacks as they were recorded" "$(cat paper.jsonl)" \
	'"function":"answer"'

# Whoever else hands over the chains.
if perf data convert -i fp.data --to-ctf=fp.ctf --all >log 2>&1; then
	is "another tracer's trace is completed as well" \
		"$(count graph fp.ctf "${profile[@]}" "${rank[@]}" --params='format="jsonl"')" \
		"$stacks $frames"
	is "unless nobody wants it" \
		"$(count graph fp.ctf "${infer[@]}" --params='fill="none"' \
			-c filter.introperf.normalize "${rank[@]}" --params='format="jsonl"')" "0 0"
	is "with the option of perf introperf, too" \
		"$(count introperf report fp.ctf --format jsonl --fill none)" "0 0"
else
	skip "with the option of perf introperf, too" "this perf writes none"
	skip "another tracer's trace is completed as well" "this perf writes none"
	skip "unless nobody wants it" "this perf writes none"
fi
done_testing

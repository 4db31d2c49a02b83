#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A program without frame pointers, recorded with copies of its stacks: the function that sleeps
# through the C library is in every stack of the sleep, and nearly every stack reaches its root.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"
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

# summary_of KEY: a number of the suspect in the result's last line.
summary_of() {
	sed -n "\$s/.*\"suspect\":.*\"$1\":\([0-9]*\)[,}].*/\1/p" "$tmp/result.jsonl"
}

graph "$data" > "$tmp/messages.txt" 2> "$tmp/messages.log"
graph "$data" "${profile[@]}" "${rank[@]}" --params='format="jsonl"' > "$tmp/result.jsonl" \
	2> "$tmp/result.log"
ok "stacks say that they reach their root, and by what rules" grep -qE \
	'complete = 1,.* end = \( "root" .* found_by = \( "rule" ' "$tmp/messages.txt"
is "deep enough copies break no stack" "$(summary_of deep_stacks)" 0
ok "the result counts stacks by how their frames were found" test "$(sed -n \
	'$s/.*"found_by":{"recorder":[0-9]*,"rule":\([0-9]*\).*/\1/p' "$tmp/result.jsonl")" -ge 80

record dwarf,64 sleeping-filter
graph "$data" > "$tmp/messages.txt" 2> "$tmp/messages.log"
graph "$data" "${profile[@]}" "${rank[@]}" --params='format="jsonl"' > "$tmp/result.jsonl" \
	2> "$tmp/result.log"
ok "a copy that is too small breaks stacks by their depth" grep -qE \
	'complete = 0,.* end = \( "depth" ' "$tmp/messages.txt"
ok "the result counts them" test "$(summary_of deep_stacks)" -ge 80
like "and says what helps" "$(graph "$data" "${profile[@]}" "${rank[@]}" 2> "$tmp/result.log")" \
	'Stacks: >?9[0-9] % .* are deeper than the recorded'

# A page that the thread never touched ends each copy, whatever its size.
for size in 8192 32768; do
	record dwarf,$size large-frame
	graph "$data" > "$tmp/messages.txt" 2> "$tmp/messages.log"
	graph "$data" "${profile[@]}" "${rank[@]}" --params='format="jsonl"' > "$tmp/result.jsonl" \
		2> "$tmp/result.log"
	ok "copies of $size that end at a page that is not there break stacks by that" grep -qE \
		'complete = 0,.* end = \( "short-copy" ' "$tmp/messages.txt"
	ok "copies of $size: the result counts them" test "$(summary_of short_copies)" -ge 80
	is "copies of $size: and not as too deep" "$(summary_of deep_stacks)" 0
	graph "$data" "${profile[@]}" "${rank[@]}" > "$tmp/result.txt" 2> "$tmp/result.log"
	like "copies of $size: and says that no size helps" "$(tr -s ' \n' ' ' < "$tmp/result.txt")" \
		'go on behind a page of the stack that was never touched, .*no SIZE helps'
	unlike "copies of $size: rather than a larger one" "$(cat "$tmp/result.txt")" 'larger'
done

# Stacks that a program made itself begin with a return address that no call has left.
small=${ITP_SOURCE_DIR:-.}/tests/accuracy/small
if ${CC:-cc} -O2 -fomit-frame-pointer -I"$small" -o "$tmp/coroutines" "$small/coroutines.c" \
	2> "$tmp/cc.log"; then
	perf record -q -m 16M -o "$data" -e raw_syscalls:sys_enter --call-graph dwarf,4096 \
		-- "$tmp/coroutines" > "$tmp/record.log" 2>&1
	"$build/tests/perf/dump-stacks" "$data" > "$tmp/stacks.txt"
	ok "there are stacks of coroutines" test "$(grep -c ' body@coroutines ' "$tmp/stacks.txt")" \
		-ge 1000
	is "all of them have one root, in the C library" "$(grep ' body@coroutines ' \
		"$tmp/stacks.txt" | grep -oE '[^ ]*@[^ ]*$' | sort -u | grep -c '@libc')" 1
	graph "$data" "${profile[@]}" "${rank[@]}" --params='format="jsonl"' > "$tmp/result.jsonl" \
		2> "$tmp/result.log"
	is "and unwinding fails in none" "$(summary_of unwind_failures)" 0
else
	skip "stacks of coroutines" "no C compiler: $(head -n 1 "$tmp/cc.log")"
fi
done_testing

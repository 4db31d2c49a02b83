#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What names are missing is said on standard error: one line for the kernel, one for each module.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"

enter_shop

# warnings PARAMETERS SINK…: what reading good.data says; the build ids are replaced.
warnings() {
	local parameters=$1
	shift
	graph good.data --params="$parameters" "$@" 2>&1 >"$tmp/output.txt" |
		sed -E 's/[0-9a-f]{40}/ID/g; s,: /[^:]*/([^/:]+): ,: \1: ,'
}

dummy=(-c sink.utils.dummy)
is "a recording whose files are all there" "$(warnings "$symbols" "${dummy[@]}")" ""

: >empty
sed 's/^[0-9a-f]*/0000000000000000/' kallsyms >zeros
is "a kallsyms that hides its addresses (kptr_restrict)" \
	"$(warnings 'symfs="symfs",kallsyms="zeros"' "${dummy[@]}")" \
	"source.introperf.perf: good.data: warning: zeros: all addresses are hidden; kernel functions \
are shown by address (run as root, or set the sysctl kernel.kptr_restrict to 0, or give a copy \
made as root by parameter \"kallsyms\")"
is "a kallsyms without symbols" \
	"$(warnings 'symfs="symfs",kallsyms="empty"' "${dummy[@]}")" \
	"source.introperf.perf: good.data: warning: empty: no symbols of the recorded kernel; kernel \
functions are shown by address (give a copy of its /proc/kallsyms, made as root, by parameter \
\"kallsyms\")"

shop=$(find symfs -name shop -type f)
mv "$shop" kept
is "a file that is gone" "$(warnings "$symbols" "${dummy[@]}")" \
	"source.introperf.perf: good.data: warning: shop: no such file; its functions are shown by \
address (parameter \"symfs\" names a directory with the recorded machine's files)"
is "is said once, whatever the graph" \
	"$(warnings "$symbols" "${profile[@]}" "${rank[@]}" | grep -c warning:)" 1
like "and its functions are shown by address" \
	"$(graph good.data --params="$symbols" "${profile[@]}" "${rank[@]}" 2>&1)" 'shop\+0x'
printf 'text' >"$shop"
is "a file that is none" "$(warnings "$symbols" "${dummy[@]}")" \
	"source.introperf.perf: good.data: warning: shop: not a readable ELF file; its functions are shown \
by address"
cp "$(find symfs -name 'libc.so*' -type f)" "$shop"
is "a file of another build" "$(warnings "$symbols" "${dummy[@]}")" \
	"source.introperf.perf: good.data: warning: shop: this file's build id is ID, but ID was recorded; \
its functions are shown by address (keep the recorded build, or record again)"

# A kind of record that perf has not got yet, in the place of the first name of a thread.
number_at() {
	od -An -v -t "u$2" -j "$1" -N "$2" good.data | tr -d ' '
}
at=$(number_at 40 8)
until [ "$(number_at "$at" 4)" -eq 3 ]; do
	at=$((at + $(number_at $((at + 6)) 2)))
done
printf '\062' | dd of=good.data bs=1 seek="$at" conv=notrunc status=none
like "a record that nobody knows" "$(warnings "$symbols" "${dummy[@]}")" \
	'warning: records of unknown kinds were skipped, 1 in all'

done_testing

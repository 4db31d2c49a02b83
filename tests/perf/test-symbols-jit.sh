#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A program that makes its own code, puts other code over it and moves that: names come from its
# jitdump file, with and without `perf inject --jit`.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"

build=${ITP_BUILD_DIR:-.}
data=$tmp/perf.data

command -v perf > "$tmp/which" || skip_all "perf is not installed"

# record PERF-OPTION…: the program into $data, its dump in a new directory of $tmp/dumps
record() {
	rm -rf "$tmp/dumps"
	mkdir "$tmp/dumps"
	perf record -q -o "$data" -e raw_syscalls:sys_enter --call-graph fp "$@" -- \
		"$build/tests/perf/jit-program" "$tmp/dumps" > "$tmp/record.log" 2>&1
	case $? in
	0) ;;
	77) skip_all "the program makes code for x86-64 only" ;;
	*) skip_all "perf may not record here: $(head -n 1 "$tmp/record.log")" ;;
	esac
	dump=$(echo "$tmp"/dumps/jit-*.dump)
}

# calls FILE: the functions that called the kernel, each with its caller, and how often in a row
calls() {
	"$build/tests/perf/dump-stacks" "$1" |
		sed -n 's/.* \([^ ]*@\[[ja][^ ]*\) \([^ ]*@\[[ja][^ ]*\) run@.*/\1 \2/p' |
		sed -E 's/\+0x[0-9a-f]+/+ADDRESS/g' | uniq -c | sed 's/^ *//'
}

record -k CLOCK_MONOTONIC
three_runs="5 first_function@[jit] outer_function@[jit]
10 second_function@[jit] outer_function@[jit]"
is "each call is the function that was there when it was made" "$(calls "$data")" "$three_runs"
is "which then was at another address" \
	"$("$build/tests/perf/dump-stacks" -a "$data" | grep -o '[0-9a-f]*:second_function' |
		sort -u | wc -l)" 2
cp "$dump" "$tmp/whole"

# cut_to BYTES: the calls when only so much of the dump is there
cut_to() {
	head -c "$1" "$tmp/whole" > "$dump"
	calls "$data"
}
by_address="15 [anon]+ADDRESS@[anon] [anon]+ADDRESS@[anon]"
is "of a dump that was cut, what is there counts" \
	"$(cut_to $(($(stat -c %s "$tmp/whole") - 20)))" "5 first_function@[jit] outer_function@[jit]
5 second_function@[jit] outer_function@[jit]
5 [anon]+ADDRESS@[anon] outer_function@[jit]"
is "also when it ends in the first function" "$(cut_to 100)" "$by_address"
is "and in its header" "$(cut_to 30)" "$by_address"
head -c 5000 /dev/urandom > "$dump"
is "a file that is no dump" "$(calls "$data")" "$by_address"
rm "$dump"
is "a dump that is not there" "$(calls "$data")" "$by_address"
like "is said" "$(graph "$data" -c sink.utils.dummy 2>&1)" \
	"warning: $dump: no jitdump file of this user or root; code that the process made is shown by"
mkfifo "$dump"
is "a pipe is not read" "$(timeout 300 "$build/tests/perf/dump-stacks" "$data" | grep -c '@\[jit\]')" 0
rm "$dump"
cp "$tmp/whole" "$dump"
if [ "$(id -u)" -eq 0 ] && chown 65534 "$dump" 2> "$tmp/chown"; then
	is "a dump of another user is not believed" "$(calls "$data")" "$by_address"
	chown 0 "$dump"
else
	skip "a dump of another user is not believed" "only root can make one"
fi

if perf inject --jit -i "$data" -o "$tmp/injected.data" > "$tmp/inject.log" 2>&1; then
	rm "$dump"
	is "perf inject gives the same names" "$(calls "$tmp/injected.data")" "$three_runs"
else
	skip "perf inject gives the same names" "perf inject --jit fails: $(head -n 1 "$tmp/inject.log")"
fi

record
is "without the clock of the dump the last function at an address is shown" "$(calls "$data")" \
	"15 second_function@[jit] outer_function@[jit]"
done_testing

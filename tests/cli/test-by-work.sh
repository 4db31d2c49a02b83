#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What differs if the work is divided by, told where one run has done three times as much.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_bpf_recording
${CC:-cc} -O2 -g -o many-requests "$ITP_SOURCE_DIR/tests/cli/many-requests.c" || exit 99
introperf record --bpf -q -o good.data -- ./many-requests 90 500 >log.txt 2>&1
introperf record --bpf -q -o slow.data -- ./many-requests 270 2500 >>log.txt 2>&1
introperf record --bpf -q -o same.data -- ./many-requests 270 500 >>log.txt 2>&1

# said FILE…: a result with all its white space as single blanks.
said() {
	introperf diff "$@" 2>&1 | tr -s ' \n' ' '
}

result=$(said good.data slow.data)
like "most of it is more work" "$result" '^many-requests sleeps longer in draw'
like "which is said" "$result" 'seems to have done 3\.0 times as much, .*; say with --per call:[a-z_]+ what'
like "and what each request takes longer for" "$result" \
	'With --per call:[a-z_]+: many-requests sleeps longer in load \(clock_nanosleep\): 2\.[0-9] ms '
work=$(grep -oE -m 1 -e '--per call:[a-z_]+' <<<"$result" | head -n 1)
# shellcheck disable=SC2086 # two words
like "as with that option" "$(said $work good.data slow.data)" '^many-requests sleeps longer in load '
unlike "where nothing doubts it" "$(said $work good.data slow.data)" 'With --per'
like "nothing else differs where all of it is work" "$(said good.data same.data)" \
	'With --per call:[a-z_]+: No difference beyond chance'

done_testing

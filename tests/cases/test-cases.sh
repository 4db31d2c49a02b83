#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The quick cases: real programs, built and recorded here, and ranked with the plugin of the build.
# The directory $ITP_CASES_CACHE, if set, keeps the builds for the next time; without it, programs that take
# minutes to build are left out, as each check would build them.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${ITP_SOURCE_DIR:-$(dirname "$0")/../..}/tests/lib/tap.sh"

run=${ITP_SOURCE_DIR:-$(dirname "$0")/../..}/tests/cases/run
build=${ITP_BUILD_DIR:-.}
cache=${ITP_CASES_CACHE:-$tmp/cache}

# How far the culprit may be from the true function, where that is not 1: the ranking marks the
# scanner in which the time goes by, the fix was made in what calls it again and again.
declare -A distances=([expat-tokens]=3)

[ -z "${ITP_PRELOAD:-}" ] || skip_all "sanitizers would be preloaded into the recorded programs"
command -v apt-get > /dev/null || skip_all "the cases are built from Debian's sources"
perf record -q -e raw_syscalls:sys_enter -o "$tmp/data" -- true > "$tmp/record.log" 2>&1 ||
	skip_all "perf may not record here: $(head -n 1 "$tmp/record.log")"

mapfile -t all < <("$run" --list --quick --cache "$cache" | cut -d ' ' -f 1)
ok "there are at least six quick cases" test ${#all[@]} -ge 6

# is_built_long CASE
is_built_long() {
	grep -qE '\bneed (redis|sqlite)\b' "${run%/*}/$1/case.sh"
}
cases=()
for name in "${all[@]}"; do
	if [ -z "${ITP_CASES_CACHE:-}" ] && is_built_long "$name"; then
		skip "$name" "its program takes minutes to build: ITP_CASES_CACHE=DIR keeps it"
	else
		cases+=("$name")
	fi
done

# Building takes longest: the last are built while the first are built, recorded and ranked. What
# does not succeed is tried, and told of, when it is needed.
for ((i = ${#cases[@]} - 1; i > 0; i--)); do
	CACHE=$cache "${run%/*}/step" "${cases[i]}" build
done > "$tmp/builds" 2>&1 &
builder=$!
"$run" "$build" "${cases[@]}" --record --cache "$cache" --output "$tmp" > "$tmp/log" 2>&1
wait $builder

# figure CASE NAME
figure() {
	/usr/bin/python3 -c 'import json, sys
print(json.load(open(sys.argv[1]))[sys.argv[2]])' "$cache/figures/$1.json" "$2"
}

# at_most NUMBER LIMIT
at_most() {
	[ "$1" != None ] && [ "$1" -le "$2" ]
}

for name in "${cases[@]}"; do
	limit=${distances[$name]:-1}
	line=$(grep "^$name: " "$tmp/log")
	if [[ $line =~ "no source to be had"|"no Debian to fetch"|"install them first" ]]; then
		skip "$name" "$line"
		continue
	fi
	unlike "$name was measured" "$line" "not measured|^$" || continue
	diag "$line"
	ok "$name: the cause is on one of the first three paths" at_most "$(figure "$name" p_min)" 3
	ok "$name: its culprit is at most $limit away" at_most "$(figure "$name" distance)" "$limit"
done
like "a page was written" "$(cat "$tmp/cases.md")" "Beside today's tools"
done_testing

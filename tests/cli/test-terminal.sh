#!/bin/bash
# SPDX-License-Identifier: MIT
#
# In front of a terminal, which script(1) makes: colours, characters, width and the pager. What is
# no terminal gets the same bytes as ever.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

command -v script >/dev/null || skip_all "no script (package bsdutils)"
enter_shop
unset NO_COLOR PERF_PAGER PAGER LESS COLUMNS
export TERM=xterm
export -n LD_PRELOAD
escape=$'\033'
diff=("$program" diff --symfs symfs --kallsyms kallsyms good.data slow.data)
no_pager=("$program" --no-pager "${diff[@]:1}")

# on_terminal COLUMNS COMMAND…: its output as a terminal gets it, without carriage returns, goes to
# $shown, its exit status to $status. The shell that it runs in must know how bash quotes. All of it
# fits on the screen, where less does not wait for a key; it does if a line is cut off.
on_terminal() {
	local columns=$1 line
	shift
	printf -v line '%q ' "$@"
	LIBBABELTRACE2_NO_DLCLOSE=${ITP_PRELOAD:+1} SHELL=/bin/bash timeout 300 script -qec \
		"stty cols $columns rows 200; exec $line" /dev/null >shown.txt </dev/null
	status=$?
	shown=$(tr -d '\r' <shown.txt)
}

# Colours.
introperf "${diff[@]:1}" >plain.txt
on_terminal 80 "${no_pager[@]}"
like "a terminal gets colours" "$shown" "$escape\\[1;33m\\+[0-9]+ ms$escape\\[m"
is "and otherwise the same text" "$(sed "s/$escape\\[[0-9;]*m//g" <<<"$shown")" "$(cat plain.txt)"
NO_COLOR=1 on_terminal 80 "${no_pager[@]}"
is "NO_COLOR is respected" "$shown" "$(cat plain.txt)"
NO_COLOR= on_terminal 80 "${no_pager[@]}"
like "but not when it is empty" "$shown" "$escape\\[1;33m"
TERM=dumb on_terminal 80 "${no_pager[@]}"
is "a dumb terminal gets none" "$shown" "$(cat plain.txt)"
on_terminal 80 "${no_pager[@]}" --color never
is "nor does one that is not to have any" "$shown" "$(cat plain.txt)"
introperf "${diff[@]:1}" --color always >always.txt
like "a pipe gets them when asked to" "$(cat always.txt)" "$escape\\[1;33m"
on_terminal 80 babeltrace2 --plugin-path="$ITP_BUILD_DIR" "${good[@]}" "${slow[@]}" "${profile[@]}" \
	"${rank[@]}" --params='base="good.data"'
like "so does babeltrace2 on a terminal" "$shown" "$escape\\[1;33m\\+[0-9]+ ms$escape\\[m"
complains "a wrong color" 1 '--color: "red" is not one of auto, never, always' "${diff[@]:1}" --color red

# Characters and columns.
LC_ALL=C on_terminal 80 "${no_pager[@]}" --color never
unlike "without Unicode a terminal gets none" "$(LC_ALL=C tr -d '\000-\177' <shown.txt)" .
like "but its replacements" "$shown" 'D cost .* <[0-9.]+ [mu]s .* > take_price_lock > pause_ns < culprit'
LC_ALL=C introperf "${diff[@]:1}" >pipe.txt
same "a pipe gets the same in any locale" pipe.txt plain.txt
on_terminal 120 "${no_pager[@]}" --color never
is "a wide terminal is used" "$((120 - $(wc -L <<<"$shown") < 20))" 1
on_terminal 80 env LC_ALL=xx_XX.UTF-8 "${no_pager[@]}" --color never
is "a locale of Unicode that is not installed counts" "$shown" "$(cat plain.txt)"

on_terminal 400 "${no_pager[@]}" --color never
is "however wide, no line is wider" "$status $(($(wc -L <<<"$shown") <= 400))" "0 1"
on_terminal 60 "${no_pager[@]}" --color never
narrow=$shown
is "a narrow one is not left, but for what is to be copied" \
	"$status $(($(grep -v '^Calls of path' <<<"$narrow" | wc -L) <= 60))" "0 1"
on_terminal 20 "${no_pager[@]}" --color never
is "one that is too narrow for any row breaks lines of 60 columns" "$status $shown" "0 $narrow"
ok "on 80 columns a result needs 25 lines at most" test "$(wc -l <plain.txt)" -le 25

LC_ALL=C on_terminal 80 "$program" --no-pager report a…×.data
is "messages are in ASCII, too" "$shown" "introperf: a...x.data: No such file or directory"

# The pager.
mark='sed s/^/:/'
PERF_PAGER=$mark PAGER=false on_terminal 90 "${diff[@]}"
is "every line goes through PERF_PAGER" "$(grep -vc '^:' <<<"$shown")" 0
like "colours are there" "$shown" "$escape\\[1;33m"
is "and the width is that of the terminal" "$(sed "s/^://; s/$escape\[[0-9;]*m//g" <<<"$shown")" \
	"$(on_terminal 90 "${no_pager[@]}" --color never; echo "$shown")"
PAGER=$mark on_terminal 80 "${diff[@]}"
is "PAGER is the second choice" "$(grep -vc '^:' <<<"$shown")" 0
for nothing in cat ''; do
	PERF_PAGER=$nothing PAGER=$mark on_terminal 80 "${diff[@]}"
	is "PERF_PAGER=$nothing is none" "$(grep -c '^:' <<<"$shown")" 0
done
PAGER=$mark on_terminal 80 "${no_pager[@]}"
is "--no-pager is stronger" "$(grep -c '^:' <<<"$shown")" 0
PAGER=$mark introperf "${diff[@]:1}" >pipe.txt
same "a pipe has no pager" pipe.txt plain.txt
PAGER='touch paged' on_terminal 80 "${diff[@]}" --output result.txt
not_ok "without output it is not started" test -e paged
same "the file has what it should" result.txt plain.txt
PAGER=$mark on_terminal 80 "${diff[@]}" --fail-above 1%
is "the exit status is that of the command" "$status" 3
like "what is said comes last" "$(tail -n 1 <<<"$shown")" '^:introperf: slower than --fail-above'
PAGER='exec true' on_terminal 80 "${diff[@]}"
ok "a pager that does not read ends nothing but the output" test "$status" -le 1 -o "$status" -eq 141
for pager in /nowhere/pager false 'echo >/dev/null; exit 2'; do
	PAGER=$pager on_terminal 80 "${diff[@]}"
	is "nothing is lost by a pager that fails: $pager" \
		"$status $(sed "s/$escape\[[0-9;]*m//g" <<<"$shown" | tail -n "$(wc -l <plain.txt)")" "0 $(cat plain.txt)"
	like "and that is said" "$shown" "introperf: the pager \"$pager\" has failed; this is the text without it"
done
# More than a pipe holds.
introperf report --symfs symfs --kallsyms kallsyms --top 0 --format jsonl --color never slow.data >long.txt
PAGER=false on_terminal 80 "$program" report --symfs symfs --kallsyms kallsyms --top 0 --format jsonl slow.data
is "also of a long text" "$status $(grep -v '^introperf: ' <<<"$shown" | cksum)" "0 $(cksum <long.txt)"
PAGER=cat\ -u on_terminal 80 "$program" report --symfs symfs --kallsyms kallsyms --top 0 --format jsonl slow.data
is "and a pager gets all of it" "$status $(cksum <<<"$shown")" "0 $(cksum <long.txt)"
# Who reads only the beginning. perf runs a program that no signal may end.
on_terminal 80 bash -c "'$program' report --symfs symfs --kallsyms kallsyms --top 0 --format jsonl slow.data | head -n 1"
is "the end of a pipe ends it quietly" "$shown" "$(head -n 1 long.txt)"
# Somebody reads so many bytes: the first ones, and some that are further on.
for format in text jsonl; do
	introperf diff "${diff[@]:2}" --format $format >whole.txt
	for bytes in {1..8} 79 80 81 512 4095 4096 4097 $(($(stat -c %s whole.txt) - 1)); do
		introperf diff "${diff[@]:2}" --format $format 2>errors.txt | head -c "$bytes" | cmp -n "$bytes" - whole.txt
		cat errors.txt
	done >different.txt 2>&1
	is "at whichever byte it ends: $format" "$(cat different.txt)" ""
done
if command -v perf >/dev/null; then
	(
		set -o pipefail
		PATH=$ITP_BUILD_DIR:$PATH perf introperf report --symfs symfs --kallsyms kallsyms --top 0 \
			--format jsonl slow.data 2>errors.txt | head -n 1 >begin.txt
	)
	is "also run by perf" "$? $(cat errors.txt begin.txt)" "141 $(head -n 1 long.txt)"
else
	skip "also run by perf" "perf is not installed"
fi
on_terminal 80 "$program" export --symfs symfs --kallsyms kallsyms --format pprof slow.data
is "a terminal gets nothing binary" "$shown" \
	"introperf: --output: --format pprof is nothing for a terminal; name a file, or redirect"

if command -v less >/dev/null; then
	on_terminal 200 "$program" "${diff[@]:1}" --top 1
	like "less is used, and passes colours" "$shown" "$escape\\[1;33m\\+[0-9]+ ms$escape\\["
else
	skip "less is used, and passes colours" "no less"
fi

done_testing

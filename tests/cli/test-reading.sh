#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Every line of a ranking answers a question: doc/reading.md has them all, and no others. And what the
# words mean that a ranking uses is told with it, of these alone.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

enter_shop
unset PERF_PAGER PAGER COLUMNS
symbols=(--symfs symfs --kallsyms kallsyms --color never)

# wide FILE ARGUMENT… writes what a terminal shows that breaks no line.
wide() {
	local file=$1
	shift
	LIBBABELTRACE2_NO_DLCLOSE=${ITP_PRELOAD:+1} TERM=xterm /usr/bin/python3 \
		"$ITP_SOURCE_DIR/tests/cli/in-terminal.py" 9000x4000 -- \
		bash -c '"$0" --no-pager "$@" 2>errors.txt' "$program" "$@" |
		sed '/^status [0-9]* restored/d' >"$file"
}

wide brief.txt diff "${symbols[@]}" good.data slow.data
wide slower.txt diff -v "${symbols[@]}" good.data slow.data
wide faster.txt diff -v "${symbols[@]}" slow.data good.data
wide single.txt report -v "${symbols[@]}" slow.data
wide all.txt report -v "${symbols[@]}" --top 0 good.data
head -c 60000 good.data >cut.data
wide cut.txt diff -v "${symbols[@]}" --top 3 cut.data slow.data
ok "there are rankings" grep -q '^Own latency' slower.txt
ok "of what got faster, too" grep -q '^It got faster' faster.txt
known=()
for name in brief-changes brief-comparison brief-single changes changes-color comparison deep equal-names faster incomplete per-call poor runs \
	single unknown-calls unknown-calls-single variants; do
	known+=("$ITP_SOURCE_DIR/tests/unit/render/$name-80.txt")
done
is "each line of a ranking answers one of the questions, and each question is answered by a line" \
	"$(/usr/bin/python3 "$ITP_SOURCE_DIR/tests/cli/reading.py" "$ITP_SOURCE_DIR/doc/reading.md" \
		brief.txt slower.txt faster.txt single.txt all.txt cut.txt -- "${known[@]}")" ""

introperf diff "${symbols[@]}" --explain good.data slow.data >explained.txt
introperf diff "${symbols[@]}" good.data slow.data >plain.txt
is "--explain adds words behind the ranking, and nothing else" \
	"$(sed '/^Words:$/,$d' explained.txt | sed '$d' | grep -v '^Calls of path 1')" \
	"$(grep -v '^Calls of path 1' plain.txt)"
sed '1,/^Words:$/d' explained.txt >words.txt
ok "among them is what the ranking uses" grep -q '^culprit, ◀  *The function to open first' words.txt
is "and nothing that it does not" "$(grep -E '^(unit|knot|share|moved here) ' words.txt)" ""
introperf report "${symbols[@]}" --explain slow.data | sed '1,/^Words:$/d' >words.txt
is "of one recording there is no base to explain" "$(grep -cE '^(base|new|Δ)' words.txt)" 0
ok "but a share" grep -q '^share ' words.txt
complains "nothing but text is explained" 1 \
	'--explain: only text has words to explain; leave out --format' \
	report "${symbols[@]}" --explain --format jsonl slow.data
done_testing

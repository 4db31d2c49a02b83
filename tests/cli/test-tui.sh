#!/bin/bash
# SPDX-License-Identifier: MIT
#
# report --tui and diff --tui in a terminal that tmux makes: what keys show, sizes, colours, and that
# the terminal is what it was however one leaves. What is on which page, tests/unit/test-browser knows.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

enter_shop
files=(--symfs symfs --kallsyms kallsyms good.data slow.data)

# Without a terminal.
if introperf diff --tui "${files[@]}" 2>&1 </dev/null | grep -q 'built without ncurses'; then
	skip_all "built without ncurses"
fi
complains "without a terminal it says so" 1 \
	"--tui: standard input and output have to be a terminal; leave it out to have the ranking printed" \
	diff --tui "${files[@]}"
complains "it writes no page beside" 1 "--tui: the ranking is shown, and not written; leave out --html" \
	diff --tui --html page.html "${files[@]}"
complains "nor another format" 1 "--tui: the ranking is shown, and not written; leave out --format" \
	diff --tui --format csv "${files[@]}"

command -v tmux >/dev/null || skip_all "no tmux"
export -n LD_PRELOAD
export LIBBABELTRACE2_NO_DLCLOSE=${ITP_PRELOAD:+1}
unset NO_COLOR TMUX PERF_PAGER PAGER

terminal() {
	tmux -S "$tmp/tmux" -f /dev/null "$@"
}
trap 'terminal kill-server 2>/dev/null; rm -rf "$tmp"' EXIT

# seen: the screen. shows PATTERN: whether that is on it.
seen() {
	terminal capture-pane -p "$@"
}
shows() {
	seen | grep -qE -- "$1"
}

# press PATTERN KEY…: until that is seen.
press() {
	local pattern=$1
	shift
	terminal send-keys "$@"
	wait_until shows "$pattern"
}

# begin VARIABLE=VALUE… -- ARGUMENT…: diff --tui of the shop in an environment, until it is seen.
# Behind it comes how it ended and what the terminal is like.
begin() {
	local variables=()
	while [ "$1" != -- ]; do
		variables+=("$1")
		shift
	done
	shift
	terminal send-keys "clear; env ${variables[*]} $program diff --tui $*; . ./ended.sh" Enter
	wait_until shows '^good.data (→|>) slow.data|^Path'
}

cat >ended.sh <<'END'
echo "ended: $?"
stty -a | grep -oE -- '[ -](echo|icanon)\b'
END

# at_rest STATUS: the shell has the terminal as it was.
at_rest() {
	shows "^ended: $1" && seen | grep -qE '^ echo$' && seen | grep -qE '^ icanon$'
}

terminal new-session -d -x 100 -y 30 "PS1='$ ' exec bash --norc --noprofile"

begin -- "${files[@]}"
like "the ranked paths are there" "$(seen)" ' 1 +\+[0-9]+ ms .* pause_ns'
press '^Path 1: pause_ns in shop' Enter
like "Enter opens one at its culprit" "$(seen)" '▶ pause_ns'
press '^Contexts: good.data → slow.data' t
like "t shows it in the tree" "$(seen)" '- #3 take_price_lock'
press 'nowhere here' / 'no such function' Enter
press '^Path 1' Escape
ok "Escape leads back" press '^good.data → slow.data' Escape
terminal resize-window -x 40 -y 14
narrow() {
	shows '# +Δ cost +where' && seen | tail -n 1 | grep -q 'q quit$'
}
ok "a narrow terminal keeps costs and names" wait_until narrow
terminal resize-window -x 100 -y 30
ok "and a wide one all of it" wait_until shows 'calls +each +why'
press '^ended' q
ok "q leaves the terminal as it was" wait_until at_rest 0

begin -- "${files[@]}"
press '^ended' C-c
ok "so does Ctrl-C" wait_until at_rest 0

for signal in TERM HUP; do
	begin -- "${files[@]}"
	kill -s "$signal" "$(own_process "^$program diff --tui")"
	ok "so does SIG$signal, which ends it" wait_until at_rest $((128 + $(kill -l "$signal")))
done

begin -- "${files[@]}"
press 'Stopped' C-z
press '^good.data → slow.data' 'clear; fg; . ./ended.sh' Enter
press '^ended' q
ok "it stops and goes on" wait_until at_rest 0

terminal send-keys "clear; $program report --tui ${files[*]}; . ./ended.sh" Enter
wait_until shows '^good.data: .* \(1 of 2\)'
press '^slow.data: .* \(2 of 2\)' '>'
press 'There is no recording behind' '>'
press '^good.data: .* \(1 of 2\)' '<'
like "of several recordings one goes from one to the next" "$(seen)" '  1 +[0-9]+ ms'
press '^ended' q
ok "and leaves all of them" wait_until at_rest 0

begin -- --path 2 "${files[@]}"
like "--path opens a path at once" "$(seen)" '^Path 2: '
press '^ended' q

escape=$'\033'
begin -- "${files[@]}"
# The selected row is shown in another way.
terminal send-keys Down
is_yellow() {
	seen -e | grep -qE "$escape\\[([0-9]+;)*33m.*563 ms"
}
ok "what is large is yellow" wait_until is_yellow
press '^ended' q
begin NO_COLOR=1 -- "${files[@]}"
unlike "unless NO_COLOR is set" "$(seen -e)" "$escape\\[([0-9]+;)*3[0-7]m"
press '^ended' q
begin LC_ALL=C -- "${files[@]}"
unlike "without Unicode there is none" "$(seen | LC_ALL=C tr -d '\000-\177')" .
press '^ended' q

terminal send-keys "clear; TERM=dumb $program diff --tui ${files[*]}" Enter
ok "a dumb terminal is told" wait_until shows 'a terminal of the kind "dumb"'

done_testing

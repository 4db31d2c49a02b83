#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The commands of `perf introperf` in the README, one after the other as they stand there, on a program
# of its own: with 1234 a process that runs, F a function of it that is counted in all recordings, or a type
# of its units, and times as it has them.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/perf-introperf.sh
. "$(dirname "$0")/../cli/perf-introperf.sh"

begin_recording
[ "$(id -u)" -eq 0 ] || skip_all "counting calls needs root"
${CC:-cc} -O1 -g -fno-omit-frame-pointer -fno-inline -fno-optimize-sibling-calls -pthread -o program \
	"$ITP_SOURCE_DIR/doc/recipes/orders.c" || exit 99
export PATH=$ITP_BUILD_DIR:$PATH LIBBABELTRACE2_NO_DLCLOSE=${ITP_PRELOAD:+1}

# The first indented block below the heading.
awk '/^## perf introperf$/ { found = 1; next }
	found && /^    / { print substr($0, 5); seen = 1; next }
	seen { exit }' "$ITP_SOURCE_DIR/README.md" >commands
ok "the README has them" test "$(wc -l <commands)" -ge 15

# here COMMAND puts in what stands for something else.
here() {
	# shellcheck disable=SC2001,SC2016
	sed -E 's/unit:F/unit:serve/; s/\bF\b/handle_order/g; s/record -o/record --count handle_order -o/
		s/100ms/10us/; s/-p 1234/-p $server/; s/old=new/program=program/' <<<"$1"
}

# As a user goes on: what is compared with a profile is another recording. The program runs for 8 s, in which
# whatever watches it has to begin; top ends with it.
while read -r command; do
	./program 6000 rates >journal.txt &
	server=$!
	[ ! -e slow.data ] || cp slow.data new.data
	commands=$(here "$command")
	# A terminal, in which somebody quits.
	[[ $command != *--tui* ]] || commands="sleep 2 | cat - <(echo q) | script -qec '$commands' /dev/null"
	export server
	if [[ $command == *guard\ * ]] && ! perf-introperf guard --help >help.txt 2>&1; then
		skip "$command" "guards are not built"
	else
		ok "$command" timeout 120 bash -c "$commands" </dev/null
	fi
	kill "$server" 2>/dev/null
	wait "$server" 2>/dev/null
done <commands

done_testing

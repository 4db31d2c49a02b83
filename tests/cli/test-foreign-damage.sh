#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Traces of LTTng's kernel tracer that lack something, or are not as they should be: events are
# lost, fields have other types, clocks differ, time goes back, a stream never ends.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"

perf data convert --help 2>&1 | grep -q -- --to-ctf || skip_all "no perf that writes CTF"
export BABELTRACE_PLUGIN_PATH=$ITP_SOURCE_DIR/tests/cli
export PYTHONDONTWRITEBYTECODE=1
graph list-plugins 2>/dev/null | grep -q '^lttng:' ||
	skip_all "Babeltrace finds no Python plugins (python3-bt2)"
enter_shop
perf data convert -i good.data --to-ctf=good.ctf --all >/dev/null 2>&1

# changed WITHOUT FILTER sets $chain to a graph with that change. There is no muxer in it, which
# would refuse some of them before we do.
changed() {
	chain=(run --component=s:source.lttng.kernel --params="perf=\"good.ctf\",without=\"$1\""
		--component="y:filter.introperf.$2" --params="$symbols"
		--component=i:filter.introperf.infer --params="$symbols"
		--component=n:filter.introperf.normalize
		--component=r:sink.introperf.rank --params='format="jsonl"'
		--connect=s:y --connect=y:i --connect=i:n --connect=n:r)
}

# ranked WITHOUT runs it; the ranking is in result.txt. Names that are put beside are no hindrance.
ranked() {
	changed "$1" symbolize
	graph "${chain[@]}" >result.txt 2>errors.txt
	status=$?
}

# summary KEY prints a member of the last line.
summary() {
	tail -n 1 result.txt | grep -o "\"$1\":[a-z0-9]*" | head -n 1 | cut -d: -f2
}

# instances WITHOUT prints "COUNT FLAGS" of all.
instances() {
	graph run --component=s:source.lttng.kernel --params="perf=\"good.ctf\",without=\"$1\"" \
		--component=i:filter.introperf.infer --component=o:sink.text.pretty \
		--connect=s:i --connect=i:o 2>/dev/null |
		sed -n 's/.*introperf:instance.* flags = \([0-9]*\),.*/\1/p' | sort | uniq -c | sed 's/^ *//'
}

ranked ""
is "as it should be, it is complete" "$status $(summary complete) $(summary losses)" "0 true 0"
is "and nothing ends by a loss" "$(instances "" | grep -c ' [67]$')" 0
cp result.txt whole.txt

ranked discarded-events
is "discarded events make it incomplete, and are counted" \
	"$status $(summary complete) $(summary losses) $(summary lost_events)" "0 false 1 7"
like "what was open has no known end" "$(instances discarded-events | grep ' [67]$')" '^[1-9]'
ranked discarded-packets
is "discarded packets make it incomplete; how many events were in them, nobody knows" \
	"$status $(summary complete) $(summary losses) $(summary lost_events)" "0 false 1 0"
like "what was open has no known end then, too" "$(instances discarded-packets | grep ' [67]$')" '^[1-9]'

ranked compat
same "system calls of 32-bit programs are system calls" \
	<(grep '"type":"path"' result.txt) <(grep '"type":"path"' whole.txt)

ranked time-backwards
is "where time goes back, the run ends" "$status" 1
like "with what went before, labelled" "$(summary ended_by_error) $(summary complete)" '^true false$'
like "and says where" "$(tr -s '\n ' ' ' <errors.txt)" \
	'filter.introperf.infer: kernel: at [0-9]+ ns: an event is older than its predecessor'
changed two-clocks symbolize
fails_with "two clocks" "filter.introperf.infer: kernel: its streams have clocks that differ, so \
their events cannot be put in order" "${chain[@]}"
ranked no-end
is "a stream that never ends was cut" "$status $(summary complete) $(summary cut)" "0 false true"

# Whatever types the fields have: a ranking, or one error.
for field in procname pid callstack_kernel callstack_user ret prev_state next_comm next_tid \
	parent_tid child_pid; do
	ranked "other-type:$field"
	is "a field \"$field\" of another type is taken for missing" "$status $(summary ended_by_error)" \
		"0 false"
done
changed other-type:tid symbolize
fails_with 'a field "tid" of another type is, too' 'filter.introperf.symbolize: kernel: event "sched_process_exec" does not tell its thread (tid); record with `lttng add-context --kernel --type=tid --type=pid --type=procname`' \
	"${chain[@]}"

done_testing

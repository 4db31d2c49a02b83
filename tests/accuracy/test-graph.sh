#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What the accuracy bench does with a recording: parts of it, and the plugin's messages as columns.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "${ITP_SOURCE_DIR:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$ITP_SOURCE_DIR/tests/cli/graph.sh"

/usr/bin/python3 -c 'import numpy' 2>"$tmp/numpy" || skip_all "python3-numpy is not installed"
enter_shop

# bench CODE runs Python with the bench's modules; the shop's recording is `data`.
bench() {
	PYTHONPATH=$ITP_SOURCE_DIR/tests/accuracy /usr/bin/python3 -B - <<-END
		import numpy as np
		from bench.recording import Recording
		data = Recording("good.data")
		everything = np.ones(len(data.samples.tid), dtype=bool)
		$1
	END
}

# kinds NAME prints how many stacks of each kind the recording has.
kinds() {
	graph "$1" --params="$symbols" | grep -o 'introperf:stack: { kind = ( "[a-z-]*"' |
		sed 's/.*"\(.*\)"/\1/' | sort | uniq -c | awk '{ print $2, $1 }'
}

bench 'data.write("whole.data", everything)'
ok "a recording of which nothing is left out is the same" cmp good.data whole.data
kinds good.data >whole.txt
bench 'data.write("part.data", ~data.is_event("cpu-clock"))'
kinds part.data >part.txt
is "without the timer's events all others are left" \
	"$(cat part.txt)" "$(grep -v '^sample ' whole.txt)"
is "there were some" "$(grep -c '^sample ' whole.txt)" 1
like "what is left is read to its end" \
	"$(graph part.data --params="$symbols" "${infer[@]}" | tail -n 1)" " complete = 1,"
bench 'data.write("calls.data", data.is_event("raw_syscalls"), keep_switches=False)'
is "with system calls alone there are neither switches nor wakeups" \
	"$(kinds calls.data | grep -E '^(switch|wakeup|sample)')" ""

# The sink is a module of its own. With sanitizers the runtime has to come first, as in graph().
mkdir columns
LIBBABELTRACE2_NO_DLCLOSE=${ITP_PRELOAD:+1} env LD_PRELOAD="${ITP_PRELOAD:-}" \
	babeltrace2 --plugin-path="$ITP_BUILD_DIR:$ITP_BUILD_DIR/tests/accuracy" "${good[@]}" \
	"${infer[@]}" -c sink.accuracy.columns --params='path="columns"' >errors 2>&1
is "the sink says nothing" "$(cat errors)" ""
graph "${good[@]}" "${infer[@]}" | grep 'introperf:instance' >instances
is "the columns have as many instances as the timeline" \
	"$(($(stat -c %s columns/instance.i64) / 8 / $(wc -l <columns/instance.columns)))" \
	"$(wc -l <instances)"
bench 'from bench.graph import Tables
table = Tables("columns").table("instance")
names = ("tid", "conservative_ns", "lower_ns", "upper_ns")
np.savetxt("columns.txt", np.stack([table[name] for name in names], axis=1), fmt="%d")'
sed -E 's/.* tid = ([0-9]+),.* conservative_ns = ([0-9]+),.* lower_ns = ([0-9]+), upper_ns = ([0-9]+),.*/\1 \2 \3 \4/' \
	instances >timeline.txt
ok "latency, bounds and thread are those of the timeline" cmp columns.txt timeline.txt

done_testing

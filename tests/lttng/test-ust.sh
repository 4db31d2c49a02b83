#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Real traces of function entries and exits by LTTng-UST: every call counted, with exact times.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"

# shellcheck source-path=SCRIPTDIR source=ust.sh
. "$(dirname "$0")/ust.sh"

cp "$ITP_BUILD_DIR/tests/lttng/calls" .

# record NAME VARIANT CONTEXT…
record() {
	local name=$1 variant=$2
	shift 2
	record_program "$name" "$variant" calls "$@"
}

# The exit of throw_jump() is missing: it seems to go on until catch_jump() ends, and may have ended
# before.
wanted='1 catch_jump 2 exact
60 leaf 3 exact
1 leaf 4 exact
1 main 1 exact
20 middle 2 exact
1 run 1 exact
1 throw_jump 3'

record full "" vpid vtid procname
is "all calls are counted, and exact" "$(calls full/trace)" "$wanted"
graph --clock-seconds --clock-gmt full/trace 2>/dev/null |
	python3 "$ITP_SOURCE_DIR/tests/lttng/count-calls.py" events >events.txt
graph full/trace "${infer[@]}" 2>/dev/null |
	python3 "$ITP_SOURCE_DIR/tests/lttng/count-calls.py" instances >instances.txt
same "an independent count has as many calls, and the same times" \
	<(cut -d' ' -f1,2 instances.txt | sort) <(cut -d' ' -f1,2 events.txt | sort)
is "functions have their module" \
	"$(graph full/trace "${infer[@]}" 2>/dev/null | grep -c 'name = "middle", module = "calls"')" 1
is "a call of leaf() takes at least as long as it sleeps" \
	"$(graph full/trace "${infer[@]}" 2>/dev/null |
		grep -cE 'function = "leaf".* lower_ns = [1-9][0-9]{5}')" 61
record fast -fast vpid vtid procname
unlike "the fast variant does not say which function ends" \
	"$(graph fast/trace-fast 2>/dev/null | grep -m 1 func_exit)" 'addr ='
# So nobody can tell which exit is missing.
is "all calls are counted there, too" "$(calls fast/trace-fast | grep -E 'leaf|middle|run')" \
	"$(grep -E 'leaf|middle|run' <<<"$wanted")"

record bare "" procname
fails bare/trace "${profile[@]}" "${rank[@]}"
like "a trace that does not tell threads is refused" "$status $causes" \
	'^1 filter.introperf.infer: .*: event "lttng_ust_cyg_profile:func_entry" does not tell its thread \(tid\); record with `lttng add-context --userspace --type=vtid --type=vpid --type=procname`$'
done_testing

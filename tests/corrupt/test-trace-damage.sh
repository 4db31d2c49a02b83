#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Traces of our own stages, saved and then damaged, in graphs. Babeltrace's reader may refuse one, crash
# on it, or come to no end with it; our components never bring the process down: an error that the
# reader leaves behind with messages ends the input, with a result of what came before.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"

command -v python3 >/dev/null || skip_all "python3 is not installed"
enter_shop
graph "${good[@]}" -c sink.ctf.fs --params="${as_ctf_1}"'path="stacks"' >/dev/null 2>&1
graph "${good[@]}" "${infer[@]}" -c sink.ctf.fs --params="${as_ctf_1}"'path="calls"' >/dev/null 2>&1

# What libbabeltrace2 says before it ends the process of a component that uses it wrongly.
wrong_use='precondition not satisfied|while current thread has an error'

# damaged GRAPH… runs a graph with what is in the directory "damaged", sets $status. A reader without
# end is ended, and one that asks for any memory gets 4 GB.
damaged() {
	(
		exec 2>/dev/null
		ulimit -c 0
		[ -n "${ITP_PRELOAD:-}" ] || ulimit -v 4000000
		LIBBABELTRACE2_NO_DLCLOSE=${ITP_PRELOAD:+1} timeout 20 env \
			LD_PRELOAD="${ITP_PRELOAD:-}" babeltrace2 --plugin-path="$ITP_BUILD_DIR" \
			damaged "$@" >output.txt 2>errors.txt
	)
	status=$?
}

# With an alignment that no number has, the reader of Babeltrace 2.0 hands out the beginning of the
# stream, and leaves its error on the thread.
mkdir damaged
cp "$(dirname "$(find calls -name metadata)")"/* damaged
sed -i '/"introperf:function"/,/} align(8)/s/} align(8)/} align(18446744073709551615)/' damaged/metadata
ok "the alignment is there" grep -qF 'align(18446744073709551615)' damaged/metadata
for stage in "filter.introperf.normalize" "filter.introperf.symbolize" "filter.introperf.wait" \
	"filter.introperf.unit" "sink.introperf.mine" "sink.introperf.export" "sink.introperf.rank"; do
	damaged -c "$stage"
	is "an error beside messages is one for $stage: exit status" "$status" 1
	unlike "and no wrong use of libbabeltrace2" "$(cat errors.txt)" "$wrong_use"
done

# crashed_here GRAPH…: it crashes again, and the innermost function outside of libc and GLib is ours,
# which, unlike those of Babeltrace, has a line of source. Where there is no gdb, nobody knows.
crashed_here() {
	gdb -batch -ex run -ex bt --args babeltrace2 --plugin-path="$ITP_BUILD_DIR" damaged "$@" \
		2>/dev/null </dev/null | grep '^#' | grep -vE 'libc|nptl|sysdeps|libglib' | head -n 1 |
		grep -qE ' at [^ ]*(common|filters|messages|sinks)/[a-z/-]+\.[ch]:'
}

# Seeds that nothing is known of.
failed=""
for seed in $(seq 1 16); do
	for trace in stacks calls; do
		python3 "$ITP_SOURCE_DIR/tests/corrupt/damage-trace.py" $trace damaged "$seed"
		damaged "${profile[@]}" "${rank[@]}"
		if grep -qE "$wrong_use" errors.txt ||
			{ [ "$status" -eq 139 ] && crashed_here "${profile[@]}" "${rank[@]}"; }; then
			failed="$failed $trace:$seed"
			diag "$trace:$seed ends with $status: $(tail -n 3 errors.txt)"
		fi
	done
done
is "whatever is damaged, our components use libbabeltrace2 as they may" "$failed" ""

done_testing

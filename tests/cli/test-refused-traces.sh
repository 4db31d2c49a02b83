#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Traces that Babeltrace's reader refuses: one sentence says what is wrong with which trace, and
# what helps; by the command, and in graphs where a component of ours gets to know of it.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

command -v python3 >/dev/null || skip_all "python3 is not installed"
cd "$tmp" || exit 99
python3 "$ITP_SOURCE_DIR/tests/cli/refused-traces.py" .
# Babeltrace's reader leaks what it has read of a trace that it refuses.
export ASAN_OPTIONS=detect_leaks=0
anew="copy it anew from where it was recorded, or record it again"

# told TRACE prints what `report` says of it: its exit status, and all lines.
told() {
	introperf report "$1" >output.txt 2>errors.txt
	printf '%s %s' "$?" "$(cat output.txt errors.txt)"
}

is "a trace of another kind is read, and told apart" "$(told sound)" "1 introperf: no stack events in \
the input: it must be a recording of perf, or a trace with stacks (LTTng's contexts callstack-kernel \
and callstack-user, perf_callchain) or with lttng_ust_cyg_profile events"

# Words of Babeltrace's are those of a version.
reads_2=$(babeltrace2 --version | grep -qwF 2.0 || echo yes)
if [ -z "$reads_2" ]; then
	order="and Babeltrace reads no further; record it anew with a clock that does not go back"
	is "time that goes back in a packet" "$(told time-back)" \
		"1 introperf: time-back: an event is older than the one before it (20 ns, behind 30 ns), $order"
	is "time that goes back from packet to packet" "$(told packets-back)" \
		"1 introperf: packets-back: an event is older than the one before it (10 ns, behind 30 ns), $order"
	is "CTF 2" "$(told version-2)" "1 introperf: version-2: this is a trace of CTF 2, which takes \
Babeltrace 2.1, and here is 2.0; read it there, or have \`babeltrace2\` 2.1 write it as CTF 1.8 \
(sink.ctf.fs, ctf-version=\"1\")"
	is "a version that there is not" "$(told version-3.7)" "1 introperf: version-3.7: this is a \
trace of CTF 3.7, and Babeltrace 2.0 reads 1.8; record it in a version of these"
	is "an event that the metadata lacks" "$(told event-number)" "1 introperf: event-number: one \
of its streams is damaged or cut short (Babeltrace: \"No event class with ID of event class ID to use in \
stream class\"); $anew"
	is "a packet whose content is larger" "$(told content-size)" "1 introperf: content-size: its \
stream \"stream\" is damaged or cut short (Babeltrace: \"Invalid packet or content size: content size is \
greater than packet size\"); $anew"
	for trace in stream-cut packet-size; do
		is "a stream that ends too early: $trace" "$(told $trace)" "1 introperf: $trace: its \
stream \"stream\" is damaged or cut short; $anew"
	done
	is "an index that does not fit" "$(told index)" "1 introperf: index: a damaged saved profile or \
trace: Babeltrace's reader crashes on it (signal 6, Aborted); save or record it anew"
	is "a time that is too large" "$(told time-too-large)" "1 introperf: time-too-large: a time \
does not fit into 64 bits of nanoseconds: an event, or what its clock counts from, is damaged; $anew"
	for trace in syntax metadata-cut clock-frequency; do
		is "metadata that is no metadata: $trace" "$(told $trace)" "1 introperf: $trace: its \
metadata is damaged, so nothing is known of its events; \`babeltrace2\` with its name tells the line; $anew"
	done
fi
like "CTF 9" "$(told version-9)" \
	'^1 introperf: version-9: this is a trace of CTF 9, and Babeltrace 2\.[0-9]+ reads 1\.8[^;]*; record'
is "metadata without a version" "$(told no-version)" "1 introperf: no-version: its file \"metadata\" does \
not begin with a version of CTF (\"/* CTF 1.8 */\"): this is no trace, or the file is damaged; copy it anew"
is "empty metadata" "$(told no-metadata-text)" "1 introperf: no-metadata-text: its file \"metadata\" is \
empty: nothing was recorded, or it was not written yet; record it again"

# Whatever it is, there is one line, which names the trace, and nothing of Babeltrace's insides.
for trace in */; do
	trace=${trace%/}
	[ "$trace" != sound ] || continue
	text=$(told "$trace")
	if [[ $text == "1 introperf: no stack events"* ]]; then
		continue # A newer reader has no objection.
	fi
	is "one line names $trace" "$(wc -l <errors.txt) $(grep -c "^introperf: $trace: " errors.txt)" "1 1"
	unlike "without names of variables: $trace" "$text" '[a-z]-addr=|status=|/msg-iter'
done

mkdir empty
like "an empty directory" "$(told empty)" '^1 introperf: empty: a directory without a recording of perf'
sentence="a file that may not be read"
chmod 755 "$tmp"
cp -r sound secret
chmod 0 secret/stream
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
	text=$(setpriv --reuid=65534 --regid=65534 --clear-groups "$program" report secret 2>&1)
	if [[ $text == *"annot execute"* || $text == *"ermission denied"*"libitp"* || -z $text ]]; then
		skip "$sentence" "the command is where other users cannot read it"
	else
		is "$sentence" "$text" "introperf: secret: its file \"stream\" cannot be read: Permission denied"
	fi
else
	skip "$sentence" "this takes root, and setpriv"
fi

# Graphs: what the first of our components says.
for trace in time-back event-number time-too-large; do
	cause=$(told "$trace")
	cause=${cause#"1 introperf: $trace: "}
	[ "${cause#1 introperf}" = "$cause" ] || continue
	fails_with "in a graph, behind the reader: $trace" "filter.introperf.infer: $cause" \
		"$trace" "${profile[@]}" "${rank[@]}"
	fails "$trace" "${rank[@]}"
	is "and for a sink alone: $trace" "$causes" "sink.introperf.rank: $cause"
done

done_testing

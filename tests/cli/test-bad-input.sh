#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Inputs that cannot be read, or not to their end, and graphs that are put together wrongly.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"

enter_shop
mkdir directory.data directory
: >empty.data
head -c 4096 /dev/urandom >noise.data

# refused SENTENCE FILE TEXT: neither named nor found as an input does FILE give a result.
refused() {
	fails_with "$1" "source.introperf.perf: $2: $3" \
		-c source.introperf.perf --params="inputs=\"$2\"" "${profile[@]}" "${rank[@]}" \
		--params='output="result.txt"'
	ok "$1: no output file" test ! -e result.txt
	fails "$2" "${profile[@]}" "${rank[@]}" --params='output="result.txt"'
	ok "$1: an error also without naming the source" test "$status" -eq 1 -a ! -e result.txt
}

refused "a missing file" missing.data "No such file or directory"
refused "a directory" directory "this is a directory, not a perf.data file"
refused "an empty file" empty.data "the file is empty; nothing was recorded into it"
refused "another kind of file" noise.data "this is not a perf.data file"
# A name that moves the cursor, in seven bits and in eight, and turns what follows around.
hostile=$'no\033[2J\302\2332J\342\200\256.data'
harmless=$'no\uFFFD[2J\uFFFD2J\uFFFD.data'
fails_with "a name that would take over the terminal" \
	"source.introperf.perf: $harmless: No such file or directory" \
	-c source.introperf.perf --params="inputs=\"$hostile\"" "${profile[@]}" "${rank[@]}"
for bad in "missing.data: No such file or directory" \
	"directory.data: this is a directory, not a perf.data file" \
	"empty.data: the file is empty; nothing was recorded into it" \
	"noise.data: this is not a perf.data file"; do
	fails_with "not named as ours but called like ours: $bad" "source.introperf.perf: $bad" \
		"${bad%%:*}" "${profile[@]}" "${rank[@]}"
done
fails_with "one bad input among good ones" \
	"source.introperf.perf: missing.data: No such file or directory" \
	-c source.introperf.perf --params='inputs=["good.data","missing.data"]' \
	"${profile[@]}" "${rank[@]}"

sentence="no call chains: says what to record"
if perf record -q -e cpu-clock -o flat.data true >/dev/null 2>&1; then
	fails flat.data "${profile[@]}" "${rank[@]}"
	like "$sentence" "$status $causes" \
		'^1 source\.introperf\.perf: flat\.data: .*perf record --call-graph'
else
	skip "$sentence" "perf record does not work here"
fi

# unprivileged COMMAND… runs as somebody who is not root.
unprivileged() {
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	else
		"$@"
	fi
}
sentence="no permission: the system's reason"
chmod 755 "$tmp"
cp good.data secret.data
chmod 0 secret.data
if unprivileged babeltrace2 --plugin-path="$ITP_BUILD_DIR" list-plugins 2>/dev/null |
	grep -q '^introperf:'; then
	text=$(unprivileged babeltrace2 --plugin-path="$ITP_BUILD_DIR" -c source.introperf.perf \
		--params='inputs="secret.data"' "${profile[@]}" "${rank[@]}" 2>&1)
	like "$sentence" "$text" 'source\.introperf\.perf: secret\.data: Permission denied'
else
	skip "$sentence" "the plugin is where other users cannot read it"
fi

# cut BYTES makes cut.data from the first BYTES of the slow recording.
cut_recording() {
	head -c "$1" slow.data >cut.data
}
bytes=$(stat -c %s slow.data)
complete=$(graph "${slow[@]}" "${profile[@]}" "${rank[@]}" --params='format="jsonl"' 2>/dev/null |
	tail -1)
like "the whole file is complete" "$complete" '"complete": ?true'
for cut in 16 104 200 1000 $((bytes / 4)) $((bytes / 2)) $((bytes * 3 / 4)) $((bytes - 20000)) \
	$((bytes - 100)) $((bytes - 1)); do
	cut_recording "$cut"
	fails cut.data --params="$symbols" "${profile[@]}" "${rank[@]}" --params='format="jsonl"'
	is "cut at byte $cut: exit status 1" "$status" 1
	like "cut at byte $cut: one cause, which says truncated" "$causes" \
		"^source\.introperf\.perf: cut\.data: [^
]*truncated[^
]*\$"
	unlike "cut at byte $cut: no result that claims to be complete" "$(cat "$output")" \
		'"complete": ?true'
done
cut_recording $((bytes / 2))
fails cut.data --params="$symbols" "${profile[@]}" "${rank[@]}" --params='format="jsonl"'
like "cut in the middle: says where" "$causes" "at byte [0-9]+ of [0-9]+;"
like "cut in the middle: what was read is ranked, as incomplete" "$(tail -1 "$output")" \
	'"type": ?"summary".*"complete": ?false'
fails cut.data --params="$symbols" "${profile[@]}" "${rank[@]}"
like "cut in the middle: the text says it too" "$(cat "$output")" 'incomplete'
graph cut.data --params="$symbols" "${profile[@]}" -c sink.ctf.fs --params='path="cut.profile"' \
	>/dev/null 2>&1
graph cut.profile "${rank[@]}" --params='format="jsonl"' >saved.jsonl 2>/dev/null
like "a profile of it stays incomplete" "$(tail -1 saved.jsonl)" '"complete": ?false'

# Whoever reads one line of what is printed, and nothing more, holds the reading up.
"$ITP_BUILD_DIR/tests/corrupt/test-perf-changes" long.data
mkfifo printed.pipe
graph -c source.introperf.perf --params='inputs="long.data"' -c sink.text.details \
	>printed.pipe 2>errors.txt &
reading=$!
exec 3<printed.pipe
read -r _ <&3
truncate -s 4096 long.data
cat <&3 >/dev/null
exec 3<&-
wait "$reading"
is "shortened while it is read: exit status 1" "$?" 1
like "shortened while it is read: says so, and what to do" "$(tr -s '\n ' ' ' <errors.txt)" \
	'long\.data: the file changed while it was read; read it again when '

fails_with "normalize without infer" \
	"filter.introperf.normalize: no introperf:instance events in the input; put \
filter.introperf.infer before this filter" \
	"${good[@]}" -c filter.introperf.normalize "${rank[@]}"
fails_with "rank without normalize" \
	"sink.introperf.rank: no introperf:node events arrived; put filter.introperf.normalize \
before this sink" \
	"${good[@]}" "${infer[@]}" "${rank[@]}"
fails_with "rank without any filter" \
	"sink.introperf.rank: no introperf:node events arrived; put filter.introperf.normalize \
before this sink" \
	"${good[@]}" "${rank[@]}"

done_testing

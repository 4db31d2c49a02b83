#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What filter.introperf.unit tells, as sink.text.pretty prints it.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_recording

${CC:-cc} -O1 -g -fno-omit-frame-pointer -pthread -o server "$ITP_SOURCE_DIR/tests/cli/unit-server.c" || exit 99
introperf record --overhead none -o server.data -- ./server >record.log 2>&1 || skip_all "perf may not record here"

calls=("${infer[@]}" --params=stretches=yes)
unit=(-c filter.introperf.unit)
graph server.data "${calls[@]}" >calls.txt 2>errors.txt
graph server.data "${infer[@]}" "${unit[@]}" --params=each=yes >each.txt 2>errors.txt
graph server.data "${infer[@]}" "${unit[@]}" >types.txt 2>errors.txt
graph server.data "${infer[@]}" "${unit[@]}" --params='in="unit"' >in.txt 2>errors.txt
graph server.data "${infer[@]}" "${unit[@]}" --params=each=yes >again.txt 2>errors.txt
same "two runs give the same messages" again.txt each.txt

# Times of messages only, and not how long it was since the one before.
grep -vE ' introperf:unit[a-z_]*: ' each.txt | sed 's/ (+[^)]*)//' >passed.txt
sed 's/ (+[^)]*)//' calls.txt >wanted.txt
same "everything goes on as it was" passed.txt wanted.txt
like "which is much" "$(wc -l <passed.txt)" '^[0-9]{4,}$'
like "the slowest units are told" "$(grep -c ' introperf:unit_span: ' types.txt)" '^[0-9]{1,2}$'
like "each is where it is asked for" "$(grep -c ' introperf:unit_span: ' each.txt)" '^4[45][0-9]$'
is "a profile is nothing else" \
	"$(grep -cE ' introperf:(instance|context|stretch): ' in.txt)" 0

# in_order FILE EVENT…: the last of each event comes before the first of the next.
# shellcheck disable=SC2317 # called through ok
in_order() {
	local file=$1 before=0
	shift
	for event; do
		[ "$(grep -n " introperf:$event: " "$file" | head -n 1 | cut -d: -f1)" -gt "$before" ] || return 1
		before=$(grep -n " introperf:$event: " "$file" | tail -n 1 | cut -d: -f1)
	done
}
ok "types come behind the calls, and single units behind their types" in_order each.txt instance unit unit_span
ok "a profile has its types behind its nodes, and the workload at the end" in_order in.txt node unit workload

# Exits with 1 when a type was not told before, or the numbers of its units are not as it says.
# shellcheck disable=SC2317 # called through ok
adds_up() {
	python3 -c '
import re, sys
counts, spans, latencies = {}, {}, {}
for line in open(sys.argv[1]):
    event = re.search(r" introperf:(unit[a-z_]*): ", line)
    if not event:
        continue
    field = lambda name: int(re.search(r"[{,] %s = (-?[0-9]+)" % name, line)[1])
    if event[1] == "unit":
        counts[field("id")] = field("count")
    elif event[1] == "unit_latency":
        assert field("unit") in counts
        latencies[field("unit")] = latencies.get(field("unit"), 0) + field("count")
    else:
        assert field("begin_ns") < field("end_ns")
        spans[field("unit")] = spans.get(field("unit"), 0) + 1
assert counts and latencies == counts, (counts, latencies)
assert all(0 < spans[unit] <= counts[unit] for unit in counts), (counts, spans)
assert sys.argv[2] == "some" or spans == counts, (counts, spans)' "$1" "$2"
}
ok "as many units have a latency and a place as there are" adds_up each.txt all
ok "in a profile, too" adds_up in.txt some

for file in each in; do
	case $file in
	each) params=each=yes ;;
	in) params='in="unit"' ;;
	esac
	graph server.data "${infer[@]}" "${unit[@]}" --params="$params" \
		-c sink.ctf.fs --params="path=\"$file.ctf\"" >/dev/null 2>&1
	graph $file.ctf 2>errors.txt | grep ' introperf:unit' >back.txt
	grep ' introperf:unit' $file.txt >told.txt
	# Without the lengths that sink.ctf.fs adds, and the string that may be empty.
	sed -i -E 's/(__[a-z]+_len|[0-9a-f-]{36}-[a-z]+-len) = [0-9]+, //g; s/ \(\+[^)]*\)//; s/telling = "[^"]*"//' back.txt told.txt
	same "$file: names and values survive sink.ctf.fs and source.ctf.fs" back.txt told.txt
done

# A part, by the clock of the messages.
middle=$(sed -n "$(($(wc -l <calls.txt) / 2))p" calls.txt | cut -c2-19)
graph server.data --end="$middle" "${infer[@]}" "${unit[@]}" --params=each=yes >part.txt 2>errors.txt
like "a part of a recording has the units of that part" "$(grep -c ' introperf:unit_span: ' part.txt)" '^[12][0-9][0-9]$'

# Damage: what there was is told.
introperf record --no-bpf -o copied.data -- ./server >record.log 2>&1
head -c $(($(stat -c %s copied.data) * 3 / 4)) copied.data >cut.data
graph cut.data "${infer[@]}" "${unit[@]}" --params='in="unit"' "${rank[@]}" >part.txt 2>errors.txt
like "of a damaged recording what there is" "$(tr -s '\n ' ' ' <part.txt)" ' in units of work'
like "which is not complete" "$(tr -s '\n ' ' ' <part.txt)" '[Ii]ncomplete'
graph server.data "${infer[@]}" "${unit[@]}" --params='in="unit:none"' >part.txt 2>errors.txt
is "nothing of units that there are not" "$? $(wc -c <part.txt)" "1 0"

# A saved profile has no units to be found; its own go on.
graph server.data "${infer[@]}" "${unit[@]}" -c filter.introperf.normalize -c sink.ctf.fs \
	--params='path="saved.profile"' >report.txt 2>&1
graph saved.profile >wanted.txt 2>errors.txt
graph saved.profile "${unit[@]}" >passed.txt 2>errors.txt
same "a saved profile is passed on" passed.txt wanted.txt

# Each write is in a context, or told to be in none.
${CC:-cc} -O1 -g -fno-inline -o deep-writes "$ITP_SOURCE_DIR/tests/cli/deep-writes.c" || exit 99
# Whether a stack is not believed depends on what was seen of the thread before it.
for _ in 1 2 3; do
	introperf record --dwarf -o deep.data -- ./deep-writes >record.log 2>&1
	graph deep.data "${calls[@]}" | grep -E 'word_2 = 4321, result = 4321' >writes.txt
	! grep -q ' introperf:unplaced: ' writes.txt || break
done
is "no system call is missing" "$(grep -cE ' introperf:(instance|unplaced): ' writes.txt)" 20
ok "one of which no stack was believed is in no context" \
	grep -q ' introperf:unplaced: ' writes.txt

done_testing

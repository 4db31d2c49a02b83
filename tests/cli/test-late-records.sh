#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A recording in which many records come late, among them what tells of programs and their code: the
# result is that of the recording in order, and says how many were late, in each format.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

source_dir=${ITP_SOURCE_DIR:?}
python3 --version >"$tmp/version" 2>&1 || skip_all "no python3"
cd "$tmp" || exit 99
tar xf "$source_dir/tests/data/shop.tar.xz"
mkdir late
late=$(python3 "$source_dir/tests/perf/late-recording.py" slow.data late/slow.data)
ok "many records are late ($late)" test "${late:-0}" -gt 1000

# shown FILE ARGUMENT… prints what a report of the recording has.
shown() {
	introperf report "$@" 2>errors.txt
}

# in_order FORMAT: the result without what is said of late records.
in_order() {
	local format=$1 file=$2
	shown --format "$format" "$file" | sed -E -e 's/,"(late|misplaced)_records":[0-9]+//g' \
		-e 's!late/slow.data!slow.data!g' -e '/^Order: /,/belongs\.$/d'
}
for format in text csv jsonl; do
	is "$format: the result is the same" "$(in_order $format late/slow.data)" \
		"$(in_order $format slow.data)"
done
like "the text says that they came late" "$(shown late/slow.data | tr -s '\n ' ' ')" \
	"Order: ${late:0:-3} ${late: -3} records of slow\\.data came late, behind records of later times; each is counted where its time belongs\\."
unlike "and says it of no other" "$(shown slow.data)" '^Order: '
summary=$(shown --format jsonl late/slow.data | tail -n 1)
like "JSON lines tell how many" "$summary" \
	"^\\{\"type\":\"summary\",\"complete\":true,.*,\"suspect\":\\{.*,\"late_records\":$late,\"misplaced_records\":0\\},.*,\"late_records\":$late,\"misplaced_records\":0\\}\$"
unlike "and of no other" "$(shown --format jsonl slow.data)" '_records"'
shown --html page.html late/slow.data >/dev/null
like "the page says it" "$(cat page.html)" 'records of slow\.data came late'

# By messages, and out of a saved profile.
shown --save saved late/slow.data >/dev/null
like "a saved profile has the number" "$(shown --format jsonl saved | tail -n 1)" \
	"\"late_records\":$late,\"misplaced_records\":0\\}\$"
like "a graph counts the same" \
	"$(graph late/slow.data -c filter.introperf.infer -c filter.introperf.normalize \
		-c sink.introperf.rank --params='format="jsonl"' 2>/dev/null | tail -n 1)" \
	"\"late_records\":$late,\"misplaced_records\":0\\}\$"

# What grows is held back for half a second; this comes five minutes late.
cat >too-late.py <<'END'
import struct
import sys
THREAD = struct.pack("<II", 10, 10)
TIME = 5
COUNT = 300000


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def comm(time):
    return record(3, 0, THREAD + b"app".ljust(8, b"\0") + THREAD + struct.pack("<Q", time))


def sample(time):
    return record(9, 2, struct.pack("<Q", 0x400010) + THREAD + struct.pack("<QQQQ", time, 2, 2**64 - 512, 0x400010))


attr = struct.pack("<IIQQQQQ", 1, 136, 0, 1000000, 1 | 2 | 4 | 32, 0, 1 << 18).ljust(136, b"\0")
out = struct.pack("<8sQ", b"PERFILE2", 16)
out += record(64, 0, attr + struct.pack("<Q", 1))
parts = [comm(1000)]
for i in range(COUNT):
    parts.append(sample(10**9 + i * 10**6))
    if i % 1000 == 999:
        parts.append(record(68, 0, b""))
parts.append(sample(10**9 + 500))
sys.stdout.buffer.write(out + b"".join(parts))
END
python3 too-late.py >stream.data
# growing FORMAT ranks it as it comes.
growing() {
	graph run --component=p:source.introperf.perf --params='inputs="-",live=true' \
		--component=i:filter.introperf.infer --component=n:filter.introperf.normalize \
		--component=r:sink.introperf.rank --params="format=\"$1\"" \
		--connect=p:i --connect=i:n --connect=n:r <stream.data 2>errors.txt
}
is "a recording that grows: what came too late is counted" \
	"$(growing jsonl | tail -n 1 | grep -oE '"complete":[a-z]+|"(late|misplaced)_records":[0-9]+' |
		sort | uniq -c | tr -s ' \n' ' ')" \
	' 2 "complete":false 2 "late_records":0 2 "misplaced_records":1 '
like "and said" "$(growing text | tr -s '\n ' ' ')" \
	"incomplete: 1 record at a wrong time.* Order: 1 record of live came too late to be put in order; what each tells is counted at a wrong time, or as another program's\\."
done_testing

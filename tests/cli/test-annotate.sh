#!/bin/bash
# SPDX-License-Identifier: MIT
#
# perf introperf annotate: lines of a program whose hot ones are known, with its source, without it,
# with its debug data in a file of their own, and without any.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_recording

cp "$ITP_SOURCE_DIR/tests/cli/lines.cc" . || exit 99
${CXX:-c++} -O1 -g -fno-omit-frame-pointer -o lines lines.cc || exit 99
introperf record --overhead none -o lines.data -- ./lines >record.log 2>&1 || skip_all "perf may not record here"

# line_of MARK: its number in the source.
line_of() {
	grep -n "/\* $1 \*/" "$ITP_SOURCE_DIR/tests/cli/lines.cc" | cut -d : -f 1
}
HOT=$(line_of HOT) BELOW=$(line_of BELOW) NAP=$(line_of NAP) INLINED=$(line_of INLINED)

introperf annotate --format jsonl lines.data >lines.jsonl 2>errors.txt
is "the culprit is annotated" "$? $(cat errors.txt)" "0 "
like "which is the function whose time it is" "$(head -n 1 lines.jsonl)" '"function":"shop::serve\(long\)"'

# judge FILE: what the lines and calls of a result are.
judge() {
	python3 - "$1" "$HOT" "$BELOW" "$NAP" "$INLINED" <<'END'
import json, sys
hot, below, nap, inlined = map(int, sys.argv[2:])
rows = [json.loads(line) for line in open(sys.argv[1])]
header, rows = rows[0], rows[1:]
lines = [row for row in rows if row["type"] == "line"]
calls = [row for row in rows if row["type"] == "call"]
ticks = sum(row["ticks"] for row in lines)
of = lambda name, number: sum(row["ticks"] for row in lines if row["line"] == number and row.get("inlined") == name)
print("sum", ticks == header["ticks"] and ticks > 50)
# The loop around a line is a line of its own.
print("hot", of(None, hot) > ticks * 0.3)
print("inlined", of("mix", inlined) > ticks * 0.15)
print("both", of(None, hot) + of("mix", inlined) > ticks * 0.7)
took = lambda number: sum(row["total_ns"] for row in calls if row["line"] == number)
print("called", {row["callee"] for row in calls if row["line"] == below} == {"below(long)"} and took(below) > 10e6)
print("nap", 60 * 5e6 <= took(nap) < header["total_ns"])
whole = header["cpu_ns"] + header["off_ns"] + sum(row["total_ns"] for row in calls)
print("whole", abs(whole - header["total_ns"]) < 1000)
END
}
judge lines.jsonl >judged.txt
while read -r what result; do
	is "what is known of the program is what is told: $what" "$result" True
done <judged.txt
is "all of that was looked at" "$(wc -l <judged.txt)" 7

# perf's own lines of the same ticks: its report counts the symbol's without those of the kernel.
perf annotate --stdio -l -s shop::serve -i lines.data 2>/dev/null |
	sed -n 's/^ *\([0-9.]*\)  *lines\.cc:\([0-9]*\)$/\2 \1/p' | sort >perf.txt
if [ -s perf.txt ]; then
	python3 -c '
import json, sys
rows = [json.loads(line) for line in open("lines.jsonl")]
lines = [row for row in rows if row["type"] == "line"]
whole = sum(row["ticks"] for row in lines)
for text in open("perf.txt"):
    number, share = text.split()
    ours = 100 * sum(row["ticks"] for row in lines if row["line"] == int(number)) / whole
    if abs(ours - float(share)) > 3:
        print(number, share, ours)' >different.txt
	is "lines cost what perf annotate says" "$(cat different.txt)" ""
else
	skip "perf annotate tells no lines here" 1
fi

introperf annotate lines.data >lines.txt 2>errors.txt
like "the text begins with the function" "$(head -n 1 lines.txt)" '^shop::serve\(long\) in lines \('
like "lines have their text" "$(grep -E " $HOT  " lines.txt)" "^ +[0-9.]+ % +[0-9.]+ m?s +$HOT +sink = sink / 7"
like "calls have names" "$(grep -E " $BELOW  " lines.txt)" "m?s  below\(long\) +$BELOW +below\(3 [*] rounds\);"
like "what was put into it is told apart" "$(cat lines.txt)" 'lines\.cc, inlined: mix'
is "lines that cost nothing are left out" "$(grep -c 'is$\|done$' lines.txt)" 0
like "and that is said" "$(cat lines.txt)" ' …'

# dearest FILE: the first line of it with what it costs, by the JSON lines.
dearest() {
	python3 - "$1" <<'END'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])][1:]
row = max(rows, key=lambda row: row["total_ns"] if row["type"] == "call" else row["cpu_ns"])
print(row["line"])
END
}
sed -n '/^the dearest lines/,/^$/p' lines.txt >dearest.txt
# Lines of the result, of which chance leaves a few without a tick, and at most five come first.
count=$(python3 -c '
import json
print(len({row["line"] for row in map(json.loads, open("lines.jsonl")) if row["type"] in ("line", "call")}))')
ok "several lines have a cost ($count)" test "$count" -ge 4
is "the dearest come first" "$(wc -l <dearest.txt)" $((3 + (count < 5 ? count : 5)))
like "the dearest of all in front" "$(sed -n 3p dearest.txt)" "lines\.cc:$(dearest lines.jsonl) "

# Two recordings: the same program with a line that does sixteen times as much, more than any line waits for a CPU.
mkdir slow
sed 's|sink = sink / 7 + (unsigned long)i;|for (long j = 0; j < 16; j++) sink = sink / 7 + (unsigned long)i;|' \
	lines.cc >slow/lines.cc
(cd slow && ${CXX:-c++} -O1 -g -fno-omit-frame-pointer -o lines lines.cc) || exit 99
introperf record --overhead none -o slow.data -- slow/lines >record.log 2>&1
introperf annotate lines.data slow.data >pair.txt 2>errors.txt
is "two recordings are annotated" "$? $(cat errors.txt)" "0 "
like "the culprit of their comparison" "$(tr -s '\n ' ' ' <pair.txt)" \
	'^shop::serve\(long\) in lines: own CPU time [0-9.]+ m?s, before [0-9.]+ m?s; with all that it called '
like "of two builds lines are matched by their numbers" "$(tr -s '\n ' ' ' <pair.txt)" \
	'The builds differ: a line is the one of the same number,'
like "the line that was changed comes first" "$(sed -n '/^added\|^ *added/{n;p;q}' pair.txt)" \
	"^ *\\+[0-9.]+ m?s +[0-9.]+ m?s +[0-9.]+ m?s +lines\.cc:$HOT +for \(long j = "
introperf annotate --format jsonl lines.data slow.data >pair.jsonl 2>errors.txt
is "JSON lines have both costs" "$(python3 -c '
import json
rows = [json.loads(line) for line in open("pair.jsonl")]
head, first = rows[:2]
print(head["function"], head["cpu_ns"] > head["base_cpu_ns"], first["type"], first["line"], first["cpu_ns"] > 2 * first["base_cpu_ns"],
      head["build_id"] != head["base_build_id"])')" "shop::serve(long) True line $HOT True True"
introperf annotate --format jsonl -s serve lines.data lines.data >same.jsonl 2>errors.txt
is "a recording beside itself has the same costs" "$(python3 -c '
import json
alone, rows = ([json.loads(line) for line in open(name)][1:] for name in ("lines.jsonl", "same.jsonl"))
print(len(rows) == len(alone), all(row.get("cpu_ns") == row.get("base_cpu_ns") and row.get("total_ns") == row.get("base_total_ns") for row in rows))')" \
	"True True"

# By name.
introperf annotate -s serve --format jsonl lines.data 2>errors.txt >named.jsonl
same "a function is named without its namespace" lines.jsonl named.jsonl
like "another one can be" "$(introperf annotate -s below lines.data | head -n 1)" '^below\(long\) in lines '
complains "a function that there is not" 1 \
	'lines.data: no stack has a function "none" of a program or library' annotate -s none lines.data
complains "three recordings" 1 'a recording, or a good one and a slow one; leave out "c.data"' \
	annotate a.data b.data c.data
complains "no such format" 1 "--format: text or jsonl" annotate --format csv lines.data

complains "the culprit of what comes once" 1 "standard input is read once: name a function with -s" annotate -
introperf annotate -s serve --format jsonl - <lines.data >piped.jsonl 2>errors.txt
same "a function of it can be named" lines.jsonl piped.jsonl
head -c $(($(stat -c %s lines.data) * 9 / 10)) lines.data >cut.data
introperf annotate cut.data >cut.txt 2>errors.txt
like "of a damaged recording what there is" "$? $(head -n 1 cut.txt) $(cat errors.txt)" \
	'^1 shop::serve\(long\) in lines .* introperf: cut\.data: the file is truncated'
head -c 3000 lines.data >head.data
introperf annotate head.data >cut.txt 2>errors.txt
like "and of one without a path what is wrong with it" "$? $(cat cut.txt errors.txt)" \
	'^1 introperf: head\.data: the file is truncated'

# Debug data elsewhere, and none.
objcopy --only-keep-debug lines lines.debug && cp lines whole &&
	objcopy --strip-debug --add-gnu-debuglink=lines.debug lines || exit 99
introperf annotate -s serve --format jsonl lines.data 2>errors.txt >linked.jsonl
same "debug data may be in a file of its own" lines.jsonl linked.jsonl
rm lines.debug
introperf annotate -s serve lines.data >none.txt 2>errors.txt
text=$(tr -s '\n ' ' ' <none.txt)
like "without any it is said what to do" "$text" 'no debug data of lines is at hand: compile it with -g; .*-dbgsym'
like "and addresses stand for lines" "$text" ' address (.* )?[0-9.]+ % [0-9.]+ .?s 0x[0-9a-f]+ [a-z]+ '
cp whole lines

# Names that two programs have in a file that they share.
if command -v dwz >which.txt && cp lines twin && dwz -m shared.debug lines twin 2>errors.txt; then
	introperf annotate -s serve --format jsonl lines.data 2>errors.txt >shared.jsonl
	same "names may be in a file that several programs share" lines.jsonl shared.jsonl
	mv shared.debug away.debug
	introperf annotate -s serve lines.data 2>errors.txt >none.txt
	like "without it inlined functions have none, which is said" "$(tr -s '\n ' ' ' <none.txt)" \
		'Functions that are inlined have no names, as shared\.debug is not at hand, which has'
	cp whole lines
else
	skip "names may be in a file that several programs share" "no dwz"
	skip "without it inlined functions have none, which is said" "no dwz"
fi

# As compilers do it otherwise: each of them has the same lines.
for flags in "-g -gsplit-dwarf" "-g -gz" "-g -static" "-gdwarf-4"; do
	# shellcheck disable=SC2086 # several words
	${CXX:-c++} -O1 $flags -fno-omit-frame-pointer -o lines lines.cc >compile.log 2>&1 || continue
	introperf record --overhead none -o other.data -- ./lines >record.log 2>&1
	introperf annotate -s serve --format jsonl other.data >other.jsonl 2>errors.txt
	judge other.jsonl >judged.txt 2>&1
	is "the same is told with $flags" "$(grep -v True judged.txt) $(wc -l <judged.txt) $(cat errors.txt)" " 7 "
done

# No source.
rm lines.cc
introperf annotate -s serve lines.data >sourceless.txt 2>errors.txt
like "without the source there are numbers" "$(tr -s '\n ' ' ' <sourceless.txt)" \
	"lines\.cc \(not found\) own .* [0-9.]+ % [0-9.]+ .?s $HOT [0-9]"

done_testing

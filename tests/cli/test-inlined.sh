#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Functions that the compiler put into their callers, in a program whose times are known: in the
# ranking, in the page, in exports and in saved profiles; against a build without; and without debug
# data, where there are none.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_recording

source=$ITP_SOURCE_DIR/tests/cli/inlined.cc
mkdir plain whole || exit 99
${CXX:-c++} -O2 -g -o whole/shop "$source" || exit 99
${CXX:-c++} -O2 -g -fno-inline -fno-inline-functions-called-once -o plain/shop "$source" || exit 99
nm -C whole/shop | grep -q look_up && skip_all "the compiler has put nothing into its caller"
introperf record --overhead none -o inlined.data -- ./whole/shop >record.log 2>&1 ||
	skip_all "perf may not record here"
introperf record --overhead none -o plain.data -- ./plain/shop >record.log 2>&1 || exit 99

# shares FILE: CPU time of the program's functions themselves, as parts of the program's in percent, and
# marks.
shares() {
	python3 - "$1" <<'END'
import json, sys
rows = [row for row in map(json.loads, open(sys.argv[1])) if row["type"] == "function"]
rows = {row["function"].split("(")[0]: row for row in rows if row["module"] == "shop"}
whole = sum(row["own_cpu_ns"] for row in rows.values())
for name in sorted(rows):
    print(name, round(100 * rows[name]["own_cpu_ns"] / whole), "inlined" if rows[name].get("inlined") else "called")
END
}

# about FILE NAME WANTED HOW: the function has about so many percent, and is marked so.
about() {
	awk -v name="$2" -v wanted="$3" -v how="$4" '
		$1 == name { found = $2 >= wanted - 9 && $2 <= wanted + 9 && $3 == how } END { exit !found }' "$1"
}

introperf report --by function --top 0 --format jsonl inlined.data >inlined.jsonl 2>errors.txt
is "the recording is read" "$? $(cat errors.txt)" "0 "
shares inlined.jsonl >inlined.txt
ok "an inlined function has its own time" about inlined.txt shop::Cache::look_up 60 inlined
ok "and so has its caller, inlined itself" about inlined.txt shop::Pricer::price 30 inlined
ok "and a function called from there" about inlined.txt shop::audit 10 called
ok "little is left to the function with their code" about inlined.txt main 0 called

introperf report --no-inline --by function --top 0 --format jsonl inlined.data >without.jsonl 2>errors.txt
shares without.jsonl >without.txt
is "without them their time is main's" "$(grep -c 'look_up\|price' without.txt)" 0
ok "all of it" about without.txt main 90 called
introperf report --inline --by function --top 0 --format jsonl inlined.data >named.jsonl 2>errors.txt
same "perf's name of the default is taken" inlined.jsonl named.jsonl

# Calls: price() is called once in each round, and calls look_up() and audit().
introperf report --format tree -v inlined.data >tree.txt 2>errors.txt
like "the ways to them have marks" "$(tr -s ' \n' ' ' <tree.txt)" \
	'main .*shop::Pricer::price\(.*\) \(inlined\).*shop::Cache::look_up\(.*\) \(inlined\)'
introperf report inlined.data >report.txt 2>errors.txt
like "the culprit is one of them" "$(cat report.txt)" 'look_up'
introperf report --focus 'Cache::look_up[(]unsigned long[)]$' --format jsonl inlined.data >focus.jsonl 2>errors.txt
is "a pattern means their names alone" "$? $(cat errors.txt)" "0 "
introperf report --html page.html inlined.data >log.txt 2>errors.txt
like "the page has them" "$(grep -o 'look_up(unsigned long) (inlined)' page.html | head -n 1)" .
introperf export --format folded inlined.data >folded.txt 2>errors.txt
like "an export has them" "$(cat folded.txt)" \
	';shop::Pricer::price\(unsigned long\) \(inlined\);shop::Cache::look_up\(unsigned long\) \(inlined\) [0-9]'
introperf export --no-inline --format folded inlined.data >folded.txt 2>errors.txt
is "or not" "$? $(grep -c inlined folded.txt)" "0 0"

# In a saved profile.
introperf report --save saved.profile inlined.data >log.txt 2>errors.txt
introperf report --by function --top 0 --format jsonl saved.profile >saved.jsonl 2>errors.txt
shares saved.jsonl >saved.txt
same "a saved profile has them" inlined.txt saved.txt

# Lines.
line=$(grep -n LOOK_UP "$source" | cut -d : -f 1 | tail -n 1)
introperf annotate -s look_up --format jsonl inlined.data >lines.jsonl 2>errors.txt
is "their lines are known" "$? $(cat errors.txt)" "0 "
like "the dearest of them is there" "$(cat lines.jsonl)" "\"line\":$line,"
introperf annotate -s main --format jsonl inlined.data >main.jsonl 2>errors.txt
introperf annotate -s main --no-inline --format jsonl inlined.data >main-without.jsonl 2>errors.txt
same "lines of a function with their code are as without" main.jsonl main-without.jsonl

# Against the build that calls them.
introperf diff --names canonical --by function --top 0 --format jsonl plain.data inlined.data >diff.jsonl 2>errors.txt
python3 - diff.jsonl >pairs.txt <<'END'
import json, sys
for row in map(json.loads, open(sys.argv[1])):
    if row["type"] == "function" and row["module"] == "shop":
        print(row["function"].split("(")[0], row["own_ns"] > 0, row["base_own_ns"] > 0)
END
for name in shop::Cache::look_up shop::Pricer::price shop::audit; do
	like "of two builds the functions are the same: $name" "$(cat pairs.txt)" "$name True True"
done
introperf diff --format jsonl --no-fold --top 0 plain.data inlined.data >paths.jsonl 2>errors.txt
python3 - paths.jsonl >paths.txt <<'END'
import json, sys
rows = [row for row in map(json.loads, open(sys.argv[1])) if row["type"] == "path"]
names = lambda row: [frame["function"].split("(")[0].split("::")[-1] for frame in row["frames"]]
for row in rows:
    if names(row)[-2:] == ["price", "look_up"]:
        print(row["suspect_ns"] > 0 and row["base_ns"] > 0)
END
is "and so are their contexts" "$(cat paths.txt)" True

# Debug data in a file of their own, and none.
objcopy --only-keep-debug whole/shop whole/shop.debug && cp whole/shop shop.whole &&
	objcopy --strip-debug --add-gnu-debuglink=whole/shop.debug whole/shop || exit 99
introperf report --by function --top 0 --format jsonl inlined.data >linked.jsonl 2>errors.txt
same "debug data may be in a file of its own" inlined.jsonl linked.jsonl

# Other files may have debug data on this machine.
mkdir root && for file in $(ldd whole/shop | grep -o '/[^ ]*') "$PWD/whole/shop"; do
	cp --parents -L "$file" root || exit 99
done
cp shop.whole "root$PWD/whole/shop" || exit 99
introperf report --symfs root --by function --top 0 --format jsonl inlined.data >inlined.jsonl 2>errors.txt
introperf report --symfs root --no-inline --by function --top 0 --format jsonl inlined.data >without.jsonl 2>errors.txt
objcopy --strip-debug "root$PWD/whole/shop" || exit 99
introperf report --symfs root --by function --top 0 --format jsonl inlined.data >none.jsonl 2>errors.txt
like "with debug data they are there" "$(cat inlined.jsonl)" '"inlined":true'
same "without any it is as if they were not wanted" without.jsonl none.jsonl
done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What sink.introperf.report writes, without a browser: one file that is well-formed whatever names
# hold, or one clear error and no file.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"

enter_shop
draw=$ITP_BUILD_DIR/tests/report/draw
report=(-c sink.introperf.report)
for run in good slow; do
	declare -n recording=$run
	graph "${recording[@]}" "${profile[@]}" -c sink.ctf.fs --params="path=\"$run.profile\"" \
		>/dev/null 2>&1
done
both=(good.profile slow.profile "${report[@]}" --params='base="good.profile"')

# ---- HTML ----

graph "${both[@]}" >output.txt 2>errors.txt
ok "a page is written to report.html" test -s report.html
is "and nothing to standard output" "$(cat output.txt)" ""
mv report.html first.html
graph "${both[@]}" --params='output="second.html"' 2>/dev/null
same "the same input gives the same bytes" first.html second.html
is "it loads nothing" "$(grep -oE '(src|href)="?(https?:)?//[^"> ]*|@import|url\((https?:)?//' first.html)" ""
# check_policy FILE prints what its policy allows that is not there, or misses, and how much it hashes.
check_policy() {
	python3 - "$1" <<'PYTHON'
import base64, hashlib, re, sys
page = open(sys.argv[1], encoding="utf-8", newline="").read()
policy = dict(part.strip().split(" ", 1) for part in
              re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1].split(";"))
if re.search(r"<[^<>]* (on[a-z]+|style)=", re.sub(r"(?s)<script.*?</script>", "", page)):
    sys.exit("an attribute that is a script or a style")
for tag in "script", "style":
    texts = re.findall(f"(?s)<{tag}>(.*?)</{tag}>", page)
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts]
    if policy[f"{tag}-src"].split() != [f"'sha256-{one}'" for one in hashes]:
        sys.exit(f"{tag}-src {policy[f'{tag}-src']} and not {hashes}")
    print(tag, len(hashes))
PYTHON
}
is "its policy names its scripts and its style by hash, and nothing else" \
	"$(check_policy first.html 2>&1)" $'script 2\nstyle 1'
ok "a page is small" test "$(stat -c %s first.html)" -lt 500000

# check_data FILE prints what is wrong with the page's data, and how many contexts it has.
check_data() {
	python3 - "$1" <<'PYTHON'
import base64, json, re, sys, zlib
page = open(sys.argv[1], encoding="utf-8").read()
scripts = re.findall(r"<script([^>]*)>(.*?)</script", page, re.S)
kinds = ['type="application/json" id="data"', 'type="application/json" id="source"',
         'type="application/json" id="requests"', 'type="text/plain" id="nodes"', 'type="text/plain" id="stats"', "", ""]
names = [attributes.strip() for attributes, _ in scripts]
if names[:7] != kinds or set(names[7:]) - {'type="text/plain" class="stats"'}:
    sys.exit(f"scripts {names}")
if "<" in scripts[0][1] + scripts[1][1] + scripts[2][1]:
    sys.exit("the data is not one block")
data = json.loads(scripts[0][1])
json.loads(scripts[1][1])
json.loads(scripts[2][1])

def numbers(text):
    """Packed ones, as they come."""
    kind, content = text.split(":")
    content = base64.b64decode(content, validate=True)
    value, shift = 0, 0
    for byte in zlib.decompress(content) if kind == "zlib" else content:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield value
            value, shift = 0, 0

packed = numbers(scripts[3][1])
count = next(packed)
kept = next(packed)
sides = 2 if data["base"] else 1
parents, functions, *numbers_of = (
    [next(packed) for _ in range(count)] if next(packed) else [0] * count
    for _ in range(2 + 4 * sides))
if any(value % 2 or value > 2000 for column in numbers_of[sides:] for value in column):
    sys.exit("a part of no thousandths")
for i in range(count):
    if not 0 <= parents[i] // 2 <= i or not 0 <= functions[i] // 4 < len(data["functions"]):
        sys.exit(f"node {i}: {parents[i]} {functions[i]}")
if list(packed):
    sys.exit("more than the nodes")
blocks = 0
for _, text in [scripts[4]] + scripts[7:]:
    group = numbers(text)
    if next(group) != blocks:
        sys.exit("blocks are missing")
    blocks += next(group)
if blocks != (kept + 1023) // 1024:
    sys.exit(f"{blocks} blocks")
times = [max(values) // 2 for values in zip(*numbers_of[:sides])]
for i in reversed(range(count)):
    if parents[i]:
        times[i - parents[i] // 2] += times[i]
if kept < count and sorted(times[:kept])[kept // 4] <= max(times[kept:]):
    sys.exit("contexts with much time lack their statistics")
print(count, kept)
PYTHON
}
like "its data is JSON, and a tree" "$(check_data first.html 2>&1)" '^([1-9][0-9]+) \1$'
"$draw" hostile html >hostile.html
is "also with hostile names" "$(check_data hostile.html 2>&1)" "15 15"
is "which change nothing in its policy" "$(check_policy hostile.html 2>&1)" $'script 2\nstyle 1'

# shares PARAMETERS FILE… prints what path 1 has of the whole, in a line for each place that tells: the
# head of the text and of the page, its row, the page's data, and the JSON lines.
shares() {
	local parameters=$1
	shift
	graph "$@" "${rank[@]}" --params="top=30,verbose=yes$parameters" >shares.txt 2>/dev/null
	graph "$@" "${rank[@]}" --params="top=30,format=\"jsonl\"$parameters" >shares.jsonl 2>/dev/null
	graph "$@" "${report[@]}" --params="output=\"shares.html\"$parameters" >/dev/null 2>&1
	python3 - <<'PYTHON'
import json, re
text = open("shares.txt", encoding="utf-8").read()
page = open("shares.html", encoding="utf-8").read()
page = json.loads(re.search(r'id="data">(.*?)</script', page, re.S)[1])
lines = [json.loads(line) for line in open("shares.jsonl", encoding="utf-8")]
path = next(line for line in lines if line["type"] == "path")
head = r"path 1 (?:takes|explains) \S+ %|Path 1 adds \S+ \S+"
for told in text, page["summary"]:
    print(re.search(head, " ".join(told.split()))[0])
print(re.search(r"^ +1 .*", text, re.M)[0].split()[1:5])
print(page["paths"][0]["share"])
print(f'{path["share"]:.2f} {path["cost_ns"] / (lines[0]["suspect_own_ns"] - lines[0]["base_own_ns"]):.2f}')
PYTHON
}
is "head, row, page and JSON lines agree on the share of path 1" "$(shares '' slow.profile)" \
	"path 1 takes 92 %
path 1 takes 92 %
['563', 'ms', '92', '%']
92 %
0.92 0.92"
is "also where that is more than the difference" \
	"$(shares ',base="good.profile"' good.profile slow.profile)" \
	"Path 1 adds 563 ms
Path 1 adds 563 ms
['+563', 'ms', '0', 's']
105 %
1.05 1.05"

"$draw" large html >large.html
bytes=$(stat -c %s large.html)
is "20 000 contexts are all in the page, those with most time with their statistics" \
	"$(check_data large.html 2>&1)" "20000 12288"
ok "which is smaller than 1.5 MB" test "$bytes" -lt 1500000
"$draw" large html 40000 >larger.html
ok "and grows by less than 15 bytes for each further context" \
	test $((($(stat -c %s larger.html) - bytes) / 20000)) -lt 15

# ---- perf introperf ----

# ITP_PRELOAD goes to Babeltrace alone; a program that is linked with the sanitizers needs none.
perf_report() {
	timeout 300 "$ITP_BUILD_DIR/perf-introperf" "$@"
}
perf_report diff --html perf.html good.profile slow.profile >output.txt 2>errors.txt
same "perf introperf diff --html writes the same page" perf.html first.html
is "and nothing else" "$(cat output.txt errors.txt)" ""
perf_report report --html perf.html --output perf.txt slow.profile >output.txt 2>errors.txt
is "it writes nothing but the page" "$? $(cat output.txt errors.txt)" \
	"1 introperf: --html: the page is all that is written; leave out --output"
perf_report report --html none.html slow.profile good.profile >output.txt 2>errors.txt
is "and one page of one recording" "$? $(cat output.txt errors.txt)" \
	"1 introperf: --html: one file cannot take the rankings of several"

# ---- SVG and DOT ----

# xml FILE… succeeds for well-formed XML without scripts and links.
xml() {
	python3 - "$@" <<'PYTHON'
import sys, xml.etree.ElementTree
for name in sys.argv[1:]:
    for element in xml.etree.ElementTree.parse(name).iter():
        tag = element.tag.rpartition("}")[2]
        if tag in ("script", "image", "foreignObject") or any("href" in key for key in element.keys()):
            sys.exit(f"{name}: a {tag} {element.attrib}")
PYTHON
}

for format in svg dot; do
	graph "${both[@]}" --params="format=\"$format\"" >"shop.$format" 2>/dev/null
	for kind in hostile large alone runs empty; do
		"$draw" $kind $format >"$kind.$format"
	done
done
ok "a heat map as SVG is well-formed" xml {shop,hostile,large,alone,runs,empty}.svg
like "it has the culprit of the first path" "$(cat shop.svg)" '>take_price_lock<'
is "and a row of cells for each path, with a frame around each culprit" \
	"$(grep -c 'class="n[^>]*>0<' shop.svg) $(grep -c 'class="c"' shop.svg)" \
	"$(graph good.profile slow.profile "${rank[@]}" --params='base="good.profile",top=30,format="jsonl"' \
		2>/dev/null | python3 -c 'import json,sys
paths = [line for line in map(json.loads, sys.stdin) if line["type"] == "path"]
print(len(paths), sum(path["culprit"] is not None for path in paths))')"
like "a map of nothing says so" "$(cat empty.svg)" 'there is nothing to rank'

if command -v dot >/dev/null; then
	for kind in shop hostile large alone runs empty; do
		is "the graph of $kind is drawn without a warning" \
			"$(dot -Tsvg "$kind.dot" -o "$kind.dot.svg" 2>&1)" ""
	done
	ok "and is well-formed" xml {shop,hostile,large,alone,runs,empty}.dot.svg
	like "names in it are as they are" "$(cat hostile.dot.svg)" \
		'a&amp;lt;b&amp;amp;c\]\]&gt;\\N\\G<'
	is "both workloads have edges" "$(grep -oE 'stroke="#(c44e00|0068a8)"' shop.dot.svg | sort -u | wc -l)" 2
else
	skip "the graph is drawn without a warning" "no dot"
fi
"$draw" hostile jsonl >hostile.jsonl
is "and nothing in any format that a terminal would not show" \
	"$(python3 -c 'import sys
for name in sys.argv[1:]:
    unseen = {c for c in open(name, encoding="utf-8").read() if not c.isprintable()}
    if unseen - set("\n\t"):
        print(name, sorted(unseen))' hostile.{html,svg,dot,jsonl})" ""
ok "hostile names leave JSON lines whole" python3 -c 'import json,sys
for line in open("hostile.jsonl", encoding="utf-8"): json.loads(line)'

# ---- Bad input ----

fails_with "a format that is none" \
	'sink.introperf.report: parameter "format": "xml" is not one of html, svg, dot' \
	"${both[@]}" --params='format="xml"'
fails_with "a parameter that is none" \
	'sink.introperf.report: unknown parameter "metric"; known are format, base, output, top, per, in, idle, min-count, spread, own-modules, runtime-modules, names, names-file, process, focus, ignore, hide, root, fold-recursion, max-depth, pair' \
	"${both[@]}" --params='metric="own"'
fails_with "a place that cannot be written to" \
	"sink.introperf.report: missing/page.html: cannot write: No such file or directory" \
	"${both[@]}" --params='output="missing/page.html"'
fails_with "no profile" \
	"sink.introperf.report: no introperf:node events arrived; put filter.introperf.normalize before this sink" \
	"${good[@]}" "${infer[@]}" "${report[@]}" --params='output="none.html"'
fails_with "two recordings, and none is the base" \
	'sink.introperf.report: several inputs, of which parameter "base" must name those that behave: "good.data" ('"$tmp/good.profile/good.data/stream"'), "slow.data" ('"$tmp/slow.profile/slow.data/stream"')' \
	good.profile slow.profile "${report[@]}" --params='output="none.html"'
ok "no file is left by a run that fails" test ! -e none.html

# A file may grow no further than this, as on a full disk.
mkdir full
(
	trap '' XFSZ
	ulimit -f 100
	graph "${both[@]}" --params='output="full/page.html"' >full.txt 2>&1
	echo "status $?" >>full.txt
)
like "a full disk is an error" "$(cat full.txt)" 'full/page.html: cannot write: .*File too large.*status 1'
is "and no part of the page is left" "$(ls -A full)" ""
head -c $(($(stat -c %s slow.data) / 2)) slow.data >cut.data
graph cut.data --params="$symbols" "${profile[@]}" "${report[@]}" --params='output="cut.html"' >/dev/null 2>&1
is "a recording that is cut ends with an error" "$?" 1
like "and what was read is drawn, as incomplete" "$(grep -o '"incomplete":[a-z]*' cut.html)" 'true'

done_testing

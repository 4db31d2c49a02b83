#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What users of perf introperf read names options, never parameters of a graph: results, pages and
# errors.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"

enter_shop
# introperf COMMAND ARGUMENT…, with the files of the recorded machine.
introperf() {
	local command=$1
	shift
	timeout 300 "$ITP_BUILD_DIR/perf-introperf" "$command" --symfs symfs --kallsyms kallsyms "$@"
}

# page_texts FILE prints what a page of a report says, a line each.
page_texts() {
	python3 - "$1" <<'PYTHON'
import json, re, sys
page = open(sys.argv[1], encoding="utf-8").read()
data, source = (json.loads(re.search(f'id="{name}">(.*?)</script', page, re.S)[1])
                for name in ("data", "source"))
print(data["summary"], data["doubts"], data["quality"], sep="\n")
for path in data["paths"]:
    print(path["notes"], *(path["held_up"] or []), sep="\n")
for entry in source:
    print(entry["lack"])
PYTHON
}

# One that makes little sense to compare with: it is too short.
head -c $(($(stat -c %s good.data) / 20)) good.data >tiny.data
introperf report --save good.profile good.data >/dev/null 2>&1
introperf diff good.data slow.data >results.txt 2>&1
{
	introperf diff --by function --top 1 good.data slow.data
	introperf diff --by module --per call:serve_request good.data slow.data
	introperf diff --format tree --top 3 good.data slow.data
	introperf diff --metric total --method paper --no-fold good.data slow.data
	introperf diff --process shop --max-depth 6 --names raw good.data slow.data
	introperf report --explain --path 1 slow.data
	introperf report --by wait slow.data
	introperf report --top 1 good.profile
	introperf units slow.data
	introperf mine --symptom 'call:serve_request' slow.data
	introperf mine --symptom 'process>1ms' good.data slow.data
	introperf annotate slow.data
} >>results.txt 2>&1
for pair in "good.data slow.data" "good.profile slow.data" "tiny.data slow.data"; do
	# shellcheck disable=SC2086
	introperf diff --html page.html $pair >>results.txt 2>&1
	page_texts page.html >>results.txt
done
{
	introperf report --html page.html --idle ranked slow.data
	page_texts page.html
	introperf mine --format html --symptom 'call:serve_request' --output mined.html slow.data
	sed -n 's/.*id="data">\(.*\)<\/script.*/\1/p' mined.html |
		python3 -c 'import json, sys
def texts(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            texts(one)
    elif isinstance(value, str):
        print(value)
texts(json.load(sys.stdin))'
} >>results.txt 2>&1
ok "there are results to read" test "$(wc -l <results.txt)" -gt 200
like "some of them tell what else to ask for" "$(cat results.txt)" '--format jsonl'
like "and so do pages" "$(cat results.txt)" 'ran more than ten times as long as the other; say with --per'

# Each is wrong in another way.
while read -r arguments; do
	# shellcheck disable=SC2086
	introperf $arguments >>errors.txt 2>&1 && echo "no error: $arguments" >>fine.txt
done <<'END'
report --by nothing slow.data
report --by wait --in unit slow.data
report --in call:serve_request slow.data
report --estimate best --in unit slow.data
report --path 99 slow.data
report --path 1 --by function slow.data
report --explain --format jsonl slow.data
report --focus ( slow.data
report --focus nothing_is_called_so --hide nor_so slow.data
report --process nothing slow.data
report --own-modules nothing* slow.data
report --names-file /nonexistent slow.data
report --pair a=b slow.data
report --percent-limit 101 slow.data
report --per call:nothing slow.data
report --spread much slow.data
report --continuity none slow.data
report --symfs /nonexistent/directory slow.data
report --html page.html --output page.txt slow.data
report --tui --format csv slow.data
report --latencies --in unit slow.data
diff --base other.data good.data slow.data
diff --pair a=b good.data slow.data
diff --fail-above much good.data slow.data
diff --fail-above nothing=1s good.data slow.data
diff --per second:no good.data slow.data
diff --per unit:nothing good.data slow.data
units --cut 3 slow.data
units --cut half slow.data
mine --symptom slow slow.data
mine --symptom call:nothing slow.data
mine --symptom call:serve_request>10s slow.data
mine --cut 3 slow.data
mine --min-cost much slow.data
mine --linkage none slow.data
mine --signatures /nonexistent slow.data
export --format nothing slow.data
export --format chrome --per second slow.data
export --format folded --begin 1 slow.data
export --format chrome --begin 2 --end 1 --output none.json slow.data
export --format chrome --begin soon --output none.json slow.data
END
is "all of these are errors" "$(cat fine.txt 2>/dev/null)" ""
ok "each of which is told" test "$(grep -c '^introperf: ' errors.txt)" -ge 39

# syntax FILE prints lines that speak of graphs: name="value", parameters, components.
syntax() {
	grep -anE '(^|[ (,;:])[a-z][a-z-]*="|\bparameters?\b|--params|\b(source|filter|sink)\.(introperf|ctf)' "$1"
}
is "results and pages name options" "$(syntax results.txt)" ""
is "and so do errors" "$(syntax errors.txt)" ""

# Of parameters that errors name, options have the names.
for command in report diff top units mine export annotate guard; do
	"$ITP_BUILD_DIR/perf-introperf" "$command" --help
done 2>/dev/null | grep -oE -- '--[a-z][a-z-]+' | sort -u >options.txt
grep -rhoE 'parameters? \\"[a-z-]+\\"' "$ITP_SOURCE_DIR"/{common,sinks,filters,plugins/perf}/ --include='*.c' |
	sed 's/.*\\"\(.*\)\\"/--\1/' | sort -u >named.txt
ok "errors name parameters" test "$(wc -l <named.txt)" -gt 15
# Commands have no use for it: only graphs can leave out who records.
is "options have the names that errors have" "$(comm -13 options.txt named.txt)" "--exclude-pid"

done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Manual pages: every one is formatted without a warning and fits a terminal; every parameter
# that a component knows, and every option of a command, is in its page.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

pages=$ITP_SOURCE_DIR/doc/man

command -v groff >/dev/null || skip_all "groff is not installed"

for page in "$pages"/*.[17]; do
	name=$(basename "${page%.*}")
	# Without the escape sequences and backspaces of a terminal.
	warnings=$(groff -ww -mdoc -Tutf8 -P-cbou "$page" 2>&1 >"$tmp/text")
	is "$name is formatted without a warning" "$warnings" ""
	ok "$name fits 80 columns" test "$(LC_ALL=C.UTF-8 wc -L <"$tmp/text")" -le 80
	like "$name says what it is about" "$(cat "$page")" $'\n\.Nd [a-z]'
done

# page_documents PAGE PARAMETER…
page_documents() {
	local page=$1 parameter
	shift
	for parameter in "$@"; do
		ok "${page#babeltrace2-} documents $parameter" \
			grep -q "^\.It Cm $parameter Ns = Ns Ar" "$pages/$page.7"
	done
}

page_documents babeltrace2-source.introperf.perf inputs symfs kallsyms kernel demangle fill \
	debuginfod
page_documents introperf-dlfilter base name
page_documents babeltrace2-filter.introperf.infer continuity group-by symfs kallsyms maps \
	fill calls stretches pass-through period exclude-pid
page_documents babeltrace2-filter.introperf.normalize estimate
page_documents babeltrace2-filter.introperf.symbolize symfs kallsyms maps
page_documents babeltrace2-filter.introperf.unit cut each in latencies
page_documents babeltrace2-filter.introperf.wait symptom scope
page_documents babeltrace2-sink.introperf.mine min-cost patterns focus ignore linkage cut order base signatures \
	save-signatures top format output
page_documents babeltrace2-sink.introperf.rank base format output top metric method names \
	names-file focus ignore hide root fold-recursion max-depth by per in fold idle min-count spread \
	own-modules runtime-modules pair

page_documents babeltrace2-sink.introperf.report base format output top per in idle min-count spread \
	own-modules runtime-modules names names-file focus ignore hide root fold-recursion max-depth pair

page_documents babeltrace2-sink.introperf.export format output begin end base per in names \
	names-file focus ignore hide root fold-recursion max-depth pair

# documented_options prints the options that perf-introperf's page names.
documented_options() {
	sed 's/^\.Fl/Fl/; s/ Ns .*//' "$pages/perf-introperf.1" | grep -oE 'Fl Fl [a-z-]+' |
		sed 's/Fl Fl /--/' | sort -u
}
for subcommand in record report diff top mine units guard export; do
	"${ITP_BUILD_DIR:?}/perf-introperf" $subcommand --help | grep -oE '^  (-., )?--[a-z-]+' |
		grep -oE -- '--[a-z-]+' | grep -v '^--no-' | sort -u >"$tmp/options"
	ok "$subcommand has options" test -s "$tmp/options"
	is "every option of $subcommand has its place in the page" \
		"$(documented_options | comm -13 - "$tmp/options")" ""
done

# The words of the page of the ranking, and those that its results use.
grep -oE '[a-z][a-z_]*' "$pages/babeltrace2-sink.introperf.rank.7" | sort -u >"$tmp/words"
results=$ITP_SOURCE_DIR/tests/unit/render
head -1 "$results/changes.csv" | tr -d '\r' | tr , '\n' | sort -u >"$tmp/columns"
is "every column of CSV has its place in the page" "$(comm -13 "$tmp/words" "$tmp/columns")" ""
cat "$results"/*.jsonl | grep -oE '"[a-z_]+":' | tr -d '":' | sort -u >"$tmp/keys"
is "and so has every key of JSON lines" "$(comm -13 "$tmp/words" "$tmp/keys")" ""

done_testing

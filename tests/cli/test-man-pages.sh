#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Manual pages: every one is formatted without a warning and fits a terminal; every parameter
# that a component knows, and every option of a command, is in its page.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

pages=$ITP_SOURCE_DIR/doc/man

command -v groff >/dev/null || skip_all "groff is not installed"

# From 1.23 on it tells of lines that it cannot stretch, which nobody minds.
warn=(-ww)
groff --version | grep -q ' 1\.22\.' || warn+=(-Wbreak)
for page in "$pages"/*.[157]; do
	name=$(basename "${page%.*}")
	# Without the escape sequences and backspaces of a terminal.
	warnings=$(groff "${warn[@]}" -mdoc -Tutf8 -P-cbou "$page" 2>&1 >"$tmp/text")
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
page_documents babeltrace2-sink.introperf.mine min-cost patterns focus ignore similarity linkage cut order base \
	signatures save-signatures top format output
page_documents babeltrace2-sink.introperf.rank base format output top metric method names \
	names-file process focus ignore hide root fold-recursion max-depth by per in fold idle min-count \
	percent-limit spread own-modules runtime-modules pair explain verbose quiet separator

page_documents babeltrace2-sink.introperf.report base format output top per in idle min-count spread \
	own-modules runtime-modules names names-file process focus ignore hide root fold-recursion max-depth pair

page_documents babeltrace2-sink.introperf.export format output begin end base per in names \
	names-file process focus ignore hide root fold-recursion max-depth pair

# documented_options prints the options that perf-introperf's page names.
documented_options() {
	sed 's/^\.Fl/Fl/; s/ Ns .*//' "$pages/perf-introperf.1" | grep -oE 'Fl Fl [a-z-]+' |
		sed 's/Fl Fl /--/' | sort -u
}
documented=(record report diff annotate top mine units export)
"${ITP_BUILD_DIR:?}/perf-introperf" guard 2>&1 | grep -q "built without" || documented+=(guard)
for subcommand in "${documented[@]}"; do
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

# Those of the formats: what the sources write, and messages that there are.
cd "$ITP_SOURCE_DIR" || exit 99
page_names() {
	sed -n 's/^\.\(It \)\?Li //p' "$pages/$1" | grep -oE '[a-z][a-z_:]*[a-z]' | sort -u
}
grep -rhE '"type", ' common/render plugins/perf/guard/lines.c --include='*.c' --exclude=csv.c |
	sed 's/.*"type", //' | grep -oE '"[a-z_]+"' | tr -d '"' | sort -u >"$tmp/types"
is "every type of JSON lines has its place in introperf-jsonl" \
	"$(page_names introperf-jsonl.5 | comm -13 - "$tmp/types")" ""
grep -ohE '(_set(_new)?|_get|json_object_[a-z]+)\([^;]*"[a-z_]+"' common/guard/file.c | grep -oE '"[a-z0-9_]+"$' |
	tr -d '"' | sort -u >"$tmp/members"
ok "guard files have members" test -s "$tmp/members"
is "each of which is in introperf-guards" \
	"$(grep -oE '[a-z0-9]+(_[a-z0-9]+)*' "$pages/introperf-guards.5" | sort -u | comm -13 - "$tmp/members")" ""
grep -oE 'introperf:[a-z_]+' common/schema/layouts.c | sort -u >"$tmp/messages"
is "introperf-profile names messages that there are" \
	"$(page_names introperf-profile.5 | grep ^introperf: | comm -23 - "$tmp/messages")" ""
is "the words of results are explained as they are by the program" \
	"$(sed -n '/^\.\\" Made by tests\/cli\/words/,/^\.\\" End of what was made/p' "$pages/introperf.7" |
		sed '/^\.\\"/d; /^\.Bl/d; /^\.El/d')" "$("$ITP_BUILD_DIR/tests/cli/words")"

done_testing

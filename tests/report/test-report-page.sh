#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The page of sink.introperf.report in a real browser: what it shows of the shipped recordings and
# of one that is made on the spot agrees with the JSON lines of the same run, and what a person does
# with it works. Pictures of it are kept in tests/report/screenshots of the build.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"

chromium=$(command -v chromium) || skip_all "no chromium"
chromedriver=$(command -v chromedriver) || skip_all "no chromedriver (chromium-driver)"
/usr/bin/python3 -c 'import selenium' 2>/dev/null || skip_all "no python3-selenium"

enter_shop
mkdir pages
draw=$ITP_BUILD_DIR/tests/report/draw

# report NAME RANK-PARAMETERS ARGUMENT… writes NAME.html, and NAME.jsonl of the same.
report() {
	local name=$1 parameters=$2
	shift 2
	graph "$@" "${profile[@]}" -c sink.introperf.report \
		--params="output=\"pages/$name.html\"$parameters" >/dev/null 2>&1 &&
		graph "$@" "${profile[@]}" "${rank[@]}" \
			--params="output=\"pages/$name.jsonl\",format=\"jsonl\",top=30$parameters" \
			>/dev/null 2>&1
}

report shipped ',base="good.data"' "${good[@]}" "${slow[@]}" || diag "no report of the shipped recordings"
graph "${good[@]}" "${slow[@]}" "${profile[@]}" -c sink.introperf.export \
	--params='base="good.data",format="svg",output="shipped.svg"' >/dev/null 2>&1 ||
	diag "no flame graph of the shipped recordings"
report single '' "${slow[@]}" || diag "no report of one shipped recording"
# Fresh ones, whatever they hold; where perf may not record, the shipped ones have to do.
if perf record -q -k CLOCK_MONOTONIC --switch-events --call-graph fp \
	-e raw_syscalls:sys_enter,raw_syscalls:sys_exit,sched:sched_switch,sched:sched_wakeup \
	-e cpu-clock/freq=997/ -o fresh.data -- "$ITP_BUILD_DIR/demo/shop" --requests=200 \
	>/dev/null 2>&1 &&
	perf record -q -k CLOCK_MONOTONIC --switch-events --call-graph fp \
		-e raw_syscalls:sys_enter,raw_syscalls:sys_exit,sched:sched_switch,sched:sched_wakeup \
		-e cpu-clock/freq=997/ -o stale.data -- \
		"$ITP_BUILD_DIR/demo/shop" --requests=200 --stale-lock >/dev/null 2>&1; then
	report fresh ',base="fresh.data"' fresh.data stale.data || diag "no report of fresh recordings"
fi
if ${CC:-cc} -O1 -g -fno-omit-frame-pointer -pthread -o server "$ITP_SOURCE_DIR/tests/cli/unit-server.c" &&
	"$ITP_BUILD_DIR/perf-introperf" record -o server.data -- ./server >/dev/null 2>&1; then
	"$ITP_BUILD_DIR/perf-introperf" report --html pages/units.html server.data >/dev/null 2>&1
fi
if ${CC:-cc} -O1 -g -fno-omit-frame-pointer -o chain "$ITP_SOURCE_DIR/tests/cli/through-chain.c" &&
	"$ITP_BUILD_DIR/perf-introperf" record -o chain.data -- ./chain >/dev/null 2>&1 &&
	"$ITP_BUILD_DIR/perf-introperf" record -o again.data -- ./chain >/dev/null 2>&1; then
	"$ITP_BUILD_DIR/perf-introperf" report --html pages/requests.html chain.data >/dev/null 2>&1
	"$ITP_BUILD_DIR/perf-introperf" diff --html pages/both-requests.html chain.data again.data >/dev/null 2>&1
fi
# A program whose costly lines are known, one of which would end the page's data.
sed 's|/\* HOT \*/|/* HOT */ // </script><!-- <b>|' "$ITP_SOURCE_DIR/tests/cli/lines.cc" >lines.cc
if ${CXX:-c++} -O1 -g -fno-omit-frame-pointer -o lines lines.cc &&
	"$ITP_BUILD_DIR/perf-introperf" record -o lines.data -- ./lines >/dev/null 2>&1 &&
	"$ITP_BUILD_DIR/perf-introperf" record -o short.data -- ./lines 10 >/dev/null 2>&1; then
	introperf() {
		"$ITP_BUILD_DIR/perf-introperf" "$@" 2>/dev/null
	}
	introperf annotate --format jsonl lines.data >lines.jsonl
	introperf report --save lines.profile lines.data
	introperf report --html pages/source.html lines.data
	introperf report --html pages/no-source.html --no-source lines.data
	introperf report --html pages/profile-source.html lines.profile
	introperf report --html pages/piped-source.html - <lines.data
	introperf diff --html pages/both-sources.html short.data lines.data
	mv lines.cc moved.cc
	introperf report --html pages/moved-source.html lines.data
	strip lines
	introperf report --html pages/stripped-source.html lines.data
fi
for kind in hostile large alone runs empty; do
	"$draw" "$kind" html >"pages/$kind.html"
done
"$draw" large jsonl >large.jsonl

PYTHONPATH="$ITP_SOURCE_DIR/tests/report" timeout 1200 /usr/bin/python3 -B \
	"$ITP_SOURCE_DIR/tests/report/page.py" "$chromium" "$chromedriver" pages \
	"$ITP_BUILD_DIR/tests/report/screenshots"
exit $?

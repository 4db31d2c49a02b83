#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Profiles saved by a graph that Babeltrace's own reader crashes on, needs any amount of memory for, or comes
# to no end with: each ends in one sentence, wherever it is given to introperf.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/perf-introperf.sh
. "$(dirname "$0")/../cli/perf-introperf.sh"

command -v python3 >/dev/null || skip_all "python3 is not installed"
enter_shop
files=(--symfs symfs --kallsyms kallsyms)
for run in good slow; do
	graph $run.data --params="$symbols" "${profile[@]}" -c sink.ctf.fs \
		--params="${as_ctf_1}path=\"$run.profile\"" >/dev/null 2>&1
done
python3 "$ITP_SOURCE_DIR/tests/corrupt/damage-profile.py" slow.profile damaged ||
	skip_all "the profile could not be damaged"
# The sanitizers' own mappings leave no limit on memory.
[ -z "${ITP_PRELOAD:-}" ] || rm -r damaged/memory-sequence

# told NAME prints what is said of damaged/NAME.
told() {
	local end="crashes on it (signal "
	[ "$1" != endless-metadata ] || end="comes to no end with it; save or record it anew"
	printf 'damaged/%s/trace: a damaged saved profile or trace: Babeltrace'"'"'s reader %s' "$1" "$end"
}

# fate NAME prints what Babeltrace's reader alone comes to with damaged/NAME: that of 2.1 has learnt to
# read or to refuse some of what that of 2.0 crashes on.
fate() {
	if [ -z "$as_ctf_1" ] || [[ $1 == memory-* ]]; then
		echo crashes
		return
	fi
	timeout 20 babeltrace2 "damaged/$1" -c sink.utils.dummy >/dev/null 2>&1
	case $? in
	0) echo reads ;;
	1) echo refuses ;;
	*) echo crashes ;;
	esac
}

# refuses SENTENCE NAME COMMAND…: it fails, with one sentence about damaged/NAME in one line, and with
# no result. Where the reader does not mind, nor does the command.
refuses() {
	local sentence=$1 name=$2 wanted status
	wanted=$(told "$name")
	shift 2
	"$@" >"$tmp/output.txt" 2>"$tmp/errors.txt"
	status=$?
	if [ "${fates[$name]}" = reads ]; then
		is "$sentence, which can be read" "$status" 0
		rm -rf exported.txt page.html new.profile
		return
	fi
	[ "${fates[$name]}" = crashes ] || wanted="damaged/$name"
	is "$sentence" "$((status > 0 && status < 124)) $(grep -cF "$wanted" errors.txt) \
$(wc -l <errors.txt) $(wc -c <output.txt)" "1 1 1 0"
}
declare -A fates
for damaged in damaged/*; do
	fates[${damaged#damaged/}]=$(fate "${damaged#damaged/}")
done

for damaged in damaged/*; do
	name=${damaged#damaged/}
	refuses "report says so of $name" "$name" introperf report "damaged/$name"
done
rm -r damaged/endless-metadata
for damaged in damaged/*; do
	name=${damaged#damaged/}
	refuses "export says so of $name" "$name" introperf export -o exported.txt "$damaged"
	refuses "diff of the base $name" "$name" introperf diff "$damaged" slow.profile
	refuses "diff of the other, $name" "$name" introperf diff good.profile "$damaged"
	refuses "report with a page of $name" "$name" introperf report --html page.html "$damaged"
	refuses "and with a profile to save of $name" "$name" \
		introperf report --save new.profile "$damaged"
done
refuses "top of its base, before it records" crash-field-twice \
	introperf top --base damaged/crash-field-twice -- touch started
is "nothing is left half-written" \
	"$(ls -d exported.txt* page.html* new.profile* core* started 2>/dev/null)" ""

name=crash-field-twice
ignoring_children() {
	(
		trap '' CHLD
		introperf "$@"
	)
}
refuses "nor does it matter who takes notice of children" $name \
	ignoring_children report damaged/$name
ignoring_children report --format jsonl slow.profile >saved.txt 2>errors.txt
graph slow.profile "${rank[@]}" --params='format="jsonl"' >direct.txt 2>/dev/null
same "a sound profile is ranked as by babeltrace2" saved.txt direct.txt
introperf export slow.profile >saved.txt
introperf export "${files[@]}" slow.data >direct.txt
same "and exported as the recording is" saved.txt direct.txt

# The child that reads ends with who waits for it.
python3 "$ITP_SOURCE_DIR/tests/corrupt/damage-profile.py" slow.profile again
"$program" report again/endless-metadata >/dev/null 2>&1 &
reading=$!
child=
while [ -z "$child" ] && kill -0 $reading 2>/dev/null; do
	child=$(cat /proc/$reading/task/$reading/children 2>/dev/null)
	child=${child% }
done
kill -KILL $reading 2>/dev/null
wait $reading 2>/dev/null
for _ in $(seq 200); do
	[ -e "/proc/${child:-none}" ] || break
	sleep 0.05
done
ok "who is killed meanwhile leaves nobody behind" test -n "$child" -a ! -e "/proc/$child"

# Inside perf.
perf_has() {
	[ -z "${ITP_PRELOAD:-}" ] && command -v perf >/dev/null && [ "$(uname -m)" = x86_64 ] && "$@"
}
lists_dlfilters() {
	perf script --list-dlfilters >/dev/null 2>&1
}
has_python() {
	perf version --build-options 2>/dev/null | grep -q 'libpython: *\[ *on'
}
in_dlfilter() {
	timeout 120 perf script -i good.data --dlfilter "$ITP_BUILD_DIR/.libs/introperf.so" \
		--dlarg symfs=symfs --dlarg kallsyms=kallsyms "$@"
}
in_script() {
	PYTHONPATH=$ITP_BUILD_DIR/.libs timeout 120 perf script -i good.data --symfs symfs \
		--kallsyms kallsyms -s "$ITP_SOURCE_DIR/plugins/perf/script/introperf.py" -- \
		symfs=symfs kallsyms=kallsyms "$@"
}
# perf adds lines of its own.
says_in_perf() {
	local sentence=$1
	shift
	"$@" >output.txt 2>errors.txt
	is "$sentence" "$(($? > 0)) $(grep -cF "$(told $name)" errors.txt) $(wc -c <output.txt)" "1 1 0"
}
if perf_has lists_dlfilters; then
	says_in_perf "the dlfilter says so" in_dlfilter --dlarg base=damaged/$name
else
	skip "the dlfilter says so" "this perf has no dlfilters"
fi
if perf_has has_python; then
	says_in_perf "and the script does" in_script base=damaged/$name
else
	skip "and the script does" "this perf was built without Python"
fi

done_testing

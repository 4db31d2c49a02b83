#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Ctrl-C while a recording is read, for the first or for the second time: the result is the whole one, or
# it says that it is not and so does the exit status, or there is none.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

enter_shop
files=(--symfs symfs --kallsyms kallsyms)
introperf report "${files[@]}" --save good.saved good.data >/dev/null 2>&1
graph "${good[@]}" "${profile[@]}" -c sink.ctf.fs --params="${as_ctf_1}path=\"good.profile\"" >/dev/null 2>&1
stream=$(basename "$(find good.profile -type f ! -name metadata)")

# What a result has that is not whole: the text, JSON lines, the page, the page without lines, and the
# files of other programs that have a place for it.
lack='^INTERRUPTED:|"interrupted":true|Input: incomplete|for them was interrupted|\(incomplete\)'

# result of the last run, on standard output and in files.
result() {
	cat result.txt
	if head -c 14 out 2>/dev/null | grep -q introperf-prof; then
		introperf report out 2>&1
	elif [ -e out ]; then
		cat out
	fi
}

# interrupts SENTENCE FILE ARGUMENT…: SIGINT arrives when FILE is opened for the first time, in another
# run for the second, and so on, until it is not opened that often. Where FILE is a recording, that is before
# it is read, and before there is a handler for the first time; where it is the recorded program, amid the
# reading, for its symbols. $ends are the exit statuses, each with "r" where there was a result.
interrupts() {
	local sentence=$1 file=$2 number=0 status=1 wrong=
	shift 2
	ends=
	rm -rf out
	introperf "$@" >result.txt 2>errors.txt
	result >whole.txt
	while [ $status -ne 0 ] && [ $number -lt 20 ]; do
		number=$((number + 1))
		rm -rf out
		ITP_INTERRUPT_AT="$number $file" preloaded "$@" >result.txt 2>errors.txt
		status=$?
		result >part.txt
		if [ $status -eq 0 ]; then
			cmp -s part.txt whole.txt || wrong+=" $number: another result, as if it were whole"
		elif [ -s part.txt ] && ! grep -Eq "$lack" part.txt; then
			wrong+=" $number: a result that does not say so"
		fi
		ends+=" $status$(test -s part.txt && echo r)"
		grep -Eq "$lack" part.txt && cp part.txt lacking.txt
	done
	is "$sentence" "$wrong $status" " 0"
}

# Without --symfs, the program is looked for where it was.
program_file=introperf-demo/shop
interrupts "a ranking" $program_file report --format jsonl slow.data
like "of which there is a part" "$ends" '^ 130r .*0r$'
interrupts "a page" $program_file report --html out slow.data
like "which has a part of the ranking, or no lines" "$ends" '^ 130r .*130r.* 0r$'
for input in $program_file slow.data; do
	interrupts "a profile, by $input" "$input" report --save out slow.data
	interrupts "an export, by $input" "$input" export --format speedscope -o out slow.data
	interrupts "a timeline, by $input" "$input" export --format chrome -o out slow.data
	interrupts "source lines, by $input" "$input" annotate slow.data
	interrupts "mining, by $input" "$input" mine --base good.data slow.data
done

interrupts "the page of a recording" slow.data report "${files[@]}" --html out slow.data
like "when the lines are looked for" "$ends" ' 130r 0r$'
is "tells for the suspect that there are none, and has none" \
	"$(grep -Eo '"lack":"There are no source lines: [^."]*|"sections":' lacking.txt)" \
	'"lack":"There are no source lines: the reading of the recording for them was interrupted'
for input in good.data slow.data; do
	interrupts "the page of a comparison, by $input" $input diff "${files[@]}" --html out good.data slow.data
	like "with a result of what was read" "$ends" ' 130r 0r$'
done
for saved in good.profile good.saved; do
	interrupts "the page of a comparison with $saved" slow.data diff "${files[@]}" --html out $saved slow.data
	like "without the lines" "$ends" ' 130r 0r$'
done
interrupts "the same, by the profile" "$stream" diff "${files[@]}" --html out good.profile slow.data
interrupts "a profile that is saved once more" "$stream" report --save out good.profile
interrupts "the same, by a file" good.saved diff "${files[@]}" --html out good.saved slow.data
interrupts "and saved once more" good.saved report --save out good.saved
interrupts "mining, by what behaves" good.data mine "${files[@]}" --base good.data slow.data

done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
#
# perf introperf reads recordings without a graph of Babeltrace: the same bytes as from the graph,
# for every way in which perf records stacks and for the parameters of all components.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/perf-introperf.sh
. "$(dirname "$0")/../cli/perf-introperf.sh"

command -v perf >"$tmp/which" || skip_all "perf is not installed"
cd "$tmp" || exit 99

# params STAGE PARAMETER… sets $given to the --params of one stage, for those STAGE:NAME=VALUE that
# are the stage's.
params() {
	local one
	given=()
	for one in "${@:2}"; do
		[[ $one == "$1":* ]] && given+=(--params="${one#*:}")
	done
}

# both FILE… -- [STAGE:]NAME=VALUE… makes program.txt and graph.txt of the same recordings, the first
# of several being the base. A text that is a name is given in quotes, as --params wants it.
both() {
	local files=() inputs option options=() command=report base=() components given
	while [ "$1" != -- ]; do
		files+=("$1")
		shift
	done
	shift
	for option in "$@"; do
		option=${option#*:}
		case $option in
		*=yes) options+=("--${option%=yes}") ;;
		*=no) options+=("--no-${option%=no}") ;;
		*) options+=("--${option//\"/}") ;;
		esac
	done
	[ ${#files[@]} -eq 1 ] || { command=diff && base=(--params="base=\"${files[0]}\""); }
	inputs=$(printf '"%s",' "${files[@]}")
	introperf $command "${options[@]}" "${files[@]}" >program.txt 2>errors.txt
	params source "$@"
	components=(--component=source.introperf.perf --params="inputs=[${inputs%,}]" "${given[@]}")
	params infer "$@"
	components+=("${infer[@]}" "${given[@]}")
	params normalize "$@"
	# What the program sees to itself.
	[[ " $* " == *" rank:path="* ]] && given+=(--params=latencies=yes)
	components+=(-c filter.introperf.normalize "${given[@]}")
	params rank "$@"
	graph "${components[@]}" "${rank[@]}" "${given[@]}" "${base[@]}" >graph.txt 2>"$tmp/graph.err"
}

# same_for SENTENCE FILE… -- [STAGE:]NAME=VALUE…
same_for() {
	both "${@:2}"
	ok "$1: there is a ranking" test -s graph.txt
	sed -i "$asking" program.txt graph.txt
	# Which only the program keeps what is needed for; there is none where its slowest calls ran.
	sed -i '/^What held up /,/^$/d' program.txt
	# What is said in the words of each, in the midst of a paragraph.
	if grep -qE '^Doubtful comparison|\((metric|method)=' graph.txt; then
		sed -i -E 's/--(pair|per|metric|method) ([a-z]+|BASE=SUSPECT|…)/\1=\2/' program.txt
		for file in program.txt graph.txt; do
			tr -d '"' <$file | tr -s ' \n' ' ' >joined.txt
			mv joined.txt $file
		done
	fi
	same "$1: it is that of babeltrace2" program.txt graph.txt
}

# made NAME OPTION…: NAME.data is recorded with perf, of a program with threads, locks and files.
made() {
	perf record -q -k CLOCK_MONOTONIC -o "$1.data" "${@:2}" -- "$ITP_BUILD_DIR/demo/shop" \
		--requests=300 >"$tmp/record.log" 2>&1
}

all=(-e "raw_syscalls:sys_enter,raw_syscalls:sys_exit,sched:sched_switch,sched:sched_wakeup"
	-e "cpu-clock/freq=997/" --switch-events)
everything=(rank:format='"jsonl"' rank:top=0)

made fp "${all[@]}" --call-graph fp ||
	skip_all "perf may not record here: $(head -n 1 "$tmp/record.log")"
made again "${all[@]}" --call-graph fp
made dwarf "${all[@]}" --call-graph dwarf,8192
made packed "${all[@]}" --call-graph fp -z
made timer -e cpu-clock/freq=4000/ --call-graph fp
made entered -e raw_syscalls:sys_enter --call-graph fp
perf record -q -a "${all[@]}" --call-graph fp -o machine.data -- "$ITP_BUILD_DIR/demo/shop" \
	--requests=300 >"$tmp/record.log" 2>&1
perf record -q "${all[@]}" --call-graph fp -o - -- "$ITP_BUILD_DIR/demo/shop" --requests=300 \
	2>"$tmp/record.log" >piped.data

same_for "frame pointers" fp.data -- "${everything[@]}"
same_for "copied stacks" dwarf.data -- "${everything[@]}"
same_for "the whole machine" machine.data -- "${everything[@]}"
same_for "only a timer" timer.data -- "${everything[@]}"
same_for "only system calls" entered.data -- "${everything[@]}"
same_for "a recording from a pipe" piped.data -- "${everything[@]}"
if [ -s packed.data ]; then
	same_for "compressed records" packed.data -- "${everything[@]}"
else
	skip "compressed records" "this perf cannot compress"
fi
head -c $(($(stat -c %s fp.data) * 3 / 4)) fp.data >cut.data
same_for "a recording that is cut short" cut.data --
like "which is said" "$(cat errors.txt)" 'introperf: cut\.data: the file is truncated at byte'
introperf report - <piped.data 2>&1 | sed "$asking" >program.txt
graph --component=source.introperf.perf --params='inputs=["-"]' "${profile[@]}" "${rank[@]}" \
	<piped.data | sed "$asking" >graph.txt
same "standard input is read as well" program.txt graph.txt

# Traces of others go through the filters.
if perf data convert -i fp.data --to-ctf=fp.ctf --all >"$tmp/log" 2>&1; then
	introperf report fp.ctf 2>"$tmp/log" | sed "$asking" >program.txt
	graph fp.ctf "${profile[@]}" "${rank[@]}" 2>"$tmp/log" | sed "$asking" >graph.txt
	ok "a trace in CTF has a ranking" test -s graph.txt
	same "and it is that of babeltrace2" program.txt graph.txt
	introperf diff fp.ctf again.data >program.txt 2>errors.txt
	like "it can be compared with a recording" "$(cat program.txt)" "(^|
)base +.*
suspect +again\.data "
else
	skip "a trace in CTF has a ranking" "this perf writes none"
fi

same_for "two recordings" fp.data again.data --
same_for "two recordings, all of it" fp.data again.data -- "${everything[@]}"
same_for "copied stacks against frame pointers" fp.data dwarf.data -- "${everything[@]}"
for one in infer:continuity='"function"' infer:continuity='"call-site"' infer:group-by='"pid"' \
	infer:group-by='"tid"' infer:group-by='"all"' normalize:estimate='"aggressive"' \
	normalize:estimate='"conservative"' source:demangle='"none"' source:clock='"recording"' \
	rank:format='"csv"' rank:by='"function"' rank:by='"module"' rank:metric='"total"' \
	rank:metric='"count"' rank:metric='"each"' rank:method='"paper"' rank:per='"second"' \
	rank:fold=no rank:idle='"ranked"' rank:names='"raw"' rank:max-depth=5 \
	rank:own-modules='"libc.so*"' rank:path=1; do
	same_for "$one" fp.data again.data -- "$one"
done
same_for "several parameters" dwarf.data -- infer:continuity='"call-site"' \
	normalize:estimate='"conservative"' rank:hide='"^libc[.]so[.]6!"' rank:fold-recursion=no \
	rank:top=3 rank:min-count=2
done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What users of perf type: options of its report, diff, top, record and annotate mean the same here, or the
# error says what is used instead.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

enter_shop
files=(--symfs symfs --kallsyms kallsyms)

# result COMMAND ARGUMENT… prints what it prints but for the offer of the next command.
result() {
	local command=$1
	shift
	introperf "$command" "${files[@]}" "$@" 2>&1 | sed "$asking"
}

# means SENTENCE COMMAND FAMILIAR -- OURS: both are option lists, and have the same result.
means() {
	local sentence=$1 command=$2 familiar=()
	shift 2
	while [ "$1" != -- ]; do
		familiar+=("$1")
		shift
	done
	shift
	is "$sentence" "$(result "$command" "${familiar[@]}")" "$(result "$command" "$@")"
}

means "-i FILE is the file" report -i slow.data -- slow.data
means "also at once" report -islow.data --stdio -n -m -g -- slow.data
means "-t , is CSV" report -t, slow.data -- --format csv slow.data
means "-t with something else separates columns by that" report -t ';' slow.data -- \
	--format csv --separator ';' slow.data
introperf report --names canonical --symfs symfs --kallsyms kallsyms -t '\t' slow.data >tabs.txt 2>/dev/null
introperf report --names canonical --symfs symfs --kallsyms kallsyms --format csv slow.data >commas.txt 2>/dev/null
is "with a tab, cut finds the columns" "$(cut -f 22 tabs.txt)" "$(cut -d , -f 22 commas.txt)"
is "which lack what stands for them" "$(introperf report -t : slow.data 2>/dev/null | awk -F : '{ print NF }' | sort -u)" \
	"$(head -1 commas.txt | awk -F , '{ print NF }')"
means "-g caller is the tree" report -g caller,0.5 -i slow.data -- --format tree slow.data
means "so is -G" report -G -i slow.data -- --format tree slow.data
means "--call-graph=none is functions" report --call-graph=none slow.data -- --by function slow.data
means "-v has names in full" report -v --format jsonl slow.data -- --names canonical --format jsonl slow.data
means "-o FILE is the output" report -o result.txt slow.data -- --output result.txt slow.data
means "-d is contexts with functions of a module" report -d libc.so.6 slow.data -- \
	--focus '^libc[.]so[.]6!' slow.data
means "-s has functions" report -s comm,dso,sym slow.data -- --by function slow.data
means "modules, where functions were not asked for" diff --sort comm,dso good.data slow.data -- --by module good.data slow.data
means "or programs" report --sort comm slow.data -- --by process slow.data
means "each process, or each thread" report -s pid slow.data -- --by process --group-by pid slow.data
means "thread by thread" report -s comm,tid slow.data -- --by thread slow.data
means "as -T has" report -T slow.data -- --by thread slow.data
means "-F has rows of its keys" report -F overhead,sample,comm,sym slow.data -- --by function slow.data
means "with what they call, if that is a field" report --fields=overhead_children,sym slow.data -- --children slow.data
complains "a field that is none here" 1 \
	'-F: "weight1" is not one of sym, dso, comm, pid, tid, cgroup, overhead, overhead_children, sample, period; see --by' \
	report -F weight1,sym slow.data
complains "fields without a key" 1 "-F: names no key: sym, dso, comm, pid, tid or cgroup" report -F overhead slow.data
means "annotate -i FILE is the file, and --stdio is so anyway" annotate -i slow.data --stdio -l -f -- slow.data
means "behind it is the function" annotate -i slow.data pause_ns -- -s pause_ns slow.data
complains "two functions" 1 'one recording at a time; leave out "b"' annotate -i slow.data a b
complains "a key that is none here" 1 '--sort: "srcline" is not one of sym, dso, comm, pid, tid, cgroup; see --by' \
	report --sort sym,srcline slow.data
means "--children are functions with all that they call" report --children slow.data -- --by function --metric total slow.data
means "--no-children are those without" report --no-children slow.data -- --by function slow.data
means "-C are processes to diff" diff -C shop good.data slow.data -- --process shop good.data slow.data
means "so they are to report as -c" report -c shop slow.data -- --comm shop slow.data
is "the next command repeats them, but for the output" \
	"$(introperf report "${files[@]}" -g -v -i slow.data -o result.txt; tail -n 1 result.txt)" \
	"Calls of path 1: perf introperf report ${files[*]} -g -v -i slow.data --path 1"

# Processes and threads.
pid=$(introperf report "${files[@]}" --group-by pid --format jsonl slow.data |
	sed -n 's/.*"process":"shop\/\([0-9]*\)".*/\1/p' | head -n 1)
means "--pid is one of the processes" report --pid "$pid" slow.data -- \
	--group-by pid --process "*/$pid" slow.data
means "with --comm it is of this name" report --pid "$pid" --comm shop slow.data -- \
	--group-by pid --process "shop/$pid" slow.data
like "--tid is one of the threads" "$(result report --tid "$pid" slow.data)" "shop/$pid/$pid: "
complains "a process that is not there" 1 '--process: "*/1" is no process of the inputs; there are shop/'"$pid" \
	report "${files[@]}" --pid 1 slow.data
complains "a number that is none" 1 \
	'--pid: "shop" is no number of a process or thread; several have commas between' report --pid shop slow.data
graph "${slow[@]}" "${profile[@]}" "${rank[@]}" --params='process="sh?p"' | sed "$asking" >graph.txt
is "process is a parameter" "$(cat graph.txt)" "$(result report --process 'sh?p' slow.data)"

# Shares.
introperf report "${files[@]}" --top 0 --format jsonl slow.data >all.jsonl
total=$(sed -n 's/.*"suspect_own_ns":\([0-9]*\).*/\1/p' all.jsonl | head -n 1)
paths() { sed -n 's/.*"type":"path","rank":\([0-9]*\),"cost_ns":\([0-9]*\),.*/\1 \2/p' "$1"; }
[ -n "$total" ] || total=$(paths all.jsonl | awk '{ sum += $2 } END { print sum }')
introperf report "${files[@]}" --top 0 --format jsonl --percent-limit 10 slow.data >large.jsonl
is "--percent-limit leaves out what costs less" "$(paths large.jsonl)" \
	"$(paths all.jsonl | awk -v total="$total" '$2 >= total / 10')"
ok "some are left" test -n "$(paths large.jsonl)"
ok "and some are not" test "$(paths all.jsonl | wc -l)" -gt "$(paths large.jsonl | wc -l)"
complains "a limit that is none" 1 "--percent-limit: a share of the time, from 0 to 100" \
	report "${files[@]}" --percent-limit 101 slow.data
complains "a limit of what is no time" 1 \
	"--percent-limit: a share of own or total time; leave out --metric" \
	report "${files[@]}" --percent-limit 1 --metric count slow.data

head -c 300000 slow.data >cut.data
introperf report "${files[@]}" -q cut.data >result.txt 2>errors.txt
is "-q leaves only errors" "$(grep -vc truncated errors.txt)" 0
introperf diff "${files[@]}" -q good.data slow.data >quiet.txt
introperf diff "${files[@]}" good.data slow.data >whole.txt
is "of a result it leaves the sentence and the rows" "$(grep -vcxF -f whole.txt quiet.txt) $(sed '/^ *#/,$d' quiet.txt | tr '\n' ' ')" \
	"0 $(sed '/^base /,$d' whole.txt | tr '\n' ' ')"
is "a row for each entry" "$(grep -cE '^ +[~?]?[0-9]+ ' quiet.txt) $(wc -l <quiet.txt)" \
	"$(grep -cE '^ +[~?]?[0-9]+ ' whole.txt) $(($(sed '/^ *#/,$d' quiet.txt | wc -l) + 1 + $(grep -cE '^ +[~?]?[0-9]+ ' whole.txt)))"
means "with -q, -v says nothing more" diff -q -v good.data slow.data -- -q good.data slow.data
introperf report "${files[@]}" -q -v --html page.html slow.data >log.txt 2>errors.txt
is "a page has all of it" "$? $(cat log.txt errors.txt)" "0 "

# instead COMMAND OPTION TEXT: of an option that perf's command has, the error says what is used here.
instead() {
	complains "$1 $2" 1 "$2: $3" "$1" "$2"
}
for command in report diff top; do
	instead $command --symbols "did you mean --focus?"
done
instead report -S "did you mean --focus?"
instead report --max-stack "did you mean --max-depth?"
instead report -k "did you mean --kernel?"
instead report -p "did you mean --pid?"
instead report --header "\`perf report --header-only -i FILE\` prints it; -v says how good the recording is"
instead annotate -n "--format jsonl has the ticks of each line"
instead annotate -d "did you mean -s, the function?"
instead report -e "events are chosen when it is recorded: perf introperf record -e EVENT"
instead report -u "users are chosen when it is recorded; --comm, --pid and --tid choose here"
instead report -C "CPUs are chosen when it is recorded; --comm, --pid and --tid choose here"
instead diff -i "files stand behind the options: perf introperf diff GOOD SLOW"
instead diff -c "did you mean --metric?"
instead top -i \
	"top records by itself, of -p PID, -a or a command; perf introperf report -i FILE reads"
instead top -q "warnings come when top has ended; leave it out"
instead top -E "did you mean --top?"
instead record -i "processes that the target starts are always recorded; -o FILE names the recording"
instead record -n "without stacks there is nothing to rank; perf stat counts events"
for command in record top; do
	instead $command -m "buffers are as large as they have to be; --light records less"
	instead $command -G \
		'a single group is not recorded; -a records all, and `report --by container` tells them apart'
done
instead record -d "addresses of data are of no use here; -e EVENT records one event more"
instead record --comm "record all with -a, and take \`report --comm NAME\`; or name it with -p PID"
complains "a file behind -g" 1 \
	'-g: "slow.data" is not one of graph, flat, fractal, caller, callee, none; -i names a file' \
	report -g slow.data
complains "a long separator" 1 \
	'--separator: "ab" is no character that can separate columns, as ",", ";" or "\t"' \
	report -t ab slow.data
complains "a separator of what has none" 1 "--separator: only CSV has one; leave it out" \
	report --separator ';' slow.data

# What is recorded.
complains "a user who is not there" 1 "-u nobody-there: no such user" record -u nobody-there
complains "a thread that is not there" 1 "-t 99999999: no such thread" record -t 99999999
complains "CPUs that are none" 1 "-C first: numbers of CPUs, as 0,2-3" record -C first
complains "a frequency that is none" 1 "-F: ticks in a second, as 997, or max" record -F often true
complains "a call graph that is none" 1 "--call-graph: fp, dwarf or dwarf,BYTES" record --call-graph no true
complains "one that only some events have" 1 \
	"--call-graph lbr: the processor notes branches for its own events alone, not for system calls and switches; leave it out, or say fp or dwarf,BYTES" \
	record --call-graph lbr true
complains "what is recorded anyway" 1 \
	"nothing to record: name a program (-- COMMAND), a process (-p PID) or the machine (-a)" \
	record -g -T -z --off-cpu
complains "what runs, and what does not yet" 1 "--wait-for names the process; leave out -p, -t, -u, -a and -C" \
	record --wait-for shop -a
complains "a program without a name" 1 "--wait-for: the name of a program, as nginx" record --wait-for ''
complains "two targets" 1 "-p, -t and -u: choose one" record -p 1 -t 1
complains "a recording that cannot be looked at" 1 \
	"-o -: a recording is looked at when it is done; name a file" record -o - true

done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
#
# How sink.introperf.rank looks at contexts: canonical names, a user's rules, patterns, folding,
# and what is said of wrong ones.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"

enter_shop

for run in good slow; do
	declare -n recording=$run
	graph "${recording[@]}" "${profile[@]}" -c sink.ctf.fs --params="path=\"$run.profile\"" \
		>/dev/null 2>&1
done
profiles=(good.profile slow.profile "${rank[@]}" --params='base="good.profile",format="jsonl",top=0')

# view PARAMETERS prints the whole comparison as JSON lines.
view() {
	graph "${profiles[@]}" ${1:+--params="$1"} 2>errors.txt || cat errors.txt
}

# functions FILE… prints the names of all functions of all paths.
functions() {
	grep -o '"function":"[^"]*"' "$@" | cut -d'"' -f4 | sort -u
}

# totals FILE prints the own latency of all threads, of suspect and base.
totals() {
	head -1 "$1" | grep -oE '"(suspect|base)_own_ns":[0-9]+'
}

view >all.jsonl
view 'names="raw"' >raw.jsonl
like "raw names have the compiler's suffixes" "$(functions raw.jsonl)" '\.isra\.'
unlike "canonical names have none" "$(functions all.jsonl)" '\.(isra|constprop|part)\.'
is "the names change nothing of the time" "$(totals all.jsonl)" "$(totals raw.jsonl)"

cat >rules.txt <<'RULES'
# The handlers are one function, and the program is called otherwise.
function ^handle_(product|cart|checkout)$ => handle_request
module ^shop$ => store
process ^shop$ =>  store
RULES
view 'names-file="rules.txt"' >ruled.jsonl
like "a user's rules name functions" "$(functions ruled.jsonl)" 'handle_request'
unlike "which are then one" "$(functions ruled.jsonl)" 'handle_(product|cart|checkout)'
like "and modules and processes" "$(grep -m1 '"type":"path"' ruled.jsonl)" \
	'"process":"store".*"module":"store"'
is "and change nothing of the time" "$(totals ruled.jsonl)" "$(totals all.jsonl)"

view 'root="^serve_request$"' >root.jsonl
is "all contexts begin at the root" \
	"$(grep '"type":"path"' root.jsonl | grep -vc '"frames":\[{"function":"serve_request"')" 0
view 'hide=["^handle_","^libc[.]so[.]6!clock_nanosleep$"]' >hidden.jsonl
is "hidden functions are not there" \
	"$(functions hidden.jsonl | grep -cxE 'handle_[a-z_]*|clock_nanosleep')" 0
is "their time is" "$(totals hidden.jsonl)" "$(totals all.jsonl)"
view 'ignore="^take_price_lock$"' >ignored.jsonl
unlike "ignored contexts are not there" "$(functions ignored.jsonl)" 'take_price_lock'
like "what is below them neither, and others are" "$(functions ignored.jsonl)" 'handle_product'
view 'focus="^take_price_lock$"' >focused.jsonl
is "all contexts hold the focus" \
	"$(grep '"type":"path"' focused.jsonl | grep -vc '"function":"take_price_lock"')" 0
# own FILE WORKLOAD prints a sum of own latencies in ns.
own() {
	head -1 "$1" | grep -oE "\"$2_own_ns\":[0-9]+" | cut -d: -f2
}
is "focus and ignore of one function share all time between them" \
	"$(($(own ignored.jsonl suspect) + $(own focused.jsonl suspect)))" "$(own all.jsonl suspect)"
view 'max-depth=3' >shallow.jsonl
is "no context is deeper than the maximum" \
	"$(grep '"type":"path"' shallow.jsonl | grep -cE '("function":.*){4}')" 0
is "nothing is lost by it" "$(totals shallow.jsonl)" "$(totals all.jsonl)"
same "unsigned integers are the same" shallow.jsonl <(view 'max-depth=+3')
like "the result repeats the parameters" \
	"$(view 'focus="^main$",max-depth=2' | head -1)" \
	'"options":"[^,]* focus=\\"\^main\$\\" max-depth=2"'

cat >recurse.c <<'C'
static volatile unsigned long sum;

__attribute__((noinline)) static void go_down(int depth)
{
	for (unsigned long i = 0; i < 3000000; i++) {
		sum += i;
	}
	if (depth > 0) {
		go_down(depth - 1);
	}
	sum++;
}

int main(int argc, char **argv)
{
	(void)argv;
	go_down(argc + 6);
	return 0;
}
C
recurses="direct recursion is one frame with fold-recursion, and many without"
if perf record -q -k CLOCK_MONOTONIC -e cpu-clock/freq=997/ -o /dev/null true >/dev/null 2>&1; then
	${CC:-cc} -O1 -fno-optimize-sibling-calls -fno-omit-frame-pointer -o recurse recurse.c
	perf record -q -k CLOCK_MONOTONIC -e cpu-clock/freq=997/ --switch-events --call-graph fp \
		-o recurse.data ./recurse >/dev/null 2>&1
	for fold in no yes; do
		graph recurse.data "${profile[@]}" "${rank[@]}" \
			--params="format=\"jsonl\",top=0,root=\"^main\$\",fold-recursion=$fold" \
			2>/dev/null >"fold-$fold.jsonl"
	done
	# deepest FILE: the most frames of go_down in a path.
	deepest() {
		local line most=0 count
		while read -r line; do
			count=$(grep -o '"function":"go_down"' <<<"$line" | wc -l)
			most=$((count > most ? count : most))
		done <"$1"
		printf '%s\n' "$most"
	}
	is "$recurses" "$(deepest fold-no.jsonl) $(deepest fold-yes.jsonl)" "8 1"
	is "and nothing of the time is lost" "$(own fold-yes.jsonl suspect)" \
		"$(own fold-no.jsonl suspect)"
else
	skip "$recurses" "perf may not record"
	skip "and nothing of the time is lost" "perf may not record"
fi

# wrong SENTENCE CAUSE PARAMETERS
wrong() {
	fails_with "$1" "sink.introperf.rank: $2" "${profiles[@]}" --params="$3"
}

wrong "an expression that is none" \
	'parameter "focus": "foo(" is not a regular expression: missing terminating ) at character 5' \
	'focus="foo("'
wrong "one of several that matches nothing" \
	'parameter "ignore": "^no_such$" matches no function of the inputs' \
	'ignore=["main","^no_such$"]'
wrong "a root that matches only a process" \
	'parameter "root": "^!shop$" matches no function of the inputs' 'root="^!shop$"'
wrong "patterns that leave nothing" \
	'parameters "focus", "ignore", "hide" and "root" together leave no function of the inputs' \
	'focus="^take_price_lock$",ignore="^(main|run_worker)$"'
wrong "a way to name that is none" \
	'parameter "names": "short" is not one of canonical, raw' 'names="short"'
wrong "an integer for a pattern" \
	'parameter "hide": expected a string or an array of strings, got an integer' 'hide=1'
wrong "an empty pattern" 'parameter "hide": is empty' 'hide=""'
wrong "a negative depth" 'parameter "max-depth": -1 is negative' 'max-depth=-1'
wrong "a string for a boolean" \
	'parameter "fold-recursion": expected a boolean, got a string' 'fold-recursion="x"'
wrong "rules that are not there" \
	'parameter "names-file": nowhere.txt: No such file or directory' 'names-file="nowhere.txt"'
wrong "rules that are a directory" 'parameter "names-file": .: Is a directory' 'names-file="."'
printf 'function a => b\n\nfunction ([a => b\n' >wrong.txt
wrong "a wrong rule" \
	'parameter "names-file": wrong.txt:3:13: missing terminating ] for character class' \
	'names-file="wrong.txt"'
printf 'a => b\n' >wrong.txt
wrong "a rule for nothing" \
	'parameter "names-file": wrong.txt:1:1: "a" is not one of function, module, process' \
	'names-file="wrong.txt"'

done_testing

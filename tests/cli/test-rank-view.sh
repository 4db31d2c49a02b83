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
profiles=(good.profile slow.profile "${rank[@]}" --params='base="good.profile",format="jsonl",top=0,fold=no')

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
	"$(python3 -c 'import json, sys
rows = [json.loads(line) for line in sys.stdin]
print(max(len(row["frames"]) for row in rows if row["type"] == "path"))' <shallow.jsonl)" 3
# With what is idle, of which a deeper context may have a part.
view 'idle="ranked"' >whole.jsonl
view 'max-depth=3,idle="ranked"' >shallow-whole.jsonl
is "nothing is lost by it" "$(totals shallow-whole.jsonl)" "$(totals whole.jsonl)"
same "unsigned integers are the same" shallow.jsonl <(view 'max-depth=+3')
like "the result repeats the parameters" \
	"$(view 'focus="^main$",max-depth=2' | head -1)" \
	'"options":"[^,]* focus=\\"\^main\$\\" fold-recursion=[a-z]* max-depth=2"'

cat >program.c <<'C'
#include <time.h>

long spin(long count);

/* So many that the timer ticks about twenty times, whatever the machine is and has to do. */
static long counts;

/* Not below main(), where the test looks. */
__attribute__((constructor)) static void measure(void)
{
	clock_t begin;

	do {
		counts = counts * 2 + 1000;
		begin = clock();
		spin(counts);
	} while (clock() - begin < CLOCKS_PER_SEC / 50);
}

/* Always called with one mode: worth a copy without it. */
__attribute__((noinline)) static long step(long count, int mode)
{
	return spin(count) / mode + mode;
}

__attribute__((noinline)) static long go_down(int depth, long count)
{
	long sum = step(count, 3);

	return depth > 0 ? sum + go_down(depth - 1, count) * 2 : sum;
}

int main(int argc, char **argv)
{
	(void)argv;
	return go_down(argc + 6, counts) == 0;
}
C
cat >library.c <<'C'
long spin(long count)
{
	volatile long sum = 0;

	for (long i = 0; i < count; i++) {
		sum += i;
	}
	return sum;
}
C

# build_and_record DIRECTORY VERSION OPTION… makes DIRECTORY/program with a library, and
# DIRECTORY.data.
build_and_record() {
	local directory=$1 version=$2 compile
	shift 2
	compile=("${CC:-cc}" -fno-omit-frame-pointer -fno-optimize-sibling-calls "$@")
	mkdir "$directory" &&
		"${compile[@]}" -shared -fPIC -Wl,-soname,libspin.so.1 \
			-o "$directory/libspin.so.$version" library.c &&
		ln -s "libspin.so.$version" "$directory/libspin.so.1" &&
		"${compile[@]}" -o "$directory/program" program.c "$directory/libspin.so.1" \
			-Wl,-rpath,"$PWD/$directory" &&
		perf record -q -N -k CLOCK_MONOTONIC -e cpu-clock/freq=997/ --switch-events \
			--call-graph fp -o "$directory.data" "$directory/program"
}

# recorded PARAMETERS INPUT… ranks what is below main in recordings, as JSON lines.
recorded() {
	local parameters=$1
	shift
	graph "$@" "${profile[@]}" "${rank[@]}" \
		--params="format=\"jsonl\",top=0,fold=no,root=\"^main\$\",$parameters" 2>/dev/null
}

# deepest FILE: the most frames of go_down in a path.
deepest() {
	local line most=0 count
	while read -r line; do
		count=$(grep -o '"function":"go_down"' <<<"$line" | wc -l)
		most=$((count > most ? count : most))
	done <"$1"
	printf '%s\n' "$most"
}

# shared_spins FILE: how many contexts of the library's function both builds have, by the ticks that
# found it there. Those in which the kernel interrupts it are others.
shared_spins() {
	grep -cE '"function":"spin"[^}]*"samples":[1-9][^}]*"base_samples":[1-9][^}]*\}\]' "$1"
}

if build_and_record old 1.2.3 -O2 -fno-ipa-cp >record.txt 2>&1 &&
	build_and_record new 1.3.0 -O2 -fipa-cp-clone -fno-inline >>record.txt 2>&1; then
	recorded 'fold-recursion=no' new.data >deep.jsonl
	recorded 'fold-recursion=yes' new.data >folded.jsonl
	is "direct recursion is many frames" "$(deepest deep.jsonl)" 8
	is "and one with fold-recursion" "$(deepest folded.jsonl)" 1
	is "which changes nothing of the time" "$(own folded.jsonl suspect)" \
		"$(own deep.jsonl suspect)"
	recorded 'base="old.data",names="raw",fold-recursion=no' old.data new.data >builds-raw.jsonl
	recorded 'base="old.data",fold-recursion=no' old.data new.data >builds.jsonl
	like "two builds have other names" "$(functions builds-raw.jsonl)" 'step\.constprop\.0'
	is "so that none of their contexts are the same" "$(shared_spins builds-raw.jsonl)" 0
	is "which canonical names make equal" "$(shared_spins builds.jsonl)" 8
else
	diag "$(cat record.txt)"
	skip "recursion is folded, two builds are compared" "no compiler, or perf may not record"
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
wrong "modules that are none" \
	'parameter "own-modules": "^shop" matches no module of the inputs, which are ld-linux-x86-64.so.2, libc.so.6, shop; it is a shell pattern, as "libshop*.so*"' \
	'own-modules=["shop*","^shop"]'
wrong "patterns that leave nothing" \
	'parameters "process", "focus", "ignore", "hide" and "root" together leave no function of the inputs' \
	'focus="^take_price_lock$",ignore="^(main|run_worker)$"'
wrong "a way to name that is none" \
	'parameter "names": "long" is not one of short, canonical, raw' 'names="long"'
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

#!/bin/bash
# SPDX-License-Identifier: MIT
#
# perf introperf report and diff: the same bytes as the graph of babeltrace2 on the same inputs,
# all parameters as options, and what is said when something is wrong.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

enter_shop
files=(--symfs symfs --kallsyms kallsyms)
base=(--params='base="good.data"')

# same_as_graph SENTENCE: of program.txt and graph.txt, which hold something. Only how one asks for
# more is told in the words of each.
same_as_graph() {
	ok "$1: there is a result" test -s graph.txt
	sed -i "$asking" program.txt graph.txt
	# What threads did when, the program keeps for itself.
	sed -i -E '/^What held up /,/^$/d; s/"held_up_by":(null|\[[^]]*\])//g' program.txt graph.txt
	same "$1: it is that of babeltrace2" program.txt graph.txt
}

introperf diff "${files[@]}" good.data slow.data >program.txt 2>&1
is "diff succeeds" "$?" 0
graph "${good[@]}" "${slow[@]}" "${profile[@]}" "${rank[@]}" "${base[@]}" >graph.txt
same_as_graph "diff"

introperf report "${files[@]}" slow.data >program.txt 2>&1
is "report succeeds" "$?" 0
graph "${slow[@]}" "${profile[@]}" "${rank[@]}" >graph.txt
same_as_graph "report"

introperf diff "${files[@]}" --top=4 --focus 'shop|x' --color never --no-fold-recursion good.data \
	--output program.txt slow.data
is "diff offers the next command" "$(tail -n 1 program.txt)" \
	"Calls of path 1: perf introperf diff ${files[*]} --focus 'shop|x' --no-fold-recursion good.data \
slow.data --path 1"
sed -n '$s/.*: perf introperf //p' program.txt >command.txt
eval "introperf $(cat command.txt)" >program.txt 2>&1
is "which works" "$?" 0
close=("${profile[@]}" --params=latencies=yes)
graph "${good[@]}" "${slow[@]}" "${close[@]}" "${rank[@]}" "${base[@]}" \
	--params='focus="shop|x",fold-recursion=no,path=1' >graph.txt
same_as_graph "diff --path"
introperf report "${files[@]}" slow.data --path 2 --format jsonl >program.txt 2>&1
graph "${slow[@]}" "${close[@]}" "${rank[@]}" --params='path=2,format="jsonl"' >graph.txt
same_as_graph "report --path"

introperf diff "${files[@]}" slow.data --top 3 --format=jsonl good.data --focus shop --hide ^handle_ \
	--hide=^price --by function --no-fold --continuity call-site --group-by tid \
	--estimate conservative --demangle none >program.txt 2>&1
graph --component=source.introperf.perf \
	--params='inputs=["slow.data","good.data"],symfs="symfs",kallsyms="kallsyms",demangle="none"' \
	"${infer[@]}" --params='continuity="call-site",group-by="tid"' \
	-c filter.introperf.normalize --params='estimate="conservative"' \
	"${rank[@]}" --params='base="slow.data",top=3,format="jsonl",focus="shop"' \
	--params='hide=["^handle_","^price"],by="function",fold=no' >graph.txt
same_as_graph "parameters of all components"

introperf diff "${files[@]}" good.data slow.data --format tree >program.txt 2>&1
graph "${good[@]}" "${slow[@]}" "${profile[@]}" "${rank[@]}" \
	--params='base="good.data",format="tree"' >graph.txt
same_as_graph "the tree"
like "the tree leads to the culprit" "$(cat program.txt)" \
	' Δ total +Δ own +good +slow +where
 \+[0-9]+ ms .* shop
.*[0-9] ms  *[│├└ ]*pause_ns ◀ 1
.*│ … __schedule
'

for run in good slow; do
	graph $run.data --params="$symbols" "${profile[@]}" -c sink.ctf.fs \
		--params="${as_ctf_1}path=\"$run.profile\"" >/dev/null
done
introperf diff good.profile slow.profile >program.txt 2>&1
graph good.profile slow.profile "${rank[@]}" --params='base="good.profile"' >graph.txt
same_as_graph "saved profiles"
introperf diff "${files[@]}" good.profile slow.data >program.txt 2>&1
graph good.profile "${slow[@]}" "${profile[@]}" "${rank[@]}" --params='base="good.profile"' >graph.txt
same_as_graph "a recording against a saved profile"

cp good.data good2.data
introperf diff "${files[@]}" --base good.data --base good2.data slow.data >program.txt 2>&1
graph "${good[@]}" good2.data --params="$symbols" "${slow[@]}" "${profile[@]}" "${rank[@]}" \
	--params='base=["good.data","good2.data"]' >graph.txt
same_as_graph "several good runs"

cp good.data perf.data.old
cp slow.data perf.data
introperf report "${files[@]}" >program.txt 2>&1
like "report reads perf.data by itself" "$(cat program.txt)" $'\n''perf\.data '
introperf diff "${files[@]}" >program.txt 2>&1
like "diff compares with the recording before" "$(cat program.txt)" $'\n''base +perf\.data\.old '
introperf report "${files[@]}" good.data slow.data --top 1 >program.txt 2>&1
is "report goes through several files" "$(grep -oE '^(good|slow)\.data ' program.txt | xargs)" \
	"good.data slow.data"
introperf report "${files[@]}" slow.data --output result.txt
graph "${slow[@]}" "${profile[@]}" "${rank[@]}" >graph.txt
sed -i "$asking" result.txt graph.txt
same "--output names the file to write" result.txt graph.txt
unlike "what is no terminal gets no escape sequences" "$(cat graph.txt program.txt)" $'\033'

introperf diff --fail-above 5% good.profile slow.profile >program.txt 2>errors.txt
is "--fail-above ends with a status of its own" "$?" 3
like "and says what is too slow" "$(cat errors.txt)" \
	'^introperf: slower than --fail-above allows: the whole: [^ ]+ [a-z]+ \(limit 5%\)$'
ok "and prints the ranking" test -s program.txt
introperf diff --fail-above 5% slow.profile good.profile >/dev/null 2>errors.txt
is "what got faster is fine" "$?$(cat errors.txt)" 0

# How one asks for more is said in the words of options.
for arguments in '' '--by function' '--format tree' '--metric total' '--method paper' '--per second' '--path 1'; do
	# shellcheck disable=SC2086 # words
	introperf diff "${files[@]}" good.data slow.data --top 1 $arguments >program.txt 2>&1
	is "options are named, no parameters: $arguments" \
		"$(grep -E '\b(top|by|per|format|metric|method|pair|idle)=' program.txt)" ""
done
introperf report -v "${files[@]}" --top 1 slow.data >program.txt 2>&1
like "the foot names them" "$(tr -s " \n" " " <program.txt)" \
	'; --top 0 for all. More: --by function or --by module; --format jsonl --top 0 has everything'
complains "so do errors about several" 1 \
	'--process, --focus, --ignore, --hide and --root together leave no function of the inputs' \
	report "${files[@]}" --focus '^main$' --ignore '^main$' slow.data

# Every parameter that a component knows is an option, but for those of traces of other tracers, of
# timelines, of live ones, and what one component asks of another.
grep -ohE '^	+(\{ )?"[a-z-]+", ITP_PARAM' "$ITP_SOURCE_DIR"/{common/engine/*.h,filters/*/*.c} \
	"$ITP_SOURCE_DIR/sources/perf/source.c" | grep -oE '[a-z]+(-[a-z]+)*' |
	grep -vE '^(inputs|maps|calls|pass-through|period|exclude-pid|live|processes|stretches)$' | sort -u >parameters.txt
{ introperf diff --help && introperf mine --help; } | grep -oE '^  (-., )?--[a-z-]+' |
	sed 's/.*--//' | sort -u >options.txt
ok "the components have parameters" test "$(wc -l <parameters.txt)" -gt 20
is "every parameter is an option" "$(comm -23 parameters.txt options.txt)" ""

helped=(record report diff top export)
"$program" guard 2>&1 | grep -q "built without" || helped+=(guard)
for subcommand in "${helped[@]}"; do
	help=$(introperf $subcommand --help)
	like "$subcommand --help shows examples" "$help" "Examples:
  perf introperf $subcommand "
	is "$subcommand --help fits a terminal" "$(wc -L <<<"$help" | awk '$1 > 100')" ""
done
like "--help names the subcommands" "$(introperf --help)" 'record .*report .*diff '

# completes_by FUNCTION WORD… prints what a function of bash makes of the last word.
completes_by() {
	bash -c 'source "$1"; shift
		compopt() { :; }
		function=$1; shift
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		"$function" "$1"
		echo "${COMPREPLY[*]}"' - "$ITP_SOURCE_DIR/plugins/perf/command/perf-introperf.bash" "$@"
}
completes() { completes_by _perf_introperf "$program" "$@"; }
is "subcommands are completed" "$(completes '')" "record report diff annotate top mine units guard export mcp"
is "options are completed" "$(completes diff --fo)" "--format --fold --focus --fold-recursion --force"
is "and those of record" "$(completes record --st)" "--stack-size"
is "values are completed where they are a choice" "$(completes report --format js)" "jsonl json"
is "files are left to bash" "$(completes report g)" ""
is "so they are behind what is no choice" "$(completes diff --pair '')" ""
is "values are completed behind a =" "$(completes report --by = f)" "function"
is "also at once" "$(completes report --by =)" "path function module process thread container wait"
is "also where bash does not divide words there" "$(completes report --by=m)" "--by=module"
is "all formats of a report" "$(completes report --format '')" "text tree csv jsonl json markdown"
is "all formats of an export" "$(completes export --format = '')" \
	"folded folded2 svg speedscope pprof firefox chrome callgrind"

# What perf completes, in an interactive bash: a line with tabs, as the terminal shows it.
perf_completes() {
	mkdir -p path
	printf '#!/bin/bash\nshift\nexec "%s" "$@"\n' "$program" >path/perf
	chmod +x path/perf
	cat >bashrc <<END
PATH=$tmp/path:$PATH
PS1='READY '
bind 'set bell-style none' 'set enable-bracketed-paste off'
$2
. '$ITP_SOURCE_DIR/plugins/perf/command/perf-introperf.bash'
END
	python3 "$ITP_SOURCE_DIR/tests/cli/in-terminal.py" 24x200 see=READY type="$1" see="$3" \
		type=$'\x15exit\r' -- bash --rcfile bashrc --noprofile -i | grep -oE 'perf [^$]*' | head -n 1
}
own='_own() { COMPREPLY=(stat); }; complete -F _own perf'
like "perf introperf completes subcommands" \
	"$(perf_completes $'perf introperf rep\t' "$own" 'introperf report')" 'perf introperf report '
like "and values" "$(perf_completes $'perf introperf export --format=spee\t' "$own" speedscope)" \
	'--format=speedscope'
like "what else perf has is left to perf" "$(perf_completes $'perf sta\t' "$own" 'perf stat')" 'perf stat'
like "introperf is one of its commands" "$(perf_completes $'perf introp\t' "" introperf)" 'perf introperf '

# zsh_completes WORDS prints what an interactive zsh makes of a command line after a tab, once it
# reads one.
zsh_completes() {
	# shellcheck disable=SC2016 # for zsh to expand
	timeout 300 zsh -f -c '
		zmodload zsh/zpty
		zpty shell "TERM=dumb zsh -f -i"
		zpty -w shell "unset zle_bracketed_paste; PS1=; fpath=($1 \$fpath); path=($PWD/path $2 \$path)
			autoload -U compinit; compinit -u -D
			zle-line-init() { print -rn -- R\EADY }; zle -N zle-line-init"
		zpty -r shell got "*READY*"
		zpty -w -n shell "$3"$'"'\t'"'"@"
		zpty -r shell got "*@*"
		print -r -- "${got%@*}"
		zpty -d shell' - "$ITP_SOURCE_DIR/plugins/perf/command" "$ITP_BUILD_DIR" "$1" |
		tr -d '\r\b' | grep -oE 'perf[- ]introperf .*' | tail -n 1
}
if command -v zsh >/dev/null; then
	like "zsh completes subcommands" "$(zsh_completes 'perf-introperf rep')" \
		'^perf-introperf report *$'
	like "and options" "$(zsh_completes 'perf-introperf record --st')" ' --stack-size *$'
	like "and values" "$(zsh_completes 'perf-introperf report --format cs')" ' csv *$'
	like "also behind a =" "$(zsh_completes 'perf-introperf diff --metric=e')" ' --metric=each *$'
	like "perf introperf completes subcommands" "$(zsh_completes 'perf introperf rep' )" \
		'^perf introperf report *$'
	like "and values" "$(zsh_completes 'perf introperf export --format=folded2')" \
		'^perf introperf export --format=folded2 *$'
	touch onlyfile.data
	like "and files" "$(zsh_completes "perf-introperf report $PWD/onlyf")" '/onlyfile\.data *$'
else
	skip "zsh completes subcommands" "no zsh"
fi

is "without a subcommand the usage is shown" "$(introperf; echo $?)" "$(introperf --help; echo 1)"
is "help and version are subcommands, too" "$(introperf help; introperf version)" \
	"$(introperf --help; introperf --version)"
is "help tells of a subcommand" "$(introperf help diff)" "$(introperf diff --help)"
complains "an unknown subcommand" 1 '"frob" is no subcommand; there are record, report, diff, annotate, top, mine, units, guard, export, mcp' frob
complains "one that is mistyped" 1 '"reprot" is no subcommand: did you mean report?' reprot
complains "and one that is only begun" 1 '"exp" is no subcommand: did you mean export?' exp
complains "an option that is mistyped" 1 'Unknown option --topp: did you mean --top?' report --topp 3 good.data
complains "with its value" 1 'Unknown option --fromat=folded: did you mean --format?' export --fromat=folded
complains "an unknown option" 1 "Unknown option --frobnicate: \`perf introperf report --help\` lists all" \
	report --frobnicate good.data
last=${helped[-1]}
complains "of one letter" 1 "Unknown option -Z: \`perf introperf $last --help\` lists all" "$last" -Z
complains "a value that is no number" 1 '--top: "few" is not a whole number from 0 on' \
	report --top few good.data
paths=$(introperf report "${files[@]}" --format jsonl --top 1 good.data |
	sed -n 's/.*"entries_found":\([0-9]*\).*/\1/p')
complains "a path that is not there" 1 "--path: there is no path 99; the ranking has $paths" \
	report "${files[@]}" --path 99 good.data
complains "a value that the component refuses" 1 \
	'--metric: "ownn" is not one of own, total, count, each' report --metric ownn good.data
fails "${good[@]}" "${profile[@]}" "${rank[@]}" --params='focus="("'
complains "a pattern that is none" 1 \
	"${causes/#sink.introperf.rank: parameter \"focus\"/--focus}" \
	report "${files[@]}" --focus '(' good.data
complains "one recording is no comparison" 1 \
	"name a good recording and a slow one: perf introperf diff GOOD SLOW" diff good.data
complains "a file that is not there" 1 "missing.data: No such file or directory" report missing.data
complains "also behind --" 1 "--missing.data: No such file or directory" report -- --missing.data
is "-- without a file behind it reads perf.data" \
	"$(introperf report "${files[@]}" -- | head -n 1)" "$(introperf report "${files[@]}" | head -n 1)"
for subcommand in report export; do
	complains "$subcommand: an empty argument" 1 '"" is no file: an argument is empty' $subcommand ""
done
complains "a message is one line" 1 "--symfs: no where: no such directory" \
	report --symfs $'no\n  where' good.data
like "what to type next keeps what is behind -- there" \
	"$(introperf report "${files[@]}" -- slow.data | tail -n 1)" ' --path 1 -- slow\.data$'
hostile=$'no\033[2J\302\2332J\342\200\256.data'
harmless=$'no\uFFFD[2J\uFFFD2J\uFFFD.data'
complains "a name that would take over the terminal" 1 "$harmless: No such file or directory" \
	report "$hostile"
complains "also as an option" 1 "Unknown option --$harmless: \`perf introperf report --help\` lists all" report "--$hostile"
complains "and as a subcommand" 1 \
	"\"$harmless\" is no subcommand; there are record, report, diff, annotate, top, mine, units, guard, export, mcp" "$hostile"
complains "a file of another kind" 1 "kallsyms: this is not a perf.data file" report kallsyms
complains "a directory of another kind" 1 \
	"symfs: a directory without a recording of perf or a saved profile" report symfs
complains "a recording with itself" 1 \
	"good.data and good.data are the same recording; name each once" diff good.data good.data
complains "one file for two results" 1 "--output: one file cannot take the rankings of several" \
	report --output both.txt good.data slow.data
chmod 0 good2.data
if [ -r good2.data ]; then
	skip "a file that may not be read" "this user may read everything"
else
	complains "a file that may not be read" 1 "good2.data: Permission denied" report good2.data
fi

head -c 300000 slow.data >cut.data
introperf report "${files[@]}" cut.data >program.txt 2>errors.txt
is "a recording that is cut short is an error" "$?" 1
like "it says so in one line" "$(grep '^introperf: .*truncated' errors.txt)" \
	'^introperf: cut\.data: the file is truncated at byte [0-9]+ of 300000; [^;]*$'
# refused ARGUMENT…: all that is said of the recording that is cut short, of which there is no result.
refused() {
	introperf "$@" >refused.txt 2>errors.txt
	echo "$? $(grep truncated errors.txt | sed 's/at byte [0-9]*/at byte N/')$(cat refused.txt)"
}
cut="introperf: cut.data: the file is truncated at byte N of 300000"
nothing="$cut; nothing is reported of what was read until there:"
is "where there is nothing to report of it, that is said, too: no such units" \
	"$(refused report "${files[@]}" --in unit:none cut.data)" \
	"1 $nothing --in: no units of work are known of \"cut.data\": no loop that waits for events was seen to come round, or nobody looked for one when it was saved"
like "no such path" "$(refused report "${files[@]}" --path 9999 cut.data)" \
	"^1 $nothing --path: there is no path 9999; the ranking has [0-9]+$"
is "no such function" "$(refused annotate "${files[@]}" -s none cut.data)" \
	"1 $nothing cut.data: no stack has a function \"none\" of a program or library"
is "and that nothing is exported" "$(refused export "${files[@]}" cut.data)" \
	"1 $cut; what was read until there counts as incomplete"
head -c 300000 good.data >cut-good.data
introperf diff "${files[@]}" --fail-above 1% cut-good.data slow.data >/dev/null 2>errors.txt
is "whatever a limit says of what is left" "$? $(grep -c truncated errors.txt)" "1 1"
graph cut.data --params="$symbols" "${profile[@]}" "${rank[@]}" >graph.txt 2>/dev/null
same_as_graph "what it still holds"

# Everything but what reads and writes CTF is linked in.
mkdir empty
BABELTRACE_PLUGIN_PATH=$tmp/empty HOME=$tmp introperf report "${files[@]}" slow.data >program.txt 2>&1
graph "${slow[@]}" "${profile[@]}" "${rank[@]}" >graph.txt
same_as_graph "without a plugin of ours"

# A profile that is saved, instead of the ranking.
introperf report "${files[@]}" --save new.profile good.data >program.txt 2>&1
is "--save is silent" "$?$(cat program.txt)" 0
records_of -- "${good[@]}" "${profile[@]}" >graph.txt
records_of new.profile >program.txt
same_as_graph "the saved profile"
facts_of good.profile >graph.txt
facts_of new.profile >program.txt
same_as_graph "what it says of its recording"
like "and whose it is" "$(python3 "$ITP_SOURCE_DIR/tests/lib/profile-text.py" --facts new.profile | head -n 4)" \
	'^name = "good\.data"
input = "good\.data"
machine = "x86_64"
clock = 1970 [0-9]+$'
introperf diff "${files[@]}" new.profile slow.data >program.txt 2>&1
graph good.profile "${slow[@]}" "${profile[@]}" "${rank[@]}" --params='base="good.profile"' >graph.txt
same_as_graph "a comparison with it"
introperf report --save again.profile slow.profile >program.txt 2>&1
records_of -- "${slow[@]}" "${profile[@]}" >graph.txt
records_of again.profile >program.txt
same_as_graph "a profile of a graph that is saved once more"
facts_of slow.profile >graph.txt
facts_of again.profile >program.txt
same_as_graph "and what it says of its recording"
introperf report --save third.profile again.profile >program.txt 2>&1
same "and once more by the program" third.profile again.profile
complains "what exists is not overwritten" 1 \
	"new.profile: the profile cannot be saved: File exists" report --save new.profile good.data
complains "a directory that is not there" 1 \
	"nowhere/new.profile: the profile cannot be saved: No such file or directory" \
	report --save nowhere/new.profile good.data
complains "one file for two profiles" 1 "--save: one file cannot take the profiles of several" \
	report --save both.profile good.data slow.data
introperf report "${files[@]}" --save cut.profile cut.data >program.txt 2>errors.txt
is "a profile of a recording that is cut short is an error, too" "$?" 1
like "and tells that it is one" "$(introperf report cut.profile | tr -s '\n ' ' ')" 'incomplete: cut short'

# A disk that is full; only root can make a small one.
if mkdir small && mount -t tmpfs -o size=64k introperf small 2>"$tmp/mount.txt"; then
	introperf report "${files[@]}" --save small/big.profile slow.data >program.txt 2>errors.txt
	status=$?
	left=$(ls -A small)
	umount small
	is "a full disk ends the saving with one error" "$status$(cat errors.txt)" \
		"1introperf: small/big.profile: cannot write: No space left on device"
	is "and nothing is left of it" "$left" ""
else
	skip "a full disk ends the saving with one error" "this user may not mount"
fi

# A disk that is full.
introperf report "${files[@]}" --output /dev/full good.data >program.txt 2>errors.txt
is "a full disk is an error" "$?$(cat errors.txt)" \
	"1introperf: /dev/full: cannot write: No space left on device"

done_testing

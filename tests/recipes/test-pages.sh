#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The commands of the README and of the manual pages, as they stand there, each page in a directory of
# its own with recordings of a real program. What stands for something else is put in by one table,
# here(). A page with a command that cannot be run fails: none is left out but for what a machine lacks.
#
# By hand: test-pages.sh PAGE… follows these only.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/perf-introperf.sh
. "$(dirname "$0")/../cli/perf-introperf.sh"

begin_recording
[ "$(id -u)" -eq 0 ] || skip_all "counting calls needs root"
pages=("$ITP_SOURCE_DIR/README.md" "$ITP_SOURCE_DIR"/doc/man/*.[157])
flags=(-O1 -g -fno-omit-frame-pointer -fno-inline -fno-optimize-sibling-calls -pthread)

# ---- What is there ----

compile() {
	${CC:-cc} "$@" "$ITP_SOURCE_DIR/doc/recipes/orders.c"
}

record() {
	introperf record --count handle_order -o "$1" -- ./program 500 "$2" >journal.txt 2>log.txt ||
		diag "$(cat log.txt)"
}

# What is recorded with, where perf looks for it.
install_in_perf() {
	mkdir -p exec/dlfilters exec/scripts/python/bin
	cp "$ITP_BUILD_DIR/.libs/introperf.so" exec/dlfilters
	cp "$ITP_BUILD_DIR/.libs/_introperf.so" "$ITP_SOURCE_DIR/plugins/perf/script/introperf.py" \
		exec/scripts/python
	ln -s introperf.py exec/scripts/python/introperf
	cp "$ITP_SOURCE_DIR"/plugins/perf/script/introperf-{record,report} exec/scripts/python/bin
}

save_profiles() {
	local name
	for name in good good1 good2 slow new; do
		introperf report --save "$name.profile" "$name.data" >/dev/null 2>log.txt || diag "$(cat log.txt)"
	done
}

# As a trace of LTTng, which tells stacks but no mappings; that of the kernel needs its modules.
make_trace() {
	mkdir lttng-traces
	perf data convert -i slow.data --to-ctf=lttng-traces/slow-1 --all >log.txt 2>&1 || diag "$(cat log.txt)"
	./program 2000 >/dev/null &
	wait_until grep -q 'r-x.*/program' /proc/$!/maps
	cat /proc/$!/maps >slow.maps
	kill $!
	wait $! 2>/dev/null
}

prepare() {
	mkdir all
	cd all || exit 99
	compile "${flags[@]}" -o program || exit 99
	record good.data ""
	record slow.data rates
	for name in good1 good2 new; do
		cp good.data "$name.data"
	done
	cp slow.data perf.data
	save_profiles
	make_trace
	install_in_perf
	introperf units --guards server.guards slow.data >log.txt 2>&1 || diag "$(cat log.txt)"
	mkdir machine
	cp /proc/kallsyms machine
	read -r from to < <(graph --clock-gmt slow.data 2>/dev/null |
		awk -F '[][]' 'NR == 1 { print $2 } { last = $2 } END { print last }' | tr '\n' ' ')
	read -r begin end < <(graph --clock-seconds slow.data 2>/dev/null |
		awk -F '[][]' 'NR == 1 { print $2 } { last = $2 } END { print last }' | tr '\n' ' ')
	cd ..
}

# ---- What stands for something else ----

# here COMMAND prints what is run here: names of functions and times that the program has, the numbers of
# processes that are there.
here() {
	local inputs="good.data slow.data"
	[[ $1 != *good1.data* ]] || inputs="good1.data good2.data slow.data"
	# Nothing is saved over what is there.
	[[ ! $1 =~ (--save |save=)([a-z.]+) ]] || echo "rm -rf ${BASH_REMATCH[2]}"
	# shellcheck disable=SC2001
	sed 's/␤/\n/g' <<<"$1" | sed -E "
		s/^… /babeltrace2 $inputs -c filter.introperf.infer -c filter.introperf.normalize /
		s/record -o - \.\.\./record -o - -e cpu-clock -g .\/program/
		s/begin=\"1234\.5\",end=\"1236\.5\"/begin=\"$begin\",end=\"$end\"/
		s/--begin=12:03:04 --end=12:03:06/--begin=$from --end=$to/
		s/\b(GOOD|SLOW)\b/\L\1.data/g
		s/\b(812|1234)\b/$server/g
		s/\b(handle_request|serve_request|handle)\b/handle_order/g
		s/>(50|100)ms/>10us/g
		s/parse=2ms/parse_order=2ms/
		s/unit:search/unit:serve/
		s/sleep (10|30)\b/sleep 0.5/
		s/--its-option/100/
		s,net://localhost/host/HOST/SESSION,$live,"
}

# lacks COMMAND prints what this machine lacks of what the command needs.
lacks() {
	local word words=()
	[[ $1 != *flamegraph.pl* ]] || words+=(flamegraph.pl)
	[[ $1 != *jq\ * ]] || words+=(jq)
	[[ $1 != *dot\ -T* ]] || words+=(dot)
	[[ $1 != pprof* ]] || words+=(go)
	[[ $1 != *lttng-live* ]] || words+=(lttng lttng-sessiond lttng-relayd)
	for word in "${words[@]}"; do
		command -v "$word" >/dev/null || echo "$word"
	done
	[[ $1 != *introperf\ guard\ * ]] || introperf guard --help 2>&1 | grep -q GUARDS || echo guard
	[[ ! $1 =~ to-ctf|slow\.ctf|lttng-traces/slow ]] ||
		grep -q -- --to-ctf <(perf data convert --help 2>&1) || echo "perf that writes CTF"
	[[ $1 != *perf\ script* ]] || perf version --build-options | grep -q 'libpython: \[ on' || echo libpython
}

# ---- Running it ----

# It serves for 12 s, in which whatever watches it has to begin.
server=0
start_server() {
	./program 9000 rates >journal.txt &
	server=$!
	# Until then it is a shell.
	wait_until test "/proc/$server/exe" -ef program
}

stop_server() {
	kill "$server" 2>/dev/null
	wait "$server" 2>/dev/null
	server=0
}

live=
begin_live() {
	local where
	# Names of sockets may not be long.
	where=$(mktemp -d "$tmp/live.XXXX")
	cp "$ITP_BUILD_DIR/tests/lttng/serve" "$ITP_SOURCE_DIR/tests/lttng/live-ust.sh" "$tmp"
	chown nobody "$where"
	mkfifo "$where.commands"
	setpriv --reuid="$(id -u nobody)" --clear-groups bash "$tmp/live-ust.sh" "$where" "$tmp/serve" \
		<"$where.commands" &
	session=$!
	exec {commands}>"$where.commands"
	wait_until test -s "$where/url" || diag "$(cat "$where"/*.txt)"
	live=$(cat "$where/url")
	echo start >&"$commands"
	wait_until test -s "$where/program"
	# The viewer goes on until the session is over.
	(sleep 3 && echo destroy) >&"$commands" &
}

end_live() {
	exec {commands}>&-
	wait "$session"
	live=
}

one_line() {
	sed 's/␤/ /g; s/#.*//' <<<"$1" | tr -s ' ' | sed 's/ $//'
}

# What is above what it may be is told, and fails, as it should.
runs() {
	local output status
	output=$(timeout 300 bash -c "set -o pipefail; $(cat "$tmp/prelude"); $1" 2>&1 </dev/null)
	status=$?
	printf '%s\n' "$output" | tail -n 20
	[ "$status" -eq 0 ] || { [[ $1 == *fail-above* ]] && grep -q 'above' <<<"$output"; }
}

# check PAGE COMMAND
check() {
	local page=$1 command=$2 missing short
	short=$(one_line "$command")
	missing=$(lacks "$command")
	if [ -n "$missing" ]; then
		skip "$page: $short" "no $missing"
		return
	fi
	[[ ! $command =~ (812|1234[^.]) ]] || start_server
	[[ $command != *lttng-live* ]] || begin_live
	ok "$page: $short" runs "$(here "$command")"
	[ "$server" -eq 0 ] || stop_server
	[ -z "$live" ] || end_live
}

# check_other PAGE FILES HEADING COMMAND: one of the tests has it, or takes what is below the heading.
check_other() {
	local page=$1 heading=$3 command=$4 file found=false
	for file in $2; do
		! grep -qF -e "${command%% *}" -e "## $heading" -e "block_of $heading" "$ITP_SOURCE_DIR/$file" ||
			found=true
	done
	ok "$page: $(one_line "$command") is run by $2" $found
}

# In a session of the user's own, where that is not the kernel's.
check_session() {
	local page=$1 kind=$2 name=$3 file=$4 user=()
	if [ "$kind" = kernel ] && ! modinfo lttng-tracer >/dev/null 2>&1; then
		skip "$page: the session $name" "no lttng-modules"
		return
	elif ! command -v lttng-sessiond >/dev/null || ! ldconfig -p | grep -q liblttng-ust-cyg-profile.so; then
		skip "$page: the session $name" "no lttng-ust"
		return
	fi
	# Names of sockets may not be long.
	mkdir "$tmp/$name"
	cd "$tmp/$name" || exit 99
	compile "${flags[@]}" "$([ "$kind" = kernel ] || echo -finstrument-functions)" -o program
	if [ "$kind" = user ]; then
		user=(setpriv "--reuid=$(id -u nobody)" --clear-groups)
		chown -R nobody .
	fi
	{
		cat "$tmp/prelude"
		echo "lttng-sessiond --daemonize $([ "$kind" = kernel ] || echo --no-kernel)"
		# shellcheck disable=SC2016
		echo 'trap "kill $(cat .lttng/lttng-sessiond.pid)" EXIT'
		echo "set -e; lttng create $name"
		cut -f3 "$file" | sed 's/␤/\n/g'
	} >script
	ok "$page: the session $name" timeout 300 "${user[@]}" env LTTNG_HOME="$PWD" HOME="$PWD" bash script
	cd "$OLDPWD" || exit 99
}

# What one section of a page does is not there for the next.
enter() {
	local directory="$tmp/$1-${2// /-}"

	cp -al "$tmp/all" "$directory"
	cd "$directory" || exit 99
}

follow() {
	local page=$1 file=$2 mark heading command last='' section=''
	while IFS=$'\t' read -r mark heading command; do
		[ "$section" = "$heading" ] || enter "$page" "$heading"
		section=$heading
		case $mark in
		run\ by:*) check_other "$page" "${mark#run by: }" "$heading" "$command" ;;
		session:*)
			grep -F "$mark" "$file" >"$tmp/session"
			# shellcheck disable=SC2086
			[ "$mark" = "$last" ] || check_session "$page" ${mark#session: } "$tmp/session"
			last=$mark
			;;
		*) check "$page" "$command" ;;
		esac
	done < <(sed 's/^\t/-\t/; s/\t\t/\t-\t/' "$file")
}

chmod 711 "$tmp"
prepare
cat >"$tmp/prelude" <<EOF
export PATH=$ITP_BUILD_DIR:\$PATH BABELTRACE_PLUGIN_PATH=$ITP_BUILD_DIR HOME=\$PWD
export LIBBABELTRACE2_NO_DLCLOSE=${ITP_PRELOAD:+1} PERF_EXEC_PATH=$tmp/all/exec
babeltrace2() { LD_PRELOAD=${ITP_PRELOAD:-} command babeltrace2 "\$@"; }
pprof() { go tool pprof "\$@"; }
EOF
for file in "${pages[@]}"; do
	page=$(basename "$file")
	[[ $# -eq 0 || " $* " == *" $page "* ]] || continue
	awk -f "$ITP_SOURCE_DIR/tests/recipes/commands.awk" "$file" >"$tmp/commands"
	[ -s "$tmp/commands" ] || continue
	follow "$page" "$tmp/commands"
	cd "$tmp" || exit 99
done

done_testing

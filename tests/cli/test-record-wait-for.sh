#!/bin/bash
# SPDX-License-Identifier: MIT
#
# perf introperf record --wait-for NAME: a program that begins later, by the name of its file and by its
# own; one that runs already; and the end of the waiting.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_recording

# Names that no other test has: comm is the first 15 bytes.
name=late$$
cp "$(command -v dd)" "$name"
printf '#!/bin/sh\nwhile :; do echo; done >/dev/null\n' >"script$$.of-a-long-name"
chmod +x "script$$.of-a-long-name"

# records NAME [ARGUMENT…] begins to wait; what it says goes to said.txt, its process to $recorder.
records() {
	rm -f x.data
	introperf record --wait-for "$@" -o x.data -- sleep 1 >said.txt 2>&1 &
	recorder=$!
}

# is_there: the recorder that waits for nothing runs.
is_there() {
	[ -n "$(own_process "^$program record --wait-for none$$")" ]
}

# seen PATTERN: a program of this name is in the recording.
seen() {
	introperf report --by process --top 0 x.data >report.txt 2>errors.txt
	grep -c "^ *[0-9]* .* $1\$" report.txt
}

records "$name"
wait_until grep -q "(waiting until a process called $name runs; Ctrl-C ends that)" said.txt
ok "nothing is recorded before it begins" test ! -e x.data
"./$name" if=/dev/zero of=/dev/null bs=1 2>log.txt &
late=$!
wait "$recorder"
is "it is recorded for as long as the command runs" "$? $(seen "$name")" "0 1"
like "as a process that runs" "$(cat said.txt)" "^ *\\(waiting [^
]*
 *\\(process $late\\)"

records "$name"
wait "$recorder"
is "one that runs already is recorded at once" "$? $(seen "$name")" "0 1"
records "$PWD/$name"
wait "$recorder"
is "a path means it, too" "$? $(seen "$name")" "0 1"
kill "$late"
wait "$late" 2>log.txt

records "script$$.of-a-long-name"
wait_until grep -q waiting said.txt
"./script$$.of-a-long-name" &
late=$!
wait "$recorder"
is "a script is known by its name in the kernel" "$? $(seen "script$$\..*")" "0 1"
kill "$late"
wait "$late" 2>log.txt

# Of no program that there is.
records "none$$"
wait_until grep -q waiting said.txt
kill -INT "$(own_process "^$program record --wait-for none$$")"
wait "$recorder"
is "Ctrl-C ends the waiting" "$? $(tail -n 1 said.txt)" \
	"130 introperf: --wait-for none$$: no process was called so"
ok "and nothing was recorded" test ! -e x.data
records "none$$" -q
wait_until is_there
kill -TERM "$(own_process "^$program record --wait-for none$$")"
wait "$recorder"
unlike "it is quiet with -q" "$(cat said.txt)" "waiting"

done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Traces by LTTng-UST of files without build ids, whose names lie in debug files: what the trace says
# of these finds them, and tells another build.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"
# shellcheck source-path=SCRIPTDIR source=ust.sh
. "$(dirname "$0")/ust.sh"

sources=$ITP_SOURCE_DIR/tests/lttng
build=(gcc -O0 -g -finstrument-functions -Wl,--build-id=none)
for tool in gcc objcopy strip; do
	command -v "$tool" >/dev/null || skip_all "no $tool"
done

# split FILE moves what names its functions to FILE.debug.
split() {
	objcopy --only-keep-debug "$1" "$1.debug"
	strip "$1"
	objcopy --add-gnu-debuglink="$1.debug" "$1"
}

# names TRACE FILTER… prints the functions of the program and of its library.
names() {
	graph "$@" 2>errors.txt | grep -o 'name = "[a-z_]*", module = "\(processes\|first.so\)"' |
		cut -d'"' -f2,4 | tr '"' ' ' | sort
}

"${build[@]}" "$sources/processes.c" -o processes -ldl 2>/dev/null || skip_all "gcc failed"
"${build[@]}" -fPIC -shared -DHELPER=first_helper "$sources/plugin.c" -o first.so
split processes
split first.so
export UST_PRELOAD="liblttng-ust-fork.so.1 liblttng-ust-dl.so.1"
record_program split "" processes vpid vtid procname >/dev/null
events=$(graph split/trace 2>/dev/null)
like "the dump of the program's state tells its debug file" "$events" \
	'lttng_ust_statedump:debug_link: .* filename = "processes.debug"'
like "loading a library tells the library's" "$events" \
	'lttng_ust_lib:debug_link: .* filename = "first.so.debug"'
wanted="call_plugin processes
child_work processes
end_child processes
first_helper first.so
leave processes
main processes
parent_work processes
run_plugin first.so"
is "functions have the names that lie there" "$(names split/trace "${infer[@]}")" "$wanted"
for file in processes first.so; do
	cp "$file" "$file.linked"
	objcopy --remove-section=.gnu_debuglink "$file"
done
is "also when only the trace knows where" "$(names split/trace "${infer[@]}")" "$wanted"
cp first.so.debug kept.debug
printf x >>first.so.debug
unlike "a debug file with another checksum is another one" "$(names split/trace "${infer[@]}")" \
	first_helper
cp kept.debug first.so.debug

# The same names elsewhere: without a look at the link they would be wrong.
"${build[@]}" -fPIC -shared -DHELPER=other_helper "$sources/plugin.c" -o first.so
split first.so
is "another build gives no names" "$(names split/trace "${infer[@]}")" \
	"$(grep processes <<<"$wanted")"
is "and is told once" "$(grep -o 'warning: .*first.so: this.*' errors.txt)" \
	"warning: $tmp/first.so: this file's debug link is not the recorded one; its functions are \
shown by address (keep the recorded build, or record again)"
rm first.so
graph split/trace "${infer[@]}" >/dev/null 2>errors.txt
is "a file that has gone is missed once" "$(grep -c 'first.so: no such file' errors.txt)" 1

done_testing

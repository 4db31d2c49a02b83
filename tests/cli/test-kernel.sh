#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Recordings that are a directory, and files with the kernel's code: which ones are used, and with
# which addresses.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../lib/kernel.sh
. "$(dirname "$0")/../lib/kernel.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"

enter_shop
[ "$(uname -m)" = x86_64 ] || skip_all "the kernel is written for x86-64"
# The kernel of the recording, as far as its build id and its place in memory tell.
build_id=$(graph "${good[@]}" 2>/dev/null |
	sed -n '/\[kernel\]/{s/.*build_id = "\([0-9a-f]*\)".*/\1/p;q}')
build_kernel vmlinux "$build_id" || skip_all "gcc failed"
build_kernel moved "$build_id" 0xffffffff80000000
build_kernel other 0123456789abcdef

# messages ARGUMENT…: all but their times and what depends on the name of the recording.
messages() {
	graph "$@" 2>/dev/null | sed 's/^[^{]*introperf:/introperf:/'
}

# code ARGUMENT…: the files in which kernel functions have their code.
code() {
	messages "$@" | sed -n 's/^introperf:function.*"\[kernel\]".* file = "\([^"]*\)".*/\1/p' | sort -u
}

# innermost ARGUMENT…: the first stack's address in the kernel.
innermost() {
	messages "$@" | grep -o '0xFFFFFFFF8[0-9A-F]*' | head -n 1
}

mkdir -p good/kcore_dir
cp good.data good/data
is "a directory is read as the file in it" "$(messages good --params="$symbols" | md5sum)" \
	"$(messages "${good[@]}" | md5sum)"
is "without a kernel's code, kernel functions have none" "$(code "${good[@]}")" ""

copy_memory vmlinux good/kcore_dir
is "the copy of the kernel's memory in the directory has its code" \
	"$(code good --params="$symbols")" "$PWD/good/kcore_dir/kcore"
is "addresses of a copy of memory are those that were recorded" \
	"$(innermost good --params="$symbols")" "$(innermost "${good[@]}")"
printf 'ffffffff81000000 T _text\nffffffff821ed600 t from_the_directory\n' >good/kcore_dir/kallsyms
like "names of the kernel come from the directory" \
	"$(messages good --params='symfs="symfs"' | grep introperf:function)" \
	'name = "from_the_directory"'

is "an image has the kernel's code" \
	"$(code good.data --params="$symbols,kernel=\"vmlinux\"")" "$PWD/vmlinux"
is "an image comes before the copy in the directory" \
	"$(code good --params="$symbols,kernel=\"vmlinux\"")" "$PWD/vmlinux"
is "addresses are those of the image" \
	"$(($(innermost good.data --params="$symbols,kernel=\"moved\"") + 0x1000000))" \
	"$(($(innermost "${good[@]}")))"

sed 's/^ffffffff81/ffffffff91/' kallsyms >good/kcore_dir/kallsyms
is "a copy of memory of another boot is not used" "$(code good --params="$symbols")" ""
like "a copy of memory of another boot: that is said" \
	"$(graph good --params="$symbols" 2>&1 >/dev/null)" \
	'kcore: this kernel ran elsewhere in memory than the recorded one; its code was not used'

fails_with "an image of another kernel" \
	"source.introperf.perf: good.data: the kernel image is not the recorded kernel's: its build id \
is another one, or the recording or the image tells none" \
	good.data --params="$symbols,kernel=\"other\""
fails_with "a file that is no kernel" \
	"source.introperf.perf: good.data: this is not an uncompressed kernel image (vmlinux), nor a \
copy of /proc/kcore" \
	good.data --params="$symbols,kernel=\"kallsyms\""
touch good/data.0
fails_with "a recording of several files of which one is missing" \
	"source.introperf.perf: good/data.1: this file of the recording is missing; copy the directory \
again as a whole" \
	good --params="$symbols"

# Who writes to the pipe says so before readers see its end.
copy_memory vmlinux good/kcore_dir
rm good/data.0 good/kcore_dir/kallsyms
mkfifo good/kcore_dir/kallsyms
(
	exec 3>good/kcore_dir/kallsyms
	touch woken
) &
writer=$!
like "a pipe in the place of kallsyms: by name" \
	"$(graph -c source.introperf.perf --params='inputs="good"' 2>&1 >messages.txt)" \
	'kcore_dir/kallsyms: no symbols of the recorded kernel'
ok "a pipe in the place of kallsyms: found" graph good
ok "a pipe in the place of kallsyms: nobody reads it" test ! -e woken
kill "$writer"
wait "$writer" 2>killed.txt
rm good/kcore_dir/kallsyms

sentence="perf record --kcore: kernel functions have code, and names from the same place"
if [ -r /proc/kcore ] &&
	perf record -q --kcore -g -e raw_syscalls:sys_enter -o real true >/dev/null 2>&1; then
	is "$sentence" "$(code real)" "$PWD/real/kcore_dir/kcore"
else
	skip "$sentence" "no /proc/kcore here, or not for us"
fi
done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Where names come from: a library is built, stripped, and its names are put into every place
# where they may lie. A static function's name is in none of the others.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

build=${ITP_BUILD_DIR:-.}
# perf's cache is looked for in it when there is no symfs.
export HOME=$tmp/home

for tool in gcc g++ strip objcopy nm readelf xz; do
	command -v "$tool" > "$tmp/which" || skip_all "$tool is not installed"
done

cat > "$tmp/part.c" << 'END'
static __attribute__((noinline)) int hidden_part(int value) { return value * value + 3; }
int exported_part(int value);
int exported_part(int value) { return hidden_part(value) + 1; }
END
root=$tmp/root
mkdir -p "$root/lib" "$HOME"
gcc -O1 -shared -fPIC -Wl,--build-id=sha1 -o "$tmp/full.so" "$tmp/part.c" || skip_all "gcc failed"
gcc -O1 -shared -fPIC -Wl,--build-id=0x0123456789abcdef -o "$tmp/other.so" "$tmp/part.c"
id=$(readelf -n "$tmp/full.so" | awk '/Build ID/ { print $3 }')
address=$(nm "$tmp/full.so" | awk '$3 == "hidden_part" { print $1 }')
exported=$(nm "$tmp/full.so" | awk '$3 == "exported_part" { print $1 }')
objcopy --only-keep-debug "$tmp/full.so" "$tmp/names"
strip -o "$tmp/stripped.so" "$tmp/full.so"
library=$root/lib/part.so
by_id=.build-id/${id:0:2}/${id:2}

# name OPTION… ADDRESS: the function at ADDRESS of the library in the recorded machine's files.
name() {
	"$build/tests/perf/symbolize" -s "$root" "${@:1:$#-1}" /lib/part.so "${@: -1}"
}

# put FILE PATH
put() {
	mkdir -p "$(dirname "$2")"
	cp "$1" "$2"
}

put "$tmp/full.so" "$library"
is "the symbol table of the file" "$(name -b "$id" "$address")" "hidden_part part.so"
is "a file without recorded build id" "$(name "$address")" "hidden_part part.so"
is "build ids that are padded with zeros" "$(name -b "${id}000000" "$address")" \
	"hidden_part part.so"

put "$tmp/stripped.so" "$library"
nameless="part.so+0x$(printf %x "0x$address") part.so"
is "without names the function's start serves" "$(name "$address")" "$nameless"
is "an address in the middle belongs to it" \
	"$(name "$(printf %x $((0x$address + 2)))")" "$nameless"
is "the dynamic symbols stay" "$(name "$exported")" "exported_part part.so"


# names_in SENTENCE PATH: names at PATH are found, those of another build are not taken.
names_in() {
	put "$tmp/names" "$2"
	is "names $1" "$(name -b "$id" "$address")" "hidden_part part.so"
	objcopy --only-keep-debug "$tmp/other.so" "$2"
	is "not those of another build $1" "$(name -b "$id" "$address")" "$nameless"
	rm "$2"
}

names_in "by build id under symfs" "$root/usr/lib/debug/$by_id.debug"
names_in "by build id in perf's cache" "$root/.debug/$by_id/debug"
names_in "by path with .debug" "$root/usr/lib/debug/lib/part.so.debug"
names_in "by path" "$root/usr/lib/debug/lib/part.so"

cp "$tmp/names" "$tmp/part.names"
(cd "$tmp" && objcopy --add-gnu-debuglink=part.names stripped.so "$library")
names_in "by debug link beside the file" "$root/lib/part.names"
names_in "by debug link in .debug" "$root/lib/.debug/part.names"
names_in "by debug link in /usr/lib/debug" "$root/usr/lib/debug/lib/part.names"

# A file without a build id, where the link's checksum decides.
gcc -O1 -shared -fPIC -Wl,--build-id=none -o "$tmp/plain.so" "$tmp/part.c"
plain=$(nm "$tmp/plain.so" | awk '$3 == "hidden_part" { print $1 }')
objcopy --only-keep-debug "$tmp/plain.so" "$tmp/part.names"
(cd "$tmp" && strip -o plain-stripped.so plain.so &&
	objcopy --add-gnu-debuglink=part.names plain-stripped.so "$library")
put "$tmp/part.names" "$root/lib/part.names"
is "a debug link with the right checksum" "$(name "$plain")" "hidden_part part.so"
printf 'x' >> "$root/lib/part.names"
like "a debug link with another checksum is not followed" "$(name "$plain")" '^part.so\+0x'
rm "$root/lib/part.names"

# pack FILE: the stripped library with FILE as its .gnu_debugdata
pack() {
	objcopy --add-section ".gnu_debugdata=$1" "$tmp/stripped.so" "$library"
}
xz -k "$tmp/names"
pack "$tmp/names.xz"
is "names packed into the file (MiniDebugInfo)" "$(name -b "$id" "$address")" "hidden_part part.so"
head -c 100 "$tmp/names.xz" > "$tmp/cut.xz"
pack "$tmp/cut.xz"
is "packed names that are cut short" "$(name "$address")" "$nameless"
head -c 1000 /dev/urandom > "$tmp/random.xz"
pack "$tmp/random.xz"
is "packed names that are no xz" "$(name "$address")" "$nameless"
head -c 300000000 /dev/zero | xz -1 > "$tmp/bomb.xz"
pack "$tmp/bomb.xz"
is "packed names that unpack to far too much" "$(name "$address")" "$nameless"
printf 'no ELF' | xz > "$tmp/text.xz"
pack "$tmp/text.xz"
is "packed names that are no ELF file" "$(name "$address")" "$nameless"

put "$tmp/other.so" "$library"
is "a file of another build is not used, and that is said once" \
	"$(name -b "$id" "$address")" "part.so+0x$(printf %x "0x$address") part.so
warning: other-build /lib/part.so"
put "$tmp/full.so" "$root/.debug/$by_id/elf"
is "the recorded build is taken from perf's cache" "$(name -b "$id" "$address")" \
	"hidden_part part.so"
put "$tmp/other.so" "$root/.debug/$by_id/elf"
like "a cached file of another build is not" "$(name -b "$id" "$address")" \
	"warning: other-build /lib/part.so"
rm -r "$root/.debug" "$library"
put "$tmp/full.so" "$HOME/.debug/$by_id/elf"
is "without symfs the cache is the user's" \
	"$("$build/tests/perf/symbolize" -b "$id" "$library" "$address")" "hidden_part part.so"
like "a file that is gone is said" "$(name -b "$id" "$address")" \
	$'^part.so\\+0x.*\nwarning: missing /lib/part.so$'
like "a build id that leads elsewhere is no path" "$(name -b "../../x" "$address")" \
	"warning: missing /lib/part.so"
printf 'text' > "$library"
like "a file that is no ELF file is said" "$(name "$address")" "warning: unusable /lib/part.so"

# at PATH: what symbolize says of the address in this module.
at() {
	"$build/tests/perf/symbolize" -s "$root" -b "$id" "$1" "$address"
}
put "$tmp/full.so" "$library"
put "$tmp/full.so" "$tmp/outside/part.so"
is "a path with .. stays under symfs" "$(at /../../lib/part.so)" "hidden_part part.so"
like "a path with .. does not leave symfs" "$(at /../outside/part.so)" \
	"warning: missing /../outside/part.so"
ln -s /lib/part.so "$root/lib/absolute.so"
is "an absolute link leads to the recorded machine's file" "$(at /lib/absolute.so)" \
	"hidden_part absolute.so"
ln -s "$tmp/outside/part.so" "$root/lib/outside.so"
like "an absolute link does not leave symfs" "$(at /lib/outside.so)" \
	"warning: missing /lib/outside.so"
mkfifo "$root/lib/pipe.so"
(
	exec 3> "$root/lib/pipe.so"
	touch "$tmp/woken"
) &
writer=$!
like "a pipe is no module" "$(at /lib/pipe.so)" "warning: unusable /lib/pipe.so"
ok "who writes to the pipe does not notice" test ! -e "$tmp/woken"
kill "$writer"
wait "$writer" 2> "$tmp/killed"
rm "$library"

# The vdso of another kernel, of which perf keeps a copy; the library stands for it.
put "$tmp/full.so" "$root/.debug/$by_id/vdso"
vdso() {
	"$build/tests/perf/symbolize" -s "$root" -b "$1" '[vdso]' "$address"
}
is "the recorded vdso is taken from perf's cache" "$(vdso "$id")" "hidden_part [vdso]"
is "not that of another build" "$(vdso "${id/#??/00}")" "[vdso]+0x$(printf %x "0x$address") [vdso]"
rm -r "$root/.debug"

cat > "$tmp/names.cc" << 'END'
namespace shop {
struct Cart {
	__attribute__((noinline)) int add(const char *, int);
	bool operator<(const Cart &) const;
};
int Cart::add(const char *, int count) { return count + 1; }
bool Cart::operator<(const Cart &) const { return false; }
}
END
g++ -O1 -shared -fPIC -o "$library" "$tmp/names.cc"
mangled=_ZN4shop4Cart3addEPKci
address=$(nm "$library" | awk -v name=$mangled '$3 == name { print $1 }')
is "C++ names as in the source" "$(name -d "$address")" "shop::Cart::add(char const*, int) part.so"
is "C++ names as the linker knows them" "$(name "$address")" "$mangled part.so"
address=$(nm "$library" | awk '/CartltERKS0_/ { print $1 }')
is "operators" "$(name -d "$address")" "shop::Cart::operator<(shop::Cart const&) const part.so"
is "an address that is not in the file has no name" "$(name 700000000000)" \
	"part.so+0x700000000000 part.so"

# Functions that a process made while it ran.
mkdir -p "$root/tmp"
map=$root/tmp/perf-77.map
printf '%s\n' "7000 20 js:first function" "bad line" "7020 10 second" "ffffffffffffffff 10 third" > "$map"
jit() {
	"$build/tests/perf/symbolize" -s "$root" -p "$1" //anon "${@:2}"
}
is "functions of a JIT map" "$(jit 77 701f 7025)" $'js:first function [anon]\nsecond [anon]'
is "memory between them has no name" "$(jit 77 7030)" "[anon]+0x7030 [anon]"
# Of several functions that were at one place, one after the other, the last that has been seen to be
# there: `early` had gone when the twelfth line was written, and lines behind that may not have been.
for ((i = 0; i < 30; i++)); do
	case $i in
	2) echo "8000 80 early" ;;
	11) echo "8040 80 later" ;;
	29) echo "8020 10 last" ;;
	*) printf '%x 10 other%d\n' $((0x9000 + i * 16)) "$i" ;;
	esac
done > "$root/tmp/perf-81.map"
is "what was written last is not known yet" "$(jit 81 8050 8028)" $'early [anon]\nearly [anon]'
is "a line is known when it or one behind it is used" "$(jit 81 8050 90c0 8050 8028)" \
	$'early [anon]\nother12 [anon]\nlater [anon]\nearly [anon]'
is "the last line is known at the end" "$(jit 81 91c0 8028 8050)" \
	$'other28 [anon]\nlast [anon]\nlater [anon]'
printf '%s\n' "7000 20 old" "7100 20 old too" "0x7000 0x20 new" $'7100\t20\tnew  \r' > "$root/tmp/perf-82.map"
is "of two names for the same code the last counts, whatever is around them" \
	"$(jit 82 7000 7110)" $'new [anon]\nnew [anon]'
is "another process has another map" "$(jit 78 701f)" "[anon]+0x701f [anon]"
ln -s "$map" "$root/tmp/perf-79.map"
is "a symbolic link is not followed" "$(jit 79 701f)" "[anon]+0x701f [anon]"
mkfifo "$root/tmp/perf-80.map"
is "a pipe is not read" "$(timeout 300 "$build/tests/perf/symbolize" -s "$root" -p 80 //anon 701f)" \
	"[anon]+0x701f [anon]"
if [ "$(id -u)" -eq 0 ] && chown 65534 "$map" 2> "$tmp/chown"; then
	is "a map of another user is not believed" "$(jit 77 701f)" "[anon]+0x701f [anon]"
else
	skip "a map of another user is not believed" "only root can make one"
fi

# Parts of a function that compilers put elsewhere are the function; what only looks so is not.
cat > "$tmp/cold.s" << 'END'
	.text
	.type whole, @function
whole:	nop
	ret
	.size whole, .-whole
	.type whole.cold, @function
whole.cold:	nop
	ret
	.size whole.cold, .-whole.cold
	.type whole.cold.12, @function
whole.cold.12:	nop
	ret
	.size whole.cold.12, .-whole.cold.12
	.type whole.colder, @function
whole.colder:	nop
	ret
	.size whole.colder, .-whole.colder
END
gcc -shared -nostdlib -o "$library" "$tmp/cold.s"
for part in whole whole.cold whole.cold.12; do
	is "$part is whole" "$(name "$(nm "$library" | awk -v name=$part '$3 == name { print $1 }')")" \
		"whole part.so"
done
is "whole.colder is another function" \
	"$(name "$(nm "$library" | awk '$3 == "whole.colder" { print $1 }')")" "whole.colder part.so"
done_testing

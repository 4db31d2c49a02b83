#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The shared library as it is installed: what it exports, that a program is built with it by
# pkg-config, from C and from C++, and that the example in the documentation ranks stacks of its own.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

[ -z "${ITP_PRELOAD:-}" ] || skip_all "the library needs the sanitizers' runtime in this build"
command -v pkg-config >/dev/null || skip_all "pkg-config is not installed"

cd "${ITP_BUILD_DIR:?}" || exit 99
ok "the library is installed" make -s DESTDIR="$tmp/root" install-libLTLIBRARIES \
	install-includeHEADERS install-pkgconfigDATA
cd "$tmp" || exit 99
pc=$(find root -name introperf.pc)
libdir=$tmp/$(dirname "$(dirname "$pc")")
pkgconfig=$tmp/$(dirname "$pc")
export PKG_CONFIG_PATH=$pkgconfig PKG_CONFIG_SYSROOT_DIR=$tmp/root LD_LIBRARY_PATH=$libdir

grep -oE '\bintroperf_[a-z_]+\(' "$ITP_SOURCE_DIR/library/introperf.h" | tr -d '(' | sort -u >declared
nm -D --defined-only "$libdir/libintroperf.so" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' |
	sort >exported
same "it exports what its header declares, and nothing else" exported declared
is "every symbol has a version" "$(nm -D --defined-only --with-symbol-versions "$libdir/libintroperf.so" |
	awk '$2 == "T" && $3 !~ /@@INTROPERF_0\.[0-9]+$/')" ""
like "its name has the number of its interface" "$(readelf -d "$libdir/libintroperf.so")" \
	'soname: \[libintroperf\.so\.0\]'
is "pkg-config knows the version" "$(pkg-config --modversion introperf)" \
	"$(sed -n "s/^PACKAGE_VERSION = //p" "$ITP_BUILD_DIR/Makefile")"

# As its head comment tells to build it.
# shellcheck disable=SC2046,SC2086
ok "the example is built, without a warning" ${CC:-cc} -Wall -Wextra -Werror \
	"$ITP_SOURCE_DIR/doc/examples/rank-stacks.c" $(pkg-config --cflags --libs introperf) -o rank-stacks
if command -v c++ >/dev/null; then
	echo '#include <introperf.h>
	int main() { introperf_free(introperf_new()); }' >minimal.cc
	# shellcheck disable=SC2046
	ok "so is a program in C++" c++ -Wall -Wextra -Werror minimal.cc \
		$(pkg-config --cflags --libs introperf) -o minimal
	ok "which runs" ./minimal
fi

# Ten rounds of a stack every 10 ms: eight of serve, then so many of read_prices.
stacks() {
	local role=$1 count=$2 i
	for ((i = 0; i < 10 * (8 + count); i++)); do
		echo "$role $((10 * i)) 1 main;serve$([ $((i % (8 + count))) -lt 8 ] || echo ';read_prices')"
	done
}
# What is between two stacks is divided: 10 × 60 ms, but for 5 behind the last.
{ stacks base 2; stacks suspect 6; } >stacks.txt
./rank-stacks <stacks.txt >ranking.txt 2>errors.txt
is "it says nothing that is wrong" "$(cat errors.txt)" ""
like "it names the function that became slower, what that costs, and its callers" \
	"$(head -1 ranking.txt)" \
	'^\+400 ms in 10 calls of read_prices: main \(own 0 ms\) serve \(own 795 ms\) read_prices \(own 595 ms\)$'
is "what goes wrong is told" "$(printf 'base 2 1 main\nbase 1 1 main\n' | ./rank-stacks 2>&1)" \
	"feeding a stack: an event is older than its predecessor"

done_testing

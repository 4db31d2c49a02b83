#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Files that only a debuginfod server has: a real server on this machine serves the program of the
# shipped recordings, which is taken away from the files at hand. Nothing leaves the machine.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=../cli/graph.sh
. "$(dirname "$0")/../cli/graph.sh"

enter_shop
unset DEBUGINFOD_PROGRESS DEBUGINFOD_VERBOSE DEBUGINFOD_MAXSIZE
export DEBUGINFOD_URLS="" DEBUGINFOD_CACHE_PATH=$tmp/cache DEBUGINFOD_TIMEOUT=20

fails_with "asking without servers is an error" \
	'source.introperf.perf: parameter "debuginfod": no servers are named: set DEBUGINFOD_URLS in the environment' \
	good.data --params="$symbols,debuginfod=yes" -c sink.utils.dummy
fails_with "what is asked for is a boolean" \
	'source.introperf.perf: parameter "debuginfod": expected a boolean, got a string' \
	good.data --params="$symbols,debuginfod=\"yes\"" -c sink.utils.dummy

mkdir broken
echo "no library" >broken/libdebuginfod.so.1
LD_LIBRARY_PATH=$tmp/broken DEBUGINFOD_URLS=http://127.0.0.1:1 \
	fails good.data --params="$symbols,debuginfod=yes" -c sink.utils.dummy
like "a library that cannot be opened is an error that names its package" "$causes" \
	'^source.introperf.perf: parameter "debuginfod": .*libdebuginfod.so.1.*Debian, Ubuntu: libdebuginfod1'

for tool in debuginfod perl strip; do
	command -v "$tool" >"$tmp/which" || {
		skip "a server has what is missing" "$tool is not installed"
		done_testing
	}
done

servers=()
stop_servers() {
	if [ ${#servers[@]} -gt 0 ]; then
		kill "${servers[@]}" 2>"$tmp/kill.log"
		wait "${servers[@]}" 2>"$tmp/kill.log"
	fi
	rm -rf "$tmp"
}
trap stop_servers EXIT

# A server that lets anybody connect and says nothing.
perl -MIO::Socket::INET -e '$| = 1;
	$socket = IO::Socket::INET->new(Listen => 9, LocalAddr => "127.0.0.1") or die;
	print $socket->sockport, "\n";
	push @held, $_ and print "connection\n" while $_ = $socket->accept' >"$tmp/silent.log" &
servers+=($!)

# scanned PORT: how many files the server knows, "" while it is starting
scanned() {
	{
		exec 3<>"/dev/tcp/127.0.0.1/$1" && printf 'GET /metrics HTTP/1.0\r\n\r\n' >&3 &&
			awk '/^scanned_files_total/ { print $2 }' <&3
		exec 3>&-
	} 2>"$tmp/metrics.log"
}

# serves_or_ended FILES PID: the server knows so many, or could not start.
serves_or_ended() {
	[ "$(scanned "$port")" = "$1" ] || ! kill -0 "$2"
}

# serve FILES: starts a server of the files in $tmp/served, which are that many; sets $port.
serve() {
	for port in $(shuf -n 5 -i 20000-30000); do
		debuginfod -d "$tmp/database" -p "$port" -F -t 0 --disable-source-scan "$tmp/served" \
			>"$tmp/server.log" 2>&1 &
		servers+=($!)
		wait_until serves_or_ended "$1" $!
		kill -0 $! 2>"$tmp/kill.log" && return 0
	done
	return 1
}

shop=$(find symfs -name shop -type f)
mkdir served
mv "$shop" served/shop
# The server takes files for debug files that have a section of that kind.
echo text >text
objcopy --only-keep-debug --add-section .debug_line=text served/shop served/shop.debug
# A program without frame pointers, recorded with copies of its stacks.
mkdir home
cp "$ITP_BUILD_DIR/tests/perf/sleeping-filter" sleeper
perf record -q --buildid-all -o sleeper.data -e raw_syscalls:sys_enter --call-graph dwarf,8192 -- ./sleeper \
	>record.log 2>&1 && sleeper_runs=1
mv sleeper served/
serve 3 || {
	skip "a server has what is missing" "debuginfod does not start: $(tail -n 1 server.log)"
	done_testing
}

# functions PARAMETERS [RECORDING]: the program's functions, then what is warned of.
functions() {
	graph "${2:-good.data}" --params="$1" -c sink.text.pretty 2>"$tmp/warnings.txt" |
		sed -n 's/.*introperf:function: .* name = "\([^"]*\)", module = "\(shop\|sleeper\)".*/\1/p' |
		sort
	sed "s,http://[^ ]*,URL,; s,: /[^:]*/shop:,: shop:," "$tmp/warnings.txt"
}

DEBUGINFOD_URLS=http://127.0.0.1:$port
like "without being asked for, nothing is fetched" "$(functions "$symbols")" \
	'^shop\+0x.*warning: shop: no such file'
ok "and nothing was asked" test ! -e "$tmp/cache"
like "asked to be left alone, nothing is fetched" \
	"$(functions "$symbols,debuginfod=no")" 'warning: shop: no such file'

asked=$symbols,debuginfod=yes
like "a program that is missing comes from the server" "$(functions "$asked")" \
	$'(^|\n)take_price_lock'
unlike "with all its names, and nothing is warned of" "$(functions "$asked")" 'shop\+0x|warning'

cp "$(type -P true)" "$shop"
like "a program that was built anew is no use" "$(functions "$symbols")" \
	"warning: shop: this file's build id is"
unlike "the recorded build comes from the server" "$(functions "$asked")" 'shop\+0x|warning'

strip -o "$shop" served/shop
like "a stripped program has no names of its own" "$(functions "$symbols")" '^shop\+0x'
rm -r cache
like "they come from the server" "$(functions "$asked")" $'(^|\n)take_price_lock'
unlike "all of them" "$(functions "$asked")" 'shop\+0x|warning'
ok "the program itself was not fetched" test -z "$(find cache -name executable)"

cp served/shop "$shop"
rm -r cache
unlike "a program with names is not asked for" "$(functions "$asked")" 'shop\+0x|warning'
build_id=$(readelf -n "$shop" 2>"$tmp/readelf.log" | awk '/Build ID/ { print $3 }')
ok "nothing of it is in the cache" test ! -e "cache/$build_id"

# Servers that are of no use, for two files of two recordings.
wait_until test -s silent.log
mkdir kept
mv "$shop" "$(find symfs -name 'libc.so*' -type f)" kept/
rm -rf cache
DEBUGINFOD_URLS=http://127.0.0.1:$(head -n 1 silent.log)
DEBUGINFOD_TIMEOUT=1
export DEBUGINFOD_RETRY_LIMIT=1
begin=$SECONDS
both=$(graph -c source.introperf.perf --params="inputs=[\"good.data\",\"slow.data\"],$asked" -c sink.utils.dummy 2>&1 |
	sed "s,http://[^ ]*,URL,; s,: /[^:]*/shop:,: shop:,")
like "a server that says nothing is said" "$both" \
	'warning: debuginfod: no file from URL:? .*([Tt]imed out|Timer expired); nothing more was asked for'
is "once" "$(grep -c debuginfod: <<<"$both")" 1
is "then the missing files are" "$(grep -c ': no such file' <<<"$both")" 4
# The library may have tried a second time at the very end.
ok "it was asked for one of them only" test "$(grep -c connection silent.log)" -le 2
# The library's own limit, for each of the files, is a minute and a half.
ok "it costs little more than the time one is ready to wait" test $((SECONDS - begin)) -le 80

rm -rf cache
DEBUGINFOD_URLS=http://127.0.0.1:1
like "a server that is not there is said" "$(functions "$asked")" \
	'warning: debuginfod: no file from URL:? .*refused; nothing more was asked for'

# Unwinding needs the program itself.
DEBUGINFOD_URLS=http://127.0.0.1:$port
DEBUGINFOD_TIMEOUT=20
if [ -z "${sleeper_runs:-}" ]; then
	skip "stacks are unwound by what the server has" \
		"perf may not record here: $(head -n 1 record.log)"
	done_testing
fi
# perf put the program into its cache.
export HOME=$tmp/home
unlike "a missing program's stacks cannot be unwound" "$(functions debuginfod=no sleeper.data)" \
	'gzip_filter'
like "stacks are unwound by what the server has" "$(functions debuginfod=yes sleeper.data)" \
	$'gzip_filter\nheader_filter\nmain\nsend_page$'
done_testing

#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A program in a mount namespace of its own, as in a container: at its path lies another build outside.
# And one whose file is replaced while it runs. Nothing is named as in the other build.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

program=${ITP_BUILD_DIR:-.}/perf-introperf
cd "$tmp" || exit 99
# With a cache of perf's that is the test's own.
export HOME=$tmp/home
mkdir home
command -v perf >which.txt || skip_all "perf is not installed"
unshare -m true >log.txt 2>&1 || skip_all "no mount namespaces here"
perf record -q -e cpu-clock -o /dev/null -- true >log.txt 2>&1 || skip_all "perf may not record here"

# build NAME FILE: the function that computes is called so, and lies elsewhere than in the other build.
build() {
	cat >"$1.c" <<END
static volatile unsigned long sink;
$3
__attribute__((noinline)) static void $1(void)
{
	for (unsigned long i = 0; i < 300000000; i++) {
		sink += i;
	}
}
int main(void)
{
	for (;;) {
		$1();
	}
}
END
	${CC:-cc} -O1 -g -fno-omit-frame-pointer -o "$2" "$1.c"
}
padding='__attribute__((used, noinline)) static void padding(void) { sink += 3; sink ^= 7; sink -= 2; }'
mkdir app inside
build wrong app/server "$padding" && build right inside/server "" || skip_all "no compiler"

# names DATA: the functions of the program that a report has.
names() {
	LIBBABELTRACE2_NO_DLCLOSE=${ITP_PRELOAD:+1} timeout 100 "$program" report --format jsonl --top 0 "$1" \
		2>errors.txt | grep -oE '"function":"(server!)?(wrong|right|main|padding|server[^"]*)"' | sort -u |
		grep -oE '(wrong|right|padding)' | paste -sd " "
}

# The file inside is bound over the one outside, where only the program sees it.
unshare -m bash -c "mount --bind inside app && exec $tmp/app/server" &
server=$!
trap 'kill -KILL $server 2>/dev/null; rm -rf "$tmp"' EXIT
wait_until grep -q server "/proc/$server/comm"
"$program" record --no-bpf -q -o namespace.data -p $server -- sleep 0.3 >log.txt 2>&1
is "while it runs, the names are its own" "$(names namespace.data)" "right"
"$program" record --bpf -q -o kept.data -p $server -- sleep 0.3 >log.txt 2>&1
has_bpf=$?
kill -KILL $server
wait $server 2>/dev/null
if [ $has_bpf -eq 0 ]; then
	is "after that they still are, as programs in the kernel have seen the file" "$(names kept.data)" "right"
else
	skip "after that they still are" "no programs in the kernel"
fi
is "of a recording of perf there are none then, rather than those of the other build" "$(names namespace.data)" ""
like "which is said, and what helps" "$(cat errors.txt)" \
	'app/server: the process had another file at that path, in a container or before it was replaced'
mkdir -p files/"$tmp"/app && cp inside/server files/"$tmp"/app/server
is "with its files, there are" "$(LIBBABELTRACE2_NO_DLCLOSE=${ITP_PRELOAD:+1} timeout 100 "$program" report \
	--symfs files --format jsonl namespace.data 2>errors.txt | grep -o '"right"' | head -n 1)" '"right"'

# A file that is replaced: perf reads the paths of what runs only when it begins.
cp inside/server app/replaced
app/replaced &
server=$!
wait_until grep -q replaced "/proc/$server/comm"
mv app/server app/replaced
"$program" record -q -o replaced.data -p $server -- sleep 0.3 >log.txt 2>&1
is "of a file that was replaced, too" "$(names replaced.data)" "right"
is "whose name is what it was" "$(LIBBABELTRACE2_NO_DLCLOSE=${ITP_PRELOAD:+1} timeout 100 "$program" report \
	--by module --format jsonl replaced.data 2>errors.txt | grep -o '"module":"replaced[^"]*"' | head -n 1)" \
	'"module":"replaced"'
kill -KILL $server
wait $server 2>/dev/null
unlike "afterwards nothing is named as in the new one" "$(names replaced.data)" 'wrong|padding'

# Code that a program makes while it runs, which names it for perf by its number, and in the /tmp, of
# its own namespaces.
cat >made.c <<'END'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
/* push %rbp; mov %rsp,%rbp; mov %edi,%ecx; 1: dec %ecx; jnz 1b; pop %rbp; ret */
static const unsigned char code[] = { 0x55, 0x48, 0x89, 0xe5, 0x89, 0xf9, 0xff, 0xc9, 0x75, 0xfc, 0x5d, 0xc3 };
int main(void)
{
	char *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void (*function)(int) = (void (*)(int))memcpy(memory, code, sizeof(code));
	char path[64];
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	FILE *map = fopen(path, "w");
	fprintf(map, "%lx %zx made_inside\n", (unsigned long)function, sizeof(code));
	fclose(map);
	for (;;) {
		function(1 << 20);
	}
}
END
if [ "$(uname -m)" = x86_64 ] && ${CC:-cc} -O1 -fno-omit-frame-pointer -o made made.c &&
	unshare -pfm --mount-proc true >log.txt 2>&1; then
	unshare -pfm --mount-proc bash -c "exec 3<made; mount -t tmpfs none /tmp &&
		exec /proc/self/fd/3" &
	namespace=$!
	trap 'kill -KILL $namespace $server $(pgrep -P $namespace) 2>/dev/null; rm -rf "$tmp"' EXIT
	is_made() {
		made=$(pgrep -P "$namespace") && [ -s "/proc/$made/root/tmp/perf-1.map" ]
	}
	wait_until is_made
	"$program" record --fp -q -o made.data -p "$made" -- sleep 0.3 >log.txt 2>&1
	like "code that it makes has the names that it gave inside" \
		"$("$program" report --format jsonl --top 0 made.data 2>errors.txt)" '"function":"made_inside"'
	kill -KILL "$made"
	wait "$namespace" 2>/dev/null
fi
done_testing

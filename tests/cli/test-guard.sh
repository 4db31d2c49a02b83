#!/bin/bash
# SPDX-License-Identifier: MIT
#
# perf introperf guard: a server whose units are known is recorded, guarded, and made slow.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

"$program" guard 2>&1 | grep -q "built without" && skip_all "built without guards"
begin_recording

# A server does what the bytes in a FIFO ask for: "a" writes an answer, "b" reads a file. The others
# are not trained: "c" computes and "d" blocks, each until it is told to go on; "f" goes on as a child;
# "l" loads and unloads a library; "x" becomes another program.
cat >server.c <<'END'
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile unsigned long sink;

__attribute__((noinline)) static void must(int holds)
{
	if (!holds) {
		abort();
	}
}

__attribute__((noinline)) static void compute_long(void)
{
	while (access("go-on", F_OK) != 0) {
		for (unsigned long i = 0; i < 1000000; i++) {
			sink += i * i;
		}
	}
}

__attribute__((noinline)) static void block_long(void)
{
	char byte;
	int other = open("other", O_RDONLY);

	must(read(other, &byte, 1) == 1);
	close(other);
}

__attribute__((noinline)) static void answer(char request)
{
	int answers = open("answers", O_WRONLY | O_CREAT | O_APPEND, 0666);

	if (request == 'c') {
		compute_long();
	} else if (request == 'd') {
		block_long();
	}
	must(write(answers, &request, 1) == 1);
	close(answers);
}

__attribute__((noinline)) static void read_file(void)
{
	char block[100];
	int file = open("server.c", O_RDONLY);

	must(pread(file, block, sizeof(block), 0) > 0);
	close(file);
	answer('b');
}

__attribute__((noinline)) static void load(void)
{
	void *library = dlopen("libm.so.6", RTLD_NOW);

	must(library != NULL);
	dlclose(library);
	answer('l');
}

__attribute__((noinline)) static int handle(char request)
{
	switch (request) {
	case 'b':
		read_file();
		break;
	case 'f':
		if (fork() > 0) {
			_exit(wait(NULL) < 0);
		}
		answer('f');
		break;
	case 'l':
		load();
		break;
	case 'x':
		execlp("sleep", "sleep", "300", NULL);
		break;
	case 'q':
		return 0;
	default:
		answer(request);
	}
	return 1;
}

__attribute__((noinline)) static void serve(int requests)
{
	struct pollfd file = { .fd = requests, .events = POLLIN };
	char request;

	do {
		must(poll(&file, 1, -1) == 1);
		must(read(requests, &request, 1) == 1);
	} while (handle(request));
}

int main(void)
{
	serve(open("requests", O_RDWR));
	return 0;
}
END
${CC:-cc} -O1 -g -fno-omit-frame-pointer -o server server.c || exit 99
mkfifo requests other

# ask LETTERS asks the server and waits until that many answers are there.
ask() {
	local wanted=$(($(stat -c %s answers) + ${#1}))
	printf %s "$1" >requests
	wait_until has_bytes answers "$wanted"
}
has_bytes() {
	[ "$(stat -c %s "$1")" -ge "$2" ]
}
many() {
	printf "%0.s$1" $(seq "$2")
}
# begin starts the server in the background, whose number is $server.
begin() {
	./server &
	server=$!
	ask a
}
: >answers

# ---- Training ----

introperf record -o good.data -- ./server >record.log 2>&1 &
recorder=$!
wait_until pgrep -x server >/dev/null
ask "$(many ab 200)"
printf q >requests
wait $recorder
introperf units --guards good.guards good.data >units.txt 2>errors.txt
is "guards are written" "$? $(cat errors.txt)" "0 "
like "they hold the loop" "$(cat good.guards)" '"server!serve"'
complains "a limit that there is not" 1 "--limit: mean, median or longest" \
	units --guards x --limit most good.data
complains "a limit without guards" 1 "--limit is one of guards: name a file with --guards" \
	units --limit mean good.data
introperf units --guards none/x.guards good.data >units.txt 2>errors.txt
like "a place that there is not" "$? $(cat errors.txt)" '^1 .*none/x\.guards'

# Nothing but what is meant to be is late, however busy the machine is.
python3 - good.guards <<'END'
import json, sys
guards = json.load(open(sys.argv[1]))
for loop in guards["loops"]:
    for type in loop["types"]:
        type["limit_ns"] = 2_000_000_000
json.dump(guards, open(sys.argv[1], "w"))
END

# ---- What is refused ----

complains "no guards" 1 "which guards? Name a file that \`perf introperf units --guards\` has written" guard -p $$
complains "guards that there are not" 1 "Failed to open file “none.guards”: No such file or directory" \
	guard -p $$ none.guards
complains "a target is needed" 1 \
	"nothing to guard: name a program (-- COMMAND), a process (-p PID) or the machine (-a)" guard good.guards
complains "a process that there is not" 1 "-p 999999999: no such process" guard -p 999999999 good.guards
complains "a format that there is not" 1 "--format: text or jsonl" guard -p $$ --format yaml good.guards
complains "no time" 1 "--period: a time, such as 10s" guard -p $$ --period often good.guards
complains "too many looks" 1 "--hertz: from 1 to 1000" guard -p $$ --hertz 5000 good.guards
echo '{' >bad.guards
introperf guard -p $$ bad.guards >output.txt 2>errors.txt
like "what is no JSON" "$? $(cat errors.txt)" '^1 introperf: "bad\.guards" is no guard file: line [12]: '
echo '[1]' >bad.guards
complains "what is something else" 1 \
	"\"bad.guards\" is no guard file; \`perf introperf units --guards\` writes one" guard -p $$ bad.guards
sed 's/"guards": 1,/"guards": 2,/' good.guards >bad.guards
complains "a newer version" 1 "\"bad.guards\" is a guard file of version 2, and this program knows version 1: \
write it anew with this program's \`units\`" guard -p $$ bad.guards
sed 's/"limit_ns": [0-9]*/"limit_ns": 0/' good.guards >bad.guards
complains "a damaged file" 1 "\"bad.guards\" is damaged: loop 1 has a type without a \"limit_ns\"" \
	guard -p $$ bad.guards

introperf guard -p $$ good.guards >output.txt 2>errors.txt
status=$?
if grep -qE "kernel|cannot be" errors.txt; then
	diag "$(cat errors.txt)"
	skip "guards run" "the kernel does not let them"
	done_testing
fi
is "a process without the loop" "$status $(cat errors.txt)" \
	"1 introperf: process $$: it has none of the loops that the guards are for"

# ---- A process that runs ----

# guard ARGUMENT… guards in the background, until end_guard; $guard is its number.
guard() {
	"$program" guard --format jsonl --period 100ms "$@" >guard.jsonl 2>guard.err &
	guard=$!
	wait_until grep -q '"header"' guard.jsonl
}
# learns: the server is asked until units of both types are known for what they are.
has_learned() {
	ask ab
	[ "$(judged types)" -eq 2 ]
}
learns() {
	wait_until has_learned
}
has_late() {
	[ "$(grep -c late_unit guard.jsonl)" -ge "$1" ]
}
end_guard() {
	kill -TERM $guard
	wait $guard
	status=$?
}
# judged WHAT prints of the last summary how many "units" were judged, how many were "late", or of how
# many "types" there were any.
judged() {
	python3 -c '
import json, sys
rows = [json.loads(line) for line in open("guard.jsonl").read().split("\n")[:-1]]
types = [row for row in rows if row["type"] == "summary"][-1]["types"]
print(len(types) if sys.argv[1] == "types" else sum(type[sys.argv[1]] for type in types))' "$1"
}
# alarm TYPE FIELD prints of the last record of this type one field, or what stands last in its last
# stack.
alarm() {
	python3 -c '
import json, sys
rows = [json.loads(line) for line in open("guard.jsonl")]
row = [row for row in rows if row["type"] == sys.argv[1]][-1]
stacks = row["stacks"]
stacks[-1:] = [dict(stack, stack=" ".join(stack["stack"])) for stack in stacks[-1:]]
print(row[sys.argv[2]] if sys.argv[2] in row else stacks[-1][sys.argv[2]] if stacks else "none")' "$@"
}

begin
guard -p $server good.guards
learns
before=$(judged units)
ask "$(many ab 100)"
end_guard
is "guarding ends when it is told to" "$status $(cat guard.err)" "0 "
ok "units are counted" test $(($(judged units) - before)) -ge 200
is "no unit in time is told" "$(judged late) $(grep -c late_ guard.jsonl)" "0 0"

guard -p $server good.guards
learns
printf c >requests
wait_until grep -q late_so_far guard.jsonl
like "who computes too long is told while it runs" "$(alarm late_so_far stack)" "server!compute_long"
is "as running" "$(alarm late_so_far state)" "running"
: >go-on
wait_until grep -q late_unit guard.jsonl
is "and when it ends" "$(alarm late_unit was_told)" "True"
rm go-on
printf d >requests

wait_until grep -q block_long guard.jsonl
like "who blocks too long is told while it does" "$(alarm late_so_far stack)" "server!block_long .*syscall:openat"
is "as blocked" "$(alarm late_so_far state)" "blocked"
printf x >other

wait_until has_late 2
ask ab
end_guard
is "two were late" "$(judged late)" 2

# ---- What it may do meanwhile ----

guard -p $server good.guards
learns
ask lab
ask f
before=$(judged units)
ask "$(many ab 20)"
end_guard
ok "a child is guarded, also when a library came and went" test $(($(judged units) - before)) -ge 40
is "which is nothing to complain of" "$(cat guard.err)" ""
child=$(pgrep -P $server)
guard -p "$child" good.guards
learns
printf x >requests
wait $guard
is "another program is not what the guards are for" "$? $(tail -n 2 guard.err)" \
	"1 introperf: process $child: it has none of the loops that the guards are for
introperf: there is no process left to guard"
kill "$child"
wait $server

begin
guard -p $server good.guards
learns
printf q >requests
wait $guard
is "guarding ends with the process" "$? $(cat guard.err)" "0 "

begin
guard -p $server good.guards
learns
kill -KILL $guard
wait $guard 2>/dev/null
ask ab
ok "the process goes on when the guard is killed" kill -0 $server
printf q >requests
wait $server

# ---- A program that is started, and the machine ----

guard good.guards -- ./server
learns
printf q >requests
wait $guard
is "a program that is started is guarded" "$? $(judged types) $(cat guard.err)" "0 2 "

guard -a good.guards
begin
learns
end_guard
is "so is any that the guards are for" "$status $(cat guard.err)" "0 "

# ---- Another build; a kernel that does not let it ----

sed -i 's/(answers, &request, 1)/(answers, \&request, 1 + 0 * (int)sink)/' server.c
${CC:-cc} -O1 -g -fno-omit-frame-pointer -o other-server server.c && mkdir -p other-build &&
	mv other-server other-build/server || exit 99
printf q >requests
wait $server
other-build/server &
server=$!
ask a
introperf guard -p $server good.guards >output.txt 2>errors.txt
like "another build is refused" "$? $(cat errors.txt)" \
	"^1 introperf: process $server: its server is another build \([0-9a-f]+\) than the guards are for: record it and train again\$"
printf q >requests
wait $server

if unshare -m true 2>/dev/null; then
	unshare -m sh -c "mount -t tmpfs none /sys/kernel/btf && exec $program guard -a good.guards" >output.txt 2>errors.txt
	is "a kernel that does not tell its structures" "$? $(cat errors.txt)" \
		"1 introperf: the kernel does not say how its structures look (/sys/kernel/btf/vmlinux), without which guards cannot be: it needs CONFIG_DEBUG_INFO_BTF"
else
	skip "a kernel that does not tell its structures" "no mount namespaces"
fi
chmod a+rx . && chmod a+r good.guards
setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all "$program" guard -a good.guards >output.txt 2>errors.txt
is "who may not" "$? $(cat errors.txt)" \
	"1 introperf: the guard's programs cannot be loaded: the kernel does not allow it: run as root, or with the capabilities CAP_BPF and CAP_PERFMON"

if command -v bpftool >/dev/null; then
	is "nothing is left in the kernel" "$(bpftool prog show name look_around; bpftool map show name processes)" ""
else
	skip "nothing is left in the kernel" "no bpftool"
fi

done_testing

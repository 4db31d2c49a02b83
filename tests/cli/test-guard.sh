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
# are not trained: "c" computes and "d" blocks, each until it is told to go on; "e" rests for longer than
# any may; "w" computes for 0.4 s of CPU time; "f" goes on as a child; "l" loads and unloads a library; "s" sleeps for a moment; "x" becomes
# another program.
cat >server.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
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

__attribute__((noinline)) static void block_shortly(void)
{
	const struct timespec moment = { 0, 6000000 };

	must(nanosleep(&moment, NULL) == 0);
}

__attribute__((noinline)) static void compute_shortly(void)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	do {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec <
		 400000000);
}

__attribute__((noinline)) static void rest(void)
{
	const struct timespec time = { .tv_sec = 2, .tv_nsec = 200000000 };

	must(nanosleep(&time, NULL) == 0);
}

__attribute__((noinline)) static void answer(char request)
{
	int answers = open("answers", O_WRONLY | O_CREAT | O_APPEND, 0666);

	if (request == 'c') {
		compute_long();
	} else if (request == 'd') {
		block_long();
	} else if (request == 'w') {
		compute_shortly();
	} else if (request == 's') {
		block_shortly();
	} else if (request == 'e') {
		rest();
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

static void on_signal(int number)
{
	(void)number;
}

__attribute__((noinline)) static char wait_for(int requests)
{
	struct pollfd file = { .fd = requests, .events = POLLIN };
	char request;
	int got;

	do {
		got = poll(&file, 1, -1);
	} while (got < 0 && errno == EINTR);
	must(got == 1);
	must(read(requests, &request, 1) == 1);
	return request;
}

__attribute__((noinline)) static void serve(int requests)
{
	while (handle(wait_for(requests))) {
	}
}

/* Has a child for each request. */
__attribute__((noinline)) static void serve_by_children(int requests)
{
	for (;;) {
		const char request = wait_for(requests);

		if (request == 'q') {
			return;
		}
		if (fork() == 0) {
			handle(request);
			_exit(0);
		}
	}
}

int main(int argc, char **argv)
{
	(void)argv;
	signal(SIGUSR1, on_signal);
	if (argc > 1) {
		signal(SIGCHLD, SIG_IGN);
		serve_by_children(open("requests", O_RDWR));
	} else {
		serve(open("requests", O_RDWR));
	}
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

introperf record --overhead none -o good.data -- ./server >record.log 2>&1 &
recorder=$!
wait_until pgrep -x server >/dev/null
ask "$(many ab 200)"
printf q >requests
wait $recorder
introperf units --guards good.guards good.data >units.txt 2>errors.txt
is "guards are written" "$? $(cat errors.txt)" "0 "
like "they hold the loop" "$(cat good.guards)" '"server!serve"'
# usual prints the functions in which units usually are, of all types.
usual() {
	python3 -c '
import json
for loop in json.load(open("good.guards"))["loops"]:
    print(*{context[1] for type in loop["types"] for context in type["profile"]})'
}
like "and where its units usually are" "$(usual)" "server!answer"
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
complains "no units" 1 "--record-units: how many late units, 1 at least" guard -p $$ --record-units 0 good.guards
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
	"$program" guard --format jsonl --period 100ms --cost 100 "$@" >guard.jsonl 2>guard.err &
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

# excess prints of the last summary, of each type with late units, how many there were, how many were
# seen, and what explains them: the part in percent, which of that time they ran, and the path.
excess() {
	python3 -c '
import json
rows = [json.loads(line) for line in open("guard.jsonl").read().split("\n")[:-1]]
for one in [row for row in rows if row["type"] == "summary"][-1]["excess"]:
    assert one["taken_ns"] - one["units"] * one["typical_ns"] == one["excess_ns"] > 0
    print(one["units"], one["seen_units"])
    for reason in one["reasons"]:
        assert 0 < reason["part"] <= 1 and reason["usual_ns"] < one["typical_ns"]
        print(round(reason["part"], 2), round(reason["running"]), *reason["stack"])'
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
is "and nothing took longer" "$(excess)" ""

# has_told_text: units are told of as text, while a guard learns.
has_told_text() {
	ask ab
	grep -q 'units,.* longest ' learning.txt
}
"$program" guard --period 100ms --cost 100 --learn learned.guards -p $server good.guards >learning.txt 2>guard.err &
guard=$!
wait_until has_told_text
end_guard
like "a type has no limit while a guard learns" "$(cat learning.txt)" ', 0 late: .*longest [^,]*, no limit\)'
is "and none of so many hours" "$(grep -c 'limit [0-9]' learning.txt)" 0
"$program" guard --period 100ms --cost 0.001 --learn none.guards -p $server good.guards >none.txt 2>none.err &
guard=$!
wait_until grep -q until none.txt
sleep 0.5
end_guard
like "who hardly watched is told why nothing was learned" "$status $(cat none.err)" \
	'^1 introperf: none.guards: no type has had [0-9]+ units while system calls were watched, [0-9.]+ % of the time, so nothing was learned: a larger --cost'
guard --learn learned.guards -p $server good.guards
learns
end_guard
# Of each unit two system calls at least: what has begun it and what has ended it.
looks_of_a_unit() {
	python3 -c '
import json, sys
told = [row for row in map(json.loads, open("guard.jsonl")) if row["type"] == "summary"][-1]
units = sum(one["units"] for one in told["types"])
print(told["looks"] >= units and told.get("look_ns", 1) > 0 and told["calls"] >= told["looks"])'
}
is "how many system calls were looked at is told" "$(looks_of_a_unit)" True
is "nor one in JSON lines" "$(grep '"summary"' guard.jsonl | grep -c limit_ns)" 0

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
like "who made it run again is told" "$(alarm late_unit woken_by)" "'pid': $$, .*'function': 'syscall:openat'"
is "two were late" "$(judged late)" 2
excess >excess.txt
like "what made them late is summed: who ran" "$(cat excess.txt)" \
	"[01]\\.[0-9]+ 1 server!serve .*server!compute_long"
like "and who was blocked" "$(cat excess.txt)" "[01]\\.[0-9]+ 0 server!serve .*server!block_long .*syscall:openat"
introperf mine guard.jsonl >mined.txt 2>errors.txt
is "what was told can be mined" "$? $(cat errors.txt)" "0 "
like "with who waited too long" "$(cat mined.txt)" "block_long"
like "and who ran" "$(cat mined.txt)" "compute_long"
introperf mine --base guard.jsonl guard.jsonl >mined.txt 2>errors.txt
is "and be a base" "$? $(cat errors.txt)" "0 "
(cat guard.jsonl && echo '{"type":' && cat guard.jsonl) >bad.jsonl
introperf mine bad.jsonl >mined.txt 2>errors.txt
like "half a line in the middle is refused" "$? $(cat errors.txt)" "^1 .*bad\\.jsonl: line [0-9]+ is none of a guard's: "

# Nobody looks in the one millisecond in which it is late and blocked.
sed 's/"limit_ns": [0-9]*/"limit_ns": 5000000/g' good.guards >short.guards
guard -p $server --hertz 1 short.guards
learns
ask s
wait_until grep -q block_shortly guard.jsonl
like "who was blocked too long is told however short that was" "$(alarm late_unit state) $(alarm late_unit stack)" \
	"^blocked .*server!block_shortly .*syscall:clock_nanosleep"
end_guard

# ---- For people ----

"$program" guard -p $server --cost 100 --period 100ms good.guards >guard.txt 2>&1 &
guard=$!
knows_types() {
	ask ab
	[ "$(tail -n 2 guard.txt | grep -c ', 0 late: ')" -eq 2 ]
}
wait_until knows_types
printf c >requests
wait_until grep -q compute_long guard.txt
: >go-on
wait_until grep -q ' took ' guard.txt
rm go-on
end_guard
like "a sentence says what late units took longer, and where" "$(tail -n 1 guard.txt)" \
	'^  1 late unit of .* took [0-9.]+ s longer than usual \([0-9.]+ s each, usually .*\): [0-9]+ % running in .*compute_long \([0-9.]+ s each, usually next to nothing\)$'

# ---- Nobody reads ----

# is_full: nothing more can be written to the FIFO that file 7 is open on.
is_full() {
	python3 -c 'import select; raise SystemExit(7 in select.select([], [7], [], 0)[1])'
}
mkfifo unread
exec 7<>unread
cat unread >guard.jsonl 7>&- &
reader=$!
"$program" guard --format jsonl --period 5ms --cost 100 -p $server good.guards >unread 2>guard.err &
guard=$!
wait_until grep -q '"summary"' guard.jsonl
learns
kill -STOP $reader
wait_until is_full
printf d >requests
sleep 4
printf x >other
ask a
kill -CONT $reader
exec 7>&-
wait_until grep -q late_unit guard.jsonl
end_guard
wait $reader
is "a guard that nobody reads looks at what is late nevertheless" "$(alarm late_unit was_told)" True
is "and ends when it is told to, with a summary" "$status $(cat guard.err) $(tail -n 1 guard.jsonl | grep -c summary)" \
	"0  1"
exec 7<>unread
"$program" guard --format jsonl --period 5ms --cost 100 -p $server good.guards >unread 2>guard.err &
guard=$!
wait_until is_full
told_to_end() {
	kill -TERM $guard
	! kill -0 $guard
}
wait_until told_to_end
wait $guard
is "who does not want to wait for a reader tells it twice" "$?" 143
exec 7>&-

# ---- Recorded ----

# is_recorded LETTERS holds when the recording is there, and asks for more until it is.
is_recorded() {
	ask "$1"
	grep -q recorded guard.err
}
guard -p $server --record late.data --record-units 3 --record-time 300s good.guards
learns
wait_until is_recorded abe
end_guard
is "late units are recorded, as many as are wished for" "$status $(cat guard.err)" \
	"0 introperf: late.data: recorded 3 of 3 late units"
introperf units --format jsonl late.data >units.jsonl 2>errors.txt
is "which has them" "$(python3 -c '
import json
types = [json.loads(line) for line in open("units.jsonl")][1:]
print(sum(type["total_ns"] for type in types) > 3 * 2_000_000_000)')" True
guard -p $server --record late.data --record-units 1000 --record-time 5s good.guards
learns
wait_until is_recorded abe
end_guard
like "but for no longer than may be" "$status $(cat guard.err)" "^0 introperf: late\\.data: recorded [0-9] of 1000 late units\$"
guard -p $server --record none/late.data good.guards
learns
wait_until is_recorded e
end_guard
is "a place that there is not" "$status $(cat guard.err)" "0 introperf: none/late.data: could not be recorded"

# ---- Waiting for a CPU ----

# On a CPU with nine others, a unit that computes for a fifth of its limit lasts for longer than that.
guard -p $server good.guards
learns
allowed=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/$server/status)
cpu=${allowed%%[!0-9]*}
taskset -cp "$cpu" $server >/dev/null
busy=()
for _ in {1..9}; do
	taskset -c "$cpu" sh -c 'while :; do :; done' &
	busy+=($!)
done
ask w
kill "${busy[@]}"
taskset -cp "$allowed" $server >/dev/null
end_guard
# cpu_wait prints of the last summary for how many seconds units have waited for a CPU.
cpu_wait() {
	python3 -c '
import json
rows = [json.loads(line) for line in open("guard.jsonl")]
told = [row for row in rows if row["type"] == "summary"][-1]
print(sum(one["cpu_wait_ns"] for one in told["types"]) // 1_000_000_000)'
}
is "a unit that waits for a CPU is not late for that" "$(judged late)" 0
ok "and it is told how long it has waited" test "$(cpu_wait)" -ge 1

# ---- Signals ----

# Each interrupts the server's wait, which goes on.
answered=$(stat -c %s answers)
guard -p $server good.guards
learns
for _ in {1..100}; do
	kill -USR1 $server
	until grep -q '^ShdPnd:.*\b0*$' /proc/$server/status; do :; done
done
end_guard
ok "a wait that a signal interrupts begins no unit" test "$(judged units)" -le $(($(stat -c %s answers) - answered))

# ---- Watched for a part of the time only ----

# watches_rarely holds when system calls were watched for a part of the time only, by the last summary.
watches_rarely() {
	ask "$(many ab 400)"
	python3 -c '
import json
rows = [json.loads(line) for line in open("guard.jsonl").read().split("\n")[:-1]]
raise SystemExit(not [row for row in rows if row["type"] == "summary"][-1]["watched"] < 0.9)'
}
# Calls of all processes cost: of a part that a busy machine uses up, too little is left to learn in.
guard -p $server --cost 2 good.guards
learns
wait_until watches_rarely
ok "who may cost little watches for a part of the time" test $? -eq 0
printf c >requests
wait_until grep -q compute_long guard.jsonl
is "who computes too long is told nevertheless, as running" "$(alarm late_so_far state)" running
: >go-on
wait_until ask a
rm go-on
printf d >requests
wait_until grep -q block_long guard.jsonl
is "and who blocks" "$(alarm late_so_far state)" blocked
printf x >other
wait_until ask a
end_guard
is "guarding ends then, too" "$status $(cat guard.err)" "0 "
"$program" guard -p $server --cost 2 --period 100ms good.guards >guard.txt 2>&1 &
guard=$!
has_paused() {
	ask "$(many ab 400)"
	grep -q 'watched ' guard.txt && tail -n 3 guard.txt | grep -q 'on average'
}
wait_until has_paused
end_guard
like "and says how much it has watched" "$(cat guard.txt)" \
	'until now \(watched [0-9.e-]+ % of the time: more would cost over 2 %\)'
like "and for how long slow ones go unseen for that" "$(cat guard.txt)" \
	'  about [0-9 ]+ units? a second: of slow ones that are one in 1000 the first is seen after [0-9.]+ [a-zµ]+ on average, in 19 of 20 cases within [0-9.]+ [a-zµ]+; of one an hour after [0-9.]+ [a-z]+, within [0-9.]+ [a-z]+'
# unseen holds when JSON lines say the same as the words: what was seen in a second, of all the time.
unseen() {
	python3 -c '
import json
rows = [json.loads(line) for line in open("guard.jsonl")]
told = [row for row in rows if row["type"] == "summary"][-1]
mean_s = told["unseen_one_in"] / told["units_per_s"] / told["watched"]
print(abs(told["unseen_mean_s"] / mean_s - 1) < 1e-9 and 2.99 < told["unseen_most_s"] / mean_s < 3)'
}
is "and JSON lines say it, too" "$(unseen)" True
complains "nothing to be spent" 1 "--cost: above 0, up to 100 (percent)" guard -p $$ --cost 0 good.guards

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

# ---- A child for each request ----

introperf record --overhead none -o forks.data -- ./server forks >record.log 2>&1 &
recorder=$!
wait_until pgrep -x server >/dev/null
for _ in {1..40}; do
	ask a
done
printf q >requests
wait $recorder
introperf units --guards forks.guards forks.data >units.txt 2>errors.txt
sed -i 's/"limit_ns": [0-9]*/"limit_ns": 2000000000/g' forks.guards
./server forks &
server=$!
ask a
guard -p $server forks.guards
has_child() {
	ask a
	[ "$(judged units)" -ge 4 ]
}
wait_until has_child
printf d >requests
wait_until grep -q block_long guard.jsonl
is "a child that was made for a request is guarded" "$(alarm late_so_far state)" blocked
printf x >other
wait_until has_late 1
like "to its end" "$(alarm late_unit woken_by)" "'pid': $$"
end_guard
is "and its parent was in time" "$(judged late) $(cat guard.err)" "1 "
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
	# The kernel takes its time. Only guards have such a map, which their programs hold; a recorder of
	# somebody else has all other names.
	nothing_is_left() {
		[ -z "$(bpftool map show name awaited)" ]
	}
	wait_until nothing_is_left
	is "nothing is left in the kernel" $? 0
else
	skip "nothing is left in the kernel" "no bpftool"
fi

done_testing

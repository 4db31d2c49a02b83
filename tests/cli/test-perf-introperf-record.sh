#!/bin/bash
# SPDX-License-Identifier: MIT
#
# perf introperf record --no-bpf: what it asks perf for, which call graph it chooses, what it says about the
# recording, and how it ends; and what needs a fresh recording of report.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_recording
shop=$ITP_BUILD_DIR/demo/shop

# records ARGUMENT…: what it says goes to $said, its exit status to $status.
records() {
	said=$(introperf record --no-bpf "$@" 2>&1)
	status=$?
}

# What is asked for.
records --fp -o shop.data -- "$shop" --requests=50
is "record succeeds" "$status" 0
command_line=$(grep '^perf record' <<<"$said")
like "the command is shown" "$command_line" \
	"-o shop\.data -- $shop --requests=50\$"
for option in '-k CLOCK_MONOTONIC' --switch-events '--call-graph fp' raw_syscalls:sys_enter \
	raw_syscalls:sys_exit/call-graph=no/ sched:sched_switch sched:sched_waking cpu-clock/freq=997/; do
	like "perf is asked for $option" "$command_line" "$option"
done
like "numbers follow" "$said" \
	'\[ [0-9.]+.?[mµn]?s, [0-9]+ stacks, 0 events lost, >?[0-9.]+.% reached their root, .*B → shop\.data \]'
unlike "nothing in it is replaced" "$said" $'\ufffd'
introperf report shop.data >program.txt 2>&1
graph shop.data "${profile[@]}" "${rank[@]}" >graph.txt
like "the recording can be ranked" "$(grep '^shop[. ]' program.txt)" $'\n''shop\.data .*complete$'
# The last line says how each asks for more.
sed -i "$asking" program.txt graph.txt
same "as by babeltrace2" program.txt graph.txt
ok "perf runs the program as one of its own" env PATH="$ITP_BUILD_DIR:$PATH" \
	bash -c 'perf introperf report shop.data 2>&1 | sed "$1" | diff graph.txt -' - "$asking"

records --light --dwarf -o other.data -- true
unlike "--light records no system calls" "$said" raw_syscalls
unlike "and no wakeups" "$said" sched_wak
like "it copies as much as without" "$said" '--call-graph dwarf,16384 '
like "copies are compressed" "$said" 'dwarf,16384 -z '
unlike "other stacks are not" "$command_line" ' -z '
records --full --fp -F 500 -o other.data -- true
like "--full records page faults, --freq says how often" "$said" \
	'-e page-faults/period=1/ -e cpu-clock/freq=500/'
records -a --fp -o other.data -- sleep 0.1
like "-a records the machine without perf itself" "$said" '--exclude-perf .* -a -- sleep 0.1'

# As users of perf type it.
records -F499 -e page-faults -e minor-faults -g --call-graph dwarf,4096 -o other.data -- true
like "more events, stacks and a frequency are recorded as perf does" "$said" \
	'--call-graph dwarf,4096 .* -e page-faults -e minor-faults -e cpu-clock/freq=499/ -o other.data -- true'
# Of a process that waits: one that runs may come no further with 100 000 interrupts a second.
records -Fmax --call-graph=fp --light -o other.data -p $$ -- sleep 0.1
like "max is what the kernel allows" "$said" \
	"--call-graph fp .* -e cpu-clock/freq=$(cat /proc/sys/kernel/perf_event_max_sample_rate)/ "
records -q -o other.data -- true
is "-q says nothing" "$status$said" 0
records -v --fp -o other.data -- true
like "-v has perf say more" "$said" '^perf record -v '
records --fp -C 0 -o other.data -- sleep 0.1
like "-C records what runs on a CPU" "$said" ' -a -C 0 -- sleep 0\.1'
# Another user's, as processes of root come and go while perf looks for them.
user=$(id -un)
as_user=()
if [ "$(id -u)" -eq 0 ]; then
	user=nobody
	as_user=(setpriv --reuid="$user" --clear-groups)
fi
"${as_user[@]}" sh -c 'while :; do sleep 0.02; done' &
sleeper=$!
wait_until grep -q "(sh)" "/proc/$sleeper/stat"
records --fp -t "$sleeper" -o other.data -- sleep 0.1
like "-t records a thread" "$said" " -t $sleeper -- sleep 0\\.1"
like "before, it is said what that may cost it" "$said" \
	'\(what does little but system calls needs up to 6 times its CPU time meanwhile; --overhead 5% takes less\)
perf record '
# It is old enough when a second has passed.
records_user() {
	records --light --fp -u "$user" -o other.data -- sleep 0.1
	[[ $said =~ -p\ ([0-9]+,)*$sleeper[,\ ] ]]
}
wait_until records_user
like "-u records a user's processes" "$status$said" "^0.* -p ([0-9]+,)*$sleeper[, ]"
kill "$sleeper"

# Names of C++: short ones are shown and found, full ones on demand.
cat >store.cc <<'END'
#include <map>
#include <string>
#include <vector>
#include <unistd.h>
namespace shop {
std::map<std::string, std::vector<long>> rows;
__attribute__((noinline)) long store(std::string const &key, long value, bool sync)
{
	rows[key].push_back(value);
	usleep(sync ? 3000 : 1000);
	return rows[key].front();
}
template <typename T> __attribute__((noinline)) long process(std::vector<T> const &items)
{
	long sum = 0;
	for (auto const &item : items) {
		sum += store(item, (long)item.size(), item.size() % 2);
	}
	return sum;
}
}
int main()
{
	std::vector<std::string> items(20, "apple");
	for (int i = 0; i < 5; i++) {
		items.push_back(std::to_string(shop::process(items)));
	}
}
END
if ${CXX:-g++} -O2 -o store store.cc 2>log.txt; then
	records -o store.data -- ./store
	introperf report --by function --top 0 --format jsonl store.data >names.jsonl
	like "short names are shown" "$(cat names.jsonl)" \
		'"shop::store\(std::string const&, long, bool\)"'
	like "in full on demand" "$(introperf report -v --by function --top 0 --format jsonl store.data)" \
		'"shop::store\(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > '
	ok "short names are found" introperf report --focus '^shop::store[(]std::string const&' store.data
	records --count process -o store.data -- ./store
	is "a function is found without namespace and types" \
		"$(introperf report --per call:process store.data 2>&1 | grep -oE '[0-9]+ calls of process' | head -n 1)" \
		"5 calls of process"
else
	skip "short names are shown" "no C++ compiler"
fi

# A program that hardly does anything but system calls waits for the recorder most of the time.
records --fp -o other.data -- dd if=/dev/zero of=/dev/null bs=1 count=50000
like "it says how much of the CPU time was its own" "$said" \
	"introperf: [0-9.]+.% of the CPU time was the recorder's own: --light, without system calls, "
# Unless another one records the system calls of the whole machine meanwhile, as other tests do.
for _ in 1 2 3 4 5 6; do
	records --fp --light -o other.data -- dd if=/dev/zero of=/dev/null bs=1 count=500000
	[[ $said == *"of the CPU time was"* ]] || break
done
unlike "which is little without system calls" "$said" "of the CPU time was"

# A process that only waits for those that it has made.
cat >master.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
static volatile unsigned long sink;
__attribute__((noinline)) static void serve(void)
{
	for (;;) {
		sink++;
	}
}
int main(void)
{
	if (fork() == 0) {
		serve();
	}
	wait(0);
	return 0;
}
END
${CC:-cc} -O1 -g -fno-omit-frame-pointer -o master master.c || exit 99
./master &
master=$!
wait_until pgrep -P $master >worker.txt
worker=$(cat worker.txt)
# A worker that has just begun may end at once.
wait_until has_run $worker 200
records --fp -o other.data -p $master -- sleep 0.3
like "what a process has made is recorded too, which is said" "$said" \
	"introperf: -p $master: $worker, which it has made, is recorded too \(-t records threads alone\)"
like "and found" "$(introperf report other.data 2>&1)" '^master (computes|waits for a CPU) in serve[,:] '
records --fp -o other.data -t $master -- sleep 0.3
unlike "but not of a thread" "$said$(introperf report other.data 2>&1)" 'recorded too|serve'
kill $worker
wait $master 2>/dev/null

# What an interpreter runs, nobody names.
records -o other.data -- python3 -c 'print(sum(i * i for i in range(300000)))'
like "what helps is said" "$said" 'the functions that Python runs have no names: .* python3 -X perf'

# Which call graph. A program without any library, with frame pointers and without.
cat >alone.c <<'END'
static volatile int sink;
__attribute__((noinline)) static int work(int n)
{
	for (int i = 0; i < n; i++) {
		sink += i * n ^ (sink >> 3);
		sink ^= sink / (n + i) + sink % (i + 7);
	}
	return sink;
}
__attribute__((noinline)) static int more(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++) {
		sum += work(i) + work(n - i) * work(sum & 15);
	}
	return sum;
}
void _start(void)
{
	more(40);
	__asm__ volatile("syscall" : : "a"(60), "D"(more(3) & 0) : "memory");
}
END
if [ "$(uname -m)" = x86_64 ] && command -v gcc >/dev/null; then
	for kind in no-omit omit; do
		gcc -O1 -f$kind-frame-pointer -fasynchronous-unwind-tables -fno-stack-protector \
			-nostdlib -static -o alone-$kind alone.c
	done
	records -o other.data ./alone-no-omit
	like "frame pointers are used where the code keeps them" "$said" \
		'fp: all code .*--call-graph fp '
	records -o other.data ./alone-omit
	like "stacks are copied where it does not" "$said" \
		'dwarf: alone-omit keeps no .*--call-graph dwarf,16384 '
	printf '#!%s\n' "$tmp/alone-omit" >script
	chmod +x script
	records -o other.data ./script
	like "of a script, what reads it is looked at" "$said" 'dwarf: alone-omit keeps no '
	records --fp -o other.data ./alone-omit
	like "--fp is stronger" "$said" '--call-graph fp '
	records --dwarf -o other.data ./alone-no-omit
	like "and so is --dwarf" "$said" '--call-graph dwarf,16384 '
else
	skip "which call graph" "no gcc for x86-64"
fi
sleep 60 &
sleeper=$!
wait_until is_asleep $sleeper
records -p "$sleeper" --light -o other.data -- sleep 0.1
kill "$sleeper"
like "of a process, its map is looked at" "$said" \
	"\((fp|dwarf): .*perf record .* -p $sleeper -- sleep 0\.1"
like "one that waits all the time gives no stacks" "$said" \
	"introperf: other\.data: no stacks were recorded: -p $sleeper waited all the time, in what it had begun before\$"
is "which is no error" "$status" 0

# Processes that run already. All that they do is done by threads with names of their own.
waits() {
	cat "/proc/$1"/task/*/status 2>/dev/null |
		awk '/^voluntary_ctxt_switches/ { sum += $2 } END { print sum + 0 }'
}
has_waited() {
	[ "$(waits "$1")" -gt "$2" ]
}
"$ITP_BUILD_DIR/tests/perf/renaming" &
first=$!
"$ITP_BUILD_DIR/tests/perf/renaming" &
second=$!
wait_until has_waited "$first" 10
wait_until has_waited "$second" 10
export -f waits
# shellcheck disable=SC2016 # the inner shell expands
both_wait='for pid; do
	from=$(waits "$pid")
	until [ "$(waits "$pid")" -gt $((from + 50)) ]; do sleep 0.02; done
done'
records --fp -p "$first,$second" -o both.data -- bash -c "$both_wait" wait "$first" "$second"
is "several processes are recorded" "$status" 0
like "perf is asked for all of them" "$said" "perf record .* -p $first,$second -- bash"
# processes PARAMETER…: of all paths.
processes() {
	introperf report --top 0 --format jsonl "$@" 2>>errors.txt | /usr/bin/python3 -c '
import json, sys
records = map(json.loads, sys.stdin)
print(*sorted({record["process"] for record in records if record["type"] == "path"}))'
}
is "each has the name of its first thread, which did nothing" "$(processes both.data)" renaming
is "and both are there" "$(processes --group-by pid both.data)" \
	"$(printf 'renaming/%d\n' "$first" "$second" | sort | paste -s -d ' ')"
records --fp -p "$first" -o again.data -- bash -c "$both_wait" wait "$first"
is "so another recording of one is of the same program" "$(processes again.data)" renaming
introperf export --format chrome -o again.json again.data 2>errors.txt
like "in a timeline threads have names of their own" \
	"$(grep -o '"thread_name".*' again.json | grep -o '"args":{[^}]*}' | sort -u)" \
	'"args":\{"name":"a-worker"\}'
kill "$first" "$second"
wait "$first" "$second" 2>/dev/null

# As another one.
records --light --dwarf --stack-size 2048 -F 499 -o light.data -- "$shop" --requests=20
said=$(introperf record --like light.data -o like.data -- "$shop" --requests=20 2>&1)
like "a recording like another one has its stacks, events and timer" "$said" \
	'--call-graph dwarf,2048 .*-e sched:sched_switch -e cpu-clock/freq=499/ -o like'
said=$(introperf record --like shop.data -o like.data -- "$shop" --requests=20 2>&1)
like "and like the first one" "$said" \
	'--call-graph fp .*raw_syscalls:sys_enter,.*sched:sched_waking -e cpu-clock/freq=997/ -o like'
complains "likeness and a choice" 1 "--like: what is recorded is chosen by the recording alone" \
	record --like shop.data --light -- true
complains "likeness to what is no recording" 1 \
	"--like $0: this is no recording of perf that can be read" record --like "$0" -- true
complains "likeness to what is not there" 1 "--like none.data: No such file or directory" \
	record --like none.data -- true

# What is poor.
records --dwarf --stack-size 256 -o other.data -- "$shop" --requests=20
like "it says when copies are too short" "$said" \
	'introperf: [0-9.>]+ % of the stacks do not .*record with --dwarf --stack-size 512, '
records --dwarf -o other.data -- "$ITP_BUILD_DIR/tests/perf/large-frame"
like "it says when they end at a page that is not there" "$said" \
	'introperf: [0-9.>]+ % of the stacks do not .*a page of the stack that was never touched'
unlike "and asks for no larger ones" "$said" 'stack-size'
mkdir bin
# shellcheck disable=SC2016 # for the script to expand
printf '#!/bin/bash\nexec %q "${@/#65536K/4K}"\n' "$(command -v perf)" >bin/perf
chmod +x bin/perf
PATH=$tmp/bin:$PATH records --dwarf --stack-size 2048 -o other.data -- "$shop" --requests=500
like "it says when events were lost" "$said" \
	', [1-9][^,]* events lost, .*introperf: events were lost, .*record less \(--fp, --light, '
# No copy has room in that.
"$shop" --requests=100000000 >log.txt 2>&1 &
busy=$!
PATH=$tmp/bin:$PATH records --dwarf -p $busy -o other.data -- sleep 0.1
like "what perf does not keep up with is not asked for" "$said" \
	'\(--light: perf does not keep up with .*dwarf,16384 [^)]*-e sched:sched_switch'
unlike "system calls are left out at last" "$said" 'raw_syscalls'
kill $busy
bash -c 'while sleep 0.05; do :; done' &
calm=$!
records --dwarf -p $calm -o other.data -- sleep 0.1
unlike "what it keeps up with is" "$said" 'does not keep up'
kill $calm

# How it ends.
records --fp -o other.data -- sh -c 'exit 7'
is "the status is that of the program" "$status" 7
records --fp -o other.data -- true
is "a program that ends at once is recorded" \
	"$status$(grep -oE ' stacks, 0 events lost' <<<"$said")" "0 stacks, 0 events lost"

# interrupts SENTENCE TARGET…: SIGINT to a recording that runs; TARGET is what kill takes, with
# PID for the program's.
interrupts() {
	local sentence=$1 target=$2 pid
	rm -f other.data
	(trap - INT; exec setsid "$program" record --fp -o other.data -- sleep 9$$) >said.txt 2>&1 &
	pid=$!
	# perf lets the program go when it is ready itself.
	wait_until pgrep -f "^sleep 9$$\$" >log.txt
	wait_until is_asleep "$(pgrep -f "^sleep 9$$\$")"
	kill -INT -- "${target/PID/$pid}"
	wait "$pid"
	is "$sentence: it ends well" "$?" 0
	like "$sentence: the recording is kept" "$(cat said.txt)" ' stacks, .* → other\.data \]'
	is "$sentence: nothing is left running" "$(pgrep -f "^sleep 9$$\$")" ""
}
interrupts "Ctrl-C" -PID
interrupts "SIGINT to the program alone" PID

complains "nothing to record" 1 \
	"nothing to record: name a program (-- COMMAND), a process (-p PID) or the machine (-a)" record
complains "a program that is not there" 1 "no-such: no such program, or it may not be executed" \
	record -- no-such
complains "a process that is not there" 1 "-p 4194304: no such process" record -p 4194304
complains "one of several processes that is not there" 1 "-p 4194304: no such process" \
	record -p $$,4194304
for pids in 1x "$$,x" 0 '' "$$, 1"; do
	complains "processes that are no numbers: '$pids'" 1 "-p ${pids#"$$",}: not the number of a \
process, nor several with commas between" record -p "$pids"
done
complains "two targets" 1 "-p and -a: choose one" record -a -p 1
complains "two presets" 1 "--light and --full: choose one" record --light --full -- true
complains "two call graphs" 1 "--fp and --dwarf: choose one" record --fp --dwarf -- true
complains "a copy that is too large" 1 "--stack-size: perf copies 1 to 65528 bytes" \
	record --stack-size 65536 -- true
records --fp -o /no-such-directory/x -- true
like "a place that cannot be written" "$said" \
	'introperf: /no-such-directory/x: perf record has written nothing; it says above why$'
records --fp -q -o /no-such-directory/x -- true
is "with -q perf does not say why" "$said" \
	'introperf: /no-such-directory/x: perf record has written nothing; without -q it says why'

# What has ended when perf begins. The perf here ends it.
mkdir ending
cat >ending/perf <<END
#!/bin/bash
if [ "\$1" = record ] && read -r pid <to-end.txt; then
	kill "\$pid"
	while kill -0 "\$pid"; do sleep 0.05; done 2>/dev/null
	: >to-end.txt
fi
exec "$(command -v perf)" "\$@"
END
chmod +x ending/perf
# begins_to_sleep sets $pid to a process that sleeps, and is nobody's child here.
begins_to_sleep() {
	pid=$(sleep 600 >/dev/null 2>&1 & echo $!)
	wait_until is_asleep "$pid"
}
for quiet in '' -q; do
	begins_to_sleep
	echo "$pid" >to-end.txt
	PATH=$PWD/ending:$PATH records --fp $quiet -o gone.data -p "$pid" -- true
	like "a process that has ended is said${quiet:+ with $quiet}" "$status ${said##*$'\n'}" \
		"^1 introperf: -p $pid: no such process\$"
	unlike "and no more is promised${quiet:+ with $quiet}" "$said" 'says above why'
done
(exec -a looping bash -c 'while :; do :; done') &
loop=$!
for option in -p -t; do
	begins_to_sleep
	echo "$pid" >to-end.txt
	PATH=$PWD/ending:$PATH records --fp -o gone.data $option "$loop,$pid" -- sleep 0.1
	is "$option: one of several that has ended is left out" "$status $(tail -n 1 to-end.txt)" '0 '
	like "$option: the other is recorded" "$said" \
		"-o gone\\.data $option $loop -- sleep 0\\.1.* stacks, .* → gone\\.data \\]"
done
begins_to_sleep
records --fp -o gone.data -p "$loop,$pid" -- sh -c "kill $pid; echo once >>runs.txt; exit 3"
is "what fails itself is not run again, though a process has ended" "$(cat runs.txt)" once

# Two into one file.
introperf record --fp -o shared.data -p "$loop" -- sh -c 'until [ -e enough ]; do sleep 0.05; done' \
	>first.txt 2>&1 &
first=$!
wait_until test -s shared.data
complains "a file into which another one records" 1 \
	"$PWD/shared.data: process $(own_process "^$program record --fp -o shared") records into it; \
wait for its end, or name another file (-o FILE)" record --fp -o "$PWD/shared.data" -p "$loop" -- true
records --fp -o else.data -p "$loop" -- sleep 0.1
is "beside it another file can be recorded into" "$status" 0
touch enough
wait $first
is "the first is whole" "$?" 0
like "and says so" "$(cat first.txt)" ' stacks, .* → shared\.data \]'
is "nothing was moved aside" "$(ls shared.data*)" shared.data
records --fp -o shared.data -p "$loop" -- sleep 0.1
is "then the file can be recorded into again" "$status" 0
kill $loop
wait $loop 2>/dev/null

said=$(PATH=/no-such-directory "$program" record --fp -o other.data -- /bin/true 2>&1)
like "perf is missing" "$said" 'introperf: perf is not in PATH; install it \(Debian: linux-perf, '

# As Ubuntu 24.04 had it at first.
mkdir without
# shellcheck disable=SC2016 # for the script to expand
printf '#!/bin/sh\n[ "$1" = version ] || exit 129\necho "  libtraceevent: [ OFF ]  # HAVE_LIBTRACEEVENT"\n' \
	>without/perf
chmod +x without/perf
PATH=$tmp/without:$PATH records --fp -o other.data -- true
like "a perf that knows no tracepoints is said" "$said" \
	'introperf: perf was built without libtraceevent, so it cannot record system calls; install one'
unlike "and what was recorded before is not told for new" "$said" 'stacks, '

# Where another user may look.
chmod 711 "$tmp"
install -D -m 755 "$program" public/perf-introperf
chmod 777 public
nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 0 ] &&
	"${nobody[@]}" test -x "$tmp/public/perf-introperf" 2>/dev/null; then
	said=$(cd public && "${nobody[@]}" ./perf-introperf record --fp -o x.data -- sh -c 'touch ran' 2>&1)
	is "recording is refused" "$?" 1
	is "nothing was written, and nothing run" "$(ls public)" "perf-introperf"
	said+=$(cd public && "${nobody[@]}" ./perf-introperf record --overhead 5% -- true 2>&1)
	like "--overhead is refused" "$said" '--overhead: the cost of an event cannot be measured: '
	said=$(grep -v '^introperf: --overhead' <<<"$said")
	like "it says by what, and what to do" "$said" \
		'introperf: recording is refused to this user: run as root; .*perf_event_paranoid to -1.*CAP_PERFMON'
	is "in one line" "$(grep -c '^introperf: ' <<<"$said")" 1
else
	skip "recording is refused" "there is no user to whom it is"
fi

# A disk that is full. perf says so, too.
mkdir small
if mount -t tmpfs -o size=2m none small 2>/dev/null; then
	records --fp -o small/x.data -- sh -c "exec $shop --requests=20000"
	is "a full disk is an error" "$status" 1
	is "which is told in one line" "$(grep '^introperf: ' <<<"$said")" \
		"introperf: small/x.data: the disk is full; what was recorded is removed: make room, or \
record less (--light, --fp)"
	is "nothing is left on it" "$(ls small)" ""
	is "and nothing left running" "$(own_process "^$shop --requests=20000\$")" ""
	umount small
else
	skip "a full disk" "this user may not mount one"
fi

perf record -q -e cpu-clock -o flat.data -- "$shop" --requests=5 >/dev/null 2>&1
introperf report flat.data >program.txt 2>errors.txt
is "a recording without call chains is refused" "$?$(wc -c <program.txt)" 10
like "it says how to record" "$(cat errors.txt)" \
	'^introperf: flat\.data: .*call chains.*--call-graph'

# awaits_interrupt PID: waits until it is the program and would hear of SIGINT; fails if it has ended
# before.
awaits_interrupt() {
	local name value program_name
	while :; do
		while IFS=$':\t' read -r name value; do
			case $name in
			Name) program_name=$value ;;
			State) [ "${value:0:1}" != Z ] || return ;;
			SigCgt) [ "$program_name" != perf-introperf ] ||
				(((0x$value & 2) == 0)) || return 0 ;;
			esac
		done <"/proc/$1/status"
	done
}

# interrupted ARGUMENT… runs the program and interrupts it while it reads. That takes long; and what
# interrupts comes before it where both want the CPU. Still, it may have read all when that comes:
# then it is run again, until it has been interrupted, or never was.
interrupted() {
	local pid status
	for _ in {1..20}; do
		rm -rf long.profile
		nice -n 19 "$program" "$@" >program.txt 2>errors.txt &
		pid=$!
		awaits_interrupt $pid && kill -INT $pid
		wait $pid
		status=$?
		[ "$status" -eq 0 ] || break
	done
	return "$status"
}

# Recordings that take long enough to be interrupted.
introperf record --fp -o long.data -- dd if=/dev/zero of=/dev/null bs=1 count=300000 >/dev/null 2>&1
cp long.data good.data
interrupted report long.data
is "Ctrl-C ends a report" "$?" 130
is "it says so" "$(cat errors.txt)" "introperf: interrupted before all was read"
like "what was read is ranked and labelled" "$(cat program.txt)" '^INTERRUPTED: .*
long\.data .* incomplete: not read'
ok "and is not all" test "$(introperf report long.data | head -1 | grep -oE '[0-9  ]+ stacks')" != \
	"$(grep -oE -m1 '[0-9  ]+ stacks' program.txt)"
interrupted diff good.data long.data
is "Ctrl-C ends a comparison" "$?$(cat errors.txt)" "130introperf: interrupted before all was read"
interrupted report --save long.profile long.data
is "and the saving of a profile" "$?$(cat errors.txt)" "130introperf: interrupted before all was read"
like "which tells that it is not complete" "$(introperf report long.profile)" \
	'incomplete: not read'
is "nothing else is left" "$(ls -d long.profile*)" long.profile

# held_up PAGER: what a terminal gets of a report that is stopped for more than a second, again and again
# until it shows progress, as nobody knows when it begins to read.
# shellcheck disable=SC2016 # for the script to expand
echo 'until [ -e shown ] || ! kill -STOP "$1" 2>/dev/null; do
	sleep 1.2
	kill -CONT "$1"
	sleep 0.03
done' >hold-up.sh
held_up() {
	rm -f shown
	# shellcheck disable=SC2016 # for the terminal to expand
	PERF_PAGER=$1 TERM=xterm python3 "$ITP_SOURCE_DIR/tests/cli/in-terminal.py" 24x100 \
		run='bash hold-up.sh $pid &' see=left run='touch shown' see=complete -- \
		nice -n 19 "$program" report long.data | tr '\r' '\n'
}
for pager in cat 'sed s/^/:/'; do
	shown=$(held_up "$pager")
	like "progress is shown ($pager)" "$shown" $'\n\033\\[Kreading: [0-9]+ %, .* of .*/s, [0-9]+ s left'
	like "and erased before the result" "${shown%%complete*}" $'s left\n\033\\[K.*long\\.data '
done

done_testing

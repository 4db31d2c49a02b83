#!/bin/bash
# SPDX-License-Identifier: MIT
#
# perf introperf record --bpf: the same stacks as perf records, what begins later, and what remains
# when it ends in any way.

# shellcheck source-path=SCRIPTDIR source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source-path=SCRIPTDIR source=graph.sh
. "$(dirname "$0")/graph.sh"
# shellcheck source-path=SCRIPTDIR source=perf-introperf.sh
. "$(dirname "$0")/perf-introperf.sh"

begin_bpf_recording

# Writes a byte from each of its places so often as it is told: behind functions without frame pointers,
# one that aligns its stack, some of variable size, a recursion that is deeper than what is walked in the kernel, a signal
# handler, a library that is loaded late, a thread, and a child. With "wait" it begins when told to.
cat >late.c <<'END'
#include <unistd.h>

int late_write(int file)
{
	return write(file, "l", 1) + 1;
}
END
cat >writes.c <<'END'
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))

static int out;
static volatile int sink;

APART static void inner(char byte)
{
	sink += write(out, &byte, 1);
}

APART static void first_way(int i)
{
	inner('a');
	sink += i;
}

APART static void other_way(int i)
{
	inner('b');
	sink -= i;
}

APART static void aligned_way(int i)
{
	char room[64 + i % 2] __attribute__((aligned(64)));

	memset(room, i, sizeof(room));
	inner(room[sink & 31]);
	sink += room[i & 15];
}

/* Both find their frames by the frame pointer: the outer one by what the inner one has saved. */
APART static void inner_room(int i)
{
	volatile char room[i % 64 + 1];

	room[i % 64] = 'r';
	inner(room[i % 64]);
	sink += room[0];
}

APART static void outer_room(int i)
{
	volatile char room[i % 32 + 1];

	room[i % 32] = 'o';
	inner_room(i);
	sink += room[0];
}

APART static void deep_way(int depth)
{
	if (depth == 0) {
		inner('d');
	} else {
		deep_way(depth - 1);
	}
	sink += depth;
}

static void on_signal(int number)
{
	inner('s');
	sink += number;
}

APART static void signal_way(void)
{
	raise(SIGUSR1);
	sink++;
}

static void *thread_way(void *unused)
{
	inner('t');
	return unused;
}

int main(int argc, char **argv)
{
	int times = atoi(argv[1]);
	pthread_t thread;
	int (*late)(int);
	char byte;

	out = open("/dev/null", O_WRONLY);
	if (argc > 2) {
		int gate = open("gate", O_RDONLY);

		sink += read(gate, &byte, 1);
		close(gate);
	}
	signal(SIGUSR1, on_signal);
	late = (int (*)(int))dlsym(dlopen("./late.so", RTLD_NOW), "late_write");
	for (int i = 0; i < times; i++) {
		first_way(i);
		other_way(i);
		aligned_way(i);
		outer_room(i);
		sink += late(out);
		if (i % 10 == 0) {
			deep_way(300);
			signal_way();
		}
	}
	pthread_create(&thread, NULL, thread_way, NULL);
	pthread_join(thread, NULL);
	if (fork() == 0) {
		inner('c');
		_exit(0);
	}
	wait(NULL);
	return 0;
}
END
ok "the program is built" sh -c "gcc -g -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -shared -fPIC \
	-o late.so late.c && gcc -g -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -o writes writes.c \
	-ldl -pthread"

# stacks FILE: how often each stack of a write is there, leaf first, without the kernel's part; of
# functions that follow each other one. perf has no name for where signal handlers return to.
stacks() {
	perf script -i "$1" --no-inline --max-stack 1024 -F event,trace,ip,sym 2>perf.txt | awk '
		function finish() { if (line != "") { print line } line = "" }
		/sys_enter:/ { finish(); wanted = / NR 1 /; next }
		/sys_exit:|sched_|introperf:|cpu-clock|dummy/ { finish(); wanted = 0; next }
		wanted && NF > 1 && $1 !~ /^ffff/ { if ($2 != last || line == "") { line = line " " $2 } last = $2 }
		END { finish() }' | sed 's/ on_signal [^ ]* / on_signal … /' | sort | uniq -c
}

introperf record --bpf --overhead none -o bpf.data -- ./writes 200 >said.txt 2>&1
is "record --bpf --overhead none succeeds" $? 0
like "it says what is recorded" "$(cat said.txt)" '\(bpf: system calls, switches, wakeups and ticks of the command and its children'
like "numbers follow" "$(cat said.txt)" \
	'\[ [0-9.]+.?[mµn]?s, [0-9].* stacks, 0 events lost, >?[0-9.]+.% reached their root, .*B → bpf\.data \]'
introperf record --dwarf --stack-size 32768 -q -o perf.data -- ./writes 200 >log.txt 2>&1
stacks bpf.data >bpf.txt
stacks perf.data >perf.txt.all
is "all writes are there" "$(awk '{ sum += $1 } END { print sum }' bpf.txt)" 1042
same "each with the stack that a copy of it has" bpf.txt perf.txt.all

# As linked by lld, code begins in the middle of a page of the file, and further on in memory than there.
if command -v ld.lld >log.txt && mkdir lld && cp late.so lld && gcc -fuse-ld=lld -g -O2 -fomit-frame-pointer \
	-fno-optimize-sibling-calls -o lld/writes writes.c -ldl -pthread 2>log.txt; then
	(cd lld && introperf record --bpf --overhead none -v -o lld.data -- ./writes 200 >said.txt 2>&1)
	unlike "code linked by lld is where its mapping says" "$(cat lld/said.txt)" '[0-9]{3} copied through memory'
	stacks lld/lld.data >lld.txt
	same "its stacks are the same" lld.txt bpf.txt
else
	skip "code linked by lld is where its mapping says" "no lld"
	skip "its stacks are the same" "no lld"
fi

# Without an option, too.
introperf record --light -F 499 -o light.data -- ./writes 20 >said.txt 2>&1
like "programs in the kernel record by themselves" "$(cat said.txt)" '^ *\(bpf: switches and ticks '
introperf record --like light.data -o like.data -- ./writes 20 >said.txt 2>&1
like "a recording like it is made in the same way" "$(cat said.txt)" '^ *\(bpf: switches and ticks '
is "with as many ticks" "$(perf evlist -v -i like.data | sed -n 's/^cpu-clock.*sample_freq }: \([0-9]*\),.*/\1/p')" \
	2004008
introperf record --full --freq=499 -o full.data -- ./writes 20 >log.txt 2>&1
introperf record --like full.data -o like.data -- ./writes 20 >said.txt 2>&1
like "with page faults, if the other has them" "$(cat said.txt)" '^ *\(bpf: system calls, switches, wakeups, page faults and ticks '
is "and its ticks, however they were asked for" \
	"$(perf evlist -v -i like.data | sed -n 's/^cpu-clock.*sample_freq }: \([0-9]*\),.*/\1/p')" 2004008
cp like.data before.data
introperf record -q -o like.data -- ./writes 20 >log.txt 2>&1
ok "what was recorded before is kept" cmp before.data like.data.old
introperf record --no-bpf -o like.data -- ./writes 20 >said.txt 2>&1
like "perf records when it is asked to" "$(cat said.txt)" 'perf record .* -o like\.data -- \./writes 20'
unlike "without a word about anything else" "$(cat said.txt)" 'bpf|which costs more'

# Whole results. Whether main() has to wait for its thread is up to the thread; and the execve() in which a
# recording begins is shown by a tick in its rest alone.
calls() {
	introperf report --by function --idle ranked --format jsonl --top 0 "$1" 2>"$1.errors" |
		sed -n 's/.*"function":"\(syscall:[a-z0-9_]*\)".*"count":\([0-9]*\),"base.*/\1 \2/p' |
		grep -vE '^syscall:(futex |execve 1$)' | sort
}
calls bpf.data >bpf.calls
calls perf.data >perf.calls
same "report finds the same system calls, as often" bpf.calls perf.calls
is "of which some are there" "$(grep write bpf.calls)" "syscall:write 1042"
is "report has nothing to say against the recording" "$(cat bpf.data.errors)" ""
like "and it is complete" "$(introperf report bpf.data 2>&1)" $'\n''bpf\.data .* complete'
ok "perf report reads it" perf report -i bpf.data --stdio

# As perf does, it keeps the program: what is built in its place has other names.
export HOME=$PWD/home
mkdir home
cp writes kept
introperf record -q -o kept.data -- ./kept 20 >log.txt 2>&1
${CC:-cc} -O1 -g -o kept late.c -shared 2>log.txt
like "a program that was built anew since still has its names" \
	"$(introperf report --by function --top 0 --format jsonl kept.data 2>errors.txt)" '"function":"first_way"'

# A timer wakes a thread while another process has its CPU: from then on it is not asleep, but waits for the
# CPU, although nobody who is recorded has woken it. The other one runs before all, 4 ms of each 5.
cat >naps.c <<'END'
#define _GNU_SOURCE
#include <sched.h>
#include <time.h>

__attribute__((noinline)) static void nap(long ns)
{
	nanosleep(&(struct timespec){ .tv_nsec = ns }, NULL);
}

static void spin(long ns)
{
	struct timespec begin;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec < ns);
}

int main(int count, char **arguments)
{
	cpu_set_t one;

	(void)arguments;
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	if (count > 1) {
		sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = 1 });
		for (;;) {
			spin(4000000);
			nap(1000000);
		}
	}
	for (int i = 0; i < 50; i++) {
		nap(2000000);
	}
	return 0;
}
END
${CC:-cc} -O1 -g -fno-omit-frame-pointer -o naps naps.c || exit 99
cp naps spinner
./spinner before-all &
spinner=$!
introperf record -o naps.data -- ./naps >said.txt 2>&1
kill "$spinner"
wait "$spinner" 2>/dev/null
introperf report --format jsonl --top 0 naps.data >naps.jsonl 2>errors.txt
is "after a timer, a sleeper waits for its CPU" "$(python3 - naps.jsonl <<'PYTHON'
import json, sys
rows = list(map(json.loads, open(sys.argv[1])))
frame = max((frame for row in rows if row["type"] == "path" for frame in row["frames"]
             if frame["function"] == "nap"), key=lambda frame: frame["total_ns"])
takers = rows[0]["cpu_takers"]
print(95e6 <= frame["blocked_ns"] <= 130e6, frame["runnable_ns"] > 40e6, takers[0]["process"],
      takers[0]["runnable_ns"] > 0.5 * rows[0]["suspect_runnable_ns"])
PYTHON
)" "True True spinner True"

# Pages of a file that are not in memory are waited for, if the directory is on a disk: a wait that a
# signal may end, and none for a CPU.
dd if=/dev/urandom of=cold bs=1M count=16 conv=fsync 2>log.txt
dd if=cold iflag=nocache count=0 2>log.txt
introperf record -o cold.data -- dd if=cold of=/dev/null bs=64k >said.txt 2>&1
perf script -i cold.data -F event,trace,ip,sym 2>log.txt | awk 'BEGIN { RS = "" }
	/sched_switch/ && /folio_wait_bit_common|folio_lock/ { print / 2 ==> / ? "waits" : "could go on" }' |
	sort | uniq -c >states.txt
if grep -q . states.txt; then
	is "a thread that waits for pages of a file could not go on" "$(grep 'could' states.txt)" ""
else
	skip "a thread that waits for pages of a file could not go on" "no page was waited for"
fi

# A program in a container, whose path leads to another program here: it is followed by its own tables,
# and keeps its names although nothing is left of the container. It goes on until its files were seen.
mkdir contained
for where in here contained; do
	cat >$where.c <<'END'
#include <unistd.h>
__attribute__((noinline)) int deepest(int n)
{
	volatile char room[ROOM];
	room[n] = 1;
	getpgid(0);
	return room[n];
}
__attribute__((noinline)) int middle(int n)
{
	volatile char room[2 * ROOM];
	room[n] = 1;
	return deepest(n) + room[n];
}
int main(void)
{
	int sum = 0;
	for (int i = 0; i < 100; i++) {
		sum += middle(i % ROOM);
		usleep(1000);
	}
	return sum == 0;
}
END
done
sed -i s/deepest/deepest_contained/g contained.c
${CC:-cc} -O1 -fomit-frame-pointer -DROOM=16 -o work here.c || exit 99
${CC:-cc} -O1 -fomit-frame-pointer -DROOM=48 -o contained/work contained.c || exit 99
if unshare -m true 2>log.txt; then
	introperf record -o contained.data -- unshare -m sh -c \
		"mount --bind '$PWD/contained/work' '$PWD/work' && ./work" >said.txt 2>&1
	is "a program in a container is recorded" $? 0
	is "each of its calls has its own functions" "$(perf script -i contained.data -F event,trace,ip,sym 2>log.txt |
		awk 'BEGIN { RS = "" } /sys_enter: NR 121 / && / deepest_contained\n.* middle\n.* main\n/' | grep -c 'sys_enter: NR 121')" 100
	like "report has them, too" "$(introperf report --by function --top 0 contained.data 2>errors.txt)" deepest_contained
	unlike "without a word about files" "$(cat errors.txt)" 'contained\.data: warning: .*/work'
else
	skip "a program in a container is recorded" "no mount namespaces here"
fi

# Everything: 2 000 pages are touched, in touch(), behind a thread that was made.
cat >faults.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#define BYTES (2000 * 4096)

static void *rest(void *argument)
{
	return argument;
}

__attribute__((noinline)) static void touch(volatile char *pages)
{
	for (int i = 0; i < BYTES; i += 4096) {
		pages[i] = 1;
	}
}

int main(void)
{
	char *pages = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_t thread;

	madvise(pages, BYTES, MADV_NOHUGEPAGE);
	pthread_create(&thread, NULL, rest, NULL);
	pthread_join(thread, NULL);
	touch(pages);
	return 0;
}
END
${CC:-cc} -O1 -g -fomit-frame-pointer -o faults faults.c -lpthread || exit 99
introperf record --bpf --full -o full.data -- ./faults >said.txt 2>&1
like "--full has page faults, too" "$(cat said.txt)" \
	'\(bpf: system calls, switches, wakeups, page faults and ticks of the command'
is "each page that was touched is one, with its stack" \
	"$(perf script -i full.data -F event,ip,sym 2>errors.txt | awk 'BEGIN { RS = "" } /page-faults/ && / touch/ && / main/' |
		grep -c page-faults)" 2000
ok "the recorder's own code has names" sh -c "perf script -i full.data -D 2>errors.txt |
	grep -q 'PERF_RECORD_KSYMBOL.* introperf_recorder_on_exit'"
is "and a new thread is seen to begin" \
	"$(perf script -i full.data -F event 2>errors.txt | grep -c sched_wakeup_new)" 1
like "its timer ticks four times as often" "$(perf evlist -v -i full.data)" 'cpu-clock.*sample_freq }: 250689,'
like "report knows what it has" "$(introperf report -v full.data 2>errors.txt | tr -s ' \n' ' ')" 'touch'

# What begins later, of a process that runs: its code is known once it waits at the gate. It goes on
# for longer than the tables of its files take.
mkfifo gate
./writes 4000 wait &
process=$!
# shellcheck disable=SC2317 # wait_until calls it
is_at_gate() {
	grep -q writes "/proc/$process/comm" && grep -q wait_for_partner "/proc/$process/wchan"
}
wait_until is_at_gate
"$program" record --bpf --overhead none -v -o later.data -p "$process" >said.txt 2>&1 &
recorder=$!
wait_until grep -q '(bpf:' said.txt
# It has begun when it waits for what comes.
waits() {
	grep -q poll "/proc/$1/wchan"
}
wait_until waits "$recorder"
echo >gate
wait "$process"
wait "$recorder"
is "the recording ends with the process" $? 0
like "it says that it takes what begins later" "$(cat said.txt)" 'these processes, their children, and threads that begin later'
stacks later.data >later.txt
# What was there before is known; of a program that has just begun stacks are copied.
like "stacks are remembered" "$(cat said.txt)" '[1-9][0-9]{2,} remembered'
like "those that are too deep are copied" "$(cat said.txt)" '[1-9][0-9]* copied that are deeper than 256 frames'
# kinds FILE: without how often each was there.
kinds() {
	sed 's/^ *[0-9]* //' "$1"
}
is "no write is missing" "$(awk '{ sum += $1 } END { print sum }' later.txt)" $((4000 * 26 / 5 + 2))
same "they are the same, whether walked, remembered or copied" <(kinds later.txt) <(kinds bpf.txt)
is "threads that begin later are recorded" "$(grep -c thread_way later.txt)" 1
is "and children" "$(grep -c 'inner main' later.txt)" 1

# Code without unwind tables: frame pointers lead on, where the unwinder would follow them as well.
mkdir unruled
cp late.so unruled
gcc -g -O2 -fno-omit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-optimize-sibling-calls \
	-o unruled/writes writes.c -ldl -pthread 2>log.txt
mkfifo unruled/gate
(cd unruled && exec ./writes 2000 wait) &
process=$!
wait_until is_at_gate
"$program" record --bpf --overhead none -v -o unruled.data -p "$process" >said.txt 2>&1 &
recorder=$!
wait_until waits "$recorder"
echo >unruled/gate
wait "$process"
wait "$recorder"
like "code without tables is followed by its frame pointers" "$(cat said.txt)" '[0-9]{4} remembered'
stacks unruled.data | sed -n 's/^ *2000 //p' >unruled.txt
sed -n 's/^ *200 //p' bpf.txt >wanted.txt
same "to the same stacks" unruled.txt wanted.txt

# Code that is made while the program runs, as by Node: one function calls, one computes. Both keep their
# frame pointers.
mkdir made
cat >made/writes.c <<'END'
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int out;
static volatile long sink;

__attribute__((noinline)) static void inner(void)
{
	sink += write(out, "m", 1);
}

int main(int argc, char **argv)
{
	/* push %rbp; mov %rsp, %rbp; call *%rdi; pop %rbp; ret */
	static const char calls[] = "\x55\x48\x89\xe5\xff\xd7\x5d\xc3";
	/* push %rbp; mov %rsp, %rbp; dec %rdi; jne back; pop %rbp; ret */
	static const char computes[] = "\x55\x48\x89\xe5\x48\xff\xcf\x75\xfb\x5d\xc3";
	char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int gate = open("gate", O_RDONLY);
	char byte;

	out = open("/dev/null", O_WRONLY);
	memcpy(code, calls, sizeof(calls));
	memcpy(code + 64, computes, sizeof(computes));
	sink += read(gate, &byte, 1);
	for (int i = 0; i < 2000; i++) {
		((void (*)(void (*)(void)))code)(inner);
		if (i % 10 == 0) {
			((void (*)(long))(code + 64))(2000000);
		}
	}
	return argc > 5 || !argv;
}
END
gcc -g -O2 -fno-omit-frame-pointer -o made/writes made/writes.c 2>log.txt
mkfifo made/gate
(cd made && exec ./writes) &
process=$!
wait_until is_at_gate
"$program" record --bpf --overhead none -v -o made.data -p "$process" >said.txt 2>&1 &
recorder=$!
wait_until waits "$recorder"
echo >made/gate
wait "$process"
wait "$recorder"
# The program waits when it is attached to: its tables are there before it goes on.
is "of code that is made, no stack is copied but at its end" \
	"$(awk '/ copied / { sub(/^ *\(/, ""); sum += $1 } END { print (sum < 5 ? "few" : sum) }' said.txt)" few
like "each leads through it" "$(stacks made.data)" '2000 +[^ ]*write inner \[unknown\] main '
ok "also where a tick finds it" test "$(perf script -i made.data -F event,ip,sym 2>perf.txt | awk '
	/cpu-clock/ { getline leaf; getline caller; sum += leaf ~ /\[unknown\]/ && caller ~ / main$/ } END { print sum }')" -gt 20

# Of code that no frame pointer leads through, 24 KB are copied each time: the ring is full when 2 700 calls were
# made since the recorder came round, which it does seldom after half a second with hardly an event.
cat >made/bursts.c <<'END'
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int out;
static volatile long sink;

__attribute__((noinline)) static void inner(void)
{
	sink += write(out, "m", 1);
}

int main(void)
{
	/* push %rbp; xor %ebp, %ebp; call *%rdi; pop %rbp; ret */
	static const char calls[] = "\x55\x31\xed\xff\xd7\x5d\xc3";
	char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char room[32768];

	out = open("/dev/null", O_WRONLY);
	memset(room, 1, sizeof(room));
	memcpy(code, calls, sizeof(calls));
	for (int burst = 0; burst < 10; burst++) {
		usleep(burst == 0 ? 700000 : 40000);
		for (int i = 0; i < 1500; i++) {
			((void (*)(void (*)(void)))code)(inner);
		}
	}
	return room[sink % (long)sizeof(room)] - 1;
}
END
gcc -O2 -fomit-frame-pointer -o made/bursts made/bursts.c 2>log.txt
"$program" record --bpf --overhead none -v -o bursts.data -- made/bursts >said.txt 2>&1
like "bursts of copies are taken before the ring is full" "$(cat said.txt)" ' 0 events lost'
ok "a copy was made for each call" test "$(awk '/ copied / { sub(/^ *\(/, ""); sum += $1 } END { print sum + 0 }' said.txt)" -ge 15000

# Threads whose functions keep frame pointers, each on a stack of its own: what was walked in one is remembered in all.
cat >made/alike.c <<'END'
#include <alloca.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int out;
static volatile long sink;

/* The depth of the stack is told by the frame pointer alone. */
__attribute__((noinline, noclone)) static void varying(int bytes)
{
	char *room = alloca(bytes);

	memset(room, 1, bytes);
	sink += write(out, "a", 1) + room[0];
}

static void *run(void *none)
{
	for (int i = 0; i < 20; i++) {
		varying(64);
	}
	return none;
}

int main(void)
{
	out = open("/dev/null", O_WRONLY);
	for (int i = 0; i < 5; i++) {
		pthread_t threads[40];

		for (int k = 0; k < 40; k++) {
			pthread_create(&threads[k], NULL, run, NULL);
		}
		for (int k = 0; k < 40; k++) {
			pthread_join(threads[k], NULL);
		}
	}
	return sink < 0;
}
END
gcc -O2 -pthread -o made/alike made/alike.c 2>log.txt
"$program" record --bpf --overhead none -v -F 10 -o alike.data -- made/alike >said.txt 2>&1
like "calls of all threads have the same stack" "$(stacks alike.data)" '4000 +[^ ]*write varying run start_thread'
ok "threads share what is remembered" test "$(sed -n 's/.* remembered, \([0-9]*\) walked in the kernel.*/\1/p' said.txt)" -lt 150

# Without system calls.
introperf record --bpf --light -o light.data -- ./writes 2000 >said.txt 2>&1
is "--light succeeds" $? 0
like "it says what is left out" "$(cat said.txt)" '\(bpf: switches and ticks of the command'
is "there are no system calls and wakeups in it" \
	"$(perf script -i light.data -F event 2>log.txt | grep -c 'sys_\|waking')" 0
ok "but switches" sh -c "perf script -i light.data -F event 2>log.txt | grep -q sched_switch"
like "report takes it as one without system calls" "$(introperf report light.data 2>&1)" \
	$'\n''light\.data .* complete'

# For a budget, system calls are watched in windows: of a program that makes as many as this machine makes in
# 15 s, for some twenty windows; a fast one makes 16 million in 5 s.
took_ms=$({ TIMEFORMAT=%3R && time dd if=/dev/zero of=/dev/null bs=1 count=500000 2>log.txt; } 2>&1 | tr -d .)
reads=$((15000 * 500000 / (10#$took_ms + 1)))
reads=$((reads < 16000000 ? reads : 16000000))
introperf record --bpf --overhead 5% -v -o budget.data -- \
	dd if=/dev/zero of=/dev/null bs=1 count="$reads" >said.txt 2>&1
is "record --bpf --overhead succeeds" $? 0
like "it says what it will watch" "$(cat said.txt)" \
	'\(bpf: switches, wakeups and ticks, and as many system calls as 5\.0.*% of the CPU time allow, of the command'
like "it says what it took, and for how much of the time it watched system calls" "$(cat said.txt)" \
	'\(took about [0-9.]+.% of (one CPU|the CPU time), asked for 5\.0.%: system calls for [0-9.]+.% of the time, in [0-9]+ windows?; switches, wakeups and ticks all the time\)'
like "and whose CPU time" "$(cat said.txt)" '\(CPU time: of [0-9.]+.m?s of the programs, .* for system calls and .* for all else; .* of other programs; .* in the recorder\)'
like "no event was lost" "$(cat said.txt)" ' 0 events lost'
perf script -i budget.data -F event,trace 2>log.txt | grep 'introperf:window' >windows.txt
is "the first window is watched for certain" "$(head -n 1 windows.txt | grep -c 'one_in=1 ')" 1
like "behind it system calls are not always watched" "$(cat windows.txt)" 'one_in=0 '
seen=$(perf script -i budget.data -F event 2>log.txt | grep -c sys_enter)
ok "a part of the calls is in it" test "$seen" -gt 100 -a "$seen" -lt $((reads * 7 / 16))
like "report does not call it complete" "$(introperf report budget.data 2>&1 | tr -s '\n ' ' ')" ' budget\.data .* system calls in windows'
like "and says what was watched" "$(introperf report budget.data 2>&1 | tr -s '\n ' ' ')" \
	'Watched: budget\.data has system calls for .*% of the time, in windows drawn by lot'
# With its limits: at least so often, and at most.
limits=$(introperf report --by function --format jsonl --top 0 budget.data 2>log.txt |
	sed -n 's/.*"function":"syscall:read".*"count":\([0-9]*\),.*"possible_count":\([0-9]*\),.*/\1 \2/p')
like "the number of calls has limits" "$limits" '^[0-9]+ [0-9]+$'
ok "between which it lies" test "${limits% *}" -le $((reads + 10)) -a "${limits#* }" -ge "$reads"
# Of a program that computes more than it calls little is taken, whatever others do meanwhile: their system
# calls are passed over.
cat >naps.c <<'END'
#include <unistd.h>

static volatile unsigned long sink;

int main(void)
{
	for (int i = 0; i < 2000; i++) {
		for (unsigned long j = 0; j < 1200000; j++) {
			sink += j;
		}
		usleep(1000);
	}
	return 0;
}
END
gcc -O2 -o naps naps.c
dd if=/dev/zero of=/dev/null bs=1 2>log.txt &
stranger=$!
introperf record --bpf --overhead 5% -v -o naps.data -- ./naps >said.txt 2>&1
kill "$stranger"
wait "$stranger" 2>>log.txt
taken=$(perf script -i naps.data -F event,trace 2>log.txt | sed -n 's/.*introperf:window.* taken_ppm=\([0-9]*\).*/\1/p' | tail -n 1)
like "calls of other programs are part of the budget" "$(cat said.txt)" ': system calls for [0-9.]+.% of the time, in [0-9]+ windows;'
ok "calls of other programs take nothing of this one's time" test "${taken:-1000000}" -lt 500000
complains "units of work are not between windows" 1 \
	"budget.data: system calls were watched in windows alone, between which nobody sees units of work begin and end: record with --overhead none" \
	units budget.data

# A window ends in time although the recorder stands still: the longest takes 0.16 s.
cat >still.py <<'END'
import os
import signal
import sys
import time

recorder = int(sys.argv[1])
for _ in range(6):
    os.kill(recorder, signal.SIGSTOP)
    while open("/proc/%d/stat" % recorder).read().rpartition(")")[2].split()[0] != "T":
        time.sleep(0.001)
    begin = time.clock_gettime(time.CLOCK_MONOTONIC)
    time.sleep(0.5)
    print("%.6f still %.6f" % (begin + 0.2, time.clock_gettime(time.CLOCK_MONOTONIC)))
    os.kill(recorder, signal.SIGCONT)
    time.sleep(0.3)
END
# A thousand system calls a second: windows soon follow each other without a gap.
mkfifo nothing
bash -c 'while [ -e nothing ]; do read -r -t 0.001 <>nothing; done' &
process=$!
"$program" record --bpf --overhead 90% -o still.data -p "$process" >said.txt 2>&1 &
recorder=$!
# shellcheck disable=SC2317 # wait_until calls it
has_seen_much() {
	[ "$(find still.data -size +200k 2>/dev/null)" ]
}
if python3 --version >log.txt 2>&1; then
	wait_until has_seen_much
	python3 still.py "$recorder" >stops.txt
	kill -TERM "$recorder"
	wait "$recorder"
	{
		cat stops.txt
		perf script -i still.data -F time,event 2>log.txt
	} | awk '$2 == "still" { begin[NR] = $1; end[NR] = $3 }
		/sys_enter/ { for (i in begin) { late += $1 + 0 >= begin[i] && $1 + 0 < end[i] }; seen++ }
		END { print length(begin), late + 0, seen + 0 }' >late.txt
	like "a window ends although the recorder stands still" "$(cat late.txt)" '^6 0 [1-9]'
else
	skip "a window ends although the recorder stands still" "no python3"
fi
kill "$process"

# Of a user.
if id nobody >log.txt 2>&1; then
	setpriv --reuid=nobody --clear-groups sh -c 'while :; do sleep 0.01; done' &
	process=$!
	# Only such processes are taken.
	has_run_for_a_while() {
		[ "$(ps -o etimes= -p "$process")" -ge 3 ]
	}
	wait_until has_run_for_a_while
	introperf record --bpf --overhead none -o user.data -u nobody -- sleep 0.5 >said.txt 2>&1
	is "-u succeeds" $? 0
	like "it says whose processes" "$(cat said.txt)" "of the user.s processes, their children, and threads that begin later"
	is "children that begin later are recorded" \
		"$(perf script -i user.data -F comm 2>log.txt | sort -u | grep -c '^ *sleep')" 1
	kill "$process"
fi

# However it ends.
sh -c 'while :; do sleep 0.01; done' &
process=$!
"$program" record --bpf --overhead none -q -o killed.data -p "$process" >log.txt 2>&1 &
recorder=$!
wait_until waits "$recorder"
has_records() {
	[ "$(stat -c %s killed.data)" -gt 30000 ]
}
wait_until has_records
kill -TERM "$recorder"
wait "$recorder"
is "a signal ends it, as one ends a recording" "$? $(cat log.txt)" "0 "
if command -v bpftool >/dev/null; then
	bpftool link show | grep -o '^[0-9]*' | sort >links.before
	"$program" record --bpf --overhead none -q -o killed.data -p "$process" >log.txt 2>&1 &
	recorder=$!
	wait_until waits "$recorder"
	bpftool link show | grep -o '^[0-9]*' | sort | comm -13 links.before - >links.own
	ok "its programs are attached" test "$(wc -l <links.own)" -ge 8
	wait_until has_records
	kill -KILL "$recorder"
	is_gone() {
		[ -z "$(bpftool link show | grep -o '^[0-9]*' | sort | comm -12 links.own -)" ]
	}
	wait_until is_gone
	is "nothing stays attached when it is killed" $? 0
	wait "$recorder" 2>log.txt
	introperf report --by function --idle ranked --format jsonl --top 0 killed.data >killed.jsonl 2>errors.txt
	ok "what it had written is read, system calls as well" grep -q '"function":"syscall:clock_nanosleep"' killed.jsonl
	like "and it is said where it ends" "$(cat errors.txt)" 'killed\.data'
else
	skip "nothing stays attached when it is killed" "no bpftool"
fi
kill "$process"
sleep 300 &
process=$!
introperf record -o attached.data -p "$process" -- sleep 0.2 >said.txt 2>&1
like "of what runs already little is taken, unless somebody says otherwise" "$(cat said.txt)" \
	'\(bpf: .*as many system calls as 5\.0.% of the CPU time allow, of these processes'
introperf record --overhead none -o attached.data -p "$process" -- sleep 0.2 >said.txt 2>&1
like "and then it is said what that may cost" "$(cat said.txt)" \
	'\(bpf: .* of these processes, .*; what does little but system calls needs up to 1\.7 times its CPU time meanwhile\)'
"$program" record --bpf --overhead none -q -o dead.data -p "$process" >log.txt 2>&1 &
recorder=$!
wait_until waits "$recorder"
kill -KILL "$process"
wait "$recorder"
# Whether a last stack of its is seen, while it dies, is up to the timer.
like "a target that dies ends it" "$? $(cat log.txt)" \
	'^(0 |1 introperf: dead\.data: no stacks were recorded: the target did nothing, or ended at once)$'

introperf record -o once.data -- sleep 0.2 >said.txt 2>&1
like "a call that was made once is told so" "$(introperf report once.data | tr -s '\n ' ' ')" \
	'^sleep sleeps in .*, which calls clock_nanosleep once: '
# What calls the sleep begins between two stacks, which are some time apart where it waits for a CPU.
like "and that little is left open of it" "$(introperf report -v once.data | tr -s '\n ' ' ')" \
	'That of [^ ]* in path 1 is (exact|really between (just that|[0-9]\.[0-9].% less) and (just that|[0-9]\.[0-9].% more)); it was called once or more\.'

# Sleeps again and again for 1.5 s, or makes other system calls.
cat >turns.c <<'END'
#include <time.h>
#include <unistd.h>

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	const double until_s = now_s() + 1.5;

	(void)argv;
	while (now_s() < until_s) {
		if (argc > 1) {
			usleep(1000);
		}
		for (int i = 0; argc == 1 && i < 1000; i++) {
			getppid();
		}
	}
	return 0;
}
END
${CC:-cc} -O1 -o turns turns.c || exit 99
# rounds FILE ARGUMENT…: records it, and prints how often records were taken: perf's FINISHED_ROUND.
rounds() {
	introperf record --bpf --overhead none -q -o "$1" -- ./turns "${@:2}" >log.txt 2>&1
	python3 -c '
import struct, sys
content = open(sys.argv[1], "rb").read()
place, size = struct.unpack_from("<QQ", content, 40)
end, rounds = place + size, 0
while place < end:
    kind, _, bytes_ = struct.unpack_from("<IHH", content, place)
    place, rounds = place + bytes_, rounds + (kind == 68)
print(rounds)' "$1"
}
count=$(rounds naps.data naps)
ok "a program that mostly waits is looked at seldom ($count times in 1.5 s)" test "$count" -ge 5 -a "$count" -le 40
count=$(rounds busy.data)
ok "one that makes many system calls, often ($count times)" test "$count" -ge 15
like "nothing is lost of either" "$(for file in naps busy; do
	introperf report --format jsonl "$file.data" 2>errors.txt | grep -o '"lost_events":[0-9]*' | sort -u
done | sort -u)" '^"lost_events":0$'

# What is refused.
complains "another way to follow stacks" 1 "--bpf and --dwarf: choose one" record --bpf --overhead none --dwarf -- true
complains "both" 1 "--bpf and --no-bpf: choose one" record --bpf --overhead none --no-bpf -- true
complains "threads" 1 "--bpf and -t: choose one" record --bpf --overhead none -t $$
complains "a process that is none" 1 "-p 4194305: no such process" record --bpf --overhead none -p 4194305
chmod a+rx .
setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all "$program" record --bpf --overhead none \
	-o /dev/shm/x.data -- true >output.txt 2>errors.txt
is "who may not" "$? $(grep -v '(bpf:' errors.txt)" \
	"1 introperf: --bpf: the recorder's programs cannot be loaded: the kernel does not allow it: run as root, or with the capabilities CAP_BPF and CAP_PERFMON"
setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all "$program" record \
	-o /dev/shm/x.data -- true >output.txt 2>errors.txt
like "perf records for who may not, or refuses, too" "$(cat errors.txt)" \
	"\(perf, which costs more: the recorder's programs cannot be loaded: the kernel does not allow it: run as root, "
rm -f /dev/shm/x.data
mkdir small
if mount -t tmpfs -o size=1m none small 2>/dev/null; then
	head -c 1000000 /dev/zero >small/rest
	introperf record --bpf --overhead none -q -o small/x.data -- ./writes 20000 >output.txt 2>errors.txt
	is "a full disk" "$? $(cat errors.txt)" \
		"1 introperf: small/x.data: the disk is full; what was recorded is removed: make room, or record less (--light, --fp)"
	is "nothing is left on it" "$(ls small)" "rest"
	umount small
else
	skip "a full disk" "this user may not mount one"
fi

done_testing

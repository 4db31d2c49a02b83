/* SPDX-License-Identifier: MIT */
/*
 * A program whose stacks are hard to unwind, to be recorded with `perf record --call-graph dwarf`:
 * threads blocked in read, pwrite, nanosleep, futex, poll and epoll_wait behind a few calls, signal
 * handlers on the thread's own and on another stack, busy procedure linkage stubs, exceptions,
 * alloca and aligned frames, vdso calls, deep recursion, and a small copy of a server's filter
 * chain whose one filter sleeps through libc.
 *
 *   unwind-program [MILLISECONDS]
 *
 * ends when it has used so much time on CPUs and each thread has had its turns, so that a busy
 * machine takes no fewer stacks of it.
 */
#include <alloca.h>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))
/* Keeps the compiler from turning the last call into a jump. */
#define HERE() asm volatile("" ::: "memory")

namespace
{

volatile sig_atomic_t signals;
volatile std::uint64_t sink;
std::atomic<bool> over;

std::int64_t now_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* Whether a thread goes on that has had so many turns: on a busy machine the others may have had
 * all the time until the end. */
bool goes_on(int turns)
{
	return !over || turns < 200;
}

/* The same of a thread that only computes: it may have had no time. */
bool computes_on()
{
	return !over || now_ns(CLOCK_THREAD_CPUTIME_ID) < 400 * INT64_C(1000000);
}

void sleep_ns(long ns)
{
	const struct timespec time = { 0, ns };

	nanosleep(&time, nullptr);
	HERE();
}

/* The filter chain: what sleeps is not what libc is called from by the loop. */
NOINLINE void gzip_filter(int level)
{
	sleep_ns(level * 100000L);
	sink = sink + static_cast<std::uint64_t>(level);
}

NOINLINE void header_filter(int level)
{
	gzip_filter(level);
	HERE();
}

NOINLINE void handle_request(int level)
{
	header_filter(level);
	HERE();
}

NOINLINE void serve()
{
	for (int i = 0; goes_on(i); i++) {
		handle_request(1 + i % 3);
	}
}

NOINLINE void block_in_read(int fd)
{
	char byte;

	while (read(fd, &byte, 1) == 1) {
		HERE();
	}
}

NOINLINE void block_in_poll(int fd)
{
	struct pollfd descriptor = { fd, POLLPRI, 0 };

	for (int i = 0; goes_on(i); i++) {
		poll(&descriptor, 1, 1);
	}
}

NOINLINE void block_in_epoll(int fd)
{
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event event = {};

	epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
	event.events = EPOLLPRI;
	epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &event);
	for (int i = 0; goes_on(i); i++) {
		epoll_wait(epoll, &event, 1, 1);
	}
	close(epoll);
}

NOINLINE void block_in_futex()
{
	static std::uint32_t word;
	const struct timespec time = { 0, 700000 };

	for (int i = 0; goes_on(i); i++) {
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &time, nullptr, 0);
	}
}

NOINLINE void contend(std::timed_mutex &mutex)
{
	for (int i = 0; goes_on(i); i++) {
		if (mutex.try_lock_for(std::chrono::microseconds(300))) {
			sleep_ns(200000);
			mutex.unlock();
		}
	}
}

NOINLINE void write_file()
{
	/* Each write waits until the disk has it, where there is one. */
	int file = open(P_tmpdir, O_TMPFILE | O_RDWR | O_DSYNC | O_CLOEXEC, 0600);
	std::vector<char> block(4096, 'x');

	for (int i = 0; file >= 0 && goes_on(i); i++) {
		if (pwrite(file, block.data(), block.size(), off_t(i % 64) * 4096) < 0) {
			break;
		}
	}
	close(file);
}

NOINLINE int thrower(int depth)
{
	const std::string text = "level " + std::to_string(depth);

	if (depth == 0) {
		throw std::runtime_error(text);
	}
	return thrower(depth - 1) + static_cast<int>(text.size());
}

NOINLINE void catch_exceptions()
{
	while (computes_on()) {
		for (int i = 0; i < 50; i++) {
			try {
				sink = sink + static_cast<std::uint64_t>(thrower(i % 12));
			} catch (const std::exception &error) {
				sink = sink + std::strlen(error.what());
			}
		}
	}
}

/* Time spent in the linkage stubs and the short functions behind them. */
NOINLINE void call_stubs()
{
	/* The timer has to hit a stub. */
	const std::int64_t cpu_ns = 3000 * INT64_C(1000000);
	char text[64] = "procedure linkage table";
	long page_bytes = 0;

	while (!over || now_ns(CLOCK_THREAD_CPUTIME_ID) < cpu_ns) {
		for (int i = 0; i < 2000; i++) {
			HERE();
			/* Short, so that the timer often hits the stub. */
			for (int j = 0; j < 200; j++) {
				page_bytes += getpagesize();
			}
			sink = sink + static_cast<std::uint64_t>(page_bytes);
			sink = sink + static_cast<std::uint64_t>(std::abs(i)) + strnlen(text, 64);
			sink = sink + static_cast<std::uint64_t>(rand());
		}
	}
}

NOINLINE void read_clock()
{
	while (computes_on()) {
		for (int i = 0; i < 5000; i++) {
			struct timeval time;

			gettimeofday(&time, nullptr);
			sink = sink + static_cast<std::uint64_t>(now_ns(CLOCK_MONOTONIC));
		}
	}
}

/* A frame that can only be found through its frame pointer, or an expression. */
NOINLINE void use_alloca(std::size_t size)
{
	alignas(64) char aligned[128];
	char *memory = static_cast<char *>(alloca(size));

	std::memset(memory, 1, size);
	std::memset(aligned, 2, sizeof(aligned));
	asm volatile("" : : "r"(memory), "r"(aligned) : "memory");
	sleep_ns(50000);
}

NOINLINE void vary_frames()
{
	for (int i = 0; goes_on(i); i++) {
		use_alloca(16 + static_cast<std::size_t>(i) % 50 * 32);
	}
}

NOINLINE int recurse(int depth)
{
	volatile int here = depth;

	if (depth == 0) {
		sleep_ns(100000);
		return 0;
	}
	return recurse(depth - 1) + here;
}

NOINLINE void dive()
{
	for (int i = 0; goes_on(i); i++) {
		sink = sink + static_cast<std::uint64_t>(recurse(10 << i % 6));
	}
}

NOINLINE void in_handler()
{
	for (volatile int i = 0; i < 20000; i = i + 1) {
	}
	getppid();
	HERE();
}

extern "C" void on_signal(int)
{
	int saved = errno;

	signals = signals + 1;
	in_handler();
	errno = saved;
}

extern "C" void on_other_stack(int)
{
	on_signal(0);
	HERE();
}

NOINLINE void busy_with_signals()
{
	const pthread_t self = pthread_self();

	for (int turn = 0; goes_on(turn); turn++) {
		for (volatile int i = 0; i < 10000; i = i + 1) {
		}
		pthread_kill(self, SIGUSR1);
		pthread_kill(self, SIGUSR2);
	}
}

void with_other_stack()
{
	std::vector<char> memory(65536);
	stack_t stack = {};

	stack.ss_sp = memory.data();
	stack.ss_size = memory.size();
	sigaltstack(&stack, nullptr);
	busy_with_signals();
	stack.ss_flags = SS_DISABLE;
	sigaltstack(&stack, nullptr);
}

void set_handlers()
{
	struct sigaction action = {};

	action.sa_handler = on_signal;
	action.sa_flags = SA_RESTART;
	sigaction(SIGUSR1, &action, nullptr);
	action.sa_handler = on_other_stack;
	action.sa_flags = SA_RESTART | SA_ONSTACK;
	sigaction(SIGUSR2, &action, nullptr);
}

} // namespace

int main(int argc, char **argv)
{
	const std::int64_t cpu_ns = (argc > 1 ? std::atoi(argv[1]) : 1000) * INT64_C(1000000);
	std::timed_mutex mutex;
	std::vector<std::thread> threads;
	int ends[2];

	set_handlers();
	if (pipe2(ends, O_CLOEXEC) != 0) {
		return 1;
	}
	threads.emplace_back(block_in_read, ends[0]);
	threads.emplace_back(block_in_poll, ends[0]);
	threads.emplace_back(block_in_epoll, ends[0]);
	threads.emplace_back(block_in_futex);
	threads.emplace_back(contend, std::ref(mutex));
	threads.emplace_back(contend, std::ref(mutex));
	threads.emplace_back(write_file);
	threads.emplace_back(catch_exceptions);
	threads.emplace_back(call_stubs);
	threads.emplace_back(read_clock);
	threads.emplace_back(vary_frames);
	threads.emplace_back(dive);
	threads.emplace_back(with_other_stack);
	threads.emplace_back(serve);
	for (int i = 0; now_ns(CLOCK_PROCESS_CPUTIME_ID) < cpu_ns || i < 600; i++) {
		if (write(ends[1], "x", 1) != 1) {
			return 1;
		}
		sleep_ns(1000000);
	}
	over = true;
	close(ends[1]);
	for (std::thread &thread : threads) {
		thread.join();
	}
	std::printf("%d signals\n", static_cast<int>(signals));
	return 0;
}

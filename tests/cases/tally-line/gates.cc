/* SPDX-License-Identifier: MIT */
// gates BYTES: from one gate's counters to the next one's
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

struct Counters {
	std::atomic<long> sold[4]; // read by a display, at any time
};

static void *counters;
static size_t distance;

static Counters &counters_of(int gate) {
	return *reinterpret_cast<Counters *>(static_cast<char *>(counters) + gate * distance);
}

__attribute__((noinline)) void read_tickets(std::vector<uint8_t> &kinds, uint64_t &state) {
	uint64_t digest = 0;
	for (auto &kind : kinds) {
		if (digest == 0) {
			state ^= state << 13;
			state ^= state >> 7;
			state ^= state << 17;
			digest = state;
		}
		kind = digest & 3;
		digest >>= 2;
	}
}

__attribute__((noinline)) void count_tickets(Counters &mine, const std::vector<uint8_t> &kinds) {
	for (auto kind : kinds)
		mine.sold[kind].fetch_add(1, std::memory_order_relaxed);
}

static void work(int gate) {
	std::vector<uint8_t> kinds(5000);
	uint64_t state = 88172645463325252u + gate;
	for (int batch = 0; batch < 20000; batch++) {
		read_tickets(kinds, state);
		count_tickets(counters_of(gate), kinds);
	}
}

int main(int, char **argv) {
	distance = atoi(argv[1]);
	counters = aligned_alloc(4096, 4096);
	for (int gate = 0; gate < 2; gate++)
		new (&counters_of(gate)) Counters();
	std::thread first(work, 0), second(work, 1);
	first.join();
	second.join();
	for (int gate = 0; gate < 2; gate++)
		printf("gate %d: %ld\n", gate, counters_of(gate).sold[0].load());
}

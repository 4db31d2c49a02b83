// SPDX-License-Identifier: MIT
//
// store FD FD FD FD: answers on the first two of these sockets what is asked of it, and prints on the
// others what is to be printed; a thread for each.
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <vector>

__attribute__((noinline)) static uint64_t look_up(uint64_t key)
{
	for (int i = 0; i < 300000; i++)
		key = (key ^ (key >> 29)) * 0xbf58476d1ce4e5b9 + i;
	return key;
}

static void serve(int fd)
{
	uint64_t key;

	while (read(fd, &key, sizeof(key)) == sizeof(key)) {
		key = look_up(key);
		if (write(fd, &key, sizeof(key)) != sizeof(key))
			return;
	}
}

// A page takes its time. What was printed is acknowledged.
static void print(int fd)
{
	uint64_t size;
	char page[4096];

	while (read(fd, &size, sizeof(size)) == sizeof(size)) {
		for (uint64_t left = size; left > 0;) {
			ssize_t got = read(fd, page, left < sizeof(page) ? left : sizeof(page));
			if (got <= 0)
				return;
			left -= got;
			std::this_thread::sleep_for(std::chrono::milliseconds(5));
		}
		if (write(fd, &size, sizeof(size)) != sizeof(size))
			return;
	}
}

int main(int count, char **arguments)
{
	std::vector<std::thread> threads;

	for (int i = 1; i < count; i++)
		threads.emplace_back(i <= 2 ? serve : print, std::atoi(arguments[i]));
	for (auto &thread : threads)
		thread.join();
}

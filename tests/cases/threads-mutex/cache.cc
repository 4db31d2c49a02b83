// SPDX-License-Identifier: MIT
//
// cache SHARDS: four threads look words up in a cache of rendered pages, which has one lock for
// each of its shards. A page that is missing is read from a file and rendered under the lock.

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include <time.h>

static void read_slowly(const std::string &name, std::string &page)
{
	const timespec disk = {0, 1000000};
	nanosleep(&disk, nullptr);
	for (int i = 0; i < 200; i++)
		page += name + ";" + std::to_string(i);
}

class Cache {
public:
	explicit Cache(size_t shards) : shards_(shards) {}
	size_t find(const std::string &name);

private:
	struct Shard {
		std::mutex lock;
		std::unordered_map<std::string, std::string> pages;
	};
	std::vector<Shard> shards_;
};

__attribute__((noinline)) size_t Cache::find(const std::string &name)
{
	Shard &shard = shards_[std::hash<std::string>()(name) % shards_.size()];
	std::lock_guard<std::mutex> guard(shard.lock);
	auto [entry, is_new] = shard.pages.try_emplace(name);
	if (is_new)
		read_slowly(name, entry->second);
	return entry->second.size();
}

static void serve(Cache &cache, unsigned thread, size_t &bytes)
{
	for (unsigned i = 0; i < 1200; i++) {
		const unsigned page = i % 3 == 0 ? thread * 1000 + i : i % 7;
		bytes += cache.find("page " + std::to_string(page));
	}
}

int main(int, char **argv)
{
	Cache cache(std::strtoul(argv[1], nullptr, 10));
	std::vector<std::thread> threads;
	size_t bytes[4] = {};

	for (unsigned i = 0; i < 4; i++)
		threads.emplace_back(serve, std::ref(cache), i, std::ref(bytes[i]));
	for (auto &thread : threads)
		thread.join();
	std::printf("%zu bytes\n", bytes[0] + bytes[1] + bytes[2] + bytes[3]);
}

// SPDX-License-Identifier: MIT
//
// shop STORE early|late: three desks take 900 orders each, while two threads make twelve statements
// each, with a pause after each. Statements give their connection back early or late.
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

class pool {
public:
	explicit pool(const char *store);
	~pool();
	int take();
	void give_back(int fd);

private:
	std::mutex lock;
	std::condition_variable given_back;
	std::vector<int> idle, all;
	pid_t child;

public:
	int printers[2];
};

class lease {
public:
	explicit lease(pool &of) : from(of), fd(of.take()) {}
	~lease() { from.give_back(fd); }
	lease(const lease &) = delete;
	uint64_t ask(uint64_t key);

private:
	pool &from;
	int fd;
};

pool::pool(const char *store)
{
	std::vector<int> theirs;

	for (int i = 0; i < 4; i++) {
		int pair[2];
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
			throw std::runtime_error("socketpair");
		all.push_back(pair[0]);
		if (i < 2)
			idle.push_back(pair[0]);
		else
			printers[i - 2] = pair[0];
		theirs.push_back(pair[1]);
	}
	child = fork();
	if (child == 0) {
		for (int fd : all)
			close(fd);
		std::string names[4];
		for (int i = 0; i < 4; i++)
			names[i] = std::to_string(theirs[i]);
		execl(store, "store", names[0].c_str(), names[1].c_str(), names[2].c_str(),
		      names[3].c_str(), nullptr);
		_exit(1);
	}
	for (int fd : theirs)
		close(fd);
}

pool::~pool()
{
	for (int fd : all)
		close(fd);
	waitpid(child, nullptr, 0);
}

__attribute__((noinline)) int pool::take()
{
	std::unique_lock<std::mutex> locked(lock);

	given_back.wait(locked, [this] { return !idle.empty(); });
	int fd = idle.back();
	idle.pop_back();
	return fd;
}

__attribute__((noinline)) void pool::give_back(int fd)
{
	{
		std::lock_guard<std::mutex> locked(lock);
		idle.push_back(fd);
	}
	given_back.notify_one();
}

__attribute__((noinline)) uint64_t lease::ask(uint64_t key)
{
	if (write(fd, &key, sizeof(key)) != sizeof(key) || read(fd, &key, sizeof(key)) != sizeof(key))
		throw std::runtime_error("no store");
	return key;
}

__attribute__((noinline)) static std::string lay_out(const std::vector<uint64_t> &sums)
{
	std::string text;

	for (int day = 0; day < 2000; day++) {
		char line[80];
		std::snprintf(line, sizeof(line), "day %5d %20llu %8.2f\n", day,
			      static_cast<unsigned long long>(sums[day % sums.size()]), day / 7.0);
		text += line;
	}
	return text;
}

__attribute__((noinline)) static uint64_t print(int printer, const std::string &text)
{
	uint64_t size = text.size();

	if (write(printer, &size, sizeof(size)) != sizeof(size) ||
	    write(printer, text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
	    read(printer, &size, sizeof(size)) != sizeof(size))
		throw std::runtime_error("no printer");
	return size;
}

__attribute__((noinline)) static uint64_t monthly_statement(pool &connections, int month, bool early)
{
	std::optional<lease> connection(connections);
	std::vector<uint64_t> sums;

	for (int week = 0; week < 5; week++)
		sums.push_back(connection->ask(month * 5 + week));
	if (early)
		connection.reset();
	return print(connections.printers[month % 2], lay_out(sums));
}

__attribute__((noinline)) static uint64_t take_order(pool &connections, uint64_t number)
{
	uint64_t stock;
	{
		lease connection(connections);
		stock = connection.ask(number);
	}
	for (int i = 0; i < 60000; i++)
		stock = (stock ^ (stock >> 31)) * 0x94d049bb133111eb + number;
	return stock;
}

int main(int, char **arguments)
{
	using namespace std::chrono_literals;
	bool early = !std::strcmp(arguments[2], "early");
	pool connections(arguments[1]);
	std::atomic<uint64_t> sum{0}, size{0};
	std::vector<std::thread> desks, offices;

	for (int desk = 0; desk < 3; desk++)
		desks.emplace_back([&, desk] {
			for (int order = 0; order < 900; order++)
				sum += take_order(connections, desk * 1000 + order);
		});
	for (int office = 0; office < 2; office++)
		offices.emplace_back([&, office] {
			for (int month = office; month < 24; month += 2) {
				size += monthly_statement(connections, month, early);
				std::this_thread::sleep_for(20ms);
			}
		});
	for (auto &desk : desks)
		desk.join();
	for (auto &office : offices)
		office.join();
	std::printf("%llu, %llu bytes of statements\n", static_cast<unsigned long long>(sum),
		    static_cast<unsigned long long>(size));
}

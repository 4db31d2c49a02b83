// SPDX-License-Identifier: MIT
//
// mxcheck NAMESERVERS DOMAINS: where the mail for each domain of a file goes to.
#include <ares.h>
#include <arpa/nameser.h>
#include <poll.h>
#include <sys/select.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>

class resolver {
public:
	explicit resolver(const char *servers);
	~resolver() { ares_destroy(channel); }
	std::string mail_host(const std::string &domain);

private:
	ares_channel channel;
};

struct reply {
	bool done = false;
	int status = 0;
	std::string host;
};

resolver::resolver(const char *servers)
{
	ares_options options = {};

	options.timeout = 100;
	options.tries = 3;
	options.lookups = const_cast<char *>("b");
	if (ares_init_options(&channel, &options,
			ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_LOOKUPS) ||
	    ares_set_servers_ports_csv(channel, servers))
		throw std::runtime_error("no resolver");
}

static void answered(void *argument, int status, int, unsigned char *answer, int size)
{
	reply &to = *static_cast<reply *>(argument);
	ares_mx_reply *mx = nullptr;

	to.done = true;
	to.status = status ? status : ares_parse_mx_reply(answer, size, &mx);
	if (to.status)
		return;
	to.host = mx->host;
	ares_free_data(mx);
}

__attribute__((noinline)) std::string resolver::mail_host(const std::string &domain)
{
	reply to;

	ares_query(channel, domain.c_str(), ns_c_in, ns_t_mx, answered, &to);
	while (!to.done) {
		fd_set readers, writers;
		timeval most = {1, 0}, left;
		FD_ZERO(&readers);
		FD_ZERO(&writers);
		int count = ares_fds(channel, &readers, &writers);
		select(count, &readers, &writers, nullptr, ares_timeout(channel, &most, &left));
		ares_process(channel, &readers, &writers);
	}
	if (to.status)
		throw std::runtime_error(domain + ": " + ares_strerror(to.status));
	return to.host;
}

// How well the domain's name fits those of the others; the work that is done besides.
__attribute__((noinline)) static unsigned long resemblance(const std::string &one,
							   const std::string &other)
{
	unsigned long sum = 0;

	for (int round = 0; round < 2500; round++)
		for (size_t i = 0; i < one.size(); i++)
			for (size_t j = 0; j < other.size(); j++)
				sum += (one[i] == other[j] ? sum >> 3 : 1) + round;
	return sum;
}

int main(int, char **arguments)
{
	ares_library_init(ARES_LIB_INIT_ALL);
	std::map<std::string, std::string> hosts;
	{
		resolver resolve(arguments[1]);
		std::ifstream domains(arguments[2]);
		std::string domain;
		unsigned long sum = 0;
		while (domains >> domain) {
			hosts[domain] = resolve.mail_host(domain);
			for (const auto &other : hosts)
				sum += resemblance(domain, other.first);
		}
		std::printf("%zu domains, %lu\n", hosts.size(), sum);
	}
	for (const auto &[domain, host] : hosts)
		std::printf("%s: %s\n", domain.c_str(), host.c_str());
	ares_library_cleanup();
}

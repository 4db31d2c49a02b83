/* SPDX-License-Identifier: MIT */
/* cardd SOCKET: says of each number of a card that it is asked for whether it can be one. */

#include <cstdlib>
#include <poll.h>
#include <regex>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <vector>

static const char pattern[] =
	"(4[0-9]{12}([0-9]{3})?|5[1-5][0-9]{14}|3[47][0-9]{13}|6011[0-9]{12})";

static bool has_check_digit(const std::string &number)
{
	unsigned sum = 0;

	for (size_t i = 0; i < number.size(); i++) {
		unsigned digit = number[number.size() - 1 - i] - '0';

		sum += i % 2 == 0 ? digit : digit * 2 / 10 + digit * 2 % 10;
	}
	return sum % 10 == 0;
}

__attribute__((noinline)) static bool check_number(const std::string &number)
{
#ifdef MADE_EACH_TIME
	const std::regex valid(pattern);
#else
	static const std::regex valid(pattern);
#endif

	return std::regex_match(number, valid) && has_check_digit(number);
}

/* False when the client has gone. */
static bool answer(int client)
{
	char question[64];
	ssize_t length = recv(client, question, sizeof(question), 0);

	if (length <= 0) {
		return false;
	}
	const char reply = check_number(std::string(question, length)) ? 'y' : 'n';
	return send(client, &reply, 1, MSG_NOSIGNAL) == 1;
}

int main(int argc, char **argv)
{
	sockaddr_un address = {};
	std::vector<pollfd> sockets;

	if (argc != 2) {
		return 2;
	}
	address.sun_family = AF_UNIX;
	std::string(argv[1]).copy(address.sun_path, sizeof(address.sun_path) - 1);
	sockets.push_back({ socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), POLLIN, 0 });
	if (bind(sockets[0].fd, reinterpret_cast<sockaddr *>(&address), sizeof(address)) != 0 ||
	    listen(sockets[0].fd, 8) != 0) {
		return 1;
	}
	while (poll(sockets.data(), sockets.size(), -1) > 0) {
		if (sockets[0].revents & POLLIN) {
			sockets.push_back({ accept(sockets[0].fd, nullptr, nullptr), POLLIN, 0 });
		}
		for (size_t i = sockets.size() - 1; i > 0; i--) {
			if (sockets[i].revents != 0 && !answer(sockets[i].fd)) {
				close(sockets[i].fd);
				sockets.erase(sockets.begin() + static_cast<long>(i));
			}
		}
	}
	return 1;
}

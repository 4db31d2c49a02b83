/* SPDX-License-Identifier: MIT */
/* shop SOCKET NUMBER: a shop with this number has cards checked, and writes a bill for each. */

#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static std::string card(unsigned long number, bool good)
{
	std::string digits =
		"4" + std::to_string(10000000000000UL + number * 7919 % 9999999999991UL);

	for (char last = '0'; last <= '9'; last++) {
		unsigned sum = 0;

		for (size_t i = 0; i < 16; i++) {
			unsigned digit = (i == 0 ? last : digits[15 - i]) - '0';

			sum += i % 2 == 0 ? digit : digit * 2 / 10 + digit * 2 % 10;
		}
		if ((sum % 10 == 0) == good) {
			return digits + last;
		}
	}
	return digits + "0";
}

__attribute__((noinline)) static unsigned write_bill(unsigned long number)
{
	unsigned sum = 0;

	for (unsigned line = 0; line < 260; line++) {
		char text[64];
		int length = snprintf(text, sizeof(text), "%lu;%u;%.2f\n", number, line,
				      line * 31 % 977 / 100.0);

		for (int i = 0; i < length; i++) {
			sum = (sum * 31 + static_cast<unsigned char>(text[i])) % 65521;
		}
	}
	return sum;
}

int main(int argc, char **argv)
{
	sockaddr_un address = {};
	unsigned good = 0;
	unsigned bills = 0;

	if (argc != 3) {
		return 2;
	}
	int service = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	address.sun_family = AF_UNIX;
	std::string(argv[1]).copy(address.sun_path, sizeof(address.sun_path) - 1);
	if (connect(service, reinterpret_cast<sockaddr *>(&address), sizeof(address)) != 0) {
		return 1;
	}
	for (unsigned i = 0; i < 9000; i++) {
		const std::string number = card(i * strtoul(argv[2], nullptr, 10), i % 2 == 0);
		char reply;

		if (send(service, number.data(), number.size(), 0) < 0 ||
		    recv(service, &reply, 1, 0) != 1) {
			return 1;
		}
		good += reply == 'y';
		bills = (bills + write_bill(i)) % 65521;
	}
	printf("9000 cards, %u good, %u\n", good, bills);
	return 0;
}

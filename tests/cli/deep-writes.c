/* SPDX-License-Identifier: MIT */
/*
 * Writes 4321 bytes twenty times, with more on the stack than is copied of one: who has called is
 * not seen. Stacks seen whole before, from main(), make sure that those are not believed at first.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void write_deep(int file)
{
	char text[1 << 17];

	memset(text, 'x', sizeof(text));
	if (write(file, text, 4321) != 4321) {
		_exit(1);
	}
}

int main(void)
{
	const int file = open("/dev/null", O_WRONLY);

	for (int i = 0; i < 20; i++) {
		getppid();
	}
	for (int i = 0; i < 20; i++) {
		write_deep(file);
	}
	return 0;
}

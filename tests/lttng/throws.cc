// SPDX-License-Identifier: MIT
//
// A program whose calls are known, for test-ust-processes.sh, built with -finstrument-functions:
// three times, outer() calls through_c(), which calls thrower(), which throws over both to main(),
// which calls handle().

extern "C" void through_c(void (*function)());

static void thrower()
{
	throw 1;
}

static void outer()
{
	through_c(thrower);
}

static void handle()
{
}

int main()
{
	for (int i = 0; i < 3; i++) {
		try {
			outer();
		} catch (int) {
			handle();
		}
	}
	return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * A program that makes more calls than small buffers can hold, for test-ust-processes.sh, built
 * with -finstrument-functions: main() calls tick() 200000 times.
 */
#define CALLS 200000

static void tick(void)
{
}

int main(void)
{
	for (int i = 0; i < CALLS; i++) {
		tick();
	}
	return 0;
}

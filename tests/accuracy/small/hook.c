/* SPDX-License-Identifier: MIT */
/*
 * What the tracer's hooks cost: calls of a function that does nothing, one behind the other. The
 * time in a call, as it is traced, is that of hooks, and so is the time between two of them.
 */
#define CALLS 200000

__attribute__((noinline)) static void nothing(void)
{
	__asm__ volatile("");
}

int main(void)
{
	for (int call = 0; call < CALLS; call++) {
		nothing();
	}
	return 0;
}

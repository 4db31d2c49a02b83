/* SPDX-License-Identifier: MIT */
/*
 * A program with time in functions that compilers put into their callers: of ten parts of it, six
 * are shop::Cache::look_up()'s, three shop::Pricer::price()'s and one shop::audit()'s, which stays
 * a function. Each part is the same loop, so that it takes as long on every CPU. LOOK_UP marks the
 * dearest line.
 */
#include <stdlib.h>
#include <time.h>

static volatile unsigned long sink;

namespace shop
{
__attribute__((noinline)) void audit(unsigned long rounds)
{
	for (unsigned long i = 0; i < rounds; i++) {
		sink = sink / 7 + i;
	}
}

class Cache
{
      public:
	inline unsigned long look_up(unsigned long rounds)
	{
		for (unsigned long i = 0; i < rounds; i++) {
			sink = sink / 7 + i; /* LOOK_UP */
		}
		return sink;
	}
};

class Pricer
{
	Cache cache;

      public:
	inline unsigned long price(unsigned long rounds)
	{
		unsigned long sum = cache.look_up(6 * rounds);

		for (unsigned long i = 0; i < 3 * rounds; i++) {
			sink = sink / 7 + i;
		}
		audit(rounds);
		return sum;
	}
};
} // namespace shop

int main(int argc, char **argv)
{
	const struct timespec nap = { 0, 1000000 };
	shop::Pricer pricer;

	for (int i = 0; i < (argc > 1 ? atoi(argv[1]) : 240); i++) {
		sink = pricer.price(100000);
		nanosleep(&nap, NULL);
	}
	return 0;
}

// SPDX-License-Identifier: MIT
//
// Exceptions of two types through two frames with destructors, caught, and thrown again from where
// they were caught. For tests/flow/steps; compiled with -O2.
#include <cstdio>
#include <stdexcept>
#include <string>

namespace {

struct guard {
	int &depth;
	explicit guard(int &counted) : depth(counted)
	{
		++depth;
	}
	~guard()
	{
		--depth;
	}
};

__attribute__((noinline)) int risky(int i)
{
	if (i % 3 == 0) {
		throw std::runtime_error("three");
	}
	if (i % 5 == 0) {
		throw i;
	}
	return i * 2;
}

__attribute__((noinline)) int middle(int i, int &depth)
{
	guard counted(depth);
	std::string text(40, 'x');

	return risky(i) + static_cast<int>(text.size());
}

__attribute__((noinline)) int outer(int count)
{
	int depth = 0;
	int total = 0;

	for (int i = 0; i < count; i++) {
		try {
			total += middle(i, depth);
		} catch (const std::runtime_error &error) {
			total -= static_cast<int>(std::string(error.what()).size());
			try {
				total += middle(i + 2, depth);
			} catch (int number) {
				total += number;
			}
		} catch (int number) {
			total += number;
		}
	}
	return total + depth;
}

} // namespace

int main()
{
	int total = 0;

	for (int i = 0; i < 15; i++) {
		total += outer(8);
	}
	std::printf("%d\n", total);
	return 0;
}

// SPDX-License-Identifier: MIT
#include <algorithm>

#include "ratios.h"

size_t irreducible()
{
	size_t count = 0;

	for (const Row &row : divisors)
		count += std::count(row.begin(), row.end(), 1u);
	return count;
}

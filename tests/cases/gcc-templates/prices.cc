// SPDX-License-Identifier: MIT
#include <iostream>

#include "ratios.h"

size_t irreducible();

int main()
{
	std::cout << divisors.size() << " rows\n" << irreducible() << " cannot be reduced\n";
}

/* SPDX-License-Identifier: MIT */
/*
 * The greatest common divisors of all pairs of numbers below 240, made when the program starts.
 */

#include <array>
#include <utility>

typedef std::array<unsigned, 240> Row;
typedef std::array<Row, 240> Table;

inline unsigned divisor(unsigned a, unsigned b)
{
	return b == 0 ? a : divisor(b, a % b);
}

inline Table make_table()
{
	Table table;

	for (unsigned i = 0; i < 240; i++)
		for (unsigned j = 0; j < 240; j++)
			table[i][j] = divisor(i, j);
	return table;
}

inline const Table divisors = make_table();

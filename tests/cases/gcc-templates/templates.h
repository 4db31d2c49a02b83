/* SPDX-License-Identifier: MIT */
/*
 * The greatest common divisors of all pairs of numbers below 240, made as the program is compiled.
 */

#include <array>
#include <utility>

typedef std::array<unsigned, 240> Row;
typedef std::array<Row, 240> Table;
typedef std::make_integer_sequence<unsigned, 240> Numbers;

template <unsigned A, unsigned B> struct divisor {
	enum : unsigned {
		value = divisor < B,
		A % B > ::value
	};
};

template <unsigned A> struct divisor<A, 0> {
	enum : unsigned {
		value = A
	};
};

template <unsigned I, unsigned... J> constexpr Row make_row(std::integer_sequence<unsigned, J...>)
{
	return { divisor<I, J>::value... };
}

template <unsigned... I> constexpr Table make_table(std::integer_sequence<unsigned, I...>)
{
	return { make_row<I>(Numbers())... };
}

constexpr Table divisors = make_table(Numbers());

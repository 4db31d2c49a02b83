/* SPDX-License-Identifier: MIT */
/*
 * A program of slower.c, "power": powers of large numbers modulo another, and what goes with it.
 */
#include "slower.h"

#include <string.h>

#define LIMBS 32
#define BITS 400
#define PRIMES 100000
#define PRODUCT 320
#define ENCODED 196608

static uint32_t modulus[LIMBS];
/* The negative inverse of its lowest limb. */
static uint32_t inverse;
static uint32_t base[LIMBS];
static uint8_t composite[PRIMES];
static uint32_t product[PRODUCT];
static char decimal[PRODUCT * 10 + 10];
static char encoded[ENCODED / 3 * 4];

static uint32_t next_limb(void)
{
	uint32_t high = next() << 8;

	return high | (next() & 255);
}

static void prepare_power(void)
{
	for (unsigned int i = 0; i < LIMBS; i++) {
		modulus[i] = next_limb();
		base[i] = next_limb();
	}
	modulus[0] |= 1;
	modulus[LIMBS - 1] |= 1U << 31;
	inverse = 1;
	for (unsigned int i = 0; i < 5; i++) {
		inverse *= 2 - modulus[0] * inverse;
	}
	inverse = -inverse;
}

/* Both factors and the result are in the form of Montgomery. */
static void multiply(uint32_t *to, const uint32_t *a, const uint32_t *b)
{
	uint32_t sum[LIMBS + 2] = { 0 };

	for (unsigned int i = 0; i < LIMBS; i++) {
		uint64_t carry = 0;
		uint32_t factor;

		for (unsigned int k = 0; k < LIMBS; k++) {
			carry += (uint64_t)a[k] * b[i] + sum[k];
			sum[k] = (uint32_t)carry;
			carry >>= 32;
		}
		carry += sum[LIMBS];
		sum[LIMBS] = (uint32_t)carry;
		sum[LIMBS + 1] = (uint32_t)(carry >> 32);
		factor = sum[0] * inverse;
		carry = ((uint64_t)factor * modulus[0] + sum[0]) >> 32;
		for (unsigned int k = 1; k < LIMBS; k++) {
			carry += (uint64_t)factor * modulus[k] + sum[k];
			sum[k - 1] = (uint32_t)carry;
			carry >>= 32;
		}
		carry += sum[LIMBS];
		sum[LIMBS - 1] = (uint32_t)carry;
		sum[LIMBS] = sum[LIMBS + 1] + (uint32_t)(carry >> 32);
	}
	if (sum[LIMBS] > 0) {
		int64_t borrow = 0;

		for (unsigned int k = 0; k < LIMBS; k++) {
			borrow += (int64_t)sum[k] - modulus[k];
			sum[k] = (uint32_t)borrow;
			borrow >>= 32;
		}
	}
	memcpy(to, sum, LIMBS * sizeof(to[0]));
}

/* One in four bits of the exponent is set, always the same, so that all of them take as long. */
NOINLINE static void work_power(void)
{
	uint32_t power[LIMBS];

	memcpy(power, base, sizeof(power));
	for (unsigned int i = 0; i < more(BITS); i++) {
		multiply(power, power, power);
		if (i % 4 == 0) {
			multiply(power, power, base);
		}
	}
	sink += power[3];
	done();
}

NOINLINE static void sieve(void)
{
	uint64_t sum = 0;

	memset(composite, 0, sizeof(composite));
	for (unsigned int i = 2; i < PRIMES; i++) {
		if (composite[i]) {
			continue;
		}
		sum += i;
		for (unsigned int k = 2 * i; k < PRIMES; k += i) {
			composite[k] = 1;
		}
	}
	sink += sum;
	done();
}

/* Nine digits at a time, the last ones first. */
NOINLINE static void print_decimal(void)
{
	unsigned int limbs = PRODUCT;
	char *to = decimal;

	for (unsigned int i = 0; i < PRODUCT; i++) {
		product[i] = base[i % LIMBS] + i;
	}
	while (limbs > 0) {
		uint64_t rest = 0;

		for (unsigned int i = limbs; i-- > 0;) {
			rest = rest << 32 | product[i];
			product[i] = (uint32_t)(rest / 1000000000);
			rest %= 1000000000;
		}
		to = put_number(to, (uint32_t)rest);
		while (limbs > 0 && product[limbs - 1] == 0) {
			limbs--;
		}
	}
	sink += (uint64_t)(to - decimal);
	done();
}

NOINLINE static void encode(void)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	char *to = encoded;

	for (unsigned int i = 0; i < ENCODED; i += 3) {
		const uint8_t *from = composite + i % (PRIMES - 3);
		uint32_t bytes = (uint32_t)from[0] << 16 | (uint32_t)from[1] << 8 | from[2];

		bytes ^= base[i % LIMBS];
		for (int shift = 18; shift >= 0; shift -= 6) {
			*to++ = digits[bytes >> shift & 63];
		}
	}
	sink += (unsigned char)encoded[ENCODED / 2];
	done();
}

static void handle_power(unsigned int round)
{
	base[round % LIMBS] ^= next_limb();
	sieve();
	answer();
	print_decimal();
	look_up_if_due(round);
	encode();
	done();
}

const struct program power_program = {
	.name = "power",
	.rounds = 560,
	.wait = WAIT_SELECT,
	.prepare = prepare_power,
	.handle = handle_power,
	.work = work_power,
};

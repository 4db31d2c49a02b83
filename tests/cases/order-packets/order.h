/* SPDX-License-Identifier: MIT */
/*
 * Orders of the till, and answers of the clerk, as they go over the connection.
 */

#include <stdint.h>

struct head {
	uint32_t number, lines;
};

struct line {
	uint32_t article, amount;
};

struct answer {
	uint32_t number, cents;
};

#define LINES 40

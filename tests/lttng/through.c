/* SPDX-License-Identifier: MIT */
/*
 * For throws.cc: a function in C, whose exit is not recorded when an exception passes it.
 */
void through_c(void (*function)(void));

void through_c(void (*function)(void))
{
	function();
}

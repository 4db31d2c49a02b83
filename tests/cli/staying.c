/* SPDX-License-Identifier: MIT */
/*
 * Preloaded beside the sanitizers: libraries stay loaded until the program ends.
 *
 * LeakSanitizer looks for pointers when the program has ended. What only a variable of a library
 * points to is no leak, and would look like one when Babeltrace has unloaded the library before;
 * LIBBABELTRACE2_NO_DLCLOSE keeps it from that from Babeltrace 2.1 on.
 */
int dlclose(void *library);

int dlclose(void *library)
{
	(void)library;
	return 0;
}

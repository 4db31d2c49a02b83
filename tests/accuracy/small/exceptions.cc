// SPDX-License-Identifier: MIT
//
// Exceptions: functions that end because something below them threw, through frames that clean up
// and frames that do not, and a handler that goes on. A hook tells that a function ends when its frame
// is still there and the unwinder goes on from it: what that takes must be little beside the work.
#include "work.h"

struct guard {
	UNTRACED ~guard()
	{
		work_compute(600000);
	}
};

// Their names as they are.
extern "C" {

void fail(int n)
{
	work_compute(800000);
	work_write();
	if (n % 3 != 0) {
		throw n;
	}
	work_compute(800000);
}

void passing(int n)
{
	work_compute(400000);
	fail(n);
	work_compute(400000);
}

void cleaning(int n)
{
	guard at_end;

	passing(n);
	work_write();
}

void attempt(int n)
{
	try {
		cleaning(n);
		work_compute(1200000);
	} catch (int) {
		work_compute(2400000);
		work_write();
	}
}

}

int main(int, char **argv)
{
	for (int n = 0; n < 1000 * work_times(argv); n++) {
		attempt(n);
	}
	return 0;
}

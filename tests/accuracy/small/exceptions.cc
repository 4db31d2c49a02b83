// SPDX-License-Identifier: MIT
//
// Exceptions: functions that end because something below them threw, through frames that clean up
// and frames that do not, and a handler that goes on.
#include "work.h"

struct guard {
	UNTRACED ~guard()
	{
		work_compute(15000);
	}
};

// Their names as they are.
extern "C" {

void fail(int n)
{
	work_compute(20000);
	work_write();
	if (n % 3 != 0) {
		throw n;
	}
	work_compute(20000);
}

void passing(int n)
{
	work_compute(10000);
	fail(n);
	work_compute(10000);
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
		work_compute(30000);
	} catch (int) {
		work_compute(60000);
		work_write();
	}
}

}

int main()
{
	for (int n = 0; n < 12000; n++) {
		attempt(n);
	}
	return 0;
}

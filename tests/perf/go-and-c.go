// SPDX-License-Identifier: MIT
//
// go-and-c: Go that calls C, and between two such calls has the runtime look at its own stack. Both are
// done on the thread's stack, where each finds what the other has left.
package main

/*
static volatile long sink;

static void __attribute__((noinline)) inner(int rounds)
{
	for (int i = 0; i < rounds; i++) {
		sink += i ^ (sink >> 3);
	}
}

static void __attribute__((noinline)) outer(int rounds)
{
	inner(rounds);
	sink++;
}
*/
import "C"

import "runtime"

//go:noinline
func callC() {
	C.outer(2000000)
}

//go:noinline
func lookAround() int {
	var places [64]uintptr
	return runtime.Callers(0, places[:])
}

func main() {
	seen := 0
	for i := 0; i < 40; i++ {
		callC()
		for j := 0; j < 3000; j++ {
			seen += lookAround()
		}
	}
	if seen == 0 {
		panic("nothing was seen")
	}
}

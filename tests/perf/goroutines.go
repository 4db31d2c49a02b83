// SPDX-License-Identifier: MIT
//
// goroutines: some of them read files, allocate and talk to one another; one computes for longer than
// the scheduler lets it, which then sends signals,
// and so does one itself. All that changes stacks in Go's runtime.
package main

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
)

const rounds = 300

// A stack in one of them is seen when its handler wakes a thread that sleeps: of one in thirty.
const signals = 1200

//go:noinline
func readFile(sizes chan<- int) {
	text, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		panic(err)
	}
	sizes <- len(text)
}

//go:noinline
func reader(sizes chan<- int, all *sync.WaitGroup) {
	for i := 0; i < rounds; i++ {
		readFile(sizes)
	}
	all.Done()
}

// The runtime's handler of the signal wakes another thread.
//
//go:noinline
func signaller(all *sync.WaitGroup) {
	arrived := make(chan os.Signal, 1)
	signal.Notify(arrived, syscall.SIGUSR1)
	for i := 0; i < signals; i++ {
		syscall.Kill(os.Getpid(), syscall.SIGUSR1)
		<-arrived
	}
	all.Done()
}

//go:noinline
func collector(sizes <-chan int) (kept map[int][]byte) {
	kept = map[int][]byte{}
	for size := range sizes {
		kept[len(kept)%1000] = make([]byte, 20000+size)
	}
	return kept
}

//go:noinline
func compute(all *sync.WaitGroup) {
	value := uint64(len(os.Args))
	for i := 0; i < 200000000; i++ {
		value = value*6364136223846793005 + 1442695040888963407
	}
	if value == 0 {
		panic("such a sequence has no 0")
	}
	all.Done()
}

func main() {
	var all sync.WaitGroup
	sizes := make(chan int)
	for i := 0; i < 4; i++ {
		all.Add(1)
		go reader(sizes, &all)
	}
	all.Add(2)
	go signaller(&all)
	go compute(&all)
	go func() {
		all.Wait()
		close(sizes)
	}()
	collector(sizes)
}

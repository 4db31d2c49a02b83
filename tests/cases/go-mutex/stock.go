// SPDX-License-Identifier: MIT
//
// stock copy|hold: three desks sell articles from one stock, and sign a receipt for each. Until they
// are done, a board is written over and over with what is left of all articles, from a copy or
// while the lock is held.
package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
)

type stock struct {
	lock sync.RWMutex
	left [6000]int
}

//go:noinline
func (s *stock) sell(article int) int {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.left[article%len(s.left)]--
	return s.left[article%len(s.left)]
}

//go:noinline
func (s *stock) report(text []byte, hold bool) []byte {
	left := s.left[:]

	s.lock.RLock()
	if hold {
		defer s.lock.RUnlock()
	} else {
		left = append([]int(nil), left...)
		s.lock.RUnlock()
	}
	for article, amount := range left {
		text = fmt.Appendf(text, "article %05d: %d\n", article, amount)
	}
	return text
}

//go:noinline
func receipt(article, left int) [sha256.Size]byte {
	sum := sha256.Sum256([]byte(fmt.Sprintf("article %d, %d left", article, left)))

	for i := 0; i < 1000; i++ {
		sum = sha256.Sum256(sum[:])
	}
	return sum
}

func main() {
	var s stock
	var desks sync.WaitGroup
	var closed atomic.Bool

	for desk := 0; desk < 3; desk++ {
		desks.Add(1)
		go func(desk int) {
			defer desks.Done()
			for sale := 0; sale < 1200; sale++ {
				article := desk*1000 + sale
				receipt(article, s.sell(article))
			}
		}(desk)
	}
	go func() {
		desks.Wait()
		closed.Store(true)
	}()
	text, boards := []byte{}, 0
	for !closed.Load() {
		text = s.report(text[:0], os.Args[1] == "hold")
		boards++
	}
	fmt.Println(boards, "boards", s.left[0])
}

// SPDX-License-Identifier: MIT
//
// days keep|release COUNT: a cache of what shops sold, one entry for each day. A day's sales are put
// into a table by minute and article, and what the cache keeps of it is the best cells. The table is
// used again for the next day; the machine is small, so with `release` it is given back to the system.
package main

import (
	"container/list"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
)

const (
	minutes  = 1440
	articles = 9000
	sales    = 150000
)

// What is kept of a day.
type summary struct {
	day   int
	best  [24]int
	total int
}

// Days that were asked for last come first.
type cache struct {
	recent  *list.List
	table   []int32
	entries map[int]*list.Element
	release bool
	limit   int
}

func newCache(limit int, release bool) *cache {
	return &cache{recent: list.New(), entries: map[int]*list.Element{}, release: release, limit: limit}
}

// The next number of a sequence that is the same in each run.
func next(number uint32) uint32 {
	number ^= number << 13
	number ^= number >> 17
	return number ^ number<<5
}

// load makes the summary of a day from its sales.
//
//go:noinline
func (c *cache) load(day int) *summary {
	if c.table == nil {
		c.table = make([]int32, minutes*articles)
	}
	table, sum := c.table, &summary{day: day}

	number := uint32(day)*2654435761 + 1
	for sale := 0; sale < sales; sale++ {
		number = next(number)
		cell := number % (minutes * articles)
		table[cell] += int32(number>>24) + 1
		hour := cell / articles / 60
		sum.best[hour] = max(sum.best[hour], int(table[cell]))
	}
	if c.release {
		c.table = nil
		debug.FreeOSMemory()
	} else {
		number = uint32(day)*2654435761 + 1
		for sale := 0; sale < sales; sale++ {
			number = next(number)
			table[number%(minutes*articles)] = 0
		}
	}
	for _, cents := range sum.best {
		sum.total += cents
	}
	return sum
}

func max(a, b int) int {
	if a > b {
		return a
	}
	return b
}

// get looks a day up, and loads it when the cache does not have it.
func (c *cache) get(day int) *summary {
	if entry, found := c.entries[day]; found {
		c.recent.MoveToFront(entry)
		return entry.Value.(*summary)
	}
	sum := c.load(day)
	c.entries[day] = c.recent.PushFront(sum)
	if c.recent.Len() > c.limit {
		last := c.recent.Back()
		delete(c.entries, last.Value.(*summary).day)
		c.recent.Remove(last)
	}
	return sum
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: days keep|release COUNT")
		os.Exit(2)
	}
	count, err := strconv.Atoi(os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	c := newCache(60, os.Args[1] == "release")
	total := 0
	for question := 0; question < count; question++ {
		total += c.get(question).total
		total += c.get(question / 2 * 2).best[12]
	}
	fmt.Println("sold for", total)
}

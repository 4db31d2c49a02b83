// SPDX-License-Identifier: MIT
// quotes REQUESTS
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

type quote struct {
	name   string
	amount int
	next   *quote
}

func fill(count int) map[int]*quote {
	table := make(map[int]*quote, count)
	var last *quote
	for i := 0; i < count; i++ {
		last = &quote{name: "article " + strconv.Itoa(i*7919%100003), amount: i % 977, next: last}
		table[i] = last
	}
	return table
}

//go:noinline
func answer(table map[int]*quote, number int) string {
	var page strings.Builder
	page.Grow(8192)
	for i := 0; i < 20; i++ {
		found := table[(number*31+i*7919)%len(table)]
		fmt.Fprintf(&page, "%s: %d.%02d\n", found.name, found.amount/100, found.amount%100)
	}
	return page.String()
}

func main() {
	count, _ := strconv.Atoi(os.Args[1])
	table := fill(500000)
	size := 0
	for number := 0; number < count; number++ {
		size += len(answer(table, number))
	}
	fmt.Println(size)
}

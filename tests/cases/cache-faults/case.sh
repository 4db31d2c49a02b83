# SPDX-License-Identifier: MIT
# Sales of many days are summed up by a program with a cache. In the slow run it gives the memory of its
# table back to the system after each day (debug.FreeOSMemory), for the machine is small: each page of
# the next table faults again. In the base it clears what it used, and uses the same table again.

about="memory given back to the system after each use"
cause=real
traits="a program with a cache: Go, several threads"
packages=(golang-go)
stack_bytes=4096
half=fresh
says="the cause is that main.(*cache).load gives its table's memory back to the system for each day (debug.FreeOSMemory), so that all pages of the next one fault again"
told='cache\)?\.load|FreeOSMemory|freeOSMemory'

build() {
	cp "$case_dir/days.go" .
	GOFLAGS=-mod=mod GOCACHE=$PWD/go-cache HOME=$PWD go build -o days days.go
	rm -rf go-cache
}

# sum_up keep|release
sum_up() {
	record "$built/days" "$1" 165
	grep -q '^sold for [1-9]' output
}

base() {
	sum_up keep
}

slow() {
	sum_up release
}

truth() {
	echo '^main\.\(\*cache\)\.load$' '^days$'
}

# SPDX-License-Identifier: MIT
# Goroutines share a stock with one lock. In the slow run one of them holds it while it formats a
# report of the whole stock; in the base while it copies the stock for the report. The program ends
# when the others have done their work.

about="lock held while a report is made"
cause=real
traits="a program with sync.RWMutex: Go, several threads"
packages=(golang-go)
stack_bytes=4096
half=fresh
says="the cause is that goroutines that sell wait for a lock, which main.(*stock).report holds while it formats a whole report"
told='stock\)?\.report'

build() {
	cp "$case_dir/stock.go" .
	GOFLAGS=-mod=mod GOCACHE=$PWD/go-cache HOME=$PWD go build -o stock stock.go
	rm -rf go-cache
}

base() {
	record "$built/stock" copy
}

slow() {
	record "$built/stock" hold
}

truth() {
	echo '^main\.\(\*stock\)\.report$' '^stock$'
}

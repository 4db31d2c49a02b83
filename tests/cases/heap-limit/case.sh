# SPDX-License-Identifier: MIT
# Quotes are answered from a table in memory. In the slow run the service has GOMEMLIMIT set to little
# more than the table needs, so the garbage collector runs again and again for a little space; in the
# base there is no limit.

about="memory limit of a garbage collector"
cause=real
traits="a program: Go, several threads, garbage collection"
packages=(golang-go)
half=fresh
says="the cause is runtime.gcDrain: the garbage collector marks the memory much more often (the limit of memory is near to what is in use)"
told='gcDrain|[Gg]arbage|runtime\.gc'

build() {
	GO111MODULE=off GOCACHE=$PWD/cache GOPATH=$PWD/go go build -o quotes "$case_dir/quotes.go"
}

base() {
	record env GOMEMLIMIT=off "$built/quotes" 30000
}

slow() {
	record env GOMEMLIMIT=60MiB "$built/quotes" 30000
}

truth() {
	echo '^runtime\.gcDrain$' '^quotes$'
}

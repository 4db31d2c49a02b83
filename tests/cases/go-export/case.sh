# SPDX-License-Identifier: MIT
# A program signs orders and sends them to a collector over a connection. In the slow run each field
# is written to the connection as it is printed, one small system call each; in the base there is a
# buffer between them.

about="fields written to a connection without a buffer"
cause=real
traits="a program and a collector: Go and Python, two processes over TCP"
packages=(golang-go python3)
stack_bytes=4096
half=fresh
says="the cause is main.(*exporter).row, which writes each field to the connection by a small system call of its own, without a buffer"
told='exporter\)?\.row'

build() {
	cp "$case_dir/export.go" .
	GOFLAGS=-mod=mod GOCACHE=$PWD/go-cache HOME=$PWD go build -o export export.go
	rm -rf go-cache
}

base() {
	record "$built/export" "$case_dir/collect.py" buffer
}

slow() {
	record "$built/export" "$case_dir/collect.py" plain
}

truth() {
	echo '^main\.\(\*exporter\)\.row$' '^export$'
}

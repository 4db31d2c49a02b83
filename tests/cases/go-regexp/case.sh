# SPDX-License-Identifier: MIT
# A handler compiles its regular expression for every request; in the base once.

about="regular expression compiled for each request"
cause=real
traits="an HTTP server: Go, several threads"
packages=(golang-go)
stack_bytes=4096

build() {
	cp "$case_dir/server.go" .
	GOFLAGS=-mod=mod GOCACHE=$PWD/go-cache HOME=$PWD go build -o server server.go
	rm -rf go-cache
}

get_matched() {
	local port
	port=$(free_port)
	serve "$port" "$built/server" "127.0.0.1:$port" "$1"
	get "$port" 300 /service40/orders/1907
	end_server
}

base() {
	get_matched once
}

slow() {
	get_matched always
}

truth() {
	echo '^main\.\(\*routes\)\.match$' '^server$'
}

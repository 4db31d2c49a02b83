# SPDX-License-Identifier: MIT
# A client asks for keys by a pattern, which looks at every key of the database. In the base it
# asks for a key whose name it knows.

about="KEYS, an O(N) command"
cause=real
traits="Redis: server, C, several threads"
quick=yes
stack_bytes=4096

build() {
	need redis
}

ask() {
	local port cli i
	port=$(free_port)
	cli="$software/redis/src/redis-cli -p $port"
	serve "$port" "$software/redis/src/redis-server" --port "$port" --bind 127.0.0.1 --save ""
	for ((i = 0; i < 100000; i++)); do
		printf 'set user:%d name-%d\r\n' "$i" "$i"
	done | $cli --pipe
	for _ in {1..50}; do
		printf 'get user:%d\n' {1..20}
		printf '%s\n' "$1"
	done | $cli
	end_server
}

base() {
	ask "get user:7"
}

slow() {
	ask "keys user:77*7"
}

truth() {
	echo '^keysCommand$' '^redis-server$'
}

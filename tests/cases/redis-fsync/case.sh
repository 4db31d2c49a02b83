# SPDX-License-Identifier: MIT
# Every write waits until the log is on the disk (appendfsync always); in the base the kernel
# decides when.

about="fsync for every command"
cause=real
traits="Redis: server, C, several threads"
quick=yes
stack_bytes=4096

build() {
	need redis
}

write_with() {
	local port
	port=$(free_port)
	serve "$port" "$software/redis/src/redis-server" --port "$port" --bind 127.0.0.1 --save "" \
		--appendonly yes --appendfsync "$1"
	"$software/redis/src/redis-benchmark" -p "$port" -q -c 2 -n 800 -r 200 -t set
	end_server
}

base() {
	write_with no
}

slow() {
	write_with always
}

truth() {
	echo '^flushAppendOnlyFile$' '^redis-server$'
}

# SPDX-License-Identifier: MIT
# A pattern with several asterisks is tried in every way on a key that does not match: the bug of
# CVE-2022-36021, put back by taking out the line that its fix, in Redis 7.0.9, depends on.

about="pattern matching that backtracks, the fix reverted"
cause=real
traits="Redis: server, C, several threads"
stack_bytes=4096

build() {
	need redis
	cp -r "$software/redis" patched
	grep -q 'CVE-2022-36021' patched/00-RELEASENOTES
	sed -i '/^ *\*skipLongerMatches = 1;$/d' patched/src/util.c
	! cmp -s patched/src/util.c "$software/redis/src/util.c"
	make -C patched/src redis-server MALLOC=libc USE_SYSTEMD=no OPTIMIZATION="$stock_flags"
	mkdir base slow
	cp "$software/redis/src/redis-server" base
	cp patched/src/redis-server slow
	rm -r patched
}

ask() {
	local port cli
	port=$(free_port)
	cli="$software/redis/src/redis-cli -p $port"
	serve "$port" "$built/$1/redis-server" --port "$port" --bind 127.0.0.1 --save ""
	for ((i = 0; i < 400; i++)); do
		printf 'set aaaaaaaaaaaaaaaaaaaaaaaa:%d name\n' "$i"
	done | $cli > /dev/null
	for ((i = 0; i < 10; i++)); do
		printf 'keys a*a*a*a*%d\nget a:%d\n' "$i" "$i"
	done | $cli > /dev/null
	end_server
}

base() {
	ask base
}

slow() {
	ask slow
}

truth() {
	echo '^stringmatchlen_impl$' '^redis-server$'
}

# SPDX-License-Identifier: MIT
# A command that a loaded module brings is slow.

about="delay in HelloPushNative_RedisCommand"
cause=injected
traits="Redis with a loaded module: server, C, several threads"
stack_bytes=4096

build() {
	local kind
	need redis
	for kind in base slow; do
		mkdir "$kind"
		cp "$software/redis/src/modules/helloworld.c" "$kind"
	done
	delay slow/helloworld.c HelloPushNative_RedisCommand 1500
	for kind in base slow; do
		sed -i 's,"../redismodule.h","redismodule.h",' "$kind/helloworld.c"
		gcc $stock_flags -shared -fPIC -I "$software/redis/src" -o "$kind/helloworld.so" \
			"$kind/helloworld.c"
	done
}

push() {
	local port cli
	port=$(free_port)
	cli="$software/redis/src/redis-cli -p $port"
	serve "$port" "$software/redis/src/redis-server" --port "$port" --bind 127.0.0.1 --save "" \
		--loadmodule "$built/$1/helloworld.so"
	for ((i = 0; i < 400; i++)); do
		printf 'hello.push.native list%d value\nset key%d value\nget key%d\n' $((i % 7)) "$i" "$i"
	done | $cli > /dev/null
	end_server
}

base() {
	push base
}

slow() {
	push slow
}

truth() {
	echo '^HelloPushNative_RedisCommand$' '^helloworld\.so$'
}

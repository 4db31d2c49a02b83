# SPDX-License-Identifier: MIT
# A till in Python asks a Redis server for the price of each article that is sold; all prices are
# fields of one hash. In the slow run the server is set up to keep hashes of up to 20 000 fields as
# plain lists, and looks for a field by going through the list; in the base the limit is the server's
# own.

about="prices kept as a plain list, in a server that is waited for"
cause=real
traits="Redis and a client in Python: a server in C, two processes"
packages=(python3 python3-redis)
stack_bytes=4096
half=fresh
says="the cause is lpFind in redis-server: for each price that the till waits for it goes through the list as which the hash is kept"
told='lpFind'

build() {
	need redis
}

# sell LIMIT: with hashes of up to so many fields kept as lists.
sell() {
	local port
	port=$(free_port)
	record "$case_dir/shop.sh" "$software/redis/src/redis-server" "$port" "$1" \
		/usr/bin/python3 "$case_dir/till.py"
	grep -q '^3000 articles sold$' output
}

base() {
	sell 512
}

slow() {
	sell 20000
}

truth() {
	echo '^lpFind$' '^redis-server$'
}

# SPDX-License-Identifier: MIT
# Orders are looked up by their customer. In the slow run the index on the column is missing, and
# each look-up reads the whole table.

about="missing index"
cause=real
traits="PostgreSQL: server, C, several processes"

build() {
	need postgresql
}

look_up() {
	local port psql as_user=() binaries=$software/postgresql/installed/bin
	if [ "$(id -u)" -eq 0 ]; then # which the server refuses to run as
		as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	fi
	port=$(free_port)
	psql="$binaries/psql -q -h 127.0.0.1 -p $port -U test postgres"
	chmod 777 .
	"${as_user[@]}" "$binaries/initdb" -D "$PWD/data" -U test -A trust --no-sync > initdb.log
	serve "$port" "${as_user[@]}" "$binaries/postgres" -D "$PWD/data" -p "$port" -h 127.0.0.1 \
		-c unix_socket_directories= -c max_parallel_workers_per_gather=0 -c jit=off
	# It listens before it is ready.
	for ((i = 0; i < 100; i++)); do
		! $psql -c '' 2> /dev/null || break
		sleep 0.1
	done
	$psql > /dev/null <<-SQL
		create table orders (id integer primary key, customer integer, total integer);
		insert into orders select x, x * 7919 % 20011, x % 97 from generate_series(1, 40000) x;
		$1;
		vacuum analyze orders;
	SQL
	printf 'select sum(total) from orders where customer = %d;\n' {1..300} | $psql > /dev/null
	end_server INT
}

base() {
	look_up "create index by_customer on orders (customer)"
}

slow() {
	look_up "create index by_total on orders (total)"
}

truth() {
	echo '^SeqNext$' '^postgres$'
}

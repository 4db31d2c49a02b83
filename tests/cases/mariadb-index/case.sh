# SPDX-License-Identifier: MIT
# Orders are looked up by their customer. In the slow run the index on the column is missing, and
# each look-up reads the whole table.

about="missing index"
cause=real
traits="MariaDB: server, C++, many threads"
packages=(mariadb-server-core mariadb-client-core)
stack_bytes=16384

# shellcheck source-path=SCRIPTDIR source=../mariadb.sh
. "$cases/mariadb.sh"

build() {
	:
}

look_up() {
	local port
	port=$(free_port)
	serve_mariadb "$port"
	$client <<-SQL
		create table orders (id integer primary key, customer integer, total integer);
		insert into orders select seq, seq * 7919 % 20011, seq % 97 from seq_1_to_50000;
		create index $1;
	SQL
	printf 'select sum(total) from orders where customer = %d;\n' {1..150} | $client > sums
	end_server
}

base() {
	look_up "by_customer on orders (customer)"
}

slow() {
	look_up "by_total on orders (total)"
}

truth() {
	echo '^handler::ha_rnd_next' '^mariadbd$'
}

# SPDX-License-Identifier: MIT
# Orders are looked up by their customer. In the slow run the index on the column is missing, and
# each look-up steps through the whole table.

about="missing index"
cause=real
traits="SQLite: client, C, one thread"
quick=yes
stack_bytes=12288

build() {
	need sqlite
}

look_up() {
	"$software/sqlite/sqlite3" shop.db <<-SQL
		create table orders (id integer primary key, customer integer, total integer);
		insert into orders with recursive n(x) as (select 1 union all select x + 1 from n
			where x < 60000) select x, x * 7919 % 20011, x % 97 from n;
		create index $1;
	SQL
	printf 'select total(total) from orders where customer = %d;\n' {1..100} > ask.sql
	record "$software/sqlite/sqlite3" shop.db < ask.sql
}

base() {
	look_up "by_customer on orders (customer)"
}

slow() {
	look_up "by_total on orders (total)"
}

truth() {
	echo '^sqlite3VdbeExec$' '^sqlite3$'
}

# SPDX-License-Identifier: MIT
# The pages of the database are not in the kernel's cache, and each look-up waits for the disk.

about="cold cache"
cause=real
traits="SQLite: client, C, one thread"
stack_bytes=12288

build() {
	need sqlite
}

look_up() {
	printf 'select length(text) from page where id = %d;\n' $(seq 1 241 29000) > ask.sql
	record "$software/sqlite/sqlite3" pages.db < ask.sql
}

fill() {
	"$software/sqlite/sqlite3" pages.db <<-SQL
		create table page (id integer primary key, text blob);
		insert into page with recursive n(x) as (select 1 union all select x + 1 from n
			where x < 30000) select x, randomblob(3000) from n;
	SQL
	sync pages.db
}

base() {
	fill
	look_up
}

slow() {
	fill
	# dd drops what it holds of the file.
	dd of=pages.db oflag=nocache conv=notrunc,fdatasync count=0 status=none
	look_up
}

truth() {
	echo '^unixRead$' '^sqlite3$'
}

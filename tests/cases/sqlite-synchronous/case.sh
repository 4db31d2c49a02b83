# SPDX-License-Identifier: MIT
# Rows are inserted one by one, and each commit waits for the disk. In the base it does not.

about="fsync for every commit"
cause=real
traits="SQLite: client, C, one thread"
stack_bytes=12288

build() {
	need sqlite
}

insert() {
	echo 'create table word (id integer primary key, text text);' | "$software/sqlite/sqlite3" words.db
	{
		echo "pragma synchronous = $1;"
		printf "insert into word (text) values ('word %d');\n" {1..60}
	} > insert.sql
	record "$software/sqlite/sqlite3" words.db < insert.sql
}

base() {
	insert off
}

slow() {
	insert full
}

truth() {
	echo '^unixSync$' '^sqlite3$'
}

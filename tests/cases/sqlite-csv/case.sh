# SPDX-License-Identifier: MIT
# A loaded extension, the virtual table over a CSV file, is slow to find the next row.

about="delay in csvtabNext"
cause=injected
traits="SQLite with a loaded extension: client, C, one thread"
stack_bytes=12288

build() {
	local kind
	need sqlite
	for kind in base slow; do
		mkdir "$kind"
		cp "$software/sqlite/ext/misc/csv.c" "$kind"
	done
	delay slow/csv.c csvtabNext 1000
	for kind in base slow; do
		gcc $stock_flags -shared -fPIC -I "$software/sqlite" -o "$kind/csv.so" "$kind/csv.c"
	done
}

sum() {
	for ((i = 0; i < 1500; i++)); do
		printf '%d,order %d,%d\n' "$i" $((i * 7919 % 10007)) $((i % 89))
	done > orders.csv
	cat > work.sql <<-SQL
		.load $built/$1/csv
		create virtual table temp.orders using csv(filename='orders.csv');
		select c2, count(*) from orders group by c2;
		select sum(c0) from orders where c1 like '%7';
	SQL
	record "$software/sqlite/sqlite3" :memory: < work.sql
}

base() {
	sum base
}

slow() {
	sum slow
}

truth() {
	echo '^csvtabNext$' '^csv\.so$'
}

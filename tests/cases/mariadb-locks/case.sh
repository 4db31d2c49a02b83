# SPDX-License-Identifier: MIT
# Four clients change rows of their own. The slow table's engine locks all of the table for each
# statement; the engine in the base locks the rows.

about="table locks between clients"
cause=real
traits="MariaDB: server, C++, many threads"
stack_bytes=12288
packages=(mariadb-server-core mariadb-client-core)

# shellcheck source-path=SCRIPTDIR source=../mariadb.sh
. "$cases/mariadb.sh"

build() {
	:
}

change_rows() {
	local port clients=()
	port=$(free_port)
	serve_mariadb "$port"
	$client <<-SQL
		create table stock (part integer primary key, pieces integer) engine=$1;
		insert into stock select seq, 100 from seq_1_to_400;
	SQL
	for i in {1..4}; do
		for ((part = i; part <= 400; part += 8)); do
			echo "update stock set pieces = pieces - 1 where part = $part and sleep(0.004) = 0;"
		done | $client &
		clients+=($!)
	done
	wait "${clients[@]}"
	end_server
}

base() {
	change_rows InnoDB
}

slow() {
	change_rows MyISAM
}

truth() {
	echo '^thr_multi_lock$' '^mariadbd$'
}

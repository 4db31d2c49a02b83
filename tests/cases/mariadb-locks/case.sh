# SPDX-License-Identifier: MIT
# Four clients change rows of their own. The slow table's engine locks all of the table for each
# statement; the engine in the base locks the rows.

about="table locks between clients"
cause=real
traits="MariaDB: server, C++, many threads"
stack_bytes=12288
packages=(mariadb-server-core mariadb-client-core)

build() {
	:
}

change_rows() {
	local port client clients=()
	port=$(free_port)
	client="mariadb --no-defaults -h 127.0.0.1 -P $port -u root"
	mariadb-install-db --no-defaults --datadir="$PWD/data" --auth-root-authentication-method=normal \
		--skip-test-db > install.log 2>&1
	if [ "$(id -u)" -eq 0 ]; then
		set -- "$1" --user=root
	fi
	serve "$port" "$(command -v mariadbd)" --no-defaults --datadir="$PWD/data" --port="$port" \
		--bind-address=127.0.0.1 --socket="$PWD/socket" --innodb-flush-log-at-trx-commit=0 "${@:2}"
	$client <<-SQL
		create database shop;
		use shop;
		create table stock (part integer primary key, pieces integer) engine=$1;
		insert into stock select seq, 100 from seq_1_to_400;
	SQL
	for i in {1..4}; do
		for ((part = i; part <= 400; part += 8)); do
			echo "update stock set pieces = pieces - 1 where part = $part and sleep(0.004) = 0;"
		done | $client shop &
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

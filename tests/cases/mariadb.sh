# SPDX-License-Identifier: MIT
#
# For the cases with MariaDB: Debian's build of the server, which names its public functions.

# serve_mariadb PORT: a server with an empty database; $client is a client of it.
serve_mariadb() {
	local port=$1 user=()
	client="mariadb --no-defaults -h 127.0.0.1 -P $port -u root"
	mariadb-install-db --no-defaults --datadir="$PWD/data" --auth-root-authentication-method=normal \
		--skip-test-db > install.log 2>&1
	if [ "$(id -u)" -eq 0 ]; then
		user=(--user=root)
	fi
	serve "$port" "$(command -v mariadbd)" --no-defaults --datadir="$PWD/data" --port="$port" \
		--bind-address=127.0.0.1 --socket="$PWD/socket" --innodb-flush-log-at-trx-commit=0 "${user[@]}"
	echo 'create database shop' | $client
	client+=" shop"
}

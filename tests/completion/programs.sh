# SPDX-License-Identifier: MIT
#
# What the programs do whose stacks are compared. Each function runs in a fresh directory and makes
# $data with what tests/cases/lib.sh offers. Sourced by tests/completion/run.
# shellcheck shell=bash
# shellcheck disable=SC2154 # $software comes from there

nginx() {
	local port=$1
	mkdir logs html
	for i in 1 2 3; do
		seq $((i * 5000)) > "html/$i.txt"
	done
	cat > nginx.conf <<-CONF
		daemon off; master_process off; pid nginx.pid; error_log stderr error; events {}
		http {
			types { text/plain txt; }
			access_log access.log; gzip on; gzip_types text/plain; sendfile on;
			server {
				listen 127.0.0.1:$port; root html;
				location /list/ { alias html/; autoindex on; }
				location /proxy/ { proxy_pass http://127.0.0.1:$port/; }
			}
		}
	CONF
	serve "$port" "$software/nginx/objs/nginx" -p . -c nginx.conf
	for _ in {1..5}; do
		get "$port" 40 /1.txt
		get "$port" 40 /2.txt Accept-Encoding:gzip
		get "$port" 40 /proxy/3.txt
		get "$port" 40 /list/
	done
	end_server
}

redis() {
	local port=$1 client="$software/redis/src/redis-benchmark"
	serve "$port" "$software/redis/src/redis-server" --port "$port" --bind 127.0.0.1 --save "" \
		--appendonly yes
	"$client" -p "$port" -n 600 -c 8 -q -t set,get,incr,lpush,lrange_100,zadd,hset > benchmark.log
	"$software/redis/src/redis-cli" -p "$port" debug reload > reload.log
	end_server
}

sqlite() {
	cat > work.sql <<-SQL
		create table t (a integer primary key, b integer, c text);
		insert into t select value, value * 7919 % 20011, hex(randomblob(20))
			from generate_series(1, 30000);
		create index i on t (b);
		select count(*) from t where c like '%AB%';
		select b, count(*), max(c) from t group by b order by 2 desc limit 3;
		delete from t where b % 3 = 0;
		select sum(length(c)) from t x where exists (select 1 from t y where y.b = x.b and y.a <> x.a);
		vacuum;
	SQL
	record "$software/sqlite/sqlite3" orders.db < work.sql
}

apache() {
	local port=$1 installed=$software/apache/installed
	mkdir htdocs
	chmod -R a+rwX .
	seq 20000 > htdocs/1.txt
	cat > httpd.conf <<-CONF
		ServerRoot $installed
		Listen 127.0.0.1:$port
		ServerName localhost
		User nobody
		Group nogroup
		PidFile $PWD/pid
		ErrorLog $PWD/errors
		LoadModule deflate_module modules/mod_deflate.so
		LoadModule log_config_module modules/mod_log_config.so
		LoadModule mime_module modules/mod_mime.so
		LoadModule unixd_module modules/mod_unixd.so
		LoadModule authz_core_module modules/mod_authz_core.so
		LoadModule dir_module modules/mod_dir.so
		TypesConfig $installed/conf/mime.types
		DocumentRoot $PWD/htdocs
		CustomLog $PWD/access "%h %t %r %s %b"
		SetOutputFilter DEFLATE
	CONF
	serve "$port" "$installed/bin/httpd" -f "$PWD/httpd.conf" -X
	for _ in {1..8}; do
		get "$port" 25 /1.txt
		get "$port" 25 /1.txt Accept-Encoding:gzip
	done
	end_server
}

postgresql() {
	local port=$1 psql as_user=() binaries=$software/postgresql/installed/bin
	if [ "$(id -u)" -eq 0 ]; then # which the server refuses to run as
		as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	fi
	psql="$binaries/psql -q -h 127.0.0.1 -p $port -U test postgres"
	chmod 777 .
	"${as_user[@]}" "$binaries/initdb" -D "$PWD/data" -U test -A trust --no-sync > initdb.log
	serve "$port" "${as_user[@]}" "$binaries/postgres" -D "$PWD/data" -p "$port" -h 127.0.0.1 \
		-c unix_socket_directories= -c jit=off
	until $psql -c 'select 1' > result 2>&1; do # it listens before it is ready
		sleep 0.1
	done
	$psql > result <<-SQL
		create table t (a integer primary key, b integer, c text);
		insert into t select x, x * 7919 % 20011, md5(x::text) from generate_series(1, 40000) x;
		create index i on t (b);
		vacuum analyze t;
		select count(*) from t where c like '%ab%';
		select b, count(*), max(c) from t group by b order by 2 desc limit 3;
		delete from t where b % 3 = 0;
		select x.b from t x join t y on x.b = y.b order by x.c limit 5;
		checkpoint;
	SQL
	printf "update t set c = c || 'x' where a = %d;\n" {1..150} | $psql > result
	end_server INT
}

git() {
	local program=$software/git/git
	export HOME=$PWD GIT_CONFIG_NOSYSTEM=1 GIT_EXEC_PATH=$software/git
	"$program" init -q tree
	cp -r "$software"/redis/src tree
	cat > work.sh <<-SH
		cd tree
		git() { "$program" -c user.name=a -c user.email=a@b "\$@"; }
		git add . && git commit -qm first
		for file in src/*.c; do echo >> \$file; git commit -qam "\$file"; done
		git log --stat -n 50; git status; git grep -c static; git blame src/server.c
		git diff HEAD~20; git gc -q --prune=now; git checkout -q HEAD~5; git fsck
	SH
	record bash work.sh
}

# SPDX-License-Identifier: MIT
# A FastCGI program behind nginx reads its price list again whenever the file's time is not the one
# that it remembers. In the slow run it remembers when it read the file instead of the file's time,
# and so reads the list for each request; nginx and the client wait.

about="file read for each request, behind a front"
cause=real
traits="nginx and FastCGI: server, C, several processes"
packages=(gcc libc6-dev libfcgi-dev python3)
stack_bytes=4096
half=fresh
says="the cause is that the program behind nginx reads its whole price list again for each request, in refresh_prices, while nginx and the client wait for its answer"
told='refresh_prices'

build() {
	need nginx
	gcc $stock_flags -o backend "$case_dir/backend.c" -lfcgi
	seq 5000 | awk '{ printf "article-%05d;%d.95\n", $1, $1 * 7 % 900 }' > prices.txt
}

ask() {
	local port
	port=$(free_port)
	mkdir logs
	cat > nginx.conf <<-CONF
		daemon off; master_process off; pid nginx.pid; error_log stderr; events {}
		http {
			access_log off;
			server {
				listen 127.0.0.1:$port;
				location / {
					fastcgi_param QUERY_STRING \$query_string;
					fastcgi_pass unix:backend.socket;
				}
			}
		}
	CONF
	record "$case_dir/shop.sh" "$software/nginx/objs/nginx" "$built/backend" "$built/prices.txt" "$1" \
		"$cases/get.py" "$port"
}

base() {
	ask file
}

slow() {
	ask now
}

truth() {
	echo '^refresh_prices$' '^backend$'
}

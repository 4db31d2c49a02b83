# SPDX-License-Identifier: MIT
# The server logs what it does, at the level that is meant for its developers.

about="log level debug"
cause=real
traits="nginx: server, C, one thread"

build() {
	need nginx
}

get_logged() {
	local port
	port=$(free_port)
	mkdir logs html
	seq 400 > html/numbers.txt
	cat > nginx.conf <<-CONF
		daemon off; master_process off; pid nginx.pid; error_log logs/error.log $1; events {}
		http {
			access_log off;
			server { listen 127.0.0.1:$port; root html; }
		}
	CONF
	serve "$port" "$software/nginx/objs/nginx" -p . -c nginx.conf
	get "$port" 100 /numbers.txt
	end_server
}

base() {
	get_logged error
}

slow() {
	get_logged debug
}

truth() {
	echo '^ngx_log_error_core$' '^nginx$'
}

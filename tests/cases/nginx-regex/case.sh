# SPDX-License-Identifier: MIT
# A location's expression has one repetition inside of another, and tries every way to divide a
# name that does not match.

about="regular expression that backtracks"
cause=real
traits="nginx: server, C, one thread"

build() {
	need nginx
}

get_matched() {
	local port
	port=$(free_port)
	mkdir logs html
	cat > nginx.conf <<-CONF
		daemon off; master_process off; pid nginx.pid; error_log stderr; events {}
		http {
			access_log off;
			server {
				listen 127.0.0.1:$port;
				root html; location / { return 204; }
				location ~ $1 { return 403; }
			}
		}
	CONF
	serve "$port" "$software/nginx/objs/nginx" -p . -c nginx.conf
	get "$port" 60 /aaaaaaaaaaaaaaaaaaa.xhtml
	end_server
}

base() {
	get_matched '^/a+[.]html$'
}

slow() {
	get_matched '^/(a+)+[.]html$'
}

truth() {
	echo '^ngx_regex_exec$' '^nginx$'
}

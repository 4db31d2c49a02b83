# SPDX-License-Identifier: MIT
# The server compresses what it sends, in the slow run at the highest level.

about="gzip_comp_level 9 instead of 1"
cause=real
traits="nginx: server, C, one thread"

build() {
	need nginx
	for ((i = 0; i < 30000; i++)); do
		printf '%d: order %d of %d, %x\n' "$i" $((i * 7919 % 10007)) $((i % 89)) $((i * i))
	done > orders.txt
}

get_compressed() {
	local port
	port=$(free_port)
	mkdir logs html
	cp "$built/orders.txt" html
	cat > nginx.conf <<-CONF
		daemon off; master_process off; pid nginx.pid; error_log stderr error; events {}
		http {
			types { text/plain txt; }
			access_log off; gzip on; gzip_types text/plain; gzip_comp_level $1;
			server { listen 127.0.0.1:$port; root html; }
		}
	CONF
	serve "$port" "$software/nginx/objs/nginx" -p . -c nginx.conf
	get "$port" 20 /orders.txt Accept-Encoding:gzip
	end_server
}

base() {
	get_compressed 1
}

slow() {
	get_compressed 9
}

truth() {
	echo '^ngx_http_gzip_body_filter$' '^nginx$'
}

# SPDX-License-Identifier: MIT
# The server ends the connection after each answer, and the client has to shake hands again for
# every request.

about="TLS handshake for each request (keepalive off)"
cause=real
traits="nginx with OpenSSL: server, C, one thread"
packages=(openssl)

build() {
	need nginx
	openssl req -x509 -newkey rsa:4096 -nodes -subj /CN=localhost -days 3650 -keyout key.pem \
		-out certificate.pem
}

get_encrypted() {
	local port
	port=$(free_port)
	mkdir logs html
	seq 400 > html/numbers.txt
	cat > nginx.conf <<-CONF
		daemon off; master_process off; pid nginx.pid; error_log stderr error; events {}
		http {
			access_log off;
			keepalive_timeout $1;
			server {
				listen 127.0.0.1:$port ssl;
				ssl_certificate $built/certificate.pem;
				ssl_certificate_key $built/key.pem;
				root html;
			}
		}
	CONF
	serve "$port" "$software/nginx/objs/nginx" -p . -c nginx.conf
	get "$port" 80 https:/numbers.txt
	end_server
}

base() {
	get_encrypted 60s
}

slow() {
	get_encrypted 0
}

truth() {
	echo '^ngx_ssl_handshake$' '^nginx$'
}

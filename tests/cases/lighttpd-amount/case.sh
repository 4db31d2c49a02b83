# SPDX-License-Identifier: MIT
# A directory with many files is listed anew for each request; in the base the server keeps the
# list. The slow run also serves three times as many requests, which is no fault of the server's.

about="directory listed for each request, and more requests"
cause=real
traits="lighttpd: server with modules, C, one thread, other amounts of work"
packages=(dpkg-dev gcc make libpcre2-dev zlib1g-dev)

half=worked
says="the cause is lighttpd's mod_dirlisting, which reads the directory for each request; that there are more requests explains only a part"
told='mod_dirlisting|http_(read|list)_directory'

build() {
	fetch_source lighttpd
	./configure --prefix="$built/installed" CFLAGS="$stock_flags"
	make -j"$(nproc)"
	make install
}

# list REQUESTS MAX-AGE, which is 0 for a list that is not kept.
list() {
	local port
	port=$(free_port)
	mkdir -p html/orders cache
	seq -f 'html/orders/order-%.0f.txt' 150 | xargs touch
	cat > lighttpd.conf <<-CONF
		server.modules = ( "mod_dirlisting" )
		server.port = $port
		server.bind = "127.0.0.1"
		server.document-root = "$PWD/html"
		server.max-keep-alive-requests = 0
		dir-listing.activate = "enable"
		dir-listing.cache = ( "max-age" => $2, "path" => "$PWD/cache" )
	CONF
	serve "$port" "$built/installed/sbin/lighttpd" -D -f lighttpd.conf
	get "$port" "$1" /orders/
	end_server
}

base() {
	list 300 600
}

slow() {
	list 900 0
}

# The compiler may inline the first two into the third.
truth() {
	echo '^(http_read_directory|http_list_directory|mod_dirlisting_subrequest)$' '^mod_dirlisting\.so$'
}

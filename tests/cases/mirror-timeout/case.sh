# SPDX-License-Identifier: MIT
# Reports are fetched with wget, which is told to give a server one second, and to try again. In the
# slow run the server takes the connection for some of them and does not answer; it does the next time.
# In the base it answers at once.

about="a server that takes some requests and does not answer"
cause=real
traits="wget and a server in Python: client, C, several processes"
packages=(dpkg-dev gcc make pkg-config python3)
half=fresh
says="the cause is read_http_response_head in wget: for some reports it waits for the head of an answer that never comes, until the time is out"
told='read_http_response_head|fd_read_hunk|select_fd'

build() {
	mkdir source
	(
		cd source
		fetch_source wget
		./configure --without-ssl --without-libpsl --without-zlib --disable-nls --disable-pcre \
			--disable-pcre2 --disable-iri --without-libuuid CFLAGS="$stock_flags"
		make -j"$(nproc)" -C lib
		make -j"$(nproc)" -C src wget
		cp src/wget ..
	)
	rm -r source
}

# fetch_reports SILENT: that many of the requests are not answered.
fetch_reports() {
	local port
	port=$(free_port)
	/usr/bin/python3 "$case_dir/reports.py" "$port" "$1" 2> server.log &
	server=$!
	trap 'kill "$server" 2>/dev/null || true; wait; clean_up' EXIT
	wait_for_port "$port"
	seq -f "http://127.0.0.1:$port/report%g.csv" 60 > reports
	record "$built/wget" --no-verbose --no-proxy --timeout=1 --tries=3 --waitretry=0 -i reports
	[ "$(find . -name 'report*.csv' | wc -l)" -eq 60 ]
}

base() {
	fetch_reports 0
}

slow() {
	fetch_reports 4
}

# The compiler makes the one a part of the other.
truth() {
	echo '^(read_http_response_head|gethttp)$' '^wget$'
}

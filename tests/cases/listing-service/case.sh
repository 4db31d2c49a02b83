# SPDX-License-Identifier: MIT
# A client asks a web server for the list of a directory, again and again. In the slow run old reports
# were never cleared away there; in the base there are few. The server lists them all for each request.

about="a directory with very many files is listed for each request"
cause=real
traits="mini_httpd and a client in Python: a server and a client, C, several processes"
packages=(dpkg-dev gcc libcrypt-dev make python3)
half=fresh
says="the cause is do_dir in mini_httpd: for each list that the client waits for it looks at all files of the directory, of which there are very many"
told='do_dir|file_details'

build() {
	fetch_source mini-httpd
	make mini_httpd CFLAGS="$stock_flags -DUSE_IPV6" LDFLAGS= CRYPT_LIB=-lcrypt SSL_DEFS= SSL_LIBS=
}

# ask FILES: with so many in the directory.
ask() {
	mkdir -p site/reports
	for ((i = 0; i < $1; i++)); do
		echo "report $i" > "site/reports/report-$i.txt"
	done
	record python3 "$case_dir/ask.py" "$built/mini_httpd" "$(free_port)" 150
	grep -q '^150 lists' output
}

base() {
	ask 20
}

slow() {
	ask 700
}

truth() {
	echo '^(do_dir|file_details)$' '^mini_httpd$'
}

# SPDX-License-Identifier: MIT
# A client fetches pages through a proxy on its own machine. In the slow run the proxy has a list of
# hundreds of regular expressions for addresses that are blocked, and tries them one after another
# for each page; in the base the list is short. No page is blocked in either.

about="a proxy with a long blocklist"
cause=real
traits="wget and tinyproxy: a client and a server, C, several processes"
packages=(dpkg-dev gcc make python3 wget)
half=fresh
says="the cause is filter_run in tinyproxy: for each page that wget waits for, it tries all expressions of a long blocklist"
told='filter_run'

build() {
	fetch_source tinyproxy
	./configure --disable-manpage_support CFLAGS="$stock_flags"
	make -C src -j"$(nproc)" tinyproxy
}

# fetch COUNT: with so many lines in the list.
fetch() {
	local port web query
	port=$(free_port) web=$(free_port)
	for ((i = 0; i < $1; i++)); do
		echo "/.*\\(banner\\|track\\)${i}[.]gif"
	done > blocked
	cat > tinyproxy.conf <<-CONF
		Port $port
		Listen 127.0.0.1
		Timeout 60
		LogFile "$PWD/tinyproxy.log"
		LogLevel Warning
		Filter "$PWD/blocked"
		FilterURLs On
	CONF
	query=$(printf 'item%d=small&' {1..20})
	mkdir site
	for ((i = 0; i < 500; i++)); do
		printf '<p>page %d</p>\n' {1..400} > "site/page$i.html"
		echo "http://127.0.0.1:$web/page$i.html?$query"
	done > addresses
	record "$case_dir/fetch" "$built/src/tinyproxy" "$port" "$web"
}

base() {
	fetch 5
}

slow() {
	fetch 500
}

truth() {
	echo '^filter_run$' '^tinyproxy$'
}

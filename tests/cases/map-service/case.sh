# SPDX-License-Identifier: MIT
# The old addresses that were asked for most in a shop's log are checked: for each, haproxy looks up
# in a list where the page has moved to. In the slow run the list has a regular expression for each
# address, and haproxy tries them one after another until one matches; in the base it has the
# addresses themselves.

about="a proxy with a list of regular expressions"
cause=real
traits="haproxy and a script in Python: a server in C and its client, several processes"
packages=(dpkg-dev gcc libpcre2-dev make python3)
stack_bytes=4096
half=fresh
says="the cause is pat_match_reg in haproxy: for each address that the client asks for, it tries thousands of regular expressions one after another"
told='pat_match_reg'

# With the library for regular expressions that Debian's own has.
build() {
	mkdir source
	(
		cd source
		fetch_source haproxy
		make -j"$(nproc)" TARGET=linux-glibc USE_PCRE2=1 USE_PCRE2_JIT=1 CPU_CFLAGS="$stock_flags" DEBUG_CFLAGS= \
			haproxy
		cp haproxy ..
	)
	rm -r source
	awk 'BEGIN {
		for (i = 0; i < 800000; i++)
			print "10.0.7." i % 251 " - - \"GET /shop/article" i * 7919 % 11987 ".html HTTP/1.1\" 200 " i * 31 % 9973
	}' > access.log
}

# check CONVERTER BEGINNING END: with these around each address of the list.
check() {
	local port
	port=$(free_port)
	awk -v beginning="$2" -v end="$3" 'BEGIN {
		for (i = 0; i < 30000; i++) {
			article = i * 7919 % 30000
			print beginning "/shop/article" article end " /articles/" article
		}
	}' > moved
	cat > haproxy.cfg <<-CONF
		global
		    nbthread 1
		defaults
		    mode http
		    timeout connect 5s
		    timeout client 60s
		    timeout server 60s
		frontend shop
		    bind 127.0.0.1:$port
		    http-request set-var(txn.moved) path,$1($PWD/moved)
		    http-request redirect location %[var(txn.moved)] code 301 if { var(txn.moved) -m found }
		    http-request return status 404
	CONF
	record "$case_dir/shop.sh" "$built/haproxy" "$port" 800 "$built/access.log"
	grep -q '^800 pages have moved$' output
}

base() {
	check map '' .html
}

slow() {
	check map_reg ^ '[.]html$'
}

truth() {
	echo '^pat_match_reg$' '^haproxy$'
}

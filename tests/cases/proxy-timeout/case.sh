# SPDX-License-Identifier: MIT
# A client asks a service for reports. Before it starts the service, tcpserver asks the client's
# machine who the user is (ident, RFC 1413). In the slow run that connection is taken and never
# answered, and tcpserver waits each time until the time is out; in the base it is refused.

about="an ident look-up that is never answered"
cause=real
traits="tcpserver and tcpclient with a service in Python: C, several processes"
packages=(dpkg-dev gcc make python3)
half=fresh
says="the cause is remoteinfo in tcpserver: before each report it waits for an answer of the client's ident service, which never comes, until the time is out"
told='remoteinfo'

build() {
	mkdir source
	(
		cd source
		fetch_source ucspi-tcp
		echo "gcc $stock_flags" > conf-cc
		echo gcc > conf-ld
		make tcpserver tcpclient
		mv tcpserver tcpclient ..
	)
	rm -r source
	awk 'BEGIN {
		for (i = 0; i < 400000; i++)
			print "order", i, "shop", i * 7919 % 61, "price", i * 31 % 9973
	}' > orders
}

# On an address of loopback's own, from which the client comes.
ask() {
	record bash "$case_dir/ask" "$built" "$(free_port)" 127.11.113.1
	[ "$(grep -c '^shop [0-9]* sold for [1-9]' output)" -eq 6 ]
}

base() {
	ask
}

slow() {
	ident=$(python3 "$case_dir/ident.py" 127.11.113.1)
	trap 'kill $ident; clean_up' EXIT
	ask
}

truth() {
	echo '^remoteinfo$' '^tcpserver$'
}

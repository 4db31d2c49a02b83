# SPDX-License-Identifier: MIT
# A small office's name server is asked for the text records of its domains. In the slow run its
# configuration has kept the records of all certificates that were ever asked for, and each question
# has the whole list walked through; in the base it has those that are asked for.

about="tens of thousands of records in a name server's configuration"
cause=real
traits="dnsmasq: server, C, two processes over UDP"
packages=(dpkg-dev gcc make python3)
half=fresh
says="the cause is answer_request in dnsmasq: for each question that the client waits for, it walks through a list of tens of thousands of text records"
told='answer_request'

build() {
	fetch_source dnsmasq
	make -j"$(nproc)" CFLAGS="$stock_flags"
}

# ask_for_all OLD: with so many records beside the 200 that are asked for.
ask_for_all() {
	local port
	port=$(free_port)
	cat > dnsmasq.conf <<-CONF
		port=$port
		listen-address=127.0.0.1
		bind-interfaces
		no-resolv
		no-hosts
		no-poll
		user=root
		pid-file=
		domain=office.example
		local=/office.example/
	CONF
	for ((i = 0; i < 200; i++)); do
		echo "txt-record=_dmarc.branch$i.office.example,v=DMARC1,p=reject"
	done >> dnsmasq.conf
	for ((i = 0; i < $1; i++)); do
		echo "txt-record=_acme-challenge.host$i.office.example,token$((i * 7919))"
	done >> dnsmasq.conf
	record /usr/bin/python3 "$case_dir/ask.py" "$built/src/dnsmasq" "$port" 200 25
}

base() {
	ask_for_all 100
}

slow() {
	ask_for_all 20000
}

truth() {
	echo '^answer_request$' '^dnsmasq$'
}

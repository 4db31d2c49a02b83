# SPDX-License-Identifier: MIT
# A mail server verifies letters with the keys of their senders, which a name server has as text
# records. In the slow run this has those of all customers of a provider, in a list that is read from
# its beginning to its end for each question; in the base those only that are asked for. Meanwhile
# xz and top run.

about="keys searched in a long list of text records"
cause=real
traits="dnsmasq and dig, xz and top beside them: C, several processes, the whole machine"
packages=(bind9-dnsutils dpkg-dev gcc make pkg-config procps xz-utils)
stack_bytes=4096
case_options=(-a)
half=fresh
says="the cause is answer_request in dnsmasq: it compares each name that dig asks for with a long list of text records"
told='answer_request'

build() {
	mkdir source
	(
		cd source
		fetch_source dnsmasq
		make -j"$(nproc)" CFLAGS="$stock_flags"
		cp src/dnsmasq ..
	)
	rm -r source
	awk 'BEGIN {
		for (i = 0; i < 20000; i++)
			print "10.0.3." i % 251, "GET /orders/" i * 7919 % 100003, "took", i * 31 % 977, "ms"
	}' > access.log
}

# verify_letters CUSTOMERS: with the keys of so many customers known.
verify_letters() {
	awk -v customers="$1" 'BEGIN {
		for (i = 0; i < customers; i++)
			print "txt-record=mail._domainkey.customer" i ".example,\"v=DKIM1; p=MIGf" i * 7919 "\""
	}' > keys.conf
	awk 'BEGIN { for (i = 0; i < 2000; i++) print "+short mail._domainkey.customer" i % 400 ".example TXT" }' > senders
	cp "$built/access.log" .
	record bash "$case_dir/letters.sh" "$built/dnsmasq" "$(free_port)"
	[ "$(sort -u keys | grep -c 'DKIM1')" -eq 400 ]
}

base() {
	verify_letters 400
}

slow() {
	verify_letters 24000
}

# The comparison itself is a function of three lines in another file.
truth() {
	echo '^answer_request$' '^dnsmasq$'
}

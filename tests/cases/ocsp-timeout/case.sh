# SPDX-License-Identifier: MIT
# A script fetches reports through stunnel, which asks for each connection whether the certificate of
# their server is still valid. That names two OCSP responders. In the slow run the first of them takes
# the question and does not answer any more: stunnel waits until the time is out, and asks the second.
# In the base the one that answers comes first.

about="an OCSP responder that does not answer"
cause=real
traits="stunnel and a script in Python: proxy and client, C, several processes and threads"
packages=(dpkg-dev gcc libssl-dev make openssl python3)
half=fresh
says="the cause is ocsp_request of stunnel: for each connection it waits for an OCSP responder that does not answer, until the time is out"
told='ocsp_(request|get_response|check)'

build() {
	fetch_source stunnel4
	./configure --disable-libwrap --disable-systemd CFLAGS="$stock_flags"
	make -C src -j"$(nproc)" stunnel
	mkdir reports
	for report in 0 1 2 3; do
		awk -v report="$report" 'BEGIN {
			for (i = 0; i < 150000; i++)
				print report i ";customer " i * 7919 % 9973 ";" i * i % 97701 / 100
		}' > "reports/$report.csv"
	done
}

# make_certificates URL…: the certificate of the reports' server, which names these responders, and
# what they answer about it.
make_certificates() {
	local url serial separator='authorityInfoAccess = '
	openssl req -x509 -newkey rsa:2048 -nodes -subj "/CN=Works" -days 30 -keyout ca.key -out ca.pem
	openssl req -newkey rsa:2048 -nodes -subj "/CN=reports" -keyout server.key -out server.request
	for url; do
		printf '%s' "${separator}OCSP;URI:$url"
		separator=,
	done > extensions
	openssl x509 -req -in server.request -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 \
		-extfile extensions -out server.pem
	serial=$(openssl x509 -in server.pem -noout -serial)
	printf 'V\t491231235959Z\t\t%s\tunknown\t/CN=reports\n' "${serial#serial=}" > index
	openssl ocsp -issuer ca.pem -cert server.pem -no_nonce -reqout question
	openssl ocsp -index index -CA ca.pem -rsigner ca.pem -rkey ca.key -ndays 2 -reqin question \
		-respout answer
}

# fetch_reports FIRST SECOND: answers and silent are the responders, in this order.
fetch_reports() {
	local answers silent web port
	answers=$(free_port) silent=$(free_port) web=$(free_port) port=$(free_port)
	make_certificates "http://127.0.0.1:${!1}/" "http://127.0.0.1:${!2}/" > certificates.log 2>&1
	cat > stunnel.conf <<-CONF
		foreground = yes
		pid =
		debug = warning
		[reports]
		client = yes
		accept = 127.0.0.1:$port
		connect = 127.0.0.1:$web
		CAfile = $PWD/ca.pem
		verifyChain = yes
		OCSPaia = yes
		sessionResume = no
		TIMEOUTbusy = 1
	CONF
	"$case_dir/servers.py" "$web" "$answers" "$silent" "$built/reports" 2> servers.log &
	server=$!
	trap 'kill "$server" 2>/dev/null || true; wait; clean_up' EXIT
	for ((i = 0; i < 200; i++)); do
		[ ! -e listening ] || break
		sleep 0.05
	done
	record "$case_dir/fetch.sh" "$built/src/stunnel" stunnel.conf "$case_dir/total.py" "$port"
	grep -q '^600000 orders' output
	kill "$server"
	wait "$server" || true
}

base() {
	fetch_reports answers silent
}

slow() {
	fetch_reports silent answers
}

truth() {
	echo '^(ocsp_request|ocsp_get_response)$' '^stunnel$'
}

# SPDX-License-Identifier: MIT
# A program looks up where the mail for a list of domains goes to. It has two name servers. In the
# slow run the first of them no longer answers, and each question is asked again of the second one
# when the time for the first is over; in the base both answer.

about="first name server does not answer"
cause=real
traits="a program with c-ares and a name server: C++ and Python, several processes over UDP"
packages=(g++ libc-ares-dev python3)
half=fresh
says="the cause is that the first name server does not answer: for each domain, resolver::mail_host waits until the time for its question is over"
told='mail_host'

build() {
	g++ $stock_flags -g -o mxcheck "$case_dir/mxcheck.cc" -lcares
}

# check FIRST: answers or silent.
check() {
	for ((i = 0; i < 30; i++)); do
		echo "branch$i.example"
	done > domains
	record /usr/bin/python3 "$case_dir/check.py" "$built/mxcheck" "$1"
}

base() {
	check answers
}

slow() {
	check silent
}

truth() {
	echo '^(.*::)?mail_host(\[abi:cxx11\])?(\(.*)?$' '^mxcheck$'
}

# SPDX-License-Identifier: MIT
# The name server that is named first in resolv.conf does not answer any more: each look-up waits for
# it before the second is asked. In the base the one that answers comes first.

about="a name server that does not answer"
cause=real
traits="a program with getaddrinfo: C, one thread"
packages=(gcc libc6-dev util-linux)
half=fresh
says="the cause is that look_up waits for a name server that does not answer, until the time is out"
told='look_up|getaddrinfo|_nss_dns|res_context'

build() {
	gcc $stock_flags -o visits "$case_dir/visits.c"
	for site in shop blog wiki; do
		awk 'BEGIN {
			for (i = 0; i < 2000000; i++)
				print "10.0." i % 7 "." i % 251 " GET /page/" i * 7919 % 100003
		}' > "$site.example"
	done
}

# Name servers on addresses of loopback's own: the first answers, the second does not.
count_visits() {
	printf 'nameserver %s\n' "$@" > resolv.conf
	echo 'options timeout:1 attempts:2' >> resolv.conf
	echo 'hosts: files dns' > nsswitch.conf
	server=$(python3 "$case_dir/names.py" 127.11.53.1 127.11.53.2)
	trap 'kill $server; clean_up' EXIT
	# shellcheck disable=SC2016 # for the other shell
	record unshare -m sh -c 'mount --bind resolv.conf /etc/resolv.conf &&
		mount --bind nsswitch.conf /etc/nsswitch.conf && exec "$@"' sh \
		"$built/visits" "$built"/*.example
}

base() {
	count_visits 127.11.53.1 127.11.53.2
}

slow() {
	count_visits 127.11.53.2 127.11.53.1
}

truth() {
	echo '^look_up$' '^visits$'
}

# SPDX-License-Identifier: MIT
# The rules of a firewall are written with the names of hosts, of which each is a macro with its
# address. m4 up to 1.4.18 keeps its macros in a hash table of 509 lists, however many they are;
# 1.4.19 has 65537 ("the symbol hash table now defaults to 65537 buckets instead of 509", says its
# NEWS). The second m4 has that change taken out.

about="two versions of m4, one with a small hash table for very many macros"
cause=real
traits="m4: macro processor, two versions by their file names, C, one thread"
packages=(dpkg-dev gcc make)
half=fresh
says="the cause is lookup_symbol, in m4-1.4.18: its hash table is too small for the macros, so that for each word it goes through a long list of them"
told='lookup_symbol'

build() {
	fetch_source m4
	./configure --disable-nls --disable-rpath --disable-dependency-tracking CFLAGS="$stock_flags"
	make -j"$(nproc)" -C lib
	make_version 1.4.19
	sed -i 's/^#define HASHMAX 65537 /#define HASHMAX 509 /' src/m4.h
	grep -q '^#define HASHMAX 509 ' src/m4.h
	rm src/m4.o
	make_version 1.4.18
	! cmp -s m4-1.4.18 m4-1.4.19
	make_hosts > hosts.m4
	make_rules > rules.m4
}

make_version() {
	make -C src m4
	mv src/m4 "m4-$1"
}

host_names='
	function host(number) {
		return places[number % 8 + 1] "_" kinds[int(number / 8) % 6 + 1] "_" int(number / 48)
	}
	BEGIN {
		split("berlin hamburg vienna zurich lyon turin oslo prague", places)
		split("desk phone till printer camera server", kinds)
		hosts = 40000
	}'

make_hosts() {
	awk "$host_names"'
		BEGIN {
			for (i = 0; i < hosts; i++)
				printf "define(`%s'\'', `10.%d.%d.%d'\'')dnl\n", host(i), i % 8, i / 8 / 250,
					i / 8 % 250 + 1
		}'
}

# Who may reach whom; the hosts are in no order.
make_rules() {
	awk "$host_names"'
		BEGIN {
			for (i = 0; i < 400000; i++) {
				from = i * 7919 % hosts
				to = (i * 104729 + 11) % hosts
				printf "allow tcp from %s to %s port %d\n", host(from), host(to), i * 31 % 9973
			}
		}'
}

# expand NUMBER: the rules, by the m4 of this number, which writes them in large pieces.
expand() {
	record stdbuf -o 1M "$built/m4-$1" "$built/hosts.m4" "$built/rules.m4"
	[ "$(grep -c '^allow tcp from 10[.].* to 10[.].* port [0-9]*$' output)" = 400000 ]
}

base() {
	expand 1.4.19
}

slow() {
	expand 1.4.18
}

truth() {
	echo '^lookup_symbol$' '^m4-1[.]4[.]18$'
}
